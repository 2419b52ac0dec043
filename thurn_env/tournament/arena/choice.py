"""The games to play next.

A newcomer finds its place by bisection: it plays a few decks against the agent in the middle of the standing, then
against the one in the middle of the upper or lower half, and so on. After that, the agent with the widest interval gets
the games that shrink its interval most for their time; these may be games between other agents. Everything depends only
on the finished games and on those under way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb, inf

import numpy as np

from thurn_env.games.contract import Float64Array
from thurn_env.tournament.arena.claims import Wanted, games_per_deck
from thurn_env.tournament.arena.levels import (
    OVERHEAD_SECONDS,
    SCRIPTED_SECONDS,
    Levels,
    Meetings,
    half_width,
)
from thurn_env.tournament.arena.store import Lineup
from thurn_env.tournament.schedule import tables

FIRST_DECKS = 8
"""Decks against every opponent of the bisection."""
SCRIPTED_DECKS = 32
"""Decks of scripted bots that are chosen at once, since their games take a millisecond."""
GIVE_UP_DECKS = 200
"""Number of decks without a link to other agents after which more games are of no use."""
MOST_LINEUPS = 400
"""Largest number of lineups that are compared."""
STEP = 0.1
"""Largest part of an agent's decks that is chosen at once, before the strengths are fitted again."""


@dataclass
class Choice:
    """The choice of games for a list.

    Attributes:
        players: number of seats at a table.
        active: agents that play.
        scripted: scripted bots among them.
        goal: half the width of an interval that is narrow enough, in Elo points.
        width_factors: for every agent, how much wider its resampled interval is than the one from the information.
    """

    players: int
    active: Sequence[int]
    scripted: frozenset[int]
    goal: float
    width_factors: dict[int, float] = field(default_factory=dict)

    def lineups(self, agents: Sequence[int]) -> list[Lineup]:
        """Return the lineups of these agents, all different if there are enough."""
        return [tuple(sorted(agents[place] for place in table)) for table in tables(len(agents), self.players)]

    def first_opponents(self, agent: int, meetings: Meetings, levels: Levels | None) -> Lineup | None:
        """Return the next lineup of an agent's bisection; None if it has its place."""
        others = [other for other in self.active if other != agent]
        if meetings.decks_of(agent) >= FIRST_DECKS * len(others).bit_length():
            return None
        if levels is not None:
            # An agent without games stands at the mean.
            strength = {other: levels.strengths[levels.place[other]] for other in others if other in levels.place}
            others.sort(key=lambda other: strength.get(other, 0.0))
        low, high = 0, len(others)
        while low < high:
            middle = (low + high) // 2
            lineup = self._around(agent, others, middle)
            if len(meetings.decks.get(lineup, ())) < FIRST_DECKS:
                return lineup
            low, high = (middle + 1, high) if meetings.share(lineup, agent) > 0.5 else (low, middle)
        return None

    def _around(self, agent: int, others: Sequence[int], middle: int) -> Lineup:
        """Return the lineup of an agent with the others around a place of the standing."""
        seats = self.players - 1
        first = max(0, min(middle - (seats - 1) // 2, len(others) - seats))
        chosen = list(others[first : first + seats])
        return tuple(sorted([agent, *chosen, *[others[middle]] * (seats - len(chosen))]))

    def width(self, agent: int, levels: Levels, covariance: Float64Array) -> float:
        """Return the half width of an agent's interval; infinite if no result links it with another agent."""
        if not levels.is_linked(agent):
            return inf
        return half_width(covariance, levels.contrast(agent)) * self.width_factors.get(agent, 1.0)

    def given_up(self, agent: int, meetings: Meetings, levels: Levels) -> bool:
        """Return whether an agent won or lost everything for so long that more games are of no use."""
        return not levels.is_linked(agent) and meetings.decks_of(agent) >= GIVE_UP_DECKS

    def next(self, meetings: Meetings, under_way: Sequence[Wanted], least: int) -> list[Wanted]:
        """Return the games to play next; empty if those under way may be enough, or have to end first.

        Args:
            meetings: the finished games.
            under_way: the claimed decks.
            least: number of lineups to choose at least, if they are needed.
        """
        levels = meetings.levels() if meetings.decks else None
        claimed = {wanted.lineup: wanted.decks for wanted in under_way}
        waiting = set()
        for agent in self.active:
            lineup = self.first_opponents(agent, meetings, levels)
            if lineup is not None:
                missing = FIRST_DECKS - len(meetings.decks.get(lineup, ())) - claimed.get(lineup, 0)
                if missing > 0:
                    return [Wanted(lineup, 1)] * missing
                waiting.add(agent)
        if levels is None:
            return []
        return self._sharpest(meetings, levels, under_way, least, waiting)

    def _sharpest(
        self, meetings: Meetings, levels: Levels, under_way: Sequence[Wanted], least: int, waiting: set[int]
    ) -> list[Wanted]:
        """Return the games that shrink the widest interval most for their time."""
        known = [agent for agent in self.active if agent in levels.place]
        expected = np.zeros_like(levels.information)
        for lineup, decks in under_way:
            if all(agent in levels.place for agent in lineup):
                expected += levels.lineup_information(lineup) * games_per_deck(lineup) * decks
        covariance = levels.covariance(expected)
        open_agents = [agent for agent in known if agent not in waiting and not self.given_up(agent, meetings, levels)]
        target = max(open_agents, key=lambda agent: self.width(agent, levels, covariance), default=None)
        if target is None:
            return []
        contrast, factor = levels.contrast(target), self.width_factors.get(target, 1.0)
        options = self._options(self._candidates(target, known, levels), meetings, levels)
        most = max(least, int(STEP * meetings.decks_of(target)))
        chosen: list[Wanted] = []
        # Where no result links the target, the prior's information must not pass for that of games.
        apart = not levels.is_linked(target)
        while len(chosen) < most and (half_width(covariance, contrast) * factor > self.goal or (apart and not chosen)):
            best = int(options.gains(covariance, contrast).argmax())
            chosen.append(options.wanted[best])
            covariance = options.after(best, covariance)
        return chosen

    def _candidates(self, target: int, known: Sequence[int], levels: Levels) -> list[Lineup]:
        """Return the lineups to compare: all, or only those of the target with the agents closest to it."""
        if self.players == 2 or comb(len(known), self.players) <= MOST_LINEUPS:
            return self.lineups(known)
        own = levels.strengths[levels.place[target]]
        near = sorted(
            (agent for agent in known if agent != target),
            key=lambda agent: (abs(levels.strengths[levels.place[agent]] - own), agent),
        )[: self.players + 3]
        return [tuple(sorted((target, *others))) for others in combinations(near, self.players - 1)]

    def _options(self, lineups: Sequence[Lineup], meetings: Meetings, levels: Levels) -> _Options:
        wanted, information, seconds = [], [], []
        for lineup in lineups:
            decks, each = 1, OVERHEAD_SECONDS + sum(meetings.seconds(agent) for agent in lineup)
            if self.scripted.issuperset(lineup):
                decks, each = SCRIPTED_DECKS, SCRIPTED_SECONDS * self.players
            games = games_per_deck(lineup) * decks
            wanted.append(Wanted(lineup, decks))
            information.append(levels.lineup_information(lineup) * games)
            seconds.append(each * games)
        # The results of a table only tell about differences, of which there are as many as opponents.
        values, vectors = np.linalg.eigh(np.stack(information))
        values, vectors = values[:, None, 1 - self.players :], vectors[..., 1 - self.players :]
        return _Options(wanted, vectors * np.sqrt(np.maximum(values, 0.0)), np.array(seconds))


@dataclass(frozen=True)
class _Options:
    """Games that may be chosen.

    Attributes:
        wanted: the games of every option.
        roots: matrices whose products with their transposes are their information, float64 (options, agents, rank).
        seconds: their expected times, float64 (options,).
    """

    wanted: list[Wanted]
    roots: Float64Array
    seconds: Float64Array

    def gains(self, covariance: Float64Array, contrast: Float64Array) -> Float64Array:
        """Return by how much each option's games reduce the variance of a contrast for every second, (options,)."""
        spread = covariance @ self.roots
        seen = contrast @ spread
        inner = np.eye(self.roots.shape[-1]) + self.roots.transpose(0, 2, 1) @ spread
        gains: Float64Array = (seen * np.linalg.solve(inner, seen[..., None])[..., 0]).sum(axis=1) / self.seconds
        return gains

    def after(self, option: int, covariance: Float64Array) -> Float64Array:
        """Return the covariance after the games of an option."""
        root = self.roots[option]
        spread = covariance @ root
        inner = np.eye(root.shape[-1]) + root.T @ spread
        reduced: Float64Array = covariance - spread @ np.linalg.solve(inner, spread.T)
        return reduced
