"""The engine against the oracle, a second and independent reading of the rules, decision by decision."""

from __future__ import annotations

import tomllib
from collections import Counter
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any

import pytest

from tests.zug_um_zug.oracle import Oracle
from thurn_env import Game, Record, make_rules
from thurn_env.games.zug_um_zug_deutschland.board.shipped import SHIPPED
from thurn_env.players.match import play_scripted

GAME = "zug_um_zug_deutschland"
LOOK_EVERY = 5
"""After so many decisions the whole table is compared, not only the legal actions."""


@cache
def board_data(name: str) -> dict[str, Any]:
    """The board file as plain data: the oracle does not read it through the package."""
    return tomllib.loads((SHIPPED / f"{name}.toml").read_text("utf-8"))


def shared_part(game: Game) -> dict[str, Any]:
    """The part of `Game.public` that the oracle tells too."""
    public = game.public()
    shared = {key: public[key] for key in ("display", "deck_size", "discard", "piles")}
    shared["waiting"] = {place: there for place, there in public["waiting"].items() if there}
    keys = ("hand_size", "trains", "points", "passengers", "tickets")
    shared["players"] = [
        {key: player[key] for key in keys} | {"tracks": sorted(player["tracks"])} for player in public["players"]
    ]
    return shared


def assert_same_table(game: Game, oracle: Oracle, where: str) -> None:
    """Everything that lies open, all hands and tickets, and the scores and ranks as they stand."""
    assert shared_part(game) == oracle.public(), where
    kinds = {text.removeprefix("take ") for text in game.rules.action_texts if text.startswith("take ")}
    for seat in range(game.players):
        held = game.hand(seat)
        assert {name: number for name, number in held.items() if name in kinds} == oracle.hand(seat), where
        drawn = {text.split(" ", 1)[1] for text in game.legal if text.startswith("keep ")}
        kept = {name for name in held if name not in kinds}
        assert kept.issuperset(oracle.tickets(seat)), where
        if game.phase != "ticket":
            assert sorted(kept) == oracle.tickets(seat), where
        elif seat == game.seat:
            assert drawn <= kept, where
    assert game.scores == oracle.scores(), where
    assert game.ranks == oracle.ranks(), where
    for engine, own in zip(game.breakdown(), oracle.breakdown(), strict=True):
        assert {source: points for source, points in engine.items() if points} == {
            source: points for source, points in own.items() if points
        }, where


def compare(record: Record) -> Counter[str]:
    """Replay a record in both; returns how often every phase and every kind of move came up."""
    oracle = Oracle(board_data(record.board), record.players, record.start_player, record.chance, record.options)
    outcomes = deepcopy(record.chance)
    game = Game.from_chance(record.rules, record.start_player, outcomes)
    seen: Counter[str] = Counter()
    for number, move in enumerate(record.moves):
        where = f"{record.board}, {record.players} players, before move {number}, {move!r}"
        assert not game.over, where
        assert not oracle.over, where
        assert set(game.legal) == oracle.legal(), where
        assert game.seat == oracle.seat, where
        assert game.rounds == oracle.rounds, where
        if number % LOOK_EVERY == 0:
            assert_same_table(game, oracle, where)
        seen[game.phase] += 1
        seen[move.split()[0]] += 1
        before = len(outcomes["decks"])
        game.play_with_chance(move, outcomes)
        seen["most shuffles in a move"] = max(seen["most shuffles in a move"], before - len(outcomes["decks"]))
        oracle.play(move)
    assert_same_table(game, oracle, "at the end")
    assert game.over
    assert oracle.over
    assert game.truncated == oracle.truncated
    assert oracle.chance_left == {}
    assert not any(outcomes.values())
    assert record.result == {"scores": oracle.scores(), "ranks": oracle.ranks()}
    seen["decisions"] += len(record.moves)
    seen["truncated" if game.truncated else "played out"] += 1
    seen["reshuffles"] += len(record.chance["decks"]) - 1
    return seen


@pytest.mark.parametrize(
    ("board", "players"), [("tiny_rails", 2), ("tiny_rails", 3), ("tiny_rails", 5), ("germany", 2), ("germany", 4)]
)
def test_engine_and_oracle_agree(board: str, players: int) -> None:
    """All rules: whole games of every table of bots."""
    seen: Counter[str] = Counter()
    random = Random(f"{board} {players}")
    for max_rounds in (200, 12):
        rules = make_rules(GAME, players, board, max_rounds=max_rounds)
        tables = [[bot] * players for bot in rules.bots]
        tables += [[random.choice(rules.bots) for _ in range(players)] for _ in range(4)]
        for bots in tables:
            seen += compare(play_scripted(rules, bots, random.randrange(2**32)))
    # What the comparison is worth: everything that can happen did happen.
    for phase in ("mix", "ticket", "turn", "second_card", "colour", "locomotives", "passenger"):
        assert seen[phase] > 0, phase
    for family in {text.split()[0] for text in rules.action_texts} - {"pass"}:
        assert seen[family] > 0, family
    for event in ("reshuffles", "truncated", "played out"):
        assert seen[event] > 0, event


@pytest.mark.parametrize(("board", "players", "least"), [("tiny_rails", 2, 2), ("tiny_rails", 5, 2), ("germany", 2, 1)])
def test_hoarding_agrees(board: str, players: int, least: int) -> None:
    """G3, G10, P2 - P4, P9: nearly all cards in hands, the row swept again and again, nothing to draw, passing.

    Reached by players who draw no locomotives and claim next to nothing.
    """
    rules = make_rules(GAME, players, board, max_rounds=80)
    seen: Counter[str] = Counter()
    for seed in range(6):
        random = Random(seed)
        game = Game.from_rules(rules, seed)
        while not game.over:
            legal = list(game.legal)
            wanted = [move for move in legal if move.startswith("take") and move != "take locomotive"]
            wanted = wanted or [move for move in legal if move in ("draw", "take locomotive")]
            if random.random() < 0.02:
                wanted = legal
            if not wanted and seed % 2:
                wanted = [move for move in legal if move.startswith("tickets")]
            game.play(random.choice(wanted or legal))
        found = compare(game.record())
        seen["most shuffles in a move"] = max(found["most shuffles in a move"], seen["most shuffles in a move"])
        seen["passes"] += game.record().moves.count("pass")
    assert seen["most shuffles in a move"] >= least
    assert seen["passes"] > 0 or board == "germany"
