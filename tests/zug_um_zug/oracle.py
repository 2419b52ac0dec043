"""A second, independent reading of the rules of Zug um Zug: Deutschland, used by tests to check the engine.

It is slow and plain on purpose: lists, sets, dicts and strings, and the whole game is one generator that
reads like the rulebook. It asks every decision as a set of action texts and goes on with the text played.
Rule ids (``G12``, ``P3``) are those of the ruling text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

Step = Generator[set[str], str, Any]
"""A part of the game: it yields the legal action texts and is sent the one that is played."""


class OracleError(ValueError):
    """An illegal action, or outcomes of chance that do not fit."""


@dataclass
class Player:
    """What one player has: cards, tickets with their points, tracks as (pair number, colour), passengers (G1)."""

    trains: int
    hand: Counter[str] = field(default_factory=Counter)
    tickets: list[str] = field(default_factory=list)
    tracks: list[tuple[int, str]] = field(default_factory=list)
    passengers: Counter[str] = field(default_factory=Counter)
    track_points: int = 0


class Oracle:
    """One game: ``legal()`` tells the action texts of the decision at hand, ``play(text)`` makes one of them."""

    def __init__(
        self,
        board: dict[str, Any],
        players: int,
        start_player: int,
        chance: dict[str, Any],
        options: dict[str, Any] | None = None,
    ) -> None:
        """Take the board file as plain data and the outcomes of chance as a record writes them."""
        self._max_rounds = {"max_rounds": 200, **(options or {})}["max_rounds"]
        self._numbers: dict[str, Any] = board["constants"]
        self._colours: list[str] = board["colours"]
        self._pairs: list[dict[str, Any]] = board["pairs"]
        self._countries = {place["name"] for place in board["places"] if place.get("country")}
        self._points = {"-".join(t["ends"]): t["points"] for pile in ("short", "long") for t in board["tickets"][pile]}
        self._ends = {"-".join(t["ends"]): t["ends"] for pile in ("short", "long") for t in board["tickets"][pile]}
        self._pile_of = {"-".join(t["ends"]): pile for pile in ("short", "long") for t in board["tickets"][pile]}
        self._chance = deepcopy(chance)
        self._players = [Player(self._numbers["trains_per_player"]) for _ in range(players)]
        self._start = start_player
        self._last_turns: int | None = None
        self.seat = start_player
        self.rounds = 0
        self.over = False
        self.truncated = False

        self._waiting = {place: Counter(there) for place, there in self._chance.pop("passengers").items()}
        self._piles: dict[str, list[str]] = self._chance.pop("tickets")
        for pile, tickets in self._piles.items():
            if sorted(tickets) != sorted(name for name, kind in self._pile_of.items() if kind == pile):
                raise OracleError(f"these are not all the {pile} tickets")
        self._row: list[str | None] = [None] * self._numbers["display_size"]
        self._deck: list[str] = []
        self._pile: Counter[str] = Counter(dict.fromkeys(self._colours, self._numbers["cards_per_colour"]))
        self._pile["locomotive"] = self._numbers["locomotives"]
        self._new_deck()
        for step in range(players):
            for _ in range(self._numbers["first_hand"]):
                self._players[(start_player + step) % players].hand[self._deck.pop(0)] += 1
        self._settle()
        self._choices: set[str] = set()
        self._course: Step = self._game()
        self._advance(None)

    # ------------------------------------------------------------------ what a test asks

    def legal(self) -> set[str]:
        """The action texts of the decision at hand; empty when the game is over."""
        return set(self._choices)

    def play(self, text: str) -> None:
        """Make one decision and go on to the next one."""
        if text not in self._choices:
            raise OracleError(f"{text!r} is not legal for seat {self.seat}; legal: {sorted(self._choices)}")
        self._advance(text)

    def breakdown(self) -> list[dict[str, int]]:
        """G7, G14, G15: every seat's points by source, as if the game ended now."""
        completed = [len(self.completed(player)) for player in self._players]
        rows = []
        for player, number in zip(self._players, completed, strict=True):
            done = set(self.completed(player))
            row = {
                "tracks": player.track_points,
                "tickets completed": sum(self._points[ticket] for ticket in done),
                "tickets not completed": -sum(self._points[t] for t in player.tickets if t not in done),
                "Globetrotter": self._numbers["globetrotter"] if number == max(completed) else 0,
            }
            rows.append(row)
        for colour in {colour for there in self._waiting.values() for colour in there}:
            for row, points in zip(rows, self._majority(colour), strict=True):
                row[f"{colour} passengers"] = points
        return rows

    def scores(self) -> list[int]:
        """All points, by seat."""
        return [sum(row.values()) for row in self.breakdown()]

    def ranks(self) -> list[int]:
        """G16, P1: by points, completed tickets, passengers; equal players share the better rank."""
        merits = [
            (score, len(self.completed(player)), player.passengers.total())
            for score, player in zip(self.scores(), self._players, strict=True)
        ]
        return [1 + sum(other > merit for other in merits) for merit in merits]

    def hand(self, seat: int) -> Counter[str]:
        """The train cards of a seat."""
        return +self._players[seat].hand

    def tickets(self, seat: int) -> list[str]:
        """The tickets that a seat has kept."""
        return sorted(self._players[seat].tickets)

    def public(self) -> dict[str, Any]:
        """What lies open to everybody, and the sizes of what does not."""
        return {
            "display": list(self._row),
            "deck_size": len(self._deck),
            "discard": +self._pile,
            "piles": {pile: len(tickets) for pile, tickets in self._piles.items()},
            "waiting": {place: +there for place, there in self._waiting.items() if there.total()},
            "players": [
                {
                    "hand_size": player.hand.total(),
                    "trains": player.trains,
                    "points": player.track_points,
                    "tracks": sorted(f"{self._name(pair)} {colour}" for pair, colour in player.tracks),
                    "passengers": +player.passengers,
                    "tickets": {
                        pile: sum(self._pile_of[ticket] == pile for ticket in player.tickets)
                        for pile in ("short", "long")
                    },
                }
                for player in self._players
            ],
        }

    @property
    def chance_left(self) -> dict[str, Any]:
        """Given outcomes that were not used."""
        return {key: left for key, left in self._chance.items() if left}

    # ------------------------------------------------------------------ the course of the game

    def _advance(self, answer: str | None) -> None:
        self._choices = set()
        try:
            self._choices = next(self._course) if answer is None else self._course.send(answer)
        except StopIteration:
            self.over = True

    def _game(self) -> Step:
        """G5, G13, P5, P8, P9: the set-up, then turn after turn."""
        count = len(self._players)
        for step in range(count):
            self.seat = (self._start + step) % count
            yield from self._draw_tickets(self._players[self.seat], setting_up=True)
        self.seat = self._start
        self._shuffle_tickets()
        while True:
            player = self._players[self.seat]
            yield from self._turn(player)
            if self._last_turns is not None:
                self._last_turns -= 1
            elif player.trains <= self._numbers["last_trains"]:
                self._last_turns = count
            self.seat = (self.seat + 1) % count
            self.rounds += self.seat == self._start
            if self._last_turns == 0:
                return
            if self.seat == self._start and self.rounds == self._max_rounds:
                self.truncated = True
                return

    def _turn(self, player: Player) -> Step:
        """G6 - G10: exactly one of the three actions; a pass if there is none."""
        cards = self._drawable(first=True)
        claims = self._claims(player)
        actions = cards | set(claims)
        if self._piles["short"] or self._piles["long"]:
            actions.add("tickets")
        answer = yield actions or {"pass"}
        if answer == "tickets":
            yield from self._draw_tickets(player, setting_up=False)
        elif answer in cards:
            self._draw_card(player, answer)
            if answer != "take locomotive" and self._drawable(first=False):
                answer = yield self._drawable(first=False)
                self._draw_card(player, answer)
        elif answer in claims:
            yield from self._claim(player, *claims[answer])

    # ------------------------------------------------------------------ train cards

    def _drawable(self, first: bool) -> set[str]:
        """G6, G10, P4: nothing at all once deck and discards are used up; no face-up locomotive as the second card."""
        if not self._deck:
            return set()
        row = {f"take {card}" for card in self._row if card is not None and (first or card != "locomotive")}
        return row | {"draw"}

    def _draw_card(self, player: Player, action: str) -> None:
        """G6, P1: the card goes to the hand; of equal face-up ones that in the lowest slot."""
        if action == "draw":
            player.hand[self._deck.pop(0)] += 1
        else:
            card = action.removeprefix("take ")
            self._row[self._row.index(card)] = None
            player.hand[card] += 1
        self._settle()

    def _new_deck(self) -> None:
        """G10: the discards are shuffled: the next given order."""
        if not self._chance["decks"]:
            raise OracleError("a shuffle is due, but no order is left")
        order = self._chance["decks"].pop(0)
        if Counter(order) != +self._pile:
            raise OracleError(f"{order} is no permutation of the discards {+self._pile}")
        self._deck = list(order)
        self._pile = Counter()

    def _settle(self) -> None:
        """G3, P2, P3: new deck at once, then fill the row, then look for too many locomotives; again and again."""
        while True:
            if not self._deck and self._pile.total():
                self._new_deck()
            if None in self._row and self._deck:
                self._row[self._row.index(None)] = self._deck.pop(0)
                continue
            if not self._row_must_go():
                return
            self._pile.update(card for card in self._row if card is not None)
            self._row = [None] * len(self._row)

    def _row_must_go(self) -> bool:
        """G3, P3."""
        allowed = self._numbers["most_locomotives"]
        if self._row.count("locomotive") <= allowed:
            return False
        lying = Counter(self._deck) + self._pile + Counter(card for card in self._row if card is not None)
        others = lying.total() - lying["locomotive"]
        if others < len(self._row) - allowed:
            return False
        swapping = len(self._deck) == len(self._row) and self._deck.count("locomotive") > allowed
        return not (swapping and not self._pile.total())

    # ------------------------------------------------------------------ tickets

    def _draw_tickets(self, player: Player, setting_up: bool) -> Step:
        """G5, G9, P5: announce the mix, draw, keep some; the others go back."""
        short, long = self._piles["short"], self._piles["long"]
        number = min(self._numbers["tickets_drawn"], len(short) + len(long))
        answer = yield {f"long {k}" for k in range(number + 1) if k <= len(long) and number - k <= len(short)}
        of_long = int(answer.split()[1])
        drawn = [short.pop(0) for _ in range(number - of_long)] + [long.pop(0) for _ in range(of_long)]
        least = min(number, self._numbers["least_kept_first" if setting_up else "least_kept"])
        kept = 0
        for position, ticket in enumerate(drawn):
            still_to_come = number - position - 1
            actions = {f"keep {ticket}"}
            if kept + still_to_come >= least:
                actions.add(f"return {ticket}")
            answer = yield actions
            if answer.startswith("keep"):
                player.tickets.append(ticket)
                kept += 1
            elif not setting_up:
                self._piles[self._pile_of[ticket]].append(ticket)

    def _shuffle_tickets(self) -> None:
        """G5, P5: what was returned in the set-up is shuffled back."""
        kept = {ticket for player in self._players for ticket in player.tickets}
        given = self._chance.pop("ticket_shuffles")
        for pile in ("short", "long"):
            left = sorted(t for t, kind in self._pile_of.items() if kind == pile and t not in kept)
            if sorted(given[pile]) != left:
                raise OracleError(f"{given[pile]} are not the {pile} tickets that nobody kept: {left}")
            self._piles[pile] = list(given[pile])

    def completed(self, player: Player) -> list[str]:
        """G12: tickets whose ends the player's own tracks join; a country is an end but never on the way."""
        return [ticket for ticket in player.tickets if self._joined(player, *self._ends[ticket])]

    def _joined(self, player: Player, start: str, goal: str) -> bool:
        reached, frontier = {start}, [start]
        while frontier:
            place = frontier.pop()
            if place in self._countries and place != start:
                continue
            for pair, _ in player.tracks:
                ends = self._pairs[pair]["ends"]
                if place in ends:
                    other = ends[1] if ends[0] == place else ends[0]
                    if other == goal:
                        return True
                    if other not in reached:
                        reached.add(other)
                        frontier.append(other)
        return False

    # ------------------------------------------------------------------ tracks and passengers

    def _name(self, pair: int) -> str:
        return "-".join(self._pairs[pair]["ends"])

    def _claims(self, player: Player) -> dict[str, tuple[int, str]]:
        """G7, G11: what can be claimed and paid, by action text."""
        return {
            f"claim {self._name(number)} {colour}": (number, colour)
            for number, pair in enumerate(self._pairs)
            for colour in pair["colours"]
            if self._is_free(player, number, colour)
            and player.trains >= pair["length"]
            and self._payments(player, colour, pair["length"])
        }

    def _is_free(self, player: Player, number: int, colour: str) -> bool:
        """G11: no second track of a pair; with few players only one track of a pair for all together."""
        taken = [track for other in self._players for track in other.tracks if track[0] == number]
        if any(track in player.tracks for track in taken):
            return False
        if len(self._players) < self._numbers["all_tracks_from"]:
            return not taken
        tracks: list[str] = self._pairs[number]["colours"]
        return taken.count((number, colour)) < tracks.count(colour)

    def _payments(self, player: Player, colour: str, length: int) -> dict[str, set[int]]:
        """G7, P6: by colour of the cards the possible numbers of locomotives among them.

        For grey tracks locomotives alone stand under their own name.
        """
        locomotives = player.hand["locomotive"]
        found: dict[str, set[int]] = {}
        for paying in self._colours if colour == "grey" else [colour]:
            numbers = {k for k in range(min(locomotives, length) + 1) if player.hand[paying] >= length - k}
            if colour == "grey":
                numbers.discard(length)
            if numbers:
                found[paying] = numbers
        if colour == "grey" and locomotives >= length:
            found["locomotive"] = {length}
        return found

    def _claim(self, player: Player, number: int, colour: str) -> Step:
        """G7, G8, P6, P7: choose the payment, pay, take the points, then a passenger at each end."""
        pair = self._pairs[number]
        length = pair["length"]
        payments = self._payments(player, colour, length)
        paying = colour
        if colour == "grey":
            answer = yield {f"with {card}" for card in payments}
            paying = answer.removeprefix("with ")
        locomotives = min(payments[paying])
        if len(payments[paying]) > 1:
            answer = yield {f"locomotives {k}" for k in payments[paying]}
            locomotives = int(answer.split()[1])
        spent = Counter({"locomotive": locomotives})
        if paying != "locomotive":
            spent[paying] += length - locomotives
        player.hand -= spent
        player.trains -= length
        player.track_points += self._numbers["track_points"][length - 1]
        player.tracks.append((number, colour))
        self._pile += spent
        self._settle()
        for place in pair["ends"]:
            there = self._waiting.get(place, Counter())
            if there.total():
                answer = yield {f"passenger {who}" for who in +there} | {"leave"}
                if answer != "leave":
                    who = answer.removeprefix("passenger ")
                    there[who] -= 1
                    player.passengers[who] += 1

    def _majority(self, colour: str) -> list[int]:
        """G15: 20 for most, 10 for second most; a tie for most leaves no second; who has none scores nothing."""
        counts = [player.passengers[colour] for player in self._players]
        levels = sorted({count for count in counts if count}, reverse=True)
        points = [0] * len(counts)
        if not levels:
            return points
        first = [seat for seat, count in enumerate(counts) if count == levels[0]]
        for seat in first:
            points[seat] = self._numbers["most_passengers"]
        if len(first) == 1 and len(levels) > 1:
            for seat, count in enumerate(counts):
                if count == levels[1]:
                    points[seat] = self._numbers["second_most_passengers"]
        return points
