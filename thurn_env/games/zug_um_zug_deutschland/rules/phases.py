"""Decisions of the player to move, and pending chance events."""

from typing import Final

MIX: Final = 0
TICKET: Final = 1
TURN: Final = 2
SECOND_CARD: Final = 3
COLOUR: Final = 4
LOCOMOTIVES: Final = 5
PASSENGER: Final = 6
OVER: Final = 7

PHASES: Final = ("mix", "ticket", "turn", "second_card", "colour", "locomotives", "passenger", "over")
"""Names by number, as in `Game.phase`."""

PHASE_MEANINGS: Final = (
    "say how many of the tickets drawn come from the long pile",
    "keep this ticket or return it",
    "draw a card, claim a track or draw tickets",
    "draw the second card",
    "choose the colour that pays the grey track",
    "choose how many locomotives pay",
    "take a passenger, or leave them",
    "the game is over",
)

# The pending chance event.
NOTHING: Final = 0
FIRST_DECK: Final = 1
DECK: Final = 2
PILES: Final = 3
