"""Chance one card at a time: which card a deal or an action needs next, and how probable each is.

The engine deals and plays with whole decks in a fixed order. `Draws` makes explicit chance of that: it lays the cards
drawn so far on top of the deck, lets the engine play, and counts the cards that the engine took. If the engine took
more cards than were drawn, the next card is an outcome of chance. All other undrawn cards lie in an arbitrary order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from thurn_env.checks import quoted
from thurn_env.engine.generator import seeded
from thurn_env.engine.kernels import copy_records
from thurn_env.engine.read_only import sealed
from thurn_env.errors import OptionError, RecordError
from thurn_env.games.contract import Chance, GameRules, Int8Array, Records

__all__ = ["Draws", "Event"]

FIXED_SEED = 0
"""Seed of the order of undrawn cards, which nobody sees."""
FIXED_GENERATOR = sealed(seeded(FIXED_SEED))
DECKS, TICKETS, TICKET_SHUFFLES, PASSENGERS = "decks", "tickets", "ticket_shuffles", "passengers"
"""Keys of recorded chance, see `RecordedChance.chance_forms`."""

Act = Callable[[Records, list[list[str]] | None], Chance]
"""Deals or plays in a state, with the given orders of shuffled cards or with any; returns the outcomes of chance."""


class Event(NamedTuple):
    """A deal or an action, with the outcomes of chance so far.

    Attributes:
        states: the state after it, shape (1,); not valid while an outcome is missing.
        missing: weights of the possible next outcomes; empty if no outcome is missing.
        ahead: outcomes that are drawn and not used yet: the top card of the deck where its back is visible.
    """

    states: Records
    missing: Counter[int]
    ahead: tuple[int, ...] = ()


class Draws:
    """The outcomes of chance of a game, by number: seats that begin, kinds of cards, tickets, colours of passengers.

    Args:
        rules: rules of the game.

    Attributes:
        texts: text of every outcome.

    Raises:
        OptionError: the game has chance of another kind.
    """

    def __init__(self, rules: GameRules) -> None:
        self.rules = rules
        forms = set(rules.chance_forms)
        kinds = getattr(rules, "kinds", None)
        if kinds is None or DECKS not in forms or not forms <= {DECKS, TICKETS, TICKET_SHUFFLES, PASSENGERS}:
            raise OptionError(
                f"explicit chance supports decks, tickets and passengers; {rules.title} has other outcomes of chance: "
                f"{quoted(', '.join(rules.chance_forms))}"
            )
        self._kinds: tuple[str, ...] = kinds
        tickets = [ticket.name for ticket in rules.board.tickets] if TICKETS in forms else []
        colours = list(rules.board.passenger_colours) if PASSENGERS in forms else []
        self._card = rules.players
        self._ticket = self._card + len(kinds)
        self._colour = self._ticket + len(tickets)
        self.texts: tuple[str, ...] = (
            *(f"seat {seat} begins" for seat in range(rules.players)),
            *(f"card {name}" for name in kinds),
            *(f"ticket {name}" for name in tickets),
            *(f"passenger {name}" for name in colours),
        )

    def deal(self, drawn: tuple[int, ...], start_player: int | None = None) -> Event:
        """Deal a game.

        Args:
            drawn: outcomes so far.
            start_player: seat that begins; None makes it the first outcome.
        """
        states = self.rules.new_states(1)
        if start_player is None:
            if not drawn:
                return Event(states, Counter(range(self.rules.players)))
            start_player, drawn = drawn[0], drawn[1:]
        given: Chance = self.rules.deal_recorded(states, 0, FIXED_SEED, start_player)
        if PASSENGERS in self.rules.chance_forms:
            places = [place for place in self.rules.board.places for _ in range(place.passengers)]
            colours, drawn = drawn[: len(places)], drawn[len(places) :]
            if len(colours) < len(places):
                return Event(states, self._bag(colours))
            given[PASSENGERS] = {place.name: [] for place in places}
            for place, outcome in zip(places, colours, strict=True):
                given[PASSENGERS][place.name].append(self.rules.board.passenger_colours[outcome - self._colour])

        def deal(states: Records, orders: list[list[str]] | None) -> Chance:
            fresh = {key: value.copy() for key, value in given.items()} | {DECKS: orders}
            return self.rules.deal_recorded(states, 0, FIXED_SEED, start_player, fresh)

        return self._cards(states, deal, drawn, [given[DECKS][0]])

    def _bag(self, drawn: Iterable[int]) -> Counter[int]:
        """Return the passengers left in the bag."""
        number = self.rules.board.constants.passengers_per_colour
        left = Counter({self._colour + colour: number for colour in range(len(self.rules.board.passenger_colours))})
        left.subtract(drawn)
        return +left

    def play(self, states: Records, action: int, drawn: tuple[int, ...]) -> Event:
        """Play an action.

        Args:
            states: the state before, shape (1,); it does not change.
            action: index of a legal action.
            drawn: outcomes so far, beginning with those drawn ahead.
        """

        def play(twin: Records, orders: list[list[str]] | None) -> Chance:
            given = None if orders is None else self.rules.no_chance() | {DECKS: orders}
            return self.rules.play_recorded(twin, 0, action, given)

        if TICKETS in self.rules.chance_forms:
            event = self._tickets(states, play, drawn)
            if event is not None:
                return event
        return self._cards(states, play, drawn, [])

    def _cards(self, states: Records, act: Act, drawn: tuple[int, ...], shuffled: list[list[str]]) -> Event:
        """Let an event take cards of the deck.

        Args:
            states: the state before, shape (1,).
            act: lets the event happen.
            drawn: the cards drawn so far.
            shuffled: what is known of the cards that are shuffled during the event, one list for each shuffle.
        """
        names = [self._kinds[outcome - self._card] for outcome in drawn]
        before = 0 if shuffled else int(states[0]["deck_size"])
        while True:
            twin = copy_records(states)
            state = twin[0]
            put_on_top(state["deck"][:before], [outcome - self._card for outcome in drawn[:before]])
            orders, rest = [], names[before:]
            for cards in shuffled:
                orders.append(with_first(cards, rest[: len(cards)]))
                rest = rest[len(cards) :]
            try:
                decks = act(twin, orders or None).get(DECKS, [])
            except RecordError:
                # One more shuffle than is known: its cards wait on the discard pile.
                discards = np.repeat(np.arange(len(self._kinds)), state["discard"])
                if not len(discards):
                    raise
                shuffled = [*shuffled, [self._kinds[kind] for kind in discards]]
                continue
            if rest and len(decks) > len(shuffled):
                shuffled = [*shuffled, decks[len(shuffled)]]
                continue
            break
        after = int(state["deck_size"])
        taken = before + sum(map(len, decks)) - after
        if len(drawn) < taken + (self._top_shows and after > 0):
            return Event(twin, self._undrawn(states, before, decks, drawn))
        return self._settled(twin, drawn[taken:])

    def _settled(self, states: Records, ahead: tuple[int, ...]) -> Event:
        """Return a complete event; the order of undrawn cards and tickets no longer depends on how they came there."""
        state = states[0]
        deck = state["deck"][: state["deck_size"]]
        deck.sort()
        put_on_top(deck, [outcome - self._card for outcome in ahead])
        if TICKETS in self.rules.chance_forms:
            for pile in range(len(state["pile_size"])):
                free_tickets(state, pile).sort()
        state["generator"] = FIXED_GENERATOR
        return Event(states, Counter(), ahead)

    def _undrawn(
        self, states: Records, before: int, decks: Sequence[list[str]], drawn: tuple[int, ...]
    ) -> Counter[int]:
        """Return the cards of the deck from which the next one comes, without those that are drawn."""
        deck = [self._card + int(kind) for kind in states[0]["deck"][:before]]
        later = [[self._card + self._kinds.index(name) for name in order] for order in decks]
        for cards in (deck, *later):
            if len(drawn) < len(cards):
                return Counter(cards) - Counter(drawn)
            drawn = drawn[len(cards) :]
        raise AssertionError("the engine took more cards than there were")

    @cached_property
    def _top_shows(self) -> bool:
        """Whether anybody sees something of the deck's top card, such as its back."""
        states = self.rules.new_states(1)
        self.rules.deal(states, 0, FIXED_SEED, 0)
        size = int(states[0]["deck_size"])
        seen = set()
        for position in range(size):
            twin = copy_records(states)
            deck = twin[0]["deck"]
            deck[size - 1], deck[position] = deck[position], deck[size - 1]
            observations = np.zeros((self.rules.players, self.rules.observation_size), np.float32)
            for seat, observation in enumerate(observations):
                self.rules.observe(twin, 0, seat, observation)
            seen.add(observations.tobytes())
        return len(seen) > 1

    def _tickets(self, states: Records, act: Act, drawn: tuple[int, ...]) -> Event | None:
        """Let an action draw tickets; None if it draws none. A ticket that somebody laid under a pile is no chance."""
        twin = copy_records(states)
        act(twin, None)
        sizes = zip(states[0]["pile_size"].tolist(), twin[0]["pile_size"].tolist(), strict=True)
        piles = [free_tickets(states[0], pile) for pile in range(len(states[0]["pile_size"]))]
        numbers = [min(before - after, len(free)) for (before, after), free in zip(sizes, piles, strict=True)]
        if max(numbers) <= 0:
            return None
        twin = copy_records(states)
        for pile, number in enumerate(numbers):
            wanted, drawn = drawn[: max(0, number)], drawn[max(0, number) :]
            free = free_tickets(twin[0], pile)
            if len(wanted) < number:
                left = Counter(self._ticket + int(ticket) for ticket in free)
                return Event(twin, left - Counter(wanted))
            put_on_top(free, [outcome - self._ticket for outcome in wanted])
        act(twin, None)
        return self._settled(twin, ())


def put_on_top(pile: Int8Array, cards: Iterable[int]) -> None:
    """Exchange cards of a pile, in place, so that these are drawn first; the top is last."""
    for top, card in zip(range(len(pile) - 1, -1, -1), cards, strict=False):
        place = int(np.flatnonzero(pile[: top + 1] == card)[-1])
        pile[place], pile[top] = pile[top], pile[place]


def with_first(cards: Sequence[str], first: Sequence[str]) -> list[str]:
    """Return the cards in an order, top first, that begins with `first`."""
    left = Counter(cards) - Counter(first)
    return [*first, *sorted(left.elements())]


def free_tickets(state: Any, pile: int) -> Int8Array:
    """Return the part of a ticket pile whose order is chance, top last: a view of the state."""
    size = int(state["pile_size"][pile])
    laid = int(np.count_nonzero(state["laid_by"][pile][:size] >= 0))
    tickets: Int8Array = state["pile"][pile][laid:size]
    return tickets
