"""What one seat may know of a game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from thurn_env.games.contract import Float32Array, Int8Array, Int64Array
from thurn_env.pictures.picture import Picture

if TYPE_CHECKING:
    from thurn_env.game import Game, LegalActions


class View:
    """A seat's view of a game, given to agents.

    Everything comes from `game`, a re-dealt copy: the cards that the seat cannot know lie at random, so looking at
    them, or searching from them, tells nothing about the true ones. The copy may be played on and re-dealt again.

    Attributes:
        seat: the seat that looks.
        game: the re-dealt copy.
    """

    def __init__(self, seat: int, game: Game) -> None:
        self.seat = seat
        self.game = game

    @cached_property
    def observation(self) -> Float32Array:
        """float32 of shape (observation_size,), as the environments give it."""
        observation = np.zeros(self.game.rules.observation_size, np.float32)
        self.game.rules.observe(self.game.states, 0, self.seat, observation)
        return observation

    @cached_property
    def action_mask(self) -> Int8Array:
        """int8 of shape (actions,): the legal actions if the seat is to move, else all zero."""
        if self.game.seat != self.seat:
            return np.zeros(self.game.rules.action_size, np.int8)
        return self.game.action_mask

    @property
    def legal(self) -> LegalActions:
        """The legal actions of the player to move, as text."""
        return self.game.legal

    @property
    def legal_actions(self) -> Int64Array:
        """The indices of the legal actions of the player to move."""
        return self.game.legal_actions

    @cached_property
    def text(self) -> str:
        """The table in words, with the own hand."""
        return self.game.rules.text(self.game.states, 0, self.seat)

    @property
    def hand(self) -> dict[str, int]:
        """The own hand, name to number."""
        return self.game.hand(self.seat)

    def picture(self, names: Sequence[str] = ()) -> Picture:
        """The table with the own hand as a picture; `names` are what to call the players, by seat."""
        return self.game.rules.picture(self.game.states, 0, self.seat, names)

    def _repr_svg_(self) -> str:
        """The table with the own hand, as notebooks show it."""
        return self.picture().svg()

    def __repr__(self) -> str:
        return f"<View of seat {self.seat} of {self.game!r}>"
