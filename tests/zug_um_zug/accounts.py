"""What must hold in every position: cards, trains, passengers and tickets are all somewhere, and only once."""

from __future__ import annotations

from collections import Counter
from typing import Any, cast

import numpy as np

from tests.zug_um_zug.positions import completed
from thurn_env import Game
from thurn_env.games.contract import GameRules
from thurn_env.games.zug_um_zug_deutschland.game import ZugUmZugDeutschland


def members(row: Any) -> set[int]:
    """The members of a set; every word of it holds 63."""
    found = set()
    for word, left in enumerate(row.tolist()):
        assert left >= 0
        while left:
            lowest = left & -left
            found.add(63 * word + lowest.bit_length() - 1)
            left ^= lowest
    return found


def check_accounts(rules: GameRules, state: Any) -> None:
    """Check one state, hidden parts included."""
    checked = cast(ZugUmZugDeutschland, rules)
    check_cards(checked, state)
    check_tickets(checked, state)
    check_tracks(checked, state)
    check_passengers(checked, state)


def check_cards(rules: ZugUmZugDeutschland, state: Any) -> None:
    """G2, G3, G10, P2, P3."""
    size = int(state["deck_size"])
    total = state["discard"].astype(int) + state["hand"].sum(axis=0)
    for kind in (*state["deck"][:size], *state["display"][state["display"] >= 0]):
        total[kind] += 1
    constants = rules.board.constants
    assert total.tolist() == [constants.cards_per_colour] * len(rules.board.colours) + [constants.locomotives]
    assert (state["hand"].sum(axis=1) == state["hand_size"]).all()
    assert (state["known"].sum(axis=1) == state["known_size"]).all()
    assert (state["known"] >= 0).all()
    assert (state["hand"] >= state["known"]).all()
    assert state["discard"].sum() == state["discard_size"]
    if size == 0:
        assert state["discard_size"] == 0
    if (state["display"] < 0).any():
        assert size == 0
    assert state["due"] == 0


def check_tickets(rules: ZugUmZugDeutschland, state: Any) -> None:
    """G5, G9: every ticket is in one place; what is kept beside them is right."""
    tickets = rules.board.tickets
    split = len(rules.board.short_tickets)
    held = [members(row) for row in state["held"]]
    found = Counter(number for own in held for number in own)
    for pile, size in zip(state["pile"], state["pile_size"], strict=True):
        found.update(pile[:size].tolist())
        assert (pile[size:] == -1).all()
    found.update(number for number in state["drawn_tickets"].tolist() if number >= 0)
    for seat, row in enumerate(state["returned"]):
        if state["setting_up"]:
            found.update(members(row))
        assert not members(row) & held[seat]
    assert found == Counter(range(len(tickets)))
    assert (state["pile"][0][: state["pile_size"][0]] < split).all()
    assert (state["pile"][1][: state["pile_size"][1]] >= split).all()
    for seat, own in enumerate(held):
        short = sum(number < split for number in own)
        assert state["ticket_count"][seat].tolist() == [short, len(own) - short]
        assert members(state["early"][seat]) <= own
        claims = rules.tracks.claims
        tracks = [claims[claim].name for claim in members(state["claimed"][seat])]
        done = {number for number in own if completed(rules, tracks, number)}
        assert members(state["done"][seat]) == done
        assert state["completed"][seat] == len(done)
        points = sum(tickets[number].points * (1 if number in done else -1) for number in own)
        assert state["ticket_points"][seat] == points
        # What was kept in the set-up never came into another player's hands.
        for other, row in enumerate(state["returned"]):
            if other != seat:
                assert not members(state["early"][seat]) & members(row)


def check_tracks(rules: ZugUmZugDeutschland, state: Any) -> None:
    """G1, G7, G11: trains and points are those of the tracks, and no pair has more owners than it may."""
    claims, board = rules.tracks.claims, rules.board
    owners: Counter[int] = Counter()
    by_pair: Counter[int] = Counter()
    for seat, row in enumerate(state["claimed"]):
        own = members(row)
        lengths = [board.pairs[claims[claim].pair].length for claim in own]
        assert state["trains"][seat] == board.constants.trains_per_player - sum(lengths)
        assert state["trains"][seat] >= 0
        assert state["points"][seat] == sum(board.constants.track_points[length - 1] for length in lengths)
        pairs = [claims[claim].pair for claim in own]
        assert len(set(pairs)) == len(pairs)
        owners.update(own)
        by_pair.update(pairs)
    for claim, number in owners.items():
        assert number <= claims[claim].tracks
    alone = rules.players < board.constants.all_tracks_from
    assert not alone or max(by_pair.values(), default=0) <= 1
    for seat, row in enumerate(state["open"]):
        own_pairs = {claims[claim].pair for claim in members(state["claimed"][seat])}
        closed = set(by_pair) if alone else own_pairs
        free = {
            number for number, claim in enumerate(claims) if claim.pair not in closed and owners[number] < claim.tracks
        }
        assert members(row) == free, seat


def check_passengers(rules: ZugUmZugDeutschland, state: Any) -> None:
    """G4, G8: those that wait and those that were taken are all there are."""
    total = state["waiting"].sum(axis=0) + state["passengers"].sum(axis=0)
    assert (state["waiting"] >= 0).all()
    assert (total <= rules.board.constants.passengers_per_colour).all()
    assert total.sum() == sum(place.passengers for place in rules.board.places)
    for place, there in zip(rules.board.places, state["waiting"], strict=True):
        assert there.sum() <= place.passengers


def check_game(game: Game) -> None:
    """Check a game: its accounts, and that what it shows is in bounds."""
    rules = game.rules
    check_accounts(rules, game.states[0])
    assert len(game.legal) > 0 or game.over
    for seat in range(game.players):
        observation = np.zeros(rules.observation_size, np.float32)
        rules.observe(game.states, 0, seat, observation)
        assert np.abs(observation).max() <= 1
    assert np.abs(rules.state_vector(game.states, 0)).max() <= 1
    assert [sum(row.values()) for row in game.breakdown()] == game.scores
