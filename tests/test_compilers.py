"""Processes that compile side by side: what they report, and what happens if one of them dies."""

from __future__ import annotations

import os
import signal

import pytest

from thurn_env import make_rules
from thurn_env.commands import cli, compilers, warm
from thurn_env.commands.compilers import Warmed
from thurn_env.errors import ThurnError
from thurn_env.games.contract import GameRules
from thurn_env.games.kernel_rules import KernelRules
from thurn_env.games.stages import STAGES
from thurn_env.progress import Progress

TABLES = [make_rules("thurn_und_taxis", players, "tiny") for players in (2, 3, 4)]


def not_compiling(rules: GameRules, stage: str) -> Warmed:
    """Say that the stage is ready."""
    return Warmed(rules, stage, 1.0)


def dying(rules: GameRules, stage: str) -> Warmed:
    """Die of one stage, as if killed for lack of memory."""
    if (rules.players, stage) == (3, "bots"):
        os.kill(os.getpid(), signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
    return Warmed(rules, stage, 1.0)


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is on disk, and nothing is compiled."""
    monkeypatch.setattr(KernelRules, "prepared", lambda rules, stage: False)
    monkeypatch.setattr(compilers, "warm_stage", not_compiling)


@pytest.mark.usefixtures("cold")
def test_every_stage_is_reported_as_it_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stages of a table in their order; the bar names what is being compiled and counts single stages."""
    said: list[str] = []
    steps: list[int] = []
    monkeypatch.setattr(Progress, "name", lambda bar, what: said.append(what))
    monkeypatch.setattr(Progress, "advance", lambda bar: steps.append(bar.total))
    reported: list[tuple[int, str]] = []
    for warmed in warm.warm_tables(TABLES, ["game", "bots"], jobs=2):
        reported.append((warmed.rules.players, warmed.stage))
        assert steps == [6] * len(reported)
    assert sorted(reported) == [(players, stage) for players in (2, 3, 4) for stage in ("bots", "game")]
    for players in (2, 3, 4):
        assert reported.index((players, "game")) < reported.index((players, "bots"))
    assert said[0] == "single games, tiny, 2 players, and 1 more"
    assert any(what.startswith("scripted bots, tiny, ") for what in said)


@pytest.mark.usefixtures("cold")
def test_a_dead_process_is_one_clear_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compilers, "warm_stage", dying)
    words = ["warm", "--board", "tiny", "--stage", "game", "bots", "--jobs", "2"]
    assert cli.main(words) == 2
    said = capsys.readouterr().err.splitlines()
    assert said[-1].startswith(
        "thurn warm: a process died while it compiled scripted bots on the tiny board with 3 players ("
    )
    assert said[-1].endswith("out of memory? Try fewer --jobs; what has been compiled is kept")


def failing(rules: GameRules, stage: str) -> Warmed:
    """Fail."""
    raise ThurnError(f"{stage} cannot be compiled")


@pytest.mark.usefixtures("cold")
def test_an_error_in_a_process_is_that_of_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilers, "warm_stage", failing)
    with pytest.raises(ThurnError, match="game cannot be compiled"):
        list(warm.warm_tables(TABLES, ["game"], jobs=2))


def test_what_is_on_disk_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(KernelRules, "prepared", lambda rules, stage: True)
    monkeypatch.setattr("thurn_env.tournament.workers.Worker", None)
    found = list(warm.warm_tables(TABLES, ["game", "bots"], jobs=2))
    assert [warmed.seconds for warmed in found] == [0.0] * len(TABLES) * 2
    assert STAGES.keys() >= {warmed.stage for warmed in found}
