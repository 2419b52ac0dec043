"""The functions under the commands: values in, values out, and nothing printed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.programs import thurn
from tests.tournaments import files
from thurn_env import AgentError, OptionError, ThurnError, make_rules
from thurn_env.games.thurn_und_taxis.board.shipped import load_board
from thurn_env.tournament import evaluate, play_tournament, rate, write_report
from thurn_env.tournament import playing as module
from thurn_env.tournament.play import play_chunk

RULES = make_rules("thurn_und_taxis", 2, "tiny", max_rounds=15)
AGENTS = ("random", "greedy")


def test_a_tournament_is_that_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = play_tournament(AGENTS, RULES, 3, seed=5, folder=tmp_path / "function", jobs=0, bootstrap=10)
    assert capsys.readouterr().out == ""
    words = ["--agents", *AGENTS, "--board", "tiny", "--option", "max_rounds=15", "--games", "3", "--seed", "5"]
    assert thurn("tournament", [*words, "--jobs", "0", "--bootstrap", "10", "--out", str(tmp_path / "command")]) == 0
    assert files(tmp_path / "function") == files(tmp_path / "command")
    written = json.loads((tmp_path / "command" / "results.json").read_text("utf-8"))
    assert dict(results.figures) == written
    assert results.names == AGENTS
    assert list(results.ratings) == [row["agent"] for row in written["agents"]]
    share, low, high = results.share("greedy", "random")
    assert low <= share <= high
    assert share == written["pairs"]["greedy"]["random"]["share"]


def test_a_tournament_continues_with_more_decks(tmp_path: Path) -> None:
    first = play_tournament(AGENTS, RULES, 2, folder=tmp_path, jobs=0, bootstrap=0)
    more = play_tournament(AGENTS, RULES, 4, folder=tmp_path, jobs=0, bootstrap=0)
    assert (first.figures["games"], more.figures["games"]) == (4, 8)
    with pytest.raises(ThurnError, match="seed 1 in the folder, 2 now"):
        play_tournament(AGENTS, RULES, 4, seed=2, folder=tmp_path, jobs=0)


def test_a_tournament_without_a_folder_leaves_nothing_behind() -> None:
    results = play_tournament(AGENTS, RULES, 1, jobs=0, bootstrap=0)
    assert results.figures["games"] == 2
    assert not results.path.exists()


def test_tables_seating_and_time_limit(tmp_path: Path) -> None:
    rules = make_rules("thurn_und_taxis", 3, "tiny", max_rounds=9)
    results = play_tournament(
        ("random", "greedy"),
        rules,
        1,
        tables=["greedy,random,random"],
        seating="permutations",
        time_limit=60,
        folder=tmp_path,
        jobs=0,
        bootstrap=0,
    )
    assert results.figures["tournament"] == {"format": "tables", "players": 3, "seating": "permutations"}


def test_an_interrupted_tournament_keeps_its_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = play_tournament(AGENTS, RULES, 70, folder=tmp_path / "whole", jobs=0, bootstrap=0)
    played = play_chunk
    calls = 0

    def interrupted(*task: object) -> object:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt
        return played(*task)

    monkeypatch.setattr(module, "play_chunk", interrupted)
    with pytest.raises(KeyboardInterrupt):
        play_tournament(AGENTS, RULES, 70, folder=tmp_path / "stopped", jobs=0)
    with pytest.raises(ThurnError, match="64 of 140 games are finished; play the rest first"):
        rate(tmp_path / "stopped")
    monkeypatch.setattr(module, "play_chunk", played)
    again = play_tournament(AGENTS, RULES, 70, folder=tmp_path / "stopped", jobs=0, bootstrap=0)
    assert files(tmp_path / "stopped") == files(tmp_path / "whole")
    assert again.figures == whole.figures


def test_rating_again_with_other_resamples(tmp_path: Path) -> None:
    play_tournament(AGENTS, RULES, 3, folder=tmp_path, jobs=0, bootstrap=0)
    results = rate(tmp_path, bootstrap=25)
    assert results.figures["bootstrap"] == 25
    with pytest.raises(OptionError, match="bootstrap must be from 0"):
        rate(tmp_path, bootstrap=-1)


def test_a_report(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    results = play_tournament(AGENTS, RULES, 2, folder=tmp_path / "played", jobs=0, bootstrap=10)
    page = results.report(tmp_path / "pages" / "one.html")
    assert page == tmp_path / "pages" / "one.html"
    assert "<svg" in page.read_text("utf-8")
    linked = results.report(tmp_path / "linked.html", embed=0)
    assert linked.stat().st_size < page.stat().st_size, "without the records"
    with pytest.raises(OptionError, match="embed must be"):
        results.report(tmp_path / "none.html", embed=-1)
    assert write_report(tmp_path / "played") == tmp_path / "played" / "report.html"


def test_evaluating_an_agent_against_another_one() -> None:
    found = evaluate("greedy", "random", RULES, 5, seed=2, jobs=0)
    assert (found.agent, found.against, found.games) == ("greedy", "random", 10)
    assert 0 <= found.low <= found.share <= found.high <= 1
    assert found.share > 0.5
    turned = evaluate("random", "greedy", RULES, 5, seed=2, jobs=0)
    assert turned.share == pytest.approx(1 - found.share)


def test_bad_values() -> None:
    with pytest.raises(AgentError, match="there is no agent 'nobody'"):
        play_tournament(("nobody", "random"), RULES, 1, jobs=0)
    with pytest.raises(OptionError, match="games must be from 1"):
        play_tournament(AGENTS, RULES, 0, jobs=0)
    with pytest.raises(OptionError, match="jobs must be from 0"):
        play_tournament(AGENTS, RULES, 1, jobs=-1)


def test_training(tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib")
    from thurn_env.players.policy import load
    from thurn_env.training import Config, train

    small = {"board": "tiny", "lanes": 8, "rollout": 16, "minibatch": 64, "width": 8, "threads": 1, "device": "cpu"}
    config = Config(
        Path("unused"),
        steps=256,
        evaluate_every=256,
        evaluation_decks=2,
        evaluate_against=("random",),
        opponents=("random=1",),
        **small,
    )
    trained = train(config, tmp_path / "run")
    assert trained.best == tmp_path / "run" / "best.npz"
    made = load(trained.best).made
    assert made["command"].startswith(f"thurn train --out {tmp_path / 'run'} ")
    assert "--opponents random=1" in made["command"]
    assert "256 decisions" in trained.summary
    from thurn_env.commands.train import parse

    assert parse([*made["command"].split()[2:], "--threads", "1"]).lasting() == config.lasting()
    assert not Path("unused").exists()


def test_a_board_that_cannot_be_loaded_by_name_is_refused(tmp_path: Path) -> None:
    """Worker processes load the board themselves: rules on another board of that name would be other games."""
    changed = replace(load_board("tiny"), hand_limit=4)
    rules = make_rules("thurn_und_taxis", 2, changed)
    assert rules.board_name == "tiny"
    with pytest.raises(
        OptionError, match="the name 'tiny' loads another board than that of these rules; save the board as a file"
    ):
        play_tournament(AGENTS, rules, 1, folder=tmp_path / "played", jobs=0)
    assert not (tmp_path / "played").exists()


def test_the_number_of_resamples_is_checked_before_the_games(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="bootstrap must be from 0"):
        play_tournament(AGENTS, RULES, 1, folder=tmp_path / "played", jobs=0, bootstrap=-1)
    assert not (tmp_path / "played").exists()


def test_a_format_beside_tables_is_refused() -> None:
    with pytest.raises(OptionError, match="tables and format 'ladder' exclude each other"):
        play_tournament(AGENTS, RULES, 1, format="ladder", tables=["random,greedy"], jobs=0)


def test_the_noted_command_does_not_rest_on_a_preset() -> None:
    """In Python a preset is a name beside the values: as an option it would change those that are left out."""
    pytest.importorskip("sb3_contrib")
    from thurn_env.commands.train import parse
    from thurn_env.training import Config

    config = Config(Path("out"), preset="quick", width=64)
    assert parse(config.words()).lasting() == config.lasting()
