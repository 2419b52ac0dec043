"""The rungs of a ladder: the games of one agent against the one below it, and what they say.

Where more than two play, the agent sits alone among copies of the one below. Its ranks say all: how often it ranks
before the others, and what their mean rank is.
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
"""The decks whose games have a digest."""
BOOTSTRAP = 1000
"""Resamples of the decks behind an interval, as many as a tournament usually takes."""


@dataclass(frozen=True)
class Rung:
    """One agent against the one below.

    Attributes:
        agent: the upper one.
        below: the lower one.
        share: how often the upper one ranks before the lower one; the same rank counts half.
        low: the lower end of its 95 % interval.
        high: the upper end.
        games: the games they played.
        rank: the mean rank of the upper one in these games; those who tie share their ranks.
        rank_below: that of the lower one.
        seconds: what a decision of the upper one took on average in these games, if it is known.
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
        """Whether the order is beyond doubt."""
        return self.low > 0.5


@dataclass(frozen=True)
class RungGames:
    """What a rung's figures come from.

    Attributes:
        agent: the upper agent.
        below: the lower one.
        players: seats at a table.
        ranks: by deck the ranks of the upper agent in the games played with it; those who tie share their ranks.
        seconds: how long the upper agent thought in all these games.
        decisions: about how many decisions; 0 if they were not timed.
        first_games: a digest of the records of the first decks' games, 16 hex digits; None if there are fewer decks.
            Records hold all cards and moves and nothing of the machine, so equal games have equal digests.
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
        """How many decks were played."""
        return len(self.ranks)

    def followed_by(self, further: RungGames) -> RungGames:
        """These games and those of the decks that come after them."""
        return replace(
            self,
            ranks=self.ranks + further.ranks,
            seconds=self.seconds + further.seconds,
            decisions=self.decisions + further.decisions,
        )

    def rung(self, seed: int) -> Rung:
        """What the games say; `seed` is that of the decks."""
        ranks = np.array(self.ranks, np.float64)
        games = np.full((self.decks, 1), ranks.shape[1], np.float64)
        # Of the others, so many are behind the agent, and half of those that are level with it count too.
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
    """The games of every rung of a finished tournament, from below."""
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
    """The digest of a rung's first games, see `RungGames`."""
    wanted = FIRST_DECKS * folder.config.schedule.games_per_deck(folder.tables[table])
    with folder.games_file(table).open("rb") as lines:
        games = list(islice(lines, wanted))
    return hashlib.sha256(b"".join(games)).hexdigest()[:16] if len(games) == wanted else None
