"""Fast matches of a policy on paired decks, played as one batch, for evaluations during a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from thurn_env.envs.copies import Copies
from thurn_env.envs.learner import LearnerBatch, Opponent
from thurn_env.errors import AgentError
from thurn_env.games.contract import Float64Array, GameRules
from thurn_env.players.agent import BatchAgent, ScriptedAgent
from thurn_env.players.policy import Policy
from thurn_env.tournament.intervals import normal_interval
from thurn_env.training.opponents import EACH, opponent_named
from thurn_env.training.pool import Snapshot


class Shares(NamedTuple):
    """Results of a policy.

    Attributes:
        won: share of games won on every deck, float64 (decks,).
        score: mean score.
        decisions: mean number of decisions per game.
    """

    won: Float64Array
    score: float
    decisions: float

    @property
    def half_width(self) -> float:
        """Distance of the share of games won to the further end of its 95 % interval."""
        low, high = normal_interval(self.won)
        share = float(self.won.mean())
        return max(share - low, high - share)


class Greedy(Snapshot):
    """A policy that plays the most probable action, as a published model does."""

    def __init__(self, policy: Policy) -> None:
        super().__init__("policy")
        self.samples = False
        self._policy = policy


def check_opponents(rules: GameRules, names: Iterable[str]) -> None:
    """Raise `AgentError` if an agent does not exist, cannot play a batch of games, or does not play this game."""
    for name in names:
        agent = opponent_named(name, rules)
        if not isinstance(agent, ScriptedAgent | BatchAgent | Copies):
            raise AgentError(
                f"{name!r} cannot play a batch of games; name a scripted bot ({', '.join(rules.bots)}) or a policy, "
                f"ppo:NAME; {EACH}{name} plays one game after the other, which is slow"
            )
        if hasattr(agent, "reset_batch"):
            agent.reset_batch(rules, 0)


def games_of(rules: GameRules, size: int, opponent: Opponent, **arguments: Any) -> LearnerBatch:
    """Return games with the rules `rules`; the other arguments are those of `LearnerBatch`."""
    if isinstance(opponent, str):
        opponent = opponent_named(opponent, rules)
    return LearnerBatch(
        size, rules.players, rules.board, game=rules.name, opponents=opponent, **arguments, **rules.options
    )


def play_paired(
    rules: GameRules,
    policy: Policy,
    opponent: Opponent,
    decks: int,
    seed: int,
    watch: Callable[[int, int], None] | None = None,
) -> Shares:
    """Play every deck from every seat against copies of one opponent; deck k has seed `seed + k`.

    Wrap a policy in `Greedy` to use it as opponent. `watch` is called with the number of decisions of every step and
    that of the games that end in it.
    """
    player = Greedy(policy)
    won = np.zeros((rules.players, decks))
    score, decisions = [], []
    for seat in range(rules.players):
        games = games_of(rules, decks, opponent, learner_seat=seat, autoreset=False)
        games.reset([seed + deck for deck in range(decks)])
        playing = np.ones(decks, bool)
        while playing.any():
            games.step(player.act_batch(games.observations, games.masks))
            ended: Any = games.ended
            ended = ended[playing[ended]]
            if watch:
                watch(int(playing.sum()), len(ended))
            if len(ended):
                figures = games.final_figures(ended)
                won[seat, ended] = figures["won"]
                score += figures["score"].tolist()
                decisions += figures["decisions"].tolist()
                playing[ended] = False
    return Shares(won.mean(axis=0), float(np.mean(score)), float(np.mean(decisions)))
