"""The intervals: by hand, by another program, and never without width."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from thurn_env.tournament.intervals import interval, resampled, share_intervals
from thurn_env.tournament.ratings import Comparisons, elo_ratings


def of_decks(*won: float) -> list[float]:
    """The interval of a share, from the games won of two with every deck."""
    (found,) = share_intervals(np.array(won)[:, None], np.full((len(won), 1), 2.0), resampled(len(won), 200, 1))
    assert found is not None
    return found


@pytest.mark.parametrize("decks", [1, 2, 8, 1000])
def test_decks_that_were_all_won_or_all_lost(decks: int) -> None:
    """The exact interval of Clopper and Pearson, with decks for trials."""
    for won in (0, decks):
        exact = binomtest(won, decks).proportion_ci(0.95, "exact")
        assert of_decks(*[2.0 if won else 0.0] * decks) == pytest.approx([exact.low, exact.high])


def test_one_deck_or_two_prove_nothing() -> None:
    assert of_decks(2) == pytest.approx([0.025, 1])
    assert of_decks(2, 2)[0] < 0.5


def test_decks_that_agree_on_something_between() -> None:
    """Four decks that all gave a half: 0.025 ** (1/4) of all decks do, the others none or all."""
    certain = 0.025**0.25
    assert of_decks(1, 1, 1, 1) == pytest.approx([certain / 2, certain / 2 + 1 - certain])


def test_decks_that_differ_are_resampled() -> None:
    won = np.array([2.0, 1.0, 2.0, 0.0, 2.0])
    assert of_decks(*won) == interval((resampled(5, 200, 1) @ won / 10)[:, None])[0]


def test_decks_without_games_tell_nothing() -> None:
    """The column of those who met with two decks of three."""
    games = np.array([[2.0], [2.0], [0.0]])
    (found,) = share_intervals(games, games, resampled(3, 50, 1))
    assert found == pytest.approx([0.025**0.5, 1])


def test_without_samples_there_are_no_intervals() -> None:
    assert share_intervals(np.ones((3, 2)), np.ones((3, 1)), resampled(3, 0, 1)) == [None, None]


def test_ratings_have_none_where_all_decks_agree() -> None:
    """All that holds such a rating down is the game that is credited: there is nothing to tell its bounds from."""
    won = Comparisons.of(2, 4, [(deck, (0, 1), (1, 2)) for deck in range(4)])
    assert elo_ratings(won, resampled(4, 50, 1))[1] == [None, None]
    mixed = Comparisons.of(2, 4, [(deck, (0, 1), (1, 2) if deck else (2, 1)) for deck in range(4)])
    bounds = elo_ratings(mixed, resampled(4, 50, 1))[1][0]
    assert bounds is not None
    assert bounds[0] < bounds[1]


def test_samples_without_a_pairs_decks_tell_nothing() -> None:
    """Two agents who met on two decks of fifty: neither bound is below or above what either deck shows."""
    sums, games = np.zeros((50, 2)), np.zeros((50, 2))
    sums[:2], games[:2] = [[2.0, 0.0], [1.0, 1.0]], 2.0
    one, other = share_intervals(sums, games, resampled(50, 2000, 1))
    assert one == pytest.approx([0.5, 1.0])
    assert other == pytest.approx([0.0, 0.5])
    assert share_intervals(sums * 0, games * 0, resampled(50, 20, 1)) == [None, None]


def test_an_agent_whose_decks_all_agree_has_no_rating_interval() -> None:
    """Whatever happens to its opponent's rating: samples do not show how its own games might have ended."""
    games = [(deck, (0, 1), (1, 2) if deck % 3 else (2, 1)) for deck in range(30)]
    games += [(30 + deck, seats, (1, 2)) for deck in range(2) for seats in ((1, 2), (2, 1))]
    first, second, newcomer = elo_ratings(Comparisons.of(3, 32, games), resampled(32, 200, 1))[1]
    assert first is not None
    assert second is not None
    assert newcomer is None
