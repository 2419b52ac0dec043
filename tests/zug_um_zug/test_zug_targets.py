"""The places of a picture that stand for actions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import cast

import pytest

from tests.zug_um_zug.positions import GAME, position
from tests.zug_um_zug.test_zug_pictures import TABLES, block, played
from thurn_env import Game
from thurn_env.drawing.elements import Point
from thurn_env.drawing.picture import Block, Target
from thurn_env.games.zug_um_zug_deutschland.board.shipped import board_names, load_board
from thurn_env.games.zug_um_zug_deutschland.game import ZugUmZugDeutschland
from thurn_env.games.zug_um_zug_deutschland.show.map_layout import map_layout
from thurn_env.serve.targets import targets_svg


def corners(target: Target) -> list[Point]:
    """Where the corners of a target lie once it is turned."""
    middle = target.x + target.width / 2, target.y + target.height / 2
    turn = math.radians(target.angle)
    halves = [(side * target.width / 2, down * target.height / 2) for side in (-1, 1) for down in (-1, 1)]
    return [
        (
            middle[0] + x * math.cos(turn) - y * math.sin(turn),
            middle[1] + x * math.sin(turn) + y * math.cos(turn),
        )
        for x, y in halves
    ]


def under(drawn: Block, place: Point) -> Target | None:
    """The target that a click on a place meets: the last one that holds it."""
    found = None
    for target in drawn.targets:
        right, down = place[0] - target.x - target.width / 2, place[1] - target.y - target.height / 2
        turn = math.radians(target.angle)
        along = right * math.cos(turn) + down * math.sin(turn)
        across = down * math.cos(turn) - right * math.sin(turn)
        if abs(along) <= target.width / 2 and abs(across) <= target.height / 2:
            found = target
    return found


def positions(board: str, players: int) -> Iterator[Game]:
    """A game of greedy bots, decision by decision for a while."""
    for game in played(board, players):
        twin, bot = game.copy(), game.rules.bots.index("greedy")
        for _ in range(12):
            if twin.over:
                break
            yield twin
            twin.play(twin.rules.bot_action(twin.states, 0, bot, twin.states[0]["generator"].copy()))


@pytest.mark.parametrize(("board", "players"), TABLES)
def test_every_action_has_a_place(board: str, players: int) -> None:
    seen = set()
    for game in positions(board, players):
        picture = game.view().picture()
        meant = {action for part in picture.blocks for target in part.targets for action in target.actions}
        assert set(game.legal) - {"pass"} <= meant, game.phase
        seen.add(game.phase)
        for part in picture.blocks:
            for x, y in (corner for target in part.targets for corner in corners(target)):
                assert 0 <= x <= part.width
                assert 0 <= y <= part.height
    assert seen >= {"mix", "ticket", "turn", "second_card", "passenger"}


@pytest.mark.parametrize("board", board_names())
def test_every_space_of_a_track_means_its_claim(board: str) -> None:
    """But for the outermost spaces of long tracks: where several tracks set out from a place, they overlap."""
    facts = load_board(board)
    drawn = block(position(2, board), "map")
    for track in map_layout(facts, drawn.height).tracks:
        length = facts.pairs[track.pair].length
        for space in range(1, length - 1) if length > 3 else range(length):
            part = (space + 0.5) / length
            x, y = (one + part * (other - one) for one, other in zip(track.start, track.end, strict=True))
            found = under(drawn, (x, y))
            assert found is not None
            assert found.actions == (f"claim {facts.pairs[track.pair].name} {track.colour}",)


def test_of_equal_tracks_those_that_are_free_mean_the_claim() -> None:
    """P6: they are one claim; G11: with four players the second of two can still be claimed."""
    pair = "Düsseldorf-Köln"
    free = [target for target in block(position(4), "map").targets if target.actions == (f"claim {pair} grey",)]
    assert len(free) == load_board("germany").pairs[track_pair(pair)].colours.count("grey") > 1
    taken = block(position(4, tracks=[f"{pair} grey"]), "map").targets
    assert [target for target in taken if target.actions == (f"claim {pair} grey",)] == free[1:]


def track_pair(name: str) -> int:
    return [pair.name for pair in load_board("germany").pairs].index(name)


def test_passengers_are_taken_where_they_stand_and_in_their_row() -> None:
    game = position(2, hand={"blue": 7}, waiting={"Hamburg": ["red", "blue", "blue"], "Berlin": ["white"]})
    rules = cast(ZugUmZugDeutschland, game.rules)
    assert not [target for target in block(game, "map").targets if not target.actions[0].startswith("claim")]
    game.play("claim Berlin-Hamburg blue")
    while "Hamburg" not in game.view().text.split("to decide: ")[1]:
        game.play("leave")
    drawn = block(game, "map", 0)
    there = [target.actions for target in drawn.targets if not target.actions[0].startswith("claim")]
    # The name and the ring around the place ask which; every passenger means itself.
    assert there[:2] == [("passenger red", "passenger blue", "leave")] * 2
    assert sorted(there[2:]) == [("passenger blue",), ("passenger blue",), ("passenger red",)]
    rows = [target.actions for target in block(game, "passengers", 0).targets]
    assert rows == [(f"passenger {colour}",) for colour in rules.board.passenger_colours]


def test_cards_of_the_own_hand_pay() -> None:
    game = position(2, hand={"blue": 2, "red": 2, "locomotive": 2})
    game.play("claim Augsburg-München grey")
    (red,) = [target for target in block(game, "player-0", 0).targets if "with red" in target.actions]
    assert red.actions == ("with red",)
    game.play("with red")
    (locomotive,) = [target for target in block(game, "player-0", 0).targets if "with locomotive" in target.actions]
    assert {action for action in game.legal if action in locomotive.actions} == set(game.legal)
    assert block(game, "player-0", 1).targets == ()
    assert block(game, "player-1", 0).targets == ()


def test_tickets_to_choose_from_come_first_and_can_be_clicked() -> None:
    tickets = [ticket.name for ticket in load_board("germany").long_tickets[:20]]
    game = position(2, tickets=tickets)
    game.play("tickets")
    game.play(game.legal[0])
    offered = [target.actions for target in block(game, "player-0", 0).targets if target.actions[0].startswith("keep")]
    assert len(offered) == load_board("germany").constants.tickets_drawn
    assert any(set(game.legal) <= set(actions) for actions in offered)
    assert not [target for target in block(game, "player-0", 1).targets if target.actions[0].startswith("keep")]


def test_a_track_is_framed_along_its_line() -> None:
    game = Game(2, "tiny_rails", game=GAME, seed=1)
    drawn = block(game, "map")
    target = next(target for target in drawn.targets if target.angle % 90)
    svg = targets_svg(drawn, target.actions)
    assert f"<title>{target.actions[0]}</title>" in svg
    assert f'transform="rotate({target.angle:.1f} '.replace(".0 ", " ") in svg
