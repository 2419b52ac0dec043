"""Evaluation of an agent against another one."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from thurn_env.games.contract import Rules
from thurn_env.tournament.playing import play_tournament


class Evaluation(NamedTuple):
    """Result of an agent against another one.

    Attributes:
        agent: name of the agent.
        against: name of the other agent.
        games: number of games.
        share: share of the games in which the agent ranks before the other one; a tie counts as half a game.
        low: lower bound of the 95 % confidence interval of the share.
        high: upper bound of the interval.
    """

    agent: str
    against: str
    games: int
    share: float
    low: float
    high: float


def evaluate(
    agent: str,
    against: str,
    rules: Rules,
    decks: int = 100,
    *,
    seed: int = 1,
    folder: str | Path | None = None,
    jobs: int | None = None,
) -> Evaluation:
    """Play an agent against another one on paired decks.

    Every deck is played with the agent in each seat in turn; the other agent fills the remaining seats.

    Args:
        agent: spec of the agent.
        against: spec of the other agent.
        rules: game, board, options and number of players.
        decks: number of decks.
        seed: seed of the decks and of the agents.
        folder: folder for the games; None keeps no games.
        jobs: number of worker processes; None for one per core.

    Returns:
        The share of games in which the agent ranks before the other one, with its 95 % confidence interval.

    Raises:
        AgentError: an agent does not exist or does not play this game.
        OptionError: a value is out of bounds.
    """
    results = play_tournament((against, agent), rules, decks, seed=seed, folder=folder, format="ladder", jobs=jobs)
    other, name = results.names
    share, low, high = results.share(name, other)
    return Evaluation(name, other, results.figures["pairs"][name][other]["games"], share, low, high)
