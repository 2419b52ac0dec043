"""Pictures of positions: what they show, what they must not show, and that nothing lies on anything else."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations
from typing import cast
from xml.etree import ElementTree

import pytest

from tests.drawings import outside, overlapping, texts, writings
from tests.zug_um_zug.positions import GAME, Player, position
from thurn_env import Game
from thurn_env.drawing.labels import Box
from thurn_env.drawing.picture import Block
from thurn_env.drawing.writing import text_width
from thurn_env.engine.generator import seeded
from thurn_env.games.zug_um_zug_deutschland.board.shipped import board_names, load_board
from thurn_env.games.zug_um_zug_deutschland.game import ZugUmZugDeutschland
from thurn_env.games.zug_um_zug_deutschland.show import map_layout as layouts
from thurn_env.games.zug_um_zug_deutschland.show.map_layout import map_layout
from thurn_env.show import svg

TABLES = [("tiny_rails", 2), ("tiny_rails", 5), ("germany", 2), ("germany", 5)]
MOVES = (0, 9, 60, 130, 100_000)
"""How many moves into a game the pictures are looked at."""
MINUS = "\N{MINUS SIGN}"


@cache
def played(board: str, players: int) -> tuple[Game, ...]:
    """A game of greedy bots after every number of `MOVES`."""
    game = Game(players, board, game=GAME, seed=11)
    positions, bot, generator = [], game.rules.bots.index("greedy"), seeded(3)
    for stop in MOVES:
        while not game.over and len(game.moves) < stop:
            game.play(game.rules.bot_action(game.states, 0, bot, generator))
        positions.append(game.copy())
    return tuple(positions)


def block(drawn: Game, name: str, seat: int | None = None) -> Block:
    """A block of the picture that a seat sees, or of the open one."""
    (found,) = [part for part in (drawn if seat is None else drawn.view(seat)).picture().blocks if part.name == name]
    return found


def words(layer: str) -> list[str]:
    """The lines of text of a layer."""
    return re.findall(">([^<>]+)</text>", layer)


# Nothing lies on anything else


@pytest.mark.parametrize("board", board_names())
def test_names_of_the_map_are_clear_of_each_other_and_of_places(board: str) -> None:
    facts = load_board(board)
    layout = map_layout(facts)
    names = [label.box for label in layout.labels]
    marks = [Box.around(at, 2 * radius, 2 * radius) for at, radius in zip(layout.places, layout.radii, strict=True)]
    marks += [Box.around(point, 7, 7) for _, point in layout.terminals]
    frame = Box(0, 0, layouts.WIDTH, layout.height)
    assert not [(one, other) for one, other in combinations(names, 2) if one.overlap(other) > 0]
    assert not [(name, mark) for name in names for mark in marks if name.overlap(mark) > 0.5]
    assert not [box for box in [*names, *marks] if box.outside(frame) > 1e-6]
    for place, name in zip(facts.places, names, strict=True):
        assert name.right - name.left >= text_width(place.name, layouts.NAME_SIZE) - 1e-6


@pytest.mark.parametrize("board", board_names())
def test_places_and_tracks_side_by_side_do_not_touch(board: str) -> None:
    facts = load_board(board)
    layout = map_layout(facts)
    for (one, at), (other, there) in combinations(enumerate(layout.places), 2):
        gap = ((at[0] - there[0]) ** 2 + (at[1] - there[1]) ** 2) ** 0.5
        assert gap > layout.radii[one] + layout.radii[other], (facts.places[one].name, facts.places[other].name)
    for track, beside in combinations(layout.tracks, 2):
        if track.pair == beside.pair:
            gap = ((track.start[0] - beside.start[0]) ** 2 + (track.start[1] - beside.start[1]) ** 2) ** 0.5
            assert gap >= layouts.PITCH - 1e-6
    # Every space of a track is longer than it is broad.
    for track in layout.tracks:
        length = ((track.start[0] - track.end[0]) ** 2 + (track.start[1] - track.end[1]) ** 2) ** 0.5
        assert length / facts.pairs[track.pair].length > 10, facts.pairs[track.pair].name


@pytest.mark.parametrize("opened", [False, True], ids=["view", "open"])
@pytest.mark.parametrize(("board", "players"), TABLES)
def test_no_text_lies_on_another_or_leaves_the_picture(board: str, players: int, opened: bool) -> None:
    for game in played(board, players):
        drawn = svg(game if opened else game.view(0))
        # Badges on tracks have a number each and may come close to one another.
        found = [writing for writing in writings(drawn) if "on-seat" not in writing.classes]
        assert not overlapping(found)
        assert not outside(drawn, found)


def test_much_of_everything_fits() -> None:
    rules = cast(ZugUmZugDeutschland, played("germany", 2)[0].rules)
    hand = dict.fromkeys(rules.kinds, 9)
    tickets = [ticket.name for ticket in rules.board.long_tickets[:20]]
    game = position(2, hand=hand, tickets=tickets, others={1: Player(tracks=["Berlin-Hamburg blue"])})
    drawn = svg(game, names=["W" * 80, "b"])
    found = writings(drawn)
    assert not overlapping(found)
    assert not outside(drawn, found)
    assert set(tickets) <= set(texts(drawn).splitlines())


# What is shown


@pytest.mark.parametrize(("board", "players"), TABLES)
def test_everything_that_lies_open_is_shown(board: str, players: int) -> None:
    for game in played(board, players):
        table, rules = game.public(), cast(ZugUmZugDeutschland, game.rules)
        drawn = svg(game.view(1), names=[f"Agent {seat}" for seat in range(players)])
        shown = texts(drawn).split("\n")
        for place in rules.board.places:
            assert place.name in shown
        market = block(game, "market", 1).layers
        assert words(market["display"]) == [card for card in table["display"] if card is not None]
        assert words(market["deck"]) == [str(table["deck_size"]), "deck"]
        assert words(market["discards"]) == [str(sum(table["discard"].values())), "discards"]
        for pile, number in table["piles"].items():
            assert words(market[f"{pile} tickets"]) == [str(number), f"{pile} tickets"]
        board_layers = block(game, "map", 1).layers
        for place_name, waiting in table["waiting"].items():
            assert board_layers[f"passengers in {place_name}"].count("<path") == sum(waiting.values())
        counts = words(block(game, "passengers", 1).layers["counts"])
        by_colour = [
            str(player["passengers"].get(colour, 0))
            for colour in rules.board.passenger_colours
            for player in table["players"]
        ]
        assert counts == [*by_colour, *(str(player["passenger_points"]) for player in table["players"])]
        lengths = {claim.name: rules.board.pairs[claim.pair].length for claim in rules.tracks.claims}
        for seat, player in enumerate(table["players"]):
            assert any(line.startswith(f"Agent {seat}") for line in shown)
            assert words(block(game, f"player-{seat}", 1).layers["trains"]) == [str(player["trains"])]
            trains = board_layers[f"trains of {seat}"]
            for style in ("train", f"seat-{seat}"):
                drawn = "".join(re.findall(f'<path class="{style}" d="([^"]*)"', trains))
                assert drawn.count("Z") == sum(lengths[track] for track in player["tracks"])
            assert words(trains) == [str(seat)] * len(player["tracks"])


def test_who_is_to_move_and_what_for() -> None:
    game = position(2, seat=1, hand={"blue": 7}, rounds=4, waiting={"Hamburg": ["red", "blue"], "Berlin": ["white"]})
    assert "player 1 is to move: draw a card, claim a track or draw tickets" in texts(svg(game))
    assert "round 5" in texts(svg(game))
    assert block(game, "map").layers["asked"] == ""
    game.play("claim Berlin-Hamburg blue")
    assert "Ada is to move: take a passenger, or leave them (in Berlin)" in texts(svg(game, names=["Bob", "Ada"]))
    layout = map_layout(load_board("germany"))
    at = layout.places[load_board("germany").place_index("Berlin")]
    assert f'class="frame-1" cx="{at[0]:.1f}"'.removesuffix(".0") in block(game, "map").layers["asked"]


def test_the_track_that_is_being_paid_for_is_framed() -> None:
    game = position(2, hand={"blue": 2, "red": 2})
    game.play("claim Augsburg-München grey")
    asked = block(game, "map").layers["asked"]
    assert asked.count("<path") == 2
    assert asked.count("frame-0") == 2


def test_equal_tracks_of_a_pair_bear_the_trains_of_different_players() -> None:
    grey = "Düsseldorf-Köln grey"
    game = position(4, tracks=[grey], others={1: Player(tracks=[grey]), 2: Player(tracks=[grey])})
    layers = block(game, "map").layers
    trains = {layers[f"trains of {seat}"].split(' d="')[1].split('"')[0] for seat in range(3)}
    assert len(trains) == 3
    assert layers["trains of 3"] == ""


def test_tracks_that_nobody_can_claim_any_more_are_faint() -> None:
    """G11: with up to three players the first claim closes the other tracks of the pair."""
    track = "Dortmund-Düsseldorf grey"
    assert block(position(3, tracks=[track]), "map").layers["closed"].count("<path") == 2
    assert block(position(4, tracks=[track]), "map").layers["closed"] == ""
    assert block(position(3, tracks=["Berlin-Dresden green"]), "map").layers["closed"] == ""


def test_the_end_names_the_winners() -> None:
    game = played("germany", 5)[-1]
    assert game.winner is not None
    shown = texts(svg(game.view(0)))
    assert f"The game is over: player {game.winner} wins with {max(game.scores)} points" in shown
    for seat, rank in enumerate(game.ranks):
        assert f"player {seat} rank {rank}" in shown
        assert str(game.scores[seat]).replace("-", MINUS) in shown


def test_shared_victory() -> None:
    """G16: nobody has tickets, tracks or passengers, so all share the lead when the game is cut off."""
    game = position(3, rounds=0, max_rounds=1)
    while not game.over:
        game.play("draw")
    assert game.ranks == [1, 1, 1]
    points = game.scores[0]
    shown = texts(svg(game))
    assert f"The game was cut off: player 0 and player 1 and player 2 share the lead with {points} points" in shown


# What must not be shown


@pytest.mark.parametrize(("board", "players"), [("tiny_rails", 3), ("germany", 2), ("germany", 5)])
def test_a_view_shows_nothing_that_its_seat_cannot_know(board: str, players: int) -> None:
    for game in played(board, players):
        for seat in range(players):
            drawn = svg(game.view(seat))
            assert all(svg(game.redeal(seat, seed).view(seat)) == drawn for seed in range(3))
            assert drawn == game.view(seat)._repr_svg_()


def test_hands_and_tickets() -> None:
    long, short = "Berlin-München", "Berlin-Leipzig"
    game = position(
        2,
        hand={"blue": 2, "locomotive": 1},
        tickets=[short, long],
        tracks=["Berlin-Leipzig orange"],
        others={1: Player(hand=["red", "red", "green"], known=["red"], tickets=["Hamburg-Rostock"])},
    )
    twice = "\N{MULTIPLICATION SIGN}2"

    def layer(seat: int, viewer: int | None, name: str) -> list[str]:
        return words(block(game, f"player-{seat}", viewer).layers[name])

    assert layer(0, 0, "hand") == ["hand", "blue", twice, "locomotive"]
    assert layer(1, 0, "hand") == ["hand", "red", "2 unseen"]
    assert layer(1, 1, "hand") == layer(1, None, "hand") == ["hand", "green", "red", twice]
    assert layer(0, 0, "tickets") == layer(0, None, "tickets") == ["4", short, "15", long]
    assert block(game, "player-0", 0).layers["tickets"].count('"tick"') == 1
    assert layer(0, 1, "tickets") == ["tickets: 1 short, 1 long"]
    assert layer(1, 0, "tickets") == ["tickets: 1 short, 0 long"]
    # 7 points for a track of 4; 4 for a ticket, 15 against; others cannot know that.
    assert layer(0, 0, "score") == [f"{MINUS}4"]
    assert layer(0, 0, "sources") == [f"tracks 7 + passengers 0 {MINUS} tickets 11"]
    assert layer(0, 1, "score") == ["7"]
    assert layer(0, 1, "sources") == ["tracks 7 + passengers 0 + tickets ?"]
    # With everything open the Globetrotter is known, too.
    assert layer(0, None, "score") == ["11"]
    assert layer(0, None, "sources") == [f"tracks 7 + passengers 0 {MINUS} tickets 11 + Globetrotter 15"]


def test_tickets_to_choose_from_are_shown_to_who_chooses() -> None:
    game = Game(2, "germany", game=GAME, seed=4, start_player=0)
    game.play("long 2")
    offered = [name for name in game.view(0).hand if "-" in name]
    assert len(offered) == 4
    own = words(block(game, "player-0", 0).layers["tickets"])
    assert own.count("?") == 4
    assert all(name in own for name in offered)
    assert words(block(game, "player-0", 1).layers["tickets"]) == ["tickets: 0 short, 0 long"]


# The document


@pytest.mark.parametrize(("board", "players"), TABLES)
def test_size_and_ground_are_the_same_in_all_positions(board: str, players: int) -> None:
    pictures = [game.picture() for game in played(board, players)]
    assert len({(picture.width, picture.height) for picture in pictures}) == 1
    assert pictures[0].width == 800
    assert pictures[0].height % 2 == 0
    assert len({tuple((b.name, b.x, b.y, b.width, b.height, *b.layers) for b in p.blocks) for p in pictures}) == 1
    for layer in ("tracks", "places"):
        assert len({picture.blocks[1].layers[layer] for picture in pictures}) == 1
    for one, other in combinations(pictures[0].blocks, 2):
        box, other_box = (Box(b.x, b.y, b.x + b.width, b.y + b.height) for b in (one, other))
        assert not box.overlap(other_box), (one.name, other.name)


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
@pytest.mark.parametrize("board", board_names())
def test_every_style_that_is_used_is_given(board: str, theme: str) -> None:
    for game in played(board, 5):
        drawn = svg(game, theme=theme)
        root = ElementTree.fromstring(drawn)
        used = {name for element in root.iter() for name in element.get("class", "").split()}
        given = set(re.findall(r"\.([a-z]+(?:-\w+)*)\{", drawn)) | {root.get("class")}
        assert used <= given
