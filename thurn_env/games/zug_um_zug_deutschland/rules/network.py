"""Places that a player's tracks join, and tickets completed by that (G9, G12)."""

from thurn_env.engine.kernels import RulesRecord, State, inlined_rule, int64, rule
from thurn_env.games.sets import lowest
from thurn_env.games.zug_um_zug_deutschland.rules.rows import BITS, add


@rule
def join(state: State, seat: int, node: int, other: int) -> None:
    """Join two nodes by a track of the seat: all nodes connected to either get one number."""
    kept = state.network[seat, node]
    lost = state.network[seat, other]
    for index in range(state.network.shape[1]):
        if state.network[seat, index] == lost:
            state.network[seat, index] = kept


@inlined_rule
def joined(state: State, rules: RulesRecord, seat: int, ticket: int) -> bool:
    """G12: return whether the seat's tracks join the ends of a ticket; any terminal of a country counts."""
    nodes = rules.ticket_nodes.shape[2]
    for first in range(nodes):
        node = rules.ticket_nodes[ticket, 0, first]
        if node < 0:
            break
        for second in range(nodes):
            other = rules.ticket_nodes[ticket, 1, second]
            if other < 0:
                break
            if state.network[seat, node] == state.network[seat, other]:
                return True
    return False


@rule
def complete_tickets(state: State, rules: RulesRecord, seat: int) -> None:
    """Mark the seat's tickets that are now completed."""
    for word in range(state.held.shape[1]):
        missing = state.held[seat, word] & ~state.done[seat, word]
        while missing != 0:
            ticket = BITS * word + lowest(missing)
            missing &= missing - 1
            if joined(state, rules, seat, ticket):
                add(state.done[seat], ticket)
                state.completed[seat] += 1
                state.ticket_points[seat] += 2 * int64(rules.ticket_points[ticket])
