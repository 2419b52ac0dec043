"""The game in words for language models: see `thurn_env.games.show.talk`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from thurn_env.games.contract import Records
from thurn_env.games.show.words import State, listed
from thurn_env.games.zug_um_zug_deutschland.rules.bound import BoundRules
from thurn_env.games.zug_um_zug_deutschland.rules.phases import OVER
from thurn_env.games.zug_um_zug_deutschland.show.words import cards, held_tickets, public, question, round_in_words


def briefing(rules: BoundRules) -> str:
    """Return the rules in brief, and all tracks."""
    constants = rules.board.constants
    points = "/".join(map(str, constants.track_points))
    several = "" if rules.players >= constants.all_tracks_from else " and a claim closes the other tracks of its pair"
    countries = [place.name for place in rules.board.places if place.country]
    across = f" No path leads through {', '.join(countries)}." if countries else ""
    lines = [
        f"{rules.title}, {rules.board.name} board. Turn: one of: draw two train cards, face up or unseen (a face-up "
        "locomotive counts as two); claim a track; draw tickets.",
        "A claim costs as many cards of the track's colour as its length (grey: any one colour; locomotives replace "
        f"any card) and as many trains. Lengths 1 to {len(constants.track_points)} score {points}. Then you may take "
        "a passenger at each end.",
        f"You own at most one track of a pair{several}.{across}",
        f"The last turns begin when a player ends a turn with at most {_trains(constants.last_trains)} left. Then "
        "tickets score their points if your tracks join both places, else lose them; "
        f"most completed tickets {constants.globetrotter}; of each passenger colour the most "
        f"{constants.most_passengers}, the second most {constants.second_most_passengers}.",
        f"Tracks (length): {'; '.join(_pairs(rules))}",
    ]
    return "\n".join(lines)


def _trains(number: int) -> str:
    return f"{number} train{'' if number == 1 else 's'}"


def _pairs(rules: BoundRules) -> Iterator[str]:
    for pair in rules.board.pairs:
        yield f"{pair.name} {'/'.join(pair.colours)} ({pair.length})"


def position(rules: BoundRules, states: Records, index: int, seat: int) -> str:
    """Return what a seat sees: face-up cards, passengers, its own cards and tickets, and the other players."""
    state = states[index]
    table = public(rules, state)
    piles = table["piles"]
    waiting = "; ".join(f"{place} {listed(there)}" for place, there in table["waiting"].items() if there)
    over = bool(state["phase"] == OVER)
    lines = [
        f"You are player {seat}, {round_in_words(state)}. Start player: {table['start_player']}.",
        f"Face up: {', '.join(name or '(empty)' for name in table['display'])}. Deck: {table['deck_size']}. "
        f"Tickets left: {piles['short']} short, {piles['long']} long.",
        f"Passengers: {waiting or 'none'}",
    ]
    for number in range(rules.players):
        other = (seat + number) % rules.players
        shown = other == seat or over  # At the end all show their tickets (G14).
        lines.append(_player(rules, state, table["players"][other], other, own=other == seat, shown=shown))
    if over:
        scores = ", ".join(f"player {number} {score}" for number, score in enumerate(rules.scores(states, index)))
        return "\n".join([*lines, f"The game is over. Scores: {scores}."])
    if int(state["seat"]) != seat:
        return "\n".join([*lines, f"Player {int(state['seat'])} is to move."])
    return "\n".join([*lines, f"Decide: {question(rules, state, seat)}."])


def _player(rules: BoundRules, state: State, player: dict[str, Any], seat: int, *, own: bool, shown: bool) -> str:
    tracks = ", ".join(player["tracks"]) or "none"
    if own:
        hand = f"hand {listed(cards(rules, state['hand'][seat]))}"
    else:
        known = f" with {listed(player['known_cards'])}" if player["known_cards"] else ""
        hand = f"hand of {player['hand_size']}{known}"
    if shown:
        tickets = f"tickets {_tickets(rules, state, seat)}"
    else:
        tickets = ", ".join(f"{number} {pile}" for pile, number in player["tickets"].items()) + " tickets"
    return (
        f"{'You' if own else f'Player {seat}'}: {player['points']} points for tracks, {player['passenger_points']} for "
        f"passengers, {player['trains']} trains left; tracks {tracks}; passengers {listed(player['passengers'])}; "
        f"{tickets}; {hand}"
    )


def _tickets(rules: BoundRules, state: State, seat: int) -> str:
    return ", ".join(held_tickets(rules, state, seat)) or "none"


def spellings(rules: BoundRules) -> Mapping[str, str]:
    """Return no other spellings: places have one name each."""
    return {}
