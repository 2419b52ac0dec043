"""Pictures of positions: what they show, what they must not show, and that nothing lies on anything else."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, cast
from xml.etree import ElementTree

import pytest

from tests.boards import load_changed, many_cities, put, several
from tests.drawings import outside, overlapping, texts, writings
from tests.positions import Player, position
from tests.variants import board_and_options
from thurn_env import Game, OptionError
from thurn_env.drawing.labels import Box
from thurn_env.drawing.themes import LINE_PATTERNS, SEATS, THEMES
from thurn_env.drawing.writing import text_width
from thurn_env.engine.generator import seeded
from thurn_env.games.thurn_und_taxis.board.board import Board
from thurn_env.games.thurn_und_taxis.board.shipped import board_names, load_board
from thurn_env.games.thurn_und_taxis.game import ThurnUndTaxis
from thurn_env.games.thurn_und_taxis.show.map_layout import HOUSE, house_place, map_layout
from thurn_env.show import svg

VARIANTS = [("tiny", 2), ("small", 3), ("south", 2), ("south", 4), ("north", 3), ("north with horses", 4)]
TWICE = "\N{MULTIPLICATION SIGN}2"
MOVES = (0, 60, 130, 100_000)
"""How many moves into a game the pictures are looked at."""


@cache
def played(variant: str, players: int) -> tuple[Game, ...]:
    """A game of greedy bots after every number of `MOVES`."""
    board, options = board_and_options(variant)
    game = Game(players, board, seed=11, **options)
    positions, bot, generator = [], game.rules.bots.index("greedy"), seeded(3)
    for stop in MOVES:
        while not game.over and len(game.moves) < stop:
            game.play(game.rules.bot_action(game.states, 0, bot, generator))
        positions.append(game.copy())
    return tuple(positions)


def classes(picture: str) -> list[tuple[str, ...]]:
    """The classes of every element."""
    return [tuple(element.get("class", "").split()) for element in ElementTree.fromstring(picture).iter()]


# Nothing lies on anything else


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("board", board_names())
def test_labels_of_the_map_are_clear_of_each_other_and_of_houses(board: str, players: int) -> None:
    facts = load_board(board)
    layout = map_layout(facts, players)
    labels = [label.box for label in layout.city_labels]
    labels += [label.box for label in layout.province_labels if label is not None]
    frame = Box(0, 0, 776, layout.height)
    assert not [(one, other) for one, other in combinations(labels, 2) if one.overlap(other) > 0]
    assert not [(label, city) for label in labels for city in layout.city_boxes if label.overlap(city)]
    assert not [box for box in [*labels, *layout.city_boxes] if box.outside(frame) > 1e-6]
    for city, label, box in zip(facts.cities, layout.city_labels, layout.city_boxes, strict=True):
        assert label.box.right - label.box.left >= text_width(city.name, 13) - 1e-6
        # A name stands next to its city.
        assert max(label.box.left - box.right, box.left - label.box.right, 0) <= 3
        assert max(label.box.top - box.bottom, box.top - label.box.bottom, 0) <= 3


@pytest.mark.parametrize("board", board_names())
def test_there_is_room_for_the_houses_of_all_players(board: str) -> None:
    layout = map_layout(load_board(board), 4)
    houses = [
        (city, Box.around(house_place(place, seat), HOUSE, HOUSE))
        for city, place in enumerate(layout.cities)
        for seat in range(4)
    ]
    for (one, box), (other, other_box) in combinations(houses, 2):
        assert not box.overlap(other_box), (one, other)
    for city, box in houses:
        assert box.outside(layout.city_boxes[city]) < 1e-6


@pytest.mark.parametrize("opened", [False, True], ids=["view", "open"])
@pytest.mark.parametrize(("variant", "players"), VARIANTS)
def test_no_text_lies_on_another_or_leaves_the_picture(variant: str, players: int, opened: bool) -> None:
    for game in played(variant, players):
        drawn = svg(game if opened else game.view(0))
        found = writings(drawn)
        assert not overlapping(found)
        assert not outside(drawn, found)


def test_much_of_everything_fits() -> None:
    game = crowded()
    for drawn in (svg(game, names=["W" * 80, "b", "c", "d"]), svg(game.view(0)), svg(game.view(1))):
        found = writings(drawn)
        assert not overlapping(found)
        assert not outside(drawn, found)
    assert "Dresden" not in texts(svg(game))
    assert re.search(r"and \d+ more", texts(svg(game)))


def crowded() -> Game:
    """A position with a long route, large hands and many tiles."""
    route = "Lodz Pilsen Regensburg Nürnberg Würzburg Mannheim Stuttgart Ingolstadt Augsburg Innsbruck Salzburg Linz"
    return position(
        4,
        "south",
        hand=["Regensburg", "Regensburg", "Würzburg", "Augsburg", "Augsburg", "Sigmaringen"],
        route=route.split(),
        houses=["Lodz", "Pilsen", "Ulm", "Mannheim"],
        phase="play",
        carriage=6,
        others={
            1: Player(route=["Ulm"], houses=["Lodz", "Ulm"]),
            2: Player(route=["Ulm"], houses=["Ulm", "Lodz"]),
            3: Player(route=["Ulm", "Kempten"], houses=["Ulm", "Lodz", "Linz"], carriage=7),
        },
        rest=1,
        tiles={"distance 7": [0, 1, 2, 3], "all provinces": [3, 1], "game end": [3], "Baiern": [2]},
    )


# What is shown


@pytest.mark.parametrize(("variant", "players"), VARIANTS)
def test_everything_that_lies_open_is_shown(variant: str, players: int) -> None:
    for game in played(variant, players):
        table, rules = game.public(), cast(ThurnUndTaxis, game.rules)
        drawn = svg(game.view(1), names=[f"Agent {seat}" for seat in range(players)])
        shown = texts(drawn).split("\n")
        for city in rules.board.cities:
            assert city.name in shown
        assert str(table["deck_size"]) in shown
        assert str(sum(table["discard"].values())) in shown
        for seat, player in enumerate(table["players"]):
            assert any(line.startswith(f"Agent {seat}") for line in shown)
            assert str(game.scores[seat]).replace("-", "\N{MINUS SIGN}") in shown
            assert str(player["houses_left"]) in shown
            # One house on the map for every own one, three in the panels and the heading, one for every tile.
            marks = sum("house" in found and f"seat-{seat}" in found for found in classes(drawn))
            heading = seat == (game.ranks.index(1) if game.over else game.seat)
            assert marks == len(player["houses"]) + 2 + heading + len(player["tiles"])
        for name in {stack.name for stack in rules.board.stacks}:
            assert any(name in line for line in shown)


def test_who_is_to_move_and_what_for() -> None:
    game = position(2, "south", phase="draw", seat=1, hand=["Ulm"], rounds=4)
    assert "player 1 is to move: take the first card, or call the administrator before it" in texts(svg(game))
    assert "round 5" in texts(svg(game))
    assert "Ada is to move" in texts(svg(game, names=["Bob", "Ada"]))
    assert 'aria-label="Round 5. player 1 is to move: take' in svg(game)


def test_the_end_names_the_winner() -> None:
    game = played("south", 4)[-1]
    assert game.winner is not None
    shown = texts(svg(game))
    assert f"The game is over: player {game.winner} wins with {max(game.scores)} points" in shown
    for seat, rank in enumerate(game.ranks):
        assert f"player {seat} rank {rank}" in shown


def test_a_game_cut_off_may_have_no_single_winner() -> None:
    game = Game(2, "tiny", seed=1, max_rounds=1)
    while not game.over:
        game.play(game.legal[0])
    assert game.ranks == [1, 1]
    assert "The game was cut off: player 0 and player 1 share the lead with \N{MINUS SIGN}6 points" in texts(svg(game))


def test_routes_run_along_roads_side_by_side() -> None:
    game = position(
        3,
        "south",
        hand=["Linz"],
        phase="play",
        route=["Ulm", "Augsburg", "München"],
        others={1: Player(route=["Augsburg", "Ulm"]), 2: Player(route=["Basel"])},
    )
    (board,) = [block for block in game.picture().blocks if block.name == "map"]
    layout = map_layout(cast(ThurnUndTaxis, game.rules).board, 3)
    names = [city.name for city in cast(ThurnUndTaxis, game.rules).board.cities]
    root = ElementTree.fromstring(f"<g>{board.layers['routes']}</g>")
    lines = {seat: lines_of(root, f"line-{seat}") for seat in range(3)}
    assert [len(line) for line in lines.values()] == [2, 1, 0]
    # On the shared road the lines lie on both sides of its middle, elsewhere in the middle.
    ulm, augsburg, munich = (layout.cities[names.index(name)] for name in ("Ulm", "Augsburg", "München"))
    shared, other = lines[0][0], lines[1][0]
    middles = [((line[0][0] + line[1][0]) / 2, (line[0][1] + line[1][1]) / 2) for line in (shared, other)]
    road = (ulm[0] + augsburg[0]) / 2, (ulm[1] + augsburg[1]) / 2
    between = (middles[0][0] + middles[1][0]) / 2, (middles[0][1] + middles[1][1]) / 2
    assert between == pytest.approx(road, abs=0.2)
    assert sum((a - b) ** 2 for a, b in zip(*middles, strict=True)) ** 0.5 == pytest.approx(7, abs=0.3)
    assert lines[0][1] == pytest.approx([pytest.approx(augsburg, abs=0.1), pytest.approx(munich, abs=0.1)])
    # A single city is ringed.
    (ring,) = root.findall("circle")
    assert ring.get("class") == "frame-2"
    assert (float(ring.get("cx", 0)), float(ring.get("cy", 0))) == pytest.approx(
        layout.cities[names.index("Basel")], abs=0.1
    )


def lines_of(root: ElementTree.Element, style: str) -> list[list[tuple[float, float]]]:
    return [
        [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", line)]
        for found in root.findall("path")
        if found.get("class") == style
        for line in found.get("d", "").split("M")[1:]
    ]


def test_tiles_bear_the_houses_of_their_owners() -> None:
    def tiles(**taken: list[int]) -> str:
        game = position(2, "tiny", hand=["Ansbach"], tiles=taken)
        (block,) = [block for block in game.picture().blocks if block.name == "tiles"]
        return block.layers["tiles"]

    assert "house" not in tiles()
    assert tiles(Franken=[1, 0]).count("house seat-1") == tiles(Franken=[1, 0]).count("house seat-0") == 1


# What must not be shown


@pytest.mark.parametrize(("variant", "players"), [("tiny", 2), ("south", 4), ("north with horses", 4)])
def test_a_view_shows_nothing_that_its_seat_cannot_know(variant: str, players: int) -> None:
    for game in played(variant, players):
        for seat in range(players):
            drawn = svg(game.view(seat))
            assert all(svg(game.redeal(seat, seed).view(seat)) == drawn for seed in range(3))
            assert drawn == game.view(seat)._repr_svg_()


def test_hands() -> None:
    game = position(
        2, "south", hand=["Ulm", "Ulm"], others={1: Player(hand=["Lodz", "Linz", "Linz"], known=["Lodz"])}, phase="play"
    )

    def hand(drawn: Any, seat: int) -> list[str]:
        (block,) = [block for block in drawn.picture().blocks if block.name == f"player-{seat}"]
        return re.findall(">([^<>]+)</text>", block.layers["hand"])[1:]

    assert hand(game.view(0), 0) == ["Ulm", TWICE]
    assert hand(game.view(0), 1) == ["Lodz", "2 unseen"]
    assert hand(game.view(1), 0) == ["2 unseen"]
    assert hand(game.view(1), 1) == ["Linz", TWICE, "Lodz"]
    assert hand(game, 0) + hand(game, 1) == ["Ulm", TWICE, "Linz", TWICE, "Lodz"]


def test_backs_show_horses_where_they_are_open() -> None:
    def unseen(**options: bool) -> str:
        game = position(
            2, "north", horses=True, hand=["Berlin/1"], others={1: Player(hand=["Bremen/3", "Minden/3"])}, **options
        )
        (block,) = [block for block in game.view(0).picture().blocks if block.name == "player-1"]
        return " ".join(re.findall(">([^<>]+)</text>", block.layers["hand"])[1:])

    assert unseen() == "2 unseen 3"
    assert unseen(open_backs=False) == "2 unseen"


# The document


@pytest.mark.parametrize(("variant", "players"), VARIANTS)
def test_size_and_ground_are_the_same_in_all_positions(variant: str, players: int) -> None:
    pictures = [game.picture() for game in played(variant, players)]
    assert len({(picture.width, picture.height) for picture in pictures}) == 1
    assert pictures[0].width == 800
    assert pictures[0].height % 2 == 0
    assert len({tuple(tuple(block)[:5] for block in map(places, picture.blocks)) for picture in pictures}) == 1
    for layer in ("land", "roads", "cities"):
        assert len({picture.blocks[1].layers[layer] for picture in pictures}) == 1
    for one, other in combinations(pictures[0].blocks, 2):
        box, other_box = (Box(b.x, b.y, b.x + b.width, b.y + b.height) for b in (one, other))
        assert not box.overlap(other_box)


def places(block: Any) -> tuple[str, float, float, float, float]:
    return block.name, block.x, block.y, block.width, block.height


def test_themes() -> None:
    game = played("tiny", 2)[1]
    light, dark, both = (svg(game, theme=theme) for theme in ("light", "dark", "auto"))
    assert svg(game) == light == game._repr_svg_()
    assert THEMES["light"].ink in light
    assert THEMES["light"].ink not in dark
    assert THEMES["dark"].ink in dark
    assert "@media (prefers-color-scheme:dark)" in both
    for drawn in (light, dark, both):
        ElementTree.fromstring(drawn)
    # Style sheets within a page hold for the whole page.
    scopes = {re.search(r'class="(picture-\w+)"', drawn)[1] for drawn in (light, dark, both)}  # type: ignore[index]
    assert len(scopes) == 3
    for drawn in (light, dark):
        rules = re.findall(r"<style>(.*)</style>", drawn)[0].rstrip("}").split("}")
        assert all(re.match(r"\.picture-\w{8} ", rule) for rule in rules)
    with pytest.raises(OptionError, match="theme must be one of light, dark, auto, not 'blue'"):
        svg(game, theme="blue")


def luminance(colour: str) -> float:
    """The relative luminance of WCAG 2."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2, from 1 to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("name", THEMES)
def test_text_can_be_read(name: str) -> None:
    theme = THEMES[name]
    for ground in (theme.paper, theme.raised):
        assert contrast(theme.ink, ground) >= 7
        assert contrast(theme.muted, ground) >= 4.5
        assert all(contrast(seat, ground) >= 3 for seat in theme.seats)
    assert all(contrast(theme.on_seat, seat) >= 4.5 for seat in theme.seats)


def test_seats_differ_by_more_than_colour() -> None:
    assert len(set(LINE_PATTERNS)) == SEATS
    drawn = svg(played("south", 4)[-1])
    houses = re.findall(r'<path class="house seat-(\d)"[^>]*/><text[^>]*>(\d)</text>', drawn)
    assert {seat for seat, _ in houses} == set("0123")
    assert all(seat == digit for seat, digit in houses)


# Boards of one's own


def test_names_are_escaped(tmp_path: Path) -> None:
    name = "<b>&\"x'</b>"
    board = load_changed(tmp_path, several(put("provinces", 0, "name", "A<B"), *renamed("Hohenlohe", "A<B")))
    game = Game(2, board, seed=1)
    drawn = svg(game, names=[name, "]]>"])
    assert name in texts(drawn)
    assert "A<B" in texts(drawn)


def renamed(before: str, after: str) -> list[Any]:
    """Changes of every entry of the tiny board that names a province."""

    def change(data: Any) -> None:
        for city in data["cities"]:
            if city.get("province") == before:
                city["province"] = after
        for stack in data["stacks"]:
            stack["provinces"] = [after if name == before else name for name in stack.get("provinces", [])]
            if not stack["provinces"]:
                del stack["provinces"]

    return [change]


@pytest.mark.parametrize(
    "change", [many_cities(54), put("map", "height", 10_000), put("constants", "display_size", 17)]
)
def test_any_board_can_be_drawn(change: Any, tmp_path: Path) -> None:
    board: Board = load_changed(tmp_path, change)
    drawn = svg(Game(4, board, seed=1))
    assert len(ElementTree.fromstring(drawn)) > 2


def test_cities_in_a_row_make_a_flat_map(tmp_path: Path) -> None:
    def change(data: Any) -> None:
        for place, city in enumerate(data["cities"]):
            city["x"], city["y"] = 100 * place, 300

    layout = map_layout(load_changed(tmp_path, change), 2)
    assert 300 <= layout.height <= 400
    assert len({y for _, y in layout.cities}) == 1
