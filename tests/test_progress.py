"""The progress of long work: steps, the rate of late and the time left, on a terminal and elsewhere."""

from __future__ import annotations

import re

import pytest
from rich.console import Console

from thurn_env import progress
from thurn_env.progress import Progress


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(progress, "time", made)
    return made


def go(work: Progress, clock: Clock, steps: int, seconds: float) -> None:
    """So many steps, each of which takes so long."""
    for _ in range(steps):
        clock.now += seconds
        work.advance()


def test_lines_say_steps_rate_and_time_left(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    """A line every ten seconds, and one at the end, all on standard error."""
    with Progress("tournament", 200) as work:
        go(work, clock, 200, 0.125)
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines() == [
        "tournament: 80 of 200 games, 8 games/s, 0:00:15 left",
        "tournament: 160 of 200 games, 8 games/s, 0:00:05 left",
        "tournament: 200 of 200 games, 8 games/s",
    ]


def test_the_time_left_follows_the_rate_of_late(clock: Clock) -> None:
    """Ten thousand quick games do not hide that the last ones take two seconds each."""
    with Progress("tournament", 11_000) as work:
        go(work, clock, 10_000, 0.01)
        go(work, clock, 100, 2.0)
        assert work.rate_text == "0.5 games/s, 0:30:00 left"


def test_slow_steps_have_a_rate_too(clock: Clock) -> None:
    """Steps that take longer than the time that the rate is taken from: every five minutes one."""
    with Progress("tune", 100, "generations") as work:
        go(work, clock, 20, 300.0)
        assert work.rate_text == "0.0033 generations/s, 6:40:00 left"


def test_a_standstill_shows(clock: Clock) -> None:
    """The longer nothing is done, the lower the rate."""
    with Progress("tournament", 200) as work:
        go(work, clock, 100, 1.0)
        assert work.rate_text == "1 games/s, 0:01:40 left"
        clock.now += 100.0
        assert work.rate_text == "0.5 games/s, 0:03:20 left"


def test_a_task_that_may_end_early(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    """The remaining time is an upper bound, the note stands last, and the end is where the task ends."""
    with Progress("match", 200, "decks", at_most=True) as work:
        work.note = "nobody leads"
        go(work, clock, 10, 1.0)
        work.note = "greedy won"
        work.finish_at(12)
    assert capsys.readouterr().err.splitlines() == [
        "match: 10 of 200 decks, 1 decks/s, at most 0:03:10 left, nobody leads",
        "match: 12 of 12 decks, 1.2 decks/s, greedy won",
    ]


def test_what_was_done_before_is_no_rate(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with Progress("tournament", 1000, done=900) as work:
        assert work.rate_text == ""
        go(work, clock, 100, 0.5)
    assert capsys.readouterr().err.splitlines()[-1] == "tournament: 1,000 of 1,000 games, 2 games/s"


def test_the_end_says_the_rate_of_the_whole(clock: Clock) -> None:
    with Progress("tournament", 200) as work:
        go(work, clock, 100, 9.0)
        go(work, clock, 100, 1.0)
    assert work.rate_text == "0.2 games/s"


def test_work_that_ends_early_says_no_last_line(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted() -> None:
        with Progress("tournament", 200) as work:
            go(work, clock, 3, 1.0)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert capsys.readouterr().err == ""


def test_a_bar_on_a_terminal(clock: Clock, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """It has the same figures, and no lines are between its drawings."""

    def terminal(**arguments: object) -> Console:
        return Console(stderr=True, highlight=False, force_terminal=True, width=120)

    monkeypatch.setattr(progress, "Console", terminal)
    with Progress("tournament", 200) as work:
        go(work, clock, 100, 1.0)
        work._bar.refresh()
    drawn = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", capsys.readouterr().err)
    assert "100/200 1 games/s, 0:01:40 left" in drawn
    assert "100 of 200" not in drawn
