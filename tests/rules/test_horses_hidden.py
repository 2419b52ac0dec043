"""What the backs of cards tell: horses are open, cities are not (H7, R31, F12)."""

from collections import Counter
from typing import Any, cast

import numpy as np
import pytest
from scipy import stats

from tests.choices import Chooser
from tests.positions import Player, all_cards, all_cities_but, owned, play
from tests.positions import position as any_position
from thurn_env import Game
from thurn_env.games.thurn_und_taxis.game import ThurnUndTaxis

DISPLAY = ["Lübeck/1", "Lübeck/2", "Lübeck/3", "Bremen/1", "Bremen/2", "Bremen/3"]


def position(players: int = 2, **given: Any) -> Game:
    """A position on the north board with horses."""
    return any_position(players, "north", horses=True, display=DISPLAY, **given)


def table(
    unseen: tuple[str, str] = ("Minden/2", "Weimar/3"), deck: tuple[str, ...] = ("Berlin/1",), **given: Any
) -> Game:
    """Seat 0 is to draw; seat 1 took Stettin/1 face up and drew two cards unseen."""
    others = {1: Player(hand=["Stettin/1", *unseen], known=["Stettin/1"], route=["Fulda/2"], harnessed=["Dresden/3"])}
    return position(hand=["Cassel/1"], others=others, deck=deck, **given)


def deck(game: Game) -> list[str]:
    """The cards of the deck, which nobody sees, top card first."""
    state, kinds = game.states[0], cast(ThurnUndTaxis, game.rules).kinds
    return [kinds[kind] for kind in state["deck"][: state["deck_size"]]][::-1]


def top_card(game: Game) -> str:
    """The deck's top card."""
    return deck(game)[0]


def horses_on(card: str) -> int:
    """The horses on a card."""
    return int(card.rpartition("/")[2])


def backs(cards: dict[str, int] | Counter[str]) -> dict[int, int]:
    """Numbers of cards by their horses."""
    numbers: Counter[int] = Counter()
    for card, number in cards.items():
        numbers[horses_on(card)] += number
    return dict(numbers)


def hidden_part(game: Game, seat: int) -> Counter[str]:
    """The cards in a hand that were drawn unseen."""
    return Counter(game.hand(seat)) - Counter(owned(game, seat)["known_cards"])


def look_alike(first: Game, second: Game, seat: int) -> bool:
    """Whether a seat sees the same in both games, in every form that a view has."""
    one, other = first.view(seat), second.view(seat)
    same = [
        one.game == other.game,
        first.public() == second.public(),
        one.text == other.text,
        np.array_equal(one.observation, other.observation),
    ]
    assert len(set(same)) == 1, "the forms of a view tell different things"
    return same[0]


# What lies open


def test_h7_the_horses_of_the_top_card_are_open() -> None:
    assert [table(deck=(f"Berlin/{horses}",)).public()["top_horses"] for horses in (1, 2, 3)] == [1, 2, 3]


def test_h7_the_next_top_card_is_seen_once_the_first_is_drawn() -> None:
    game = table(deck=("Berlin/1", "Münster/3", "Coblenz/2"))
    play(game, "draw")
    assert game.public()["top_horses"] == 3
    play(game, "take Bremen/1")
    assert (game.public()["top_horses"], game.public()["display"][3]) == (2, "Münster/3")


def test_h7_an_empty_deck_shows_no_horses() -> None:
    game = position(hand=["Cassel/1"], rest=1)
    assert game.public()["top_horses"] is None


def test_h7_the_horses_of_cards_in_hand_are_open() -> None:
    """H7: of those drawn unseen by number; known cards are open altogether."""
    mine = owned(table(), 1)
    assert (mine["known_cards"], mine["unseen_horses"], mine["hand_size"]) == ({"Stettin/1": 1}, {"2": 1, "3": 1}, 3)
    assert owned(table())["unseen_horses"] == {"1": 1}


def test_h7_a_card_keeps_its_back_on_the_way_to_the_hand() -> None:
    """H7, R31: drawn unseen its horses are open, taken face up its city, too."""
    game = table(deck=("Berlin/3", "Münster/1"))
    play(game, "draw", "take Bremen/2")
    mine = owned(game)
    assert (mine["unseen_horses"], mine["known_cards"]) == ({"1": 1, "3": 1}, {"Bremen/2": 1})


@pytest.mark.parametrize("action", ["start Berlin/3", "harness Berlin/3"])
def test_h7_f12_a_played_card_is_no_longer_unseen(action: str) -> None:
    game = position(phase="play", hand=["Berlin/3", "Münster/3"])
    assert owned(game)["unseen_horses"] == {"3": 2}
    play(game, action)
    assert owned(game)["unseen_horses"] == {"3": 1}


def test_h7_the_option_hides_the_backs() -> None:
    public = table(open_backs=False).public()
    assert public["top_horses"] is None
    assert [player["unseen_horses"] for player in public["players"]] == [{}, {}]


def test_h7_the_option_does_not_hide_the_carriage() -> None:
    """H2, H7, F12: harnessed cards lie open."""
    mine = owned(table(open_backs=False), 1)
    assert (mine["horses"], mine["harnessed"]) == (5, {"Dresden/3": 1})


# What looks alike


@pytest.mark.parametrize("open_backs", [True, False])
def test_h7_the_city_of_a_card_in_hand_is_hidden(open_backs: bool) -> None:
    """H7, R31: cards with equal horses change places, between the hand and the deck."""
    first = table(("Minden/2", "Weimar/3"), ("Berlin/1", "Münster/2"), open_backs=open_backs)
    second = table(("Münster/2", "Weimar/3"), ("Berlin/1", "Minden/2"), open_backs=open_backs)
    assert first != second
    assert look_alike(first, second, 0)
    assert not np.array_equal(first.view(1).observation, second.view(1).observation)


@pytest.mark.parametrize("open_backs", [True, False])
def test_h7_the_horses_of_a_card_in_hand_are_hidden_only_by_the_option(open_backs: bool) -> None:
    first = table(("Minden/2", "Weimar/3"), ("Berlin/1", "Minden/1"), open_backs=open_backs)
    second = table(("Minden/1", "Weimar/3"), ("Berlin/1", "Minden/2"), open_backs=open_backs)
    assert look_alike(first, second, 0) is not open_backs


@pytest.mark.parametrize("open_backs", [True, False])
@pytest.mark.parametrize("seat", [0, 1])
def test_h7_the_city_of_the_top_card_is_hidden(seat: int, open_backs: bool) -> None:
    first = table(deck=("Berlin/1", "Münster/1"), open_backs=open_backs)
    second = table(deck=("Münster/1", "Berlin/1"), open_backs=open_backs)
    assert first != second
    assert look_alike(first, second, seat)


@pytest.mark.parametrize("open_backs", [True, False])
@pytest.mark.parametrize("seat", [0, 1])
def test_h7_the_horses_of_the_top_card_are_hidden_only_by_the_option(seat: int, open_backs: bool) -> None:
    first = table(deck=("Berlin/1", "Münster/3"), open_backs=open_backs)
    second = table(deck=("Münster/3", "Berlin/1"), open_backs=open_backs)
    assert look_alike(first, second, seat) is not open_backs


def test_h7_the_horses_below_the_top_card_are_hidden() -> None:
    """H7, R31: only the top card's back is seen."""
    first = table(deck=("Berlin/1", "Münster/3", "Coblenz/2"))
    second = table(deck=("Berlin/1", "Coblenz/2", "Münster/3"))
    assert first != second
    assert look_alike(first, second, 0)
    assert look_alike(first, second, 1)


def test_h7_the_text_for_a_player_names_no_hidden_city() -> None:
    text = table(deck=("Berlin/1",)).view(0).text
    assert "Cassel/1" in text
    assert "Stettin/1" in text
    for hidden in ("Minden", "Weimar", "Berlin"):
        assert hidden not in text


# What a redeal keeps and what varies


@pytest.mark.parametrize("open_backs", [True, False])
def test_h7_a_redeal_keeps_what_is_open(open_backs: bool) -> None:
    """H7, R31: the own hand, what lies on the table, known cards, and with open backs the horses."""
    game = table(open_backs=open_backs)
    for seed in range(20):
        twin = game.redeal(0, seed)
        assert twin.public() == game.public()
        assert twin.hand(0) == game.hand(0)
        assert all_cards(twin) == all_cards(game)
        assert hidden_part(twin, 1).total() == 2
        assert twin.hand(1)["Stettin/1"] == 1


def test_h7_a_redeal_keeps_horses_and_varies_cities() -> None:
    game = table()
    hands, tops = set(), set()
    for seed in range(60):
        twin = game.redeal(0, seed)
        assert backs(hidden_part(twin, 1)) == {2: 1, 3: 1}
        assert horses_on(top_card(twin)) == 1
        hands |= set(hidden_part(twin, 1))
        tops.add(top_card(twin))
    assert len(hands) > 20
    assert len(tops) > 10


def test_h7_with_hidden_backs_a_redeal_varies_horses() -> None:
    game = table(open_backs=False)
    hands, tops = set(), set()
    for seed in range(60):
        twin = game.redeal(0, seed)
        hands.add(tuple(sorted(horses_on(card) for card in hidden_part(twin, 1))))
        tops.add(horses_on(top_card(twin)))
    assert tops == {1, 2, 3}
    assert len(hands) == 6


def test_h7_a_redeal_for_the_other_seat() -> None:
    """H7: the unseen card of the seat to move varies, too, with its horse."""
    game = table()
    seen = set()
    for seed in range(40):
        twin = game.redeal(1, seed)
        assert twin.hand(1) == game.hand(1)
        assert backs(twin.hand(0)) == {1: 1}
        seen |= set(twin.hand(0))
    assert len(seen) > 10


def test_h7_a_hand_with_every_card_of_its_horses() -> None:
    """H7: where only one deal fits the backs, the redeal finds it."""
    ones = [name for name in all_cards(table()) if name.endswith("/1") and name not in DISPLAY]
    game = position(hand=["Cassel/2"], others={1: Player(hand=ones)}, deck=["Berlin/3"])
    for seed in range(5):
        assert game.redeal(0, seed).hand(1) == dict.fromkeys(ones, 1)


def test_h7_the_last_card_of_the_deck() -> None:
    """H7: the deck's only card has two horses, and so have some cards of the other hand."""
    game = position(hand=["Cassel/1"], deck=["Berlin/2"], rest=1)
    tops = set()
    for seed in range(30):
        twin = game.redeal(0, seed)
        assert (twin.public(), twin.hand(0)) == (game.public(), game.hand(0))
        assert backs(twin.hand(1)) == backs(game.hand(1))
        tops.add(top_card(twin))
    assert len(tops) > 5
    assert {horses_on(card) for card in tops} == {2}


@pytest.mark.parametrize("open_backs", [True, False])
def test_h7_every_card_that_fits_its_back_is_equally_likely(open_backs: bool) -> None:
    """H7: statistics with fixed seeds, of the deck's top card and of a card in the other hand."""
    game = table(open_backs=open_backs)
    unseen = [*deck(game), "Minden/2", "Weimar/3"]
    deals = 1_500
    tops: Counter[str] = Counter()
    held: Counter[str] = Counter()
    for seed in range(deals):
        twin = game.redeal(0, seed)
        tops[top_card(twin)] += 1
        held.update(hidden_part(twin, 1))
    for counted, wanted in ((tops, {1}), (held, {2, 3})):
        possible = [card for card in unseen if not open_backs or horses_on(card) in wanted]
        assert set(counted) == set(possible)
        expected = np.zeros(len(possible))
        for horses in (1, 2, 3):
            same = [place for place, card in enumerate(possible) if horses_on(card) == horses]
            if open_backs:
                expected[same] = deals / max(1, len(same))
            else:
                expected[same] = counted.total() / len(possible)
        assert stats.chisquare([counted[card] for card in possible], expected).pvalue > 1e-4


def test_h7_the_deck_below_its_top_tells_nothing() -> None:
    """H7, R31: statistics with fixed seeds; the other hand's ten cards of three horses leave no trace in the order."""
    threes = [f"{name}/3" for name in all_cities_but("Lübeck", "Bremen", board="north")][:10]
    game = position(hand=["Cassel/1"], others={1: Player(hand=threes)}, deck=["Berlin/1"])
    below = Counter(map(horses_on, deck(game)[1:]))
    deals = 600
    counted: dict[str, Counter[int]] = {"bottom": Counter(), "second": Counter()}
    for seed in range(deals):
        cards = deck(game.redeal(0, seed))
        counted["second"][horses_on(cards[1])] += 1
        counted["bottom"][horses_on(cards[-1])] += 1
    for numbers in counted.values():
        expected = [below[horses] * deals / below.total() for horses in (1, 2, 3)]
        assert stats.chisquare([numbers[horses] for horses in (1, 2, 3)], expected).pvalue > 1e-4


@pytest.mark.parametrize("open_backs", [True, False])
@pytest.mark.parametrize("players", [2, 3])
def test_h7_r31_nothing_hidden_shows_in_whole_games(players: int, open_backs: bool) -> None:
    """R31, H7: every seat's view is the same wherever the cards lie that it cannot know."""
    game = Game(players=players, board="north", horses=True, open_backs=open_backs, seed=4, max_rounds=12)
    chooser = Chooser(game.rules, seed=4)
    looked_at = 0
    while not game.over:
        if len(game.moves) % 4 == 0:
            for seat in range(players):
                twin = game.redeal(seat, 7)
                twin.seed = game.seed
                assert twin.hand(seat) == game.hand(seat)
                assert all_cards(twin) == all_cards(game)
                assert look_alike(game, twin, seat)
                looked_at += 1
        game.play(chooser.one(game.action_mask))
    assert looked_at > 20 * players
