"""The certificate that nobody can look at hidden cards: whatever a seat is shown or chooses is the same wherever the
cards lie that it cannot know (R31)."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tests.hidden import States, check_bots_are_blind, differing, positions, redealt
from tests.variants import board_and_options
from thurn_env import Game, Record, RecordError, make_rules
from thurn_env.engine.kernels import copy_records
from thurn_env.games.contract import GameRules
from thurn_env.players.match import play_match
from thurn_env.table.game import View

TABLES = (
    ("tiny", 2),
    ("tiny", 4),
    ("south", 2),
    ("south", 3),
    ("south", 4),
    ("north", 3),
    ("north with horses", 2),
    ("north with horses", 4),
)
POSITIONS = 1_200
"""Positions looked at for each of the tables above: 9,600 in all, each from every seat."""

HIDDEN_FIELDS = {"deck", "hand", "generator", "next_deck", "next_deck_size"}
"""The only fields of a state that may differ between what lies on the table and what a seat is shown."""


def seen_by(rules: GameRules, states: States, seat: int) -> dict[str, Any]:
    """Everything that a seat is shown."""
    observation = np.zeros(rules.observation_size, np.float32)
    rules.observe(states, 0, seat, observation)
    return {
        "observation": observation.tobytes(),
        "mask": rules.legal_mask(states, 0).tobytes() if rules.seat(states, 0) == seat else None,
        "text": rules.text(states, 0, seat),
        "hand": states[0]["hand"][seat].tobytes(),
        "phase": rules.phase(states, 0),
        "scores": rules.scores(states, 0),
        "over": rules.over(states, 0),
    }


def cards(states: States) -> list[int]:
    """All cards by kind, wherever they lie."""
    state = states[0]
    total = state["discard"] + state["hand"].sum(axis=0)
    if len(state["harnessed"][0]) == len(total):
        total = total + state["harnessed"].sum(axis=0)
    for kind in state["display"][state["display"] >= 0]:
        total[kind] += 1
    for kind in state["deck"][: state["deck_size"]]:
        total[kind] += 1
    for route, length in zip(state["route"], state["route_length"], strict=True):
        for kind in route[:length]:
            total[kind] += 1
    return [int(number) for number in total]


@pytest.mark.parametrize(("board", "players"), TABLES)
def test_the_certificate(board: str, players: int) -> None:
    """R31: for every seat, a redeal changes the hidden fields and nothing that the seat is shown."""
    board, options = board_and_options(board)
    rules = make_rules("thurn_und_taxis", players, board, **options)
    looked_at: Counter[str] = Counter()
    for number, game in enumerate(positions(rules, POSITIONS, seed=players)):
        looked_at[game.phase] += 1
        public, all_cards = game.public(), cards(game.states)
        state = game.states[0]
        for seat in range(players):
            shown = seen_by(rules, game.states, seat)
            twin = redealt(rules, game.states, seat, number, seat)
            other = twin[0]
            assert seen_by(rules, twin, seat) == shown
            assert rules.public(twin, 0) == public
            assert cards(twin) == all_cards
            assert differing(twin, game.states) <= HIDDEN_FIELDS
            # Nothing is left of the true deal: not beyond the deck, not in the room for prepared orders.
            assert (other["deck"][other["deck_size"] :] == -1).all()
            assert not other["next_deck"].any()
            assert other["next_deck_size"] == 0
            assert other["generator"][0] != state["generator"][0]
            # Open knowledge about the other hands holds.
            assert (other["hand"].sum(axis=1) == other["hand_size"]).all()
            assert (other["hand"] >= other["known"]).all()
            # What comes out depends on the seat's knowledge and on the generator alone.
            again = redealt(rules, twin, seat, 7, seat)
            assert again.tobytes() == redealt(rules, game.states, seat, 7, seat).tobytes()
    assert sum(looked_at.values()) == POSITIONS
    assert set(looked_at) >= {"draw", "second_draw", "play", "end", "houses", "house", "discard", "over"}


@pytest.mark.parametrize(("board", "players"), TABLES)
def test_no_bot_looks_at_hidden_cards(board: str, players: int) -> None:
    """Every scripted bot chooses the same wherever the hidden cards lie, and uses up as much of its randomness."""
    board, options = board_and_options(board)
    rules = make_rules("thurn_und_taxis", players, board, **options)
    check_bots_are_blind(rules, POSITIONS, seed=10 + players)


def exchange(states: States, seat: int, random: Random) -> States:
    """Another state that looks the same to a seat: hidden cards exchanged, everything unused overwritten."""
    twin = copy_records(states)
    state = twin[0]
    size = int(state["deck_size"])
    unseen = [(None, position) for position in range(size)]
    for other, (hand, known) in enumerate(zip(state["hand"], state["known"], strict=True)):
        if other != seat:
            unseen += [(other, kind) for kind in np.repeat(np.arange(len(hand)), hand - known)]
    kinds = [int(state["deck"][what]) if owner is None else int(what) for owner, what in unseen]
    for other in range(len(state["hand"])):
        if other != seat:
            state["hand"][other] = state["known"][other]
    random.shuffle(kinds)
    for (owner, what), kind in zip(unseen, kinds, strict=True):
        if owner is None:
            state["deck"][what] = kind
        else:
            state["hand"][owner][kind] += 1
    for position in range(size, len(state["deck"])):
        state["deck"][position] = random.randrange(-1, 5)
    for position in range(len(state["next_deck"])):
        state["next_deck"][position] = random.randrange(-1, 5)
    state["generator"][0] = random.randrange(1, 2**60)
    return twin


@pytest.mark.parametrize(("board", "players"), [("tiny", 4), ("south", 3)])
def test_states_that_look_alike_become_equal(board: str, players: int) -> None:
    """Two states that a seat cannot tell apart become the same bytes for the same generator."""
    rules = make_rules("thurn_und_taxis", players, board)
    random = Random(1)
    differing = 0
    for number, game in enumerate(positions(rules, 400, seed=20)):
        for seat in range(players):
            twin = exchange(game.states, seat, random)
            differing += twin[0]["hand"].tobytes() != game.states[0]["hand"].tobytes()
            assert seen_by(rules, twin, seat) == seen_by(rules, game.states, seat)
            first = redealt(rules, game.states, seat, number)
            assert redealt(rules, twin, seat, number).tobytes() == first.tobytes()
    assert differing > 400


@pytest.mark.parametrize(("board", "players"), [("tiny", 2), ("south", 4)])
def test_views_show_nothing_hidden(board: str, players: int) -> None:
    """All that a `View` offers, and the whole game in it, is the same wherever the hidden cards lie.

    Views of seats that are not to move are made too, also after the game itself was asked for its legal actions.
    """
    rules = make_rules("thurn_und_taxis", players, board)
    for number, game in enumerate(positions(rules, 300, seed=30)):
        mask_before = game.action_mask.tobytes()
        for seat in range(players):
            twin = game.redeal(seat, number)
            twin.seed = game.seed
            assert twin.action_mask.shape == (rules.action_size,)
            first, second = game.view(seat), twin.view(seat)
            assert first.game.to_bytes() == second.game.to_bytes()
            assert first.observation.tobytes() == second.observation.tobytes()
            assert first.action_mask.tobytes() == second.action_mask.tobytes()
            assert first.text == second.text
            assert first.hand == second.hand == game.hand(seat)
            assert first.legal == second.legal
            assert first.legal_actions.tolist() == second.legal_actions.tolist()
            # What the view calls legal is legal in the game that the view holds, not in the true one.
            assert first.legal == Game.from_bytes(rules, first.game.to_bytes()).legal
            assert first.game.explain() == second.game.explain()
            assert repr(first) == repr(second)
        assert game.action_mask.tobytes() == mask_before


def test_the_game_in_a_view_has_no_past_and_another_seed() -> None:
    """Neither the seed nor the recorded decks of the true game come along."""
    game = Game(players=2, board="tiny", seed=5)
    game.play("draw")
    view = game.view()
    assert view.game.seed != game.seed
    with pytest.raises(RecordError):
        view.game.record()
    assert not any(view.game._chance.values())
    assert game.to_bytes() not in {game.redeal(1 - game.seat, seed).to_bytes() for seed in range(50)}
    view.game.play(int(view.game.legal_actions[0]))
    with pytest.raises(RecordError):
        view.game.copy().record()


class Peeker:
    """An agent that rebuilds the game from the seed that it is given, and compares its cards with its own hand."""

    name = "peeker"

    def __init__(self) -> None:
        self.agreed: list[bool] = []

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        self.twin = Game.from_rules(rules, seed)
        self.seat = seat

    def act(self, view: View) -> int:
        if not view.game.moves:
            self.agreed.append(self.twin.public()["display"] == view.game.public()["display"])
        return int(view.legal_actions[0])


def test_agents_cannot_deal_the_true_game_from_their_seed() -> None:
    """The seed that an agent gets for its own randomness is not that of the cards."""
    rules = make_rules("thurn_und_taxis", 2, "tiny", max_rounds=2)
    agreed = []
    for seed in range(12):
        peekers = [Peeker(), Peeker()]
        play_match(rules, peekers, seed)
        agreed += [agree for peeker in peekers for agree in peeker.agreed]
    assert len(agreed) == 12
    # Four cards of six kinds lie alike by chance now and then.
    assert sum(agreed) < 3


def unseen_by(game: Game, seat: int) -> Counter[str]:
    """By counting cards in public: what lies in the deck or was drawn unseen by others."""
    unseen = Counter({name: 3 for name in game.rules.action_texts if name.startswith("take ")})
    unseen = Counter({name.removeprefix("take "): number for name, number in unseen.items()})
    public = game.public()
    unseen.subtract(public["discard"])
    unseen.subtract(name for name in public["display"] if name)
    unseen.subtract(game.hand(seat))
    for other, player in enumerate(public["players"]):
        unseen.subtract(player["route"])
        if other != seat:
            unseen.subtract(player["known_cards"])
    return +unseen


def test_hidden_cards_do_vary() -> None:
    """Statistics with fixed seeds: a card drawn unseen is any unseen card, each as likely as it is frequent."""
    game = Game(players=2, board="south", seed=12, start_player=0)
    for move in ("draw", "draw"):
        game.play(move)
    game.play(next(move for move in game.legal if move.startswith("start")))
    game.play("end")
    unseen = unseen_by(game, 1)
    assert unseen.total() == 60 - 2 + 1  # The deck and the one unseen card; the route is open.
    hands: Counter[str] = Counter()
    tops: Counter[str] = Counter()
    deals = 6_000
    for seed in range(deals):
        twin = game.redeal(1, seed)
        hands.update(twin.hand(0))
        tops[twin.rules.action_texts[int(twin.states[0]["deck"][twin.states[0]["deck_size"] - 1])]] += 1
        assert twin.hand(1) == game.hand(1)
    assert set(hands) == set(unseen)
    expected = np.array([unseen[name] for name in unseen]) * deals / unseen.total()
    assert stats.chisquare([hands[name] for name in unseen], expected).pvalue > 1e-4
    assert stats.chisquare([tops[f"take {name}"] for name in unseen], expected).pvalue > 1e-4


def test_open_cards_stay_where_they_are() -> None:
    """R31, F12: what was taken face up stays known; only what was drawn unseen is dealt anew."""
    game = Game(players=2, board="south", seed=12, start_player=0)
    taken = next(move for move in game.legal if move.startswith("take"))
    game.play(taken)
    game.play("draw")
    name = taken.removeprefix("take ")
    others: Counter[str] = Counter()
    for seed in range(200):
        hand = game.redeal(1, seed).hand(0)
        assert hand.get(name, 0) >= 1
        assert sum(hand.values()) == 2
        others.update(hand)
    assert len(others) > 10
    assert all(game.redeal(0, seed).hand(0) == game.hand(0) for seed in range(20))


def test_later_shuffles_vary() -> None:
    """Even with all cards known, the order of the next shuffle is not: the generator is dealt anew."""
    game = Game(players=2, board="south", seed=3)
    generators = {int(game.redeal(0, seed).states[0]["generator"][0]) for seed in range(100)}
    assert len(generators) == 100


def test_records_are_for_after_the_game() -> None:
    """A record holds the decks; it comes from the true game only."""
    game = Game(players=2, board="tiny", seed=3)
    assert isinstance(game.record(), Record)
    with pytest.raises(RecordError):
        Game.from_bytes(game.rules, game.to_bytes()).record()
