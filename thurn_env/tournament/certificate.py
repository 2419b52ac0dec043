"""The certificate of hidden information: whether what an agent chooses depends on cards that it cannot know.

Positions of games between scripted bots are shown to every agent several times, with all that its seat cannot know
dealt differently each time, and with the same seed. An agent that only goes by what it may know answers the same. Where
the answers differ it is asked once more about the same deals, with the same seed again: an agent whose answers to the
very same question differ does not repeat itself, and nothing can be told of what it goes by. What an agent fails with
is told in the end, and the others keep what was found about them.
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
"""How often an agent may be asked about a position."""
BETWEEN = 7
"""One of so many decisions of a game is looked at: neighbouring ones are much alike."""


@dataclass(frozen=True)
class Certificate:
    """What was found about one agent.

    Attributes:
        agent: its name.
        positions: how many positions it was asked about.
        changed: in how many of them it answered differently when the hidden cards were dealt anew.
        unrepeatable: in how many it answered differently when nothing was dealt anew; these are not among the changed.
        example: the first of these or those in words; empty if there is none.
        failure: how it failed; empty if it did not. Nothing else is known then.
    """

    agent: str
    positions: int
    changed: int
    unrepeatable: int
    example: str
    failure: str = ""

    @property
    def verdict(self) -> str:
        """Whether it goes by what it may know, if that can be told."""
        if self.failure:
            return "failed"
        if self.unrepeatable:
            return "not repeatable"
        return "no" if self.changed else "yes"


def positions(rules: GameRules, number: int, seed: int) -> Iterator[Game]:
    """Positions with a choice, from games of tables of all kinds of bots."""
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
    """Return the agent's answers for deals of these seeds; `AgentError` if it fails."""
    asked = Guarded(spec, game.seat, lambda: agent, (), None)
    try:
        return [answer_in(game, asked, deal, 0) for deal in deals]
    except Forfeit as failure:
        if isinstance(failure.__cause__, AgentError):
            raise failure.__cause__ from None
        raise AgentError(f"agent {spec!r} {failure.reason}") from failure


def certify(spec: str, rules: GameRules, number: int, deals: int, seed: int) -> Certificate:
    """Ask one agent about so many positions; `AgentError` if it cannot be made, or fails."""
    agent = made(spec, rules.bots)
    changed, unrepeatable, example = 0, 0, ""
    with Progress(spec, number, "positions") as progress:
        for position, game in enumerate(positions(rules, number, seed)):
            # Other deals at every position: a few fixed ones would exchange the same places of the deck each time.
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
    """What `certify` finds, or how the agent failed."""
    try:
        return certify(spec, rules, number, deals, seed)
    except AgentError as error:
        return Certificate(spec, 0, 0, 0, "", str(error))
