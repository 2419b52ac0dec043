"""Train cards: the deck, the face-up row and the discard pile (G2, G3, G10, P2 - P4)."""

from thurn_env.engine.generator import shuffle
from thurn_env.engine.kernels import Int8Array, RulesRecord, State, inlined_rule, int64, rule
from thurn_env.games.hands import remove_from_hand
from thurn_env.games.zug_um_zug_deutschland.rules.phases import DECK


@inlined_rule
def locomotive(state: State) -> int:
    """Return the kind of card that stands for any colour: the last."""
    return state.hand.shape[1] - 1


@rule
def lay_out_discards(state: State) -> None:
    """G10: the discard pile becomes the deck, in the order of kinds."""
    size = 0
    for kind in range(state.discard.shape[0]):
        for _ in range(state.discard[kind]):
            state.deck[size] = kind
            size += 1
        state.discard[kind] = 0
    state.deck_size = size
    state.shuffled_size = size
    state.discard_size = 0


@rule
def shuffle_discards(state: State, order: Int8Array) -> None:
    """G10: the discard pile becomes the new deck: in the given order, top card last, or shuffled if that is empty."""
    lay_out_discards(state)
    if order.shape[0] > 0:
        for position in range(order.shape[0]):
            state.deck[position] = order[position]
    else:
        shuffle(state.generator, state.deck, int64(state.deck_size))


@inlined_rule
def top_card(state: State) -> int:
    """Take the deck's top card. The deck must not be empty."""
    state.deck_size -= 1
    return state.deck[state.deck_size]


@inlined_rule
def pay_with(state: State, kind: int, number: int) -> None:
    """Move `number` cards of a kind from the mover's hand to the discard pile."""
    remove_from_hand(state, state.seat, kind, number)
    state.discard[kind] += number
    state.discard_size += number


@inlined_rule
def face_up_locomotives(state: State) -> int:
    """Return the number of locomotives in the row."""
    number = 0
    for slot in range(state.display.shape[0]):
        number += state.display[slot] == locomotive(state)
    return number


@rule
def sweeping_helps(state: State, rules: RulesRecord) -> bool:
    """P3: return whether there are enough cards for a valid row, so that row and deck do not swap forever."""
    last = locomotive(state)
    others = 0
    for kind in range(last):
        others += int64(rules.copies[kind])
        for seat in range(state.hand.shape[0]):
            others -= state.hand[seat, kind]
    slots = state.display.shape[0]
    if others < slots - rules.most_locomotives:
        return False
    if state.deck_size != slots or state.discard_size > 0:
        return True
    in_deck = 0
    for position in range(slots):
        in_deck += state.deck[position] == last
    return in_deck <= rules.most_locomotives


@rule
def sweep(state: State) -> None:
    """G3, P2: discard the whole row, as one event."""
    for slot in range(state.display.shape[0]):
        if state.display[slot] >= 0:
            state.discard[state.display[slot]] += 1
            state.discard_size += 1
            state.display[slot] = -1


@inlined_rule
def first_empty_slot(state: State) -> int:
    """Return the lowest empty slot of the row; the number of slots if there is none."""
    slots = state.display.shape[0]
    for slot in range(slots):
        if state.display[slot] < 0:
            return slot
    return slots


@inlined_rule
def cards_settle(state: State, rules: RulesRecord) -> bool:
    """G3, G10, P2, P3: restore deck and row after an event with cards; return whether this is complete.

    An empty deck is formed again at once, then empty slots are filled, then a row with too many locomotives is
    discarded. Returns False if the discards have to be shuffled: that is a chance event, after which the caller
    continues.
    """
    slots = state.display.shape[0]
    while True:
        if state.deck_size == 0 and state.discard_size > 0:
            state.due = DECK
            return False
        slot = first_empty_slot(state)
        if slot < slots and state.deck_size > 0:
            state.display[slot] = top_card(state)
        elif face_up_locomotives(state) > rules.most_locomotives and sweeping_helps(state, rules):
            sweep(state)
        else:
            return True
