"""The heuristic bot's valuation and caches for one decision, in one record.

The same plans recur, with one card after another added to the hand, so their values are cached. A key of 0 marks an
empty entry; a colliding entry replaces the old one.
"""

from typing import Any

import numpy as np

from thurn_env.engine.kernels import JIT_DISABLED, allocating_rule, inlined_rule, int64, new_records
from thurn_env.games.thurn_und_taxis.bots.weights import Weights

Appraisal = Any
"""One record of `APPRAISAL`."""

LONGEST = 12
"""Maximum route length of plans."""
MOST_STEPS = 40
"""Maximum number of positions searched for one plan."""
IMPOSSIBLE = -1000.0
UNKNOWN = 1e9
EMPTY = -1
"""Tag of an empty entry in the cache of targets."""
PLACE_BITS = 9
PLACES = 1 << PLACE_BITS
"""Number of entries of each cache. A decision looks at some 25 different routes and 40 different plans on average, with
four players on the south board; some decisions look at many times as many.
"""
GOLDEN_RATIO, LOW_HALF = np.uint64(2654435769), np.uint64(0xFFFFFFFF)
"""2^32 divided by the golden ratio, for multiplicative hashing, and a mask of the lower half of 64 bits."""
NO_ROUTE = -1
"""In place of a route's cities: plans of a hand that starts a new route."""
MOST_CITIES, MOST_KINDS = 64, 256

APPRAISAL = np.dtype(
    [
        # The bot's parameters, see `Weights`.
        *((name, np.float64) for name in Weights._fields),
        ("values", np.float64, (MOST_CITIES,)),  # by city: value of a house
        # Value of closing at a length without houses, if the cartwright helps.
        ("lengths", np.float64, (LONGEST + 1,)),
        # Best score of the others if the mover triggers the end now; `UNKNOWN` until it is computed.
        ("to_beat", np.float64),
        ("unseen", np.int64, (MOST_KINDS,)),  # by kind: cards in the deck or drawn unseen by others
        ("available", np.int64),  # cities of which cards are still available
        ("horizon", np.float64),  # turns that the game may last after this one; 0 in the mover's last turn
        ("stack", np.int64, (2 * MOST_STEPS, 5)),  # buffer of `best_plan`
        ("horses_in_hand", np.int64, (MOST_CITIES,)),  # by city: with horses, the maximum on a card of the hand
        # Cache of `best_target`, by start, length and open end; with horses the tag holds the available horses.
        ("targets", np.float64, (LONGEST + 1, LONGEST + 1, 2)),
        ("target_tags", np.int16, (LONGEST + 1, LONGEST + 1, 2)),
        # Cache of the value of houses, by the cities of a route.
        ("house_cities", np.int64, (PLACES,)),
        ("house_values", np.float64, (PLACES,)),
        # Cache of plans, by the cities of a route, the hand, and the route's ends with the number of spare cards.
        ("plan_cities", np.int64, (PLACES,)),
        ("plan_hands", np.int64, (PLACES,)),
        ("plan_ends", np.int64, (PLACES,)),
        ("plan_values", np.float64, (PLACES,)),
    ],
    align=True,
)

if JIT_DISABLED:

    def empty_appraisal() -> Any:
        """Return a new appraisal record, as an array of shape (1,)."""
        return new_records(1, APPRAISAL)

else:

    @allocating_rule
    def empty_appraisal() -> Any:
        """Room for one appraisal, as an array of shape (1,). Hand that on: its record does not keep it alive."""
        return np.empty(1, APPRAISAL)


@inlined_rule
def scattered(key: int) -> int:
    """Return a cache index that differs widely for similar keys, such as sets of cities that share most members.

    Multiplicative hashing (Knuth, The Art of Computer Programming, volume 3, section 6.4). Half of the 64 bits are
    multiplied, so that it never overflows, and plain NumPy integers compute the same.
    """
    half = np.uint64((key ^ (key >> 32)) & 0xFFFFFFFF)
    return int64((half * GOLDEN_RATIO & LOW_HALF) >> np.uint64(32 - PLACE_BITS))


@inlined_rule
def begin_appraisal(appraisal: Appraisal, weights: Weights) -> None:
    """Set the weights and clear all caches."""
    appraisal.on_the_way = weights.on_the_way
    appraisal.provinces_on_the_way = weights.provinces_on_the_way
    appraisal.carriage = weights.carriage
    appraisal.cartwright = weights.cartwright
    appraisal.end_ahead = weights.end_ahead
    appraisal.end_behind = weights.end_behind
    appraisal.end_slope = weights.end_slope
    appraisal.end_city = weights.end_city
    appraisal.last_turn = weights.last_turn
    appraisal.turn = weights.turn
    appraisal.missing = weights.missing
    appraisal.unknown_city = weights.unknown_city
    appraisal.dead_end = weights.dead_end
    appraisal.spare_card = weights.spare_card
    appraisal.spare_value = weights.spare_value
    appraisal.administrator = weights.administrator
    appraisal.unseen_card = weights.unseen_card
    appraisal.denial = weights.denial
    appraisal.too_late = weights.too_late
    appraisal.turns_per_house = weights.turns_per_house
    appraisal.turns_per_city = weights.turns_per_city
    appraisal.turns_to_last = weights.turns_to_last
    appraisal.horses_per_card = weights.horses_per_card
    appraisal.horse = weights.horse
    appraisal.to_beat = UNKNOWN
    appraisal.target_tags[:] = EMPTY
    appraisal.house_cities[:] = 0
    appraisal.plan_cities[:] = 0
