"""How strong an agent is against another one."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from thurn_env.games.contract import GameRules
from thurn_env.tournament.playing import play_tournament


class Evaluation(NamedTuple):
    """What an agent reached against another one.

    Attributes:
        agent: its name.
        against: the name of the other one.
        games: the number of games.
        share: share of the games in which the agent ranked before the other one; ties count as half.
        low: lower bound of the 95 % confidence interval of the share.
        high: upper bound.
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
    rules: GameRules,
    decks: int = 100,
    *,
    seed: int = 1,
    folder: str | Path | None = None,
    jobs: int | None = None,
) -> Evaluation:
    """Play an agent against another one on paired decks.

    Every deck is played with the agent in every seat; the other one fills the remaining seats.

    Args:
        agent: the spec of the agent.
        against: the spec of the other one.
        rules: the rules: game, board, options and number of players.
        decks: number of decks.
        seed: seed of the decks and of the agents.
        folder: the folder of the games; None keeps no games.
        jobs: worker processes; None: one for every core.

    Raises:
        AgentError: an agent does not exist or does not play this game.
        OptionError: a value is out of bounds.
    """
    results = play_tournament((against, agent), rules, decks, seed=seed, folder=folder, format="ladder", jobs=jobs)
    other, name = results.names
    share, low, high = results.share(name, other)
    return Evaluation(name, other, results.figures["pairs"][name][other]["games"], share, low, high)
