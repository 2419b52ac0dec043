"""Claiming a track and paying for it (G7, G8, G11, P6, P7)."""

from thurn_env.engine.kernels import RulesRecord, State, inlined_rule, int64, rule
from thurn_env.games.zug_um_zug_deutschland.rules.cards import cards_settle, locomotive, pay_with
from thurn_env.games.zug_um_zug_deutschland.rules.network import complete_tickets, join
from thurn_env.games.zug_um_zug_deutschland.rules.passengers import ask_for_passenger, take_passenger
from thurn_env.games.zug_um_zug_deutschland.rules.phases import COLOUR, LOCOMOTIVES, PASSENGER
from thurn_env.games.zug_um_zug_deutschland.rules.rows import add, has, remove, remove_all
from thurn_env.games.zug_um_zug_deutschland.rules.turn import after_cards_settled, end_turn


@inlined_rule
def least_locomotives(state: State, rules: RulesRecord, kind: int) -> int:
    """Return the number of locomotives needed besides all cards of a kind for the track that is being paid for."""
    return max(0, int64(rules.claim_length[state.claim]) - int64(state.hand[state.seat, kind]))


@inlined_rule
def most_locomotives(state: State, rules: RulesRecord) -> int:
    """Return the most locomotives that may pay: a colour chosen for a grey track needs a card of it (P6)."""
    length = int64(rules.claim_length[state.claim])
    if rules.claim_colour[state.claim] == locomotive(state):
        length -= 1
    return min(length, int64(state.hand[state.seat, locomotive(state)]))


@inlined_rule
def begin_claim(state: State, rules: RulesRecord, claim: int) -> None:
    """G7, P6: for a grey track the player chooses the colour first."""
    state.claim = claim
    kind = int64(rules.claim_colour[claim])
    if kind == locomotive(state):
        state.phase = COLOUR
    else:
        choose_colour(state, rules, kind)


@rule
def choose_colour(state: State, rules: RulesRecord, kind: int) -> None:
    """P6: the player chooses the number of locomotives only if there is a choice; locomotives alone leave none."""
    state.paying = kind
    if kind == locomotive(state):
        pay(state, rules, int64(rules.claim_length[state.claim]))
        return
    least = least_locomotives(state, rules, kind)
    if least == most_locomotives(state, rules):
        pay(state, rules, least)
    else:
        state.phase = LOCOMOTIVES


@rule
def pay(state: State, rules: RulesRecord, locomotives: int) -> None:
    """G7, P7: cards, trains, points and the track; then the cards settle, and the player decides on passengers."""
    seat = int64(state.seat)
    length = int64(rules.claim_length[state.claim])
    pay_with(state, locomotive(state), locomotives)
    if locomotives < length:
        pay_with(state, int64(state.paying), length - locomotives)
    state.trains[seat] -= length
    state.points[seat] += rules.track_points[length]
    take_track(state, rules, seat, int64(state.claim))
    state.phase = PASSENGER
    if cards_settle(state, rules):
        after_cards_settled(state, rules)


@rule
def take_track(state: State, rules: RulesRecord, seat: int, claim: int) -> None:
    """G11: give the track to the seat and close it to others as the number of players demands."""
    add(state.claimed[seat], claim)
    join(state, seat, int64(rules.claim_nodes[claim, 0]), int64(rules.claim_nodes[claim, 1]))
    complete_tickets(state, rules, seat)
    taken = 0
    for player in range(state.hand.shape[0]):
        taken += has(state.claimed[player], claim)
    for player in range(state.hand.shape[0]):
        if player == seat or rules.one_track_only:
            remove_all(state.open[player], rules.same_pair[claim])
        elif taken == rules.claim_tracks[claim]:
            remove(state.open[player], claim)


@inlined_rule
def answer_about_passengers(state: State, rules: RulesRecord, colour: int) -> None:
    """G8, P7: take a passenger of this colour, or none if it is negative; then the other end, then the turn ends."""
    if colour >= 0:
        take_passenger(state, rules, colour)
    if not ask_for_passenger(state, rules, state.end + 1):
        end_turn(state, rules)
