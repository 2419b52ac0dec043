"""The engine against the oracle, a second and independent reading of the rules, decision by decision."""

from __future__ import annotations

import tomllib
from collections import Counter
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any

import pytest

from tests.oracle import Oracle
from tests.variants import WHOLE_GAMES, board_and_options
from thurn_env import Game, Record, make_rules
from thurn_env.games.thurn_und_taxis.board.shipped import SHIPPED
from thurn_env.players.match import play_scripted

ORACLE_PHASES = {
    "draw again": "second_draw",
    "draw or play": "play",
    "finish": "end",
}
"""The oracle's names of phases where they differ from the engine's."""

LOOK_EVERY = 5
"""After so many decisions the whole table is compared, not only the legal actions."""


@cache
def board_data(name: str) -> dict[str, Any]:
    """The board file as plain data: the oracle does not read it through the package."""
    return tomllib.loads((SHIPPED / f"{name}.toml").read_text("utf-8"))


def oracle_of(record: Record) -> Oracle:
    """The oracle at the start of a recorded game."""
    return Oracle(
        board_data(record.board),
        record.players,
        record.start_player,
        record.chance["decks"],
        record.options,
    )


def with_sorted_tiles(public: dict[str, Any]) -> dict[str, Any]:
    """The oracle lists tiles as they were taken, the engine by stack."""
    for player in public["players"]:
        player["tiles"] = sorted((tile["stack"], tile["value"]) for tile in player["tiles"])
    return public


def shared_part(public: dict[str, Any]) -> dict[str, Any]:
    """The part of `Game.public` that the oracle tells too. The oracle speaks of horses where there are none, too."""
    shared = {key: public[key] for key in ("display", "deck_size", "discard")}
    keys = ("hand_size", "route", "houses", "houses_left", "carriage", "horses", "harnessed", "tiles")
    without = {"horses": 0, "harnessed": {}}
    shared["players"] = [{key: (without | player)[key] for key in keys} for player in public["players"]]
    return with_sorted_tiles(shared)


def assert_same_table(game: Game, public: dict[str, Any], oracle: Oracle, where: str) -> None:
    """Everything that lies open, all hands, and the scores and ranks as they stand."""
    assert shared_part(public) == with_sorted_tiles(oracle.public()), where
    for seat in range(game.players):
        assert game.hand(seat) == oracle.hand(seat), where
    assert game.scores == oracle.scores(), where
    assert game.ranks == oracle.ranks(), where


def keep_account(known: Counter[str], move: str) -> None:
    """R31, F12: a card taken face up is known until a card of its name leaves the hand."""
    what, _, name = move.partition(" ")
    if what == "take":
        known[name] += 1
    elif what in ("left", "right", "start", "harness", "discard"):
        known[name] -= 1
        if known[name] <= 0:
            del known[name]


def compare(record: Record) -> Counter[str]:
    """Replay a record in both; returns how often every phase and every kind of move came up."""
    oracle = oracle_of(record)
    outcomes = deepcopy(record.chance)
    game = Game.from_chance(record.rules, record.start_player, outcomes)
    seen: Counter[str] = Counter()
    known: list[Counter[str]] = [Counter() for _ in range(record.players)]
    table = f"{record.board}, {record.players} players, {record.options}"
    for number, move in enumerate(record.moves):
        where = f"{table}, before move {number}, {move!r}"
        assert not game.over, where
        assert not oracle.over, where
        assert set(game.legal) == oracle.legal(), where
        assert game.seat == oracle.seat, where
        assert game.phase == ORACLE_PHASES.get(oracle.phase, oracle.phase), where
        if number % LOOK_EVERY == 0:
            public = game.public()
            assert [player["known_cards"] for player in public["players"]] == known, where
            assert_same_table(game, public, oracle, where)
        keep_account(known[game.seat], move)
        seen[game.phase] += 1
        seen[move.split()[0]] += 1
        game.play_with_chance(move, outcomes)
        oracle.play(move)
    assert_same_table(game, game.public(), oracle, "at the end")
    assert game.over
    assert oracle.over
    assert game.truncated == oracle.truncated
    assert oracle.decks_left == 0
    assert outcomes == {"decks": []}
    assert record.result == {"scores": oracle.scores(), "ranks": oracle.ranks()}
    seen["decisions"] += len(record.moves)
    seen["truncated" if game.truncated else "played out"] += 1
    seen["reshuffles"] += len(record.chance["decks"]) - 1
    return seen


def options_of(variant: str) -> list[dict[str, Any]]:
    """The options worth comparing on a board, with or without horses."""
    options: list[dict[str, Any]] = [{}, {"optional_houses": True}, {"max_rounds": 15}]
    if variant.startswith("north"):
        options += [{"free_city_with_fill": True, "optional_houses": houses} for houses in (False, True)]
    if variant == "north with horses":
        options += [{"horses_kept": False}, {"open_backs": False, "max_rounds": 30}]
    if variant == "south":
        options.append({"all_provinces_without_baiern": True, "optional_houses": True})
    return options


@pytest.mark.parametrize(("variant", "players"), WHOLE_GAMES)
def test_engine_and_oracle_agree(variant: str, players: int) -> None:
    """All rules: whole games of every table of bots, with every option."""
    seen: Counter[str] = Counter()
    random = Random(f"{variant} {players}")
    board, horses = board_and_options(variant)
    for chosen in options_of(variant):
        options = horses | chosen
        rules = make_rules("thurn_und_taxis", players, board, **options)
        tables = [[bot] * players for bot in rules.bots]
        tables += [[random.choice(rules.bots) for _ in range(players)] for _ in range(6)]
        for seed, bots in enumerate(tables):
            limited = rules
            if bots == ["random"] * players:
                # A table of random players hardly ever finishes.
                limited = make_rules("thurn_und_taxis", players, board, **{"max_rounds": 60, **options})
            seen += compare(play_scripted(limited, bots, random.randrange(2**32) + seed))
    # What the comparison is worth: everything that can happen did happen.
    for phase in ("draw", "second_draw", "play", "end", "houses", "house", "discard"):
        assert seen[phase] > 0, phase
    for family in {text.split()[0] for text in rules.action_texts}:
        assert seen[family] > 0, family
    for event in ("reshuffles", "truncated", "played out"):
        assert seen[event] > 0, event
    assert seen["decisions"] > 3_000


@pytest.mark.parametrize(("board", "players"), [("tiny", 4), ("south", 2)])
def test_hoarding_agrees(board: str, players: int) -> None:
    """R9, F4: all cards in hands, nothing to draw, nothing to play; reached by players who never close."""
    rules = make_rules("thurn_und_taxis", players, board, max_rounds=80)
    nothing_to_draw = 0
    nothing_to_play = 0
    for seed in range(4):
        random = Random(seed)
        game = Game.from_rules(rules, seed)
        while not game.over:
            legal = list(game.legal)
            wanted = [move for move in legal if move.startswith(("take", "draw"))]
            wanted = wanted or [move for move in legal if move.startswith(("right", "left", "end"))]
            if random.random() < 0.03:
                wanted = legal
            if game.phase == "play" and game.public()["deck_size"] == 0:
                nothing_to_draw += not any(game.public()["display"])
            if game.phase == "end" and not game.hand(game.seat):
                nothing_to_play += 1
            game.play(random.choice(wanted or legal))
        compare(game.record())
    assert nothing_to_draw > 20
    assert nothing_to_play > 20 or board == "south"
