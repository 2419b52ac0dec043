"""What the heuristic bot holds things to be worth, in points."""

from typing import Final, NamedTuple


class TileShares(NamedTuple):
    """How much of a tile is credited to a house on the way to it; see `Weights`."""

    on_the_way: float
    provinces_on_the_way: float


class Weights(NamedTuple):
    """The parameters of the heuristic bot.

    Those below come from `python -m train.tune`, see docs/agents.md.

    Attributes:
        on_the_way: share of a province tile's value credited to a house that does not complete it yet.
        provinces_on_the_way: the same for the all-provinces tile.
        carriage: what a carriage is worth beyond its points, as the way to the next ones.
        cartwright: the price of the cartwright's help.
        end_ahead: what triggering the end is worth at most, when far ahead.
        end_behind: what it is worth at least, when far behind.
        end_slope: what every point ahead is worth then, between these bounds.
        end_city: points that every city of a planned last route is taken to bring.
        last_turn: points that each of the others is taken to make in its last turn, besides closing its route.
        turn: the price of a turn.
        missing: the price of each card of a plan that is not in the hand, besides the time to draw it.
        unknown_city: what a city that is not known yet adds to the houses of a plan.
        dead_end: the price of needing more cards where none can be had.
        spare_card: what a card outside the plan is worth for the routes to come.
        spare_value: the share of its city's worth that is added to it.
        administrator: what the administrator's help must gain at least.
        unseen_card: the price of a card that is drawn unseen.
        denial: what it is worth to take a card that fits another player's route.
        too_late: the price of each turn of a plan beyond the expected end of the game.
        turns_per_house: how many turns each house takes that another player still has to place.
        turns_per_city: how many each city that another player's route lacks for the last carriage.
        turns_to_last: how many turns a player takes at most that lacks two carriages.
        horses_per_card: with horses: how many a plan expects from a card outside it.
        horse: with horses: what each one on a card in the hand is worth.
    """

    on_the_way: float
    provinces_on_the_way: float
    carriage: float
    cartwright: float
    end_ahead: float
    end_behind: float
    end_slope: float
    end_city: float
    last_turn: float
    turn: float
    missing: float
    unknown_city: float
    dead_end: float
    spare_card: float
    spare_value: float
    administrator: float
    unseen_card: float
    denial: float
    too_late: float
    turns_per_house: float
    turns_per_city: float
    turns_to_last: float
    horses_per_card: float
    horse: float


WEIGHTS: Final = (
    Weights(
        on_the_way=1.04,
        provinces_on_the_way=-0.33,
        carriage=4.11,
        cartwright=0.57,
        end_ahead=19.79,
        end_behind=-0.74,
        end_slope=16.19,
        end_city=1.58,
        last_turn=0.54,
        turn=2.24,
        missing=0.95,
        unknown_city=1.52,
        dead_end=1.09,
        spare_card=0.81,
        spare_value=-0.05,
        administrator=2.42,
        unseen_card=-0.17,
        denial=0.76,
        too_late=0.58,
        turns_per_house=0.14,
        turns_per_city=0.55,
        turns_to_last=1.33,
        horses_per_card=0.0,
        horse=0.0,
    ),
    Weights(
        on_the_way=0.71,
        provinces_on_the_way=0.17,
        carriage=1.47,
        cartwright=0.4,
        end_ahead=11.1,
        end_behind=-1.2,
        end_slope=8.0,
        end_city=0.7,
        last_turn=0.5,
        turn=2.22,
        missing=0.35,
        unknown_city=0.83,
        dead_end=1.5,
        spare_card=0.62,
        spare_value=0.05,
        administrator=2.1,
        unseen_card=0.1,
        denial=0.0,
        too_late=0.58,
        turns_per_house=0.9,
        turns_per_city=0.8,
        turns_to_last=6.0,
        horses_per_card=0.0,
        horse=0.0,
    ),
    Weights(
        on_the_way=0.71,
        provinces_on_the_way=0.17,
        carriage=1.47,
        cartwright=0.4,
        end_ahead=11.1,
        end_behind=-1.2,
        end_slope=8.0,
        end_city=0.7,
        last_turn=0.5,
        turn=2.22,
        missing=0.35,
        unknown_city=0.83,
        dead_end=1.5,
        spare_card=0.62,
        spare_value=0.05,
        administrator=2.1,
        unseen_card=0.1,
        denial=0.0,
        too_late=0.58,
        turns_per_house=0.9,
        turns_per_city=0.8,
        turns_to_last=6.0,
        horses_per_card=0.0,
        horse=0.0,
    ),
)
"""For games without horses, by number of players from two on."""

WEIGHTS_WITH_HORSES: Final = (
    Weights(
        on_the_way=1.44,
        provinces_on_the_way=0.28,
        carriage=1.47,
        cartwright=0.4,
        end_ahead=11.1,
        end_behind=-1.2,
        end_slope=8.0,
        end_city=0.7,
        last_turn=0.5,
        turn=2.22,
        missing=0.1,
        unknown_city=1.12,
        dead_end=0.21,
        spare_card=0.14,
        spare_value=0.18,
        administrator=13.5,
        unseen_card=0.1,
        denial=0.0,
        too_late=1.2,
        turns_per_house=1.1,
        turns_per_city=0.8,
        turns_to_last=6.0,
        horses_per_card=4.9,
        horse=0.14,
    ),
    Weights(
        on_the_way=1.44,
        provinces_on_the_way=0.28,
        carriage=1.47,
        cartwright=0.4,
        end_ahead=11.1,
        end_behind=-1.2,
        end_slope=8.0,
        end_city=0.7,
        last_turn=0.5,
        turn=2.22,
        missing=0.1,
        unknown_city=1.12,
        dead_end=0.21,
        spare_card=0.14,
        spare_value=0.18,
        administrator=13.5,
        unseen_card=0.1,
        denial=0.0,
        too_late=1.2,
        turns_per_house=1.1,
        turns_per_city=0.8,
        turns_to_last=6.0,
        horses_per_card=4.9,
        horse=0.14,
    ),
    Weights(
        on_the_way=1.44,
        provinces_on_the_way=0.28,
        carriage=1.47,
        cartwright=0.4,
        end_ahead=11.1,
        end_behind=-1.2,
        end_slope=8.0,
        end_city=0.7,
        last_turn=0.5,
        turn=2.22,
        missing=0.1,
        unknown_city=1.12,
        dead_end=0.21,
        spare_card=0.14,
        spare_value=0.18,
        administrator=13.5,
        unseen_card=0.1,
        denial=0.0,
        too_late=1.2,
        turns_per_house=1.1,
        turns_per_city=0.8,
        turns_to_last=6.0,
        horses_per_card=4.9,
        horse=0.14,
    ),
)
"""The same for games with horses, which bring no points for carriages and last longer."""

ONLY_WITH_HORSES: Final = ("horses_per_card", "horse")
ONLY_WITH_CARRIAGES: Final = ("carriage", "cartwright", "end_city", "turns_per_city", "turns_to_last")
"""Weights that say nothing in the other kind of game."""
