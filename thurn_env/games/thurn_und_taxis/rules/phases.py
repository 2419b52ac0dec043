"""Phases of a turn: the decision that the player to move has to make."""

from typing import Final

DRAW: Final = 0
SECOND_DRAW: Final = 1
PLAY: Final = 2
END: Final = 3
HOUSES: Final = 4
HOUSE: Final = 5
CARTWRIGHT: Final = 6
DISCARD: Final = 7
OVER: Final = 8

PHASES: Final = ("draw", "second_draw", "play", "end", "houses", "house", "cartwright", "discard", "over")
"""Names by number, as in `Game.phase`."""

PHASE_MEANINGS: Final = (
    "take the first card, or call the administrator before it",
    "take the second card that an empty hand demands (the postmaster)",
    "play a card, or first take a second one with the postmaster's help",
    "end the turn, close the route, or lay a second card with the postal carrier's help",
    "choose how the closed route places houses: one per province, or all cities of one province",
    "choose the city that gets the house",
    "take the next carriage with the cartwright's help, or decline",
    "discard down to the hand limit after closing",
    "the game is over",
)

# Order in which the cities of a pending placement are decided (F6, F7).
BY_PROVINCE: Final = 0
ANY_PROVINCE: Final = 1
CITY_BY_CITY: Final = 2
ANY_CITY: Final = 3
FREE_CITY: Final = 4
