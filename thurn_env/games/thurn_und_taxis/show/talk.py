"""The game in words for language models: see `thurn_env.games.show.talk`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from thurn_env.games.contract import Records
from thurn_env.games.show.words import State, listed
from thurn_env.games.thurn_und_taxis.board.facts import Facts
from thurn_env.games.thurn_und_taxis.rules.bound import BoundRules
from thurn_env.games.thurn_und_taxis.rules.phases import (
    CARTWRIGHT,
    DISCARD,
    DRAW,
    END,
    HOUSE,
    HOUSES,
    OVER,
    PLAY,
    SECOND_DRAW,
)
from thurn_env.games.thurn_und_taxis.rules.stacks import ordered_stacks
from thurn_env.games.thurn_und_taxis.show.words import counts, horses_in_words, public, round_in_words

DECISIONS = {
    DRAW: "the first card, or the administrator",
    SECOND_DRAW: "the second card (postmaster)",
    PLAY: "play a card, or take a second one",
    END: "end the turn, close, or play a second card",
    HOUSES: "how to place houses",
    HOUSE: "the city for a house",
    CARTWRIGHT: "the next carriage, or decline",
    DISCARD: "the card to discard",
}
"""Decisions in few words, by phase."""

LONG_ROUTE = 4
"""Number of cities up to which the route of another player is written out."""


def briefing(rules: BoundRules) -> str:
    """Return the rules in brief, the provinces with their cities, and the roads."""
    return "\n".join([*_rules_in_brief(rules), *_map(rules.board)])


def _rules_in_brief(rules: BoundRules) -> Iterator[str]:
    board, horses = rules.board, rules.board.horses if rules.variant.horses else None
    yield (
        f"{rules.title}, {board.name} board. Turn: take a face-up card or draw; play a card at the left or right end "
        "of your route (joined by a road, no city twice) or start a new route, losing the old; "
        f"then you may close a route of {board.minimum_route}+ cities."
    )
    if horses is not None:
        yield (
            "You may harness a card for its 1-3 horses instead of laying it. Closing a route of n cities needs n "
            f"horses, {horses.own} of which the carriage has; the others are discarded."
        )
    cartwright = f", cartwright (carriage up to {board.cartwright_reach} longer)"
    yield (
        "One official a turn: administrator (new display), postmaster (second card, forced if your hand was empty), "
        f"postal carrier (play two){'' if horses else cartwright}."
    )
    lengths = "/".join(str(carriage.length) for carriage in board.carriages)
    points = "/".join(str(carriage.points) for carriage in board.carriages)
    carriages = f"; next carriage {lengths} ({points} points) if the route is as long"
    free = "; one house in a free city" if board.free_cities else ""
    yield (
        f"Closing: spread (a house in each province of the route) or fill (in all its cities of one){free}; tiles"
        f"{'' if horses else carriages}; discard down to {board.hand_limit}."
    )
    yield f"Tiles for {', '.join(_conditions(rules))}."
    last = "the last house" if horses else f"carriage {board.carriages[-1].length} or the last house"
    yield f"End: the round of {last}. Score: {'' if horses else 'carriage + '}tiles - houses left."


def _conditions(rules: BoundRules) -> Iterator[str]:
    """Return in words what the stacks of tiles are for."""
    stacks = {stack.kind: stack for stack in rules.board.stacks}
    if "distance" in stacks:
        yield "route length"
    if "provinces" in stacks:
        yield "houses in all of a province"
    if "all_provinces" in stacks:
        without = stacks["all_provinces"].first_edition_without
        dropped = without if rules.options["all_provinces_without_baiern"] else None
        yield f"in every province{f' but {dropped}' if dropped else ''}"
    if "free_city" in stacks:
        yield "in a free city"
    if "game_end" in stacks:
        yield "ending the game"


def _map(board: Facts) -> Iterator[str]:
    """Return the provinces with their cities; after each city the cities that roads lead to, every road once."""
    yield "Province: city (roads, each named once)"
    names = [city.name for city in board.cities]
    for province in (*(province.name for province in board.provinces), None):
        cities = [city.name for city in board.cities if city.province == province]
        if cities:
            yield f"{province or 'Free'}: {', '.join(_with_roads(board, city, names) for city in cities)}"


def _with_roads(board: Facts, city: str, names: list[str]) -> str:
    later = [there for there in board.neighbours(city) if names.index(there) > names.index(city)]
    return f"{city} ({' '.join(later)})" if later else city


def position(rules: BoundRules, states: Records, index: int, seat: int) -> str:
    """Return what a seat sees: display, tiles, its own houses, route and hand, and the other players."""
    state = states[index]
    table = public(rules, state)
    scores = rules.scores(states, index)
    top = table.get("top_horses")
    on_top = f" (top card with {horses_in_words(top)})" if top else ""
    lines = [
        f"You are player {seat}; {round_in_words(state)}; player {table['start_player']} began.",
        f"Display: {', '.join(name or '(empty)' for name in table['display'])}; deck {table['deck_size']}{on_top}",
        f"Tiles left, next first: {_tiles_left(rules, table['stacks'])}",
    ]
    for place in range(rules.players):
        other = (seat + place) % rules.players
        lines.append(_player(rules, state, table["players"][other], scores[other], other, own=other == seat))
    if state["phase"] == OVER:
        lines.append("The game is over.")
    elif int(state["seat"]) != seat:
        lines.append(f"Player {int(state['seat'])} is to move.")
    else:
        lines.append(f"Decide: {DECISIONS[int(state['phase'])]}")
    return "\n".join(lines)


def _short(stack: str) -> str:
    return stack.replace(" and ", "+")


def _tiles_left(rules: BoundRules, left: dict[str, list[int]]) -> str:
    """Return the stacks with their tiles; `distance` is named once."""
    distances, others = [], []
    for stack in ordered_stacks(rules.board):
        if values := _values(left[stack.name]):
            if stack.kind == "distance":
                distances.append(f"{stack.length}: {values}")
            else:
                others.append(f"{_short(stack.name)} {values}")
    distance = [f"distance {', '.join(distances)}"] if distances else []
    return "; ".join([*distance, *others]) or "none"


def _values(tiles: list[int]) -> str:
    """Return the values of a stack, the next tile first: `3/2`, or `5..2` for 5, 4, 3 and 2."""
    if len(tiles) > 2 and tiles == list(range(tiles[0], tiles[-1] - 1, -1)):
        return f"{tiles[0]}..{tiles[-1]}"
    return "/".join(map(str, tiles))


def _player(rules: BoundRules, state: State, player: dict[str, Any], score: int, seat: int, *, own: bool) -> str:
    carriage = f"carriage {player['carriage'] or 'none'}"
    transport = horses_in_words(player["horses"]) if rules.variant.horses else carriage
    parts = [f"{'You' if own else f'Player {seat}'}: score {score}, {transport}, {player['houses_left']} houses left"]
    if own:
        parts.append(f"route {'-'.join(player['route']) or 'none'}")
        if player["tiles"]:
            parts.append(f"tiles {', '.join(_short(tile['stack']) for tile in player['tiles'])}")
        parts += [_houses(rules.board, player["houses"]), f"hand {listed(counts(rules, state['hand'][seat]))}"]
    else:
        parts += [f"route {_ends(player['route'])}", _covered_hand(player)]
    return "; ".join(parts)


def _ends(route: list[str]) -> str:
    """Return the route of another player; of a long one, only the ends and the number of cities."""
    if len(route) > LONG_ROUTE:
        return f"{route[0]}...{route[-1]} ({len(route)} cities)"
    return "-".join(route) or "none"


def _houses(board: Facts, houses: list[str]) -> str:
    """Return where a player has houses; with houses in most cities, where it has none."""
    without = [city.name for city in board.cities if city.name not in houses]
    if len(houses) > len(without):
        return "houses in all cities" + (f" but {', '.join(without)}" if without else "")
    return f"houses in {', '.join(houses) or 'no city'}"


def _covered_hand(player: dict[str, Any]) -> str:
    """Return the size of a hand, its cards that were taken face up, and the horses on the backs of the others."""
    known = f": {listed(player['known_cards'])}" if player["known_cards"] else ""
    unseen = player.get("unseen_horses") or {}
    backs = ", ".join(f"{number} with {horses_in_words(int(horses))}" for horses, number in unseen.items())
    return f"hand {player['hand_size']}{known}{f'; unseen: {backs}' if backs else ''}"


def spellings(rules: BoundRules) -> Mapping[str, str]:
    """Return the other names of cities."""
    return {alias: city.name for city in rules.board.cities for alias in city.aliases}
