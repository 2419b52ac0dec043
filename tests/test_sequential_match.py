"""Matches that end when they are decided: the same match however it is played and however often it is stopped."""

from __future__ import annotations

import json
import shutil
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.programs import thurn
from tests.tournaments import files
from thurn_env import AgentError, OptionError, ThurnError, make_rules
from thurn_env.tournament import SequentialTest, evaluate, play_tournament, sequential, sequential_match
from thurn_env.tournament import playing as module
from thurn_env.tournament.evidence import Evidence
from thurn_env.tournament.folder import Folder
from thurn_env.tournament.play import play_chunk
from thurn_env.tournament.sequential import share_before

TEST = SequentialTest()
RULES = make_rules("thurn_und_taxis", 2, "tiny", max_rounds=15)
WORDS = ["--board", "tiny", "--option", "max_rounds=15"]
CLOSE = SequentialTest(0.5, 0.6)


def play(out: Path | None, *words: str, agents: str = "heuristic greedy") -> int:
    folder = [] if out is None else ["--out", str(out)]
    return thurn("match", [*agents.split(), *WORDS, *folder, *words])


def result(out: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((out / "match.json").read_text("utf-8"))["result"]
    return found


@pytest.fixture(scope="module")
def decided(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match that is decided."""
    out = tmp_path_factory.mktemp("match") / "played"
    assert play(out, "--jobs", "0") == 0
    return out


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_any_number_of_jobs_plays_the_same_match(decided: Path, tmp_path: Path, jobs: int) -> None:
    assert play(tmp_path, "--jobs", str(jobs)) == 0
    assert files(tmp_path) == files(decided)
    assert (tmp_path / "match.json").read_bytes() == (decided / "match.json").read_bytes()


def test_agents_in_python_play_the_same_match_with_any_number_of_jobs(tmp_path: Path) -> None:
    """Their games are given to the processes one by one, and decks end within a chunk."""
    found = [
        sequential_match(
            "tests.failing:First", "greedy", RULES, CLOSE, folder=tmp_path / str(jobs), secret="", jobs=jobs
        )
        for jobs in (0, 1, 2)
    ]
    assert found[0] == found[1] == found[2]
    assert found[0].verdict == "below"
    assert files(tmp_path / "0") == files(tmp_path / "1") == files(tmp_path / "2")


def test_the_games_are_those_of_an_evaluation(decided: Path, tmp_path: Path) -> None:
    """As many decks as decided the match, and not one more."""
    found = result(decided)
    assert 5 <= found["decks"] < 64
    assert found["games"] == 2 * found["decks"]
    compared = evaluate("heuristic", "greedy", RULES, found["decks"], folder=tmp_path, jobs=0)
    assert compared.share == pytest.approx(found["share"])
    assert files(tmp_path) == files(decided)


def test_a_match_ends_with_the_first_deck_that_decides_it(decided: Path) -> None:
    lines = [line for _, line in Folder.existing(decided).index()]
    shares = [share_before(line["ranks"], line["agents"].index("heuristic")) for line in lines]
    evidence = Evidence()
    for score in np.reshape(shares, (-1, 2)).mean(axis=1):
        assert TEST.verdict(evidence) == "undecided"
        evidence = TEST.after(evidence, float(score))
    assert TEST.verdict(evidence) == result(decided)["verdict"] == "above"
    assert result(decided)["log_likelihood_ratios"]["above"] == pytest.approx(evidence.above)


def test_a_match_is_resumed_at_any_game(decided: Path, tmp_path: Path) -> None:
    """Also within a deck, or within a line: nothing is lost or counted twice."""
    whole, games = files(decided), result(decided)["games"]
    for kept in range(games + 1):
        out = tmp_path / str(kept)
        shutil.copytree(decided, out)
        unfinished = json.loads((out / "match.json").read_text("utf-8")) | {"result": None}
        (out / "match.json").write_text(json.dumps(unfinished), "utf-8")
        for name, content in whole.items():
            lines = content.splitlines(keepends=True)
            (out / name).write_bytes(b"".join(lines[:kept]) + b"".join(lines[kept : kept + 1])[:50])
        assert play(out, "--jobs", "0") == 0
        assert files(out) == whole
        assert (out / "match.json").read_bytes() == (decided / "match.json").read_bytes()


def test_a_decided_match_plays_no_game(decided: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def begun(*_: object) -> object:
        raise AssertionError

    monkeypatch.setattr(module, "play_chunk", begun)
    before = files(decided)
    assert play(decided, "--jobs", "0") == 0
    assert files(decided) == before


def test_ctrl_c_keeps_the_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--jobs", "0", "--below", "0.501", "--most-decks", "100"]
    played, calls = play_chunk, 0

    def interrupted(*task: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 4:  # the first call is that of the compilation
            raise KeyboardInterrupt
        return played(*task)

    monkeypatch.setattr(module, "play_chunk", interrupted)
    assert play(tmp_path / "stopped", *words) == 130
    said = capsys.readouterr().err
    assert f"stopped: 128 games are kept in {tmp_path / 'stopped'}; run the same command again to continue" in said
    calls = 0
    assert play(None, *words) == 130
    assert "thurn match: stopped" in capsys.readouterr().err
    monkeypatch.setattr(module, "play_chunk", played)
    assert play(tmp_path / "stopped", *words) == play(tmp_path / "whole", *words) == 3
    assert files(tmp_path / "stopped") == files(tmp_path / "whole")
    assert result(tmp_path / "stopped") == result(tmp_path / "whole")


def test_more_decks_continue_an_undecided_match(
    decided: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert play(tmp_path, "--jobs", "0", "--most-decks", "3") == 3
    said = capsys.readouterr().out
    assert said.startswith("Undecided after 3 decks: the games do not show that heuristic ranks before greedy in more")
    assert result(tmp_path)["verdict"] == "undecided"
    assert play(tmp_path, "--jobs", "0") == 0
    assert files(tmp_path) == files(decided)
    assert result(tmp_path) == result(decided)


def test_an_agent_against_itself(capsys: pytest.CaptureFixture[str]) -> None:
    """Equal agents split every deck."""
    assert play(None, "--jobs", "0", "--json", agents="greedy greedy") == 1
    found = json.loads(capsys.readouterr().out)["result"]
    assert (found["agent"], found["against"], found["share"], found["verdict"]) == ("greedy#2", "greedy", 0.5, "below")
    assert found["interval"][0] < 0.5 < found["interval"][1]


def test_the_weaker_agent_and_three_players(capsys: pytest.CaptureFixture[str]) -> None:
    """The agent sits in each seat in turn among copies of the other one."""
    rules = make_rules("thurn_und_taxis", 3, "tiny", max_rounds=15)
    found = sequential_match("random", "greedy", rules, jobs=0)
    assert (found.verdict, found.games) == ("below", 3 * found.decks)
    assert 0 <= found.low <= found.share <= found.high < 0.55
    compared = evaluate("random", "greedy", rules, found.decks, jobs=0)
    assert (compared.games, compared.share) == (found.games, pytest.approx(found.share))
    assert play(None, "--jobs", "0", "--players", "3", "--above", "0.3", "--below", "0.5", agents="random greedy") == 1
    assert "random is weaker than greedy: it ranks before greedy in less than 50 % of the games" in (
        capsys.readouterr().out
    )


def test_the_result_in_words_and_as_json(decided: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert play(decided, "--jobs", "0") == 0
    said = " ".join(capsys.readouterr().out.split())
    found = result(decided)
    assert said.startswith(
        "heuristic is stronger than greedy: it ranks before greedy in more than 50 % of the games "
        "(error rate at most 5 %). "
        f"In {found['decks']} decks ({found['games']} games) heuristic ranked before greedy in "
        f"{100 * found['share']:.1f} % of the games."
    )
    low, high = found["interval"]
    assert f"{100 * low:.1f} to {100 * high:.1f} %: Elo {found['elo']:+.0f} ({found['elo_interval'][0]:+.0f} to" in said
    assert play(decided, "--jobs", "0", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document == json.loads((decided / "match.json").read_text("utf-8"))
    assert document["format"] == "thurn-match/1"
    assert document["test"] == {"above": 0.5, "below": 0.55, "alpha": 0.05, "beta": 0.05}
    assert found["needed"] == {"above": pytest.approx(log(20)), "below": pytest.approx(log(20))}
    assert found["forfeits"] == {}


def test_the_progress_shows_the_ratios(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert play(tmp_path, "--jobs", "0", "--alpha", "0.01") == 0
    last, found = capsys.readouterr().err.splitlines()[-1], result(tmp_path)
    ratios = found["log_likelihood_ratios"]
    assert last.startswith(f"match: {found['decks']} of {found['decks']} decks, ")
    assert last.endswith(f"above 50 %: {ratios['above']:.1f} of 4.6, below 55 %: {ratios['below']:.1f} of 3.0")


def test_a_match_that_goes_on_has_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ended undecided, and now it may take more decks: as long as it is not over, the file has no result."""
    assert play(tmp_path, "--jobs", "0", "--most-decks", "3") == 3
    assert result(tmp_path)["decks"] == 3

    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(sequential, "prepared", stopped)
    assert play(tmp_path, "--jobs", "0", "--most-decks", "4000") == 130
    assert result(tmp_path) is None


def test_a_forfeited_game_is_lost(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agent = "tests.failing:Broken"
    assert play(tmp_path, "--jobs", "0", "--secret", "none", agents=f"greedy {agent}") == 0
    said, found = capsys.readouterr().out, result(tmp_path)
    assert found["share"] == 1
    assert found["elo"] is None
    assert sum(found["forfeits"][agent].values()) == found["games"]
    assert f"agent '{agent}' forfeited {found['games']} games: raised KeyError: 'no such key'" in said
    assert "a forfeited game counts as lost" in said


def test_an_agent_of_ones_own_gets_a_secret(tmp_path: Path) -> None:
    agent = "tests.failing:First"
    assert play(tmp_path, "--jobs", "0", "--most-decks", "1", agents=f"{agent} greedy") == 3
    secret = json.loads((tmp_path / "tournament.json").read_text("utf-8"))["config"]["secret"]
    assert len(secret) == 32
    assert secret not in (tmp_path / "match.json").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--above", "0.6"], "above must be less than below, not 0.6 and 0.55"),
        (["--below", "0.5"], "above must be less than below, not 0.5 and 0.5"),
        (["--below", "1"], "below must be from 0.01 to 0.99, not 1"),
        (["--above", "-0.1"], "above must be from 0.01 to 0.99, not -0.1"),
        (["--alpha", "0.6"], "alpha must be from 1e-06 to 0.5, not 0.6"),
        (["--beta", "0"], "beta must be from 1e-06 to 0.5, not 0"),
        (["--most-decks", "0"], "most_decks must be from 1 to 1,000,000, not 0"),
        (["--players", "1"], "players"),
        (["--board", "nowhere"], "nowhere"),
    ],
)
def test_wrong_input(tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], reason: str) -> None:
    assert play(tmp_path / "out", *words) == 2
    said = capsys.readouterr().err
    assert reason in said
    assert said.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_wrong_agents(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert play(tmp_path / "out", agents="nobody greedy") == 2
    assert "there is no agent 'nobody'" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    with pytest.raises(AgentError, match="there is no agent 'nobody'"):
        sequential_match("greedy", "nobody", RULES, jobs=0)
    with pytest.raises(OptionError, match="jobs must be from 0"):
        sequential_match("greedy", "random", RULES, jobs=-1)


def test_a_folder_holds_one_match(decided: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Another test must not be chosen for games that are known, and tournaments are something else."""
    before = {file: file.read_bytes() for file in decided.rglob("*") if file.is_file() and file.name != ".lock"}
    for words, reason in (
        (
            ["--above", "0.4"],
            "holds a match with another test: above 0.5 in the folder, 0.4 now. Choose another folder",
        ),
        (["--seed", "2"], "holds another tournament: seed 1 in the folder, 2 now"),
        (["--most-decks", "3"], "games 5000 in the folder, 3 now"),
    ):
        assert play(decided, "--jobs", "0", *words) == 2
        assert reason in capsys.readouterr().err
    with pytest.raises(ThurnError, match="holds a match, not a tournament; choose another folder"):
        play_tournament(("greedy", "heuristic"), RULES, 9000, format="ladder", folder=decided, jobs=0)
    assert thurn("report", [str(decided)]) == 2
    assert f"{decided} holds a match, not a tournament; its result is in match.json" in capsys.readouterr().err
    assert {file: file.read_bytes() for file in before} == before
    play_tournament(("greedy", "heuristic"), RULES, 2, format="ladder", folder=tmp_path, jobs=0, bootstrap=0)
    assert play(tmp_path, "--jobs", "0") == 2
    assert f"{tmp_path} holds a tournament, not a match; choose another folder" in capsys.readouterr().err
    assert (tmp_path / "results.json").exists()


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"format": "thurn-match/2", "test": {}}', '{"format": 1'])
def test_a_damaged_description(decided: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str) -> None:
    shutil.copytree(decided, tmp_path / "out")
    (tmp_path / "out" / "match.json").write_text(content, "utf-8")
    assert play(tmp_path / "out", "--jobs", "0") == 2
    assert "match.json is damaged or of another version; delete the folder and play the match again" in (
        capsys.readouterr().err
    )
