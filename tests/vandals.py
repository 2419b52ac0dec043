"""Agents that write into everything they are handed, for tests."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Mapping, MutableMapping, MutableSequence, MutableSet
from contextlib import suppress
from types import ModuleType
from typing import Any

import numpy as np

from thurn_env.games.contract import Float32Array, GameRules, Int8Array, Int64Array
from thurn_env.table.game import View

PLAIN = (str, bytes, int, float, complex, range, slice, np.generic, np.dtype, ModuleType, type, type(None))
REFUSALS = (AttributeError, TypeError, ValueError)
"""What Python and NumPy raise where something may not be changed."""


def reachable(root: Any, name: str) -> Iterator[tuple[str, Any]]:
    """All that can be reached by attributes, properties and items, each with the way that leads there."""
    seen: dict[int, Any] = {}
    found = [(name, root)]
    while found:
        way, thing = found.pop()
        if id(thing) in seen or callable(thing):
            continue
        # Kept, so that the number is not given to another object.
        seen[id(thing)] = thing
        yield way, thing
        if isinstance(thing, Mapping):
            found += [(f"{way}[{key!r}]", value) for key, value in thing.items()]
        elif isinstance(thing, tuple | list | set | frozenset):
            found += [(f"{way}[{place}]", value) for place, value in enumerate(thing)]
        elif isinstance(thing, np.ndarray):
            found.append((f"{way}.base", thing.base))
        elif not isinstance(thing, PLAIN):
            names = [name for name in dir(thing) if not name.startswith("_")]
            found += [(f"{way}.{name}", getattr(thing, name)) for name in names]


def digest(root: Any) -> str:
    """A digest of the values of all that can be reached."""
    values = hashlib.sha256()
    for way, thing in reachable(root, "root"):
        value = thing.tobytes() if isinstance(thing, np.ndarray) else repr(thing) if isinstance(thing, PLAIN) else ""
        values.update(f"{way} {type(thing).__name__} {value!r}\n".encode())
    return values.hexdigest()


def wreck_array(array: np.ndarray[Any, Any]) -> None:
    """Make an array writeable, if possible, and overwrite it."""
    with suppress(ValueError):
        array.flags.writeable = True
    with suppress(ValueError):
        array.view(np.ndarray)[...] = np.ones((), np.uint8).astype(array.dtype)


def wreck(*roots: Any) -> None:
    """Overwrite, empty and delete everything that can be reached, as far as Python lets it."""
    for thing in [thing for root in roots for _, thing in reachable(root, "root")]:
        if isinstance(thing, np.ndarray):
            wreck_array(thing)
        elif isinstance(thing, Mapping):
            for key in list(thing):
                with suppress(*REFUSALS):
                    thing[key] = None  # type: ignore[index]
            with suppress(*REFUSALS):
                thing.clear()  # type: ignore[attr-defined]
        elif isinstance(thing, MutableSequence | MutableSet):
            thing.clear()
        elif not isinstance(thing, PLAIN):
            for name in [name for name in dir(thing) if not name.startswith("__")]:
                with suppress(*REFUSALS):
                    setattr(thing, name, None)
                with suppress(*REFUSALS):
                    delattr(thing, name)


def mutable(thing: Any) -> bool:
    """Whether a container can be changed, perhaps after a flag was set."""
    if isinstance(thing, np.ndarray):
        with suppress(ValueError):
            thing.flags.writeable = True
        return thing.flags.writeable
    return isinstance(thing, MutableMapping | MutableSequence | MutableSet | bytearray)


class Sane:
    """Plays at random, and leaves everything as it is."""

    def __init__(self) -> None:
        self.name = type(self).__name__

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        self._random = random.Random(seed)

    def act(self, view: View) -> int | str:
        return int(self._random.choice(view.legal_actions))


class Vandal(Sane):
    """Makes the same choices, and wrecks what it is handed."""

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        super().reset(seat, rules, seed)
        wreck(rules)

    def act(self, view: View) -> int | str:
        action = super().act(view)
        wreck(view, view.picture(), view.game.picture(), view.game.public(), view.game.breakdown())
        return action


class PlaysOn(Sane):
    """Makes the same choices after trying them out in its view, as it may."""

    def act(self, view: View) -> int | str:
        action = super().act(view)
        text = view.game.rules.action_texts[int(action)]
        view.game.play(action)
        return text


class SaneInMany:
    """Plays the first legal action of every row."""

    def __init__(self) -> None:
        self.name = type(self).__name__

    def reset_batch(self, rules: GameRules, seed: int) -> None: ...

    def act_batch(self, observations: Float32Array, masks: Int8Array) -> Int64Array:
        actions: Int64Array = masks.argmax(axis=1)
        return actions


class VandalInMany(SaneInMany):
    """Makes the same choices, and wrecks what it is handed."""

    def reset_batch(self, rules: GameRules, seed: int) -> None:
        wreck(rules)

    def act_batch(self, observations: Float32Array, masks: Int8Array) -> Int64Array:
        actions = super().act_batch(observations, masks)
        wreck(observations, masks)
        return actions
