"""A position of a game in which chance acts one card at a time: a node of the game's tree."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from thurn_env.checks import checked_flag, checked_seat, quoted
from thurn_env.engine.read_only import sealed
from thurn_env.errors import IllegalAction, OptionError
from thurn_env.games.contract import GameRules, Records, RewardMode, reward_mode
from thurn_env.table.draws import Draws, Event
from thurn_env.table.game import Game, View
from thurn_env.table.seen import Seen

__all__ = ["Position"]

DEAL = -1
"""The event that begins a game, in place of an action."""
VIEW_SEED = 0
"""Seed of the hidden cards in views: positions that a seat cannot tell apart give it equal views."""


class Position:
    """A decision, an outcome of chance, or the end of a game. A position never changes; `after` returns the next one.

    Args:
        rules: rules of the game. The position is the one before the cards are dealt.
        start_player: seat that begins; None makes it an outcome of chance.
        skip_forced: play decisions with a single legal action automatically.

    Attributes:
        rules: the rules.
        states: the game, shape (1,), read-only. While chance is to act, the game before the deal or the action that
            chance belongs to.
        chance: probability of every possible outcome, by number; empty unless chance is to act.
        outcomes: text of every outcome of chance, by number.
        dealt: whether the cards are dealt.
        seen: what every seat saw.

    Raises:
        OptionError: there is no such seat, or the game has outcomes of chance of a kind that is not supported.

    Example:
        >>> from thurn_env import make_rules
        >>> position = Position(make_rules("thurn_und_taxis", 2, "tiny"), start_player=0)
        >>> position.outcomes[min(position.chance)]
        'card Langenburg'
    """

    def __init__(self, rules: GameRules, start_player: int | None = None, skip_forced: bool = True) -> None:
        self.rules = rules
        self._draws = Draws(rules)
        self._start_player = None
        if start_player is not None:
            self._start_player = checked_seat("start_player", start_player, rules.players)
        self._skip_forced = checked_flag("skip_forced", skip_forced)
        self.outcomes = self._draws.texts
        self.states: Records = sealed(rules.new_states(1))
        self.dealt = False
        self.seen = Seen(rules)
        self._moves = 0
        self._happen(DEAL, ())

    def after(self, choice: int) -> Position:
        """Return the position after an outcome or an action.

        Args:
            choice: number of the outcome if chance is to act, else index of the action.

        Raises:
            IllegalAction: the outcome is not possible, or the action is not legal.
        """
        twin = self._twin()
        if self.chance:
            if choice not in self.chance:
                raise IllegalAction(f"outcome {quoted(choice)} is not possible; possible: {quoted([*self.chance])}")
            twin._happen(self._event, (*self._drawn, choice))
            return twin
        if choice not in self.legal_actions:
            raise IllegalAction(f"action {quoted(choice)} is not legal; legal: {quoted(self.legal_actions)}")
        twin.seen = self.seen.with_move(self.seat, choice)
        twin._happen(choice, self._drawn)
        return twin

    def _twin(self) -> Position:
        twin = type(self).__new__(type(self))
        twin.__dict__ |= self.__dict__
        return twin

    def _happen(self, event: int, drawn: tuple[int, ...]) -> None:
        """Let the deal or an action happen, and forced decisions after it, until somebody has a choice."""
        while True:
            result = self._result(event, drawn)
            self._event = event
            if len(result.missing) == 1:
                drawn = (*drawn, *result.missing)  # only this card is left
                continue
            total = result.missing.total()
            probabilities = {outcome: result.missing[outcome] / total for outcome in sorted(result.missing)}
            self.chance: Mapping[int, float] = MappingProxyType(probabilities)
            self._drawn = drawn
            if result.missing:
                return
            self.states, self._drawn = sealed(result.states), result.ahead
            self.dealt = True
            self._moves += event != DEAL
            self._legal = self.rules.legal_mask(self.states, 0).nonzero()[0].tolist()
            self.seen = self.seen.with_state(self.states)
            if not self._skip_forced or len(self._legal) != 1:
                return
            event, drawn = self._legal[0], self._drawn
            self.seen = self.seen.with_move(self.seat, event)

    def _result(self, event: int, drawn: tuple[int, ...]) -> Event:
        if event == DEAL:
            return self._draws.deal(drawn, self._start_player)
        return self._draws.play(self.states, event, drawn)

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return self  # it never changes

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"chance": dict(self.chance)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        read_only = {"chance": MappingProxyType(state["chance"]), "states": sealed(state["states"])}
        self.__dict__ |= state | read_only

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.dealt and not self.chance and self.rules.over(self.states, 0)

    @property
    def seat(self) -> int:
        """Seat of the player to move; while chance is to act, seat of the player who moved last."""
        return self.rules.seat(self.states, 0)

    @property
    def legal_actions(self) -> list[int]:
        """Indices of the legal actions, ascending; empty if chance is to act or the game is over."""
        return [] if self.chance else list(self._legal)

    def returns(self, reward: RewardMode = "win") -> list[float]:
        """Return the return of every seat; 0 before the end."""
        if not self.over:
            return [0.0] * self.rules.players
        returns: list[float] = self.rules.rewards(self.states, 0, reward_mode(reward)).tolist()
        return returns

    def information_state(self, seat: int) -> str:
        """Return everything that a seat saw, as text; positions with equal texts are one information set."""
        return self.seen.log(seat)

    def view(self) -> View:
        """Return the view of the player to move. It is equal for all positions of an information set.

        Raises:
            OptionError: nobody is to move.
        """
        if self.chance or self.over:
            raise OptionError("nobody is to move in this position, so there is no view")
        return Game.from_bytes(self.rules, self.states.tobytes(), VIEW_SEED, self._moves).view()

    def __str__(self) -> str:
        """Return the table with all hands as text, and what chance has to decide."""
        table = self.rules.text(self.states, 0, None) if self.dealt else self.rules.title
        if not self.chance:
            return table
        event = "the deal" if self._event == DEAL else self.rules.action_texts[self._event]
        drawn = ", ".join(self.outcomes[outcome] for outcome in self._drawn) or "nothing"
        return f"{table}\nChance draws for {event}; drawn so far: {drawn}"
