"""Whether a seat is to move."""

from typing import Final

TURN: Final = 0
OVER: Final = 1
PHASES: Final = ("turn", "over")
