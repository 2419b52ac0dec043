"""The last part of every recipe: play the trained policy against `greedy` and print one line of JSON."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from json import dumps
from typing import Any

import numpy as np

from thurn_env.envs.vector import LearnerVectorEnv

GAMES, SEED = 1000, 900_001
"""Number of games, and the seed of the first one. Training uses small seeds, so no deck occurs in both."""

Choose = Callable[[Any, Any], Any]
"""Takes observations, float32 (N, O), and action masks, int8 (N, A); returns actions, integers (N,)."""


@dataclass(frozen=True)
class Share:
    """Share of games won against a scripted bot.

    Attributes:
        opponent: name of the bot.
        games: number of games, each on a deck of its own.
        seed: seed of the first game.
        won: share of games won; a tie counts as half a game.
        low: lower bound of the 95 % confidence interval.
        high: upper bound of the interval.
    """

    opponent: str
    games: int
    seed: int
    won: float
    low: float
    high: float


def share_won(choose: Choose, opponent: str = "greedy", games: int = GAMES, **arguments: Any) -> Share:
    """Play `games` games against a bot, in turn from both seats, and return the share won."""
    envs = LearnerVectorEnv(games, board="tiny", opponents=opponent, autoreset_mode="Disabled", **arguments)
    observations, infos = envs.reset(seed=SEED)
    won = np.full(games, np.nan)
    while np.isnan(won).any():
        # Masks of finished games are all zero, and their actions are ignored.
        actions = choose(observations, np.where(np.isnan(won)[:, None], infos["action_mask"], 1))
        observations, _, terminated, truncated, infos = envs.step(np.asarray(actions))
        ended = (terminated | truncated) & np.isnan(won)
        won[ended] = infos["won"][ended] / np.maximum(1, (infos["ranks"][ended] == 1).sum(axis=1))
    mean, error = won.mean(), 1.96 * won.std(ddof=1) / games**0.5
    return Share(opponent, games, SEED, float(mean), float(mean - error), float(mean + error))


class Clock:
    """Measures the training: make one before the first decision, call `report` after the last one."""

    def __init__(self) -> None:
        self._start, self._processor = time.perf_counter(), processor_seconds()

    def report(
        self, choose: Choose, decisions: int, games: int, packages: Sequence[str], opponent: str = "greedy", **more: Any
    ) -> Share:
        """Play the policy against a bot, print the figures as one line of JSON, and return the share won.

        Args:
            choose: the trained policy.
            decisions: number of decisions that it was trained on.
            games: number of finished games among them.
            packages: distributions whose versions to print.
            opponent: name of the bot.
            more: other figures to print.
        """
        seconds, processor = time.perf_counter() - self._start, processor_seconds() - self._processor
        share = share_won(choose, opponent)
        figures = {
            "decisions": int(decisions),
            "games": int(games),
            "decisions_per_second": round(decisions / seconds, 1),
            "cpu_seconds": round(processor, 1),
            "share": asdict(share),
            "versions": {name: version(name) for name in packages},
            **more,
        }
        print(dumps(figures), flush=True)
        return share


def processor_seconds() -> float:
    """Return the processor time of this process and of its finished children."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
