"""The rule options of Zug um Zug: Deutschland."""

from dataclasses import dataclass, field, fields
from typing import Any

from thurn_env.errors import OptionError


@dataclass(frozen=True, slots=True)
class Options:
    """The options that change the rules; records carry them."""

    max_rounds: int = field(default=200, metadata={"meaning": "the game is cut off after so many full rounds (P9)"})

    def __post_init__(self) -> None:
        if isinstance(self.max_rounds, bool) or not isinstance(self.max_rounds, int):
            raise OptionError(f"option max_rounds must be a whole number, not {self.max_rounds!r}")
        if not 1 <= self.max_rounds <= 1_000_000:
            raise OptionError(f"option max_rounds must be from 1 to 1000000, not {self.max_rounds}")

    def as_dict(self) -> dict[str, Any]:
        """All options by name, as records write them."""
        return {option.name: getattr(self, option.name) for option in fields(self)}
