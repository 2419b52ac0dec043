"""An agent that is a program of its own: `thurn watch --agents "exec:python agents/program.py" greedy`.

Copy this file to begin with an agent of your own: it needs only Python's standard library. Write your rules in
`Player.choose`, which gets one request and returns one action. The protocol is `thurn-agent/1`; messages are lines of
JSON on standard input and output, and standard error is the agent's log.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any, NoReturn

Message = dict[str, Any]
PROTOCOL = "thurn-agent/1"
FIELDS = {
    "hello": ("protocol", "game", "version"),
    "game_start": ("seat", "start_player", "move", "seed", "players", "options", "board", "actions", "view", "time"),
    "event": ("move", "seat", "action", "changes"),
    "request": ("request", "view", "legal", "observation", "deadline_ms"),
    "positions": ("request", "positions"),
    "simulated": ("request", "position", "seat", "over", "scores", "ranks", "view", "legal"),
    "illegal": ("request", "move", "reason"),
    "game_end": ("scores", "ranks", "record", "reason"),
    "ping": ("ping",),
    "error": ("reason",),
    "quit": (),
}
"""Messages of the host: their fields besides `type`. Anything else is refused, so that a mistake shows at once."""


class Player:
    """A player of one seat. This one plays any legal action with equal probability."""

    name = "uniform"
    version = "1"
    observation = False
    """Whether requests should bring the observation vector."""

    def begin(self, start: Message) -> None:
        """Begin a game: `start` has the seat, the board, all actions, the first view and the seed of randomness."""
        self.random = random.Random(int(start["seed"]))

    def saw(self, event: Message) -> None:
        """Take notice of a move of anybody: `event` has the seat, the action and the changes of the view."""

    def choose(self, request: Message, host: Host) -> int | str:
        """Return one of the legal actions, as index or text; `host` samples and simulates positions."""
        legal: list[Message] = request["legal"]
        chosen: int = self.random.choice(legal)["index"]
        return chosen

    def end(self, result: Message) -> None:
        """Take notice of the end of a game: `result` has the scores and ranks."""


class Host:
    """The other side of the conversation."""

    def __init__(self) -> None:
        self.request = 0

    def send(self, kind: str, **fields: Any) -> None:
        """Send a message."""
        sys.stdout.buffer.write(json.dumps({"type": kind, **fields}).encode() + b"\n")
        sys.stdout.buffer.flush()

    def receive(self) -> Message | None:
        """Return the next message; None at the end of the input. Pings are answered here."""
        while line := sys.stdin.buffer.readline():
            message = read(line)
            if message["type"] == "error":
                refuse(f"the host refused a message: {message['reason']}")
            if message["type"] != "ping":
                return message
            self.send("pong", ping=message["ping"])
        return None

    def sample(self, count: int) -> list[Message]:
        """Return positions that agree with what the seat knows, each with its number and a full view."""
        self.send("sample", request=self.request, count=count)
        positions: list[Message] = self._answer()["positions"]
        return positions

    def simulate(self, position: int, actions: list[str]) -> Message:
        """Play actions from a sampled position; return `simulated`, or `illegal` if one of them is not legal."""
        self.send("simulate", request=self.request, position=position, actions=actions)
        return self._answer()

    def _answer(self) -> Message:
        answer = self.receive()
        if answer is None or answer["type"] == "quit":
            sys.exit()
        return answer


def refuse(reason: str) -> NoReturn:
    """End the program with a reason in its log."""
    sys.exit(f"agent: {' '.join(reason.split())}")


def no_constant(name: str) -> NoReturn:
    """Refuse NaN and Infinity, which Python reads although they are not JSON."""
    raise ValueError(name)


DECODER = json.JSONDecoder(parse_constant=no_constant)


def read(line: bytes) -> Message:
    """Return the message in a line; end the program if it is none."""
    try:
        message = DECODER.decode(line.decode())
    except (ValueError, RecursionError):
        refuse(f"a line is not JSON: {line[:100]!r}")
    if not isinstance(message, dict):
        refuse(f"a line is not a JSON object: {line[:100]!r}")
    kind = message.get("type")
    if not isinstance(kind, str) or kind not in FIELDS:
        refuse(f"a message has the unknown type {json.dumps(kind)}")
    fields = ("type", *FIELDS[kind])
    for name in message:
        if name not in fields:
            refuse(f"{kind} has the unknown field {json.dumps(name)}")
    for name in fields:
        if name not in message and name != "observation":
            refuse(f"{kind} lacks the field {json.dumps(name)}")
    return message


def play(player: Player) -> None:
    """Answer the host until it ends the conversation. A program must end at the end of its input."""
    host = Host()
    while (message := host.receive()) is not None:
        kind = message["type"]
        if kind == "hello":
            if message["protocol"] != PROTOCOL:
                refuse(f"the host speaks {json.dumps(message['protocol'])}, this agent only {json.dumps(PROTOCOL)}")
            host.send(
                "hello",
                protocol=PROTOCOL,
                name=player.name,
                version=player.version,
                observation=player.observation,
            )
        elif kind == "game_start":
            player.begin(message)
            host.send("ready")
        elif kind == "event":
            player.saw(message)
        elif kind == "request":
            if not message["legal"]:
                refuse("a request without legal actions")
            host.request = message["request"]
            host.send("action", request=message["request"], action=player.choose(message, host))
        elif kind == "game_end":
            player.end(message)
        elif kind == "quit":
            return
        else:
            refuse(f"{kind} came without a question")


if __name__ == "__main__":
    play(Player())
