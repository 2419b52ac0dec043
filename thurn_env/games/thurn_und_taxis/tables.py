"""The facts of a board, the actions and the observation as tables for people."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from thurn_env.games.contract import Table
from thurn_env.games.thurn_und_taxis.board import Stack
from thurn_env.games.thurn_und_taxis.options import Options
from thurn_env.games.thurn_und_taxis.stacks import ordered_stacks

if TYPE_CHECKING:
    from thurn_env.games.thurn_und_taxis.rules import ThurnUndTaxis


def about(rules: ThurnUndTaxis) -> str:
    """The board in words."""
    board = rules.board
    return "\n".join(
        [
            f"{rules.title}, the board {board.name}: {board.title}",
            f"{len(board.cities)} cities in {len(board.provinces)} provinces, {len(board.roads)} roads; "
            f"{board.copies_per_city * len(board.cities)} cards, {board.copies_per_city} of every city, "
            f"{board.display_size} of them in the display",
            f"{board.houses_per_player} houses for every player; a route is closed from "
            f"{board.minimum_route} cities on; the cartwright helps up to {board.cartwright_reach} cities; "
            f"{board.hand_limit} cards stay in the hand after closing",
            board.sources,
        ]
    )


def tables(rules: ThurnUndTaxis) -> dict[str, Table]:
    """All tables by name."""
    return {
        "cities": _cities(rules),
        "stacks": _stacks(rules),
        "carriages": _carriages(rules),
        "options": _options(rules),
        "actions": Table("Actions", ("index", "action", "meaning"), list(rules.actions.rows())),
        "observation": Table(
            "Observation", ("index", "name", "shape", "scale", "meaning"), list(rules.observation.rows())
        ),
    }


def _cities(rules: ThurnUndTaxis) -> Table:
    rows = []
    for province in rules.board.provinces:
        shown = province.name
        for city in rules.board.cities:
            if city.province == province.name:
                rows.append((shown, city.name, ", ".join(rules.board.neighbours(city.name))))
                shown = ""
    return Table("Cities", ("province", "city", "roads to"), rows)


def _stacks(rules: ThurnUndTaxis) -> Table:
    rows = [
        (stack.name, " ".join(map(str, stack.values)), _earned_by(rules, stack))
        for stack in ordered_stacks(rules.board)
    ]
    return Table("Bonus tiles, the best on top", ("stack", "points", "for"), rows)


def _earned_by(rules: ThurnUndTaxis, stack: Stack) -> str:
    if stack.kind == "distance":
        longest = max(other.length or 0 for other in rules.board.stacks if other.kind == "distance")
        return f"closing a route of {stack.length} cities{' or more' if stack.length == longest else ''}"
    if stack.kind == "provinces":
        return f"a house in every city of {', '.join(stack.provinces)}"
    if stack.kind == "game_end":
        return "being the first to take the highest carriage or to place the last house"
    without = stack.first_edition_without
    if without and rules.options["all_provinces_without_baiern"]:
        return f"a house in every province except {without}"
    return "a house in every province"


def _carriages(rules: ThurnUndTaxis) -> Table:
    rows = [(str(carriage.length), str(carriage.points)) for carriage in rules.board.carriages]
    return Table("Carriages", ("route of", "points"), rows)


def _options(rules: ThurnUndTaxis) -> Table:
    rows = [
        (option.name, str(rules.options[option.name]), str(option.default), option.metadata["meaning"])
        for option in fields(Options)
    ]
    return Table("Options", ("option", "value", "default", "meaning"), rows)
