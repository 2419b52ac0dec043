"""Standing lists on the command line: agents, games, the table, and errors in one sentence."""

from __future__ import annotations

import importlib.metadata
import io
import json
import re
import shlex
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from rich.console import Console

from tests.arenas import TINY, add, arena, check_whole, records
from tests.programs import thurn
from tests.test_tournament_ray import environment_of, with_ray
from tests.tournaments import ROOT
from thurn_env.errors import ThurnError
from thurn_env.tournament.arena import choice
from thurn_env.tournament.arena import settings as settings_module
from thurn_env.tournament.arena.claims import Unit
from thurn_env.tournament.arena.figures import figures_of, resampled_half_widths
from thurn_env.tournament.arena.playing import Run, add_agents, play
from thurn_env.tournament.arena.settings import Wishes
from thurn_env.tournament.arena.store import FILE, Store
from thurn_env.tournament.arena.table import list_table, notes
from thurn_env.tournament.play import Played

AGENTS = ("random", "sensible-random", "greedy")


@pytest.fixture(scope="module", autouse=True)
def packages_listed_once() -> Iterator[None]:
    """List the installed packages once: it takes a third of a second for every agent from a module, each time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(importlib.metadata, "packages_distributions", cache(importlib.metadata.packages_distributions))
        yield


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A list of three bots with wide intervals."""
    folder = tmp_path_factory.mktemp("arena") / "list"
    add(folder, *AGENTS)
    report = play(folder, goal=100, jobs=0)
    assert not report.over_budget
    return folder


def test_every_game_is_a_true_record(played: Path) -> None:
    check_whole(played)


def test_pairs_play_shared_decks_from_the_first_on(played: Path) -> None:
    with Store(played) as store:
        decks: dict[tuple[int, ...], set[int]] = {}
        for game in store.games():
            decks.setdefault(tuple(sorted(game.seats)), set()).add(game.facts["deck"])
    assert len(decks) > 1
    assert all(found == set(range(len(found))) for found in decks.values())


def test_intervals_are_as_narrow_as_asked(played: Path) -> None:
    with Store(played) as store:
        halves = resampled_half_widths(store, 1000)
    assert len(halves) == 3
    assert all(half is not None and half < 105 for half in halves.values())


def test_figures_are_those_of_a_tournament(played: Path) -> None:
    with Store(played) as store:
        figures = figures_of(store, 100)
    assert [row["agent"] for row in figures["agents"]] == ["greedy", "sensible-random", "random"]
    assert sum(row["rating"] for row in figures["agents"]) == pytest.approx(0, abs=1e-6)
    assert all(row["rating_95"][0] < row["rating"] < row["rating_95"][1] for row in figures["agents"])
    assert figures["pairs"]["greedy"]["sensible-random"]["share"] > 0.5
    assert "secret" not in figures
    assert {"name", "title", "meaning"} <= figures["style_figures"][0].keys()
    assert all(row["style"].keys() == {one["name"] for one in figures["style_figures"]} for row in figures["agents"])


def test_the_same_store_gives_the_same_games(tmp_path: Path, played: Path) -> None:
    add(tmp_path, *AGENTS)
    play(tmp_path, goal=100, jobs=0)
    assert records(tmp_path) == records(played)


def test_a_newcomer_joins(played: Path, tmp_path: Path) -> None:
    add(tmp_path, *AGENTS)
    play(tmp_path, goal=150, jobs=0)
    before = records(tmp_path)
    assert arena(tmp_path, "add", "heuristic") == 0
    assert not play(tmp_path, goal=150, jobs=0).over_budget
    assert before.items() <= records(tmp_path).items()
    check_whole(tmp_path)
    with Store(tmp_path) as store:
        assert figures_of(store, 10)["agents"][0]["agent"] == "heuristic"


def test_a_retired_agent_keeps_its_games_and_plays_no_more(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(tmp_path, *AGENTS)
    play(tmp_path, goal=250, jobs=0)
    with Store(tmp_path) as store:
        number = store.entry("random").id
        games = [game for game in store.games() if number in game.seats]
    assert arena(tmp_path, "retire", "random") == 0
    play(tmp_path, goal=100, jobs=0)
    with Store(tmp_path) as store:
        assert [game for game in store.games() if number in game.seats] == games
    capsys.readouterr()
    assert arena(tmp_path, "table") == 0
    assert "random (retired)" in capsys.readouterr().out
    assert arena(tmp_path, "retire", "random") == 2
    assert "'random' was retired before" in capsys.readouterr().err


@pytest.mark.parametrize("left", [2, 1])
def test_an_agent_may_be_retired_while_others_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left: int) -> None:
    """Games under way end; with a single agent left there is nothing to play."""
    add(tmp_path, *AGENTS)
    save, stored = Run._save, list[tuple[int, ...]]()

    def retiring(self: Run, unit: Unit, games: Sequence[Played]) -> None:
        save(self, unit, games)
        stored.append(unit.lineup)
        if len(stored) == 3:
            for name in AGENTS[: len(AGENTS) - left]:
                self._store.retire(name)

    monkeypatch.setattr(Run, "_save", retiring)
    report = play(tmp_path, goal=60, jobs=0)
    assert (report.alone, report.over_budget) == (left == 1, False)
    with Store(tmp_path) as store:
        retired = {store.entry(name).id for name in AGENTS[: len(AGENTS) - left]}
    late = [lineup for lineup in stored[3:] if retired.intersection(lineup)]
    assert len(late) < choice.FIRST_DECKS, "no more than what was chosen before"
    assert (len(stored) > 12) == (left == 2)
    check_whole(tmp_path)


def test_a_spent_budget_ends_the_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(tmp_path, "random", "greedy")
    assert arena(tmp_path, "play", "--budget", "0.001", "--interval", "0.1", "--jobs", "0") == 0
    assert "the budget is spent" in capsys.readouterr().out
    check_whole(tmp_path)


def test_an_agent_that_loses_everything_is_named_and_given_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choice, "GIVE_UP_DECKS", 20)
    add(tmp_path, "heuristic", "tests.failing:Broken")
    assert arena(tmp_path, "play", "--jobs", "0") == 0
    output = capsys.readouterr().out
    assert "tests.failing:Broken is unconnected: no result links its rating with those of other agents" in output
    assert arena(tmp_path, "table") == 0
    output = " ".join(capsys.readouterr().out.split())
    assert "Unconnected: tests.failing:Broken. They won or lost every game" in output
    assert "agent 'tests.failing:Broken' forfeited" in output


def test_an_agent_that_ends_its_process_forfeits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Each of its games costs a process, and no number of them would give it a rating.
    monkeypatch.setattr(choice, "FIRST_DECKS", 1)
    monkeypatch.setattr(choice, "GIVE_UP_DECKS", 1)
    add(tmp_path, "greedy", "tests.failing:Dead")
    assert play(tmp_path, goal=300, jobs=2).unlinked == ["greedy", "tests.failing:Dead"]
    check_whole(tmp_path)
    with Store(tmp_path) as store:
        assert {game.facts["forfeit"]["agent"] for game in store.games()} == {"tests.failing:Dead"}


def test_the_table_fits_80_columns(played: Path) -> None:
    with Store(played) as store:
        figures = figures_of(store, 10)
    figures["agents"][0]["agent"] = "ppo+mcts:runs/a/very/long/path/with/[markup]/best.npz,1000"
    figures["agents"][0]["seconds_per_decision"] = 0.0123
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(list_table(figures))
    lines = console.export_text().splitlines()
    assert max(map(len, lines)) <= 80
    assert "+mcts" in "".join(lines)
    assert "12.3 ms" in "".join(lines)
    assert notes(figures)


def test_the_table_as_json(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert arena(played, "table", "--json", "--bootstrap", "10") == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["format"] == "thurn-arena/1"
    assert len(figures["agents"]) == 3


def error_of(folder: Path, words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """What a refused command says: one line."""
    capsys.readouterr()
    assert arena(folder, *words) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert len(said) < 300
    return said


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("add nobody", "there is no agent 'nobody'"),
        ("add random", "'random' is on the list already; to add it twice, add it under another name with --name"),
        ("add heuristic heuristic", "'heuristic' is named twice"),
        ("add heuristic greedy --name x", "--name is for one agent, not 2"),
        ("add heuristic --players 3", "the list has players 2, not 3"),
        ("add heuristic --game zug_um_zug_deutschland", "the list has game 'thurn_und_taxis'"),
        ("add heuristic --secret other", "the list has another secret"),
        ("add heuristic --option horses=true", "the list has option horses False, not True"),
        ("retire nobody", "there is no agent 'nobody' on the list; the agents are random, sensible-random, greedy"),
        ("play --budget 0", "budget must be more than 0"),
        ("play --interval -1", "interval must be more than 0"),
        ("play --jobs -1", "jobs must be from 0"),
        ("table --bootstrap -1", "bootstrap must be from 0"),
        ("html site --last-games -1", "last_games must be from 0"),
        ("add heuristic --players 9", "the list has players 2, not 9"),
        ("add heuristic --board south", "the list has board 'tiny', not 'south'"),
        ("add heuristic --board nowhere", "nowhere"),
    ],
)
def test_wrong_commands(played: Path, words: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = records(played)
    said = error_of(played, words.split(), capsys)
    assert message in said
    assert records(played) == before
    with Store(played) as store:
        assert [entry.name for entry in store.entries()] == list(AGENTS)


@pytest.mark.parametrize("words", ["play", "table", "html site", "retire random"])
def test_a_folder_without_a_list(tmp_path: Path, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "holds no standing list; start one with thurn arena FOLDER add AGENT" in error_of(
        tmp_path / "none", words.split(), capsys
    )
    assert not (tmp_path / "none").exists()


def test_a_wrong_first_agent_starts_no_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    error_of(tmp_path / "list", ["add", "nobody"], capsys)
    assert not (tmp_path / "list").exists()


def test_one_agent_is_too_few(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(tmp_path, "random")
    assert "has one agent to play; add at least two" in error_of(tmp_path, ["play"], capsys)


def test_damaged_databases(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / FILE
    file.write_text("no database at all, " * 100)
    assert "is damaged or no database" in error_of(tmp_path, ["table"], capsys)
    assert "is damaged or no database" in error_of(tmp_path, ["add", "random"], capsys)
    file.unlink()
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE mine (x)")
    connection.close()
    assert "is not the database of a standing list" in error_of(tmp_path, ["table"], capsys)
    assert "is not the database of a standing list" in error_of(tmp_path, ["add", "random"], capsys)


def changed(folder: Path, *statements: str) -> None:
    """Change the database of a list."""
    connection = sqlite3.connect(folder / FILE)
    with connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def test_a_list_of_another_version(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(tmp_path, "random", "greedy")
    changed(tmp_path, "PRAGMA user_version = 2")
    assert "has version 2 of the tables, this version of thurn-env writes 1" in error_of(tmp_path, ["play"], capsys)


def test_missing_tables_and_damaged_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(tmp_path, "random", "sensible-random")
    play(tmp_path, goal=250, jobs=0)
    changed(tmp_path, "UPDATE games SET record = x'00'")
    assert "the record of game" in error_of(tmp_path, ["html", str(tmp_path / "site")], capsys)
    changed(tmp_path, "UPDATE games SET facts = 'x'")
    assert "is damaged" in error_of(tmp_path, ["table"], capsys)
    changed(tmp_path, "DROP TABLE games")
    assert "no such table: games" in error_of(tmp_path, ["table"], capsys)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE games SET ranks = 'x'",
        "UPDATE games SET seats = '' WHERE id = 1",
        "UPDATE games SET facts = '{}'",
        "UPDATE games SET facts = '3'",
        "UPDATE games SET times = '{}'",
        "DELETE FROM agents WHERE name = 'random'",
    ],
)
def test_damaged_games(tmp_path: Path, capsys: pytest.CaptureFixture[str], statement: str) -> None:
    add(tmp_path, "random", "sensible-random", "greedy")
    play(tmp_path, goal=250, jobs=0)
    changed(tmp_path, statement)
    said = [error_of(tmp_path, words, capsys) for words in (["table"], ["html", str(tmp_path / "site")])]
    assert all("is damaged: a game has no readable facts; restore it from a copy" in error for error in said)


def test_other_games_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    add(tmp_path, "random", "greedy")
    monkeypatch.setattr(settings_module, "engine", lambda game: "0123")
    said = error_of(tmp_path, ["play"], capsys)
    assert re.search(r"was played with the game of digest \w+, this version of thurn-env has 0123", said)


def test_a_changed_agent_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tmp_path / "my_changing_agent.py"
    source = "from tests.failing import First\n\n\nclass Mine(First):\n    name = 'mine'\n"
    module.write_text(source)
    monkeypatch.syspath_prepend(str(tmp_path))
    folder = tmp_path / "list"
    add(folder, "greedy", "my_changing_agent:Mine")
    module.write_text(source + "    better = True\n")
    said = error_of(folder, ["play"], capsys)
    assert "the agent 'my_changing_agent:Mine' has changed since it was added" in said
    assert "retire it, and add it again under another name with --name" in said
    said = error_of(folder, ["add", "my_changing_agent:Mine"], capsys)
    assert re.search(r"on the list has digest \w{16}, this one has \w{16}: add it under another name with --name", said)
    assert arena(folder, "add", "my_changing_agent:Mine", "--name", "mine 2") == 0
    assert arena(folder, "retire", "my_changing_agent:Mine") == 0
    monkeypatch.setattr(choice, "FIRST_DECKS", 1)
    monkeypatch.setattr(choice, "GIVE_UP_DECKS", 1)
    assert play(folder, goal=300, jobs=0).games
    with Store(folder) as store:
        assert {name for game in store.games() for name in game.facts["agents"]} == {"greedy", "mine 2"}


def test_the_list_keeps_its_secret(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add_agents(tmp_path, ["random", "sensible-random"], wishes=Wishes(board="tiny"))
    with Store(tmp_path) as store:
        secret = store.settings.secret
        assert len(secret) == 32
        assert secret not in repr(store.settings)
    play(tmp_path, goal=250, jobs=0)
    capsys.readouterr()
    assert arena(tmp_path, "table", "--json") == 0
    assert secret not in capsys.readouterr().out
    assert add_agents(tmp_path, ["greedy"], wishes=Wishes(board="tiny", secret=secret)) == ["greedy"]
    with pytest.raises(ThurnError, match="another secret") as caught:
        add_agents(tmp_path, ["heuristic"], wishes=Wishes(secret="mine"))
    assert secret not in str(caught.value)


@with_ray
def test_over_ray(tmp_path: Path) -> None:
    add(tmp_path, "random", "tests.failing:First")
    command = [sys.executable, "-m", "thurn_env", "arena", str(tmp_path), "play", "--interval", "400", "--ray"]
    done = subprocess.run(
        command, cwd=ROOT, env=environment_of(tmp_path), capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    check_whole(tmp_path)
    found = records(tmp_path)
    assert found
    other = tmp_path / "here"
    assert arena(other, "add", "random", "tests.failing:First", *TINY) == 0
    play(other, goal=400, jobs=0)
    here = records(other)
    both = found.keys() & here.keys()
    assert both
    assert all(found[key] == here[key] for key in both)


def test_the_commands_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "docs" / "arena.md").read_text("utf-8")
    (block,) = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    commands = [shlex.split(line, comments=True) for line in block.splitlines()]
    assert len(commands) == 6
    monkeypatch.chdir(tmp_path)
    for _, name, *words in commands:
        assert thurn(name, [*words, *(["--jobs", "0"] if "play" in words else [])]) == 0
    assert (tmp_path / "runs" / "site" / "index.html").is_file()
