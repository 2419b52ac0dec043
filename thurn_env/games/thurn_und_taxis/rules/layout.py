"""The two record types of the kernels: the rules of a game (constant) and the state of a game.

Array sizes come from the variant and the number of players, so each combination has its own dtypes. Sets of cities and
of provinces are 64-bit integers (see `games.sets`). A card kind is an index in `Variant.kinds`. In games without
horses, array fields for horses have length 1, by which the compiler can omit them.
"""

from typing import Any

import numpy as np

from thurn_env.engine.kernels import new_records
from thurn_env.engine.read_only import sealed
from thurn_env.games.thurn_und_taxis.rules.actions import action_table
from thurn_env.games.thurn_und_taxis.rules.observation import observation_table
from thurn_env.games.thurn_und_taxis.rules.options import Options
from thurn_env.games.thurn_und_taxis.rules.stacks import ordered_stacks
from thurn_env.games.thurn_und_taxis.rules.variant import Variant

Records = np.ndarray[Any, Any]


def rules_dtype(variant: Variant, players: int) -> np.dtype[Any]:
    """Return the dtype of the constant record: board facts, options and the starts of the action blocks."""
    board = variant.board
    stacks = ordered_stacks(board)
    distances = sum(stack.kind == "distance" for stack in stacks)
    cities, kinds = len(board.cities), len(variant.kinds)
    groups = len(board.provinces) + bool(board.free_cities)
    return np.dtype(
        [
            # Sets of cities by city, by province, by group (a province, or last all free cities) and by stack; the set
            # of provinces that "all provinces" needs.
            ("adjacent", np.int64, (cities,)),
            ("province_cities", np.int64, (len(board.provinces),)),
            ("group_cities", np.int64, (groups,)),
            ("stack_cities", np.int64, (len(stacks),)),
            ("all_provinces", np.int64),
            ("max_rounds", np.int32),
            ("houses_per_player", np.int16),
            ("minimum_route", np.int16),
            ("hand_limit", np.int16),
            ("cartwright_reach", np.int16),
            ("own_horses", np.int16),
            ("horses_on_best_card", np.int16),
            ("most_harnessed", np.int16),
            ("optional_houses", np.int8),
            ("free_city_with_fill", np.int8),
            ("horses_kept", np.int8),
            ("open_backs", np.int8),
            ("horses_on", np.int8, (kinds if variant.horses else 1,)),
            ("city_of", np.int8, (kinds,)),
            ("copies", np.int8, (kinds,)),
            ("group_of", np.int8, (cities,)),
            ("free_stack", np.int8, (cities,)),  # the stack of a free city; -1: it has none
            ("all_provinces_stack", np.int8),  # -1: the board has none
            ("distance_length", np.int8, (max(1, distances),)),  # by stack, longest first
            ("tiles_in_stack", np.int8, (len(stacks),)),
            ("tile_value", np.int8, (len(stacks), max(len(stack.values) for stack in stacks))),
            ("carriage_length", np.int8, (len(board.carriages),)),
            ("carriage_points", np.int8, (len(board.carriages),)),
            # Starts of the action blocks and observation pieces, and factors of the observation values.
            *action_table(variant).fields(),
            *observation_table(variant, players).fields(),
        ],
        align=True,
    )


def rules_records(variant: Variant, players: int, options: Options) -> Records:
    """Return the constant record, as a read-only array of shape (1,)."""
    board = variant.board
    records = new_records(1, rules_dtype(variant, players))
    rules = records[0]
    city_index = {city.name: index for index, city in enumerate(board.cities)}
    province_index = {province.name: index for index, province in enumerate(board.provinces)}
    for first, second in board.roads:
        a, b = city_index[first], city_index[second]
        rules["adjacent"][a] |= 1 << b
        rules["adjacent"][b] |= 1 << a
    for index, city in enumerate(board.cities):
        group = len(board.provinces) if city.province is None else province_index[city.province]
        rules["group_of"][index] = group
        rules["group_cities"][group] |= 1 << index
    rules["province_cities"] = rules["group_cities"][: len(board.provinces)]
    rules["city_of"] = [kind.city for kind in variant.kinds]
    rules["copies"] = [kind.copies for kind in variant.kinds]
    rules["free_stack"] = -1
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
        elif stack.city is not None:
            rules["free_stack"][city_index[stack.city]] = index
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
    rules["free_city_with_fill"] = options.free_city_with_fill
    rules["horses_kept"] = options.horses_kept
    rules["open_backs"] = options.open_backs
    if variant.horses and board.horses is not None:
        rules["horses_on"] = [kind.horses for kind in variant.kinds]
        rules["horses_on_best_card"] = variant.horses_on_best_card
        rules["own_horses"] = board.horses.own
        rules["most_harnessed"] = board.horses.most_cards
    rules["carriage_length"] = [carriage.length for carriage in board.carriages]
    rules["carriage_points"] = [carriage.points for carriage in board.carriages]
    action_table(variant).write(rules)
    observation_table(variant, players).write(rules)
    return sealed(records)


def state_dtype(variant: Variant, players: int) -> np.dtype[Any]:
    """Return the dtype of one game's state. Fields marked hidden are re-dealt in the views of agents."""
    board = variant.board
    stacks = ordered_stacks(board)
    cities, kinds, cards = len(board.cities), len(variant.kinds), variant.cards
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
            ("horses", np.int16, (players,)),  # on the carriage, its own included
            ("seat", np.int8),
            ("start_player", np.int8),
            ("phase", np.int8),
            ("asking", np.int8),  # order in which `pending` is decided: see phases
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
            ("harnessed", np.int8, (players, kinds if variant.horses else 1)),  # cards on the carriage
            ("harnessed_size", np.int8, (players,)),
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
