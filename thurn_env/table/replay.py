"""Replay, resume and verify recorded games."""

from __future__ import annotations

import copy
from collections.abc import Iterator

from thurn_env.checks import checked_seat, checked_seed, quoted
from thurn_env.errors import IllegalAction, OptionError, RecordError
from thurn_env.games.contract import Rules, unknown_action
from thurn_env.table.game import Game
from thurn_env.table.record import Record

__all__ = ["last_position", "replay", "resume", "verify"]


def replay(record: Record) -> Iterator[Game]:
    """Yield the game before the first move and after every move, each as an independent `Game`.

    Raises:
        RecordError: a move is not legal, the outcomes of chance do not fit, or the result is wrong; the message names
            the move and the reason.
    """
    for game in _positions(record):
        yield game.copy()


def last_position(record: Record) -> Game:
    """Return the game after the last move.

    Raises:
        RecordError: see `replay`.
    """
    for game in _positions(record):
        last = game
    return last


def resume(record: Record, seed: int | None = None) -> Game:
    """Return the game after the last move, ready to be continued.

    Args:
        record: a record, usually without a result.
        seed: seed of chance and agents from here on; None takes a fresh one.

    Raises:
        RecordError: see `replay`.
        OptionError: the seed is not an integer from 0 up.
    """
    for game in _positions(record, checked_seed(seed)):
        last = game
    return last


def verify(record: Record) -> None:
    """Replay the whole record.

    Raises:
        RecordError: see `replay`; the first error found.
    """
    last_position(record)


def _positions(record: Record, seed: int = 0) -> Iterator[Game]:
    rules = record.rules
    if missing := [key for key in rules.chance_forms if key not in record.chance]:
        raise RecordError(f"the record lacks {missing[0]!r}")
    outcomes = copy.deepcopy(record.chance)
    try:
        checked_seat("start_player", record.start_player, rules.players)
    except OptionError as error:
        raise RecordError(str(error)) from None
    try:
        game = Game.from_chance(rules, record.start_player, outcomes, seed)
    except RecordError as error:
        raise RecordError(f"before the first move: {error}") from None
    yield game
    for number, move in enumerate(record.moves, start=1):
        try:
            game.play_with_chance(_index_of(move, rules), outcomes)
        except (RecordError, IllegalAction) as error:
            raise RecordError(f"move {number} of {len(record.moves)}, {quoted(move)}: {error}") from None
        yield game
    for key, left in outcomes.items():
        if left:
            raise RecordError(f"{key}: {len(left)} of {len(record.chance[key])} are left over after the last move")
    _check_result(record, game)


def _check_result(record: Record, game: Game) -> None:
    if record.result is None:
        if game.over:
            raise RecordError("the game is over after the last move, but the record has no result")
        return
    if not game.over:
        raise RecordError(f"the record has a result, but the game is not over after move {len(record.moves)}")
    for key, true in (("scores", game.scores), ("ranks", game.ranks)):
        if record.result.get(key) != true:
            raise RecordError(f"result: the {key} are {true}, the record says {quoted(record.result.get(key))}")


def _index_of(move: str, rules: Rules) -> int:
    """Return the index of a move; raise `IllegalAction` unless it is the exact text of an action."""
    index = rules.action_indices.get(move)
    if index is None:
        raise IllegalAction(unknown_action(move, rules.action_texts))
    return index
