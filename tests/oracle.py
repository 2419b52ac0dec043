"""A second, independent reading of the rules of Thurn und Taxis, used by tests to check the engine.

It is slow and plain on purpose: lists, sets, dicts and strings, and the whole game is one generator that
reads like the rulebook. It asks every decision as a set of action texts and goes on with the text played.
Scope: all rules of play on the south and the north board, with free cities, with the horses and with every
option. What is hidden from whom (R31, F12) is left out, and so ``open_backs`` (H7) changes nothing here.
Rule ids (``R12``, ``N2``, ``H4``, ``F3``) are those of the ruling text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

DEFAULT_OPTIONS: dict[str, Any] = {
    "optional_houses": False,
    "all_provinces_without_baiern": False,
    "free_city_with_fill": False,
    "horses": False,
    "horses_kept": True,
    "open_backs": True,
    "max_rounds": 200,
}

Step = Generator[set[str], str, None]
"""A part of the game: it yields the legal action texts and is sent the one that is played."""


class OracleError(ValueError):
    """An illegal action, a deck order that does not fit, or a setup that makes no sense."""


@dataclass
class Player:
    """What one player owns (M1): hand, route and carriage hold cards, houses stand in cities (H2)."""

    seat: int
    houses_left: int
    hand: list[str] = field(default_factory=list)
    route: list[str] = field(default_factory=list)
    harnessed: list[str] = field(default_factory=list)
    houses: set[str] = field(default_factory=set)
    carriages: int = 0
    tiles: list[tuple[str, int]] = field(default_factory=list)


class Oracle:
    """One game: ``legal()`` tells the action texts of the decision at hand, ``play(text)`` makes one of them.

    ``over`` is true as soon as there is no further decision, ``truncated`` only when F13 ended the game;
    ``phase`` names the decision: draw, draw again, draw or play, play, finish, houses, house, cartwright,
    discard, over. A card is named after its city, with horses ``City/horses`` (H1).
    """

    def __init__(
        self,
        board: dict[str, Any],
        players: int,
        start_player: int,
        decks: list[list[str]],
        options: dict[str, Any] | None = None,
    ) -> None:
        """Lay out the board and deal the display slot by slot from ``decks[0]`` (M1-M4, N1, F1, F2, F14)."""
        chosen = dict(options or {})
        unknown = set(chosen) - set(DEFAULT_OPTIONS)
        if unknown:
            raise OracleError(f"unknown options: {sorted(unknown)} (F14)")
        if not 2 <= players <= 4:
            raise OracleError(f"{players} players; 2 to 4 can play (M1)")
        if not 0 <= start_player < players:
            raise OracleError(f"start player {start_player} of {players} players (F1)")
        self.options: dict[str, Any] = DEFAULT_OPTIONS | chosen
        if self.options["max_rounds"] < 1:
            raise OracleError("max_rounds must be at least 1 (F13)")

        self._constants: dict[str, int] = board["constants"]
        self._provinces: list[str] = [province["name"] for province in board["provinces"]]
        self._cities: list[str] = [city["name"] for city in board["cities"]]
        # None stands for the free cities, which belong to no province (N1).
        self._province_of: dict[str, str | None] = {city["name"]: city.get("province") for city in board["cities"]}
        # A road may have a third entry, which says how certain it is.
        self._roads: set[frozenset[str]] = {frozenset(road[:2]) for road in board["roads"]}
        self._stacks: list[dict[str, Any]] = board["stacks"]
        self._tiles_left: dict[str, list[int]] = {stack["name"]: list(stack["values"]) for stack in board["stacks"]}
        self._carriages: list[tuple[int, int]] = [(card["length"], card["points"]) for card in board["carriages"]]

        self._players = [Player(seat, self._constants["houses_per_player"]) for seat in range(players)]
        self._start_player = start_player
        self._ender: int | None = None
        self.seat = start_player
        self.phase = "draw"
        self.over = False
        self.truncated = False

        self._city_of: dict[str, str] = {}
        self._horses_on: dict[str, int] = {}
        self._horse_constants: dict[str, Any] = board.get("horses", {})
        if self.options["horses"] and not self._horse_constants:
            raise OracleError("this board has no horses")
        self._pile: list[str] = []
        for city in board["cities"]:
            self._pile.extend(self._cards_of(city))
        self._deck: list[str] = []
        self._display: list[str | None] = [None] * self._constants["display_size"]
        self._orders: list[list[str]] = [list(order) for order in decks]
        self._reshuffle_if_due()
        self._refill_display()

        self._choices: set[str] = set()
        self._course: Step = self._game()
        self._advance(None)

    # ------------------------------------------------------------------ what a test asks

    def legal(self) -> set[str]:
        """Return the action texts of the decision at hand; empty when the game is over."""
        return set(self._choices)

    def play(self, text: str) -> None:
        """Make one decision and go on to the next one; an illegal text changes nothing."""
        if text not in self._choices:
            raise OracleError(f"{text!r} is not legal for seat {self.seat}; legal: {sorted(self._choices)}")
        self._advance(text)

    def scores(self) -> list[int]:
        """R29: points of the highest carriage, plus all tiles, minus the houses not placed; by seat."""
        return [self._score(player) for player in self._players]

    def ranks(self) -> list[int]:
        """R30, F1, F13: 1 for the winner; ties go clockwise from the holder of the end tile, else shared."""
        scores = self.scores()
        holder = self._ender
        if holder is None:
            return [1 + sum(other > score for other in scores) for score in scores]
        count = len(scores)
        order = sorted(range(count), key=lambda seat: (-scores[seat], (seat - holder) % count))
        return [1 + order.index(seat) for seat in range(count)]

    def hand(self, seat: int) -> dict[str, int]:
        """Return the cards in the hand of ``seat``: card to count."""
        return dict(Counter(self._players[seat].hand))

    def public(self) -> dict[str, Any]:
        """Return all that lies open to everybody (R31, F12)."""
        return {
            "display": list(self._display),
            "deck_size": len(self._deck),
            "discard": dict(Counter(self._pile)),
            "players": [
                {
                    "hand_size": len(player.hand),
                    "route": list(player.route),
                    "houses": [city for city in self._cities if city in player.houses],
                    "houses_left": player.houses_left,
                    "carriage": self._carriages[player.carriages - 1][0] if player.carriages else 0,
                    "horses": self._horses(player),
                    "harnessed": dict(Counter(player.harnessed)),
                    "tiles": [{"stack": stack, "value": value} for stack, value in player.tiles],
                }
                for player in self._players
            ],
        }

    @property
    def decks_left(self) -> int:
        """How many given deck orders are still unused; a finished record must leave none (F14)."""
        return len(self._orders)

    # ------------------------------------------------------------------ the course of the game

    def _advance(self, answer: str | None) -> None:
        """Run the game up to its next decision."""
        self._choices = set()
        try:
            self._choices = next(self._course) if answer is None else self._course.send(answer)
        except StopIteration:
            self.over = True
            self.phase = "over"

    def _choose(self, phase: str, actions: set[str]) -> Generator[set[str], str, str]:
        """Present one decision, forced or not, and return the answer."""
        if not actions:
            raise OracleError(f"no legal action in phase {phase!r}")
        self.phase = phase
        answer = yield actions
        return answer

    def _game(self) -> Step:
        """R28, F13: full rounds from the start player until one ends with the game-end tile taken."""
        count = len(self._players)
        for _ in range(self.options["max_rounds"]):
            for turn in range(count):
                self.seat = (self._start_player + turn) % count
                yield from self._turn(self._players[self.seat])
            if self._ender is not None:
                return
        self.truncated = True

    def _turn(self, player: Player) -> Step:
        """R1-R9, R13, F4: draw, play, perhaps close; at most one official, used up by an empty hand."""
        began_empty = not player.hand
        official_free = not began_empty

        # Draw: the first card, perhaps after the administrator (R1, R7); skipped if there is none (R9).
        cards_drawn = 0
        while cards_drawn == 0 and self._draws():
            actions = self._draws()
            if official_free and any(self._display):
                actions.add("administrator")
            answer = yield from self._choose("draw", actions)
            if answer == "administrator":
                official_free = False
                self._administrator()
            else:
                self._draw(player, answer)
                cards_drawn = 1

        # The compulsory postmaster (R6) takes what there is (R9).
        if began_empty and cards_drawn == 1 and self._draws():
            answer = yield from self._choose("draw again", self._draws())
            self._draw(player, answer)

        # Play (R2), unless there is no card (R9, F4); a second draw instead is the postmaster's help (R5).
        if player.hand:
            if official_free and cards_drawn == 1 and self._draws():
                answer = yield from self._choose("draw or play", self._plays(player) | self._draws())
                if answer in self._draws():
                    official_free = False
                    self._draw(player, answer)
                    answer = yield from self._choose("play", self._plays(player))
            else:
                answer = yield from self._choose("play", self._plays(player))
            self._lay(player, answer)

            # A second card is the postal carrier's help; it extends the route or is harnessed, but never
            # starts a route, not even where there is none yet (R13, H3, F11).
            if official_free:
                second_cards = self._extensions(player) | self._harnesses(player)
                answer = yield from self._choose("finish", second_cards | self._finishes(player))
                if answer in second_cards:
                    official_free = False
                    self._lay(player, answer)
                    answer = yield from self._choose("finish", self._finishes(player))
            else:
                answer = yield from self._choose("finish", self._finishes(player))
        else:
            answer = yield from self._choose("finish", self._finishes(player))

        if answer == "close":
            yield from self._close(player, official_free)

    # ------------------------------------------------------------------ cards

    def _cards_of(self, city: dict[str, Any]) -> list[str]:
        """M2, N1, H1: make the cards of one city; with horses each card shows a number of them."""
        name: str = city["name"]
        if self.options["horses"]:
            cards = [(f"{name}/{horses}", horses) for horses in city["horses"]]
        else:
            cards = [(name, 0)] * city.get("copies", self._constants["copies_per_city"])
        for card, horses in cards:
            self._city_of[card] = name
            self._horses_on[card] = horses
        return [card for card, _ in cards]

    def _reshuffle_if_due(self) -> None:
        """R8, F3: as soon as the deck is empty and the pile is not, the pile becomes the new deck."""
        if self._deck or not self._pile:
            return
        order = self._next_order(list(self._pile))
        if Counter(order) != Counter(self._pile):
            raise OracleError(f"deck order {order} is no permutation of the pile {sorted(self._pile)}")
        self._deck = list(order)
        self._pile = []

    def _next_order(self, pile: list[str]) -> list[str]:
        """Take the next given deck order."""
        if not self._orders:
            raise OracleError(f"a shuffle of {len(pile)} cards is due, but no deck order is left")
        return self._orders.pop(0)

    def _top_card(self) -> str:
        """Take the top card off the deck; if it was the last one, the pile is shuffled at once (R8)."""
        card = self._deck.pop(0)
        self._reshuffle_if_due()
        return card

    def _refill_display(self) -> None:
        """R1, R9, F2, F3: deal to the empty slots in slot order while there are cards."""
        for slot in range(len(self._display)):
            if self._display[slot] is None and self._deck:
                self._display[slot] = self._top_card()

    def _discard(self, cards: list[str]) -> None:
        """F3: one event that discards; a reshuffle may be due, then empty slots are refilled."""
        self._pile.extend(cards)
        self._reshuffle_if_due()
        self._refill_display()

    # ------------------------------------------------------------------ draw and play

    def _draws(self) -> set[str]:
        """R1: any face-up card, or the deck's top card."""
        actions = {f"take {card}" for card in self._display if card is not None}
        if self._deck:
            actions.add("draw")
        return actions

    def _draw(self, player: Player, action: str) -> None:
        """R1, F2: add a card to the hand; of equal face-up cards the one in the lowest slot."""
        if action == "draw":
            player.hand.append(self._top_card())
            return
        card = action.removeprefix("take ")
        self._display[self._display.index(card)] = None
        player.hand.append(card)
        self._refill_display()

    def _administrator(self) -> None:
        """R7, F2, F3: the whole display is discarded as one event, then dealt anew."""
        cards = [card for card in self._display if card is not None]
        self._display = [None] * len(self._display)
        self._discard(cards)

    def _route_cities(self, player: Player) -> list[str]:
        """The cities of a route in their order; there are as many as cards (R10)."""
        return [self._city_of[card] for card in player.route]

    def _extensions(self, player: Player) -> set[str]:
        """R10, R11: hand cards that fit at an end; a route of one card is extended at the right only."""
        actions: set[str] = set()
        route = self._route_cities(player)
        if not route:
            return actions
        for card in player.hand:
            city = self._city_of[card]
            if city in route:
                continue
            if frozenset((city, route[-1])) in self._roads:
                actions.add(f"right {card}")
            if len(route) > 1 and frozenset((city, route[0])) in self._roads:
                actions.add(f"left {card}")
        return actions

    def _harnesses(self, player: Player) -> set[str]:
        """H2: any card of the hand may become horses, while the carriage has room for a card."""
        if not self.options["horses"] or len(player.harnessed) >= self._horse_constants["most_cards"]:
            return set()
        return {f"harness {card}" for card in player.hand}

    def _horses(self, player: Player) -> int:
        """H2: the horses of the carriage, its own ones included; none in a game without horses."""
        if not self.options["horses"]:
            return 0
        own: int = self._horse_constants["own"]
        return own + sum(self._horses_on[card] for card in player.harnessed)

    def _plays(self, player: Player) -> set[str]:
        """R10-R12, H3: extend the route, start a new one with any card of the hand, or harness one."""
        return self._extensions(player) | {f"start {card}" for card in player.hand} | self._harnesses(player)

    def _lay(self, player: Player, action: str) -> None:
        """R11-R14, H2: lay a card at an end of the route or onto the carriage, or start a new route."""
        where, card = action.split(" ", 1)
        player.hand.remove(card)
        if where == "left":
            player.route.insert(0, card)
        elif where == "right":
            player.route.append(card)
        elif where == "harness":
            player.harnessed.append(card)
        else:
            given_up = player.route
            player.route = [card]
            if given_up:
                self._give_up(player, given_up)

    def _give_up(self, player: Player, route: list[str]) -> None:
        """R12, H5, F3: the old route is discarded; without ``horses_kept`` the horse cards go in the same event."""
        cards = route
        if not self.options["horses_kept"]:
            cards = route + player.harnessed
            player.harnessed = []
        self._discard(cards)

    def _finishes(self, player: Player) -> set[str]:
        """R3, H4: end the turn, or close a route that is long enough and, with horses, has one for every city."""
        cities = len(player.route)
        if cities < self._constants["minimum_route"]:
            return {"end"}
        if self.options["horses"] and self._horses(player) < cities:
            return {"end"}
        return {"end", "close"}

    # ------------------------------------------------------------------ close

    def _close(self, player: Player, official_free: bool) -> Step:
        """R15: houses, tiles, carriage, discard; all horse cards go with the route, surplus or not (H4, F3)."""
        yield from self._place_houses(player)
        self._take_tiles(player)
        yield from self._take_carriage(player, official_free)
        cards = player.route + player.harnessed
        player.route = []
        player.harnessed = []
        self._discard(cards)
        while len(player.hand) > self._constants["hand_limit"]:  # R26, each card an event of its own (F3)
            answer = yield from self._choose("discard", {f"discard {card}" for card in player.hand})
            card = answer.removeprefix("discard ")
            player.hand.remove(card)
            self._discard([card])

    def _place_houses(self, player: Player) -> Step:
        """R16-R20, N2, F5: choose spread or fill; without a house to place there is no question."""
        # The free cities of the route are one group more, the last one (F6); its key is None.
        groups: dict[str | None, list[str]] = {}
        route = self._route_cities(player)
        for province in [*self._provinces, None]:
            cities = [city for city in self._cities if self._province_of[city] == province]
            candidates = [city for city in cities if city in route and city not in player.houses]
            if candidates:
                groups[province] = candidates
        if not groups or player.houses_left == 0:
            return
        actions = {f"fill {province}" for province in groups if province is not None}
        # A lone city in a province is reached by fill, a lone free city only by spread (F5).
        if None in groups or sum(len(candidates) for candidates in groups.values()) > 1:
            actions.add("spread")
        answer = yield from self._choose("houses", actions)
        if answer == "spread":
            yield from self._spread(player, groups)
        else:
            free_cities = groups.get(None, []) if self.options["free_city_with_fill"] else []
            yield from self._fill(player, groups[answer.removeprefix("fill ")], free_cities)

    def _spread(self, player: Player, groups: dict[str | None, list[str]]) -> Step:
        """R16, R19, N2, F6, F8: one house in every group, or, when short, wherever the player likes."""
        if player.houses_left >= len(groups):
            for candidates in groups.values():
                yield from self._house_question(player, candidates)
            return
        unserved = dict(groups)
        while player.houses_left and unserved:
            candidates = [city for cities in unserved.values() for city in cities]
            placed = yield from self._house_question(player, candidates)
            if placed is None:
                return
            del unserved[self._province_of[placed]]

    def _fill(self, player: Player, candidates: list[str], free_cities: list[str]) -> Step:
        """R16, R19, F7, F8: all route cities of one province, or, when short, the ones the player likes.

        With ``free_city_with_fill`` one of the free cities follows, if a house is left for it (N2).
        """
        if player.houses_left < len(candidates):
            remaining = list(candidates)
            while player.houses_left and remaining:
                placed = yield from self._house_question(player, remaining)
                if placed is None:
                    return  # The whole placing ends (F8), so no free city is asked for either.
                remaining.remove(placed)
        elif self.options["optional_houses"]:
            for city in candidates:
                yield from self._house_question(player, [city])
        else:
            for city in candidates:
                self._place(player, city)
        if free_cities and player.houses_left:
            yield from self._house_question(player, free_cities)

    def _house_question(self, player: Player, candidates: list[str]) -> Generator[set[str], str, str | None]:
        """One ``house C`` out of the candidates; None if it is left out (option, R18, F8)."""
        actions = {f"house {city}" for city in candidates}
        if self.options["optional_houses"]:
            actions.add("leave")
        answer = yield from self._choose("house", actions)
        if answer == "leave":
            return None
        city = answer.removeprefix("house ")
        self._place(player, city)
        return city

    def _place(self, player: Player, city: str) -> None:
        """R17, R27, N3, F10: place a house; a free city's tile and, by the last house, the game-end tile follow."""
        player.houses.add(city)
        player.houses_left -= 1
        for stack in self._stacks:
            if stack["kind"] == "free_city" and stack["city"] == city:
                self._take_tile(player, stack["name"])
        if player.houses_left == 0:
            self._trigger_end(player)

    # ------------------------------------------------------------------ tiles and carriages

    def _take_tile(self, player: Player, stack: str) -> bool:
        """Take the best tile of a stack, if there is one (M3)."""
        if not self._tiles_left[stack]:
            return False
        player.tiles.append((stack, self._tiles_left[stack].pop(0)))
        return True

    def _trigger_end(self, player: Player) -> None:
        """R27: the first to trigger the end takes the game-end tile; one tile, even for both reasons."""
        if self._ender is not None:
            return
        self._ender = player.seat
        for stack in self._stacks:
            if stack["kind"] == "game_end":
                self._take_tile(player, stack["name"])

    def _take_tiles(self, player: Player) -> None:
        """R21-R23, N3, N4, F10: distance, then province stacks, then all provinces."""
        distances = [stack for stack in self._stacks if stack["kind"] == "distance"]
        distances.sort(key=lambda stack: -stack["length"])
        for stack in distances:  # the longest one reached, else the next lower one with tiles (R22)
            if stack["length"] <= len(player.route) and self._take_tile(player, stack["name"]):
                break

        taken = {name for name, _ in player.tiles}
        for stack in self._stacks:
            if stack["kind"] == "provinces" and stack["name"] not in taken:
                needed = {city for city in self._cities if self._province_of[city] in stack["provinces"]}
                if needed <= player.houses:
                    self._take_tile(player, stack["name"])
        for stack in self._stacks:
            if stack["kind"] == "all_provinces" and stack["name"] not in taken:
                needed = set(self._provinces)
                if self.options["all_provinces_without_baiern"]:
                    needed.discard(stack.get("first_edition_without", ""))
                if needed <= {self._province_of[city] for city in player.houses}:
                    self._take_tile(player, stack["name"])

    def _take_carriage(self, player: Player, official_free: bool) -> Step:
        """R24, R25: exactly the next carriage, if the route or the cartwright reaches it; none with horses (H1)."""
        if self.options["horses"] or player.carriages == len(self._carriages):
            return
        missing = self._carriages[player.carriages][0] - len(player.route)
        if missing > 0:
            if not official_free or missing > self._constants["cartwright_reach"]:
                return
            answer = yield from self._choose("cartwright", {"cartwright", "decline"})
            if answer == "decline":
                return
        player.carriages += 1
        if player.carriages == len(self._carriages):
            self._trigger_end(player)

    def _score(self, player: Player) -> int:
        """R29 for one player; with horses there are no carriages to count (H6)."""
        carriage = self._carriages[player.carriages - 1][1] if player.carriages else 0
        return carriage + sum(value for _, value in player.tiles) - player.houses_left
