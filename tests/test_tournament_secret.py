"""The decks of a tournament with agents of others cannot be computed in advance, and it can still be repeated."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.programs import thurn
from tests.tournaments import SHORT, files, index, play
from thurn_env.engine.generator import derived_seed
from thurn_env.table.game import Game
from thurn_env.table.record import Record
from thurn_env.table.replay import verify
from thurn_env.tournament.config import Config
from thurn_env.tournament.folder import Folder
from thurn_env.tournament.play import play_scripted_slot, play_slot
from thurn_env.tournament.seeds import game_seeds
from thurn_env.tournament.shareable import without_secret

TABULATOR = "tests.tabulating:Tabulator"
FIRST = "tests.failing:First"


def stored(out: Path) -> str | None:
    """The secret in the folder of a tournament."""
    config: dict[str, Any] = json.loads((out / "tournament.json").read_text("utf-8"))["config"]
    return config.get("secret")


def cheated(out: Path, game: str, board: str, *arguments: str) -> tuple[set[str], list[dict[str, Any]]]:
    """Let the cheat play; how it found decks that were really played, and all that it noted."""
    command = ["--agents", TABULATOR, "random", "--game", game, "--board", board, "--games", "3", "--seed", "5"]
    assert (
        thurn("tournament", [*command, *SHORT, "--out", str(out / "tournament"), "--bootstrap", "0", *arguments]) == 0
    )
    records = [record for file in (out / "tournament" / "games").iterdir() for record in Record.load_all(file)]
    played = [beginning(record) for record in records]
    notes = [json.loads(line) for line in (out / "noted.jsonl").read_text("utf-8").splitlines()]
    rules = records[0].rules
    guesses = [note for note in notes if "by" in note]
    found = {guess["by"] for guess in guesses if beginning(Game.from_rules(rules, guess["deck"]).record()) in played}
    assert not any(line["forfeit"] for line in index(out / "tournament"))
    assert any("reached" in note for note in notes)
    return found, notes


def beginning(record: Record) -> list[Any]:
    """Who began a game, and the order of its first deck."""
    return [record.start_player, record.chance["decks"][0]]


@pytest.mark.parametrize(("game", "board"), [("thurn_und_taxis", "tiny"), ("zug_um_zug_deutschland", "tiny_rails")])
def test_decks_of_small_seeds_cannot_be_looked_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, board: str
) -> None:
    """Without a secret the cheat finds the deck in three ways; with the one that is drawn by itself, in none."""
    for name in ("without", "with"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("MARKS", str(tmp_path / "without"))
    found, _ = cheated(tmp_path / "without", game, board, "--jobs", "0", "--secret", "none")
    assert found == {"agent seed", "open cards", "view seed"}
    monkeypatch.setenv("MARKS", str(tmp_path / "with"))
    found, _ = cheated(tmp_path / "with", game, board, "--jobs", "0")
    assert found == set()


def test_what_agents_are_handed_leads_to_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a worker's arguments and environment nor the view hold the secret, the deck's seed or another one."""
    secret = "of this test alone"
    monkeypatch.setenv("MARKS", str(tmp_path))
    monkeypatch.setattr("sys.argv", ["program", "--secret", secret, f"--secret={secret}", "--seed", "5"])
    found, notes = cheated(tmp_path, "thurn_und_taxis", "tiny", "--jobs", "1", "--secret", secret)
    assert found == set()
    seeds = [game_seeds(secret, 5, deck, 2) for deck in range(3)]
    hidden = {secret} | {str(seed) for deck in seeds for seed in (deck.cards, deck.views)}
    for note in notes:
        assert hidden.isdisjoint(note.get("reached", ()))
        if "arguments" in note:
            assert note["arguments"][1:] == ["--secret", "...", "--secret=...", "--seed", "5"]
            assert secret not in " ".join(note["environment"])


def test_a_secret_is_drawn_where_agents_of_others_play(tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert play(tmp_path / name, *SHORT, "--jobs", "0", agents=f"{FIRST} random", games=1, secret=None) == 0
    one, two = stored(tmp_path / "one"), stored(tmp_path / "two")
    assert one != two
    assert one is not None
    assert re.fullmatch("[0-9a-f]{32}", one)
    # Other decks, and so other games.
    assert files(tmp_path / "one") != files(tmp_path / "two")
    for file in (tmp_path / "one" / "games").iterdir():
        for record in Record.load_all(file):
            verify(record)


@pytest.mark.parametrize("agents", ["random greedy", "mcts:2 random"])
def test_agents_of_the_project_need_no_secret(tmp_path: Path, agents: str) -> None:
    assert play(tmp_path, *SHORT, "--jobs", "0", agents=agents, games=1, secret=None) == 0
    assert "secret" not in json.loads((tmp_path / "tournament.json").read_text("utf-8"))["config"]
    config = Config(tuple(agents.split()), board="tiny")
    assert not config.foreign
    assert Config((FIRST, "random"), board="tiny").foreign


def test_the_same_secret_plays_the_same_games_elsewhere(tmp_path: Path) -> None:
    agents = f"{FIRST} random greedy"
    assert play(tmp_path / "one", *SHORT, "--jobs", "0", agents=agents, games=2, secret=None) == 0
    secret = stored(tmp_path / "one")
    assert secret is not None
    for jobs in ("1", "2"):
        again = tmp_path / jobs
        assert play(again, *SHORT, "--jobs", jobs, secret=secret, agents=agents, games=2) == 0
        assert files(again) == files(tmp_path / "one")
    # In parts, too.
    for first in ("0", "1"):
        part = ["--jobs", "0", "--first-deck", first]
        assert play(tmp_path / f"from-{first}", *SHORT, *part, agents=agents, games=1, secret=secret) == 0
    parts = [files(tmp_path / f"from-{first}") for first in (0, 1)]
    assert {name: parts[0][name] + parts[1][name] for name in parts[0]} == files(tmp_path / "one")


def test_a_tournament_goes_on_with_its_secret(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With more decks, or after a stop; another secret is another tournament, and no message shows either."""
    agents = f"{FIRST} random"
    assert play(tmp_path / "out", *SHORT, "--jobs", "0", agents=agents, games=1, secret=None) == 0
    secret, beginning = stored(tmp_path / "out"), files(tmp_path / "out")
    assert secret is not None
    assert play(tmp_path / "out", *SHORT, "--jobs", "0", agents=agents, games=3, secret=None) == 0
    assert stored(tmp_path / "out") == secret
    assert play(tmp_path / "whole", *SHORT, "--jobs", "0", secret=secret, agents=agents, games=3) == 0
    assert files(tmp_path / "out") == files(tmp_path / "whole")
    assert all(files(tmp_path / "out")[name].startswith(content) for name, content in beginning.items())
    assert Folder.existing(tmp_path / "out").config.secret == secret
    said = capsys.readouterr()
    assert secret not in said.out + said.err
    for other in ("another one", ""):
        assert play(tmp_path / "out", *SHORT, "--jobs", "0", secret=other, agents=agents, games=3) == 2
        error = capsys.readouterr().err
        assert "holds another tournament: the secrets differ" in error
        assert secret not in error
        assert other == "" or other not in error


def test_a_tournament_from_before_there_were_secrets_goes_on_without_one(tmp_path: Path) -> None:
    agents = f"{FIRST} random"
    assert play(tmp_path, *SHORT, "--jobs", "0", agents=agents, games=1, secret="") == 0
    assert stored(tmp_path) is None
    assert play(tmp_path, *SHORT, "--jobs", "0", agents=agents, games=2, secret=None) == 0
    assert stored(tmp_path) is None
    assert len(index(tmp_path)) == 4


def test_a_secret_is_text_that_can_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for secret in ("two\nlines", "half \udcff"):
        assert play(tmp_path, secret=secret) == 2
        assert "secret must be a text of printable characters" in capsys.readouterr().err


@pytest.mark.parametrize("secret", ["", "of this test alone"])
def test_scripted_bots_play_the_same_games_natively_and_by_views(secret: str) -> None:
    config = Config(("greedy", "sensible-random"), board="tiny", decks=3, secret=secret)
    for table in config.schedule.tables:
        for number in range(config.schedule.games_at(table)):
            slot = config.schedule.slot(table, number)
            native, by_views = play_scripted_slot(config, slot), play_slot(config, slot)
            assert (native.record, native.line) == (by_views.record, by_views.line)


def test_no_seed_follows_from_another_one() -> None:
    """A secret, a purpose, a tournament's seed, a deck and a seat have seeds of their own; no known way joins them."""
    seeds = [game_seeds(secret, seed, deck, 3) for secret in ("a", "b") for seed in (1, 11) for deck in (1, 11)]
    every = [seed for found in seeds for seed in (found.cards, found.views, *found.agents)]
    assert len(set(every)) == len(every) == 8 * 5
    assert all(0 <= seed < 2**64 for seed in every)
    for found in seeds:
        derived = {derived_seed(found.cards, stream, number) for stream in range(5) for number in range(5)}
        assert derived.isdisjoint(every)


def test_files_for_others_do_not_tell_the_secret(tmp_path: Path) -> None:
    """Who knows it knows all decks to come. A data set that an earlier version began with it goes on."""
    secret, played, data = "of this test alone", tmp_path / "played", tmp_path / "data"
    assert play(played, *SHORT, "--jobs", "0", agents="random greedy", games=2, secret=secret) == 0
    assert secret in (played / "tournament.json").read_text("utf-8")
    assert thurn("report", [str(played), "--out", str(tmp_path / "report.html")]) == 0
    assert thurn("dataset", [str(played), "--out", str(data)]) == 0
    page = (tmp_path / "report.html").read_text("utf-8")
    description = json.loads((data / "dataset.json").read_text("utf-8"))
    for file in (tmp_path / "report.html", *data.iterdir()):
        assert secret.encode() not in file.read_bytes(), file.name
    assert "--secret ..." in page
    assert description["tournament"]["secret"] in page
    description["tournament"]["secret"] = secret
    (data / "dataset.json").write_text(json.dumps(description), "utf-8")
    assert thurn("dataset", [str(played), "--out", str(data)]) == 0
    assert secret not in (data / "dataset.json").read_text("utf-8")
    description["tournament"]["secret"] = "another one"
    (data / "dataset.json").write_text(json.dumps(description), "utf-8")
    assert thurn("dataset", [str(played), "--out", str(data)]) == 2


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("thurn tournament --secret 'two words' --seed 1", "thurn tournament --secret ... --seed 1"),
        ("thurn tournament '--secret=two words' --seed 1", "thurn tournament --secret=... --seed 1"),
        ("thurn tournament --seed 1", "thurn tournament --seed 1"),
    ],
)
def test_commands_without_the_secret(command: str, shown: str) -> None:
    assert without_secret(shlex.split(command), "two words") == shown.split()
