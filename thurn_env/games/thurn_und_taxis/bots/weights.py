"""Parameters of the heuristic bot, in points."""

from typing import Final, NamedTuple


class TileShares(NamedTuple):
    """Shares of a tile's value credited to a house that does not complete it; see `Weights`."""

    on_the_way: float
    provinces_on_the_way: float


class Weights(NamedTuple):
    """Parameters of the heuristic bot.

    `WEIGHTS` come from `thurn tune`, those with horses from a random search; see docs/agents.md.

    Attributes:
        on_the_way: share of a province tile's value credited to a house that does not complete it yet.
        provinces_on_the_way: the same for the all-provinces tile.
        carriage: value of a carriage beyond its points, as a step to the next ones.
        cartwright: price of the cartwright's help.
        end_ahead: maximum value of triggering the end, when far ahead.
        end_behind: minimum value of triggering the end, when far behind.
        end_slope: value of every point ahead between these bounds.
        end_city: assumed points of every city of a planned last route.
        last_turn: assumed points of each opponent's last turn, besides closing its route.
        turn: price of a turn.
        missing: price of each card of a plan that is not in the hand, besides the time to draw it.
        unknown_city: value that a city not known yet adds to the houses of a plan.
        dead_end: price of needing more cards where none are available.
        spare_card: value of a card outside the plan for future routes.
        spare_value: share of its city's value that is added to it.
        administrator: minimum gain for calling the administrator.
        unseen_card: price of a card that is drawn unseen.
        denial: value of taking a card that fits another player's route.
        too_late: price of each turn of a plan beyond the expected end of the game.
        turns_per_house: expected turns for each house that another player still has to place.
        turns_per_city: expected turns for each city that another player's route lacks for the last carriage.
        turns_to_last: maximum number of turns of a player who lacks two carriages.
        horses_per_card: with horses: expected number of horses on a card from outside the hand.
        horse: with horses: value of each one on a card in the hand.
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
        on_the_way=0.14,
        provinces_on_the_way=-0.09,
        carriage=8.71,
        cartwright=1.49,
        end_ahead=21.59,
        end_behind=-1.09,
        end_slope=14.86,
        end_city=1.56,
        last_turn=0.1,
        turn=1.48,
        missing=1.7,
        unknown_city=1.14,
        dead_end=0.79,
        spare_card=0.62,
        spare_value=-0.34,
        administrator=1.52,
        unseen_card=-0.3,
        denial=1.02,
        too_late=0.77,
        turns_per_house=0.23,
        turns_per_city=1.32,
        turns_to_last=1.71,
        horses_per_card=0.0,
        horse=0.0,
    ),
    Weights(
        on_the_way=0.74,
        provinces_on_the_way=0.11,
        carriage=4.02,
        cartwright=-0.02,
        end_ahead=31.48,
        end_behind=-1.52,
        end_slope=17.95,
        end_city=0.69,
        last_turn=0.05,
        turn=2.75,
        missing=0.43,
        unknown_city=1.11,
        dead_end=1.62,
        spare_card=0.6,
        spare_value=-0.01,
        administrator=2.31,
        unseen_card=-0.18,
        denial=0.67,
        too_late=0.27,
        turns_per_house=0.41,
        turns_per_city=-0.45,
        turns_to_last=7.59,
        horses_per_card=0.0,
        horse=0.0,
    ),
    Weights(
        on_the_way=0.61,
        provinces_on_the_way=0.34,
        carriage=3.7,
        cartwright=0.32,
        end_ahead=18.31,
        end_behind=-1.32,
        end_slope=15.83,
        end_city=0.59,
        last_turn=0.08,
        turn=2.12,
        missing=0.73,
        unknown_city=1.03,
        dead_end=0.88,
        spare_card=0.5,
        spare_value=0.03,
        administrator=2.0,
        unseen_card=-0.27,
        denial=0.32,
        too_late=0.49,
        turns_per_house=0.4,
        turns_per_city=2.72,
        turns_to_last=1.38,
        horses_per_card=0.0,
        horse=0.0,
    ),
)
"""For games without horses, by number of players from two on."""

_SETTLER: Final = Weights(
    on_the_way=0.98,
    provinces_on_the_way=0.76,
    carriage=-0.68,
    cartwright=1.06,
    end_ahead=14.09,
    end_behind=-2.25,
    end_slope=4.89,
    end_city=2.59,
    last_turn=-0.67,
    turn=0.26,
    missing=0.93,
    unknown_city=0.59,
    dead_end=0.29,
    spare_card=0.7,
    spare_value=0.2,
    administrator=3.07,
    unseen_card=-0.07,
    denial=0.26,
    too_late=1.45,
    turns_per_house=-0.85,
    turns_per_city=0.67,
    turns_to_last=0.05,
    horses_per_card=0.0,
    horse=0.0,
)
SETTLER: Final = (_SETTLER, _SETTLER, _SETTLER)
"""Of the bot `settler`, by number of players from two on."""

_WITH_HORSES: Final = Weights(
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
)
WEIGHTS_WITH_HORSES: Final = (_WITH_HORSES, _WITH_HORSES, _WITH_HORSES)
"""For games with horses, which have no points for carriages and last longer."""

ONLY_WITH_HORSES: Final = ("horses_per_card", "horse")
ONLY_WITH_CARRIAGES: Final = ("carriage", "cartwright", "end_city", "turns_per_city", "turns_to_last")
"""Weights that have no effect in the other kind of game."""
