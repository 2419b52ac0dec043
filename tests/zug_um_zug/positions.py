"""Positions made by hand, for the tests of the rules: given by names, the rest worked out."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from tests.boards import as_toml
from tests.positions import Cards, play
from thurn_env import Game, make_rules
from thurn_env.games.zug_um_zug_deutschland.board.shipped import SHIPPED
from thurn_env.games.zug_um_zug_deutschland.game import ZugUmZugDeutschland
from thurn_env.games.zug_um_zug_deutschland.rules.phases import PHASES

__all__ = ["GAME", "Cards", "Player", "changed_board", "completed", "legal", "play", "position"]

GAME = "zug_um_zug_deutschland"


@dataclass(frozen=True)
class Player:
    """What one player has.

    Attributes:
        hand: the train cards in hand.
        known: those of them that were taken face up.
        tracks: the claims, as `Augsburg-Ulm grey`.
        tickets: the tickets kept, by name.
        passengers: the passengers taken.
        trains: the trains left; None for what the tracks leave.
    """

    hand: Cards = ()
    known: Cards = ()
    tracks: Sequence[str] = ()
    tickets: Sequence[str] = ()
    passengers: Cards = ()
    trains: int | None = None


def position(
    players: int = 2,
    board: str = "germany",
    *,
    seat: int = 0,
    start_player: int = 0,
    rounds: int = 5,
    others: Mapping[int, Player] | None = None,
    display: Sequence[str | None] | None = None,
    deck: Sequence[str] = (),
    discard: Cards = (),
    rest: str | int = "deck",
    piles: Mapping[str, Sequence[str]] | None = None,
    waiting: Mapping[str, Cards] | None = None,
    last_turns: int | None = None,
    max_rounds: int = 200,
    **own: Any,
) -> Game:
    """A game in which `seat` is at the start of a turn.

    Args:
        players: number of players.
        board: the board's name, or the path of its file.
        seat: whose turn it is; `own` are the fields of its `Player`.
        start_player: who began.
        rounds: full rounds played.
        others: the other players by seat; those left out have nothing.
        display: the face-up cards by slot, None for an empty slot; left out, cards of the first colours.
        deck: the top cards of the deck, topmost first.
        discard: the discard pile.
        rest: where all other cards are: `deck`, under those given, or `discard`, or the seat that holds them.
        piles: the top of the ticket piles by name, topmost first; the others follow in board order.
        waiting: the passengers by place; left out, none wait anywhere.
        last_turns: turns left if the end has begun, this one included.
        max_rounds: the option.
    """
    rules = cast(ZugUmZugDeutschland, make_rules(GAME, players, board, max_rounds=max_rounds))
    game = Game.from_rules(rules, 0, start_player)
    state = game.states[0]
    table = {other: (others or {}).get(other, Player()) for other in range(players)} | {seat: Player(**own)}
    constants = rules.board.constants
    shown = list(display) if display is not None else list(rules.board.colours[: constants.display_size])
    while len(shown) < constants.display_size:
        shown.append(rules.board.colours[0])

    left = Counter(dict.fromkeys(rules.board.colours, constants.cards_per_colour))
    left["locomotive"] = constants.locomotives
    for cards in (*(player.hand for player in table.values()), discard, deck, [card for card in shown if card]):
        left.subtract(Counter(cards))
    assert min(left.values()) >= 0, f"more cards than there are: {-left}"
    hands = {other: Counter(player.hand) for other, player in table.items()}
    discards, order = Counter(discard), list(deck)
    if rest == "deck":
        order += left.elements()
    elif rest == "discard":
        discards.update(left)
    else:
        hands[int(rest)].update(left)

    kinds = {name: kind for kind, name in enumerate(rules.kinds)}
    state["phase"], state["due"], state["setting_up"] = PHASES.index("turn"), 0, 0
    state["seat"], state["start_player"], state["rounds"] = seat, start_player, rounds
    state["ending"], state["last_turns"] = last_turns is not None, last_turns or 0
    state["claim"] = state["paying"] = -1
    state["display"] = [kinds[card] if card else -1 for card in shown]
    state["deck"] = -1
    state["deck"][: len(order)] = [kinds[card] for card in reversed(order)]
    state["deck_size"] = state["shuffled_size"] = len(order)
    state["discard"] = [discards[name] for name in rules.kinds]
    state["discard_size"] = discards.total()
    for other, hand in hands.items():
        known = Counter(table[other].known)
        state["hand"][other] = [hand[name] for name in rules.kinds]
        state["known"][other] = [known[name] for name in rules.kinds]
        state["hand_size"][other], state["known_size"][other] = hand.total(), known.total()
    for number, place in enumerate(rules.board.places):
        there = Counter((waiting or {}).get(place.name, ()))
        state["waiting"][number] = [there[colour] for colour in rules.board.passenger_colours]
    for other, player in table.items():
        taken = Counter(player.passengers)
        state["passengers"][other] = [taken[colour] for colour in rules.board.passenger_colours]
    _lay_tracks(rules, state, table)
    _give_tickets(rules, state, table, piles or {})
    game._mask = None
    return game


def changed_board(folder: Path, **constants: int) -> str:
    """The path of a board file: germany with other constants."""
    data = tomllib.loads((SHIPPED / "germany.toml").read_text("utf-8"))
    data["constants"] |= constants
    path = folder / "changed.toml"
    path.write_text(as_toml(data), "utf-8")
    return str(path)


def _bits(row: Any, members: Iterable[int]) -> None:
    for member in members:
        row[member // 63] |= 1 << member % 63


def _lay_tracks(rules: ZugUmZugDeutschland, state: Any, table: Mapping[int, Player]) -> None:
    """Tracks, trains, points, what is still open, and the networks, worked out from names."""
    board, claims = rules.board, rules.tracks.claims
    numbers = {claim.name: number for number, claim in enumerate(claims)}
    nodes = rules.record[0]["claim_nodes"]
    owners = Counter(track for player in table.values() for track in player.tracks)
    pairs_taken = {claims[numbers[track]].pair for track in owners}
    for seat, player in table.items():
        own = [numbers[track] for track in player.tracks]
        lengths = [board.pairs[claims[claim].pair].length for claim in own]
        trains = board.constants.trains_per_player - sum(lengths) if player.trains is None else player.trains
        state["trains"][seat] = trains
        state["points"][seat] = sum(board.constants.track_points[length - 1] for length in lengths)
        state["claimed"][seat] = 0
        _bits(state["claimed"][seat], own)
        own_pairs = {claims[claim].pair for claim in own}
        closed = pairs_taken if len(table) < board.constants.all_tracks_from else own_pairs
        state["open"][seat] = 0
        _bits(
            state["open"][seat],
            (
                number
                for number, claim in enumerate(claims)
                if claim.pair not in closed and owners[claim.name] < claim.tracks
            ),
        )
        network = list(range(len(rules.tracks.nodes)))
        for claim in own:
            kept, lost = (network[node] for node in nodes[claim])
            network = [kept if label == lost else label for label in network]
        state["network"][seat] = network


def _give_tickets(
    rules: ZugUmZugDeutschland, state: Any, table: Mapping[int, Player], piles: Mapping[str, Sequence[str]]
) -> None:
    """Tickets in hands, completed or not, and the piles."""
    tickets = rules.board.tickets
    numbers = {ticket.name: number for number, ticket in enumerate(tickets)}
    held = {numbers[name] for player in table.values() for name in player.tickets}
    for name in ("held", "done", "early", "returned"):
        state[name] = 0
    for seat, player in table.items():
        own = [numbers[name] for name in player.tickets]
        done = [number for number in own if completed(rules, player.tracks, number)]
        _bits(state["held"][seat], own)
        _bits(state["done"][seat], done)
        state["completed"][seat] = len(done)
        state["ticket_points"][seat] = sum(
            tickets[number].points if number in done else -tickets[number].points for number in own
        )
        long = sum(number >= len(rules.board.short_tickets) for number in own)
        state["ticket_count"][seat] = [len(own) - long, long]
    state["laid_by"] = -1
    state["pile"] = -1
    state["drawn_tickets"] = -1
    state["drawn_count"] = state["decided"] = state["kept"] = 0
    split = len(rules.board.short_tickets)
    for pile, (name, members) in enumerate({"short": range(split), "long": range(split, len(tickets))}.items()):
        if name in piles and not piles[name]:
            state["pile_size"][pile] = 0
            continue
        top = [numbers[ticket] for ticket in piles.get(name, ())]
        order = [*top, *(number for number in members if number not in held and number not in top)]
        state["pile"][pile][: len(order)] = order[::-1]
        state["pile_size"][pile] = len(order)


def completed(rules: ZugUmZugDeutschland, tracks: Sequence[str], ticket: int) -> bool:
    """Whether tracks join the ends of a ticket, by walking from place to place; never through a country (G12)."""
    countries = {place.name for place in rules.board.places if place.country}
    ends = [track.rsplit(" ", 1)[0].split("-") for track in tracks]
    start, goal = rules.board.tickets[ticket].ends
    reached: set[str] = set()
    frontier = {start}
    while frontier:
        reached |= frontier
        left = frontier - (countries - {start})
        frontier = {end for pair in ends if left.intersection(pair) for end in pair} - reached
    return goal in reached


def legal(game: Game, family: str) -> list[str]:
    """The operands of all legal actions of a family."""
    return [action.removeprefix(f"{family} ") for action in game.legal if action.split()[0] == family]
