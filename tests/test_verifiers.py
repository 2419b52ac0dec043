"""The environment for verifiers: its own loaders, tasks and traces, with a scripted player in place of a model."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("verifiers")

from verifiers.v1.utils.loaders import load_environment, resolve_env_config

from thurn_env.talk import briefing

MODULE = """
from thurn_env.envs.verifiers import TextEnv, TextTaskset

__all__ = ["TextEnv", "TextTaskset"]
"""
Script = Callable[[str], str | None]


@pytest.fixture(autouse=True)
def own_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The module that verifiers finds the environment by."""
    (tmp_path / "thurn_games.py").write_text(MODULE, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "thurn_games", raising=False)


class Trace:
    """What a trace records."""

    def __init__(self) -> None:
        self.rewards: dict[str, float] = {}
        self.metrics: dict[str, float] = {}

    def record_reward(self, name: str, value: float, weight: float = 1.0) -> None:
        self.rewards[name] = value

    def record_metric(self, name: str, value: float) -> None:
        self.metrics[name] = value


class Player:
    """Stands in for the role `player`: one interaction for every seat, answered by a script; None ends the run."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.traces: list[Trace] = []
        self.heard: list[list[str]] = []

    @asynccontextmanager
    async def interaction(self, task: Any) -> AsyncIterator[Any]:
        heard: list[str] = []
        trace = Trace()

        async def turn(message: str) -> Any:
            heard.append(message)
            reply = self.script(message)
            return SimpleNamespace(terminated=reply is None, last_reply=reply)

        self.traces.append(trace)
        self.heard.append(heard)
        yield SimpleNamespace(turn=turn, trace=trace)


def environment(**options: Any) -> Any:
    """An environment from a configuration, as the command line of verifiers makes it."""
    return load_environment(resolve_env_config({"taskset": {"id": "thurn-games", "board": "tiny", **options}}))


def first_legal(message: str) -> str:
    """A script: the example in the prompt, which is the first legal action."""
    return f"Action: {message.rpartition('(`')[2].partition('`)')[0]}"


def played(env: Any, script: Script) -> Player:
    player = Player(script)
    (task,) = env.taskset.take(1)
    asyncio.run(env.run(task, SimpleNamespace(player=player)))
    return player


@pytest.mark.parametrize(("game", "board"), [("thurn_und_taxis", "tiny"), ("zug_um_zug_deutschland", "tiny_rails")])
def test_tasks_are_games_with_seeds_in_a_row(game: str, board: str) -> None:
    env = environment(game=game, board=board, games=3, seed=5)
    tasks = list(env.taskset)
    assert [task.data.seed for task in tasks] == [5, 6, 7]
    assert tasks[0].data.system_prompt == briefing(tasks[0].data.rules)
    assert len({task.hash for task in tasks}) == 3


@pytest.mark.parametrize("seats", [("text", "greedy"), ("greedy", "text"), ("text", "text")])
def test_a_game_against_bots_and_between_seats(seats: tuple[str, str]) -> None:
    env = environment(seats=seats, options={"max_rounds": 5})
    player = played(env, first_legal)
    places = [seat for seat, agent in enumerate(seats) if agent == "text"]
    assert len(player.traces) == len(places)
    for seat, trace, heard in zip(places, player.traces, player.heard, strict=True):
        assert all(f"You are player {seat};" in message for message in heard)
        assert set(trace.rewards) == {"return"}
        assert trace.metrics == {"answers": len(heard), "illegal_answers": 0.0, "forfeited": 0.0}
    if len(places) == 2:
        assert sum(trace.rewards["return"] for trace in player.traces) == pytest.approx(0)


def test_wrong_answers_are_explained_and_forfeit_in_the_end() -> None:
    player = played(environment(tries=2), lambda message: "I pass.")
    (trace,), (heard,) = player.traces, player.heard
    assert heard[1].startswith("Not accepted: 'I pass.' names no legal action")
    assert trace.rewards == {"return": -1.0}
    assert trace.metrics == {"answers": 2.0, "illegal_answers": 2.0, "forfeited": 1.0}


def test_a_run_that_is_cut_off_forfeits() -> None:
    player = played(environment(), lambda message: None)
    assert player.traces[0].rewards == {"return": -1.0}
