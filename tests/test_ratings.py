"""Ratings: by hand, by another program, and how honest the intervals are."""

import math

import choix
import numpy as np
import pytest

from thurn_env.tournament.intervals import resampled
from thurn_env.tournament.ratings import ELO, Comparisons, elo_ratings, orders


def two_players(wins: list[int], games: int) -> Comparisons:
    """Deck by deck: how many of the games the first of two entrants won."""
    results = [
        (deck, (0, 1), (1, 2) if game < won else (2, 1)) for deck, won in enumerate(wins) for game in range(games)
    ]
    return Comparisons.of(2, len(wins), results)


@pytest.mark.parametrize(("won", "games"), [(500, 1000), (750, 1000), (990, 1000), (1000, 1000)])
def test_two_players_by_hand(won: int, games: int) -> None:
    """The difference is 400 log10(p / (1 - p)), with one drawn game added."""
    ratings, _ = elo_ratings(two_players([won], games), resampled(1, 0, 1))
    expected = 400 * math.log10((won + 0.5) / (games - won + 0.5))
    assert ratings[0] - ratings[1] == pytest.approx(expected, abs=1e-6)
    assert sum(ratings) == pytest.approx(0, abs=1e-9)


def test_two_players_agree_with_choix() -> None:
    wins = np.array([[0, 30, 45], [20, 0, 31], [5, 19, 0]])
    results = [(0, (one, two), (1, 2)) for one in range(3) for two in range(3) for _ in range(wins[one, two])]
    fitted = Comparisons.of(3, 1, results).fit(np.ones(1))
    credited = wins + 0.5 * (1 - np.eye(3))
    assert fitted == pytest.approx(choix.ilsr_pairwise_dense(credited), abs=1e-6)


def test_three_players_agree_with_choix() -> None:
    """Plackett-Luce; everything twice, so that the credited half wins are whole ones."""
    generator = np.random.default_rng(5)
    strengths = np.exp([1.0, 0.2, -0.3, -0.9])
    rankings = []
    for _ in range(60):
        seats = list(generator.choice(4, 3, replace=False))
        order = []
        while seats:
            weights = strengths[seats]
            order.append(int(seats.pop(generator.choice(len(seats), p=weights / weights.sum()))))
        rankings.append(order)
    fitted = Comparisons.of(4, 1, [(0, order, (1, 2, 3)) for order in rankings]).fit(np.ones(1))
    pairs = [[one, two] for one in range(4) for two in range(4) if one != two]
    assert fitted == pytest.approx(
        choix.ilsr_rankings(4, [tuple(order) for order in [*rankings, *rankings, *pairs]]), abs=1e-6
    )


def test_ties_count_as_every_order() -> None:
    assert list(orders((7, 8, 9), (2, 1, 2))) == [((8, 7, 9), 0.5), ((8, 9, 7), 0.5)]
    fitted = Comparisons.of(2, 1, [(0, (0, 1), (1, 1))] * 9).fit(np.ones(1))
    assert fitted == pytest.approx([0, 0], abs=1e-9)


def test_the_same_entrant_twice_at_a_table() -> None:
    """Two of three seats are worth two tickets: who wins two games of three so is not stronger."""
    results = [(0, (0, 0, 1), ranks) for ranks in [(1, 2, 3), (2, 1, 3), (1, 3, 2), (3, 1, 2), (2, 3, 1), (3, 2, 1)]]
    assert Comparisons.of(2, 1, results).fit(np.ones(1)) == pytest.approx([0, 0], abs=1e-9)


def test_intervals_resample_decks_not_games() -> None:
    """Decks that decide all their games alike leave a wider interval than as many independent games."""
    generator = np.random.default_rng(1)
    alike = two_players(list(10 * (generator.random(100) < 0.6)), 10)
    mixed = two_players(list(generator.binomial(10, 0.6, 100)), 10)
    widths = []
    for comparisons in (alike, mixed):
        ratings, intervals = elo_ratings(comparisons, resampled(100, 300, 1))
        assert intervals[0] is not None
        low, high = intervals[0]
        assert low < ratings[0] < high
        widths.append(high - low)
    assert 2 < widths[0] / widths[1] < 5
    # The textbook width for 1,000 independent games, of one rating, which is half the difference.
    error = ELO / 2 * math.sqrt(1 / (1000 * 0.6 * 0.4))
    assert widths[1] == pytest.approx(2 * 1.96 * error, rel=0.35)


def test_the_interval_covers_the_truth() -> None:
    """In 60 tournaments between equals the 95 % interval holds 0 nearly always."""
    generator = np.random.default_rng(2)
    covered = 0
    for _ in range(60):
        comparisons = two_players(list(generator.binomial(2, 0.5, 200)), 2)
        bounds = elo_ratings(comparisons, resampled(200, 200, 1))[1][0]
        assert bounds is not None
        low, high = bounds
        covered += low <= 0 <= high
    assert covered >= 52


def test_only_agents_linked_by_results_have_intervals() -> None:
    """One that never won is held down by the credited game alone, however the decks fall."""
    generator = np.random.default_rng(3)
    games = [(deck, (0, 1), (1, 2) if generator.random() < 0.6 else (2, 1)) for deck in range(100)]
    linked = elo_ratings(Comparisons.of(2, 100, games), resampled(100, 200, 1))[1]
    # The third met only one of the others, and with half of the decks: its fitted rating differs from sample to sample.
    lost = [(deck, (1, 2), (1, 2)) for deck in range(50)]
    ratings, intervals = elo_ratings(Comparisons.of(3, 100, [*games, *lost]), resampled(100, 200, 1))
    assert intervals[2] is None
    assert sum(ratings) == pytest.approx(0, abs=1e-9)
    for one in (0, 1):
        bounds, alone = intervals[one], linked[one]
        assert bounds is not None
        assert alone is not None
        assert bounds[0] < ratings[one] < bounds[1]
        # How well two are told apart does not depend on a third of whom nothing is known.
        assert bounds[1] - bounds[0] == pytest.approx(alone[1] - alone[0], rel=0.05)


@pytest.mark.parametrize(
    ("results", "linked"),
    [
        pytest.param([((0, 1, 2), (1, 2, 3)), ((2, 0, 1), (3, 1, 2))], [False, False, False], id="one order"),
        pytest.param([((0, 1, 2), (1, 2, 3)), ((2, 0, 1), (1, 2, 3))], [True, True, True], id="all around"),
        pytest.param([((0, 1, 2), (1, 1, 3)), ((2, 0, 1), (3, 1, 2))], [True, True, False], id="a tie links"),
        pytest.param([((0, 1), (1, 2)), ((1, 2), (1, 2)), ((2, 0), (1, 2))], [True, True, True], id="a circle"),
        pytest.param([((0, 1), (1, 2)), ((1, 0), (1, 2)), ((2, 2), (1, 2))], [True, True, False], id="only itself"),
    ],
)
def test_who_is_linked(results: list[tuple[tuple[int, ...], tuple[int, ...]]], linked: list[bool]) -> None:
    """Two are if each ended before the other, or before one that ended before it, and so on."""
    found = Comparisons.of(3, 1, [(0, seats, ranks) for seats, ranks in results]).linked()
    assert [row.sum() > 1 for row in found] == linked


def test_strangers_may_be_credited_less() -> None:
    """Three entrants in a chain: without drawn games between its ends, the links alone give the distance."""
    games = [(0, (one, one + 1), (1, 2) if game < 18 else (2, 1)) for one in range(2) for game in range(20)]
    usual, lenient, none = (Comparisons.of(3, 1, games, strangers).fit(np.ones(1)) for strangers in (1.0, 0.02, 1e-9))
    link = math.log(18.5 / 2.5)
    assert none[0] - none[2] == pytest.approx(2 * link, abs=1e-6)
    assert usual[0] - usual[2] < lenient[0] - lenient[2] < 2 * link
    assert lenient[0] - lenient[2] == pytest.approx(2 * link, abs=0.05)
    assert Comparisons.of(3, 1, games).fit(np.ones(1)) == pytest.approx(usual)
