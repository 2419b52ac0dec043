"""The deck, the display and the discard pile (R8, R9, F2, F3)."""

from thurn_env.engine.generator import shuffle
from thurn_env.engine.kernels import State, inlined_rule, int64, rule
from thurn_env.games.hands import remove_from_hand
from thurn_env.games.thurn_und_taxis.rules.phases import END


@rule
def prepared_order_fits(state: State) -> bool:
    """Return whether the prepared order holds exactly the cards of the discard pile, which is left unchanged."""
    size = state.next_deck_size
    for index in range(size):
        state.discard[state.next_deck[index]] -= 1
    fits = True
    for kind in range(state.discard.shape[0]):
        if state.discard[kind] != 0:
            fits = False
    for index in range(size):
        state.discard[state.next_deck[index]] += 1
    return fits


@rule
def shuffle_discards(state: State) -> None:
    """R8: the discard pile becomes the new deck, in the prepared order if a replay gave one, else shuffled."""
    size = 0
    for kind in range(state.discard.shape[0]):
        size += int64(state.discard[kind])
    if size == 0:
        return
    use_prepared = False
    if state.next_deck_size > 0:
        use_prepared = prepared_order_fits(state)
        state.next_deck_size = 0 if use_prepared else -1
    if use_prepared:
        for index in range(size):
            state.deck[index] = state.next_deck[index]
        state.discard[:] = 0
    else:
        index = 0
        for kind in range(state.discard.shape[0]):
            for _ in range(state.discard[kind]):
                state.deck[index] = kind
                index += 1
            state.discard[kind] = 0
        shuffle(state.generator, state.deck, size)
    state.deck_size = size
    state.shuffled_size = size
    state.shuffles += 1


@inlined_rule
def top_card(state: State) -> int:
    """Take the deck's top card; if that empties the deck, form a new one at once (R8). The deck must not be empty."""
    state.deck_size -= 1
    kind = state.deck[state.deck_size]
    if state.deck_size == 0:
        shuffle_discards(state)
    return kind


@inlined_rule
def fill_slot(state: State, slot: int) -> None:
    """Deal a card into a slot of the display, or leave it empty when there is none (R9)."""
    if state.deck_size > 0:
        state.display[slot] = top_card(state)
    else:
        state.display[slot] = -1


@inlined_rule
def after_discarding(state: State) -> None:
    """F3, after each event that discards: an empty deck is formed again, then empty slots are refilled in order."""
    if state.deck_size == 0:
        shuffle_discards(state)
    for slot in range(state.display.shape[0]):
        if state.display[slot] < 0:
            fill_slot(state, slot)


@inlined_rule
def card_is_face_up(state: State) -> bool:
    """Return whether any card lies in the display."""
    for slot in range(state.display.shape[0]):
        if state.display[slot] >= 0:
            return True
    return False


@inlined_rule
def card_can_be_drawn(state: State) -> bool:
    """Return whether there is a card to draw, face up or unseen (R9)."""
    return state.deck_size > 0 or card_is_face_up(state)


@inlined_rule
def card_played(state: State, kind: int) -> None:
    """Remove a played card from the hand. A second one in a turn uses the postal carrier (R13, F12, H3)."""
    remove_from_hand(state, state.seat, kind, 1)
    if state.phase == END:
        state.official_used = 1
    state.phase = END
