"""Facts of a board as text and as tables."""

from __future__ import annotations

from thurn_env.games.contract import Table
from thurn_env.games.thurn_und_taxis.board.board import Board
from thurn_env.games.thurn_und_taxis.board.facts import Stack
from thurn_env.games.thurn_und_taxis.rules.bound import BoundRules
from thurn_env.games.thurn_und_taxis.rules.stacks import ordered_stacks


def about(rules: BoundRules) -> str:
    """Describe the board in words."""
    board = rules.board
    free = ", ".join(city.name for city in board.free_cities)
    copies = {board.copies(city) for city in board.cities}
    of_every_city = f" ({min(copies)} of every city)" if len(copies) == 1 else ""
    if board.horses is not None and rules.variant.horses:
        helper = f"a carriage has {board.horses.own} horses of its own and room for {board.horses.most_cards} cards"
    else:
        helper = f"the cartwright makes up for {board.cartwright_reach} cities at most"
    return "\n".join(
        [
            f"{rules.title}, board {board.name}{' with horses' if rules.variant.horses else ''}: {board.title}",
            f"{len(board.cities)} cities in {len(board.provinces)} provinces, {len(board.roads)} roads; "
            f"{rules.variant.cards} cards{of_every_city}, {board.display_size} of them in the display"
            + (f"; free cities: {free}" if free else ""),
            f"{board.houses_per_player} houses per player; a route needs at least {board.minimum_route} cities to be "
            f"closed; {helper}; hand limit after closing: {board.hand_limit} cards",
            board.sources,
        ]
    )


def board_tables(rules: BoundRules) -> dict[str, Table]:
    """Return the tables of the board by name."""
    return {
        "cities": _cities(rules),
        "stacks": _stacks(rules),
        **({} if rules.variant.horses else {"carriages": _carriages(rules)}),
        **_certainty_if_stated(rules.board),
    }


def _cities(rules: BoundRules) -> Table:
    board = rules.board
    columns = ("province", "city", *(["horses"] if rules.variant.horses else []), "roads to")
    rows = []
    for province in (*(province.name for province in board.provinces), None):
        shown = province or "(free)"
        for city in board.cities:
            if city.province == province:
                horses = [" ".join(map(str, city.horses))] if rules.variant.horses else []
                rows.append((shown, city.name, *horses, ", ".join(board.neighbours(city.name))))
                shown = ""
    return Table("Cities", columns, rows)


def _stacks(rules: BoundRules) -> Table:
    rows = [
        (stack.name, " ".join(map(str, stack.values)), _earned_by(rules, stack))
        for stack in ordered_stacks(rules.board)
    ]
    return Table("Bonus tiles, best on top", ("stack", "points", "for"), rows)


def _earned_by(rules: BoundRules, stack: Stack) -> str:
    if stack.kind == "distance":
        longest = max(other.length or 0 for other in rules.board.stacks if other.kind == "distance")
        return f"closing a route of {stack.length} cities{' or more' if stack.length == longest else ''}"
    if stack.kind == "provinces":
        return f"a house in every city of {', '.join(stack.provinces)}"
    if stack.kind == "free_city":
        return f"being the first with a house in {stack.city}"
    if stack.kind == "game_end":
        carriage_too = "" if rules.variant.horses else "take the highest carriage or to "
        return f"being the first to {carriage_too}place the last house"
    without = stack.first_edition_without
    if without and rules.options["all_provinces_without_baiern"]:
        return f"a house in every province except {without}"
    return "a house in every province"


def _certainty_if_stated(board: Board) -> dict[str, Table]:
    """Return a table of which facts are confirmed by a named source or reconstructed, if the board's file states it."""
    statuses: dict[str, dict[str, list[str]]] = {}

    def note(fact: str, status: str | None, name: str) -> None:
        if status is not None:
            statuses.setdefault(fact, {}).setdefault(status, []).append(name)

    for thing, entries in (("city", board.cities), ("province", board.provinces), ("stack", board.stacks)):
        for entry in entries:
            for fact, status in entry.status:
                note(f"{thing}: {fact}", status, entry.name)
    for road, status_of_road in zip(board.roads, board.road_status, strict=False):
        note("roads", status_of_road, "-".join(road))
    for carriage in board.carriages:
        for fact, status in carriage.status:
            note(f"carriage: {fact}", status, str(carriage.length))
    for fact, status in (*board.status, *(board.horses.status if board.horses else ())):
        note("constants", status, fact)
    if not statuses:
        return {}
    rows = [(fact, _listed(of, "confirmed"), _listed(of, "reconstructed")) for fact, of in statuses.items()]
    return {"certainty": Table("Certainty of the facts", ("fact", "confirmed", "reconstructed"), rows)}


def _listed(names: dict[str, list[str]], status: str) -> str:
    """Return the names with this status; `all 23` when there are no others."""
    listed = names.get(status, [])
    if listed and len(names) == 1:
        return f"all {len(listed)}"
    return ", ".join(listed) or "-"


def _carriages(rules: BoundRules) -> Table:
    rows = [(str(carriage.length), str(carriage.points)) for carriage in rules.board.carriages]
    return Table("Carriages", ("route of", "points"), rows)
