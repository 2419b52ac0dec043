"""What a game hands to the kernels that all games share.

Kernels cannot be shared between games, because each is compiled for a game's own records. Their text can: every file
of kernels is a function that takes the game's rules, as `GameFunctions`, and returns the kernels made of them. They
enclose the rules: compiled functions that are handed on as arguments would keep kernels from being stored on disk.
"""

from collections.abc import Callable
from typing import Any, NamedTuple


class GameFunctions(NamedTuple):
    """A game's own rules, as compiled functions.

    Its state record has the fields `seat`, the seat to move, `generator`, uint64 (1,), and `truncated`, whether a
    finished game was cut off.

    Attributes:
        deal: `(state, rules, generator state, start player or -1)`: a new game.
        list_actions: `(state, rules, actions) -> number`: the legal actions; none when the game is over.
        play: `(state, rules, action)`: a legal action.
        over: `(state) -> bool`.
        write_row: `(state, rules, seat, row)`: what a seat may know, as whole numbers.
        redeal: `(state, rules, seat, generator)`: gives all that a seat cannot know a new random value.
        score: `(state, rules, seat) -> int`: a seat's score as it stands.
        rank: `(state, rules, seat) -> int`: a seat's rank as it stands.
        final_reward: `(state, rules, seat, mode) -> float`: a seat's return of a finished game.
        potential: `(state, rules, seat) -> float`: for reward shaping; 0 when the game is over.
        write_statistics: `(state, rules, statistics)`: figures of every seat, int32 of shape (players, figures).
        choose: `(state, rules, bot, generator, actions, number) -> action`: what a scripted bot plays.
        choose_sensible_random: `(state, rules, actions, number, generator) -> action`: what one of them plays.
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
