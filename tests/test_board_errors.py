"""Every way in which a board file can be wrong, and what a board of one's own may be."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.boards import (
    DISTANCE_4,
    DISTANCE_5,
    END,
    EVERYWHERE,
    FRANKEN,
    Data,
    load_changed,
    many_cities,
    many_provinces,
    more,
    put,
    several,
    tiny_data,
    without,
)
from thurn_env.games.board_tables import BoardError
from thurn_env.games.thurn_und_taxis.board.shipped import load_board

GAME_END = {"name": "another end", "kind": "game_end", "values": [1]}
ALL_PROVINCES = {"name": "everywhere", "kind": "all_provinces", "values": [1]}

FREE_CITY = {"name": "Ansbach", "kind": "free_city", "city": "Ansbach", "values": [1]}
HORSES = {"own": 2, "most_cards": 6}


def freed(name: str) -> Callable[[Data], object]:
    """Make a city free."""

    def change(data: Data) -> None:
        for city in data["cities"]:
            if city["name"] == name:
                del city["province"]
                city["free_city"] = True

    return change


def with_horses(*horses: int) -> Callable[[Data], object]:
    """Give every city cards with these horses."""

    def change(data: Data) -> None:
        data["horses"] = dict(HORSES)
        for city in data["cities"]:
            city["horses"] = list(horses)

    return change


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
    "city without a province": (without("cities", 0, "province"), ["Langenburg", '"province"', "free_city = true"]),
    "city mistyped": (put("cities", 0, "x", "3"), ["Langenburg", 'x must be a whole number, not "3"']),
    "aliases mistyped": (put("cities", 0, "aliases", "L"), ["Langenburg", "aliases must be a list of texts"]),
    "cities no tables": (put("cities", [1, 2]), ["cities must be a list of tables, not [1, 2]"]),
    "roads mistyped": (put("roads", 0, "Ulm"), ["roads must be a list of lists of texts"]),
    "road of three": (
        put("roads", 0, ["Ansbach", "Rothenburg", "Ulm"]),
        ["joins two cities", "Ulm", '"confirmed" or "reconstructed"'],
    ),
    "road of four": (put("roads", 0, ["Ansbach", "Rothenburg", "Ulm", "Hof"]), ["Hof", "names 4"]),
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
    # free cities
    "free city in a province": (put("cities", 0, "free_city", True), ["Langenburg", "not both"]),
    "free city in doubt": (put("cities", 0, "free_city", 1), ["Langenburg", "free_city must be true or false, not 1"]),
    "stack of a city in a province": (more("stacks", FREE_CITY), ['stack "Ansbach"', "Ansbach is no free city"]),
    "stack of an unknown city": (
        more("stacks", FREE_CITY | {"city": "Ansbch"}),
        ['stack "Ansbach"', '"Ansbch"', 'did you mean "Ansbach"'],
    ),
    "two stacks of a free city": (
        several(freed("Ansbach"), more("stacks", FREE_CITY), more("stacks", FREE_CITY | {"name": "twice"})),
        ['"Ansbach" and "twice"', "both for Ansbach"],
    ),
    "free city for another kind": (put("stacks", FRANKEN, "city", "Ansbach"), ['stack "Franken"', '"city"']),
    # cards and horses
    "no cards of a city": (put("cities", 0, "copies", 0), ["Langenburg", "copies is 0", "1..20"]),
    "horses on some cards": (put("cities", 0, "horses", [1, 2, 3]), ["Langenburg", "[horses]", "both or neither"]),
    "horses without cards": (put("horses", HORSES), ["Langenburg", "[horses]", "both or neither"]),
    "horses for too few cards": (with_horses(1, 2), ["Langenburg", "2 numbers of horses for 3 cards"]),
    "a card without horses": (with_horses(1, 2, 0), ["Langenburg", "the horses on a card is 0", "1..20"]),
    "no room on the carriage": (
        several(with_horses(1, 2, 3), put("horses", "most_cards", 0)),
        ["most_cards is 0", "1..100"],
    ),
    "horses misspelt": (put("horses", {"own": 2, "most_card": 6}), ["[horses]", "most_cards"]),
    "too many kinds of cards": (
        several(many_cities(40), with_horses(1, 2, 3)),
        ["138 different cards", "120 at most"],
    ),
    # certainty
    "status of nothing": (put("cities", 0, "status", {"nam": "confirmed"}), ["Langenburg", '"nam"', '"name"']),
    "status of no kind": (
        put("cities", 0, "status", {"name": "likely"}),
        ["Langenburg", "status of name", '"confirmed" or "reconstructed"', '"likely"'],
    ),
    "status of a road": (
        put("roads", 0, ["Ansbach", "Rothenburg", "sure"]),
        ['"sure"', '"confirmed" or "reconstructed"'],
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
        lambda data: [road.append("reconstructed") for road in data["roads"]],
        put("cities", 0, "status", {"name": "reconstructed"}),
        put("cities", 0, "copies", 3),
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
        put("cities", 0, "copies", 4),
        freed("Ansbach"),
        with_horses(1, 2, 3),
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
