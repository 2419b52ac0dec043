"""Transcripts of the protocol for programs: `python -m docs.generate` writes the beginning of one into the page."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Mapping
from itertools import islice
from typing import Any

from agents.program import Host, Message, Player
from thurn_env import __version__
from thurn_env.games import make_rules
from thurn_env.players.agent import make_agent
from thurn_env.players.match import run_match
from thurn_env.players.programs.program import Program

SEED = 3
PAGE_SEED = 0
LENGTHS: Mapping[str, int] = {"options": 0, "board": 0, "actions": 1, "legal": 1}
"""Fields of messages that the page cuts short, with the number of entries that it shows."""
FIRST_VIEW, VIEW = 3, 1
"""Number of fields of the public part of a view that the page shows: in `game_start`, and afterwards."""
ELLIPSIS = "..."
PROGRAM = "from agents.program import play; from docs.agent_transcript import Example; play(Example())"


class Example(Player):
    """The agent of the transcripts: it plays the last legal action, and looks ahead in its first request."""

    name = "last"
    version = "1.0"

    def begin(self, start: Message) -> None:
        """Begin a game."""
        self.tried = False

    def choose(self, request: Message, host: Host) -> int | str:
        """Return the last legal action; the first time after a look at what may come."""
        text: str = request["legal"][-1]["text"]
        if not self.tried:
            self.tried = True
            host.sample(1)
            host.simulate(0, [text])
            host.simulate(1, ["take the train"])
        return text


def transcript(game: str, board: str, rounds: int, seed: int = SEED) -> list[tuple[str, Message]]:
    """Return all messages of a game of two, each with `">"` if the host sent it, or `"<"`.

    The version of this package is left out, since it changes.

    Args:
        game: name of the game.
        board: board of the game.
        rounds: number of rounds after which the game is truncated.
        seed: seed of the game.
    """
    lines: list[tuple[str, Message]] = []
    command = shlex.join([sys.executable, "-c", PROGRAM])
    rules = make_rules(game, 2, board, max_rounds=rounds)
    agent = Program(command, tap=lambda direction, line: lines.append((direction, json.loads(line))))
    try:
        run_match(rules, [agent, make_agent("heuristic", rules.bots)], seed)
    finally:
        agent.close()
    return [(direction, _without_version(message)) for direction, message in lines]


def _without_version(message: Message) -> Message:
    return message | {"version": "x.y.z"} if message.get("version") == __version__ else message


def as_text(lines: list[tuple[str, Message]]) -> str:
    """Return a transcript as text: one message a line."""
    return "".join(f"{direction} {json.dumps(message, ensure_ascii=False)}\n" for direction, message in lines)


def table() -> str:
    """Return the transcript of the page as a block of code.

    It has the messages up to the event after the agent's first action, without the simulation that fails, and the last
    two. Long parts end with an ellipsis.
    """
    lines = transcript("thurn_und_taxis", "micro", rounds=1, seed=PAGE_SEED)
    failed = next(place for place, (_, message) in enumerate(lines) if message["type"] == "illegal")
    del lines[failed - 1 : failed + 1]
    first_action = next(place for place, (_, message) in enumerate(lines) if message["type"] == "action")
    shown = [(direction, _shortened(message)) for direction, message in lines]
    text = f"{as_text(shown[: first_action + 2])}...\n{as_text(shown[-2:])}"
    for cut in (f'"{ELLIPSIS}": null', f'"{ELLIPSIS}"'):
        text = text.replace(cut, ELLIPSIS)
    return f"\n```text\n{text}```\n\n"


def _shortened(message: Message) -> Message:
    """Return a message with long parts cut short."""
    if message["type"] == "positions":
        return message | {"positions": [_with_short_view(position, "view") for position in message["positions"]]}
    if message["type"] == "simulate":
        return message
    shown = {name: _first(message[name], length) for name, length in LENGTHS.items() if name in message}
    length = FIRST_VIEW if message["type"] == "game_start" else VIEW
    views = (_with_short_view(message, name, length) for name in ("view", "changes") if name in message)
    return next(views, message) | shown


def _with_short_view(message: Message, name: str, length: int = VIEW) -> Message:
    view = message[name]
    return message | {name: view | {"public": _first(view["public"], length)}}


def _first(value: Any, length: int) -> Any:
    """Return the first entries of a list or an object, and an ellipsis for the others."""
    if isinstance(value, list):
        return [*value[:length], ELLIPSIS]
    return dict(islice(value.items(), length)) | {ELLIPSIS: None}
