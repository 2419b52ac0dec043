"""Rungs of a ladder: games of one agent against the one below it, and their figures.

With more than two players, the agent sits alone among copies of the one below. Its ranks determine both figures: how
often it ranks before the others, and the others' mean rank.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice, pairwise

import numpy as np

from thurn_env.tournament.folder import Folder
from thurn_env.tournament.intervals import resampled, share_intervals
from thurn_env.tournament.results import places, thought

FIRST_DECKS = 10
"""Number of first decks whose games have a digest."""
BOOTSTRAP = 1000
"""Number of resamples of the decks for an interval, the default of tournaments."""


@dataclass(frozen=True)
class Rung:
    """Figures of one agent against the one below.

    Attributes:
        agent: upper agent.
        below: lower agent.
        share: share of games in which the upper agent ranks before the lower one; a tie counts as half a game.
        low: lower bound of its 95 % interval.
        high: upper bound of the interval.
        games: number of games.
        rank: mean rank of the upper agent; ties are averaged.
        rank_below: mean rank of the lower agent.
        seconds: mean time per decision of the upper agent, None if unknown.
    """

    agent: str
    below: str
    share: float
    low: float
    high: float
    games: int
    rank: float
    rank_below: float
    seconds: float | None = None

    @property
    def holds(self) -> bool:
        """Whether the 95 % interval of the share lies above one half."""
        return self.low > 0.5


@dataclass(frozen=True)
class RungGames:
    """Games of a rung, from which its figures are computed.

    Attributes:
        agent: upper agent.
        below: lower agent.
        players: number of seats at a table.
        ranks: by deck, the ranks of the upper agent in the games with this deck; ties are averaged.
        seconds: total thinking time of the upper agent.
        decisions: number of its timed decisions; 0 if they were not timed.
        first_games: digest of the records of the first decks' games, 16 hex digits; None if there are fewer decks.
            Records hold all cards and moves and nothing about the machine, so equal games have equal digests.
    """

    agent: str
    below: str
    players: int
    ranks: tuple[tuple[float, ...], ...]
    seconds: float
    decisions: int
    first_games: str | None

    @property
    def decks(self) -> int:
        """Number of decks played."""
        return len(self.ranks)

    def followed_by(self, further: RungGames) -> RungGames:
        """Return these games and those of the following decks."""
        return replace(
            self,
            ranks=self.ranks + further.ranks,
            seconds=self.seconds + further.seconds,
            decisions=self.decisions + further.decisions,
        )

    def rung(self, seed: int) -> Rung:
        """Compute the figures; `seed` is that of the decks."""
        ranks = np.array(self.ranks, np.float64)
        games = np.full((self.decks, 1), ranks.shape[1], np.float64)
        # Of the others, `players - rank` are behind the agent, and ties count as half since ranks are averaged.
        before = ((self.players - ranks) / (self.players - 1)).sum(axis=1, keepdims=True)
        (bounds,) = share_intervals(before, games, resampled(self.decks, BOOTSTRAP, seed))
        assert bounds is not None
        low, high = bounds
        rank = float(ranks.mean())
        all_ranks = self.players * (self.players + 1) / 2
        return Rung(
            self.agent,
            self.below,
            float(before.sum() / ranks.size),
            low,
            high,
            ranks.size,
            rank,
            (all_ranks - rank) / (self.players - 1),
            self.seconds / self.decisions if self.decisions else None,
        )


def rung_games(folder: Folder) -> Iterator[RungGames]:
    """Yield the games of every rung of a finished tournament, from the lowest up."""
    players = folder.config.players
    ranks: list[list[list[float]]] = [[] for _ in folder.tables]
    for table, line in folder.index():
        if line["rotation"] == 0:
            ranks[table].append([])
        agent = folder.config.names[table + 1]
        shared = places(np.array([line["ranks"]], np.float64))[0]
        ranks[table][-1].append(float(shared[line["agents"].index(agent)]))
    for table, (below, agent) in enumerate(pairwise(folder.config.names)):
        seconds, decisions = thought(folder.times([table])).get(agent, (0.0, 0))
        rows = tuple(map(tuple, ranks[table]))
        yield RungGames(agent, below, players, rows, seconds, decisions, first_games(folder, table))


def first_games(folder: Folder, table: int) -> str | None:
    """Return the digest of a rung's first games, see `RungGames`."""
    wanted = FIRST_DECKS * folder.config.schedule.games_per_deck(folder.tables[table])
    with folder.games_file(table).open("rb") as lines:
        games = list(islice(lines, wanted))
    return hashlib.sha256(b"".join(games)).hexdigest()[:16] if len(games) == wanted else None
