"""The two records that the kernels work on: the rules of a game (constant) and the state of a game.

Array sizes come from the board and the number of players, so each combination has its own dtypes. Sets of cities and
of provinces are 64-bit integers (see `sets`). A card kind is the index of a card's name in `actions.card_kinds`.
"""

from typing import Any

import numpy as np

from thurn_env.games.thurn_und_taxis.actions import FAMILIES, ActionTable, card_kinds
from thurn_env.games.thurn_und_taxis.board import Board
from thurn_env.games.thurn_und_taxis.observation import PIECES, ROUND_BOUND, ObservationTable
from thurn_env.games.thurn_und_taxis.options import Options
from thurn_env.games.thurn_und_taxis.stacks import ordered_stacks
from thurn_env.kernels import new_records

Records = np.ndarray[Any, Any]


def rules_dtype(board: Board, players: int) -> np.dtype[Any]:
    """The layout of the constant record: board facts, options and the starts of the action blocks."""
    stacks = ordered_stacks(board)
    distances = sum(stack.kind == "distance" for stack in stacks)
    cities, kinds = len(board.cities), len(card_kinds(board))
    return np.dtype(
        [
            # Sets of cities by city, by province and by stack; the set of provinces that "all provinces" asks for.
            ("adjacent", np.int64, (cities,)),
            ("province_cities", np.int64, (len(board.provinces),)),
            ("stack_cities", np.int64, (len(stacks),)),
            ("all_provinces", np.int64),
            ("max_rounds", np.int32),
            ("houses_per_player", np.int16),
            ("minimum_route", np.int16),
            ("hand_limit", np.int16),
            ("cartwright_reach", np.int16),
            ("optional_houses", np.int8),
            ("city_of", np.int8, (kinds,)),
            ("copies", np.int8, (kinds,)),
            ("province_of", np.int8, (cities,)),
            ("all_provinces_stack", np.int8),  # -1: the board has none
            ("distance_length", np.int8, (max(1, distances),)),  # by stack, longest first
            ("tiles_in_stack", np.int8, (len(stacks),)),
            ("tile_value", np.int8, (len(stacks), max(len(stack.values) for stack in stacks))),
            ("carriage_length", np.int8, (len(board.carriages),)),
            ("carriage_points", np.int8, (len(board.carriages),)),
            # Where the blocks of the action space and the pieces of the observation start, and what
            # each of its values is multiplied by.
            *((f"first_{family.name}", np.int16) for family in FAMILIES),
            *((f"at_{piece.name}", np.uint64) for piece in PIECES),
            ("scale", np.float32, (ObservationTable(board, players).size,)),
            ("round_bound", np.int16),
        ],
        align=True,
    )


def rules_records(board: Board, players: int, options: Options) -> Records:
    """The constant record, as an array of shape (1,)."""
    records = new_records(1, rules_dtype(board, players))
    rules = records[0]
    city_index = {city.name: index for index, city in enumerate(board.cities)}
    province_index = {province.name: index for index, province in enumerate(board.provinces)}
    for first, second in board.roads:
        a, b = city_index[first], city_index[second]
        rules["adjacent"][a] |= 1 << b
        rules["adjacent"][b] |= 1 << a
    for index, city in enumerate(board.cities):
        province = province_index[city.province]
        rules["province_of"][index] = province
        rules["province_cities"][province] |= 1 << index
    rules["city_of"] = range(len(board.cities))
    rules["copies"] = board.copies_per_city
    rules["all_provinces_stack"] = -1
    rules["distance_length"] = len(board.cities) + 1  # out of reach on a board without distance tiles
    for index, stack in enumerate(ordered_stacks(board)):
        rules["tiles_in_stack"][index] = len(stack.values)
        rules["tile_value"][index, : len(stack.values)] = stack.values
        if stack.kind == "distance":
            rules["distance_length"][index] = stack.length
        elif stack.kind == "provinces":
            cities = sum(int(rules["province_cities"][province_index[name]]) for name in stack.provinces)
            rules["stack_cities"][index] = cities
        elif stack.kind == "all_provinces":
            rules["all_provinces_stack"] = index
            left_out = stack.first_edition_without if options.all_provinces_without_baiern else None
            rules["all_provinces"] = sum(1 << i for name, i in province_index.items() if name != left_out)
    rules["max_rounds"] = options.max_rounds
    rules["houses_per_player"] = board.houses_per_player
    rules["minimum_route"] = board.minimum_route
    rules["hand_limit"] = board.hand_limit
    rules["cartwright_reach"] = board.cartwright_reach
    rules["optional_houses"] = options.optional_houses
    rules["carriage_length"] = [carriage.length for carriage in board.carriages]
    rules["carriage_points"] = [carriage.points for carriage in board.carriages]
    for name, block in ActionTable(board).blocks.items():
        rules[f"first_{name}"] = block.start
    observation = ObservationTable(board, players)
    for name, place in observation.slices.items():
        rules[f"at_{name}"] = place.start
        rules["scale"][place] = observation.scales[name]
    rules["round_bound"] = ROUND_BOUND
    return records


def state_dtype(board: Board, players: int) -> np.dtype[Any]:
    """The layout of one game's state. Fields marked hidden are re-randomised in what an agent sees."""
    stacks = ordered_stacks(board)
    cities, kinds = len(board.cities), len(card_kinds(board))
    cards = kinds * board.copies_per_city
    tiles = max(len(stack.values) for stack in stacks)
    return np.dtype(
        [
            # Hidden: the generator of later shuffles, the deck (top card last), other players' cards drawn unseen.
            ("generator", np.uint64, (1,)),
            # Sets of cities, by seat; and the cities that may still get a house in the closing under way.
            ("route_cities", np.int64, (players,)),
            ("houses", np.int64, (players,)),
            ("pending", np.int64),
            ("shuffles", np.int32),
            ("rounds", np.int32),
            ("deck_size", np.int16),
            ("shuffled_size", np.int16),  # cards in the deck when it was last shuffled
            ("next_deck_size", np.int16),  # 0: shuffle with the generator; -1: the prepared order did not fit
            ("hand_size", np.int16, (players,)),
            ("known_size", np.int16, (players,)),  # cards in hand that were taken face up
            ("tile_points", np.int16, (players,)),
            ("houses_left", np.int16, (players,)),
            ("routes", np.int16, (players,)),  # routes closed
            ("seat", np.int8),
            ("start_player", np.int8),
            ("phase", np.int8),
            ("asking", np.int8),  # how `pending` is asked for: see phases
            ("drawn", np.int8),  # cards drawn in this turn
            ("official_used", np.int8),
            ("forced_postmaster", np.int8),
            ("holder", np.int8),  # of the game-end tile; -1: nobody yet
            ("truncated", np.int8),
            ("display", np.int8, (board.display_size,)),  # card kinds by slot; -1: empty
            ("hand", np.int8, (players, kinds)),
            ("known", np.int8, (players, kinds)),  # of these, taken face up
            ("route_length", np.int8, (players,)),
            ("route", np.int8, (players, cities)),  # card kinds from left to right
            ("carriage", np.int8, (players,)),  # carriages taken
            ("tiles", np.int8, (players, len(stacks))),  # tiles taken, by stack
            ("tiles_taken", np.int8, (len(stacks),)),
            ("tile_owner", np.int8, (len(stacks), tiles)),  # seat; -1: still in the stack
            ("discard", np.int8, (kinds,)),
            ("deck", np.int8, (cards,)),
            ("next_deck", np.int8, (cards,)),  # order prepared for the next shuffle, top card last
        ],
        align=True,
    )
