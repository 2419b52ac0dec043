"""Scores of agents on puzzles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any
from zlib import crc32

from eval.puzzles.puzzle import THEMES, Puzzle
from thurn_env.checks import LONGEST_WAIT, checked_number, checked_seed, checked_whole, plain
from thurn_env.engine.generator import derived_seed
from thurn_env.players.agent import agent_seed, make_agent
from thurn_env.tournament.config import Config
from thurn_env.tournament.play import check_agents
from thurn_env.tournament.referee import Forfeit, Guarded, answer_in

DEALS = 5
"""Default number of times that every puzzle is shown, each with other hidden cards."""

MOST_DEALS = 10_000
"""Largest number of deals per puzzle."""

SHOWN_STREAM = 14
"""Number of the deals' seed stream; see `thurn_env.engine.generator`."""


@dataclass(frozen=True)
class Score:
    """Score of an agent.

    Attributes:
        agent: spec of the agent.
        deals: number of times that every puzzle was shown.
        seed: seed of the deals and of the agent.
        right: share of correct answers by puzzle.
        themes: theme of every puzzle.
        failures: reasons of failures by puzzle, for puzzles with a failure; a failure is a wrong answer.
    """

    agent: str
    deals: int
    seed: int
    right: dict[str, float]
    themes: dict[str, str]
    failures: dict[str, str]

    @property
    def total(self) -> float:
        """Share of correct answers over all puzzles."""
        return _mean(list(self.right.values()))

    @property
    def by_theme(self) -> dict[str, float]:
        """Share of correct answers by theme."""
        return by_theme(self.right, self.themes)

    def as_dict(self) -> dict[str, Any]:
        """Return the score as JSON types."""
        return {
            "agent": self.agent,
            "total": self.total,
            "by_theme": self.by_theme,
            "right": self.right,
            "failures": self.failures,
        }


def check(deals: int, seed: int, time_limit: float | None) -> None:
    """Raise `OptionError` if an argument is out of bounds; see `score`."""
    checked_whole("deals", deals, 1, MOST_DEALS)
    checked_seed(seed)
    if time_limit is not None:
        checked_number("time limit", time_limit, 0, LONGEST_WAIT, above=True)


def _mean(shares: Sequence[float]) -> float:
    return sum(shares) / len(shares)


def by_theme(shares: dict[str, float], themes: dict[str, str]) -> dict[str, float]:
    """Return the mean of a figure of puzzles, by theme."""
    return {
        theme: _mean([shares[name] for name in shares if themes[name] == theme])
        for theme in THEMES
        if theme in themes.values()
    }


def guessing(puzzles: Sequence[Puzzle]) -> dict[str, float]:
    """Return the probability that a uniformly random legal move is right, by puzzle."""
    return {puzzle.name: len(puzzle.best) / len(puzzle.values) for puzzle in puzzles}


def score(
    spec: str,
    puzzles: Sequence[Puzzle],
    deals: int = DEALS,
    seed: int = 1,
    time_limit: float | None = None,
    on_puzzle: Callable[[], None] | None = None,
) -> Score:
    """Score an agent: show it every puzzle in several deals that the seat cannot distinguish.

    Args:
        spec: spec of the agent, as for `make_agent`.
        puzzles: the puzzles.
        deals: number of deals per puzzle; the agent is reset with another seed before each.
        seed: seed of the deals and of the agent.
        time_limit: seconds per decision; later answers count as wrong. None for no limit.
        on_puzzle: called after every puzzle.

    Raises:
        AgentError: the agent cannot be made.
        OptionError: `deals` or `seed` is out of range.
    """
    check(deals, seed, time_limit)
    deals, seed = plain(deals), plain(seed)
    config = Config((spec,), time_limit=time_limit)
    check_agents(config)
    make = cache(partial(make_agent, spec, config.rules.bots))
    right: dict[str, float] = {}
    failures: dict[str, str] = {}
    for puzzle in puzzles:
        count = 0
        for number in range(deals):
            # Every puzzle has its own seeds, so that random choices differ between puzzles.
            deal_seed = derived_seed(seed, SHOWN_STREAM, crc32(puzzle.name.encode()), number)
            seat = Guarded(spec, puzzle.seat, make, (), time_limit)
            try:
                answer = answer_in(puzzle.game, seat, deal_seed, agent_seed(deal_seed, puzzle.seat))
                count += answer in puzzle.best
            except Forfeit as failure:
                failures.setdefault(puzzle.name, failure.reason)
                make.cache_clear()
        right[puzzle.name] = count / deals
        if on_puzzle is not None:
            on_puzzle()
    return Score(spec, deals, seed, right, {puzzle.name: puzzle.theme for puzzle in puzzles}, failures)
