"""Sessions: games with people, played decision by decision, with undo where nothing was revealed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from thurn_env.errors import ThurnError
from thurn_env.players.agent import Agent, agent_seed
from thurn_env.players.following import followers
from thurn_env.players.match import chosen, seat_agents
from thurn_env.table.game import Game

__all__ = ["HUMAN", "Session"]

HUMAN = "human"
"""Name of a person among the agents of a table."""
DEALS = 64
"""Number of deals of the hidden cards that are sampled to determine what a seat can know."""


class Session:
    """A game between people and agents.

    Args:
        game: the game; it may have begun.
        agents: agent of every seat, None for a person.

    Attributes:
        game: the current position. Every action makes a new object, so an interrupted caller keeps a complete game.

    Raises:
        AgentError: the number of agents is wrong, or an agent does not play this game.
    """

    def __init__(self, game: Game, agents: Sequence[Agent | None]) -> None:
        self.game = game
        self.agents = list(agents)
        self._decisions: list[Game] = []
        seat_agents(game, agents)
        # An agent gets to know moves when it is to choose: until then a person may undo them.
        self._following = {follower.seat: follower for follower in followers(agents)}
        self._history = [game] if self._following else []
        self._told: dict[int, int] = {}

    @property
    def waiting(self) -> bool:
        """Whether a person has to choose now; forced decisions do not count."""
        game = self.game
        return not game.over and self.agents[game.seat] is None and len(game.legal_actions) > 1

    def answer(self) -> int:
        """Return the next action without a person: the only legal one or the agent's, which may take long.

        Raises:
            AgentError: the agent answered illegally.
        """
        agent = self.agents[self.game.seat]
        assert not self.waiting
        if agent is None or len(self.game.legal_actions) == 1:
            return int(self.game.legal_actions[0])
        self._tell(self.game.seat)
        return chosen(self.game, agent)

    def _tell(self, seat: int) -> None:
        """Tell an agent that follows the game all moves that it does not know yet."""
        follower = self._following.get(seat)
        if follower is None:
            return
        if seat not in self._told:
            follower.begin(self._history[0])
        for before, after in pairwise(self._history[self._told.get(seat, 0) :]):
            follower.tell(before.seat, after)
        self._told[seat] = len(self._history) - 1

    def finish(self, names: Sequence[str] = (), reason: str | None = None) -> None:
        """Tell the end to the agents that follow the game; call it once, after the end or when the game is left.

        Args:
            names: names of the players by seat, for the record.
            reason: why the game was left; None if it is over.
        """
        for seat, follower in self._following.items():
            record = self.game.record(names).as_dict() if reason is None and self.game.past_known else None
            with follower.at_the_end():
                self._tell(seat)
                follower.end(self.game, record, reason)

    def hand_over(self, seat: int, agent: Agent | None) -> None:
        """Give a seat to another agent, or to a person if None, from the next decision on.

        Args:
            seat: the seat.
            agent: its new agent, which must not be one that follows the game. The former agent gets no more notice.
        """
        if agent is not None:
            agent.reset(seat, self.game.rules, agent_seed(self.game.seed, seat))
        self._following.pop(seat, None)
        self.agents[seat] = agent

    def play(self, action: str | int) -> None:
        """Play an action; raise `IllegalAction` if it is not legal."""
        after = self.game.copy()
        after.play(action)
        if self.waiting:
            self._decisions.append(self.game)
        self.game = after
        if self._following:
            self._history.append(after)

    def undo_problem(self) -> str:
        """Return why the last decision of the person to move cannot be undone; empty if it can."""
        if not self._decisions:
            return "there is no decision to undo"
        before = self._decisions[-1]
        if not self.waiting or before.seat != self.game.seat or moved_by_others(before, self.game):
            return "your last decision cannot be undone: others have moved since"
        if learned(before, self.game, before.seat):
            return "your last decision cannot be undone: it revealed hidden information"
        return ""

    def undo(self) -> None:
        """Undo the last decision of the person to move.

        Raises:
            ThurnError: it cannot be undone; the message is the reason.
        """
        if problem := self.undo_problem():
            raise ThurnError(problem)
        before = self._decisions.pop()
        undone = len(self.game.moves) - len(before.moves)
        self.game = before
        del self._history[-undone:]


def moved_by_others(before: Game, after: Game) -> bool:
    """Return whether another seat than the one to move in `before` has moved since."""
    twin = before.copy()
    for move in after.moves[len(before.moves) :]:
        if twin.seat != before.seat:
            return True
        twin.play(move)
    return False


def learned(before: Game, after: Game, seat: int) -> bool:
    """Return whether the moves from one position to the other revealed anything to the seat.

    They revealed nothing if they give the seat the same view in all sampled deals of the hidden cards.
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
    """Return a seat's score if all viewers can know it: it is the same in all sampled deals of their hidden cards.

    None if a viewer cannot know it: some games have tickets that only their owner sees.
    """
    found: int | None = None
    for viewer in viewers:
        for deal in range(DEALS):
            score = game.redeal(viewer, deal).scores[seat]
            if found not in (None, score):
                return None
            found = score
    return found
