"""Rule options of Thurn und Taxis."""

from dataclasses import dataclass

from thurn_env.games.options import RuleOptions, option


@dataclass(frozen=True, slots=True)
class Options(RuleOptions):
    """Options that change the rules; records contain them."""

    optional_houses: bool = option(False, "any placement of a house may be left out (R18)")
    all_provinces_without_baiern: bool = option(
        False, "the all-provinces tile needs one province fewer, as in the first edition (R21)"
    )
    horses: bool = option(False, "cards are laid or harnessed as horses, and no carriages are taken (H1 - H6)")
    horses_kept: bool = option(True, "with horses: giving up a route leaves the horses on the carriage (H5)")
    open_backs: bool = option(True, "with horses: the horses on the backs of cards are public (H7)")
    free_city_with_fill: bool = option(False, "`fill` adds a house in one free city of the route (N2)")
    max_rounds: int = option(200, "full rounds after which the game is truncated (F13)", 1, 1_000_000)
