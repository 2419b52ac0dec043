"""The rule options of Thurn und Taxis."""

from dataclasses import dataclass, field, fields
from typing import Any

from thurn_env.errors import OptionError


def _option(default: Any, meaning: str) -> Any:
    return field(default=default, metadata={"meaning": meaning})


@dataclass(frozen=True, slots=True)
class Options:
    """The options that change the rules; records carry them."""

    optional_houses: bool = _option(False, "any placement of a house may be left out (R18)")
    all_provinces_without_baiern: bool = _option(
        False, "the all-provinces tile asks for one province less, as in the first edition (R21)"
    )
    horses: bool = _option(False, "cards are laid or harnessed as horses, and no carriages are taken (H1 - H6)")
    horses_kept: bool = _option(True, "with horses: giving up a route leaves the horses on the carriage (H5)")
    open_backs: bool = _option(True, "with horses: the horses on the backs of cards are open to all (H7)")
    free_city_with_fill: bool = _option(False, "`fill` adds a house in one free city of the route (N2)")
    max_rounds: int = _option(200, "the game is cut off after so many full rounds (F13)")

    def __post_init__(self) -> None:
        for option in fields(self):
            value = getattr(self, option.name)
            if isinstance(option.default, bool) and not isinstance(value, bool):
                raise OptionError(f"option {option.name} must be True or False, not {value!r}")
        if isinstance(self.max_rounds, bool) or not isinstance(self.max_rounds, int):
            raise OptionError(f"option max_rounds must be a whole number, not {self.max_rounds!r}")
        if not 1 <= self.max_rounds <= 1_000_000:
            raise OptionError(f"option max_rounds must be from 1 to 1000000, not {self.max_rounds}")

    def as_dict(self) -> dict[str, Any]:
        """All options by name, as records write them."""
        return {field.name: getattr(self, field.name) for field in fields(self)}
