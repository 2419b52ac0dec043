"""Boards: the facts of the shipped ones, and the loader."""

import pickle
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from tests.boards import SHIPPED
from thurn_env.games.board_tables import BoardError
from thurn_env.games.thurn_und_taxis.board.board import Board
from thurn_env.games.thurn_und_taxis.board.shipped import board_names, load_board


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
    assert board_names() == ("micro", "north", "small", "south", "tiny")
    sizes = {name: (len(load_board(name).cities), len(load_board(name).provinces)) for name in board_names()}
    assert sizes == {"micro": (3, 2), "north": (23, 9), "small": (10, 4), "south": (22, 9), "tiny": (6, 3)}


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
