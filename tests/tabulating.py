"""An agent that looks its game up among those of tournaments with small seeds, for tests of tournaments."""

from __future__ import annotations

import json
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

from thurn_env.games.contract import GameRules
from thurn_env.players.agent import agent_seed
from thurn_env.table.game import Game, View
from thurn_env.tournament.seeds import deck_seed

SEEDS, DECKS = range(12), range(3)
"""The tournaments, and the decks of each, that are tabulated."""


@cache
def candidates(rules: GameRules) -> dict[int, Game]:
    """The first position of every tabulated deck, by the seed that deals it."""
    return {seed: Game.from_rules(rules, seed) for seed in (deck_seed(seed, deck) for seed in SEEDS for deck in DECKS)}


def note(**facts: Any) -> None:
    """Leave a line for the test, in the folder that the environment variable `MARKS` names."""
    with (Path(os.environ["MARKS"]) / "noted.jsonl").open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(facts) + "\n")


class Tabulator:
    """Names the deck by its own seed, by the open cards, and by the seed of its view; plays the first legal action."""

    name = "tabulator"

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        self.seat = seat
        self.table = candidates(rules)
        self._guess("agent seed", [deck for deck in self.table if agent_seed(deck, seat) == seed])
        note(arguments=sys.argv, environment=list(os.environ.values()))

    def act(self, view: View) -> int:
        if not view.game.moves:
            views = {deck: game.view(self.seat) for deck, game in self.table.items()}
            seen = view.text
            self._guess("open cards", [deck for deck, other in views.items() if other.text == seen])
            self._guess("view seed", [deck for deck, other in views.items() if other.game.seed == view.game.seed])
            note(reached=sorted(map(str, reached(view))))
        return int(view.legal_actions[0])

    def _guess(self, by: str, decks: list[int]) -> None:
        for deck in decks:
            note(by=by, deck=deck)


def reached(start: object) -> set[int | str]:
    """All numbers and texts that containers and attributes of this project's objects lead to."""
    found: set[int | str] = set()
    seen: dict[int, object] = {}
    left = [start]
    while left:
        thing = left.pop()
        if id(thing) in seen:
            continue
        seen[id(thing)] = thing  # Kept, so that no other object gets its address.
        if isinstance(thing, int | str):
            found.add(thing)
        elif isinstance(thing, dict):
            left += [*thing, *thing.values()]
        elif isinstance(thing, list | tuple | set | frozenset):
            left += thing
        elif type(thing).__module__.startswith("thurn_env"):
            left += getattr(thing, "__dict__", {}).values()
    return found
