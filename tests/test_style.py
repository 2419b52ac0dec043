"""Style figures of single games: by hand, and in agreement with a count from the texts of the moves."""

from __future__ import annotations

import json
from collections import Counter
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.programs import thurn
from thurn_env import Game, Record, RecordError, make_rules, replay
from thurn_env.games.contract import GameRules
from thurn_env.players.match import play_scripted
from thurn_env.table.replay import last_position
from thurn_env.table.style import Figure, combined, figures_of, style_of, summed

THURN, ZUG = "thurn_und_taxis", "zug_um_zug_deutschland"
VARIANTS = [
    (THURN, 2, "tiny", {}),
    (THURN, 2, "south", {}),
    (THURN, 2, "north", {"horses": True}),
    (ZUG, 2, "tiny_rails", {}),
    (ZUG, 2, "germany", {}),
]

HOUSES = """
1: draw, take Crailsheim, start Crailsheim, end
0: draw, draw, start Ansbach, end
1: take Crailsheim, take Crailsheim, right Langenburg, end
0: take Dinkelsbühl, right Rothenburg, left Dinkelsbühl, close, fill Franken
1: take Langenburg, start Crailsheim, end
0: draw, draw, start Rothenburg, end
1: take Dinkelsbühl, draw, right Langenburg, end
0: take Ansbach, right Ansbach, end
1: take Langenburg, take Ansbach, left Dinkelsbühl, close, fill Franken, discard Crailsheim
0: take Langenburg, left Langenburg, close, fill Hohenlohe, cartwright
1: administrator, take Ansbach, start Langenburg, end
0: draw, start Nördlingen, end
1: take Rothenburg, take Dinkelsbühl, right Rothenburg, end
0: take Crailsheim, right Crailsheim, right Rothenburg, close, spread, house Crailsheim, house Nördlingen
"""
"""A game on the tiny board, a line for every turn: both begin with a forced postmaster (R6), and seat 1 gives a route
up. Seat 0 places its last house in the last turn of the round."""
TRAINS = """
2: long 3, return Böhmen-Suhl, return Fulda-Gera, keep Gera-Suhl
0: long 0, keep Fulda-Gotha, return Bamberg-Gera, return Coburg-Böhmen
1: long 0, return Bamberg-Böhmen, return Coburg-Gera, keep Gotha-Coburg
2: take yellow, take yellow
0: draw, draw
1: claim Gotha-Suhl grey, with red, passenger white, passenger black
2: claim Coburg-Bamberg blue, passenger white, passenger black
0: draw, draw
1: take red, draw
2: take blue, take yellow
0: draw, draw
1: claim Suhl-Coburg red, locomotives 0
2: take red, take yellow
0: draw, draw
1: draw, draw
2: claim Coburg-Hof grey, with yellow, passenger black
0: claim Fulda-Gotha grey, with blue, locomotives 0, passenger white
1: draw, draw
2: take locomotive
0: claim Fulda-Bamberg red, passenger white
1: claim Fulda-Suhl blue, locomotives 1
2: take yellow, draw
0: claim Hof-Böhmen yellow, passenger black, passenger black
1: draw, draw
2: take yellow, draw
0: draw, draw
1: draw, draw
2: claim Gera-Hof red, locomotives 0, passenger white
0: draw, draw
1: claim Gotha-Gera yellow, locomotives 2
2: claim Gera-Böhmen grey, with yellow, locomotives 0
0: draw, draw
1: draw, draw
2: take red
0: claim Bamberg-Hof blue, locomotives 0
1: draw, draw
2: tickets, long 3, keep Gotha-Hof, return Böhmen-Suhl, keep Fulda-Hof
0: tickets, long 3, keep Fulda-Böhmen, return Fulda-Gera, return Böhmen-Suhl
"""
"""A game on tiny_rails. Seat 0 has one train left after its last track, and so everybody has one more turn (G13)."""


def played(rules: GameRules, seed: int, turns: str) -> Game:
    """The game of these turns; every line names the mover."""
    game = Game.from_rules(rules, seed)
    for line in turns.strip().splitlines():
        seat, _, moves = line.partition(": ")
        for move in moves.split(", "):
            assert game.seat == int(seat)
            game.play(move)
    assert game.over
    return game


def test_a_game_of_the_first_kind_by_hand() -> None:
    first, second = style_of(played(make_rules(THURN, 2, "tiny"), 445, HOUSES))
    assert first == {
        **{"games": 1, "wins": 1, "turns": 7},
        **{"routes": 3, "cities": 9, "routes of 3": 3, "carriages": 2, "carriage 3": 1, "carriage 4": 1},
        **{"officials": 5, "postmaster": 2, "postal carrier": 2, "cartwright": 1},
        **{"tile Franken": 1, "tile all provinces": 1, "tile game end": 1},
        **{"won with tile Franken": 1, "won with tile all provinces": 1, "won with tile game end": 1},
        **{"ended by houses": 1, "ended itself by houses": 1},
    }
    assert second == {
        **{"games": 1, "turns": 7, "houses left": 5, "routes": 1, "cities": 3, "routes of 3": 1},
        **{"carriages": 1, "carriage 3": 1, "officials": 6, "postmaster": 5, "administrator": 1, "ended by houses": 1},
    }


def test_a_game_of_the_second_kind_by_hand() -> None:
    first, second, third = style_of(played(make_rules(ZUG, 3, "tiny_rails"), 14, TRAINS))
    ended = {"games": 1, "ended by trains": 1}
    assert first == ended | {
        **{"wins": 1, "ended itself": 1, "turns": 12, "trains left": 1, "tracks": 4, "spaces": 9},
        **{"tracks of 1": 1, "tracks of 2": 2, "tracks of 4": 1},
        **{"tickets kept": 2, "long tickets kept": 1, "tickets done": 2},
        **{"passengers": 4, "white passengers": 2, "black passengers": 2},
    }
    assert second == ended | {
        **{"turns": 11, "trains left": 2, "tracks": 4, "spaces": 8, "tracks of 1": 2, "tracks of 3": 2},
        **{"tickets kept": 1, "tickets done": 1, "passengers": 2, "white passengers": 1, "black passengers": 1},
    }
    assert third == ended | {
        **{"turns": 12, "trains left": 3, "tracks": 4, "spaces": 7, "tracks of 1": 1, "tracks of 2": 3},
        **{"tickets kept": 3, "long tickets kept": 3},
        **{"passengers": 4, "white passengers": 2, "black passengers": 2},
    }


Turn = tuple[int, list[tuple[Game, str]]]


def turns_of(record: Record) -> list[Turn]:
    """The turns of a game: the mover, and every move with the game before it."""
    steps = zip(replay(record), record.moves, strict=False)
    return [
        (seat, list(steps))
        for (_, seat), steps in groupby(steps, lambda step: (step[0].public()["round"], step[0].seat))
    ]


def counted_in_thurn(record: Record) -> list[Counter[str]]:
    """What a reader of the record of Thurn und Taxis counts, with the table before every move."""
    rules, end = record.rules, last_position(record)
    table, won = end.public(), [rank == 1 for rank in end.ranks]
    found = [Counter[str]({"games": 1, "wins": int(first)}) for first in won]
    for seat, steps in turns_of(record):
        own, words = found[seat], [move.split(" ")[0] for _, move in steps]
        own["turns"] += 1
        services = {
            "postmaster": words.count("take") + words.count("draw") == 2,
            "administrator": "administrator" in words,
            "postal carrier": sum(word in ("left", "right", "start", "harness") for word in words) == 2,
            "cartwright": "cartwright" in words,
        }
        assert sum(services.values()) <= 1, "R4"
        for name, used in services.items():
            own[name] += used
            own["officials"] += used
        for game, move in steps:
            if move == "close":
                length = len(game.public()["players"][seat]["route"])
                own.update({"routes": 1, "cities": length, f"routes of {min(length, longest(rules))}": 1})
    by = None
    for before, after in pairwise(replay(record)):
        if after.public()["final_round"] and not before.public()["final_round"]:
            last_house = after.public()["players"][before.seat]["houses_left"] == 0
            by = before.seat, "houses" if last_house else "carriage"
    for seat, (own, player) in enumerate(zip(found, table["players"], strict=True)):
        own["houses left"] = player["houses_left"]
        taken = [one.length for one in rules.board.carriages if one.length <= player["carriage"]]
        own.update({"carriages": len(taken)} | {f"carriage {length}": 1 for length in taken})
        for stack in {tile["stack"] for tile in player["tiles"]}:
            own[f"tile {stack}"] = 1
            own[f"won with tile {stack}"] = int(won[seat])
        own["cut off" if by is None else f"ended by {by[1]}"] = 1
    if by is not None:
        found[by[0]][f"ended itself by {by[1]}"] = 1
    assert end.truncated == (by is None)
    return found


def longest(rules: GameRules) -> int:
    """The length from which routes are counted together: the longest that earns a tile or a carriage."""
    tiles = [stack.length or 0 for stack in rules.board.stacks]
    return int(max(*tiles, *(one.length for one in rules.board.carriages)))


def counted_in_zug(record: Record) -> list[Counter[str]]:
    """What a reader of the record of Zug um Zug counts."""
    board, end = record.rules.board, last_position(record)
    lengths = {pair.name: pair.length for pair in board.pairs}
    long = {ticket.name for ticket in board.long_tickets}
    found = [Counter[str]({"games": 1, "wins": int(rank == 1)}) for rank in end.ranks]
    trains = [board.constants.trains_per_player] * record.players
    joins: list[list[tuple[str, str]]] = [[] for _ in found]
    tickets: list[list[str]] = [[] for _ in found]
    few = None
    for seat, steps in turns_of(record):
        own = found[seat]
        own["turns"] += not steps[0][0].public()["setting_up"]
        for _, move in steps:
            word, _, operand = move.partition(" ")
            if word == "claim":
                pair = operand.rpartition(" ")[0]
                own.update({"tracks": 1, "spaces": lengths[pair], f"tracks of {lengths[pair]}": 1})
                trains[seat] -= lengths[pair]
                joins[seat].append(nodes_of(board, pair))
            elif word == "keep":
                own.update({"tickets kept": 1, "long tickets kept": int(operand in long)})
                tickets[seat].append(operand)
            elif word == "passenger":
                own.update({"passengers": 1, f"{operand} passengers": 1})
        if few is None and trains[seat] <= board.constants.last_trains:
            few = seat
    for seat, own in enumerate(found):
        own["tickets done"] = sum(done(board, ticket, joins[seat]) for ticket in tickets[seat])
        own["trains left"] = trains[seat]
        own["cut off" if end.truncated else "ended by trains"] = 1
    if not end.truncated:
        assert few is not None
        found[few]["ended itself"] = 1
    return found


def nodes_of(board: Any, pair: str) -> tuple[str, str]:
    """The ends of a track; every border track ends in its own terminal of a country (G12)."""
    countries = {place.name for place in board.places if place.country}
    one, other = next(each for each in board.pairs if each.name == pair).ends
    return tuple(f"{end} of {pair}" if end in countries else end for end in (one, other))  # type: ignore[return-value]


def done(board: Any, ticket: str, joins: list[tuple[str, str]]) -> bool:
    """Whether tracks join the ends of a ticket; any terminal of a country counts."""
    start, goal = next(each for each in (*board.short_tickets, *board.long_tickets) if each.name == ticket).ends
    reached = {node for join in joins for node in join if node.partition(" of ")[0] == start}
    while more := {node for join in joins if set(join) & reached for node in join} - reached:
        reached |= more
    return any(node.partition(" of ")[0] == goal for node in reached)


@pytest.mark.parametrize(
    ("game", "players", "board", "options", "games"),
    [
        *((THURN, players, "tiny", {}, 12) for players in (2, 3, 4)),
        (THURN, 2, "tiny", {"max_rounds": 6}, 12),
        (THURN, 2, "north", {"horses": True}, 3),
        *((ZUG, players, "tiny_rails", {}, 12) for players in (2, 3, 4, 5)),
        (ZUG, 2, "tiny_rails", {"max_rounds": 6}, 12),
    ],
)
def test_counts_agree_with_the_texts_of_the_moves(
    game: str, players: int, board: str, options: dict[str, Any], games: int
) -> None:
    """Games of all bots; with few rounds most are cut off."""
    rules = make_rules(game, players, board, **options)
    seen: Counter[str] = Counter()
    for seed in range(games):
        bots = [rules.bots[(seed + seat) % len(rules.bots)] for seat in range(players)]
        record = play_scripted(rules, bots, seed)
        expected = counted_in_thurn(record) if game == THURN else counted_in_zug(record)
        counts = style_of(last_position(record))
        assert [dict(+each) for each in expected] == counts, record.moves
        seen.update(summed(counts))
    if "max_rounds" in options:
        assert seen["cut off"] >= players
    else:
        rare = ("tile", "won with", "ended", "cut off", "carriage", "routes of")
        assert {figure.count for figure in figures_of(rules) if not figure.name.startswith(rare)} <= set(seen)


@pytest.mark.parametrize(("game", "players", "board", "options"), VARIANTS)
def test_declared_figures(game: str, players: int, board: str, options: dict[str, Any]) -> None:
    """Every figure has a name, a meaning and counts that games note, and every count is part of a figure."""
    rules = make_rules(game, players, board, **options)
    figures = figures_of(rules)
    assert len({figure.name for figure in figures}) == len(figures) == len({(f.group, f.title) for f in figures})
    groups = [group for group, _ in groupby(figures, lambda figure: figure.group)]
    assert len(set(groups)) == len(groups), "figures of a group follow each other"
    assert all(figure.meaning.endswith(".") for figure in figures)
    counted = {count for figure in figures for count in (figure.count, figure.per)}
    seen = summed(counts for seed in range(3) for counts in style_of(scripted(rules, seed)))
    assert set(seen) <= counted | {"wins"}
    numbers = [number for counts in style_of(scripted(rules, 0)) for number in counts.values()]
    assert {type(number) for number in numbers} == {int}, "JSON writes whole numbers"
    assert min(numbers) > 0


def scripted(rules: GameRules, seed: int) -> Game:
    return last_position(play_scripted(rules, [rules.bots[-1]] * rules.players, seed))


def test_horses_have_no_carriages() -> None:
    rules = make_rules(THURN, 2, "north", horses=True)
    names = {figure.name for figure in figures_of(rules)}
    assert not {name for name in names if "carriage" in name or name == "cartwright"}
    assert {"routes of 8 or more cities", "houses left", "ended by houses", "tile Hamburg"} <= names


def test_a_replay_ends_with_the_figures_of_the_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.json"
    played(make_rules(THURN, 2, "tiny"), 445, HOUSES).record(["first", "second"]).save(file)
    assert thurn("replay", [str(file)]) == 0
    rows = [line.replace("│", " ").split() for line in capsys.readouterr().out.splitlines()]
    for row in ("routes 3 1", "cities per route 3 3", "houses left - 5", "postmaster 2 5", "cartwright 1 -"):
        assert row.split() in rows


def test_figures_of_many_games_are_quotients_of_sums() -> None:
    rules = make_rules(THURN, 2, "tiny")
    figures = figures_of(rules)
    counts = [json.loads(json.dumps(style_of(scripted(rules, seed)))) for seed in range(9)]
    seats = [seat for game in counts for seat in game]
    whole = combined(figures, seats)
    assert whole["cities per route"] == sum(seat["cities"] for seat in seats) / sum(seat["routes"] for seat in seats)
    won = [seat for seat in seats if "wins" in seat]
    assert whole["won with tile Franken"] == sum("tile Franken" in seat for seat in won) / 9
    assert whole["tile Franken"] == sum("tile Franken" in seat for seat in seats) / 18
    assert whole == combined(figures, [summed(seats[:5]), summed(seats[5:])])
    assert combined(figures, [{"games": 2, "routes": 1}])["routes"] == 0.5


def test_figures_without_a_divisor_have_no_value() -> None:
    figures = (
        Figure("a", "wins with it", "A share.", count="it", per="wins", share=True),
        Figure("a", "turns", "A mean."),
    )
    assert combined(figures, [{"games": 1, "turns": 4}]) == {"wins with it": None, "turns": 4.0}
    assert combined(figures, []) == {"wins with it": None, "turns": None}


def test_a_game_without_figures() -> None:
    rules = make_rules("example", 2)
    assert figures_of(rules) == ()
    game = last_position(play_scripted(rules, ["random", "random"], 1))
    assert style_of(game) == [{"games": 1} | ({"wins": 1} if rank == 1 else {}) for rank in game.ranks]


def test_only_finished_games_with_known_moves_have_figures() -> None:
    game = Game(board="tiny", seed=1)
    with pytest.raises(RecordError, match="the game is not over"):
        style_of(game)
    finished = scripted(make_rules(THURN, 2, "tiny"), 1)
    with pytest.raises(RecordError, match="moves of this game are not known"):
        style_of(Game.from_bytes(finished.rules, finished.to_bytes()))
