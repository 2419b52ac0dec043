"""How many puzzles an agent gets right."""

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
"""How often every puzzle is shown, each time with the hidden cards dealt anew."""

MOST_DEALS = 10_000
"""How often a puzzle may be shown."""

SHOWN_STREAM = 14
"""The purpose of the seeds of these deals; see `thurn_env.engine.generator`."""


@dataclass(frozen=True)
class Score:
    """What an agent got right.

    Attributes:
        agent: the agent's spec.
        deals: how often every puzzle was shown.
        seed: of the deals and of the agent.
        right: the share of right answers by puzzle.
        themes: the theme of every puzzle.
        failures: why the agent failed, by puzzle, where it did; a failure is a wrong answer.
    """

    agent: str
    deals: int
    seed: int
    right: dict[str, float]
    themes: dict[str, str]
    failures: dict[str, str]

    @property
    def total(self) -> float:
        """The share of right answers, over all puzzles."""
        return _mean(list(self.right.values()))

    @property
    def by_theme(self) -> dict[str, float]:
        """The share of right answers by theme."""
        return by_theme(self.right, self.themes)

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "agent": self.agent,
            "total": self.total,
            "by_theme": self.by_theme,
            "right": self.right,
            "failures": self.failures,
        }


def check(deals: int, seed: int, time_limit: float | None) -> None:
    """`OptionError` if one of these cannot be asked for; see `score`."""
    checked_whole("deals", deals, 1, MOST_DEALS)
    checked_seed(seed)
    if time_limit is not None:
        checked_number("time limit", time_limit, 0, LONGEST_WAIT, above=True)


def _mean(shares: Sequence[float]) -> float:
    return sum(shares) / len(shares)


def by_theme(shares: dict[str, float], themes: dict[str, str]) -> dict[str, float]:
    """The mean of a figure of puzzles, by theme."""
    return {
        theme: _mean([shares[name] for name in shares if themes[name] == theme])
        for theme in THEMES
        if theme in themes.values()
    }


def guessing(puzzles: Sequence[Puzzle]) -> dict[str, float]:
    """By puzzle, how often a move that is picked blindly among the legal ones is right."""
    return {puzzle.name: len(puzzle.best) / len(puzzle.values) for puzzle in puzzles}


def score(
    spec: str,
    puzzles: Sequence[Puzzle],
    deals: int = DEALS,
    seed: int = 1,
    time_limit: float | None = None,
    on_puzzle: Callable[[], None] | None = None,
) -> Score:
    """Ask an agent for its move in every puzzle, in several deals that the seat cannot tell apart.

    Args:
        spec: the agent, as `make_agent` takes it.
        puzzles: the puzzles.
        deals: how often each is shown; before every showing the agent is reset with another seed.
        seed: of the deals and of the agent.
        time_limit: seconds for a decision; later answers are wrong. None for no limit.
        on_puzzle: called after every puzzle.

    Raises:
        AgentError: there is no such agent, or it cannot be made.
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
            # Of every puzzle its own, so that what is chosen by chance is not the same everywhere.
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
