"""A program that searches: `thurn watch --agents "exec:python agents/searching_program.py" greedy`.

It counts no cards and knows no rules: the host deals positions that agree with what the seat knows, and plays actions
in them. If you copy it, copy `program.py` as well and change the import.
"""

from __future__ import annotations

import pathlib
import sys

# A program has only its own folder on the path.
sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

from agents.program import Host, Message, Player, play

POSITIONS = 4


class Searcher(Player):
    """Plays the action after which its own score leads by most, on average over several deals."""

    name = "searcher"

    def begin(self, start: Message) -> None:
        """Begin a game."""
        super().begin(start)
        self.seat = start["seat"]

    def choose(self, request: Message, host: Host) -> int | str:
        """Try every legal action in several positions; a draw decides between equals."""
        positions = [sampled["position"] for sampled in host.sample(POSITIONS)]
        leads: dict[int, int] = {
            action["index"]: sum(self.lead(host.simulate(position, [action["text"]])) for position in positions)
            for action in request["legal"]
        }
        best = max(leads.values())
        return self.random.choice([action for action, lead in leads.items() if lead == best])

    def lead(self, simulated: Message) -> int:
        """Return how far the own score is ahead of the best other one."""
        scores: list[int] = simulated["scores"]
        return scores.pop(self.seat) - max(scores)


if __name__ == "__main__":
    play(Searcher())
