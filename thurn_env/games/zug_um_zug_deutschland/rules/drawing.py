"""Drawing train cards (G6)."""

from thurn_env.engine.kernels import RulesRecord, State, inlined_rule, int64
from thurn_env.games.hands import add_to_hand
from thurn_env.games.zug_um_zug_deutschland.rules.cards import cards_settle, locomotive, top_card
from thurn_env.games.zug_um_zug_deutschland.rules.turn import after_cards_settled


@inlined_rule
def take_face_up(state: State, rules: RulesRecord, kind: int) -> None:
    """G6, P1: take a card of the row, of equal cards the one in the lowest slot. A locomotive is the only card."""
    for slot in range(state.display.shape[0]):
        if state.display[slot] == kind:
            state.display[slot] = -1
            break
    add_to_hand(state, int64(state.seat), kind, True)
    state.drawn += 2 if kind == locomotive(state) else 1
    if cards_settle(state, rules):
        after_cards_settled(state, rules)


@inlined_rule
def draw_unseen(state: State, rules: RulesRecord) -> None:
    """G6: draw the deck's top card; a locomotive counts like any other card."""
    add_to_hand(state, int64(state.seat), top_card(state), False)
    state.drawn += 1
    if cards_settle(state, rules):
        after_cards_settled(state, rules)
