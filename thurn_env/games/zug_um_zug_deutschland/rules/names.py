"""Names and bounds that the whole game shares."""

from typing import Final

GREY: Final = "grey"
"""The colour of tracks that cards of any one colour pay."""
LOCOMOTIVE: Final = "locomotive"
"""The kind of card that stands for any colour: the last kind, after the colours of the board."""
MIN_PLAYERS: Final = 2
MAX_PLAYERS: Final = 5
MOST_CLAIMS: Final = 256
"""Tracks of a board, equal ones of a pair counted once. Bots have room for so many."""
