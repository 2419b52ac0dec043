"""The certificate that nobody can look at hidden cards and tickets: whatever a seat is shown or chooses is the same
wherever those lie that it cannot know; and all that it knows stays."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tests.hidden import States, check_bots_are_blind, differing, positions, redealt
from tests.zug_um_zug.accounts import check_accounts, members
from tests.zug_um_zug.positions import GAME, Player, play, position
from thurn_env import Game, make_rules
from thurn_env.games.contract import HIDDEN_MOVE, GameRules

TABLES = [("tiny_rails", 2), ("tiny_rails", 5), ("germany", 2), ("germany", 4)]
POSITIONS = 500

CARDS = {"deck", "hand", "generator"}
TICKETS = {"pile", "held", "done", "early", "returned", "completed", "ticket_points", "drawn_tickets"}
"""The only fields of a state that may differ between what lies on the table and what a seat is shown."""


def seen_by(rules: GameRules, states: States, seat: int) -> dict[str, Any]:
    """Everything that a seat is shown."""
    observation = np.zeros(rules.observation_size, np.float32)
    rules.observe(states, 0, seat, observation)
    state = states[0]
    return {
        "observation": observation.tobytes(),
        "mask": rules.legal_mask(states, 0).tobytes() if rules.seat(states, 0) == seat else None,
        "text": rules.text(states, 0, seat),
        "hand": rules.hand(states, 0, seat),
        "phase": rules.phase(states, 0),
        "over": rules.over(states, 0),
        "public": rules.public(states, 0),
        "returned": state["returned"][seat].tobytes(),
        "laid": [ticket for row, by in zip(state["pile"], state["laid_by"], strict=True) for ticket in row[by == seat]],
        "scores": rules.scores(states, 0) if rules.over(states, 0) else None,
    }


@pytest.mark.parametrize(("board", "players"), TABLES)
def test_the_certificate(board: str, players: int) -> None:
    """For every seat, a redeal changes hidden fields only, and nothing that the seat is shown or knows."""
    rules = make_rules(GAME, players, board, max_rounds=40)
    looked_at: Counter[str] = Counter()
    for number, game in enumerate(positions(rules, POSITIONS, seed=players)):
        looked_at[game.phase] += 1
        state = game.states[0]
        for seat in range(players):
            shown = seen_by(rules, game.states, seat)
            twin = redealt(rules, game.states, seat, number, seat)
            other = twin[0]
            assert seen_by(rules, twin, seat) == shown
            check_accounts(rules, other)
            assert differing(twin, game.states) <= CARDS | TICKETS
            for name in ("held", "done", "early", "returned", "completed", "ticket_points", "hand"):
                assert other[name][seat].tobytes() == state[name][seat].tobytes(), name
            if game.seat == seat:
                assert other["drawn_tickets"].tobytes() == state["drawn_tickets"].tobytes()
            assert (other["deck"][other["deck_size"] :] == -1).all()
            assert other["generator"][0] != state["generator"][0]
            # What comes out depends on the seat's knowledge and on the generator alone.
            again = redealt(rules, twin, seat, 7, seat)
            assert again.tobytes() == redealt(rules, game.states, seat, 7, seat).tobytes()
    assert set(looked_at) >= {"mix", "ticket", "turn", "second_card", "colour", "passenger", "over"}


@pytest.mark.parametrize(("board", "players"), TABLES)
def test_no_bot_looks_at_hidden_cards(board: str, players: int) -> None:
    """Every scripted bot chooses the same wherever the hidden cards lie, and uses up as much of its randomness."""
    check_bots_are_blind(make_rules(GAME, players, board, max_rounds=40), POSITIONS, seed=10 + players)


def test_views_tell_no_secret_moves() -> None:
    """Which tickets somebody kept or put back is not in a view's list of moves; all else is."""
    rules = make_rules(GAME, 3, "tiny_rails", max_rounds=40)
    for game in positions(rules, 60, seed=31):
        for seat in range(3):
            told = game.view(seat).game.moves
            assert len(told) == len(game.moves)
            for move, shown in zip(game.moves, told, strict=True):
                secret = rules.action_texts[move].split()[0] in ("keep", "return")
                assert shown == (HIDDEN_MOVE if secret else move)
    assert any(move in rules.secret_actions for move in game.moves)
    (kept, *_) = (move for move in game.moves if move in rules.secret_actions)
    assert rules.move_text(kept, mover=1, seat=0) == "(secret)"
    assert rules.move_text(kept, mover=1, seat=1) == rules.move_text(kept, 1, None) == rules.action_texts[kept]


@pytest.mark.parametrize(("board", "players"), [("tiny_rails", 3), ("germany", 2)])
def test_views_show_nothing_hidden(board: str, players: int) -> None:
    """All that a `View` offers, and the whole game in it, is the same wherever the hidden cards lie."""
    rules = make_rules(GAME, players, board, max_rounds=40)
    for number, game in enumerate(positions(rules, 200, seed=30)):
        for seat in range(players):
            twin = game.redeal(seat, number)
            twin.seed = game.seed
            first, second = game.view(seat), twin.view(seat)
            assert first.game.to_bytes() == second.game.to_bytes()
            assert first.text == second.text
            assert first.hand == second.hand == game.hand(seat)
            assert first.legal == second.legal
            assert first.game.explain() == second.game.explain()


def likely(counts: Counter[Any], expected: dict[Any, float]) -> bool:
    """Whether counts are about as expected."""
    assert set(counts) <= set(expected)
    numbers = [counts[name] for name in expected]
    return bool(stats.chisquare(numbers, list(expected.values())).pvalue > 1e-4)


def test_hidden_cards_and_tickets_vary() -> None:
    """Statistics with fixed seeds: any unseen card and any ticket, each as likely as it is frequent."""
    own = Player(tickets=["Berlin-Leipzig"], hand={"red": 3, "blue": 1})
    game = position(others={1: own}, tickets=["Köln-Frankfurt"], deck=["red"], rest="deck")
    deals = 4000
    cards: Counter[str] = Counter()
    tickets: Counter[str] = Counter()
    tops: Counter[int] = Counter()
    for seed in range(deals):
        twin = game.redeal(0, seed)
        for name, number in twin.hand(1).items():
            (tickets if "-" in name else cards)[name] += number
        tops[int(twin.states[0]["pile"][1][twin.states[0]["pile_size"][1] - 1])] += 1
        assert twin.hand(0) == game.hand(0)
    in_display = Counter(name for name in game.public()["display"])
    unseen = {name: 12 - in_display[name] for name in game.rules.kinds} | {"locomotive": 14}  # type: ignore[attr-defined]
    total = sum(unseen.values())
    assert likely(cards, {name: 4 * deals * number / total for name, number in unseen.items()})
    short = [ticket.name for ticket in game.rules.board.short_tickets]
    assert likely(tickets, {name: deals / 54 for name in short if name != "Köln-Frankfurt"})
    assert likely(tops, dict.fromkeys(range(55, 89), deals / 34))


def test_cards_taken_face_up_stay_known() -> None:
    game = position(others={1: Player(hand={"red": 3, "blue": 2}, known={"red": 2})})
    others: Counter[str] = Counter()
    for seed in range(200):
        hand = game.redeal(0, seed).hand(1)
        assert hand["red"] >= 2
        assert sum(hand.values()) == 5
        others.update(hand)
    assert len(others) == 9


def test_tickets_that_the_seat_laid_under_a_pile_stay_there() -> None:
    """P5: a player knows what lies at the bottom, and in which order; the others do not."""
    piles = {"short": ["Berlin-Leipzig", "Köln-Frankfurt"], "long": ["Berlin-Mainz", "Berlin-Köln"]}
    game = play(position(piles=piles), "tickets", "long 2")
    play(game, "return Berlin-Leipzig", "return Köln-Frankfurt", "return Berlin-Mainz", "keep Berlin-Köln")
    seen_by_other: Counter[int] = Counter()
    for seed in range(100):
        own, other = game.redeal(0, seed).states[0], game.redeal(1, seed).states[0]
        assert own["pile"][0][:2].tolist() == game.states[0]["pile"][0][:2].tolist()
        assert own["pile"][1][0] == game.states[0]["pile"][1][0]
        seen_by_other[int(other["pile"][0][0])] += 1
    assert len(seen_by_other) > 30


def test_what_a_seat_returned_in_the_set_up_nobody_kept_there() -> None:
    """G5: another player's tickets from the set-up are none that the seat has had in its hands; later ones may be."""
    game = Game(2, "tiny_rails", 3, game=GAME, start_player=0)
    for _ in range(2):
        play(game, "long 0")
        while game.phase == "ticket":
            returning = [move for move in game.legal if move.startswith("return")]
            game.play((returning or list(game.legal))[0])
    returned = members(game.states[0]["returned"][0])
    assert len(returned) == 2
    for seed in range(300):
        twin = game.redeal(0, seed).states[0]
        assert not members(twin["held"][1]) & returned
    # The other player draws again, and may get one of them.
    play(game, "draw", *(["draw"] if game.phase == "second_card" else []))
    if game.seat == 0:
        play(game, "draw")
    play(game, "tickets", "long 0")
    while game.phase == "ticket":
        game.play(next(move for move in game.legal if move.startswith("keep")))
    found: Counter[int] = Counter()
    for seed in range(300):
        twin = game.redeal(0, seed).states[0]
        early, held = members(twin["early"][1]), members(twin["held"][1])
        assert not early & returned
        assert len(held) == 4
        found.update(held & returned)
    assert set(found) == returned


def test_at_the_end_all_tickets_lie_open() -> None:
    """G14: the players show their tickets, and a view tells the true result."""
    rules = make_rules(GAME, 3, "tiny_rails")
    for seed in range(5):
        game = Game.from_rules(rules, seed)
        random = Random(seed)
        while not game.over:
            game.play(random.choice(list(game.legal)))
        for seat in range(3):
            view = game.view(seat)
            assert view.game.scores == game.scores
            assert view.game.ranks == game.ranks
            assert view.game.breakdown() == game.breakdown()


def test_no_field_is_forgotten() -> None:
    """Whoever adds a field to the state says here whether a redeal may change it."""
    dtype = make_rules(GAME, 2, "tiny_rails").state_dtype
    assert dtype.names is not None
    assert set(dtype.names) >= CARDS | TICKETS
    assert len(dtype.names) == 45
