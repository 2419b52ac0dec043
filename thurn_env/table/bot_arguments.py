"""Bots that are to finish a game, as a caller gives them: compiled code reads and writes them unchecked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from thurn_env.checks import quoted, whole
from thurn_env.errors import OptionError
from thurn_env.games.contract import Int8Array, UInt64Array

__all__ = ["check_generators", "checked_bots"]


def checked_bots(bots: Sequence[str | int], known: Sequence[str], players: int) -> Int8Array:
    """Return the index of the bot for every seat, int8 (players,).

    Args:
        bots: names or indices.
        known: names of the game's bots.
        players: number of players.

    Raises:
        OptionError: there is no such bot, or not one for every seat.
    """
    numbers = []
    for bot in bots:
        number = known.index(bot) if isinstance(bot, str) and bot in known else whole(bot)
        if number is None or not 0 <= number < len(known):
            raise OptionError(f"there is no bot {quoted(bot)}; the bots are {', '.join(known)}")
        numbers.append(number)
    if len(numbers) != players:
        raise OptionError(f"{len(numbers)} bots for {players} players")
    return np.array(numbers, np.int8)


def check_generators(generators: UInt64Array, players: int) -> None:
    """Raise `OptionError` if these are no random generators of all seats."""
    given = generators if isinstance(generators, np.ndarray) else np.empty(0)
    fits = given.dtype == np.uint64 and given.shape == (players, 1)
    if not (fits and given.flags.c_contiguous and given.flags.writeable):
        raise OptionError(f"generators must be a uint64 array of shape ({players}, 1), contiguous and writable")
