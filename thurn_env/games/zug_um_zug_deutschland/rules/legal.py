"""Legal actions: one list, from which the mask is made."""

from thurn_env.engine.kernels import Int16Array, RulesRecord, State, inlined_rule, int64, rule
from thurn_env.games.sets import lowest
from thurn_env.games.zug_um_zug_deutschland.rules.cards import locomotive
from thurn_env.games.zug_um_zug_deutschland.rules.claiming import least_locomotives, most_locomotives
from thurn_env.games.zug_um_zug_deutschland.rules.phases import (
    COLOUR,
    LOCOMOTIVES,
    MIX,
    PASSENGER,
    SECOND_CARD,
    TICKET,
    TURN,
)
from thurn_env.games.zug_um_zug_deutschland.rules.rows import BITS
from thurn_env.games.zug_um_zug_deutschland.rules.tickets import LONG, SHORT, must_keep, tickets_to_draw


@inlined_rule
def list_cards(state: State, rules: RulesRecord, actions: Int16Array, size: int) -> int:
    """G6, P4: list the different face-up cards and the deck, if it holds a card; no locomotive as second card.

    Every candidate is written and kept only if it is legal, so no branch depends on the cards.
    """
    if state.deck_size == 0:
        return size
    last = locomotive(state) if state.phase == SECOND_CARD else locomotive(state) + 1
    for slot in range(state.display.shape[0]):
        kind = state.display[slot]
        new = (kind >= 0) & (kind < last)
        for earlier in range(slot):
            new &= state.display[earlier] != kind
        actions[size] = rules.first_take + kind
        size += new
    actions[size] = rules.first_draw
    return size + 1


@inlined_rule
def list_claims(state: State, rules: RulesRecord, actions: Int16Array, size: int) -> int:
    """G7, G11: list the claims open to the mover for which cards and trains suffice."""
    seat = state.seat
    grey = locomotive(state)
    most = min(int64(rules.payable.shape[1]) - 1, int64(state.trains[seat]))
    locomotives = int64(state.hand[seat, grey])
    for word in range(state.open.shape[1]):
        longest = 0
        claims = int64(0)
        for kind in range(grey):
            cards = min(most, int64(state.hand[seat, kind]) + locomotives)
            longest = max(longest, cards)
            claims |= rules.payable[kind, cards, word]
        claims |= rules.payable[grey, longest, word]
        claims &= state.open[seat, word]
        while claims != 0:
            actions[size] = rules.first_claim + BITS * word + lowest(claims)
            size += 1
            claims &= claims - 1
    return size


@rule
def list_mixes(state: State, rules: RulesRecord, actions: Int16Array) -> int:
    """G5, G9: list the possible numbers of long tickets among those drawn."""
    count = tickets_to_draw(state, rules)
    size = 0
    for long in range(max(0, count - int64(state.pile_size[SHORT])), min(count, int64(state.pile_size[LONG])) + 1):
        actions[size] = rules.first_long + long
        size += 1
    return size


@rule
def list_colours(state: State, rules: RulesRecord, actions: Int16Array) -> int:
    """P6: list the colours that pay a grey track with at least one card of theirs, and locomotives alone."""
    seat = state.seat
    length = rules.claim_length[state.claim]
    locomotives = int64(state.hand[seat, locomotive(state)])
    size = 0
    for kind in range(locomotive(state)):
        actions[size] = rules.first_with + kind
        size += (state.hand[seat, kind] > 0) & (state.hand[seat, kind] + locomotives >= length)
    actions[size] = rules.first_with + locomotive(state)
    return size + (locomotives >= length)


@rule
def list_locomotives(state: State, rules: RulesRecord, actions: Int16Array) -> int:
    """P6: list the possible numbers of locomotives."""
    size = 0
    for number in range(
        least_locomotives(state, rules, int64(state.paying)),
        most_locomotives(state, rules) + 1,
    ):
        actions[size] = rules.first_locomotives + number
        size += 1
    return size


@inlined_rule
def list_passengers(state: State, rules: RulesRecord, actions: Int16Array) -> int:
    """G8: list the colours that wait at the current end of the track, and taking none."""
    place = rules.claim_places[state.claim, state.end]
    size = 0
    for colour in range(state.waiting.shape[1]):
        actions[size] = rules.first_passenger + colour
        size += state.waiting[place, colour] > 0
    actions[size] = rules.first_leave
    return size + 1


@inlined_rule
def legal_actions(state: State, rules: RulesRecord, actions: Int16Array) -> int:
    """Write the indices of all legal actions into `actions`, int16 of at least the size of the action space.

    Returns:
        their number; 0 when the game is over.
    """
    phase = state.phase
    size = 0
    if phase == TURN:
        size = list_cards(state, rules, actions, size)
        if state.pile_size[SHORT] > 0 or state.pile_size[LONG] > 0:
            actions[size] = rules.first_tickets
            size += 1
        size = list_claims(state, rules, actions, size)
        if size == 0:
            actions[0] = rules.first_pass
            size = 1
    elif phase == SECOND_CARD:
        size = list_cards(state, rules, actions, size)
    elif phase == PASSENGER:
        size = list_passengers(state, rules, actions)
    elif phase == TICKET:
        ticket = state.drawn_tickets[state.decided]
        actions[0] = rules.first_keep + ticket
        actions[1] = rules.first_return + ticket
        size = 1 if must_keep(state, rules) else 2
    elif phase == LOCOMOTIVES:
        size = list_locomotives(state, rules, actions)
    elif phase == COLOUR:
        size = list_colours(state, rules, actions)
    elif phase == MIX:
        size = list_mixes(state, rules, actions)
    return size
