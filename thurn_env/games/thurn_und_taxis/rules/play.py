"""One decision: the action changes the state. Callers ensure that it is legal."""

from thurn_env.engine.kernels import RulesRecord, State, inlined_rule
from thurn_env.games.thurn_und_taxis.rules.closing import (
    after_carriage,
    choose_fill,
    choose_house,
    choose_spread,
    close_route,
    discard_card,
    leave_out,
    use_cartwright,
)
from thurn_env.games.thurn_und_taxis.rules.drawing import call_administrator, draw_unseen, take_face_up
from thurn_env.games.thurn_und_taxis.rules.horses import harness_card, plays_with_horses
from thurn_env.games.thurn_und_taxis.rules.phases import CARTWRIGHT, DISCARD, HOUSE, HOUSES, PLAY
from thurn_env.games.thurn_und_taxis.rules.route import extend_left, extend_right, start_route
from thurn_env.games.thurn_und_taxis.rules.turn import end_turn


@inlined_rule
def apply(state: State, rules: RulesRecord, action: int) -> None:
    """Play a legal action for the player to move."""
    phase = state.phase
    if phase <= PLAY and action < rules.first_left:
        if action < rules.first_draw:
            take_face_up(state, action - rules.first_take)
        elif action == rules.first_draw:
            draw_unseen(state)
        else:
            call_administrator(state)
    elif action < rules.first_right:
        extend_left(state, rules, action - rules.first_left)
    elif action < rules.first_start:
        extend_right(state, rules, action - rules.first_right)
    elif action < rules.first_end:
        if plays_with_horses(rules) and action >= rules.first_harness:
            harness_card(state, rules, action - rules.first_harness)
        else:
            start_route(state, rules, action - rules.first_start)
    elif action == rules.first_end:
        end_turn(state, rules)
    elif action == rules.first_close:
        close_route(state, rules)
    elif phase == HOUSES:
        if action == rules.first_spread:
            choose_spread(state, rules)
        else:
            choose_fill(state, rules, action - rules.first_fill)
    elif phase == HOUSE:
        if action == rules.first_leave:
            leave_out(state, rules)
        else:
            choose_house(state, rules, action - rules.first_house)
    elif phase == CARTWRIGHT:
        if action == rules.first_cartwright:
            use_cartwright(state, rules)
        else:
            after_carriage(state, rules)
    elif phase == DISCARD:
        discard_card(state, rules, action - rules.first_discard)
