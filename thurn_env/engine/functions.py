"""Compiled functions that a game passes to the kernel factories.

Kernels are compiled for a game's records, so games cannot share them. They share the source: every file of kernels is a
function that takes the game's rules, as `GameFunctions`, and returns kernels made from them. The kernels enclose the
rules: Numba stores no kernel on disk that takes compiled functions as arguments.
"""

from collections.abc import Callable
from typing import Any, NamedTuple


class GameFunctions(NamedTuple):
    """A game's rules as compiled functions.

    Its state record has the fields `seat`, the seat to move, `generator`, uint64 (1,), and `truncated`, whether a
    finished game was cut off.

    Attributes:
        deal: `(state, rules, generator state, start player or -1)`: sets up a new game.
        list_actions: `(state, rules, actions) -> number`: writes the legal actions; none when the game is over.
        play: `(state, rules, action)`: plays a legal action.
        over: `(state) -> bool`: whether the game is over.
        write_row: `(state, rules, seat, row)`: writes a seat's observation as integers.
        redeal: `(state, rules, seat, generator)`: replaces everything that a seat cannot know by a random deal.
        score: `(state, rules, seat) -> int`: current score of a seat.
        rank: `(state, rules, seat) -> int`: current rank of a seat.
        final_reward: `(state, rules, seat, mode) -> float`: return of a seat in a finished game.
        potential: `(state, rules, seat) -> float`: shaping potential; 0 when the game is over.
        write_statistics: `(state, rules, statistics)`: writes statistics of all seats, int32 (players, statistics).
        choose: `(state, rules, bot, generator, actions, number) -> action`: action of a scripted bot.
        choose_sensible_random: `(state, rules, actions, number, generator) -> action`: action of that bot.
    """

    deal: Callable[..., Any]
    list_actions: Callable[..., Any]
    play: Callable[..., Any]
    over: Callable[..., Any]
    write_row: Callable[..., Any]
    redeal: Callable[..., Any]
    score: Callable[..., Any]
    rank: Callable[..., Any]
    final_reward: Callable[..., Any]
    potential: Callable[..., Any]
    write_statistics: Callable[..., Any]
    choose: Callable[..., Any]
    choose_sensible_random: Callable[..., Any]
