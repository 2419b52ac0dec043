"""Rule options of Zug um Zug: Deutschland."""

from dataclasses import dataclass

from thurn_env.games.options import RuleOptions, option


@dataclass(frozen=True, slots=True)
class Options(RuleOptions):
    """Options that change the rules; records contain them."""

    max_rounds: int = option(200, "full rounds after which the game is truncated (P9)", 1, 1_000_000)
