"""Style figures of Zug um Zug: Deutschland, see `thurn_env.games.show.style`. The state at the end has all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from thurn_env.games.show.style import Figure
from thurn_env.games.show.words import State
from thurn_env.games.zug_um_zug_deutschland.rules.bound import BoundRules
from thurn_env.games.zug_um_zug_deutschland.rules.rows import BITS

TRACKS, TICKETS, PASSENGERS, END_OF_GAME = "Turns and tracks", "Tickets", "Passengers", "End of the game"


def figures(rules: BoundRules) -> tuple[Figure, ...]:
    """Return all figures."""
    return tuple(_figures(rules))


def _figures(rules: BoundRules) -> Iterator[Figure]:
    yield Figure(TRACKS, "turns", "Mean number of turns in a game, without the set-up.")
    yield Figure(TRACKS, "tracks", "Mean number of tracks claimed in a game.", heading="tracks")
    meaning = "Mean length of a claimed track."
    yield Figure(TRACKS, "mean length of tracks", meaning, "mean length", "spaces", "tracks", heading="mean length")
    for length in _of_length(rules):
        meaning = f"Mean number of tracks of length {length} claimed in a game."
        yield Figure(TRACKS, f"tracks of {length}", meaning, f"of length {length}")
    yield Figure(TRACKS, "trains left", "Mean number of trains left at the end.")
    meaning = "Mean number of tickets kept in a game."
    yield Figure(TICKETS, "tickets kept", meaning, "kept", heading="tickets kept")
    yield Figure(TICKETS, "long tickets kept", "Mean number of long tickets kept in a game.", "long ones kept")
    meaning = "Mean number of tickets completed in a game."
    yield Figure(TICKETS, "tickets done", meaning, "done", heading="tickets done")
    meaning = "Share of its kept tickets that it completed."
    yield Figure(TICKETS, "share of tickets done", meaning, "share done", "tickets done", "tickets kept", share=True)
    meaning = "Mean number of passengers taken in a game."
    yield Figure(PASSENGERS, "passengers", meaning, "all", heading="passengers")
    for colour in rules.board.passenger_colours:
        meaning = f"Mean number of {colour} passengers taken in a game."
        yield Figure(PASSENGERS, f"{colour} passengers", meaning, colour)
    meaning = "Share of its games that ended because a player had few trains left."
    yield Figure(END_OF_GAME, "ended by trains", meaning, "by trains", share=True)
    yield Figure(END_OF_GAME, "cut off", "Share of its games that were cut off by the limit of rounds.", share=True)
    meaning = "Share of its games that ended because it was the first player with few trains left."
    yield Figure(END_OF_GAME, "ended itself", meaning, "itself", share=True, heading="ended itself")


def _members(numbers: Iterable[int]) -> int:
    """Return a set as an integer of any size."""
    return sum(1 << number for number in numbers)


def _as_set(row: np.ndarray[Any, Any]) -> int:
    """Return a set of the state, see `rules.rows`, as an integer of any size."""
    return sum(word << BITS * place for place, word in enumerate(row.tolist()))


@lru_cache(maxsize=64)
def _of_length(rules: BoundRules) -> dict[int, int]:
    """Return the sets of claims by length, ascending."""
    lengths = [rules.board.pairs[claim.pair].length for claim in rules.tracks.claims]
    return {
        length: _members(number for number, own in enumerate(lengths) if own == length)
        for length in sorted(set(lengths))
    }


def counts(rules: BoundRules, state: State, moves: Sequence[int], won: Sequence[bool]) -> list[dict[str, int]]:
    """Count the events of a finished game for every seat."""
    players, start = rules.players, int(state["start_player"])
    # The seats before the one that would be next had a turn in the last, unfinished round.
    rounds, late = int(state["rounds"]), (int(state["seat"]) - start) % players
    last = (int(state["seat"]) - 1) % players
    rows = []
    for seat in range(players):
        row = {"turns": rounds + ((seat - start) % players < late), "trains left": int(state["trains"][seat])}
        row |= _tracks(rules, _as_set(state["claimed"][seat]))
        short, long = state["ticket_count"][seat].tolist()
        done = int(state["completed"][seat])
        row |= {"tickets kept": short + long, "long tickets kept": long, "tickets done": done}
        taken = state["passengers"][seat].tolist()
        row["passengers"] = sum(taken)
        row |= {f"{name} passengers": number for name, number in zip(rules.board.passenger_colours, taken, strict=True)}
        if state["truncated"]:
            row["cut off"] = 1
        else:
            # G13: the first player with few trains has the last turn.
            row |= {"ended by trains": 1, "ended itself": int(seat == last)}
        rows.append(row)
    return rows


def _tracks(rules: BoundRules, claimed: int) -> dict[str, int]:
    """Count the tracks of a player, who owns at most one of those that are the same claim (G11)."""
    by_length = {length: (claimed & claims).bit_count() for length, claims in _of_length(rules).items()}
    spaces = sum(length * number for length, number in by_length.items())
    row = {"tracks": sum(by_length.values()), "spaces": spaces}
    return row | {f"tracks of {length}": number for length, number in by_length.items()}
