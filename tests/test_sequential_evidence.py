"""The evidence of matches that end when they are decided: error rates, saved games and intervals in simulations."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, log, nextafter

import numpy as np
import numpy.typing as npt
import pytest
from scipy.stats import binomtest

from docs.sequential import MATCHES, fixed_decks, independent, simulated
from thurn_env.tournament import SequentialTest
from thurn_env.tournament.evidence import Evidence, interval, log_ratios, rejected
from thurn_env.tournament.sequential import elo, share_before

Scores = npt.NDArray[np.float64]
TEST = SequentialTest()


def coin(generator: np.random.Generator, share: float, number: int) -> Scores:
    """Decks that one agent wins from every seat: pairing removes nothing."""
    return (generator.random(number) < share).astype(np.float64)


def split(generator: np.random.Generator, share: float, number: int) -> Scores:
    """Four of five decks are won from the better seat, by either agent: pairing removes most of the variance."""
    chances = generator.random(number)
    return np.where(chances < 0.1 + share - 0.5, 1.0, np.where(chances < 0.2, 0.0, 0.5))


def three_players(generator: np.random.Generator, share: float, number: int) -> Scores:
    """Three games against two copies."""
    return generator.binomial(6, share, number) / 6


def rare_losses(generator: np.random.Generator, share: float, number: int) -> Scores:
    """One deck of ten is lost, the others are all alike: a variance that few decks show."""
    return np.where(generator.random(number) < 0.9, share / 0.9, 0.0)


DRAWS = (independent, coin, split, three_players, rare_losses)


def significantly_above(rate: float, nominal: float, matches: int = MATCHES) -> bool:
    return bool(binomtest(round(rate * matches), matches, nominal, alternative="greater").pvalue < 0.001)


@pytest.mark.parametrize("draw", DRAWS)
def test_error_rates_and_coverage(draw: Callable[..., Scores]) -> None:
    """10,000 matches at either bound, where the errors are most frequent, and between the bounds."""
    for share in (TEST.above, 0.525, TEST.below):
        found = simulated(TEST, share, draw)
        if share <= TEST.above:
            assert not significantly_above(found.above, TEST.alpha)
        if share >= TEST.below:
            assert not significantly_above(found.below, TEST.beta)
        assert not significantly_above(1 - found.covered, 0.05)


@pytest.mark.parametrize(
    "test", [SequentialTest(0.45, 0.5, 0.01, 0.2), SequentialTest(0.6, 0.9, 0.1, 0.001), SequentialTest(0.02, 0.04)]
)
def test_other_bounds_and_error_rates(test: SequentialTest) -> None:
    low, high = (simulated(test, share, coin) for share in (test.above, test.below))
    assert not significantly_above(low.above, test.alpha)
    assert not significantly_above(high.below, test.beta)
    assert not any(significantly_above(1 - found.covered, 0.05) for found in (low, high))


@pytest.mark.parametrize("share", [0.3, 0.7, 0.9, 0.99])
@pytest.mark.parametrize("draw", [independent, coin, three_players])
def test_clear_matches_are_short(draw: Callable[..., Scores], share: float) -> None:
    """Also intervals of matches of a dozen decks cover, where a normal approximation has no variance to go by."""
    found = simulated(TEST, share, draw)
    assert (found.above if share > 0.5 else found.below) > 0.999
    assert not significantly_above(1 - found.covered, 0.05)
    assert np.quantile(found.decks, 0.95) < 150


def test_the_interval_covers_after_a_limit() -> None:
    for most_decks in (1, 5, 40, 300):
        found = simulated(TEST, 0.52, coin, most_decks=most_decks)
        assert found.decks.max() <= most_decks
        assert not significantly_above(1 - found.covered, 0.05)


@pytest.mark.parametrize(("draw", "variance"), [(independent, 0.125), (coin, 0.25), (split, 0.05)])
def test_games_are_saved(draw: Callable[..., Scores], variance: float) -> None:
    """Against a fixed number of decks with the same error rates, for which the variance must be known in advance."""
    fixed = fixed_decks(TEST, variance)
    for share, part in ((0.45, 0.25), (0.5, 0.65), (0.55, 0.65), (0.6, 0.25)):
        assert simulated(TEST, share, draw).decks.mean() < part * fixed


def test_the_fixed_number_has_its_error_rates() -> None:
    generator = np.random.default_rng(1)
    decks = fixed_decks(TEST, 0.25)
    wrong = generator.binomial(decks, TEST.above, MATCHES) / decks >= (TEST.above + TEST.below) / 2
    assert wrong.mean() == pytest.approx(0.05, abs=0.01)


def normal_approximation(scores: Scores) -> tuple[Scores, Scores]:
    """The usual GSPRT, with the variance of the same decks, for scores (matches, decks): verdicts and numbers of decks.

    A verdict is 1 for above, -1 for below and 0 if the decks do not suffice.
    """
    decks = np.arange(1, scores.shape[1] + 1)
    means = scores.cumsum(axis=1) / decks
    variances = (0.25 + (scores**2).cumsum(axis=1) - decks * means**2) / decks
    ratios = decks * TEST.gap * (means - (TEST.above + TEST.below) / 2) / variances
    decided = np.abs(ratios) >= log((1 - TEST.beta) / TEST.alpha)
    last = np.where(decided.any(axis=1), decided.argmax(axis=1), scores.shape[1] - 1)
    ends = (np.arange(len(scores)), last)
    return np.where(decided[ends], np.sign(ratios[ends]), 0), last + 1.0


def test_a_normal_approximation_errs_more_often() -> None:
    """This is why the test takes the variance from earlier decks."""
    scores = rare_losses(np.random.default_rng(1), TEST.above, MATCHES * 200).reshape(MATCHES, 200)
    verdicts, _ = normal_approximation(scores)
    assert significantly_above(float((verdicts > 0).mean()), TEST.alpha)


@pytest.mark.parametrize("share", [TEST.above, TEST.below])
def test_proven_error_rates_cost_less_than_a_tenth_more_decks(share: float) -> None:
    scores = independent(np.random.default_rng(1), share, 2000 * 3000).reshape(2000, 3000)
    _, decks = normal_approximation(scores)
    assert decks.mean() < simulated(TEST, share).decks.mean() < 1.1 * decks.mean()


def test_an_interval_is_what_the_ratios_do_not_reject() -> None:
    generator = np.random.default_rng(3)
    for draw, share, decks in ((coin, 0.5, 40), (independent, 0.8, 12), (split, 0.55, 200), (coin, 0.99, 9)):
        scores, variances, evidence = draw(generator, share, decks), [], Evidence()
        for score in scores:
            variances.append(evidence.variance)
            evidence = TEST.after(evidence, score)
        low, high = interval(scores, np.array(variances))
        assert 0 <= low <= scores.mean() <= high <= 1
        for bound, values in ((low, scores), (1 - high, 1 - scores)):
            assert not rejected(log_ratios(values, np.array(variances), bound + 1e-6).sum(axis=-1))
            assert bound < 1e-6 or rejected(log_ratios(values, np.array(variances), bound - 1e-6).sum(axis=-1))


@pytest.mark.parametrize("share", [TEST.above, TEST.below])
def test_the_width_of_the_interval(share: float) -> None:
    """The documentation says: about 1.6 times that of a fixed number of decks."""
    generator, ratios = np.random.default_rng(1), []
    for _ in range(100):
        scores, variances, evidence = independent(generator, share, 3000), [], Evidence()
        while TEST.verdict(evidence) == "undecided":
            variances.append(evidence.variance)
            evidence = TEST.after(evidence, scores[evidence.decks])
        played = scores[: evidence.decks]
        low, high = interval(played, np.array(variances))
        ratios.append((high - low) / (2 * 1.96 * played.std() / np.sqrt(len(played))))
    assert 1.5 < np.mean(ratios) < 1.75


def test_equal_scores_decide_for_both_sides() -> None:
    """Scores that never differ have a variance of 0: the estimate approaches it and never reaches it."""
    for score, verdict in ((1.0, "above"), (0.0, "below"), (0.5, "below"), (0.6, "above")):
        evidence = Evidence()
        while TEST.verdict(evidence) == "undecided":
            evidence = TEST.after(evidence, score)
        assert TEST.verdict(evidence) == verdict
        assert evidence.decks < 100


def test_elo() -> None:
    assert (elo(0.5), elo(0.0), elo(1.0)) == (0, -inf, inf)
    assert elo(10 / 11) == pytest.approx(400)
    assert elo(nextafter(1.0, 0.0)) > 6000


def test_shares_of_ranks() -> None:
    assert share_before([1, 2], 0) == 1
    assert share_before([1, 1], 1) == 0.5
    assert share_before([3, 1, 2], 0) == 0
    assert share_before([1, 3, 1, 4], 0) == pytest.approx(2.5 / 3)
