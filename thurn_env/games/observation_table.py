"""Observation of a game: named pieces of one flat float32 vector.

A game declares its pieces once, as `PIECES` in its `observation.py`, and the axes that they run over. The kernel,
slices, dict form, places of values, documentation tables and tests use this declaration.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from types import MappingProxyType
from typing import Any, Generic, NamedTuple

import numpy as np

from thurn_env.engine.kernels import Float32Array, Int64Array
from thurn_env.engine.read_only import sealed
from thurn_env.games.action_table import ActionTable, Material
from thurn_env.games.contract.searched import Things

NO_PLACE = -1
"""Place of values and actions that are about no place."""
ROUND_BOUND = 100
"""Maximum round number in observations."""


@dataclass(frozen=True, slots=True)
class Piece(Generic[Material]):
    """One named piece of the observation.

    Attributes:
        name: key in the dict form.
        axes: names of its axes; () for a single value. At most one axis runs over places.
        bound: largest absolute value that occurs; the observation is the count divided by it.
        meaning: one line for the tables.
        only: whether the piece exists; None: always.
    """

    name: str
    axes: tuple[str, ...]
    bound: int | Callable[[Material], int]
    meaning: str | Callable[[Material], str]
    only: Callable[[Material], bool] | None = None


class Axis(NamedTuple):
    """An axis of pieces.

    Attributes:
        size: number of entries.
        places: place of the board that every entry describes, numbered as in `GameRules.neighbours`; None if the axis
            does not run over places.
    """

    size: int
    places: Sequence[int] | None = None


@dataclass(frozen=True)
class ObservationTable(Generic[Material]):
    """Observation vector of a game with its board, options and number of players.

    Attributes:
        declared: all pieces in order, including those that do not exist here.
        axes: axes by name.
        material: what the pieces are declared over.
    """

    declared: tuple[Piece[Material], ...]
    axes: Mapping[str, Axis]
    material: Material

    @cached_property
    def pieces(self) -> tuple[Piece[Material], ...]:
        """Existing pieces in order."""
        return tuple(piece for piece in self.declared if piece.only is None or piece.only(self.material))

    @cached_property
    def shapes(self) -> Mapping[str, tuple[int, ...]]:
        """Shape of every piece."""
        return MappingProxyType(
            {piece.name: tuple(self.axes[axis].size for axis in piece.axes) for piece in self.pieces}
        )

    @cached_property
    def slices(self) -> Mapping[str, slice]:
        """Slice of every piece in the vector."""
        slices: dict[str, slice] = {}
        start = 0
        for name, shape in self.shapes.items():
            stop = start + prod(shape)
            slices[name] = slice(start, stop)
            start = stop
        return MappingProxyType(slices)

    @cached_property
    def bounds(self) -> Mapping[str, int]:
        """Divisor of every piece's counts."""
        return MappingProxyType(
            {
                piece.name: piece.bound if isinstance(piece.bound, int) else piece.bound(self.material)
                for piece in self.pieces
            }
        )

    @cached_property
    def scales(self) -> Mapping[str, float]:
        """Factor of every piece's counts."""
        return MappingProxyType({name: 1.0 / bound for name, bound in self.bounds.items()})

    @cached_property
    def scale(self) -> Float32Array:
        """Factor of every count: float32 (size,), read-only."""
        scale = np.empty(self.size, np.float32)
        for name, place in self.slices.items():
            scale[place] = self.scales[name]
        return sealed(scale)

    @cached_property
    def count_dtype(self) -> np.dtype[np.int8] | np.dtype[np.int16]:
        """Narrowest dtype that holds all counts: int8, or int16 if a bound does not fit into int8."""
        widest = max(self.bounds.values())
        return np.dtype(np.int8) if widest <= np.iinfo(np.int8).max else np.dtype(np.int16)

    @cached_property
    def size(self) -> int:
        """Length of the vector."""
        return self.slices[self.pieces[-1].name].stop

    @cached_property
    def places(self) -> Int64Array:
        """Place of every value, or `NO_PLACE`: int64 (size,), read-only."""
        places = np.full(self.size, NO_PLACE, np.int64)
        for piece in self.pieces:
            entries = places[self.slices[piece.name]].reshape(self.shapes[piece.name])
            for position, axis in enumerate(piece.axes):
                told = self.axes[axis].places
                if told is not None:
                    np.moveaxis(entries, position, -1)[...] = told
        return sealed(places)

    def places_of_actions(self, actions: ActionTable[Material]) -> Int64Array:
        """Return the place that every action is about, or `NO_PLACE`: int64 (actions,), read-only."""
        places = np.full(len(actions.texts), NO_PLACE, np.int64)
        for family in actions.families:
            told = None if family.axis is None else self.axes[family.axis].places
            if told is not None and (block := actions.blocks[family.name]):
                places[block.start : block.stop] = told
        return sealed(places)

    def things(self, actions: ActionTable[Material]) -> Mapping[str, Things]:
        """Return what actions are about, by axis; the arrays are read-only.

        Raises:
            ValueError: an axis of a family has not as many entries as the family has actions.
        """
        targets: dict[str, list[Int64Array]] = {}
        for family in actions.families:
            block = actions.blocks[family.name]
            if family.axis is not None and block:
                if self.axes[family.axis].size != len(block):
                    raise ValueError(
                        f"the axis {family.axis} has {self.axes[family.axis].size} entries, but there are"
                        f" {len(block)} actions {family.name!r}; give the family another axis or none"
                    )
                targets.setdefault(family.axis, []).append(np.array(block, np.int64))
        return MappingProxyType(
            {axis: Things(sealed(self._values(axis)), sealed(np.stack(of, axis=1))) for axis, of in targets.items()}
        )

    def _values(self, axis: str) -> Int64Array:
        """Return the indices of the values of every entry of an axis: int64 (entries, values)."""
        columns = [np.zeros((self.axes[axis].size, 0), np.int64)]
        for piece in self.pieces:
            if axis in piece.axes:
                place = self.slices[piece.name]
                indices = np.arange(place.start, place.stop).reshape(self.shapes[piece.name])
                columns.append(np.moveaxis(indices, piece.axes.index(axis), 0).reshape(self.axes[axis].size, -1))
        return np.concatenate(columns, axis=1)

    def fields(self) -> list[tuple[Any, ...]]:
        """Fields of the rules record for the starts of the pieces and the factors of all values."""
        return [
            *((f"at_{piece.name}", np.uint64) for piece in self.declared),
            ("scale", np.float32, (self.size,)),
            ("round_bound", np.int16),
        ]

    def write(self, rules: Any) -> None:
        """Fill these fields of a rules record."""
        for name, place in self.slices.items():
            rules[f"at_{name}"] = place.start
        rules["scale"] = self.scale
        rules["round_bound"] = ROUND_BOUND

    def rows(self) -> list[tuple[str, str, str, str, str]]:
        """Return rows (indices, name, shape, scale, meaning) for the documentation tables."""
        rows = []
        for piece in self.pieces:
            place = self.slices[piece.name]
            indices = str(place.start) if place.stop - place.start == 1 else f"{place.start} .. {place.stop - 1}"
            shape = " x ".join(piece.axes) or "1"
            meaning = piece.meaning if isinstance(piece.meaning, str) else piece.meaning(self.material)
            rows.append((indices, piece.name, shape, f"1/{self.bounds[piece.name]}", meaning))
        return rows
