"""Chance one card at a time plays the games that whole decks play, each as often."""

from __future__ import annotations

import pickle
import sys
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Any

import pytest

from tests.boards import as_toml, tiny_data
from tests.variants import board_and_options
from tests.walks import chances, drawn, walk
from tests.zug_um_zug.positions import position as rails
from thurn_env import Game, IllegalAction, OptionError, make_rules
from thurn_env.games.contract import GameRules
from thurn_env.table.draws import Draws
from thurn_env.table.position import Position

Played = tuple[tuple[int, ...], tuple[int, ...]]
"""The moves of a game and the final scores."""
TABLES = (
    ("thurn_und_taxis", "tiny", 2, 3),
    ("thurn_und_taxis", "tiny", 4, 3),
    ("thurn_und_taxis", "north with horses", 3, 3),
    ("zug_um_zug_deutschland", "tiny_rails", 2, 6),
    ("zug_um_zug_deutschland", "tiny_rails", 5, 6),
    ("example", "standard", 3, None),
)
BY_TABLE = pytest.mark.parametrize(("game", "board", "players", "rounds"), TABLES)


def rules_of(game: str, board: str, players: int, rounds: int | None) -> GameRules:
    name, options = board_and_options(board)
    return make_rules(game, players, name, **options, **({} if rounds is None else {"max_rounds": rounds}))


def kinds_of(rules: Any) -> tuple[str, ...]:
    """The names of the cards."""
    return tuple(rules.kinds)


def choice(legal: list[int], number: int) -> int:
    """A policy that depends on nothing hidden: it goes through the actions in turn."""
    return legal[number % len(legal)]


def by_whole_decks(rules: GameRules, decks: list[list[str]], chance: Fraction, out: dict[Played, Any]) -> None:
    """Play all games that begin with these decks; whenever cards are shuffled, every order is equally likely."""
    left = [deck.copy() for deck in decks]
    game = Game.from_chance(rules, 0, {"decks": left})
    while not game.over:
        action = choice(game.legal_actions.tolist(), len(game.moves))
        twin = game.copy()
        twin.play(action)
        shuffled = len(twin.record().chance["decks"]) > len(game.record().chance["decks"])
        if shuffled and not left:
            cards = twin.record().chance["decks"][-1]
            orders = Counter(permutations(cards))
            for order, number in orders.items():
                by_whole_decks(rules, [*decks, list(order)], chance * number / orders.total(), out)
            return
        game.play_with_chance(action, {"decks": left})
    out[tuple(game.moves), tuple(game.scores)] += chance


def by_single_cards(position: Position, moves: tuple[int, ...], chance: float, out: dict[Played, Any]) -> None:
    """The same games, with one card drawn at a time."""
    for outcome, probability in position.chance.items():
        by_single_cards(position.after(outcome), moves, chance * probability, out)
    if position.over:
        scores = position.rules.scores(position.states, 0)
        out[moves, tuple(scores)] += chance
    elif not position.chance:
        action = choice(position.legal_actions, len(moves))
        by_single_cards(position.after(action), (*moves, action), chance, out)


@pytest.mark.parametrize(("copies", "rounds", "least"), [(1, 4, 2), (2, 2, 20)])
def test_single_cards_and_whole_decks_give_the_same_games(tmp_path, copies: int, rounds: int, least: int) -> None:
    """All orders of all decks, reshuffles included, against the products of the probabilities."""
    data = tiny_data()
    data["cities"] = [city | {"province": "Franken"} for city in data["cities"][2:5]]
    data["roads"] = [["Rothenburg", "Ansbach"], ["Rothenburg", "Dinkelsbühl"], ["Ansbach", "Dinkelsbühl"]]
    data["provinces"] = data["provinces"][1:2]
    data["stacks"] = [stack for stack in data["stacks"] if stack["kind"] in ("all_provinces", "game_end")]
    data["carriages"] = data["carriages"][:1]
    data["constants"] |= {"copies_per_city": copies, "display_size": 2, "minimum_route": 2}
    file = tmp_path / "three.toml"
    file.write_text(as_toml(data), "utf-8")
    rules = make_rules("thurn_und_taxis", 2, file, max_rounds=rounds)
    cards = [city["name"] for city in data["cities"] for _ in range(copies)]
    whole: dict[Played, Any] = defaultdict(Fraction)
    orders = Counter(permutations(cards))
    for order, number in orders.items():
        by_whole_decks(rules, [list(order)], Fraction(number, orders.total()), whole)
    single: dict[Played, Any] = defaultdict(float)
    by_single_cards(Position(rules, 0, skip_forced=False), (), 1.0, single)
    assert len(whole) >= least
    assert set(single) == set(whole)
    assert sum(whole.values()) == 1
    for played, chance in whole.items():
        assert single[played] == pytest.approx(float(chance), abs=1e-12)


@BY_TABLE
def test_chance_draws_from_the_undrawn_cards(game: str, board: str, players: int, rounds: int | None) -> None:
    """Probabilities add up to 1; the first card of an event comes from the whole deck; positions never change."""
    rules = rules_of(game, board, players, rounds)
    random = Random(players)
    drawn_for_moves = 0
    for _ in range(2):
        before = Position(rules)
        for position in walk(before, random):
            assert position.rules is rules
            assert not (position.chance and position.legal_actions)
            if position.chance:
                assert sum(position.chance.values()) == pytest.approx(1, abs=1e-12)
                assert list(position.chance) == sorted(position.chance)
                assert len(position.chance) > 1
            first = position.dealt and position.chance and not before.chance
            if first and all(text.startswith("card ") for text in chances(position)):
                state = position.states[0]
                deck = Counter(f"card {kinds_of(rules)[kind]}" for kind in state["deck"][: state["deck_size"]])
                if position.states.tobytes() == before.states.tobytes() and len(deck) > 1 and not looks_ahead(rules):
                    drawn_for_moves += 1
                    expected = {card: number / deck.total() for card, number in deck.items()}
                    assert chances(position) == pytest.approx(expected)
            before = position
    assert drawn_for_moves > 2 or looks_ahead(rules)


def looks_ahead(rules: GameRules) -> bool:
    """Whether the back of the deck's top card is visible, so that it is drawn before it is taken."""
    return "top_horses" in rules.observation_slices


@BY_TABLE
def test_every_game_is_one_of_the_engine(game: str, board: str, players: int, rounds: int | None) -> None:
    """The moves of a random game are legal, one after the other, and end in its scores, whatever lay undrawn."""
    rules = rules_of(game, board, players, rounds)
    for position in walk(Position(rules, skip_forced=False), Random(1)):
        if position.dealt and not position.chance and not position.over:
            assert position.view().legal_actions.tolist() == position.legal_actions
            assert position.returns() == [0.0] * players
    assert position.over
    assert sum(position.returns()) == pytest.approx(0)
    assert position.returns("score") == rules.rewards(position.states, 0, 3).tolist()


def test_a_back_that_shows_is_drawn_before_its_card() -> None:
    """H7: the deck's top card is drawn at once, and the seats see its horses only."""
    rules = rules_of("thurn_und_taxis", "north with horses", 2, 2)
    for position in walk(Position(rules, 0), Random(4)):
        if not position.dealt or position.chance or position.over:
            continue
        top = position.states[0]["deck"][position.states[0]["deck_size"] - 1]
        horses = rules.record[0]["horses_on"][top]
        place = rules.observation_slices["top_horses"]
        seen = position.view().observation[place]
        assert seen[horses - 1] == 1
        assert seen.sum() == 1


def test_passengers_are_drawn_from_one_bag() -> None:
    """G4: each passenger left in the bag is equally likely."""
    rules = make_rules("zug_um_zug_deutschland", 2, "tiny_rails")
    position = drawn(Position(rules), "seat 1 begins")
    assert chances(position) == {"passenger white": 0.5, "passenger black": 0.5}
    position = drawn(position, "passenger white", "passenger white", "passenger black")
    assert chances(position) == pytest.approx({"passenger white": 3 / 7, "passenger black": 4 / 7})


def test_tickets_are_drawn_one_by_one_and_those_laid_under_a_pile_are_no_chance(tmp_path) -> None:
    """G5, G9, P5."""
    rules = make_rules("zug_um_zug_deutschland", 2, "tiny_rails")
    random = Random(2)
    position = Position(rules, 0)
    while not position.legal_actions:
        position = position.after(random.choice(list(position.chance)))
    mix = position.rules.action_index("long 0")
    position = position.after(mix)
    short = [f"ticket {ticket.name}" for ticket in rules.board.short_tickets]
    assert chances(position) == pytest.approx(dict.fromkeys(short, 1 / len(short)))
    position = drawn(position, "ticket Suhl-Hof")
    assert "ticket Suhl-Hof" not in chances(position)
    assert len(position.chance) == len(short) - 1

    game = rails(2, "tiny_rails")
    state = game.states[0]
    size = int(state["pile_size"][0])
    state["laid_by"][0][: size - 1] = 1  # only the top ticket is unknown, so all draws are certain
    game.play("tickets")
    event = Draws(rules).play(game.states, rules.action_index("long 0"), ())
    assert list(event.missing.values()) == [1]
    event = Draws(rules).play(game.states, rules.action_index("long 0"), tuple(event.missing))
    assert not event.missing
    assert event.states[0]["drawn_tickets"].tolist() == state["pile"][0][size - 3 : size][::-1].tolist()


def test_two_shuffles_in_one_action() -> None:
    """G3, G10, P2: a swept row is shuffled while an earlier shuffle is not used up."""
    game = rails(
        2,
        "tiny_rails",
        display=["locomotive", "locomotive", "red", "blue"],
        deck=["locomotive"],
        discard=["blue", "blue", "yellow", "yellow"],
        rest=1,
    )
    rules = game.rules
    draws = Draws(rules)
    names: tuple[int, ...] = ()
    weights = []
    take = rules.action_index("take red")
    while (event := draws.play(game.states, take, names)).missing:
        weights.append({draws.texts[outcome]: number for outcome, number in event.missing.items()})
        names = (*names, max(event.missing))
    assert weights == [
        {"card locomotive": 1},
        {"card blue": 2, "card yellow": 2},
        {"card blue": 2, "card yellow": 1},
        {"card blue": 2},
        {"card blue": 1},
    ]
    state = event.states[0]
    kinds = [kinds_of(rules)[kind] for kind in state["display"]]
    assert kinds == ["yellow", "yellow", "blue", "blue"]
    assert sorted(kinds_of(rules)[kind] for kind in state["deck"][: state["deck_size"]]) == [
        "blue",
        *["locomotive"] * 3,
    ]


def test_positions_can_be_copied_and_pickled() -> None:
    rules = make_rules("thurn_und_taxis", 2, "tiny", max_rounds=2)
    for position in walk(Position(rules), Random(3)):
        assert deepcopy(position) is position
        twin = pickle.loads(pickle.dumps(position))
        assert twin.chance == position.chance
        assert twin.legal_actions == position.legal_actions
        assert twin.states.tobytes() == position.states.tobytes()
        assert twin.information_state(1) == position.information_state(1)
        with pytest.raises(ValueError, match="read-only"):
            twin.states["seat"] = 1


def test_a_log_may_be_read_late_or_after_every_move() -> None:
    """The logs of a long game are the same; nothing is lost where nobody read them before."""
    rules = make_rules("thurn_und_taxis", 2, "tiny", max_rounds=100)
    read, late = (walk(Position(rules), Random(3)) for _ in range(2))
    for position in read:
        logs = [position.information_state(seat) for seat in range(2)]
    *_, end = late
    assert logs[0].count("\n") > 300
    assert [pickle.loads(pickle.dumps(end)).information_state(seat) for seat in range(2)] == logs
    assert [end.information_state(seat) for seat in range(2)] == logs
    assert end.seen.observation_text(1) == position.seen.observation_text(1)


def test_threads_read_a_log_at_the_same_time() -> None:
    """Positions of a tree are shared, and the first who reads a log writes it."""
    rules = make_rules("thurn_und_taxis", 2, "tiny", max_rounds=30)
    *_, end = walk(Position(rules), Random(3))
    expected = end.information_state(0)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(3):
            *_, shared = walk(Position(rules), Random(3))
            with ThreadPoolExecutor(4) as pool:
                assert set(pool.map(shared.information_state, [0] * 4)) == {expected}
    finally:
        sys.setswitchinterval(before)


def test_wrong_choices_are_refused() -> None:
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    position = Position(rules, 0)
    with pytest.raises(IllegalAction, match="outcome 0 is not possible; possible: "):
        position.after(0)
    with pytest.raises(OptionError, match="nobody is to move"):
        position.view()
    while position.chance:
        position = position.after(min(position.chance))
    with pytest.raises(IllegalAction, match="action 9999 is not legal; legal: "):
        position.after(9999)
    with pytest.raises(OptionError, match="start_player"):
        Position(rules, 2)
    assert "Chance draws for the deal; drawn so far: nothing" in str(Position(rules, 0))
