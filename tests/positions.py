"""Positions made by hand, for the tests of the rules: given by names, the rest worked out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

from thurn_env import Game, make_rules
from thurn_env.games.thurn_und_taxis.board.shipped import load_board
from thurn_env.games.thurn_und_taxis.game import ThurnUndTaxis
from thurn_env.games.thurn_und_taxis.rules.phases import PHASES
from thurn_env.games.thurn_und_taxis.rules.stacks import ordered_stacks

Cards = Mapping[str, int] | Iterable[str]
"""Cards in any order: names, or names with numbers."""


@dataclass(frozen=True)
class Player:
    """What one player owns.

    Attributes:
        hand: the cards in hand.
        known: those of them that were taken face up.
        route: the cards of the route from left to right.
        houses: the cities with an own house.
        carriage: the length of the highest carriage; 0 without one.
        harnessed: the cards on the carriage, in a game with horses.
    """

    hand: Cards = ()
    known: Cards = ()
    route: Sequence[str] = ()
    houses: Collection[str] = ()
    carriage: int = 0
    harnessed: Cards = ()


def position(
    players: int = 2,
    board: str = "south",
    *,
    phase: str = "draw",
    seat: int = 0,
    start_player: int = 0,
    rounds: int = 5,
    hand: Cards = (),
    known: Cards = (),
    route: Sequence[str] = (),
    houses: Collection[str] = (),
    carriage: int = 0,
    harnessed: Cards = (),
    others: Mapping[int, Player] | None = None,
    display: Sequence[str | None] | None = None,
    deck: Sequence[str] = (),
    discard: Cards = (),
    rest: str | int = "deck",
    tiles: Mapping[str, Sequence[int]] | None = None,
    official_used: bool = False,
    **options: Any,
) -> Game:
    """A game in the given position.

    Args:
        players: number of players.
        board: the name of the board.
        phase: `draw`, `second_draw`, `play` or `end`; the phases of closing are reached by playing `close`.
        seat: the player to move, who owns `hand`, `known`, `route`, `houses`, `carriage` and
            `harnessed`; see `Player`.
        start_player: the seat that began.
        rounds: full rounds played.
        hand: see `Player`.
        known: see `Player`.
        route: see `Player`.
        houses: see `Player`.
        carriage: see `Player`.
        harnessed: see `Player`.
        others: what other seats own.
        display: the face-up cards by slot, None and missing ones empty; without it, cards that are left over.
        deck: the top cards of the deck, top first.
        discard: cards in the discard pile.
        rest: where the cards lie that are named nowhere: below those of `deck`, in the `discard` pile, or in
            the hand of a seat.
        tiles: for a stack the seats that took its tiles, top tile first.
        official_used: whether an official has helped in this turn; after an empty hand that is so anyway.
        options: the game's options.

    Raises:
        ValueError: there is no such position.
    """
    rules = cast(ThurnUndTaxis, make_rules("thurn_und_taxis", players, board, **options))
    owners = {other: Player() for other in range(players)} | dict(others or {})
    if seat in (others or {}):
        raise ValueError(f"seat {seat} is to move: its cards are arguments of their own")
    owners[seat] = Player(hand, known, route, houses, carriage, harnessed)
    hands = {owner: Counter(player.hand) for owner, player in owners.items()}
    slots = rules.board.display_size

    # Every card is somewhere.
    left = Counter({kind.name: kind.copies for kind in rules.variant.kinds})
    face_up = [name for name in display or [] if name]
    pile = Counter(discard)
    laid = [cards for player in owners.values() for cards in (player.route, player.harnessed)]
    for cards in (*hands.values(), *laid, face_up, deck, pile):
        left.subtract(cards)
    if wrong := [name for name, number in left.items() if number < 0 or name not in rules.kinds]:
        raise ValueError(f"there are not that many cards of {', '.join(wrong)}")
    if display is None:
        display = []
        for _ in range(min(slots, left.total())):
            most = max(left, key=left.__getitem__)
            left[most] -= 1
            display.append(most)
    display = [*display, *[None] * (slots - len(display))]
    deck = list(deck)
    if rest == "deck":
        deck += left.elements()
    elif rest == "discard":
        pile += left
    else:
        hands[cast(int, rest)] += left
    if not deck and pile.total():
        raise ValueError("a discard pile without a deck would have been shuffled (R8)")
    if None in display and deck:
        raise ValueError("an empty slot of the display would have been filled (R9)")
    if len(display) > slots:
        raise ValueError(f"the display has {slots} slots")
    _check_phase(phase, hands[seat].total(), any((*deck, *display)))

    game = Game.from_rules(rules, seed=0, start_player=start_player)
    state = game.states[0]
    for owner, player in owners.items():
        _set_up_player(rules, state, owner, player, hands[owner])
    state["display"] = [-1 if name is None else rules.kind_indices[name] for name in display]
    state["discard"] = [pile[kind] for kind in rules.kinds]
    state["deck_size"] = len(deck)
    state["deck"][: len(deck)] = [rules.kind_indices[name] for name in reversed(deck)]
    _set_up_tiles(rules, state, tiles or {})
    forced = phase == "second_draw" or (phase == "draw" and not hands[seat].total())
    state["seat"] = seat
    state["rounds"] = rounds
    state["phase"] = PHASES.index(phase)
    state["forced_postmaster"] = forced
    state["official_used"] = official_used or forced
    state["drawn"] = {"draw": 0, "second_draw": 1}.get(phase, 2 if official_used else 1)
    game.past_known = False  # so the position has no record
    game._mask = None
    return game


def _check_phase(phase: str, hand: int, drawable: bool) -> None:
    if phase not in ("draw", "second_draw", "play", "end"):
        raise ValueError(f"no position is made in the phase {phase!r}")
    if phase in ("draw", "second_draw") and not drawable:
        raise ValueError("there is nothing to draw (R9)")
    if phase == "second_draw" and hand != 1:
        raise ValueError("the forced second card is drawn with one card in hand (R6)")
    if phase == "play" and hand == 0:
        raise ValueError("there is no card to play (R9)")


def _set_up_player(rules: ThurnUndTaxis, state: Any, seat: int, player: Player, hand: Counter[str]) -> None:
    board = rules.board
    roads = {frozenset(road) for road in board.roads}
    names = [city.name for city in board.cities]
    cities = [names[rules.variant.kinds[rules.kind_indices[card]].city] for card in player.route]
    joined = all(frozenset(pair) in roads for pair in pairwise(cities))
    if not joined or len(set(cities)) < len(cities):
        raise ValueError(f"{' - '.join(player.route)} is no route (R10)")
    known = Counter(player.known)
    if not known <= hand:
        raise ValueError("known cards must be in the hand")
    houses = set(player.houses)
    lengths = [0, *(carriage.length for carriage in board.carriages)]
    state["hand"][seat] = [hand[kind] for kind in rules.kinds]
    state["hand_size"][seat] = hand.total()
    state["known"][seat] = [known[kind] for kind in rules.kinds]
    state["known_size"][seat] = known.total()
    state["route"][seat][: len(player.route)] = [rules.kind_indices[name] for name in player.route]
    state["route_length"][seat] = len(player.route)
    state["route_cities"][seat] = sum(1 << names.index(name) for name in cities)
    state["houses"][seat] = sum(1 << names.index(name) for name in houses)
    state["houses_left"][seat] = board.houses_per_player - len(houses)
    if state["houses_left"][seat] < 0:
        raise ValueError(f"{len(houses)} houses are too many")
    state["carriage"][seat] = lengths.index(player.carriage)
    _set_up_horses(rules, state, seat, Counter(player.harnessed))


def _set_up_horses(rules: ThurnUndTaxis, state: Any, seat: int, harnessed: Counter[str]) -> None:
    horses = rules.board.horses
    if not rules.variant.horses or horses is None:
        if harnessed:
            raise ValueError("cards are harnessed only in a game with horses (H2)")
        return
    if harnessed.total() > horses.most_cards:
        raise ValueError(f"{harnessed.total()} cards are too many for a carriage (H2)")
    state["harnessed"][seat] = [harnessed[kind] for kind in rules.kinds]
    state["harnessed_size"][seat] = harnessed.total()
    drawn = sum(kind.horses * harnessed[kind.name] for kind in rules.variant.kinds)
    state["horses"][seat] = horses.own + drawn


def _set_up_tiles(rules: ThurnUndTaxis, state: Any, tiles: Mapping[str, Sequence[int]]) -> None:
    stacks = {stack.name: (index, stack) for index, stack in enumerate(ordered_stacks(rules.board))}
    for name, takers in tiles.items():
        index, stack = stacks[name]
        for place, (taker, value) in enumerate(zip(takers, stack.values[: len(takers)], strict=True)):
            state["tile_owner"][index][place] = taker
            state["tiles"][taker][index] += 1
            state["tile_points"][taker] += value
            if stack.kind == "game_end":
                state["holder"] = taker
        state["tiles_taken"][index] = len(takers)


def play(game: Game, *actions: str) -> Game:
    """Play actions one after the other; returns the game."""
    for action in actions:
        game.play(action)
    return game


def play_and_shuffle(game: Game, action: str, order: Sequence[str]) -> None:
    """Play an action that makes a new deck, with the given order, top card first.

    Raises:
        RecordError: the shuffled cards are others than those of `order`.
        AssertionError: nothing was shuffled.
    """
    outcomes = {"decks": [list(order)]}
    game.play_with_chance(action, outcomes)
    assert not outcomes["decks"], f"{action!r} shuffled no new deck"


def owned(game: Game, seat: int = 0) -> dict[str, Any]:
    """What lies open of one player; see `Game.public`."""
    return cast(dict[str, Any], game.public()["players"][seat])


def all_cards(game: Game) -> Counter[str]:
    """All cards of the game, wherever they are."""
    rules, state = cast(ThurnUndTaxis, game.rules), game.states[0]
    found = Counter(game.public()["discard"])
    for seat in range(game.players):
        mine = owned(game, seat)
        found += Counter(game.hand(seat)) + Counter(mine["route"]) + Counter(mine.get("harnessed", {}))
    found += Counter(name for name in game.public()["display"] if name)
    return found + Counter(rules.kinds[kind] for kind in state["deck"][: state["deck_size"]])


def all_cities_but(*names: str, board: str = "south") -> list[str]:
    """All cities of a board but those named."""
    return [city.name for city in load_board(board).cities if city.name not in names]
