"""An agent that fails loses its game by forfeit, and the tournament goes on."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.failing import Punctual
from tests.tournaments import SHORT, files, index, play, results
from thurn_env import Game, make_rules
from thurn_env.table.record import Record
from thurn_env.table.replay import last_position
from thurn_env.tournament import referee
from thurn_env.tournament.play import ranks_after_forfeit
from thurn_env.tournament.referee import Forfeit, Guarded

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals")


@pytest.fixture(autouse=True)
def signals_as_they_were() -> Iterator[None]:
    """With `--jobs 0` an agent that hears no signals leaves this process deaf."""
    yield
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})


def forfeits(out: Path, agent: str) -> list[str]:
    """The reasons for the forfeits of an agent, after a look at what every forfeit must be like."""
    reasons = []
    records = [record for file in sorted((out / "games").iterdir()) for record in Record.load_all(file)]
    for line, record in zip(index(out), records, strict=True):
        final = last_position(record)
        assert (line["scores"], line["moves"]) == (final.scores, len(final.moves))
        assert line["breakdown"] == final.breakdown()
        if line["forfeit"] is None:
            assert final.over
            continue
        assert line["forfeit"].keys() == {"seat", "agent", "reason"}
        seat = line["forfeit"]["seat"]
        assert (line["forfeit"]["agent"], line["agents"][seat]) == (agent, agent)
        assert line["ranks"][seat] == len(line["ranks"]) == max(line["ranks"])
        assert not final.over
        assert not line["truncated"]
        assert record.result is None
        reasons.append(line["forfeit"]["reason"])
    row = next(row for row in results(out)["agents"] if row["agent"] == agent)
    assert row["forfeits"] == len(reasons) == sum(row["forfeit_reasons"].values())
    assert results(out)["forfeited"] == len(reasons)
    return reasons


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        ("Broken", "raised KeyError: 'no such key' (failing.py, line "),
        ("BrokenReset", "raised OSError: no model (failing.py, line "),
        ("Cheat", "answered illegally: 'discard Ansbach' is not legal: "),
        ("Odd", "answered illegally: an action is a text or an index, not None"),
        ("Quitter", "raised SystemExit: enough (failing.py, line "),
        ("Unwritable", "raised OSError: no file \\udcff (failing.py, line "),
        ("Mute", "raised MuteError: <no text> (failing.py, line "),
        ("Trick", "raised TrickError: a trick (failing.py, line "),
        ("TrickWords", "answered illegally: an action is a text or an index, not a trick"),
        ("BrokenIndex", "raised KeyError: 'no index' (failing.py, line "),
        ("BrokenWords", "raised KeyError: 'no words' (failing.py, line "),
    ],
)
def test_an_agent_that_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str], agent: str, reason: str) -> None:
    spec = f"tests.failing:{agent}"
    assert play(tmp_path, "--jobs", "0", agents=f"{spec} greedy", games=2) == 0
    reasons = forfeits(tmp_path, spec)
    assert len(reasons) == 4
    assert all(given.startswith(reason) for given in reasons)
    output = capsys.readouterr().out.replace("\n", "")
    assert f"agent '{spec}' forfeited 4 games: {reason}"[:60] in output
    assert {row["agent"]: row["win_rate"] for row in results(tmp_path)["agents"]} == {spec: 0, "greedy": 1}


def test_the_part_that_was_played_is_kept_and_the_bytes_do_not_depend_on_the_jobs(tmp_path: Path) -> None:
    agents = "tests.failing:BrokenLater random"
    for jobs in ("0", "1", "2"):
        assert play(tmp_path / jobs, *SHORT, "--jobs", jobs, agents=agents, games=2) == 0
    assert files(tmp_path / "0") == files(tmp_path / "1") == files(tmp_path / "2")
    reasons = forfeits(tmp_path / "0", "tests.failing:BrokenLater")
    assert len(reasons) == 2
    assert reasons[0].startswith("raised ValueError: I am lost at <object object> (failing.py, line ")
    assert [line["moves"] >= 10 for line in index(tmp_path / "0")] == [True] * 4


def test_figures_of_games_come_from_those_that_were_played_out(tmp_path: Path) -> None:
    assert play(tmp_path, "--jobs", "0", agents="tests.failing:BrokenLater heuristic", games=3) == 0
    lines = index(tmp_path)
    whole = [line["scores"][line["agents"].index("heuristic")] for line in lines if line["forfeit"] is None]
    assert 0 < len(whole) < len(lines)
    row = next(row for row in results(tmp_path)["agents"] if row["agent"] == "heuristic")
    assert row["score"] == pytest.approx(sum(whole) / len(whole))
    assert sum(row["breakdown"].values()) == pytest.approx(row["score"])
    assert row["games"] == 6


def test_the_others_keep_their_order() -> None:
    assert ranks_after_forfeit([1, 2], 0) == [2, 1]
    assert ranks_after_forfeit([2, 1, 3], 1) == [1, 3, 2]
    assert ranks_after_forfeit([1, 2, 2, 4], 3) == [1, 2, 2, 4]
    assert ranks_after_forfeit([4, 1, 1, 3], 1) == [3, 4, 1, 2]


@posix
@pytest.mark.parametrize("jobs", ["0", "1"])
@pytest.mark.parametrize("agent", ["Endless", "Late", "LateIndex", "LateWords", "LateBot"])
def test_an_agent_that_takes_too_long(tmp_path: Path, agent: str, jobs: str) -> None:
    spec = f"tests.failing:{agent}"
    assert play(tmp_path, "--jobs", jobs, "--time-limit", "0.2", agents=f"{spec} random", games=1) == 0
    reasons = forfeits(tmp_path, spec)
    assert len(reasons) == 2
    assert all(reason.startswith("took longer than 0.2 s") for reason in reasons)
    if agent == "Endless":
        assert "(failing.py, line " in reasons[0]


@posix
def test_the_alarm_that_rings_just_when_the_answer_comes() -> None:
    """It is a forfeit or none, and never an error of the referee's."""
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    agent = Guarded("punctual", 0, Punctual, (), 0.002)
    agent.reset(0, rules, 1)
    view, reasons = Game.from_rules(rules, 1).view(0), []
    for _ in range(500):
        try:
            agent.act(view)
        except Forfeit as forfeit:
            reasons.append(forfeit.reason)
    assert 0 < len(reasons) < 500
    assert all(reason.startswith("took longer than 0.002 s") for reason in reasons)


@posix
def test_an_agent_that_hangs_in_native_code(tmp_path: Path) -> None:
    """Nothing in its process can interrupt it: the process is replaced."""
    agents = "tests.failing:Deaf random"
    assert play(tmp_path, "--jobs", "2", "--time-limit", "0.2", agents=agents, games=1) == 0
    reasons = forfeits(tmp_path, "tests.failing:Deaf")
    assert reasons == ["took longer than 0.2 s and could not be interrupted"] * 2


@posix
@pytest.mark.parametrize(("agent", "how"), [("Dead", "exit code 0"), ("Killed", "killed by SIGKILL")])
def test_an_agent_that_takes_its_process_along(tmp_path: Path, agent: str, how: str) -> None:
    """Its game is tried again and then lost; the record has the moves before that."""
    spec = f"tests.failing:{agent}"
    assert play(tmp_path, *SHORT, "--jobs", "1", agents=f"{spec} random", games=1) == 0
    assert forfeits(tmp_path, spec) == [f"its process died twice: {how}"] * 2
    if agent == "Dead":
        assert [line["moves"] >= 10 for line in index(tmp_path)] == [True] * 2


@posix
def test_a_process_that_dies_once_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MARKS", str(tmp_path))
    agents = "tests.failing:KilledOnce random"
    assert play(tmp_path / "one", *SHORT, "--jobs", "2", agents=agents, games=2) == 0
    assert (tmp_path / "killed").exists()
    assert forfeits(tmp_path / "one", "tests.failing:KilledOnce") == []
    assert play(tmp_path / "two", *SHORT, "--jobs", "0", agents=agents, games=2) == 0
    assert files(tmp_path / "one") == files(tmp_path / "two")


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(
    ("agents", "reason"),
    [
        ("greedy hueristic", "there is no agent 'hueristic'; did you mean 'heuristic'?"),
        ("greedy no_such.module:Agent", "no_such"),
        ("greedy tests.failing:Nobody", "has no attribute 'Nobody'"),
        (
            "greedy tests.failing:Unmade",
            "'tests.failing:Unmade' cannot be created: FileNotFoundError: weights.pt is missing",
        ),
        # The first table that is searched at is another one.
        ("greedy mcts:5 mcts:5,rollout=nobody", "mcts: Thurn und Taxis has no bot 'nobody'"),
        ("greedy ppo:no_such.npz", "no_such.npz"),
        ("greedy tests.failing:QuitsWhenMade", "failing:QuitsWhenMade' cannot be created: SystemExit: no licence"),
    ],
)
def test_an_agent_that_cannot_be_made_is_one_clear_line_before_anything_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], agents: str, reason: str, jobs: str
) -> None:
    assert play(tmp_path / "out", "--jobs", jobs, agents=agents) == 2
    lines = capsys.readouterr().err.splitlines()
    (error,) = [line for line in lines if not line.startswith("thurn-env: compil")]
    assert reason in error
    assert not (tmp_path / "out").exists()


@posix
def test_an_agent_whose_making_does_not_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(referee, "START_SECONDS", 0.1)
    assert play(tmp_path / "out", "--time-limit", "0.1", agents="greedy tests.failing:EndlessWhenMade") == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "agent 'tests.failing:EndlessWhenMade' cannot be created: took longer than 0.1 s" in error
    assert not (tmp_path / "out").exists()


def test_a_time_limit_must_be_positive(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for limit in ("0", "-1", "nan", "inf"):
        assert play(tmp_path, "--time-limit", limit) == 2
        assert "time_limit must be " in capsys.readouterr().err
