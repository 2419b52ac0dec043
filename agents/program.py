"""An agent that is a program of its own: `thurn watch --agents "exec:python agents/program.py" greedy`.

Copy this file to begin with an agent of your own: it needs only Python's standard library. Write your rules in
`Player.choose`, which gets one request and returns one action. The protocol is `thurn-agent/1`; messages are lines of
JSON on standard input and output, and standard error is the agent's log.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any

Message = dict[str, Any]
PROTOCOL = "thurn-agent/1"


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
            message: Message = json.loads(line)
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
        if answer is None or answer["type"] in ("error", "quit"):
            sys.exit(answer.get("reason") if answer else None)
        return answer


def play(player: Player) -> None:
    """Answer the host until it ends the conversation. A program must end at the end of its input."""
    host = Host()
    while (message := host.receive()) is not None:
        kind = message["type"]
        if kind == "hello":
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
            host.request = message["request"]
            host.send("action", request=message["request"], action=player.choose(message, host))
        elif kind == "game_end":
            player.end(message)
        else:  # error or quit
            sys.exit(message.get("reason"))


if __name__ == "__main__":
    play(Player())
