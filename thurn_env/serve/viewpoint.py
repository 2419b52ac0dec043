"""A game as one seat or a spectator sees it. Positions are drawn when somebody asks for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from thurn_env.drawing.picture import Picture
from thurn_env.show.film import Drawings, Film
from thurn_env.table.game import NOBODY, Game

__all__ = ["NOBODY", "Viewpoint"]


class Viewpoint:
    """All that one viewer gets to see of a game.

    Args:
        seat: the viewer's seat; `NOBODY` for spectators, who see no hand.
        names: names of the players by seat.
        games: all positions of the game so far; the owner adds and removes positions.
        drawings: the texts of the pictures, which viewpoints of a game share.
    """

    def __init__(self, seat: int, names: Sequence[str], games: Sequence[Game], drawings: Drawings) -> None:
        self.seat = seat
        self._names, self._games = names, games
        self._film = Film(drawings)
        self._labels: dict[int, str] = {}
        self._moves: dict[int, dict[str, Any]] = {}
        self._last: tuple[Game, Picture] | None = None

    def picture(self) -> Picture:
        """Return the picture of the current position."""
        if self._last is not None and self._last[0] is self._games[-1]:
            return self._last[1]
        return self._draw(len(self._games) - 1)

    def _draw(self, position: int) -> Picture:
        game = self._games[position]
        shown = game.public_picture(self._names) if self.seat == NOBODY else game.view(self.seat).picture(self._names)
        self._film.add(shown, position)
        self._labels[position] = shown.label
        self._last = game, shown
        return shown

    def frame(self, position: int, before: int | None) -> dict[str, Any]:
        """Return a position as JSON: the layers that differ from those of position `before`, or all layers if None."""
        for needed in (before, position):
            if needed is not None and needed not in self._labels:
                self._draw(needed)
        texts = self._film.drawings.texts
        changes = [[layer, texts[drawing]] for layer, drawing in self._film.changes(position, before)]
        return {"position": position, "label": self._labels[position], "changes": changes}

    def move(self, position: int) -> dict[str, Any]:
        """Return the move that led to a position as JSON, as far as the viewer may know it."""
        if position not in self._moves:
            before, after = self._games[position - 1], self._games[position]
            text = before.rules.move_text(after.moves[-1], before.seat, self.seat)
            self._moves[position] = {"seat": before.seat, "round": before.rounds + 1, "move": text}
        return self._moves[position]

    def forget(self, positions: int) -> None:
        """Forget all but the first positions, since the others were undone."""
        memories: list[dict[int, Any]] = [self._labels, self._film.positions, self._moves]
        for memory in memories:
            for position in [position for position in memory if position >= positions]:
                del memory[position]
