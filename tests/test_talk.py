"""Prompts: what a seat sees in words, with all that it needs and nothing that it cannot know."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice

import pytest

from thurn_env.errors import OptionError
from thurn_env.games import make_rules
from thurn_env.games.contract import GameRules
from thurn_env.players.agent import ScriptedAgent
from thurn_env.players.match import run_match
from thurn_env.table.game import Game, View
from thurn_env.talk import briefing, legal_list, position, prompt

LONGEST = 2_800
"""Characters of a prompt on the south board, which are 700 to 800 tokens."""
TABLES = (
    ("thurn_und_taxis", "south"),
    ("thurn_und_taxis", "north"),
    ("zug_um_zug_deutschland", "germany"),
    ("example", "standard"),
)


@cache
def positions(game: str, board: str, players: int, bot: str, seed: int, **options: bool) -> tuple[Game, ...]:
    """All positions of a game of a scripted bot against itself, in which there is a choice."""
    rules = make_rules(game, players, board, **options)
    found: list[Game] = []

    def look(moment: Game, move: str) -> None:
        if len(moment.legal) > 1:
            found.append(moment.copy())

    run_match(rules, [ScriptedAgent(bot)] * players, seed, on_move=look)
    return tuple(found)


def some_views(game: str, board: str, bot: str = "random", count: int = 40) -> Iterator[View]:
    """Views of the seats to move, spread over a game."""
    moments = positions(game, board, 2, bot, 5)
    step = max(1, len(moments) // count)
    return (moment.view() for moment in islice(moments, 0, None, step))


@pytest.mark.parametrize(
    ("bot", "players"), [("random", 2), ("greedy", 2), ("heuristic", 2), ("greedy", 3), ("heuristic", 4)]
)
def test_prompts_on_the_south_board_are_short(bot: str, players: int) -> None:
    lengths = [
        len(prompt(moment.view()))
        for seed in range(4)
        for moment in positions("thurn_und_taxis", "south", players, bot, seed)
    ]
    assert len(lengths) > 200
    assert max(lengths) <= LONGEST


def test_the_briefing_names_provinces_and_every_road_once() -> None:
    rules = make_rules("thurn_und_taxis", 2, "south")
    text = briefing(rules)
    map_lines = text.partition("each named once)\n")[2]
    cities = dict[str, str]()
    for line in map_lines.splitlines():
        province, _, listed = line.partition(": ")
        for entry in listed.split(", "):
            cities[entry.partition(" (")[0]] = province
    assert cities == {city.name: city.province for city in rules.board.cities}
    for one, other in rules.board.roads:
        found = sum(
            there in entry.rstrip(")").partition(" (")[2].split()
            for line in map_lines.splitlines()
            for entry in line.partition(": ")[2].split(", ")
            for here, there in ((one, other), (other, one))
            if entry.partition(" (")[0] == here
        )
        assert found == 1, (one, other)


def test_the_briefing_names_every_track() -> None:
    rules = make_rules("zug_um_zug_deutschland", 2, "germany")
    text = briefing(rules)
    assert all(f"{pair.name} {'/'.join(pair.colours)} ({pair.length})" in text for pair in rules.board.pairs)


def test_a_game_without_words_of_its_own_is_described_by_what_every_game_offers() -> None:
    rules = make_rules("example", 2)
    view = Game.from_rules(rules, 1).view()
    assert rules.about() in briefing(rules)
    assert "send your coach off" in briefing(rules)
    assert position(view) == view.text


@pytest.mark.parametrize(
    ("options", "present", "absent"),
    [
        ({}, "carriage 3/4/5/6/7 (2/3/5/7/10 points)", "harness"),
        ({"horses": True}, "harness a card for its 1-3 horses", "cartwright"),
    ],
)
def test_the_briefing_follows_the_options(options: dict[str, bool], present: str, absent: str) -> None:
    text = briefing(make_rules("thurn_und_taxis", 2, "north", **options))
    assert present in text
    assert absent not in text
    assert "one house in a free city" in text


def tile_values(text: str) -> list[int]:
    """The values in `5..2` or `3/2`."""
    first, _, last = text.partition("..")
    return list(range(int(first), int(last) - 1, -1)) if last else [int(value) for value in text.split("/")]


def test_the_position_names_all_that_a_seat_needs() -> None:
    for view in some_views("thurn_und_taxis", "south"):
        text, table = position(view), view.game.public()
        own = table["players"][view.seat]
        assert f"You are player {view.seat};" in text
        assert (
            f"Display: {', '.join(name or '(empty)' for name in table['display'])}; deck {table['deck_size']}" in text
        )
        assert f"route {'-'.join(own['route']) or 'none'}; " in text
        hand = text.partition("You: ")[2].partition("; hand ")[2].partition("\n")[0]
        assert sorted(word.lstrip("0123456789 ") for word in hand.split(", ") if word != "-") == sorted(view.hand)
        for name, left in table["stacks"].items():
            if left and not name.startswith("distance"):
                values = text.partition("Tiles left, ")[2].partition(f"{name.replace(' and ', '+')} ")[2]
                assert tile_values(re.split("[;\n]", values)[0]) == left


def test_houses_in_most_cities_are_named_by_those_without() -> None:
    moments = positions("thurn_und_taxis", "south", 2, "greedy", 0)
    views = [moment.view() for moment in moments]
    cities = [city.name for city in views[0].game.rules.board.cities]
    forms = set()
    for view in views:
        houses = view.game.public()["players"][view.seat]["houses"]
        listed = position(view).partition("houses in ")[2].partition("; hand")[0]
        if listed.startswith("all cities"):
            without = listed.removeprefix("all cities").removeprefix(" but ").split(", ")
            assert [city for city in cities if city not in without] == houses
            forms.add("without")
        else:
            assert listed.split(", ") == (houses or ["no city"])
            forms.add("with")
    assert forms == {"with", "without"}


@pytest.mark.parametrize(("game", "board"), TABLES)
def test_legal_actions_are_numbered_from_one_unless_they_have_numbers(game: str, board: str) -> None:
    for view in some_views(game, board):
        listed, legal = legal_list(view), list(view.legal)
        if any(letter.isdecimal() for action in legal for letter in action):
            assert listed == ", ".join(legal)
            continue
        found: list[str] = []
        for group in listed.split("; "):
            verb, colon, entries = group.partition(": ")
            for entry in entries.split(", ") if colon else [group]:
                number, _, rest = entry.partition(" ")
                found.append(f"{verb} {rest}" if colon else rest)
                assert int(number) == len(found)
        assert found == legal


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize(("game", "board"), TABLES)
def test_a_prompt_is_the_same_for_all_deals_that_a_seat_cannot_tell_apart(game: str, board: str, players: int) -> None:
    moments = positions(game, board, players, "random", 3)
    for moment in moments[:: max(1, len(moments) // 15)]:
        for seat in range(players):
            texts = {position(View(seat, moment.redeal(seat, deal))) for deal in range(4)}
            assert len(texts) == 1
        texts = {prompt(View(moment.seat, moment.redeal(moment.seat, deal))) for deal in range(4)}
        assert texts == {prompt(moment.view())}


def test_a_seat_that_waits_and_a_finished_game_have_a_position() -> None:
    for game, board in TABLES[:3]:
        rules: GameRules = make_rules(game, 2, board)
        new = Game.from_rules(rules, 1)
        assert f"Player {new.seat} is to move." in position(new.view(1 - new.seat))
        over = run_match(rules, [ScriptedAgent("random")] * 2, 1)
        assert "The game is over." in position(over.view(0))
        with pytest.raises(OptionError, match="the game is over; there is nothing to decide"):
            prompt(over.view(0))
        if "zug" in game:
            assert all(str(score) in position(over.view(0)).rpartition("Scores:")[2] for score in over.scores)
