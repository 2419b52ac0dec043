"""Public information as plain values, and the table as text."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Any

import numpy as np

from thurn_env.games.show.words import State, by_name, covered_hand, face_up, listed, player_mark, to_decide
from thurn_env.games.thurn_und_taxis.board.facts import Stack
from thurn_env.games.thurn_und_taxis.rules.bound import BoundRules
from thurn_env.games.thurn_und_taxis.rules.phases import OVER, PHASE_MEANINGS
from thurn_env.games.thurn_und_taxis.rules.stacks import ordered_stacks


def counts(rules: BoundRules, cards: np.ndarray[Any, Any]) -> dict[str, int]:
    """Return cards by kind, without zeros."""
    return by_name(rules.kinds, cards)


def city_names(rules: BoundRules, cities: int) -> list[str]:
    """Return the members of a set of cities, in board order."""
    left, names = int(cities), []
    while left:
        lowest = left & -left
        names.append(rules.board.cities[lowest.bit_length() - 1].name)
        left ^= lowest
    return names


@lru_cache(maxsize=64)
def _stacks(rules: BoundRules) -> tuple[Stack, ...]:
    """Return the stacks in the order of the state."""
    return ordered_stacks(rules.board)


def route(rules: BoundRules, state: State, seat: int) -> list[str]:
    """Return a player's route from left to right."""
    return [rules.kinds[kind] for kind in state["route"][seat][: state["route_length"][seat]].tolist()]


def route_city_names(rules: BoundRules, state: State, seat: int) -> list[str]:
    """Return the cities of a player's route, in board order."""
    return city_names(rules, state["route_cities"][seat])


def harnessed(rules: BoundRules, state: State, seat: int) -> dict[str, int]:
    """Return the cards on a player's carriage."""
    return counts(rules, state["harnessed"][seat])


def unseen_horses(rules: BoundRules, state: State, seat: int) -> dict[str, int]:
    """H7: return the cards in a hand that were drawn unseen, by horses on their backs; empty unless backs are open."""
    if not rules.options["open_backs"]:
        return {}
    numbers: Counter[int] = Counter()
    unseen = (state["hand"][seat] - state["known"][seat]).tolist()
    for kind, number in zip(rules.variant.kinds, unseen, strict=True):
        if number:
            numbers[kind.horses] += number
    return {str(horses): number for horses, number in sorted(numbers.items())}


def top_horses(rules: BoundRules, state: State) -> int | None:
    """H7: return the horses on the back of the deck's top card; None if they are not open."""
    if not (rules.options["open_backs"] and state["deck_size"]):
        return None
    return rules.variant.kinds[state["deck"][state["deck_size"] - 1]].horses


def tiles(rules: BoundRules, state: State, seat: int) -> list[dict[str, Any]]:
    """Return a player's tiles, by stack."""
    return [
        {"stack": stack.name, "value": value}
        for owners, stack in zip(state["tile_owner"].tolist(), _stacks(rules), strict=True)
        if seat in owners
        for owner, value in zip(owners, stack.values, strict=False)
        if owner == seat
    ]


def tile_owners(rules: BoundRules, state: State) -> dict[str, list[int]]:
    """Return for every stack the seats that took its tiles, from the top tile on."""
    return {
        stack.name: owners[:taken]
        for stack, owners, taken in zip(
            _stacks(rules), state["tile_owner"].tolist(), state["tiles_taken"].tolist(), strict=True
        )
    }


def carriage(rules: BoundRules, state: State, seat: int) -> int:
    """Return the length of a player's highest carriage; 0 without one."""
    taken = state["carriage"][seat]
    return rules.board.carriages[taken - 1].length if taken else 0


def public(rules: BoundRules, state: State) -> dict[str, Any]:
    """Return all public information (R31); with horses also theirs (H7)."""
    table: dict[str, Any] = {
        "display": [rules.kinds[kind] if kind >= 0 else None for kind in state["display"].tolist()],
        "deck_size": int(state["deck_size"]),
        "discard": counts(rules, state["discard"]),
        "stacks": {
            stack.name: list(stack.values[taken:])
            for stack, taken in zip(_stacks(rules), state["tiles_taken"].tolist(), strict=True)
        },
        "start_player": int(state["start_player"]),
        "seat": int(state["seat"]),
        "round": int(state["rounds"]),
        "final_round": bool(state["holder"] >= 0),
        "official_used": bool(state["official_used"]),
        "players": [public_player(rules, state, seat) for seat in range(rules.players)],
    }
    if rules.variant.horses:
        table["top_horses"] = top_horses(rules, state)
    return table


def public_player(rules: BoundRules, state: State, seat: int) -> dict[str, Any]:
    """Return the public information about one player."""
    player: dict[str, Any] = {
        "hand_size": int(state["hand_size"][seat]),
        "known_cards": counts(rules, state["known"][seat]),
        "route": route(rules, state, seat),
        "houses": city_names(rules, state["houses"][seat]),
        "houses_left": int(state["houses_left"][seat]),
        "carriage": carriage(rules, state, seat),
        "tiles": tiles(rules, state, seat),
    }
    if rules.variant.horses:
        player["unseen_horses"] = unseen_horses(rules, state, seat)
        player["horses"] = int(state["horses"][seat])
        player["harnessed"] = harnessed(rules, state, seat)
    return player


def breakdown(rules: BoundRules, state: State) -> list[dict[str, int]]:
    """Return every seat's score by source (R29): carriage (not with horses), each stack, houses not placed."""
    # Every game of a tournament comes here; lists of plain numbers are faster to read than arrays.
    carriages, houses_left, owners = (state[name].tolist() for name in ("carriage", "houses_left", "tile_owner"))
    stacks = _stacks(rules)
    rows = []
    for seat in range(rules.players):
        row = {}
        if not rules.variant.horses:
            row["carriage"] = rules.board.carriages[carriages[seat] - 1].points if carriages[seat] else 0
        for stack, owned_by in zip(stacks, owners, strict=True):
            pairs = zip(stack.values, owned_by, strict=False)
            row[stack.name] = sum(value for value, owner in pairs if owner == seat)
        row["houses not placed"] = -houses_left[seat]
        rows.append(row)
    return rows


def table(rules: BoundRules, state: State, scores: list[int], viewer: int | None) -> str:
    """Return the table as text, with the hand of `viewer`, or with all hands if None."""
    open_cards = public(rules, state)
    over = bool(state["phase"] == OVER)
    stacks = "  ".join(f"{name} {'/'.join(map(str, left))}" for name, left in open_cards["stacks"].items() if left)
    top = open_cards.get("top_horses")
    on_top = f" (the top one with {horses_in_words(top)})" if top else ""
    with_horses = " with horses" if rules.variant.horses else ""
    lines = [
        f"{rules.title}, {rules.board.name} board{with_horses}, {round_in_words(state)}",
        f"display  {face_up(open_cards)}",
        f"deck     {open_cards['deck_size']} cards{on_top}, {sum(open_cards['discard'].values())} discarded",
        f"tiles    {stacks}",
    ]
    for seat, player in enumerate(open_cards["players"]):
        taken = ", ".join(f"{tile['stack']} {tile['value']}" for tile in player["tiles"]) or "-"
        lines += [
            f"{player_mark(open_cards, seat, over)}: {scores[seat]} points, "
            f"{_carriage_in_words(rules, player)}, {player['houses_left']} houses left",
            f"    route  {' - '.join(player['route']) or '-'}",
            f"    houses {', '.join(player['houses']) or '-'}",
            f"    tiles  {taken}",
        ]
        if viewer is None or viewer == seat:
            lines.append(f"    hand   {listed(counts(rules, state['hand'][seat]))}")
        else:
            backs = ", ".join(
                f"{number} with {horses_in_words(int(horses))}"
                for horses, number in player.get("unseen_horses", {}).items()
            )
            seen = f" ({backs})" if backs else ""
            lines.append(f"    hand   {covered_hand(player)}{seen}")
    lines.append(to_decide(state, over, PHASE_MEANINGS[state["phase"]]))
    return "\n".join(lines)


def horses_in_words(number: int) -> str:
    """Return `1 horse`, `2 horses` and so on."""
    return f"{number} horse{'' if number == 1 else 's'}"


def _carriage_in_words(rules: BoundRules, player: dict[str, Any]) -> str:
    if not rules.variant.horses:
        return f"carriage {player['carriage'] or '-'}"
    cards = player["harnessed"]
    return horses_in_words(player["horses"]) + (f" ({listed(cards)})" if cards else "")


def round_in_words(state: State) -> str:
    """Return the progress of the game in words."""
    if state["phase"] == OVER:
        return f"after {state['rounds']} rounds"
    return f"round {state['rounds'] + 1}" + (", the last" if state["holder"] >= 0 else "")
