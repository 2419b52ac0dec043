"""One decision: the action changes the state. Callers make sure that it is legal."""

from thurn_env.games.thurn_und_taxis.closing import (
    choose_fill,
    choose_house,
    choose_spread,
    close_route,
    discard_card,
    leave_out,
    use_cartwright,
    after_carriage,
)
from thurn_env.games.thurn_und_taxis.drawing import call_administrator, draw_unseen, take_face_up
from thurn_env.games.thurn_und_taxis.phases import CARTWRIGHT, DISCARD, HOUSE, HOUSES, PLAY
from thurn_env.games.thurn_und_taxis.route import extend_left, extend_right, start_route
from thurn_env.games.thurn_und_taxis.turn import end_turn
from thurn_env.kernels import inlined_rule


@inlined_rule
def apply(state, rules, action):
    """Play a legal action for the player to move."""
    first = rules.actions
    phase = state.phase
    if phase <= PLAY and action < first.left:
        if action < first.draw:
            take_face_up(state, action - first.take)
        elif action == first.draw:
            draw_unseen(state)
        else:
            call_administrator(state)
    elif action < first.right:
        extend_left(state, rules, action - first.left)
    elif action < first.start:
        extend_right(state, rules, action - first.right)
    elif action < first.end:
        start_route(state, rules, action - first.start)
    elif action == first.end:
        end_turn(state, rules)
    elif action == first.close:
        close_route(state, rules)
    elif phase == HOUSES:
        if action == first.spread:
            choose_spread(state, rules)
        else:
            choose_fill(state, rules, action - first.fill)
    elif phase == HOUSE:
        if action == first.leave:
            leave_out(state, rules)
        else:
            choose_house(state, rules, action - first.house)
    elif phase == CARTWRIGHT:
        if action == first.cartwright:
            use_cartwright(state, rules)
        else:
            after_carriage(state, rules)
    elif phase == DISCARD:
        discard_card(state, rules, action - first.discard)
