"""Checks of boards; messages name the board's own entries."""

from __future__ import annotations

import re
from collections.abc import Iterator

from thurn_env.games.board_tables import PLAIN, bad_or_repeated, is_plain, outside, unknown_name
from thurn_env.games.thurn_und_taxis.board.facts import Facts, Stack

MOST_CITIES = 60  # the engine keeps a set of cities in one 64-bit integer
MOST_PROVINCES = 30
MOST_CARDS = 1000
MOST_KINDS = 120  # different cards; the engine keeps a kind in one byte
MOST_HORSES = 20  # on one card or carriage
MOST_STACKS = 60
MOST_TILES = 100  # in one stack
MOST_POINTS = 100  # on one tile or carriage
MOST_MAP_UNITS = 10_000  # the map's width and height


def board_problems(board: Facts) -> Iterator[str]:
    """Yield the problems of a board; later checks rely on the earlier ones having passed."""
    yield from _size_problems(board)
    yield from _name_problems(board)
    yield from _place_problems(board)
    yield from _card_problems(board)
    yield from _road_problems(board)
    yield from _carriage_problems(board)
    yield from _stack_problems(board)


def _size_problems(board: Facts) -> Iterator[str]:
    yield from outside("the number of cities", len(board.cities), 3, MOST_CITIES)
    yield from outside("the number of provinces", len(board.provinces), 1, MOST_PROVINCES)
    yield from outside("the number of stacks", len(board.stacks), 1, MOST_STACKS)
    yield from outside("houses_per_player", board.houses_per_player, 1, 100)
    yield from outside("copies_per_city", board.copies_per_city, 1, 20)
    yield from outside("display_size", board.display_size, 1, 20)
    yield from outside("minimum_route", board.minimum_route, 2, len(board.cities))
    yield from outside("hand_limit", board.hand_limit, 0, 100)
    yield from outside("cartwright_reach", board.cartwright_reach, 0, 10)
    yield from outside("the map's width", board.width, 1, MOST_MAP_UNITS)
    yield from outside("the map's height", board.height, 1, MOST_MAP_UNITS)


def _card_problems(board: Facts) -> Iterator[str]:
    for city in board.cities:
        if city.copies is not None:
            yield from outside(f'city "{city.name}": copies', city.copies, 1, 20)
        if bool(city.horses) != (board.horses is not None):
            yield f'city "{city.name}": horses on cards and the table [horses] belong together; give both or neither'
        if board.horses is not None and len(city.horses) != board.copies(city):
            yield f'city "{city.name}": {len(city.horses)} numbers of horses for {board.copies(city)} cards'
        for horses in city.horses:
            yield from outside(f'city "{city.name}": the horses on a card', horses, 1, MOST_HORSES)
    if board.horses is not None:
        yield from outside("own horses", board.horses.own, 0, MOST_HORSES)
        yield from outside("most_cards", board.horses.most_cards, 1, 100)
    cards = sum(map(board.copies, board.cities))
    if not board.display_size < cards <= MOST_CARDS:
        yield (
            f"{len(board.cities)} cities make {cards} cards; there must be more than the display_size of "
            f"{board.display_size} and at most {MOST_CARDS}"
        )
    kinds = sum(len(set(city.horses)) for city in board.cities)
    if kinds > MOST_KINDS:
        yield f"with their horses there are {kinds} different cards; there may be {MOST_KINDS} at most"


def _name_problems(board: Facts) -> Iterator[str]:
    if not is_plain(board.name):
        yield f'the board\'s name "{board.name}" {PLAIN}'
    city_names = [name for city in board.cities for name in (city.name, *city.aliases)]
    yield from bad_or_repeated("city", city_names, "names and aliases")
    yield from bad_or_repeated("province", [province.name for province in board.provinces], "names")
    yield from bad_or_repeated("stack", [stack.name for stack in board.stacks], "names")
    for name in city_names:
        if "/" in name:
            yield f'city "{name}": a name must not contain "/", which is kept for horses'


def _place_problems(board: Facts) -> Iterator[str]:
    provinces = [province.name for province in board.provinces]
    for province in board.provinces:
        if not re.fullmatch("#[0-9a-fA-F]{6}", province.colour):
            yield f'province "{province.name}": colour "{province.colour}" is not of the form #rrggbb'
    for city in board.cities:
        if city.province is not None and city.province not in provinces:
            yield f'city "{city.name}": {unknown_name("province", city.province, provinces)}'
        yield from outside(f'city "{city.name}": x', city.x, 0, board.width)
        yield from outside(f'city "{city.name}": y', city.y, 0, board.height)
    for name in provinces:
        if all(city.province != name for city in board.cities):
            yield f'province "{name}" has no cities; give it one or leave it out'


def _road_problems(board: Facts) -> Iterator[str]:
    names = [city.name for city in board.cities]
    official = {alias: city.name for city in board.cities for alias in city.aliases}
    roads = set()
    for one, other in board.roads:
        road = f'road ["{one}", "{other}"]'
        for name in (one, other):
            if name in official:
                yield f'{road}: "{name}" is an alias; write "{official[name]}"'
            if name not in names:
                yield f"{road}: {unknown_name('city', name, names)}"
        if one == other:
            yield f"{road} leads from a city to itself"
        if frozenset((one, other)) in roads:
            yield f"{road} is listed twice; a road counts in both directions, so list it once"
        roads.add(frozenset((one, other)))
    cut_off = _cut_off(names, roads)
    if cut_off:
        yield f"no roads lead from {names[0]} to {', '.join(cut_off)}; all cities must be connected"


def _cut_off(names: list[str], roads: set[frozenset[str]]) -> list[str]:
    """Return the cities that cannot be reached from the first one."""
    reached: set[str] = set()
    frontier = {names[0]}
    while frontier:
        reached |= frontier
        frontier = {name for road in roads if road & frontier for name in road} - reached
    return [name for name in names if name not in reached]


def _carriage_problems(board: Facts) -> Iterator[str]:
    if not board.carriages:
        yield "there are no carriages; at least one is needed, as the last one ends the game"
    for carriage in board.carriages:
        yield from outside("a carriage's length", carriage.length, 1, len(board.cities))
        yield from outside(f"carriage {carriage.length}: points", carriage.points, 0, MOST_POINTS)
    for lower, higher in zip(board.carriages, board.carriages[1:], strict=False):
        if lower.length >= higher.length:
            yield f"carriage {higher.length} comes after carriage {lower.length}; list them by rising length"
        if lower.points >= higher.points:
            yield (
                f"carriage {higher.length} is worth {higher.points}, carriage {lower.length} already "
                f"{lower.points}; points must rise with the length"
            )


def _stack_problems(board: Facts) -> Iterator[str]:
    for stack in board.stacks:
        for problem in _problems_of_stack(stack, board):
            yield f'stack "{stack.name}": {problem}'
    by_length: dict[int | None, str] = {}
    for stack in board.stacks:
        if stack.kind == "distance":
            if stack.length in by_length:
                yield (
                    f'stacks "{by_length[stack.length]}" and "{stack.name}" are both for distance '
                    f"{stack.length}; one stack for each length"
                )
            by_length[stack.length] = stack.name
    by_city: dict[str | None, str] = {}
    for stack in board.stacks:
        if stack.kind == "free_city":
            if stack.city in by_city:
                yield f'stacks "{by_city[stack.city]}" and "{stack.name}" are both for {stack.city}; one stack for each'
            by_city[stack.city] = stack.name
    ends = [stack for stack in board.stacks if stack.kind == "game_end"]
    if len(ends) != 1:
        yield f"there are {len(ends)} stacks of kind game_end; there must be exactly one"
    if len(ends[0].values) != 1:
        yield f'stack "{ends[0].name}" has {len(ends[0].values)} tiles; kind game_end has exactly one'
    everywhere = [stack.name for stack in board.stacks if stack.kind == "all_provinces"]
    if len(everywhere) > 1:
        yield f'stacks "{everywhere[0]}" and "{everywhere[1]}" are both of kind all_provinces; one at most'


def _problems_of_stack(stack: Stack, board: Facts) -> Iterator[str]:
    provinces = [province.name for province in board.provinces]
    values = list(stack.values)
    yield from outside("the number of values", len(values), 1, MOST_TILES)
    for value in values:
        yield from outside("a value", value, 0, MOST_POINTS)
    if values != sorted(values, reverse=True):
        yield f"values {values} are not in order; the best tile lies on top, so it comes first"
    if (stack.length is not None) != (stack.kind == "distance"):
        yield "a length belongs to kind distance, and only there"
    if stack.length is not None:
        yield from outside("length", stack.length, 2, len(board.cities))
    if bool(stack.provinces) != (stack.kind == "provinces"):
        yield "provinces belong to kind provinces, at least one, and only there"
    for name in stack.provinces:
        if name not in provinces:
            yield unknown_name("province", name, provinces)
        if stack.provinces.count(name) > 1:
            yield f'province "{name}" is listed twice'
    if (stack.city is not None) != (stack.kind == "free_city"):
        yield "a city belongs to kind free_city, and only there"
    if stack.city is not None:
        names = [city.name for city in board.cities]
        if stack.city not in names:
            yield unknown_name("city", stack.city, names)
        if stack.city not in [city.name for city in board.free_cities]:
            yield f"{stack.city} is no free city, it lies in a province"
    without = stack.first_edition_without
    if without is not None and stack.kind != "all_provinces":
        yield "first_edition_without belongs to kind all_provinces only"
    if without is not None and without not in provinces:
        yield f"first_edition_without: {unknown_name('province', without, provinces)}"
