"""Options of a game that differ from the usual ones, as commands, cards and pages name them."""

from __future__ import annotations

from typing import Any

from thurn_env.games import make_rules
from thurn_env.games.contract import Rules


def changed_options(rules: Rules) -> dict[str, Any]:
    """Return the options whose values differ from the usual ones of the game on its board."""
    usual = make_rules(rules.name, rules.players, rules.board_name).options
    return {name: value for name, value in rules.options.items() if value != usual[name]}


def option_words(rules: Rules) -> list[str]:
    """Return the changed options as the option `--option` takes them: `name=value`."""
    return [f"{name}={str(value).lower()}" for name, value in changed_options(rules).items()]
