"""The boards of the second game: their facts, and every way in which a board file can be wrong."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.boards import as_toml, put, without
from tests.zug_um_zug.positions import GAME
from thurn_env import Game, make_rules
from thurn_env.games.board_tables import BoardError
from thurn_env.games.zug_um_zug_deutschland.board.board import Board
from thurn_env.games.zug_um_zug_deutschland.board.shipped import SHIPPED, board_names, load_board
from thurn_env.games.zug_um_zug_deutschland.rules.tracks import Tracks
from thurn_env.table.replay import verify

Data = dict[str, Any]


def tiny() -> Data:
    return tomllib.loads((SHIPPED / "tiny_rails.toml").read_text("utf-8"))


def load(tmp_path: Path, data: Data) -> Board:
    """Write a board file and load it."""
    data = dict(data)
    path = tmp_path / "my.toml"
    path.write_text(as_toml(data), "utf-8")
    return load_board(path)


def test_the_boards() -> None:
    assert board_names() == ("germany", "tiny_rails")
    assert make_rules(GAME, 2).board_name == "germany"


def test_g2_g4_g5_the_facts_of_germany() -> None:
    """40 places, 85 pairs with 110 tracks, 89 tickets, 60 passengers, 110 cards."""
    board = load_board("germany")
    assert len(board.places) == 40
    assert sum(place.country for place in board.places) == 5
    assert len(board.pairs) == 85
    assert sum(len(pair.colours) for pair in board.pairs) == 110
    assert sum(len(pair.colours) * pair.length for pair in board.pairs) == 313
    assert len(board.tickets) == 89
    assert sum(place.passengers for place in board.places) == 60
    assert board.cards == 110
    assert board.constants.track_points == (1, 2, 4, 7, 10, 15, 18)
    lengths = Counter(len(pair.colours) for pair in board.pairs)
    assert lengths == {1: 62, 2: 21, 3: 2}
    borders = {place.name: sum(place.name in pair.ends for pair in board.pairs) for place in board.places}
    assert {name: borders[name] for name in ("Schweiz", "Österreich", "Niederlande", "Frankreich", "Dänemark")} == {
        "Schweiz": 3,
        "Österreich": 3,
        "Niederlande": 3,
        "Frankreich": 3,
        "Dänemark": 2,
    }


def test_claims_and_nodes() -> None:
    tracks = Tracks(load_board("germany"))
    assert len(tracks.claims) == 92
    assert sum(claim.tracks for claim in tracks.claims) == 110
    assert len(tracks.nodes) == 35 + 14


def test_the_digest_names_the_facts(tmp_path: Path) -> None:
    board = load_board("tiny_rails")
    assert load(tmp_path, tiny()).digest == board.digest
    changed = tiny()
    changed["title"] = "Another title"
    changed["places"][0]["x"] += 1
    assert load(tmp_path, changed).digest == board.digest
    for change in (
        put("pairs", 0, "length", 3),
        put("tickets", "short", 0, "points", 4),
        put("constants", "globetrotter", 4),
        put("places", 0, "passengers", 0),
    ):
        changed = tiny()
        change(changed)
        assert load(tmp_path, changed).digest != board.digest


def test_a_board_of_ones_own_is_played(tmp_path: Path) -> None:
    data = tiny()
    data["name"] = "mine"
    data["constants"]["trains_per_player"] = 6
    data["pairs"][0]["colours"] = ["grey", "red", "grey"]
    path = tmp_path / "mine.toml"
    path.write_text(as_toml(data), "utf-8")
    game = Game(2, str(path), 1, game=GAME)
    assert "claim Fulda-Gotha red" in game.rules.action_texts
    while not game.over:
        game.play(game.legal[-1])
    verify(game.record())
    assert game.record().board == str(path)


def add(*path: Any) -> Callable[[Any], Callable[[Data], object]]:
    """Append to the list at the end of a path."""

    def append(item: Any) -> Callable[[Data], object]:
        def change(data: Any) -> None:
            for key in path:
                data = data[key]
            data.append(item)

        return change

    return append


def many_claims(data: Data) -> None:
    """Ten colours for each of 26 pairs of places."""
    colours = [f"colour {number}" for number in range(10)]
    towns = [f"Weiler {number}" for number in range(26)]
    data["colours"] = colours
    data["places"] = [{"name": name, "passengers": 0, "x": 1, "y": 1} for name in ["Fulda", *towns]]
    data["pairs"] = [{"ends": ["Fulda", town], "length": 1, "colours": colours} for town in towns]


def claims_of_one_name(data: Data) -> None:
    """`Fulda-Rom dark red` is a red track to Rom dark, and a dark red one to Rom."""
    data["colours"].append("dark red")
    for name, colour in (("Rom", "dark red"), ("Rom dark", "red")):
        data["places"].append({"name": name, "passengers": 0, "x": 1, "y": 1})
        data["pairs"].append({"ends": ["Fulda", name], "length": 1, "colours": [colour]})


WRONG: list[tuple[Callable[[Data], object], str]] = [
    (without("format"), 'there is no key "format"; a board begins with format = "zug-um-zug-board/1"'),
    (put("format", "thurn-board/1"), "format is 'thurn-board/1'; a board begins with"),
    (put("trains", 1), 'top level: unknown key "trains"'),
    (without("places"), 'top level: the key "places" is missing'),
    (put("colours", "red"), 'colours must be a list of texts, not "red"'),
    (without("constants", "locomotives"), r'\[constants\]: the key "locomotives" is missing'),
    (put("constants", "last_trains", 11), "last_trains is 11; it must lie in 0..10"),
    (put("constants", "least_kept", 4), "least_kept is 4; it must lie in 0..3"),
    (put("constants", "most_locomotives", 5), "most_locomotives is 5; it must lie in 1..4"),
    (put("constants", "first_hand", 10), "there must be more than the 54 that 5 players and the display begin with"),
    (put("constants", "track_points", []), "the number of track_points is 0"),
    (put("colours", ["red", "grey", "blue"]), 'colour "grey": the names, grey and locomotive too, must differ'),
    (put("passenger_colours", ["white", "White"]), 'passenger colour "White": the names must differ'),
    (put("places", 0, "name", " Fulda"), 'place " Fulda": a name must be printable text'),
    (put("places", 0, "x", 2000), 'place "Fulda": x is 2000; it must lie in 0..1000'),
    (put("places", 0, "passengers", 9), "the places want 18 passengers, and there are 10"),
    (put("places", 0, "land", True), 'place "Fulda": unknown key "land"'),
    (without("places", 0, "name"), 'place number 1: the key "name" is missing'),
    (put("pairs", 0, "ends", ["Fulda", "Gohta"]), 'pair Fulda-Gohta: no place is called "Gohta"; did you mean "Gotha"'),
    (put("pairs", 0, "ends", ["Fulda"]), r'pair Fulda: ends must have two entries, not \["Fulda"\]'),
    (put("pairs", 0, "ends", ["Fulda", "Fulda"]), "pair Fulda-Fulda: the two ends must differ"),
    (put("pairs", 0, "length", 5), "pair Fulda-Gotha: length is 5; it must lie in 1..4"),
    (put("pairs", 0, "colours", []), "pair Fulda-Gotha: the number of tracks is 0"),
    (put("pairs", 0, "colours", ["rde"]), 'pair Fulda-Gotha: no colour is called "rde"; did you mean "red"'),
    (put("pairs", 1, "ends", ["Gotha", "Fulda"]), "pair Gotha-Fulda is listed twice"),
    (put("pairs", 0, "terminal", [1, 2]), "a terminal belongs to tracks to a country, and only there"),
    (without("pairs", 10, "terminal"), "pair Gera-Böhmen: a terminal belongs to tracks to a country"),
    (put("pairs", 10, "terminal", [1]), r"pair Gera-Böhmen: terminal must have two entries, not \[1\]"),
    (put("places", 6, "country", True), "pair Coburg-Hof: a terminal belongs to tracks to a country"),
    (
        add("places")({"name": "Rom", "passengers": 0, "x": 1, "y": 1}),
        "no tracks lead from Fulda to Rom without passing through a country",
    ),
    (
        lambda data: (
            data["places"].append({"name": "Rom", "passengers": 0, "x": 1, "y": 1})
            or data["pairs"].append({"ends": ["Böhmen", "Rom"], "length": 1, "colours": ["red"], "terminal": [1, 1]})
        ),
        "no tracks lead from Fulda to Rom without passing through a country",
    ),
    (many_claims, "the number of tracks, equal ones counted once, is 260; it must lie in 1..256"),
    (claims_of_one_name, 'track "Fulda-Rom dark red": the names must differ'),
    (put("tickets", "short", []), "the number of short tickets is 0"),
    (put("tickets", "short", 0, "ends", ["Fulda", "Rom"]), 'ticket Fulda-Rom: no place is called "Rom"'),
    (put("tickets", "short", 0, "points", 101), "ticket Fulda-Suhl: points is 101; it must lie in 0..100"),
    (put("tickets", "short", 0, "points", "two"), 'ticket Fulda-Suhl: points must be a whole number, not "two"'),
    (put("tickets", "long", 0, "ends", ["Suhl", "Fulda"]), "ticket Suhl-Fulda is listed twice"),
    (put("status", {"roads": "confirmed"}), r'\[status\]: a status for "roads", which is no fact of a board'),
    (put("status", {"pairs": "sure"}), r'\[status\]: the status of pairs must be "confirmed" or "reconstructed"'),
]


@pytest.mark.parametrize(("change", "message"), WRONG)
def test_wrong_boards(tmp_path: Path, change: Callable[[Data], object], message: str) -> None:
    """Every message begins with the file and names the thing."""
    data = tiny()
    change(data)
    with pytest.raises(BoardError, match=r"board file .*my\.toml: .*" + message):
        load(tmp_path, data)


def test_unknown_boards() -> None:
    with pytest.raises(BoardError, match='no board is called "tiny_rail"; did you mean "tiny_rails"'):
        load_board("tiny_rail")
