"""Playing cards: the route, a new route and the postal carrier (R2, R10 - R14)."""

from typing import Any

import pytest

from tests.positions import Player, all_cities_but, owned, play, position
from thurn_env import Game, IllegalAction


def plays(game: Game) -> set[str]:
    """The legal actions that lay a card."""
    return {action for action in game.legal if action.split()[0] in ("left", "right", "start")}


def at_play(**given: Any) -> Game:
    """A turn in which one card is drawn and no official has helped."""
    return position(phase="play", **given)


def test_r2_a_card_must_be_played() -> None:
    game = at_play(hand=["Basel"], route=["Ulm", "Kempten", "Augsburg"])
    assert plays(game) == {"start Basel"}
    for action in ("end", "close"):
        with pytest.raises(IllegalAction, match="play a card first"):
            game.play(action)


def test_r2_one_card_is_played() -> None:
    """R2, R13: a second one may be laid with the postal carrier, but the turn may end."""
    game = at_play(hand=["Basel", "Lodz"], route=["Ulm", "Kempten"])
    play(game, "start Basel")
    assert set(game.legal) == {"end"}
    assert (game.hand(0), owned(game)["hand_size"]) == ({"Lodz": 1}, 1)
    play(game, "end")
    assert (game.seat, owned(game)["route"]) == (1, ["Basel"])


def test_r2_only_cards_of_the_hand_are_played() -> None:
    game = at_play(hand=["Basel"], route=["Ulm", "Kempten"])
    with pytest.raises(IllegalAction, match="there is no Augsburg in the hand"):
        game.play("right Augsburg")


def test_r10_r11_a_card_joins_by_road_at_an_end() -> None:
    """The roads from Ulm at the left and from Kempten at the right; Nürnberg has none to either."""
    hand = ["Stuttgart", "Zürich", "Nürnberg", "Basel"]
    game = at_play(hand=hand, route=["Ulm", "Augsburg", "Kempten"])
    assert plays(game) == {
        "left Stuttgart",
        "right Zürich",
        *(f"start {name}" for name in hand),
    }
    with pytest.raises(IllegalAction, match="no road joins Nürnberg and Kempten"):
        game.play("right Nürnberg")
    with pytest.raises(IllegalAction, match="no road joins Zürich and Ulm"):
        game.play("left Zürich")


def test_r10_a_route_never_branches() -> None:
    """R10, R14: München lies at Augsburg, in the middle of the route."""
    game = at_play(hand=["München"], route=["Ulm", "Augsburg", "Kempten"])
    assert plays(game) == {"start München"}


def test_r11_a_card_may_fit_at_both_ends() -> None:
    """Augsburg has roads to Ulm and to Ingolstadt."""
    given: dict[str, Any] = {"hand": ["Augsburg"], "route": ["Ulm", "Stuttgart", "Ingolstadt"]}
    assert plays(at_play(**given)) == {"left Augsburg", "right Augsburg", "start Augsburg"}
    left = play(at_play(**given), "left Augsburg")
    assert owned(left)["route"] == ["Augsburg", "Ulm", "Stuttgart", "Ingolstadt"]
    right = play(at_play(**given), "right Augsburg")
    assert owned(right)["route"] == ["Ulm", "Stuttgart", "Ingolstadt", "Augsburg"]


def test_r11_no_city_twice() -> None:
    """R10, R11: Ulm has a road to Kempten and lies at the other end."""
    game = at_play(hand=["Ulm", "Augsburg"], route=["Ulm", "Augsburg", "Kempten"])
    assert plays(game) == {"start Ulm", "start Augsburg"}
    with pytest.raises(IllegalAction, match="Ulm is in the route already"):
        game.play("right Ulm")


def test_r11_a_route_of_one_card() -> None:
    game = at_play(hand=["Kempten", "Lodz"], route=["Ulm"])
    assert "right Kempten" in game.legal
    assert "right Lodz" not in game.legal
    play(game, "right Kempten")
    assert owned(game)["route"] == ["Ulm", "Kempten"]


@pytest.mark.parametrize(
    ("end", "fitting"),
    [
        ("Nürnberg", {"Ingolstadt", "Pilsen", "Regensburg", "Stuttgart", "Würzburg"}),
        ("Lodz", {"Pilsen"}),
        ("Basel", {"Freiburg", "Zürich"}),
    ],
)
def test_r11_every_road_and_no_other(end: str, fitting: set[str]) -> None:
    """R10, R11: what fits at a route of one card."""
    game = at_play(hand=all_cities_but(), route=[end])
    extensions = {action for action in plays(game) if not action.startswith("start")}
    assert extensions == {f"right {name}" for name in fitting}


def test_r12_the_first_card_starts_a_route() -> None:
    game = at_play(hand=["Ulm", "Kempten"])
    assert plays(game) == {"start Ulm", "start Kempten"}
    with pytest.raises(IllegalAction, match="there is no route yet"):
        game.play("right Ulm")
    play(game, "start Ulm")
    assert owned(game)["route"] == ["Ulm"]
    assert game.public()["discard"] == {}


def test_r12_a_new_route_although_a_card_would_fit() -> None:
    """The old route of four cities goes without score; nothing else changes."""
    game = at_play(hand=["Zürich"], route=["Stuttgart", "Ulm", "Augsburg", "Kempten"], carriage=3)
    assert "right Zürich" in game.legal
    play(game, "start Zürich")
    mine = owned(game)
    assert (mine["route"], mine["houses"], mine["carriage"], mine["tiles"]) == (["Zürich"], [], 3, [])
    assert game.public()["discard"] == {"Stuttgart": 1, "Ulm": 1, "Augsburg": 1, "Kempten": 1}
    assert game.scores[0] == 2 - 20


def test_r12_a_city_of_the_old_route_may_start_the_new_one() -> None:
    game = at_play(hand=["Ulm"], route=["Ulm", "Kempten"])
    play(game, "start Ulm")
    assert owned(game)["route"] == ["Ulm"]
    assert game.public()["discard"] == {"Ulm": 1, "Kempten": 1}


def test_r12_the_cities_of_the_old_route_fit_again() -> None:
    """R11, R12: Kempten has gone with the old route, and so it may be laid at Zürich."""
    game = at_play(hand=["Zürich", "Kempten"], route=["Ulm", "Kempten"])
    play(game, "start Zürich")
    assert set(game.legal) == {"right Kempten", "end"}
    play(game, "right Kempten")
    assert owned(game)["route"] == ["Zürich", "Kempten"]


# The postal carrier


def test_r13_the_postal_carrier_lays_a_second_card() -> None:
    game = at_play(hand=["Zürich", "Stuttgart", "Basel"], route=["Ulm", "Kempten"])
    play(game, "right Zürich")
    assert set(game.legal) == {"left Stuttgart", "right Basel", "end", "close"}
    play(game, "left Stuttgart")
    assert owned(game)["route"] == ["Stuttgart", "Ulm", "Kempten", "Zürich"]


def test_r13_there_is_no_third_card() -> None:
    """R4, R13: Basel would fit at Zürich."""
    game = at_play(hand=["Zürich", "Stuttgart", "Basel"], route=["Ulm", "Kempten"])
    play(game, "right Zürich", "left Stuttgart")
    assert set(game.legal) == {"end", "close"}
    with pytest.raises(IllegalAction, match="only one official helps per turn"):
        game.play("right Basel")


def test_r13_the_second_card_starts_no_route() -> None:
    game = at_play(hand=["Zürich", "Lodz"], route=["Ulm", "Kempten"])
    play(game, "right Zürich")
    with pytest.raises(IllegalAction, match="the second card of a turn must extend the route"):
        game.play("start Lodz")


def test_r13_the_first_card_may_have_started_the_route() -> None:
    """R12, R13: with or without an old one."""
    for route in ([], ["Ulm", "Kempten"]):
        game = at_play(hand=["Lodz", "Pilsen"], route=route)
        play(game, "start Lodz")
        assert set(game.legal) == {"right Pilsen", "end"}
        play(game, "right Pilsen")
        assert owned(game)["route"] == ["Lodz", "Pilsen"]


def test_r13_the_second_card_extends_the_route_as_it_now_stands() -> None:
    """Augsburg fitted at Kempten before, and Basel fits at Zürich only now."""
    game = at_play(hand=["Zürich", "Basel", "Augsburg"], route=["Stuttgart", "Sigmaringen", "Kempten"])
    assert plays(game) == {"right Zürich", "right Augsburg", "start Zürich", "start Basel", "start Augsburg"}
    play(game, "right Zürich")
    assert set(game.legal) == {"right Basel", "end", "close"}
    with pytest.raises(IllegalAction, match="no road joins Augsburg and Zürich"):
        game.play("right Augsburg")


def test_r13_the_second_copy_of_a_card_does_not_fit() -> None:
    game = at_play(hand={"Kempten": 2}, route=["Ulm"])
    play(game, "right Kempten")
    assert set(game.legal) == {"end"}


def test_r4_r13_no_postal_carrier_when_an_official_has_helped() -> None:
    game = position(phase="play", official_used=True, hand=["Zürich", "Stuttgart"], route=["Ulm", "Kempten"])
    play(game, "right Zürich")
    assert set(game.legal) == {"end", "close"}


def test_r4_r13_no_cartwright_after_the_postal_carrier() -> None:
    """R4, R25: the route of four is one city short of carriage 5."""
    game = at_play(hand=["Zürich", "Stuttgart"], route=["Ulm", "Kempten"], carriage=4)
    play(game, "right Zürich", "left Stuttgart", "close", "fill Schweiz")
    assert (game.seat, owned(game)["carriage"]) == (1, 4)


# What does not matter


def test_r14_neither_provinces_nor_houses_matter_for_laying() -> None:
    """Own houses everywhere but in two cities, houses of the other player, and a road across provinces."""
    game = at_play(
        hand=["Zürich", "Stuttgart"],
        route=["Ulm", "Kempten"],
        houses=all_cities_but("Lodz", "Linz"),
        others={1: Player(houses=["Zürich", "Ulm"])},
    )
    assert plays(game) == {"left Stuttgart", "right Zürich", "start Zürich", "start Stuttgart"}


def test_r14_one_province_does_not_make_neighbours() -> None:
    """Mannheim and Freiburg are both in Baden, without a road."""
    assert plays(at_play(hand=["Freiburg"], route=["Mannheim"])) == {"start Freiburg"}


def test_r14_nothing_is_inserted() -> None:
    """Würzburg has roads to Stuttgart and to Nürnberg, which lie side by side."""
    game = at_play(hand=["Würzburg"], route=["Ulm", "Stuttgart", "Nürnberg", "Regensburg"])
    assert plays(game) == {"start Würzburg"}
