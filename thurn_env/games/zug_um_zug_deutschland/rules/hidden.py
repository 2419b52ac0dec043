"""Re-dealing of hidden information."""

import numpy as np

from thurn_env.engine.generator import next_word, shuffle
from thurn_env.engine.kernels import Int8Array, RulesRecord, State, UInt64Array, allocating_rule, int64, rule
from thurn_env.games.hands import redeal_hands
from thurn_env.games.sets import lowest
from thurn_env.games.zug_um_zug_deutschland.rules.network import complete_tickets
from thurn_env.games.zug_um_zug_deutschland.rules.phases import OVER, TICKET
from thurn_env.games.zug_um_zug_deutschland.rules.rows import BITS, add, count_both, has, remove_all

_HALF = np.uint64(32)


@rule
def redeal_cards(state: State, rules: RulesRecord, seat: int, generator: UInt64Array) -> None:
    """Re-deal the deck and the cards that others drew unseen; the number of cards of each player stays."""
    # All cards that the seat has not seen, in the order of kinds, which removes information about the true deal.
    pool = state.deck
    size = 0
    for kind in range(state.hand.shape[1]):
        number = rules.copies[kind] - state.discard[kind] - state.hand[seat, kind]
        for other in range(state.hand.shape[0]):
            if other != seat:
                number -= state.known[other, kind]
        for slot in range(state.display.shape[0]):
            number -= state.display[slot] == kind
        for _ in range(number):
            pool[size] = kind
            size += 1
    shuffle(generator, pool, size)
    size = redeal_hands(state, seat, pool, size)
    for position in range(size, pool.shape[0]):
        pool[position] = -1


@rule
def pool_tickets(state: State, rules: RulesRecord, seat: int, pile: int, pool: Int8Array) -> int:
    """Write the tickets of a pile that the seat cannot locate, in the order of the board; return their number.

    It can locate its own, those it is choosing from, those that it returned in the current set-up, those that
    it laid under the pile itself, and at the end of the game, when all show theirs (G14), everybody's.
    """
    size = 0
    for word in range(rules.pile_tickets.shape[1]):
        hidden = rules.pile_tickets[pile, word] & ~state.held[seat, word]
        if state.phase == OVER:
            for other in range(state.held.shape[0]):
                hidden &= ~state.held[other, word]
        if state.setting_up:
            hidden &= ~state.returned[seat, word]
        while hidden != 0:
            pool[size] = BITS * word + lowest(hidden)
            size += 1
            hidden &= hidden - 1
    if state.phase == TICKET and state.seat == seat:
        for position in range(state.drawn_tickets.shape[0]):
            size = taken_out(pool, size, int64(state.drawn_tickets[position]))
    for position in range(state.pile_size[pile]):
        if state.laid_by[pile, position] == seat:
            size = taken_out(pool, size, int64(state.pile[pile, position]))
    return size


@rule
def taken_out(pool: Int8Array, size: int, ticket: int) -> int:
    """Remove a ticket from a pool, if it is there, and keep the order; return the number left."""
    kept = 0
    for position in range(size):
        if pool[position] != ticket:
            pool[kept] = pool[position]
            kept += 1
    return kept


@rule
def redeal_early_tickets(
    state: State, rules: RulesRecord, seat: int, pile: int, other: int, pool: Int8Array, size: int
) -> int:
    """Re-deal another player's set-up tickets, without any that the seat ever returned; return the number left.

    A ticket that was kept in the set-up never was in the seat's hands.
    """
    number = count_both(state.early[other], rules.pile_tickets[pile])
    remove_all(state.early[other], rules.pile_tickets[pile])
    for _ in range(number):
        position = size - 1
        while has(state.returned[seat], int64(pool[position])):
            position -= 1
        ticket = int64(pool[position])
        add(state.early[other], ticket)
        add(state.held[other], ticket)
        size = taken_out(pool, size, ticket)
    return size


@rule
def redeal_pile(
    state: State, rules: RulesRecord, seat: int, pile: int, pool: Int8Array, generator: UInt64Array
) -> None:
    """Re-deal all tickets of one kind that the seat cannot locate, to the others and into the pile."""
    players = state.hand.shape[0]
    size = pool_tickets(state, rules, seat, pile, pool)
    shuffle(generator, pool, size)
    for other in range(players):
        if other != seat and state.phase != OVER:
            remove_all(state.held[other], rules.pile_tickets[pile])
            size = redeal_early_tickets(state, rules, seat, pile, other, pool, size)
    # Passing tickets over has left an order that contains information about them.
    shuffle(generator, pool, size)
    for other in range(players):
        if other == seat:
            continue
        aside = count_both(state.returned[other], rules.pile_tickets[pile]) if state.setting_up else 0
        remove_all(state.returned[other], rules.pile_tickets[pile])
        for _ in range(aside):
            size -= 1
            add(state.returned[other], int64(pool[size]))
        held = count_both(state.held[other], rules.pile_tickets[pile])
        for _ in range(state.ticket_count[other, pile] - held):
            size -= 1
            add(state.held[other], int64(pool[size]))
        if state.phase == OVER:
            remove_all(state.early[other], rules.pile_tickets[pile])
    if state.phase == TICKET and state.seat != seat:
        for position in range(state.decided, state.drawn_count):
            if rules.ticket_pile[state.drawn_tickets[position]] == pile:
                size -= 1
                state.drawn_tickets[position] = pool[size]
    for position in range(state.pile_size[pile]):
        if state.laid_by[pile, position] != seat:
            size -= 1
            state.pile[pile, position] = pool[size]


@rule
def recount_tickets(state: State, rules: RulesRecord, seat: int) -> None:
    """Recompute the ticket points of a player from the tickets held."""
    state.done[seat] = 0
    state.completed[seat] = 0
    state.ticket_points[seat] = 0
    for word in range(state.held.shape[1]):
        held = state.held[seat, word]
        while held != 0:
            state.ticket_points[seat] -= rules.ticket_points[BITS * word + lowest(held)]
            held &= held - 1
    complete_tickets(state, rules, seat)


@allocating_rule
def redeal(state: State, rules: RulesRecord, seat: int, generator: UInt64Array) -> None:
    """Replace everything that `seat` cannot know by random values drawn from `generator`.

    Hidden from a seat are the order of the deck, the other players' cards drawn unseen, their tickets, those they
    returned, the order of the ticket piles except for tickets that the seat itself laid there, and the generator of
    later shuffles. Two states that look alike to the seat become equal for equal generators. The numbers of cards and
    of short and long tickets are public and stay as they are.

    Information from counting cards through a reshuffle, or from remembering a ticket that was laid under its pile and
    drawn again by another player, is treated as unknown.
    """
    redeal_cards(state, rules, seat, generator)
    pool = np.empty(rules.ticket_points.shape[0], np.int8)
    for pile in range(2):
        redeal_pile(state, rules, seat, pile, pool, generator)
    for other in range(state.hand.shape[0]):
        if other != seat:
            recount_tickets(state, rules, other)
    state.generator[0] = (next_word(generator) << _HALF) >> np.uint64(1) | next_word(generator)
