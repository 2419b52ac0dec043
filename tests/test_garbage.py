"""Processes that exist for a command or a tournament spare modules the search for garbage; other programs do not."""

from __future__ import annotations

import gc
import sys

import pytest

from thurn_env.commands.cli import main
from thurn_env.tournament.workers import Crew, give_up


def spared() -> int:
    """The number of objects that Python does not look at when it searches for garbage."""
    return gc.get_freeze_count()


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list that grows whenever everything in this process is to be spared."""
    times: list[str] = []
    monkeypatch.setattr(gc, "freeze", lambda: times.append("everything"))
    return times


def test_the_process_of_a_command(frozen: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["thurn", "--version"])
    assert main() == 0
    assert frozen == ["everything"]


def test_a_program_that_calls_a_command(frozen: list[str]) -> None:
    """It has objects of its own, which may become garbage."""
    assert main(["--version"]) == 0
    assert frozen == []


def test_a_worker_of_a_tournament() -> None:
    with Crew(1) as crew:
        (number,) = crew.in_order(spared, [()], give_up)
    assert number > 10_000
