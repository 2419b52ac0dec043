"""Public information as plain values, and the table as text."""

from __future__ import annotations

from typing import Any

import numpy as np

from thurn_env.games.show.words import State, by_name, covered_hand, face_up, listed, player_mark, to_decide
from thurn_env.games.zug_um_zug_deutschland.rules.bound import BoundRules
from thurn_env.games.zug_um_zug_deutschland.rules.chance import PILES
from thurn_env.games.zug_um_zug_deutschland.rules.members import members
from thurn_env.games.zug_um_zug_deutschland.rules.phases import COLOUR, LOCOMOTIVES, OVER, PASSENGER, PHASE_MEANINGS


def cards(rules: BoundRules, counts: np.ndarray[Any, Any]) -> dict[str, int]:
    """Return cards by kind, without zeros."""
    return by_name(rules.kinds, counts)


def passengers(rules: BoundRules, counts: np.ndarray[Any, Any]) -> dict[str, int]:
    """Return passengers by colour, without zeros."""
    return by_name(rules.board.passenger_colours, counts)


def waiting(rules: BoundRules, state: State) -> dict[str, dict[str, int]]:
    """Return the passengers in every place by colour."""
    colours = rules.board.passenger_colours
    places: list[dict[str, int]] = [{} for _ in rules.board.places]
    # Most places have few passengers or none.
    found = state["waiting"].nonzero()
    numbers = state["waiting"][found].tolist()
    for place, colour, number in zip(*(axis.tolist() for axis in found), numbers, strict=True):
        places[place][colours[colour]] = number
    return {place.name: there for place, there in zip(rules.board.places, places, strict=True)}


def ticket_names(rules: BoundRules, row: np.ndarray[Any, Any]) -> list[str]:
    """Return the tickets of a set, in the order of the board."""
    tickets = members(row)
    if not tickets:
        return []
    board = rules.board.tickets
    return [board[ticket].name for ticket in tickets]


def claim_names(rules: BoundRules, row: np.ndarray[Any, Any]) -> list[str]:
    """Return the claims of a set, in the order of the board."""
    return [rules.tracks.claims[claim].name for claim in members(row)]


def hand(rules: BoundRules, state: State, seat: int) -> dict[str, int]:
    """Return a player's train cards by kind, and the tickets held or offered by name."""
    own = cards(rules, state["hand"][seat])
    own |= dict.fromkeys(ticket_names(rules, state["held"][seat]), 1)
    if state["seat"] == seat:
        own |= {rules.board.tickets[ticket].name: 1 for ticket in state["drawn_tickets"] if ticket >= 0}
    return own


def passenger_place(rules: BoundRules, state: State) -> str:
    """Return the place whose passengers the player chooses from."""
    return rules.board.places[rules.record[0]["claim_places"][state["claim"]][state["end"]]].name


def under_way(rules: BoundRules, state: State) -> str | None:
    """Return the claim being paid for, or whose passengers the player chooses from."""
    if state["phase"] in (COLOUR, LOCOMOTIVES, PASSENGER):
        return rules.tracks.claims[state["claim"]].name
    return None


def public(rules: BoundRules, state: State) -> dict[str, Any]:
    """Return all public information."""
    return {
        "display": [rules.kinds[kind] if kind >= 0 else None for kind in state["display"].tolist()],
        "deck_size": int(state["deck_size"]),
        "discard": cards(rules, state["discard"]),
        "piles": dict(zip(PILES, state["pile_size"].tolist(), strict=True)),
        "waiting": waiting(rules, state),
        "start_player": int(state["start_player"]),
        "seat": int(state["seat"]),
        "round": int(state["rounds"]),
        "setting_up": bool(state["setting_up"]),
        "last_turns": int(state["last_turns"]) if state["ending"] else None,
        "claim": under_way(rules, state),
        "place": passenger_place(rules, state) if state["phase"] == PASSENGER else None,
        "players": [public_player(rules, state, seat) for seat in range(rules.players)],
    }


def public_player(rules: BoundRules, state: State, seat: int) -> dict[str, Any]:
    """Return the public information about one player."""
    return {
        "hand_size": int(state["hand_size"][seat]),
        "known_cards": cards(rules, state["known"][seat]),
        "trains": int(state["trains"][seat]),
        "points": int(state["points"][seat]),
        "tracks": claim_names(rules, state["claimed"][seat]),
        "passengers": passengers(rules, state["passengers"][seat]),
        "passenger_points": sum(passenger_points(rules, state, seat).values()),
        "tickets": dict(zip(PILES, state["ticket_count"][seat].tolist(), strict=True)),
    }


def breakdown(rules: BoundRules, state: State) -> list[dict[str, int]]:
    """Return every seat's score by source (G7, G14, G15)."""
    return [_sources(rules, state, seat) for seat in range(rules.players)]


def _sources(rules: BoundRules, state: State, seat: int) -> dict[str, int]:
    tickets = rules.board.tickets
    done = sum(tickets[number].points for number in members(state["done"][seat]))
    constants = rules.board.constants
    most = state["completed"][seat] == max(state["completed"])
    return {
        "tracks": int(state["points"][seat]),
        "tickets completed": done,
        "tickets not completed": int(state["ticket_points"][seat]) - done,
        "Globetrotter": constants.globetrotter if most else 0,
        **{f"{colour} passengers": points for colour, points in passenger_points(rules, state, seat).items()},
    }


def passenger_points(rules: BoundRules, state: State, seat: int) -> dict[str, int]:
    """Return a player's points for the passengers of each colour (G15)."""
    constants = rules.board.constants
    worth = {0: constants.most_passengers, 1: constants.second_most_passengers}
    points = {}
    for name, counts in zip(rules.board.passenger_colours, state["passengers"].T.tolist(), strict=True):
        own = counts[seat]
        points[name] = worth.get(sum(count > own for count in counts), 0) if own else 0
    return points


def table(rules: BoundRules, state: State, scores: list[int], viewer: int | None) -> str:
    """Return the table as text, with the hand and tickets of `viewer`, or those of all players if None."""
    lying = public(rules, state)
    passengers_there = "; ".join(f"{place} {listed(there)}" for place, there in lying["waiting"].items() if there)
    piles = lying["piles"]
    over = bool(state["phase"] == OVER)
    lines = [
        f"{rules.title}, {rules.board.name} board, {round_in_words(state)}",
        f"display     {face_up(lying)}",
        f"deck        {lying['deck_size']} cards, {state['discard_size']} discarded; "
        f"tickets: {piles['short']} short, {piles['long']} long",
        f"passengers  {passengers_there or '-'}",
    ]
    for seat, player in enumerate(lying["players"]):
        own = viewer is None or viewer == seat
        shown = own or over  # at the end all show their tickets (G14)
        points = f"{scores[seat]} points"
        if viewer is not None and not over:
            # The Globetrotter depends on everybody's tickets.
            points = f"{player['points']} points for tracks, {player['passenger_points']} for passengers"
            points += f", {state['ticket_points'][seat]} for tickets" if own else ""
        lines += [
            f"{player_mark(lying, seat, over)}: {points}, {player['trains']} trains left",
            f"    tracks      {', '.join(player['tracks']) or '-'}",
            f"    passengers  {listed(player['passengers'])}",
        ]
        lines.append(f"    hand        {_cards_in_words(rules, state, seat) if own else covered_hand(player)}")
        lines.append(f"    tickets     {_tickets_in_words(rules, state, seat) if shown else _piles_in_words(player)}")
    lines.append(to_decide(state, over, question(rules, state, viewer)))
    return "\n".join(lines)


def question(rules: BoundRules, state: State, viewer: int | None = None) -> str:
    """Return the decision that the player to move has to make, as `viewer` may know it; None knows all."""
    words = PHASE_MEANINGS[state["phase"]]
    if state["phase"] == PASSENGER:
        words += f" (in {passenger_place(rules, state)})"
    elif under_way(rules, state):
        words += f" ({under_way(rules, state)})"
    elif viewer in (None, int(state["seat"])):
        drawn = [rules.board.tickets[ticket] for ticket in state["drawn_tickets"] if ticket >= 0]
        if drawn:
            words += f" ({', '.join(f'{ticket.name} {ticket.points}' for ticket in drawn)})"
    return words


def _cards_in_words(rules: BoundRules, state: State, seat: int) -> str:
    return listed(cards(rules, state["hand"][seat]))


def _tickets_in_words(rules: BoundRules, state: State, seat: int) -> str:
    return ", ".join(held_tickets(rules, state, seat)) or "-"


def held_tickets(rules: BoundRules, state: State, seat: int) -> list[str]:
    """Return a player's tickets with their points, in the order of the board."""
    done = members(state["done"][seat])
    held = [(number, rules.board.tickets[number]) for number in members(state["held"][seat])]
    return [f"{ticket.name} {ticket.points}{' (completed)' if number in done else ''}" for number, ticket in held]


def _piles_in_words(player: dict[str, Any]) -> str:
    return ", ".join(f"{number} {pile}" for pile, number in player["tickets"].items())


def round_in_words(state: State) -> str:
    """Return the progress of the game in words."""
    if state["phase"] == OVER:
        return f"after {state['rounds']} full rounds"
    if state["setting_up"]:
        return "set-up"
    turns = int(state["last_turns"])
    last = f", {turns} turn{'' if turns == 1 else 's'} left" if state["ending"] else ""
    return f"round {state['rounds'] + 1}{last}"
