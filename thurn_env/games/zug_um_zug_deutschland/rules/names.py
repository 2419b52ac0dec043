"""Names and bounds that the whole game shares."""

from typing import Final

GREY: Final = "grey"
"""Colour of tracks that cards of any one colour can pay."""
LOCOMOTIVE: Final = "locomotive"
"""Kind of card that stands for any colour: the last kind, after the colours of the board."""
MIN_PLAYERS: Final = 2
MAX_PLAYERS: Final = 5
