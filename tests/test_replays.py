"""Records are replayed: every position comes back, and every lie shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from tests.recorded import Data, finished, played, unfinished
from thurn_env import Game, Record, RecordError
from thurn_env.games.thurn_und_taxis.board.shipped import SHIPPED
from thurn_env.table.replay import last_position, replay, verify


@pytest.mark.parametrize("seed", range(1, 6))
def test_replay_gives_every_position(seed: int) -> None:
    record = played(seed)
    game = Game(players=2, board="tiny", seed=seed)
    positions = list(replay(record))
    assert len(positions) == len(record.moves) + 1
    for number, position in enumerate(positions):
        assert position.public() == game.public()
        assert [position.hand(seat) for seat in range(2)] == [game.hand(seat) for seat in range(2)]
        assert list(position.legal) == list(game.legal)
        if number < len(record.moves):
            game.play(record.moves[number])
    assert positions[-1].over
    assert record.result == {"scores": positions[-1].scores, "ranks": positions[-1].ranks}
    assert last_position(record) == positions[-1]
    assert positions[-1].record(["sensible-random"] * 2) == record
    verify(record)


def test_positions_of_a_replay_are_independent() -> None:
    positions = replay(played())
    first = next(positions)
    first.play("draw")
    second = next(positions)
    assert len(second.moves) == 1
    assert first.moves != second.moves or first.to_bytes() == second.to_bytes()


def test_replaying_leaves_the_record_alone() -> None:
    record = played()
    before = record.to_json()
    verify(record)
    list(replay(record))
    assert record.to_json() == before


def test_options_that_are_not_named_have_their_defaults() -> None:
    data = finished()
    data["options"] = {}
    verify(Record.from_dict(data))


@pytest.mark.parametrize("moves", [0, 1, 17, 60])
def test_unfinished_games(moves: int) -> None:
    """A game under way has a record without result, and only the decks dealt so far."""
    record = unfinished(moves)
    assert record.result is None
    assert "result" not in record.as_dict()
    assert "agents" not in record.as_dict()
    assert Record.from_json(record.to_json()) == record
    verify(record)
    assert len(list(replay(record))) == moves + 1


def test_a_record_does_not_follow_the_game() -> None:
    game = Game(players=2, board="tiny", seed=1)
    record = game.record()
    before = record.to_json()
    while not game.over:
        game.play(int(game.legal_actions[0]))
    assert record.to_json() == before


def test_a_board_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes((SHIPPED / "tiny.toml").read_bytes())
    data = {**finished(), "board": str(path)}
    verify(Record.from_dict(data))
    path.unlink()
    with pytest.raises(RecordError, match=r"the record cannot be played: no board is called .*mine.toml"):
        Record.from_dict(data)


# Lies that show when a record is replayed


def edited(data: Data, edit: Callable[[Data], object]) -> Record:
    edit(data)
    return Record.from_dict(data)


def first_move_of(kind: str) -> int:
    return next(number for number, move in enumerate(played().moves) if move.startswith(kind))


def swap_cards_in(order: int) -> Callable[[Data], None]:
    """One card too many of one city and one too few of another."""

    def edit(data: Data) -> None:
        deck = data["decks"][order]
        deck[-1] = next(name for name in data["decks"][0] if name != deck[-1])

    return edit


NUMBER_OF_MOVES = "[0-9]+"

LIES: list[tuple[Callable[[Data], object], str]] = [
    (lambda data: data["moves"].__setitem__(4, "fly"), "move 5 of N, 'fly': there is no action 'fly'"),
    (
        lambda data: data["moves"].__setitem__(4, "take Ansbahc"),
        "move 5 of N, 'take Ansbahc': there is no action .*; did you mean 'take Ansbach'",
    ),
    (lambda data: data["moves"].__setitem__(0, "take Basel"), "move 1 of N, 'take Basel': there is no action"),
    (lambda data: data["moves"].__setitem__(0, ""), "move 1 of N, '': there is no action ''"),
    (lambda data: data["moves"].__setitem__(0, "7"), "move 1 of N, '7': there is no action '7'"),
    (
        lambda data: data["moves"].__setitem__(0, "close"),
        "move 1 of N, 'close': 'close' is not legal: draw a card and play a card first. Legal: ",
    ),
    (
        lambda data: data["moves"].insert(2, "administrator"),
        "move 3 of N, 'administrator': 'administrator' is not legal: ",
    ),
    (lambda data: data["moves"].append("draw"), "move (N) of \\1, 'draw': .*not legal: the game is over"),
    (
        lambda data: data.update(unfinished(40).as_dict()),
        "the record has a result, but the game is not over after move 40",
    ),
    (lambda data: data["moves"].clear(), "decks: (N) of N are left over after the last move"),
    (lambda data: data.pop("result"), "the game is over after the last move, but the record has no result"),
    (lambda data: data["result"]["scores"].reverse(), r"result: the scores are \[.*\], the record says \["),
    (lambda data: data["result"]["ranks"].reverse(), r"result: the ranks are \[.*\], the record says \["),
    (lambda data: data["result"]["ranks"].append(3), r"result: the ranks are \[.*\], the record says \["),
    (lambda data: data["result"]["scores"].clear(), r"result: the scores are \[.*\], the record says \[\]"),
    (lambda data: data.update(start_player=2), "start_player must be a seat from 0 to 1, not 2"),
    (lambda data: data.update(start_player=-1), "start_player must be a seat from 0 to 1, not -1"),
    (lambda data: data.update(start_player=10**40), "start_player must be a seat from 0 to 1, not 1000"),
    # F14: the deck orders.
    (lambda data: data["decks"].clear(), "before the first move: decks: cards are shuffled here, but"),
    (
        swap_cards_in(0),
        "before the first move: the deck order does not hold exactly the cards that were to be shuffled",
    ),
    (lambda data: data["decks"][0].pop(), "before the first move: the deck order does not hold exactly"),
    (lambda data: data["decks"][0].clear(), "before the first move: .*empty"),
    (lambda data: data["decks"][0].append("Ansbach"), "before the first move: a deck of 19 cards; the game has 18"),
    (
        lambda data: data["decks"][0].__setitem__(3, "Ansbahc"),
        "before the first move: there is no card 'Ansbahc' on the board tiny; did you mean 'Ansbach'",
    ),
    (lambda data: data["decks"][0].__setitem__(3, ""), "before the first move: there is no card ''"),
    (swap_cards_in(1), "move N of N, '.*': the deck order does not hold exactly the cards"),
    (lambda data: data["decks"][1].pop(), "move N of N, '.*': the deck order does not hold exactly the cards"),
    (lambda data: data["decks"][1].clear(), "move N of N, '.*': .*empty"),
    (lambda data: data["decks"][-1].clear(), "move N of N, '.*': .*empty"),
    (
        lambda data: data["decks"][1].__setitem__(0, "Rom"),
        "move N of N, '.*': there is no card 'Rom' on the board tiny",
    ),
    (lambda data: data["decks"].pop(), "move N of N, '.*': decks: cards are shuffled here, but the record gives no"),
    (lambda data: data["decks"].append([]), "decks: 1 of [0-9]+ are left over after the last move"),
    (
        lambda data: data["decks"].append(data["decks"][0]),
        "decks: 1 of [0-9]+ are left over after the last move",
    ),
    (lambda data: data.update(players=4, agents=[]), "move N of N"),
    (lambda data: data.update(board="small", players=3, agents=[]), "before the first move: "),
    (lambda data: data.update(options={"max_rounds": 3}), "move N of N, '.*': .* is not legal: the game is over"),
]


@pytest.mark.parametrize(("edit", "message"), LIES)
def test_dishonest_records(edit: Callable[[Data], object], message: str) -> None:
    """The error names the move and the reason."""
    record = edited(finished(), edit)
    with pytest.raises(RecordError, match="^" + message.replace("N", NUMBER_OF_MOVES)) as error:
        verify(record)
    for look in (lambda: last_position(record), lambda: list(replay(record))):
        with pytest.raises(RecordError) as again:
            look()
        assert str(again.value) == str(error.value)


def test_the_number_of_the_wrong_move_is_right() -> None:
    """Wherever a move is replaced by one that is not legal, the error names that move, counted from 1."""
    positions = list(replay(played()))
    for number in range(0, len(played().moves), 9):
        data, legal = finished(), positions[number].legal
        data["moves"][number] = next(text for text in positions[number].rules.action_texts if text not in legal)
        with pytest.raises(RecordError, match=f"^move {number + 1} of {len(data['moves'])}, '"):
            verify(Record.from_dict(data))


def test_a_deck_is_named_where_it_is_used() -> None:
    """The reshuffle that does not fit is the one at which the cards run out."""
    shuffles = [int(game.states[0]["shuffles"]) for game in replay(played())]
    shuffled_at = [number for number, (before, after) in enumerate(pairwise(shuffles)) if after > before]
    assert len(shuffled_at) == len(played().chance["decks"]) - 1
    for order, number in enumerate(shuffled_at, start=1):
        with pytest.raises(RecordError, match=f"^move {number + 1} of "):
            verify(edited(finished(), swap_cards_in(order)))


def test_cut_short_but_honest() -> None:
    """Missing moves without a result are a game under way, if the decks fit too."""
    data = finished()
    del data["result"]
    del data["moves"][3:]
    with pytest.raises(RecordError, match="are left over after the last move"):
        verify(Record.from_dict(data))
    del data["decks"][1:]
    verify(Record.from_dict(data))


def test_records_made_by_hand() -> None:
    """A `Record` that was never text is checked too."""
    record = played()
    with pytest.raises(RecordError, match="the record lacks 'decks'"):
        verify(replace(record, chance={}))
    with pytest.raises(RecordError, match="cannot be played"):
        verify(replace(record, players=9))
    with pytest.raises(RecordError, match=r"^move 1 of 1, 'fly'"):
        verify(replace(record, moves=["fly"]))
