"""Certify whether an agent's choices depend on hidden information.

Every agent sees positions from games between scripted bots. Each position is shown several times with the same seed,
and with the cards that the seat cannot know dealt differently. An agent that uses only what it may know gives the same
answer every time. If the answers differ, the same deals are shown again with the same seed. An agent whose answers to
identical positions differ is not repeatable, and nothing can be concluded about it. A program (`exec:COMMAND`) must
also be sent the same messages, byte by byte. An agent that fails is reported with its error; the results of the other
agents are kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from thurn_env.engine.generator import derived_seed, seeded
from thurn_env.errors import AgentError
from thurn_env.games.contract import GameRules
from thurn_env.players.agent import Agent
from thurn_env.players.programs.program import Program
from thurn_env.players.programs.sandbox import Sandbox
from thurn_env.progress import Progress
from thurn_env.table.game import Game
from thurn_env.tournament.referee import Forfeit, Guarded, answer_in, made

__all__ = ["Certificate", "certified", "certify"]

MOST_DEALS = 1000
"""Largest number of deals per position."""
BETWEEN_GAMES = frozenset({"hello", "ping", "game_end", "quit", "error"})
"""Messages to programs that belong to no decision."""
BETWEEN = 7
"""On average one in `BETWEEN` decisions of a game is tested, since neighbouring decisions are much alike."""


@dataclass(frozen=True)
class Certificate:
    """The result for one agent.

    Attributes:
        agent: its name.
        positions: number of positions shown.
        changed: number of positions in which its answer, or what a program is sent, depends on the hidden cards.
        unrepeatable: number of positions in which its answer changes although the deal is the same; not counted in
            `changed`.
        example: the first of these positions in words; empty if there is none.
        failure: the error if it failed, otherwise empty. All counts are then 0.
    """

    agent: str
    positions: int
    changed: int
    unrepeatable: int
    example: str
    failure: str = ""

    @property
    def verdict(self) -> str:
        """The verdict: "yes", "no", "not repeatable" or "failed"."""
        if self.failure:
            return "failed"
        if self.unrepeatable:
            return "not repeatable"
        return "no" if self.changed else "yes"


def positions(rules: GameRules, number: int, seed: int) -> Iterator[Game]:
    """Yield `number` positions with a choice, from games between random scripted bots."""
    random = Random(seed)
    found = 0
    while found < number:
        game = Game.from_rules(rules, random.randrange(2**62))
        generator = seeded(random.randrange(2**62))
        bots = [random.randrange(len(rules.bots)) for _ in range(rules.players)]
        while not game.over and found < number:
            if len(game.legal_actions) > 1 and random.randrange(BETWEEN) == 0:
                yield game
                found += 1
            game.play(rules.bot_action(game.states, 0, bots[game.seat], generator))


class Letters:
    """What a program is sent for a decision."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []

    def __call__(self, direction: str, line: bytes) -> None:
        """Keep a line to the program, unless it belongs to its start or to the game before."""
        if direction == ">" and json.loads(line)["type"] not in BETWEEN_GAMES:
            self._lines.append(line)

    def taken(self) -> bytes:
        """Return the lines since the last call."""
        lines = b"".join(self._lines)
        self._lines.clear()
        return lines


def choices(
    agent: Agent, spec: str, game: Game, deals: Sequence[int], letters: Letters | None = None
) -> list[tuple[str, bytes]]:
    """Return the agent's answers for deals with these seeds, each with what a program was sent.

    Raises:
        AgentError: the agent fails.
    """
    supervised = Guarded(spec, game.seat, lambda: agent, (), None)
    try:
        return [(answer_in(game, supervised, deal, 0), letters.taken() if letters else b"") for deal in deals]
    except Forfeit as failure:
        if isinstance(failure.__cause__, AgentError):
            raise failure.__cause__ from None
        raise AgentError(f"agent {spec!r} {failure.reason}") from failure


def certify(
    spec: str, rules: GameRules, number: int, deals: int, seed: int, sandbox: Sandbox | None = None
) -> Certificate:
    """Test whether the choices of an agent depend on cards that it cannot know.

    Args:
        spec: the spec of the agent.
        rules: the rules of the games.
        number: the number of positions.
        deals: the number of deals for each position.
        seed: seed of the positions and the deals.
        sandbox: sandbox for agents that are programs of their own; None for none.

    Raises:
        AgentError: the agent cannot be made, or fails.
    """
    agent = made(spec, rules.bots, sandbox=sandbox)
    letters = None
    if isinstance(agent, Program):
        agent.tap = letters = Letters()
    changed, unrepeatable, example = 0, 0, ""
    with Progress(spec, number, "positions") as progress:
        for position, game in enumerate(positions(rules, number, seed)):
            # New deals for every position: a few fixed ones would exchange the same places of the deck each time.
            seeds = [derived_seed(seed, position, deal) for deal in range(deals)]
            found = choices(agent, spec, game, seeds, letters)
            if len(set(found)) > 1:
                repeated = choices(agent, spec, game, seeds, letters) == found
                changed += repeated
                unrepeatable += not repeated
                answers = [answer for answer, _ in found]
                what = f"answers {', '.join(answers)}" if len(set(answers)) > 1 else "is sent different messages"
                example = example or f"{spec} {what} in:\n{game}"
            progress.advance(1)
    return Certificate(spec, number, changed, unrepeatable, example)


def certified(
    spec: str, rules: GameRules, number: int, deals: int, seed: int, sandbox: Sandbox | None = None
) -> Certificate:
    """Return the result of `certify`; if the agent fails, a certificate with its error.

    Args:
        spec: the spec of the agent.
        rules: the rules of the games.
        number: the number of positions.
        deals: the number of deals for each position.
        seed: seed of the positions and the deals.
        sandbox: sandbox for agents that are programs of their own; None for none.
    """
    try:
        return certify(spec, rules, number, deals, seed, sandbox)
    except AgentError as error:
        return Certificate(spec, 0, 0, 0, "", str(error))
