"""How a turn proceeds and ends, and with the last one the game (G6, G13, P4, P8, P9)."""

from thurn_env.engine.kernels import RulesRecord, State, inlined_rule
from thurn_env.games.zug_um_zug_deutschland.rules.passengers import ask_for_passenger
from thurn_env.games.zug_um_zug_deutschland.rules.phases import OVER, PASSENGER, SECOND_CARD, TURN


@inlined_rule
def begin_turn(state: State) -> None:
    """Begin a turn, in which the mover may choose freely."""
    state.phase = TURN
    state.drawn = 0
    state.claim = -1
    state.paying = -1


@inlined_rule
def end_turn(state: State, rules: RulesRecord) -> None:
    """Begin the next player's turn, unless this was the last one (G13, P8) or the round limit is reached (P9)."""
    players = state.hand.shape[0]
    if state.ending:
        state.last_turns -= 1
    elif state.trains[state.seat] <= rules.last_trains:
        state.ending = 1
        state.last_turns = players
    state.seat = (state.seat + 1) % players
    state.rounds += state.seat == state.start_player
    begin_turn(state)
    if state.ending and state.last_turns == 0:
        state.phase = OVER
    elif state.seat == state.start_player and state.rounds >= rules.max_rounds:
        state.phase = OVER
        state.truncated = 1


@inlined_rule
def after_cards_settled(state: State, rules: RulesRecord) -> None:
    """Continue the turn after cards were moved, depending on the current step.

    A card was drawn: there is a second one unless the deck is empty (P4). A track was paid: passengers, then the turn
    ends. In the set-up the first decision is pending already.
    """
    if state.phase == TURN or state.phase == SECOND_CARD:
        if state.drawn == 1 and state.deck_size > 0:
            state.phase = SECOND_CARD
        else:
            end_turn(state, rules)
    elif state.phase == PASSENGER and not ask_for_passenger(state, rules, 0):
        end_turn(state, rules)
