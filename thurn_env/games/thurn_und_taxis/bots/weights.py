"""What the heuristic bot holds things to be worth, in points."""

from typing import NamedTuple


class Weights(NamedTuple):
    """The parameters of the heuristic bot.

    The values were set by hand and then moved by a random search in games of two against itself.

    Attributes:
        on_the_way: share of a province tile's value credited to a house that does not complete it yet.
        provinces_on_the_way: the same for the all-provinces tile.
        carriage: what a carriage is worth beyond its points, as the way to the next ones.
        cartwright: the price of the cartwright's help.
        end_ahead: what triggering the end is worth when ahead.
        end_behind: the same when behind.
        last_turns: points that the others may still make after the end is triggered.
        turn: the price of a turn.
        missing: the price of each card of a plan that is not in the hand, besides the time to draw it.
        unknown_city: what a city that is not known yet adds to the houses of a plan.
        dead_end: the price of needing more cards where none can be had.
        spare_card: what a card outside the plan is worth for the routes to come.
        spare_value: the share of its city's worth that is added to it.
        administrator: what the administrator's help must gain at least.
        too_late: the price of each turn of a plan beyond the expected end of the game.
        horses_per_card: with horses: how many a plan expects from a card outside it.
        horse: with horses: what each one on a card in the hand is worth.
    """

    on_the_way: float = 0.71
    provinces_on_the_way: float = 0.17
    carriage: float = 1.47
    cartwright: float = 0.4
    end_ahead: float = 11.1
    end_behind: float = -1.2
    last_turns: float = 0.3
    turn: float = 2.22
    missing: float = 0.35
    unknown_city: float = 0.83
    dead_end: float = 1.5
    spare_card: float = 0.62
    spare_value: float = 0.05
    administrator: float = 2.1
    too_late: float = 0.58
    horses_per_card: float = 2.0
    horse: float = 0.25


WEIGHTS = Weights()
"""The weights that the bots of the package play with."""

WEIGHTS_WITH_HORSES = WEIGHTS._replace(
    on_the_way=1.44,
    provinces_on_the_way=0.28,
    missing=0.1,
    unknown_city=1.12,
    dead_end=0.21,
    spare_card=0.14,
    spare_value=0.18,
    administrator=13.5,
    too_late=1.2,
    horses_per_card=4.9,
    horse=0.14,
)
"""The same for games with horses, which bring no points for carriages and last longer."""
