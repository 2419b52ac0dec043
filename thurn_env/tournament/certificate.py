"""Certify whether an agent's choices depend on hidden information.

Every agent sees positions from games between scripted bots. Each position is shown several times with the same seed,
and with the cards that the seat cannot know dealt differently. An agent that uses only what it may know gives the same
answer every time. If the answers differ, the same deals are shown again with the same seed. An agent whose answers to
identical positions differ is not repeatable, and nothing can be concluded about it. An agent that fails is reported
with its error; the results of the other agents are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from thurn_env.engine.generator import derived_seed, seeded
from thurn_env.errors import AgentError
from thurn_env.games.contract import GameRules
from thurn_env.players.agent import Agent
from thurn_env.progress import Progress
from thurn_env.table.game import Game
from thurn_env.tournament.referee import Forfeit, Guarded, answer_in, made

__all__ = ["Certificate", "certified", "certify"]

MOST_DEALS = 1000
"""Largest number of deals per position."""
BETWEEN = 7
"""On average one in `BETWEEN` decisions of a game is tested, since neighbouring decisions are much alike."""


@dataclass(frozen=True)
class Certificate:
    """The result for one agent.

    Attributes:
        agent: its name.
        positions: number of positions shown.
        changed: number of positions in which its answer depends on the hidden cards.
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


def choices(agent: Agent, spec: str, game: Game, deals: Sequence[int]) -> list[str]:
    """Return the agent's answers for deals with these seeds.

    Raises:
        AgentError: the agent fails.
    """
    supervised = Guarded(spec, game.seat, lambda: agent, (), None)
    try:
        return [answer_in(game, supervised, deal, 0) for deal in deals]
    except Forfeit as failure:
        if isinstance(failure.__cause__, AgentError):
            raise failure.__cause__ from None
        raise AgentError(f"agent {spec!r} {failure.reason}") from failure


def certify(spec: str, rules: GameRules, number: int, deals: int, seed: int) -> Certificate:
    """Test whether the choices of an agent depend on cards that it cannot know.

    Args:
        spec: the spec of the agent.
        rules: the rules of the games.
        number: the number of positions.
        deals: the number of deals for each position.
        seed: seed of the positions and the deals.

    Raises:
        AgentError: the agent cannot be made, or fails.
    """
    agent = made(spec, rules.bots)
    changed, unrepeatable, example = 0, 0, ""
    with Progress(spec, number, "positions") as progress:
        for position, game in enumerate(positions(rules, number, seed)):
            # New deals for every position: a few fixed ones would exchange the same places of the deck each time.
            seeds = [derived_seed(seed, position, deal) for deal in range(deals)]
            answers = choices(agent, spec, game, seeds)
            if len(set(answers)) > 1:
                repeated = choices(agent, spec, game, seeds) == answers
                changed += repeated
                unrepeatable += not repeated
                example = example or f"{spec} answers {', '.join(answers)} in:\n{game}"
            progress.advance(1)
    return Certificate(spec, number, changed, unrepeatable, example)


def certified(spec: str, rules: GameRules, number: int, deals: int, seed: int) -> Certificate:
    """Return the result of `certify`; if the agent fails, a certificate with its error.

    Args:
        spec: the spec of the agent.
        rules: the rules of the games.
        number: the number of positions.
        deals: the number of deals for each position.
        seed: seed of the positions and the deals.
    """
    try:
        return certify(spec, rules, number, deals, seed)
    except AgentError as error:
        return Certificate(spec, 0, 0, 0, "", str(error))
