"""The first step of a turn: adding cards to the hand (R1, R5, R7)."""

from thurn_env.engine.kernels import State, inlined_rule
from thurn_env.games.hands import add_to_hand
from thurn_env.games.thurn_und_taxis.rules.cards import after_discarding, fill_slot, top_card
from thurn_env.games.thurn_und_taxis.rules.turn import after_drawing


@inlined_rule
def take_face_up(state: State, kind: int) -> None:
    """R1, F2: take a card from the display, of equal cards the one in the lowest slot; the slot is refilled."""
    for slot in range(state.display.shape[0]):
        if state.display[slot] == kind:
            fill_slot(state, slot)
            break
    add_to_hand(state, state.seat, kind, True)
    after_drawing(state)


@inlined_rule
def draw_unseen(state: State) -> None:
    """R1: draw the deck's top card; the others do not know it (R31)."""
    add_to_hand(state, state.seat, top_card(state), False)
    after_drawing(state)


@inlined_rule
def call_administrator(state: State) -> None:
    """R7: discard the whole display and deal a new one. The first card is still to be taken."""
    state.official_used = 1
    for slot in range(state.display.shape[0]):
        if state.display[slot] >= 0:
            state.discard[state.display[slot]] += 1
            state.display[slot] = -1
    after_discarding(state)
