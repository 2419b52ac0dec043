"""What the player to move is being asked, and what chance is to decide before play goes on."""

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
"""Names by number, as `Game.phase` gives them."""

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

# What chance is to decide before play goes on.
NOTHING: Final = 0
FIRST_DECK: Final = 1
DECK: Final = 2
PILES: Final = 3
