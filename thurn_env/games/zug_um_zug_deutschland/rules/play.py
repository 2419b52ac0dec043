"""One decision: the action changes the state. Callers ensure that it is legal."""

from thurn_env.engine.kernels import RulesRecord, State, inlined_rule
from thurn_env.games.zug_um_zug_deutschland.rules.claiming import (
    answer_about_passengers,
    begin_claim,
    choose_colour,
    pay,
)
from thurn_env.games.zug_um_zug_deutschland.rules.deal import settle_chance
from thurn_env.games.zug_um_zug_deutschland.rules.drawing import draw_unseen, take_face_up
from thurn_env.games.zug_um_zug_deutschland.rules.phases import (
    COLOUR,
    LOCOMOTIVES,
    MIX,
    NOTHING,
    PASSENGER,
    SECOND_CARD,
    TICKET,
    TURN,
)
from thurn_env.games.zug_um_zug_deutschland.rules.tickets import draw_tickets, keep_ticket, return_ticket
from thurn_env.games.zug_um_zug_deutschland.rules.turn import end_turn


@inlined_rule
def decide(state: State, rules: RulesRecord, action: int) -> None:
    """Play a legal action for the player to move, up to a pending chance event."""
    phase = state.phase
    if phase == TURN or phase == SECOND_CARD:
        if action < rules.first_draw:
            take_face_up(state, rules, action - rules.first_take)
        elif action == rules.first_draw:
            draw_unseen(state, rules)
        elif action == rules.first_tickets:
            state.phase = MIX
        elif action == rules.first_pass:
            end_turn(state, rules)
        else:
            begin_claim(state, rules, action - rules.first_claim)
    elif phase == PASSENGER:
        answer_about_passengers(state, rules, action - rules.first_passenger if action != rules.first_leave else -1)
    elif phase == TICKET:
        if action < rules.first_return:
            keep_ticket(state, rules, action - rules.first_keep)
        else:
            return_ticket(state, rules, action - rules.first_return)
    elif phase == LOCOMOTIVES:
        pay(state, rules, action - rules.first_locomotives)
    elif phase == COLOUR:
        choose_colour(state, rules, action - rules.first_with)
    elif phase == MIX:
        draw_tickets(state, rules, action - rules.first_long)


@inlined_rule
def apply(state: State, rules: RulesRecord, action: int) -> None:
    """Play a legal action for the player to move and resolve all chance events after it."""
    decide(state, rules, action)
    if state.due != NOTHING:
        settle_chance(state, rules)
