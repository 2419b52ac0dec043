"""Fuzzed lines of programs: `python -m tests.fuzzed_lines 1000000` reads a million of them, and fails if one crashes.

A line is a message, a message with changed fields, or bytes cut, doubled, flipped or exchanged in it. Reading it has to
give a message or `Refused` with a short printable reason. One line in `SPOKEN` is also given to a conversation in the
middle of a game, as the answer to a request.
"""

from __future__ import annotations

import json
import sys
from collections import deque
from random import Random
from typing import Any

from thurn_env import Game
from thurn_env.errors import IllegalAction
from thurn_env.games import make_rules
from thurn_env.players.programs.conversation import Conversation, TimeControl
from thurn_env.players.programs.failure import ProgramFailed, Refused
from thurn_env.players.programs.messages import read_message

MESSAGES: list[dict[str, Any]] = [
    {"type": "hello", "protocol": "thurn-agent/1", "name": "bot", "version": "1.0"},
    {"type": "hello", "protocol": "thurn-agent/1", "name": "Jörg", "version": "2", "observation": True},
    {"type": "ready"},
    {"type": "action", "request": 1, "action": 3},
    {"type": "action", "request": 1, "action": "draw"},
    {"type": "sample", "request": 1, "count": 2},
    {"type": "simulate", "request": 1, "position": 0, "actions": ["draw", "take Ulm"]},
    {"type": "simulate", "request": 1, "position": 1, "actions": []},
    {"type": "pong", "ping": 12},
]
"""A message of every kind."""
SPOKEN = 50
ODD: list[Any] = [None, True, -1, 0, 1, 1.5, 1e300, 10**30, "", "draw", "\ud800", "\x00", [], {}, [[[]]], {"type": "x"}]
PIECES = [rb"\u", rb"\ud800", b"NaN", b"1e999", b"\x00", b"\xff", b"\xc3", *(mark.encode() for mark in '{}[]",:-')]


def line_of(random: Random) -> bytes:
    """A fuzzed line."""
    message = dict(random.choice(MESSAGES))
    for _ in range(random.randrange(3)):
        message[random.choice([*message, "other"])] = random.choice(ODD)
    line = bytearray(json.dumps(message, ensure_ascii=random.random() < 0.5).encode("utf-8", "surrogatepass"))
    for _ in range(random.choice([0, 0, 1, 2, 8])):
        place = random.randrange(len(line) + 1)
        kind = random.randrange(5)
        if kind == 0:
            line[place:place] = random.choice(PIECES)
        elif kind == 1:
            del line[place : place + random.randrange(1, 20)]
        elif kind == 2 and place < len(line):
            line[place] ^= 1 << random.randrange(8)
        elif kind == 3:
            line[place:place] = line[: random.randrange(len(line) + 1)]
        else:
            line[place:place] = random.randbytes(random.randrange(1, 6))
    return bytes(line)


class Script:
    """In place of a process: it says `ready`, a fuzzed line, and then nothing but legal answers."""

    def __init__(self, lines: list[bytes]) -> None:
        self.lines = deque(lines)
        self.sent: list[bytes] = []

    def send(self, data: bytes, deadline: float | None = None) -> None:
        """Check that a line of the host is one line of JSON."""
        assert data.endswith(b"\n")
        assert data.count(b"\n") == 1
        json.loads(data)
        self.sent.append(data)

    def line(self, deadline: float | None = None) -> bytes:
        """The next line."""
        return self.lines.popleft() if self.lines else b'{"type":"action","request":1,"action":0}'


def speak(line: bytes) -> None:
    """Give a line to a conversation as the answer to its first request."""
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    game = Game.from_rules(rules, 1)
    script: Any = Script([b'{"type":"ready"}', line])
    conversation = Conversation(script, False, game.seat, rules, 7, TimeControl())
    reason = ""
    try:
        game.legal_index(conversation.choose(game.view()))
    except (ProgramFailed, IllegalAction) as error:
        reason = str(error)
    assert len(reason.encode("utf-8")) < 2000


def fuzzed(number: int, seed: int) -> tuple[int, int]:
    """Read fuzzed lines; the numbers of those that were read and of those that were refused."""
    random = Random(seed)
    read = refused = 0
    for index in range(number):
        line = line_of(random)
        try:
            message = read_message(line)
        except Refused as error:
            reason = str(error)
            assert reason.isprintable(), line
            assert len(reason) < 300, line
            refused += 1
        else:
            assert isinstance(message["type"], str)
            read += 1
        if index % SPOKEN == 0:
            speak(line)
    return read, refused


if __name__ == "__main__":
    amount = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    print("{:,} lines read, {:,} refused".format(*fuzzed(amount, seed=2)))
