"""How a game begins (G1 - G5, P1), and how play continues after chance (P2, P5)."""

import numpy as np

from thurn_env.engine.generator import below
from thurn_env.engine.kernels import Int8Array, RulesRecord, State, allocating_rule, int64, rule
from thurn_env.games.hands import add_to_hand
from thurn_env.games.zug_um_zug_deutschland.rules.cards import cards_settle, shuffle_discards, top_card
from thurn_env.games.zug_um_zug_deutschland.rules.phases import FIRST_DECK, MIX, NOTHING, PILES
from thurn_env.games.zug_um_zug_deutschland.rules.rows import add
from thurn_env.games.zug_um_zug_deutschland.rules.tickets import end_set_up, shuffle_piles
from thurn_env.games.zug_um_zug_deutschland.rules.turn import after_cards_settled


@rule
def place_passengers(state: State, rules: RulesRecord) -> None:
    """G4: draw passengers one by one, place by place; each one left in the bag is equally likely."""
    colours = state.waiting.shape[1]
    left = colours * int64(rules.passengers_per_colour)
    state.waiting[:] = 0
    state.passengers[:] = 0
    for place in range(state.waiting.shape[0]):
        for _ in range(rules.waiting[place]):
            drawn = below(state.generator, left)
            colour = 0
            while True:
                in_bag = int64(rules.passengers_per_colour)
                for other in range(state.waiting.shape[0]):
                    in_bag -= state.waiting[other, colour]
                if drawn < in_bag:
                    break
                drawn -= in_bag
                colour += 1
            state.waiting[place, colour] += 1
            left -= 1


@rule
def clear_table(state: State, rules: RulesRecord) -> None:
    """G1, G2: empty all hands and networks, and lay all train cards on one pile."""
    state.hand[:] = 0
    state.known[:] = 0
    state.hand_size[:] = 0
    state.known_size[:] = 0
    state.display[:] = -1
    state.deck[:] = -1
    state.deck_size = 0
    state.discard_size = 0
    for kind in range(state.discard.shape[0]):
        state.discard[kind] = rules.copies[kind]
        state.discard_size += rules.copies[kind]
    state.trains[:] = rules.trains_per_player
    state.points[:] = 0
    state.claimed[:] = 0
    state.open[:] = 0
    for seat in range(state.hand.shape[0]):
        for claim in range(rules.claim_length.shape[0]):
            add(state.open[seat], claim)
        for node in range(state.network.shape[1]):
            state.network[seat, node] = node
    state.held[:] = 0
    state.done[:] = 0
    state.early[:] = 0
    state.returned[:] = 0
    state.completed[:] = 0
    state.ticket_points[:] = 0
    state.ticket_count[:] = 0
    state.laid_by[:] = -1
    state.drawn_tickets[:] = -1
    state.drawn_count = 0
    state.decided = 0
    state.kept = 0
    state.rounds = 0
    state.drawn = 0
    state.ending = 0
    state.last_turns = 0
    state.truncated = 0
    state.claim = -1
    state.paying = -1
    state.end = 0


@rule
def set_up(state: State, rules: RulesRecord, start_player: int) -> None:
    """G1 - G5: lay out passengers and ticket piles, and set the start player; chance deals the cards then.

    A negative `start_player` is drawn at random. The state's generator is kept.
    """
    clear_table(state, rules)
    if start_player < 0:
        start_player = below(state.generator, state.hand.shape[0])
    state.start_player = start_player
    state.seat = start_player
    place_passengers(state, rules)
    shuffle_piles(state, rules)
    state.setting_up = 1
    state.phase = MIX
    state.due = FIRST_DECK


@rule
def deal_hands(state: State, rules: RulesRecord) -> None:
    """P1: deal the first cards, all of a player in a row, from the start player on."""
    players = state.hand.shape[0]
    for step in range(players):
        for _ in range(rules.first_hand):
            add_to_hand(state, (state.start_player + step) % players, int64(top_card(state)), False)


@rule
def let_chance(state: State, rules: RulesRecord, order: Int8Array) -> None:
    """Resolve the pending chance event and continue, perhaps to the next one.

    `order` is that of the shuffled cards, top card last; if empty, the state's generator shuffles. Ticket piles are
    always shuffled by the generator.
    """
    due = state.due
    state.due = NOTHING
    if due == PILES:
        shuffle_piles(state, rules)
        end_set_up(state)
        return
    shuffle_discards(state, order)
    if due == FIRST_DECK:
        deal_hands(state, rules)
    if cards_settle(state, rules):
        after_cards_settled(state, rules)


@allocating_rule
def settle_chance(state: State, rules: RulesRecord) -> None:
    """Resolve all pending chance events."""
    while state.due != NOTHING:
        let_chance(state, rules, np.empty(0, np.int8))


@rule
def begin_game(state: State, rules: RulesRecord, generator: int, start_player: int) -> None:
    """Set up a new game whose chance comes from a generator of this state."""
    state.generator[0] = generator
    set_up(state, rules, start_player)
    settle_chance(state, rules)
