"""Drawing, keeping and returning tickets, in the set-up and later (G5, G9, P5)."""

from thurn_env.engine.generator import shuffle
from thurn_env.engine.kernels import RulesRecord, State, inlined_rule, int64, rule
from thurn_env.games.sets import lowest
from thurn_env.games.zug_um_zug_deutschland.rules.network import joined
from thurn_env.games.zug_um_zug_deutschland.rules.phases import MIX, PILES, TICKET
from thurn_env.games.zug_um_zug_deutschland.rules.rows import BITS, add, remove
from thurn_env.games.zug_um_zug_deutschland.rules.turn import begin_turn, end_turn

SHORT, LONG = 0, 1


@inlined_rule
def tickets_to_draw(state: State, rules: RulesRecord) -> int:
    """G9: return the number of tickets to draw: fewer if fewer are left."""
    return min(int64(rules.tickets_drawn), int64(state.pile_size[SHORT]) + int64(state.pile_size[LONG]))


@inlined_rule
def must_keep(state: State, rules: RulesRecord) -> bool:
    """P5: return whether all undecided tickets are needed for the minimum."""
    drawn = int64(state.drawn_count)
    least = min(drawn, int64(rules.least_kept_first if state.setting_up else rules.least_kept))
    return state.kept + drawn - state.decided <= least


@rule
def draw_tickets(state: State, rules: RulesRecord, long: int) -> None:
    """G5, G9: draw `long` tickets from the long pile, the others from the short one, which come first (P5)."""
    count = tickets_to_draw(state, rules)
    for position in range(count):
        pile = SHORT if position < count - long else LONG
        state.pile_size[pile] -= 1
        top = int64(state.pile_size[pile])
        state.drawn_tickets[position] = state.pile[pile, top]
        state.pile[pile, top] = -1
        state.laid_by[pile, top] = -1
    state.drawn_count = count
    state.decided = 0
    state.kept = 0
    state.phase = TICKET
    if count == 0:
        after_tickets(state, rules)


@inlined_rule
def next_ticket(state: State, rules: RulesRecord) -> None:
    """Proceed to the next drawn ticket; after the last one, to the next phase."""
    state.drawn_tickets[state.decided] = -1
    state.decided += 1
    if state.decided == state.drawn_count:
        after_tickets(state, rules)


@rule
def keep_ticket(state: State, rules: RulesRecord, ticket: int) -> None:
    """G5, G9: give the ticket to the mover; it may be completed already."""
    seat = int64(state.seat)
    points = int64(rules.ticket_points[ticket])
    add(state.held[seat], ticket)
    remove(state.returned[seat], ticket)
    if state.setting_up:
        add(state.early[seat], ticket)
    state.ticket_count[seat, rules.ticket_pile[ticket]] += 1
    if joined(state, rules, seat, ticket):
        add(state.done[seat], ticket)
        state.completed[seat] += 1
        state.ticket_points[seat] += points
    else:
        state.ticket_points[seat] -= points
    state.kept += 1
    next_ticket(state, rules)


@rule
def return_ticket(state: State, rules: RulesRecord, ticket: int) -> None:
    """G5, G9, P5: put the ticket under its pile; in the set-up it stays aside until all have chosen."""
    seat = int64(state.seat)
    add(state.returned[seat], ticket)
    if not state.setting_up:
        pile = int64(rules.ticket_pile[ticket])
        for position in range(state.pile_size[pile], 0, -1):
            state.pile[pile, position] = state.pile[pile, position - 1]
            state.laid_by[pile, position] = state.laid_by[pile, position - 1]
        state.pile[pile, 0] = ticket
        state.laid_by[pile, 0] = seat
        state.pile_size[pile] += 1
    next_ticket(state, rules)


@rule
def after_tickets(state: State, rules: RulesRecord) -> None:
    """G5, P5: in the set-up the next player chooses; after the last the piles are shuffled. Else the turn is over."""
    state.drawn_count = 0
    state.decided = 0
    state.kept = 0
    if not state.setting_up:
        end_turn(state, rules)
        return
    state.seat = (state.seat + 1) % state.hand.shape[0]
    if state.seat == state.start_player:
        state.due = PILES
    else:
        state.phase = MIX


@inlined_rule
def lay_out_pile(state: State, rules: RulesRecord, pile: int) -> None:
    """Lay out all tickets of a pile that nobody holds, in the order of the board."""
    size = 0
    for word in range(rules.pile_tickets.shape[1]):
        left = rules.pile_tickets[pile, word]
        for seat in range(state.hand.shape[0]):
            left &= ~state.held[seat, word]
        while left != 0:
            state.pile[pile, size] = BITS * word + lowest(left)
            left &= left - 1
            size += 1
    state.pile_size[pile] = size
    for position in range(size, state.pile.shape[1]):
        state.pile[pile, position] = -1


@rule
def shuffle_piles(state: State, rules: RulesRecord) -> None:
    """G5: shuffle both piles with the tickets returned in the set-up, or at the start all tickets."""
    for pile in range(2):
        lay_out_pile(state, rules, pile)
        shuffle(state.generator, state.pile[pile], int64(state.pile_size[pile]))


@inlined_rule
def end_set_up(state: State) -> None:
    """Begin the first turn, after the piles are shuffled."""
    state.setting_up = 0
    begin_turn(state)
