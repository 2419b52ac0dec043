"""Style figures of Thurn und Taxis, see `thurn_env.games.show.style`.

A record names no movers, but every turn ends with `end` or with `close` and the decisions about the closed route, and
the turns go round. So the moves are spelt as letters, one for each family of actions, and split into turns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from thurn_env.games.show.style import WINS, Figure
from thurn_env.games.show.words import State
from thurn_env.games.thurn_und_taxis.rules.bound import BoundRules
from thurn_env.games.thurn_und_taxis.rules.stacks import ordered_stacks

DRAW, ADMINISTRATOR, START, EXTEND, HARNESS, END, CLOSE, CARTWRIGHT, OTHER = "dasxheCwo"
LETTERS = {
    "take": DRAW,
    "draw": DRAW,
    "administrator": ADMINISTRATOR,
    "left": EXTEND,
    "right": EXTEND,
    "start": START,
    "harness": HARNESS,
    "end": END,
    "close": CLOSE,
    "cartwright": CARTWRIGHT,
}
"""Letter of every family of actions; the others are decisions about a closed route, `OTHER`."""
TURN = re.compile(f"[{DRAW}{ADMINISTRATOR}{START}{EXTEND}{HARNESS}]*(?:{END}|{CLOSE}[{CARTWRIGHT}{OTHER}]*)")
CLOSED_ROUTE = re.compile(f"{START}[^{START}{CLOSE}]*{CLOSE}")
TWO_PLAYS = re.compile(f"[{START}{EXTEND}{HARNESS}]{{2}}")

ROUTES, CARRIAGES, OFFICIALS = "Turns and routes", "Carriages and houses", "Officials"
END_OF_GAME, TILES, TILES_OF_WINNERS = "End of the game", "Tiles", "Tiles in games that it won"


@lru_cache(maxsize=64)
def _letters(rules: BoundRules) -> tuple[str, ...]:
    """Return the letter of every action."""
    return tuple(LETTERS.get(text.partition(" ")[0], OTHER) for text in rules.action_texts)


@lru_cache(maxsize=64)
def _stack_names(rules: BoundRules) -> tuple[str, ...]:
    return tuple(stack.name for stack in ordered_stacks(rules.board))


@lru_cache(maxsize=64)
def _lengths(rules: BoundRules) -> range:
    """Return the lengths of routes that are counted separately; the last one includes all longer routes."""
    board = rules.board
    earning = [stack.length for stack in board.stacks if stack.length] + [one.length for one in board.carriages]
    return range(board.minimum_route, max(board.minimum_route, *earning) + 1)


def _with_carriages(rules: BoundRules) -> bool:
    return not rules.variant.horses


def figures(rules: BoundRules) -> tuple[Figure, ...]:
    """Return all figures."""
    return tuple(_figures(rules))


def _figures(rules: BoundRules) -> Iterator[Figure]:
    yield Figure(ROUTES, "turns", "Mean number of turns in a game.")
    yield Figure(ROUTES, "routes", "Mean number of routes closed in a game.", heading="routes")
    meaning = "Mean length of a closed route in cities."
    yield Figure(ROUTES, "cities per route", meaning, count="cities", per="routes", heading="cities per route")
    lengths = _lengths(rules)
    for length in lengths:
        name = f"{length} cities" if length < lengths[-1] else f"{length} or more cities"
        meaning = f"Share of its closed routes that have {name}."
        yield Figure(ROUTES, f"routes of {name}", meaning, name, f"routes of {length}", per="routes", share=True)
    if _with_carriages(rules):
        meaning = "Mean number of carriages taken in a game."
        yield Figure(CARRIAGES, "carriages", meaning, heading="carriages")
        for carriage in rules.board.carriages:
            name = f"carriage {carriage.length}"
            yield Figure(CARRIAGES, name, f"Share of its games in which it took {name}.", share=True)
    yield Figure(CARRIAGES, "houses left", "Mean number of houses not placed.", heading="houses left")
    yield Figure(OFFICIALS, "officials", "Mean number of officials used in a game.", title="all", heading="officials")
    for name, help_given in _services(rules).items():
        yield Figure(OFFICIALS, name, f"Mean number of turns in a game in which it {help_given}.")
    yield from _ends(rules)
    for name in _stack_names(rules):
        yield Figure(TILES, f"tile {name}", f"Share of its games in which it took a tile of {name}.", name, share=True)
    for name in _stack_names(rules):
        meaning = f"Share of its wins in which it had a tile of {name}; a shared first place is a win here."
        yield Figure(TILES_OF_WINNERS, f"won with tile {name}", meaning, name, per=WINS, share=True)


def _services(rules: BoundRules) -> dict[str, str]:
    """Return what a player does with the help of every official."""
    services = {
        "postmaster": "took a second card with the postmaster, also if an empty hand required it",
        "administrator": "had the administrator replace the display",
        "postal carrier": "played two cards with the postal carrier",
    }
    return services | ({"cartwright": "took a carriage with the cartwright"} if _with_carriages(rules) else {})


def _ends(rules: BoundRules) -> Iterator[Figure]:
    ways = {"carriage": "taken the last carriage"} if _with_carriages(rules) else {}
    ways |= {"houses": "placed all houses"}
    # A table with few columns has only the first way; nearly all other games end in the second.
    brief = next(iter(ways))
    for way, done in ways.items():
        name = f"ended by {way}"
        meaning = f"Share of its games that ended because a player had {done}."
        yield Figure(END_OF_GAME, name, meaning, f"by {way}", share=True, heading=name if way == brief else "")
    yield Figure(END_OF_GAME, "cut off", "Share of its games that were cut off by the limit of rounds.", share=True)
    for way, done in ways.items():
        meaning = f"Share of its games that ended because it had itself {done}."
        yield Figure(END_OF_GAME, f"ended itself by {way}", meaning, f"itself by {way}", share=True)


def counts(rules: BoundRules, state: State, moves: Sequence[int], won: Sequence[bool]) -> list[dict[str, int]]:
    """Count the events of a finished game for every seat."""
    letters = _letters(rules)
    turns = TURN.findall("".join([letters[move] for move in moves]))
    start, players = int(state["start_player"]), rules.players
    # Lists of plain numbers are faster to read than arrays, and tournaments count thousands of games per second.
    left, carriages, tiles = (state[name].tolist() for name in ("houses_left", "carriage", "tiles"))
    names, longest = _stack_names(rules), _lengths(rules)[-1]
    rows = []
    for seat in range(players):
        row = _in_turns(longest, turns[(seat - start) % players :: players])
        row["houses left"] = left[seat]
        row |= _carriages(rules, carriages[seat])
        for name, taken in zip(names, tiles[seat], strict=True):
            if taken:
                row[f"tile {name}"] = 1
                row[f"won with tile {name}"] = int(won[seat])
        rows.append(row)
    _count_end(rules, state, rows)
    return rows


def _in_turns(longest: int, turns: Sequence[str]) -> dict[str, int]:
    """Count the events in the turns of one player."""
    spelt = "".join(turns)
    lengths = [1 + route.count(EXTEND) for route in CLOSED_ROUTE.findall(spelt)]
    row = {"turns": len(turns), "routes": len(lengths), "cities": sum(lengths)}
    for length in lengths:
        name = f"routes of {min(length, longest)}"
        row[name] = row.get(name, 0) + 1
    row["postmaster"] = spelt.count(2 * DRAW)
    row["administrator"] = spelt.count(ADMINISTRATOR)
    row["postal carrier"] = len(TWO_PLAYS.findall(spelt))
    row["cartwright"] = spelt.count(CARTWRIGHT)
    row["officials"] = row["postmaster"] + row["administrator"] + row["postal carrier"] + row["cartwright"]
    return row


def _carriages(rules: BoundRules, taken: int) -> dict[str, int]:
    """Count the carriages that a player has taken: the first ones of the board."""
    return {"carriages": taken} | {f"carriage {one.length}": 1 for one in rules.board.carriages[:taken]}


def _count_end(rules: BoundRules, state: State, rows: list[dict[str, int]]) -> None:
    """Count how the game ended (R27, F10, F13): houses come before the carriage of the same closing."""
    holder = int(state["holder"])
    if holder < 0:
        name = "cut off"
    else:
        way = "houses" if state["houses_left"][holder] == 0 else "carriage"
        rows[holder][f"ended itself by {way}"] = 1
        name = f"ended by {way}"
    for row in rows:
        row[name] = 1
