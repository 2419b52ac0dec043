"""A program that plays over the protocol, for tests: `python tests/guest_program.py MODE`."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from agents.program import Host, Message, Player, play

SHORT = 0.3
"""Seconds that a late program sleeps."""


class First(Player):
    """Plays the first legal action, given as text."""

    name = "first"

    def begin(self, start: Message) -> None:
        self.decisions = 0

    def choose(self, request: Message, host: Host) -> int | str:
        self.decisions += 1
        text: str = request["legal"][0]["text"]
        return text


class Observing(Player):
    """Plays at random, and asks for the observation vector."""

    observation = True

    def choose(self, request: Message, host: Host) -> int | str:
        assert len(request["observation"]) > 10
        return super().choose(request, host)


class Searcher(First):
    """Samples, simulates a legal and an illegal action, and plays the first legal action."""

    def choose(self, request: Message, host: Host) -> int | str:
        texts = [action["text"] for action in request["legal"]]
        sampled = host.sample(2)
        assert [position["position"] for position in sampled] == [0, 1]
        after = host.simulate(1, texts[:1])
        assert after["type"] == "simulated"
        assert after["position"] == 2
        assert host.simulate(2, ["no such action"])["type"] == "illegal"
        return super().choose(request, host)


class Stateful(First):
    """Keeps the view by the changes of events, and compares it with that of every request."""

    def begin(self, start: Message) -> None:
        super().begin(start)
        self.view = start["view"]
        self.moves = start["move"]

    def saw(self, event: Message) -> None:
        assert event["move"] == self.moves + 1, (event["move"], self.moves)
        self.moves = event["move"]
        for part, fields in event["changes"].items():
            self.view[part].update(fields)

    def choose(self, request: Message, host: Host) -> int | str:
        assert self.view == request["view"]
        return super().choose(request, host)

    def end(self, result: Message) -> None:
        print("ended", result["scores"], result["reason"], file=sys.stderr, flush=True)


class Late(First):
    def choose(self, request: Message, host: Host) -> int | str:
        if self.decisions == 2:
            time.sleep(SHORT)
        return super().choose(request, host)


class Dying(First):
    """Ends at its third decision, after a word in its log."""

    def choose(self, request: Message, host: Host) -> int | str:
        if self.decisions == 2:
            print("out of ideas", file=sys.stderr)
            sys.exit(4)
        return super().choose(request, host)


class Illegal(First):
    def choose(self, request: Message, host: Host) -> int | str:
        return "take the train" if self.decisions == 2 else super().choose(request, host)


class Rude(First):
    """Breaks the protocol at its third decision."""

    def choose(self, request: Message, host: Host) -> int | str:
        if self.decisions == 2:
            sys.stdout.write('{"type":"action","request":3,"action":0,"mood":"bad"}\n')
        return super().choose(request, host)


class Talkative(First):
    """Writes much more to its log than a pipe holds."""

    def choose(self, request: Message, host: Host) -> int | str:
        sys.stderr.write("thinking " * 20_000 + "\n")
        return super().choose(request, host)


class Parent(First):
    """Starts a process of its own, and names both in its log."""

    def begin(self, start: Message) -> None:
        super().begin(start)
        child = subprocess.Popen(["sleep", "1000"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        print(child.pid, file=sys.stderr, flush=True)


class Deaf(First):
    """Reads nothing after the start of the game."""

    def saw(self, event: Message) -> None:
        time.sleep(1000)


MODES: dict[str, type[Player]] = {
    "uniform": Player,
    "first": First,
    "observing": Observing,
    "searcher": Searcher,
    "stateful": Stateful,
    "late": Late,
    "dying": Dying,
    "illegal": Illegal,
    "rude": Rude,
    "talkative": Talkative,
    "parent": Parent,
    "deaf": Deaf,
}

if __name__ == "__main__":
    play(MODES[sys.argv[1]]())
