"""Deck orders and options of records (F14)."""

from dataclasses import replace

import pytest

from thurn_env import Game, OptionError, Record, RecordError
from thurn_env.table.replay import verify


def short_game() -> Record:
    """The record of one round."""
    game = Game(players=2, seed=1, max_rounds=1)
    while not game.over:
        game.play(next(action for word in ("draw", "start", "end") for action in game.legal if word in action))
    return game.record()


def test_f14_every_deck_order_is_used() -> None:
    record = short_game()
    assert len(record.chance["decks"]) == 1
    verify(record)


def test_f14_a_leftover_deck_order_is_an_error() -> None:
    record = short_game()
    decks = record.chance["decks"]
    with pytest.raises(RecordError, match="left over"):
        verify(replace(record, chance={"decks": [*decks, decks[0]]}))


def test_f14_a_missing_deck_order_is_an_error() -> None:
    with pytest.raises(RecordError):
        verify(replace(short_game(), chance={"decks": []}))


def test_f14_unknown_options_are_errors() -> None:
    record = short_game()
    with pytest.raises(RecordError, match="unknown option 'tea'"):
        verify(replace(record, options={**record.options, "tea": True}))
    with pytest.raises(OptionError, match="unknown option 'tea'"):
        Game(players=2, tea=True)
