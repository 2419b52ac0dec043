"""Legal actions of a game as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import overload

from thurn_env.checks import whole
from thurn_env.games.contract import Int8Array, Int64Array, Rules


class LegalActions(Sequence[str]):
    """A lazy sequence of the legal actions as text: supports iteration, indices, `in`, `len` and comparison with lists.

    Args:
        rules: rules that name the actions.
        mask: function that returns the action mask of the player to move, int8 (actions,).
    """

    def __init__(self, rules: Rules, mask: Callable[[], Int8Array]) -> None:
        self._rules = rules
        self._mask = mask

    @property
    def _indices(self) -> Int64Array:
        # Many times faster than `np.flatnonzero`, and agents ask often.
        return self._mask().nonzero()[0]

    def __len__(self) -> int:
        return len(self._indices)

    def __bool__(self) -> bool:
        return bool(self._mask().any())

    def __iter__(self) -> Iterator[str]:
        return (self._rules.action_texts[index] for index in self._indices)

    @overload
    def __getitem__(self, position: int) -> str: ...
    @overload
    def __getitem__(self, position: slice) -> list[str]: ...
    def __getitem__(self, position: int | slice) -> str | list[str]:
        texts = self._rules.action_texts
        if isinstance(position, slice):
            return [texts[index] for index in self._indices[position]]
        try:
            return texts[int(self._indices[position])]
        except IndexError:
            raise IndexError(f"there are {len(self)} legal actions, none with number {position}") from None

    def __contains__(self, action: object) -> bool:
        rules = self._rules
        index = rules.action_indices.get(action) if isinstance(action, str) else whole(action)
        return index is not None and 0 <= index < rules.action_size and bool(self._mask()[index])

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Sequence) and not isinstance(other, str):
            return list(self) == list(other)
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<LegalActions: {', '.join(self) or 'none'}>"
