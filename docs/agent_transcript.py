"""The transcripts of the protocol for programs: `python -m docs.generate` writes one into the page."""

from __future__ import annotations

import json
import shlex
import sys

from agents.program import Host, Message, Player
from thurn_env import __version__
from thurn_env.games import make_rules
from thurn_env.players.agent import make_agent
from thurn_env.players.match import run_match
from thurn_env.players.programs.program import Program

SEED = 3
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


def transcript(game: str, board: str, rounds: int) -> list[tuple[str, Message]]:
    """Return all messages of a game of two, each with `">"` if the host sent it, or `"<"`.

    The version of this package is left out, since it changes.

    Args:
        game: name of the game.
        board: board of the game.
        rounds: number of rounds after which the game is cut off.
    """
    lines: list[tuple[str, Message]] = []
    command = shlex.join([sys.executable, "-c", PROGRAM])
    rules = make_rules(game, 2, board, max_rounds=rounds)
    agent = Program(command, tap=lambda direction, line: lines.append((direction, json.loads(line))))
    try:
        run_match(rules, [agent, make_agent("heuristic", rules.bots)], SEED)
    finally:
        agent.close()
    return [(direction, _without_version(message)) for direction, message in lines]


def _without_version(message: Message) -> Message:
    return message | {"version": "x.y.z"} if message.get("version") == __version__ else message


def as_text(lines: list[tuple[str, Message]]) -> str:
    """Return a transcript as text: one message a line."""
    return "".join(f"{direction} {json.dumps(message, ensure_ascii=False)}\n" for direction, message in lines)


def table() -> str:
    """Return the transcript of the page as a block of code."""
    return f"\n```text\n{as_text(transcript('thurn_und_taxis', 'micro', 2))}```\n\n"
