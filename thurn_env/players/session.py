"""A game at which people sit: played decision by decision, taken back where nothing was learned."""

from __future__ import annotations

from collections.abc import Sequence

from thurn_env.errors import ThurnError
from thurn_env.players.agent import Agent
from thurn_env.players.match import chosen, seat_agents
from thurn_env.table.game import Game

__all__ = ["Session"]

DEALS = 64
"""Ways to deal the hidden cards that are looked at to find out what a seat can know."""


class Session:
    """A game between people and agents.

    Args:
        game: the game; it may have begun.
        agents: for every seat its agent, None for a person.

    Attributes:
        game: the game as it stands. Every action makes a new one, so whoever is interrupted keeps a whole game.

    Raises:
        AgentError: the wrong number of agents, or one that does not play this game.
    """

    def __init__(self, game: Game, agents: Sequence[Agent | None]) -> None:
        self.game = game
        self.agents = list(agents)
        self._decisions: list[Game] = []
        seat_agents(game, agents)

    @property
    def waiting(self) -> bool:
        """Whether a person has to choose now. Forced decisions are nobody's to choose."""
        game = self.game
        return not game.over and self.agents[game.seat] is None and len(game.legal_actions) > 1

    def answer(self) -> int:
        """What is played now without a person: the only legal action, or what the agent chooses, which may take long.

        Raises:
            AgentError: the agent answered with something that is not legal.
        """
        agent = self.agents[self.game.seat]
        assert not self.waiting
        return int(self.game.legal_actions[0]) if agent is None else chosen(self.game, agent)

    def play(self, action: str | int) -> None:
        """Play an action; `IllegalAction` if it is not legal."""
        after = self.game.copy()
        after.play(action)
        if self.waiting:
            self._decisions.append(self.game)
        self.game = after

    def undo_problem(self) -> str:
        """Why the last decision of the person whose turn it is cannot be taken back; empty if it can."""
        if not self._decisions:
            return "there is no decision to take back"
        before = self._decisions[-1]
        if not self.waiting or before.seat != self.game.seat or moved_by_others(before, self.game):
            return "your last decision cannot be taken back: others have moved since"
        if learned(before, self.game, before.seat):
            return "your last decision cannot be taken back: it has shown you what was hidden"
        return ""

    def undo(self) -> None:
        """Go back to the last decision of the person whose turn it is.

        Raises:
            ThurnError: it cannot be taken back; the message is the reason.
        """
        if problem := self.undo_problem():
            raise ThurnError(problem)
        self.game = self._decisions.pop()


def moved_by_others(before: Game, after: Game) -> bool:
    """Whether another seat than the one to move in the first position has moved between the two."""
    twin = before.copy()
    for move in after.moves[len(before.moves) :]:
        if twin.seat != before.seat:
            return True
        twin.play(move)
    return False


def learned(before: Game, after: Game, seat: int) -> bool:
    """Whether the way from one position to the other showed the seat something that it could not know.

    It did not if the same moves lead to the same position, as the seat sees it, however the hidden cards lie.
    """
    seen = after.redeal(seat, 0)
    for deal in range(DEALS):
        twin = before.redeal(seat, deal)
        for move in after.moves[len(before.moves) :]:
            if not twin.action_mask[move]:
                return True
            twin.play(move)
        if twin.redeal(seat, 0) != seen:
            return True
    return False


def known_score(game: Game, seat: int, viewers: Sequence[int]) -> int | None:
    """A seat's score if all of the viewers can know it: it is the same however the cards lie that are hidden from them.

    None if one of them cannot: in some games tickets count that only their owner knows.
    """
    found: int | None = None
    for viewer in viewers:
        for deal in range(DEALS):
            score = game.redeal(viewer, deal).scores[seat]
            if found not in (None, score):
                return None
            found = score
    return found
