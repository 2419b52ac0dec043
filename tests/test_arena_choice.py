"""The games that a standing list plays next: opponents of likely strength, then those that say most for their time."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from functools import cache
from itertools import permutations
from random import Random

import numpy as np
import pytest

from thurn_env.tournament.arena.choice import FIRST_DECKS, GIVE_UP_DECKS, Choice
from thurn_env.tournament.arena.claims import Wanted
from thurn_env.tournament.arena.levels import Meetings, half_width, table_information
from thurn_env.tournament.arena.store import Lineup, Outcome
from thurn_env.tournament.ratings import ELO
from thurn_env.tournament.schedule import seatings


class World:
    """Agents of known ratings, whose games are drawn by lot."""

    def __init__(self, ratings: Sequence[float], seconds: Sequence[float], seed: int = 1, players: int = 2) -> None:
        self.strengths = np.array(ratings) / ELO
        self.seconds = seconds
        self.meetings = Meetings()
        self.random = Random(seed)
        self.players = players
        self.games = 0

    def play(self, lineup: Lineup, decks: int) -> None:
        """Play the next decks of a lineup."""
        for _ in range(decks):
            deck = len(self.meetings.decks.get(lineup, ()))
            for seats in seatings(lineup, deck):
                self.games += 1
                times = {"seconds": [self.seconds[agent] for agent in seats]}
                self.meetings.add([Outcome(self.games, lineup, deck, seats, self.ranks(seats), times)])

    def ranks(self, seats: Sequence[int]) -> tuple[int, ...]:
        ranks = [0] * len(seats)
        left = list(range(len(seats)))
        for rank in range(1, len(seats) + 1):
            weights = [np.exp(self.strengths[seats[seat]]) for seat in left]
            winner = self.random.choices(left, weights)[0]
            ranks[winner] = rank
            left.remove(winner)
        return tuple(ranks)

    def settle(self, choice: Choice) -> list[Lineup]:
        """Play until nothing more is chosen; the lineups of all games in their order."""
        played = []
        while wanted := choice.next(self.meetings, [], 4):
            for lineup, decks in wanted:
                played += [lineup] * (decks * len(seatings(lineup, 0)))
                self.play(lineup, decks)
        return played


RATINGS = [-600, -400, -200, 0, 200, 400, 600, 800]


@cache
def eight() -> World:
    """Eight agents with narrow intervals."""
    world = World([*RATINGS, 0], [0.1] * 9)
    world.settle(Choice(2, range(8), frozenset(), 30))
    return world


def settled(newcomer: float = 250, seed: int = 1) -> tuple[World, Choice]:
    """Eight agents with narrow intervals, and a ninth one without games."""
    world = deepcopy(eight())
    world.strengths[8] = newcomer / ELO
    world.random.seed(seed)
    return world, Choice(2, range(9), frozenset(), 30)


def test_a_newcomer_looks_for_its_place_by_bisection() -> None:
    world, choice = settled()
    met = []
    for _ in range(4):
        wanted = choice.next(world.meetings, [], 4)
        (lineup,) = {lineup for lineup, _ in wanted}
        if 8 not in lineup or sum(decks for _, decks in wanted) != FIRST_DECKS:
            break
        met.append(lineup[0])
        world.play(lineup, FIRST_DECKS)
    assert met[0] == 4, "the agent in the middle"
    assert 2 <= len(met) <= 4
    assert len(set(met)) == len(met)
    assert all(abs(RATINGS[agent] - 250) <= 450 for agent in met[1:]), "then those close to its strength"


def test_games_under_way_are_not_chosen_again() -> None:
    world, choice = settled()
    (first, *_) = wanted = choice.next(world.meetings, [], 4)
    assert choice.next(world.meetings, [Wanted(first.lineup, len(wanted))], 4) == []
    assert len(choice.next(world.meetings, [Wanted(first.lineup, 3)], 4)) == FIRST_DECKS - 3


@pytest.mark.parametrize(("newcomer", "least_near"), [(-650, 0.85), (-100, 0.9), (250, 0.7), (900, 0.85)])
def test_a_newcomer_gets_a_narrow_interval_that_holds_its_strength(newcomer: float, least_near: float) -> None:
    """Most opponents are about as strong, and hardly any is much stronger or weaker.

    At 250, an agent 450 points away says nearly as much as one 350 away, and seeds give 0.75 to 0.81. At -100, the
    agent at 400 meets the newcomer to keep its own interval narrow, and seeds give 0.88 to 0.99: the share is that of
    all seeds.
    """
    inside, opponents = 0, list[float]()
    for seed in range(3):
        world, choice = settled(newcomer, seed)
        before = world.games
        played = world.settle(choice)
        # A known opponent of equal strength would take 516 games; at the ends of the list, a rating needs more.
        assert world.games - before < 2500
        levels = world.meetings.levels()
        width = half_width(levels.covariance(), levels.contrast(8))
        assert width <= 30.001
        truth = newcomer - np.mean([*RATINGS, newcomer])
        rating = levels.strengths[levels.place[8]] * ELO
        # The eight others are as they are in all trials, with errors of their own.
        inside += abs(rating - truth) <= 1.5 * width
        opponents += [RATINGS[lineup[0]] for lineup in played if 8 in lineup]
    distances = np.abs(np.array(opponents) - newcomer)
    assert np.mean(distances <= 310) > least_near
    assert np.mean(distances <= 500) > 0.95
    assert inside == 3


def test_fast_opponents_are_preferred() -> None:
    world = World([0, 0, 0], [0.1, 10.0, 0.1])
    world.play((0, 1), 200)
    choice = Choice(2, range(3), frozenset(), 30)
    played = world.settle(choice)
    assert played.count((0, 2)) > 5 * played.count((1, 2))


def test_an_agent_that_loses_everything_is_given_up() -> None:
    world = World([0, 0, -9000], [0.1] * 3)
    world.settle(Choice(2, range(3), frozenset(), 30))
    assert GIVE_UP_DECKS <= world.meetings.decks_of(2) < 1.2 * GIVE_UP_DECKS
    levels = world.meetings.levels()
    assert not levels.is_linked(2)
    assert half_width(levels.covariance(), levels.contrast(0)) < 31


def test_enough_games_under_way_are_enough() -> None:
    world, choice = settled()
    world.settle(choice)
    choice.goal = 28
    assert choice.next(world.meetings, [], 4)
    lineups = [(one, other) for one in range(9) for other in range(one + 1, 9)]
    assert choice.next(world.meetings, [Wanted(lineup, 1000) for lineup in lineups], 4) == []


def test_wider_resampled_intervals_take_more_games() -> None:
    world, choice = settled()
    world.settle(choice)
    assert not choice.next(world.meetings, [], 4)
    choice.width_factors = {8: 1.2}
    assert choice.next(world.meetings, [], 4)


@pytest.mark.parametrize("agents", [2, 5])
def test_tables_of_three(agents: int) -> None:
    world = World([100.0 * agent for agent in range(agents)], [0.1] * agents, players=3)
    choice = Choice(3, range(agents), frozenset(), 60)
    played = world.settle(choice)
    assert all(len(lineup) == 3 for lineup in played)
    if agents == 5:
        assert all(len(set(lineup)) == 3 for lineup in played)
    levels = world.meetings.levels()
    widths = [half_width(levels.covariance(), levels.contrast(agent)) for agent in range(agents)]
    assert max(widths) <= 60.001


def test_information_of_a_table_is_the_variance_of_the_score() -> None:
    """By definition, over all orders in which a table may end."""
    strengths = np.array([0.3, -0.5, 0.1, 1.0])
    expected = np.zeros((4, 4))
    for order in permutations(range(4)):
        probability, score = 1.0, np.zeros(4)
        for place in range(3):
            left = list(order[place:])
            chances = np.exp(strengths[left]) / np.exp(strengths[left]).sum()
            probability *= chances[0]
            score[order[place]] += 1
            score[left] -= chances
        expected += probability * np.outer(score, score)
    assert table_information(strengths) == pytest.approx(expected)
    assert table_information([0.0, 0.0]) == pytest.approx(np.array([[0.25, -0.25], [-0.25, 0.25]]))


def test_a_wide_goal_does_not_end_what_no_result_links() -> None:
    """The width that the prior alone gives an interval is no reason to stop."""
    world = World([0, -9000], [0.1] * 2)
    world.settle(Choice(2, range(2), frozenset(), 2000))
    assert not world.meetings.levels().is_linked(1)
    assert world.meetings.decks_of(1) >= GIVE_UP_DECKS
