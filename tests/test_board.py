"""Boards: the facts of the shipped ones, the loader, and every way in which a board file can be wrong."""

import json
import pickle
import tomllib
from collections.abc import Callable
from functools import partial
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest

from thurn_env.games.thurn_und_taxis.board import Board, BoardError, board_names, load_board

SHIPPED = Path(__file__).parents[1] / "thurn_env/games/thurn_und_taxis/boards"
Data = dict[str, Any]


@pytest.fixture(scope="module")
def south() -> Board:
    return load_board("south")


# The facts of the south board


def test_south_material(south: Board) -> None:
    """M1, M2: the sizes of the base game."""
    assert len(south.cities) == 22
    assert len(south.provinces) == 9
    assert len(south.roads) == 45
    assert len(south.cities) * south.copies_per_city == 66
    assert (south.houses_per_player, south.display_size) == (20, 6)
    assert (south.minimum_route, south.hand_limit, south.cartwright_reach) == (3, 3, 2)


def test_south_provinces(south: Board) -> None:
    """M2, F9: the provinces in the board's order with their cities."""
    members = {
        province.name: [city.name for city in south.cities if city.province == province.name]
        for province in south.provinces
    }
    assert list(members.items()) == [
        ("Baden", ["Mannheim", "Carlsruhe", "Freiburg"]),
        ("Württemberg", ["Stuttgart", "Ulm"]),
        ("Hohenzollern", ["Sigmaringen"]),
        (
            "Baiern",
            [
                *("Würzburg", "Nürnberg", "Regensburg", "Ingolstadt"),
                *("Augsburg", "München", "Passau", "Kempten"),
            ],
        ),
        ("Schweiz", ["Basel", "Zürich"]),
        ("Tyrol", ["Innsbruck"]),
        ("Salzburg", ["Salzburg", "Linz"]),
        ("Böhmen", ["Pilsen", "Budweis"]),
        ("Polen", ["Lodz"]),
    ]
    assert [city.name for city in south.cities] == [name for names in members.values() for name in names]


def test_south_tiles(south: Board) -> None:
    """M3: thirty tiles in ten stacks, best on top; Polen has no stack."""
    assert {stack.name: (stack.kind, stack.values) for stack in south.stacks} == {
        "distance 7": ("distance", (4, 3, 2, 1)),
        "distance 6": ("distance", (3, 2, 1)),
        "distance 5": ("distance", (2, 1)),
        "all provinces": ("all_provinces", (6, 5, 4, 3)),
        "Baiern": ("provinces", (5, 4, 3, 2)),
        "Baden": ("provinces", (3, 2, 1)),
        "Württemberg and Hohenzollern": ("provinces", (3, 2, 1)),
        "Schweiz and Tyrol": ("provinces", (3, 2, 1)),
        "Böhmen and Salzburg": ("provinces", (4, 3, 2)),
        "game end": ("game_end", (1,)),
    }
    assert sum(len(stack.values) for stack in south.stacks) == 30
    for stack in south.stacks:
        if stack.kind == "distance":
            assert stack.name == f"distance {stack.length}"
        if stack.kind == "provinces":
            assert stack.name == " and ".join(stack.provinces)
        assert stack.first_edition_without == ("Baiern" if stack.kind == "all_provinces" else None)


def test_south_carriages(south: Board) -> None:
    """M4: lengths and points of the five carriages."""
    assert [(carriage.length, carriage.points) for carriage in south.carriages] == [
        *((3, 2), (4, 3), (5, 5), (6, 7), (7, 10))
    ]


@pytest.mark.parametrize(
    ("city", "neighbours"),
    [
        ("Lodz", ("Pilsen",)),
        ("München", ("Regensburg", "Ingolstadt", "Augsburg", "Passau", "Innsbruck", "Salzburg")),
        ("Innsbruck", ("Augsburg", "München", "Kempten", "Salzburg")),
        ("Carlsruhe", ("Mannheim", "Freiburg", "Stuttgart")),
        ("Budweis", ("Linz", "Pilsen")),
    ],
)
def test_south_neighbours(south: Board, city: str, neighbours: tuple[str, ...]) -> None:
    """M2: the neighbours of some cities, in board order."""
    assert south.neighbours(city) == neighbours


@pytest.mark.parametrize(
    "pair",
    [
        *("Innsbruck Carlsruhe", "Innsbruck Regensburg", "Kempten Linz", "Kempten München", "Innsbruck Linz"),
        *("Carlsruhe Linz", "Carlsruhe Salzburg", "Würzburg Linz", "Würzburg Salzburg", "Freiburg Mannheim"),
        *("Carlsruhe Sigmaringen", "Kempten Basel"),
    ],
)
def test_south_has_no_road(south: Board, pair: str) -> None:
    """M2: pairs of cities that the rulebooks' examples call not joined."""
    one, other = pair.split()
    assert other not in south.neighbours(one)
    assert one not in south.neighbours(other)


@pytest.mark.parametrize(
    "route",
    [
        "Carlsruhe Stuttgart Nürnberg Regensburg",
        "Sigmaringen Stuttgart Nürnberg Regensburg Ingolstadt Augsburg",
        "München Salzburg Linz",
        "Carlsruhe Mannheim Würzburg",
        "Kempten Innsbruck München Salzburg Linz",
        "Basel Zürich Kempten Augsburg Ingolstadt",
    ],
)
def test_south_has_route(south: Board, route: str) -> None:
    """M2, R10: routes that the rulebooks' examples lay."""
    for one, other in pairwise(route.split()):
        assert other in south.neighbours(one)
        assert one in south.neighbours(other)


# All shipped boards


@pytest.mark.parametrize("name", board_names())
def test_straight_roads_do_not_cross(name: str) -> None:
    """A map drawn with straight roads shows no false junction and no road through a third city."""
    board = load_board(name)
    at = {city.name: (city.x, city.y) for city in board.cities}

    def side(a: str, b: str, c: str) -> int:
        (ax, ay), (bx, by), (cx, cy) = at[a], at[b], at[c]
        turn = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        return (turn > 0) - (turn < 0)

    for (a, b), (c, d) in combinations(board.roads, 2):
        if len({a, b, c, d}) == 4:
            crossing = side(a, b, c) != side(a, b, d) and side(c, d, a) != side(c, d, b)
            assert not crossing, f"{a}-{b} crosses {c}-{d}"
    for a, b in board.roads:
        (ax, ay), (bx, by) = at[a], at[b]
        for city in at.keys() - {a, b}:
            x, y = at[city]
            between = (x - ax) * (x - bx) + (y - ay) * (y - by) <= 0
            assert not (side(a, b, city) == 0 and between), f"{a}-{b} runs through {city}"


@pytest.mark.parametrize("name", board_names())
def test_shipped_boards_are_fit_to_draw_and_to_carry(name: str) -> None:
    board = load_board(name)
    assert board.name == name
    assert len({province.colour.lower() for province in board.provinces}) == len(board.provinces)
    assert len({(city.x, city.y) for city in board.cities}) == len(board.cities)
    assert pickle.loads(pickle.dumps(board)) == board
    assert len({board, load_board(SHIPPED / f"{name}.toml")}) == 1
    assert "\n" not in board.title


def test_board_names() -> None:
    assert board_names() == ("small", "south", "tiny")
    sizes = {name: (len(load_board(name).cities), len(load_board(name).provinces)) for name in board_names()}
    assert sizes == {"small": (10, 4), "south": (22, 9), "tiny": (6, 3)}


# The loader and the board's own methods


def test_load_board_takes_a_name_a_path_and_a_board(south: Board) -> None:
    assert load_board(south) is south
    assert load_board(SHIPPED / "south.toml") == south
    assert load_board(str(SHIPPED / "south.toml")) == south


def test_unknown_board_lists_the_boards_and_mentions_files() -> None:
    with pytest.raises(BoardError) as error:
        load_board("sooth")
    for part in ('"sooth"', 'did you mean "south"', "small, south, tiny", ".toml"):
        assert part in str(error.value)


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b""])
def test_unreadable_file(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "my.toml"
    path.write_bytes(content)
    with pytest.raises(BoardError, match=r"board file .*my\.toml: "):
        load_board(path)


def test_indices_by_name_and_alias(south: Board) -> None:
    """F9: indices follow the board file."""
    assert south.city_index("Mannheim") == 0
    assert south.city_index("Munich") == south.city_index("München") == 11
    assert south.province_index("Baden") == 0
    assert south.neighbours("Munich") == south.neighbours("München")
    with pytest.raises(BoardError, match='no city is called "Munchn"; did you mean "München"'):
        south.city_index("Munchn")
    with pytest.raises(BoardError, match='no province is called "Bayern"; did you mean "Baiern"'):
        south.province_index("Bayern")


# Boards of one's own: a changed copy of the tiny board


def tiny_data() -> Data:
    return tomllib.loads((SHIPPED / "tiny.toml").read_text("utf-8"))


quoted = partial(json.dumps, ensure_ascii=False)


def as_toml(data: Data) -> str:
    """Enough of a TOML writer for boards: JSON values are TOML values once the tables are spelt out."""
    plain = [f"{key} = {quoted(value)}" for key, value in data.items() if not _is_tables(value)]
    tables = []
    for key, value in data.items():
        if _is_tables(value):
            heading = f"[{key}]" if isinstance(value, dict) else f"[[{key}]]"
            for table in [value] if isinstance(value, dict) else value:
                tables += [heading, *(f"{name} = {quoted(item)}" for name, item in table.items())]
    return "\n".join(plain + tables)


def _is_tables(value: object) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)
    )


def load_changed(tmp_path: Path, change: Callable[[Data], object]) -> Board:
    data = tiny_data()
    change(data)
    path = tmp_path / "my.toml"
    path.write_text(as_toml(data), "utf-8")
    return load_board(path)


def put(*keys_and_value: Any) -> Callable[[Data], object]:
    """Set the value at the end of a path of keys and list places."""
    *path, last, value = keys_and_value

    def change(data: Any) -> None:
        for key in path:
            data = data[key]
        data[last] = value

    return change


def without(*path: Any) -> Callable[[Data], object]:
    """Delete what lies at the end of a path of keys and list places."""
    *front, last = path

    def change(data: Any) -> None:
        for key in front:
            data = data[key]
        del data[last]

    return change


def more(key: str, item: Any) -> Callable[[Data], object]:
    """Append to one of the board's lists."""
    return lambda data: data[key].append(item)


def several(*changes: Callable[[Data], object]) -> Callable[[Data], object]:
    return lambda data: [change(data) for change in changes]


def many_cities(number: int) -> Callable[[Data], object]:
    """A chain of that many more cities behind Langenburg."""

    def change(data: Data) -> None:
        names = ["Langenburg", *(f"Weiler {n}" for n in range(number))]
        data["cities"] += [{"name": name, "province": "Ries", "x": 1, "y": 1} for name in names[1:]]
        data["roads"] += [list(pair) for pair in pairwise(names)]

    return change


def many_provinces(data: Data) -> None:
    data["provinces"] += [{"name": f"Gau {n}", "colour": "#123456"} for n in range(28)]


GAME_END = {"name": "another end", "kind": "game_end", "values": [1]}
ALL_PROVINCES = {"name": "everywhere", "kind": "all_provinces", "values": [1]}
DISTANCE_5, DISTANCE_4, EVERYWHERE, FRANKEN, END = range(5)  # the tiny board's stacks

WRONG: dict[str, tuple[Callable[[Data], object], list[str]]] = {
    # keys and types
    "no format": (without("format"), ["format", "thurn-board/1"]),
    "unknown format": (put("format", "thurn-board/9"), ["thurn-board/9", "thurn-board/1"]),
    "unknown key at the top": (put("citys", 1), ['"citys"', 'did you mean "cities"']),
    "missing key at the top": (without("title"), ['"title" is missing']),
    "mistyped at the top": (put("name", 3), ["name must be a text, not 3"]),
    "no constants": (without("constants"), ['"constants" is missing']),
    "constants mistyped": (put("constants", 5), ["constants must be a table"]),
    "constant missing": (without("constants", "hand_limit"), ["[constants]", '"hand_limit" is missing']),
    "constant unknown": (put("constants", "handlimit", 3), ['"handlimit"', 'did you mean "hand_limit"']),
    "constant a bool": (put("constants", "hand_limit", True), ["hand_limit", "a whole number, not true"]),
    "constant a float": (put("constants", "hand_limit", 3.0), ["hand_limit", "a whole number, not 3.0"]),
    "map key unknown": (put("map", "depth", 3), ["[map]", '"depth"']),
    "map key missing": (without("map", "width"), ["[map]", '"width" is missing']),
    "province key unknown": (put("provinces", 0, "color", "#000000"), ["Hohenlohe", '"color"', "colour"]),
    "province key missing": (without("provinces", 0, "colour"), ["Hohenlohe", '"colour" is missing']),
    "city key unknown": (put("cities", 0, "z", 3), ["Langenburg", '"z"']),
    "city key missing": (without("cities", 0, "x"), ["Langenburg", '"x" is missing']),
    "city without a name": (without("cities", 1, "name"), ["city number 2", '"name" is missing']),
    "city without a province": (without("cities", 0, "province"), ["Langenburg", '"province" is missing']),
    "city mistyped": (put("cities", 0, "x", "3"), ["Langenburg", 'x must be a whole number, not "3"']),
    "aliases mistyped": (put("cities", 0, "aliases", "L"), ["Langenburg", "aliases must be a list of texts"]),
    "cities no tables": (put("cities", [1, 2]), ["cities must be a list of tables, not [1, 2]"]),
    "roads mistyped": (put("roads", 0, "Ulm"), ["roads must be a list of lists of texts"]),
    "road of three": (put("roads", 0, ["Ansbach", "Rothenburg", "Ulm"]), ["Ulm", "names 3"]),
    "stack without a kind": (without("stacks", 0, "kind"), ["distance 5", '"kind" is missing']),
    "stack of unknown kind": (put("stacks", 0, "kind", "distant"), ["distance 5", "distant", "game_end"]),
    "stack of mistyped kind": (put("stacks", 0, "kind", [1]), ["distance 5", "kind is [1]"]),
    "stack key unknown": (put("stacks", END, "length", 3), ["game end", '"length"']),
    "stack key missing": (without("stacks", 0, "length"), ["distance 5", '"length" is missing']),
    "stack values mistyped": (put("stacks", 0, "values", [2, True]), ["distance 5", "values", "[2, true]"]),
    "carriage key unknown": (put("carriages", 1, "copies", 4), ["carriage number 2", '"copies"']),
    "carriage key missing": (without("carriages", 1, "points"), ["carriage number 2", '"points" is missing']),
    # sizes
    "too few cities": (put("cities", []), ["number of cities is 0", "3..60"]),
    "too many cities": (many_cities(55), ["number of cities is 61", "3..60"]),
    "too many provinces": (many_provinces, ["number of provinces is 31", "1..30"]),
    "too many stacks": (
        lambda data: data["stacks"].extend([GAME_END] * 56),
        ["number of stacks is 61", "1..60"],
    ),
    "no houses": (put("constants", "houses_per_player", 0), ["houses_per_player is 0", "1..100"]),
    "no copies": (put("constants", "copies_per_city", 0), ["copies_per_city is 0", "1..20"]),
    "too many copies": (put("constants", "copies_per_city", 21), ["copies_per_city is 21"]),
    "too many cards": (
        several(many_cities(50), put("constants", "copies_per_city", 20)),
        ["1120 cards", "1000"],
    ),
    "fewer cards than display": (
        several(put("constants", "copies_per_city", 1), put("constants", "display_size", 6)),
        ["6 cards", "display_size of 6"],
    ),
    "no display": (put("constants", "display_size", 0), ["display_size is 0", "1..20"]),
    "short minimum route": (put("constants", "minimum_route", 1), ["minimum_route is 1", "2..6"]),
    "long minimum route": (put("constants", "minimum_route", 7), ["minimum_route is 7", "2..6"]),
    "negative hand limit": (put("constants", "hand_limit", -1), ["hand_limit is -1", "0..100"]),
    "far cartwright": (put("constants", "cartwright_reach", 11), ["cartwright_reach is 11", "0..10"]),
    "no width": (put("map", "width", 0), ["width is 0"]),
    "no height": (put("map", "height", 0), ["height is 0"]),
    # names
    "empty board name": (put("name", ""), ["board's name", "not empty"]),
    "empty city name": (put("cities", 0, "name", ""), ['city ""', "not empty"]),
    "blank after a name": (put("cities", 0, "name", "Ulm "), ['city "Ulm "', "blanks"]),
    "line break in a name": (put("provinces", 0, "name", "A\nB"), ["province", "printable"]),
    "slash in a name": (put("cities", 0, "name", "Ulm/3"), ['"Ulm/3"', "horses"]),
    "slash in an alias": (put("cities", 0, "aliases", ["Ulm/3"]), ['"Ulm/3"', "horses"]),
    "city twice": (put("cities", 0, "name", "ansbach"), ['"Ansbach"', '"ansbach" is taken']),
    "alias of another city": (put("cities", 0, "aliases", ["Ansbach"]), ['"Ansbach"', "aliases must differ"]),
    "province twice": (put("provinces", 0, "name", "Ries"), ['province "Ries"', "taken"]),
    "stack twice": (put("stacks", 0, "name", "Franken"), ['stack "Franken"', "taken"]),
    # places
    "colour": (put("provinces", 0, "colour", "green"), ["Hohenlohe", '"green"', "#rrggbb"]),
    "unknown province": (
        put("cities", 0, "province", "Frankn"),
        ["Langenburg", '"Frankn"', 'did you mean "Franken"'],
    ),
    "empty province": (more("provinces", {"name": "Leer", "colour": "#000000"}), ['"Leer" has no cities']),
    "x outside": (put("cities", 0, "x", 1001), ['city "Langenburg": x is 1001', "0..1000"]),
    "y outside": (put("cities", 0, "y", -1), ['city "Langenburg": y is -1', "0..750"]),
    # roads
    "road to nowhere": (
        more("roads", ["Ansbach", "Rotenburg"]),
        ['road ["Ansbach", "Rotenburg"]', 'no city is called "Rotenburg"', 'did you mean "Rothenburg"'],
    ),
    "road to an alias": (
        more("roads", ["Ansbach", "Nordlingen"]),
        ['"Nordlingen" is an alias', "Nördlingen"],
    ),
    "road to itself": (more("roads", ["Ansbach", "Ansbach"]), ['["Ansbach", "Ansbach"]', "itself"]),
    "road twice": (more("roads", ["Ansbach", "Rothenburg"]), ['["Ansbach", "Rothenburg"]', "twice"]),
    "city cut off": (
        lambda data: data.update(roads=[road for road in data["roads"] if "Nördlingen" not in road]),
        ["Langenburg", "to Nördlingen;", "connected"],
    ),
    # carriages
    "no carriages": (put("carriages", []), ["no carriages"]),
    "carriage too long": (put("carriages", 2, "length", 7), ["carriage's length is 7", "1..6"]),
    "carriage lengths fall": (put("carriages", 2, "length", 4), ["carriage 4 comes after carriage 4"]),
    "carriage points fall": (put("carriages", 2, "points", 3), ["carriage 5 is worth 3", "rise"]),
    "carriage points too high": (put("carriages", 2, "points", 101), ["carriage 5: points is 101"]),
    # stacks
    "no values": (put("stacks", FRANKEN, "values", []), ['stack "Franken"', "number of values is 0"]),
    "values rise": (put("stacks", FRANKEN, "values", [1, 2]), ['stack "Franken"', "[1, 2]", "best"]),
    "value too low": (
        put("stacks", FRANKEN, "values", [1, -1]),
        ['stack "Franken"', "value is -1", "0..100"],
    ),
    "value too high": (put("stacks", FRANKEN, "values", [101]), ['stack "Franken"', "value is 101"]),
    "stack of unknown province": (
        put("stacks", FRANKEN, "provinces", ["Frankn"]),
        ['stack "Franken"', '"Frankn"', 'did you mean "Franken"'],
    ),
    "stack of no province": (put("stacks", FRANKEN, "provinces", []), ['stack "Franken"', "at least one"]),
    "stack of a province twice": (
        put("stacks", FRANKEN, "provinces", ["Ries", "Ries"]),
        ['stack "Franken"', '"Ries" is listed twice'],
    ),
    "distance too short": (
        put("stacks", DISTANCE_4, "length", 1),
        ['stack "distance 4"', "length is 1", "2..6"],
    ),
    "distance twice": (
        put("stacks", DISTANCE_4, "length", 5),
        ['"distance 5" and "distance 4"', "distance 5;"],
    ),
    "no game end": (without("stacks", END), ["0 stacks of kind game_end"]),
    "two game ends": (more("stacks", GAME_END), ["2 stacks of kind game_end"]),
    "two tiles for the game end": (put("stacks", END, "values", [2, 1]), ['"game end" has 2 tiles']),
    "two all provinces": (more("stacks", ALL_PROVINCES), ['"all provinces" and "everywhere"']),
    "first edition without": (
        put("stacks", EVERYWHERE, "first_edition_without", "Baiern"),
        ['stack "all provinces"', "first_edition_without", '"Baiern"'],
    ),
    "first edition elsewhere": (
        put("stacks", FRANKEN, "first_edition_without", "Ries"),
        ['stack "Franken"', '"first_edition_without"'],
    ),
}


@pytest.mark.parametrize(("change", "parts"), WRONG.values(), ids=WRONG.keys())
def test_wrong_board_is_refused(tmp_path: Path, change: Callable[[Data], object], parts: list[str]) -> None:
    with pytest.raises(BoardError) as error:
        load_changed(tmp_path, change)
    message = str(error.value)
    assert message.startswith(f"board file {tmp_path / 'my.toml'}: ")
    for part in parts:
        assert part in message


def test_damaged_toml_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text('format = "thurn-board/1"\nname = \n', "utf-8")
    with pytest.raises(BoardError, match=r"my\.toml: not valid TOML: .*line 2"):
        load_board(path)


def test_own_board_is_accepted(tmp_path: Path) -> None:
    assert load_changed(tmp_path, lambda data: None) == load_board("tiny")
    own = several(many_cities(54), put("name", "mine"), put("stacks", EVERYWHERE, "first_edition_without", "Ries"))
    board = load_changed(tmp_path, own)
    assert (board.name, len(board.cities)) == ("mine", 60)
    assert board.stacks[EVERYWHERE].first_edition_without == "Ries"


def test_umlauts_agree_however_they_are_written(tmp_path: Path) -> None:
    """An editor may store ö as one character or as an o with two dots to add."""
    decomposed = ["Ansbach", "No\N{COMBINING DIAERESIS}rdlingen"]
    assert "Nördlingen" in load_changed(tmp_path, more("roads", decomposed)).neighbours("Ansbach")


# The digest


@pytest.mark.parametrize(
    "change",
    [
        put("name", "mine"),
        put("title", "Mine"),
        put("map", "width", 2000),
        put("cities", 0, "x", 5),
        put("cities", 0, "aliases", ["L"]),
        put("provinces", 0, "colour", "#000000"),
        put("stacks", FRANKEN, "name", "the Franks"),
        lambda data: data["roads"].reverse(),
        lambda data: [road.reverse() for road in data["roads"]],
    ],
)
def test_digest_ignores_looks(tmp_path: Path, change: Callable[[Data], object]) -> None:
    assert load_changed(tmp_path, change).digest == load_board("tiny").digest


@pytest.mark.parametrize(
    "change",
    [
        *(put("constants", key, 5) for key in tiny_data()["constants"]),
        put("carriages", 2, "points", 6),
        put("carriages", 2, "length", 6),
        put("stacks", DISTANCE_5, "values", [3]),
        put("stacks", DISTANCE_5, "length", 6),
        put("stacks", FRANKEN, "provinces", ["Ries"]),
        put("stacks", EVERYWHERE, "first_edition_without", "Ries"),
        lambda data: data["stacks"].reverse(),
        lambda data: data["roads"].pop(),
        lambda data: data["cities"].reverse(),
        lambda data: data["provinces"].reverse(),
        put("cities", 2, "province", "Ries"),
    ],
)
def test_digest_sees_play(tmp_path: Path, change: Callable[[Data], object]) -> None:
    digest = load_changed(tmp_path, change).digest
    assert len(digest) == 64
    assert digest != load_board("tiny").digest


@pytest.mark.parametrize("name", ["x" * 5000, "~nobody-of-this-name/board.toml", "\0"])
def test_a_name_that_is_no_possible_path_is_an_unknown_board(name: str) -> None:
    with pytest.raises(BoardError, match="the boards are"):
        load_board(name)
