"""How a turn and the game begin, proceed and end (R1, R6, R9, R27, R28, F4, F13)."""

from thurn_env.engine.generator import below
from thurn_env.engine.kernels import RulesRecord, State, inlined_rule, rule
from thurn_env.games.thurn_und_taxis.rules.cards import card_can_be_drawn, fill_slot, shuffle_discards
from thurn_env.games.thurn_und_taxis.rules.phases import DRAW, END, OVER, PLAY, SECOND_DRAW


@inlined_rule
def go_on_to_play(state: State) -> None:
    """After drawing: play a card, or skip the play when there is none (R9, F4)."""
    state.phase = PLAY if state.hand_size[state.seat] > 0 else END


@inlined_rule
def begin_turn(state: State) -> None:
    """Begin a turn: an empty hand uses the postmaster and so the official (R6, F4); no draw without cards (R9)."""
    forced = state.hand_size[state.seat] == 0
    state.forced_postmaster = forced
    state.official_used = forced
    state.drawn = 0
    if card_can_be_drawn(state):
        state.phase = DRAW
    else:
        go_on_to_play(state)


@inlined_rule
def after_drawing(state: State) -> None:
    """A second card uses the postmaster; with an empty hand at the start of the turn he must be used (R5, R6)."""
    state.drawn += 1
    if state.drawn == 2:
        state.official_used = 1
    if state.drawn == 1 and state.forced_postmaster and card_can_be_drawn(state):
        state.phase = SECOND_DRAW
    else:
        go_on_to_play(state)


@inlined_rule
def end_turn(state: State, rules: RulesRecord) -> None:
    """Begin the next player's turn, or end the game when the last round is complete (R28, F13)."""
    state.seat = (state.seat + 1) % state.hand.shape[0]
    if state.seat == state.start_player:
        state.rounds += 1
        if state.holder >= 0:
            state.phase = OVER
            return
        if state.rounds >= rules.max_rounds:
            state.phase = OVER
            state.truncated = 1
            return
    begin_turn(state)


@rule
def take_game_end_tile(state: State, rules: RulesRecord) -> None:
    """R27: the first player to trigger the end takes the tile at once; later ones take nothing."""
    if state.holder < 0:
        state.holder = state.seat
        take_tile(state, rules, state.tiles_taken.shape[0] - 1)


@rule
def take_tile(state: State, rules: RulesRecord, stack: int) -> None:
    """Take the top tile of a non-empty stack for the mover."""
    position = state.tiles_taken[stack]
    state.tile_owner[stack, position] = state.seat
    state.tiles_taken[stack] += 1
    state.tiles[state.seat, stack] += 1
    state.tile_points[state.seat] += rules.tile_value[stack, position]


@rule
def set_up(state: State, rules: RulesRecord, start_player: int) -> None:
    """M1, M2: the first deck is shuffled, the display dealt slot by slot, and the first turn begins.

    The state's generator is kept, and so is a deck order prepared for the first shuffle. A negative `start_player`
    is drawn at random.
    """
    for kind in range(state.discard.shape[0]):
        state.discard[kind] = rules.copies[kind]
    state.display[:] = -1
    state.hand[:] = 0
    state.known[:] = 0
    state.hand_size[:] = 0
    state.known_size[:] = 0
    state.route[:] = 0
    state.route_length[:] = 0
    state.route_cities[:] = 0
    state.houses[:] = 0
    state.houses_left[:] = rules.houses_per_player
    state.routes[:] = 0
    state.horses[:] = rules.own_horses
    state.harnessed[:] = 0
    state.harnessed_size[:] = 0
    state.carriage[:] = 0
    state.tiles[:] = 0
    state.tiles_taken[:] = 0
    state.tile_points[:] = 0
    state.tile_owner[:] = -1
    state.pending = 0
    state.asking = 0
    state.rounds = 0
    state.shuffles = 0
    state.deck_size = 0
    state.truncated = 0
    state.holder = -1
    if start_player < 0:
        start_player = below(state.generator, state.hand.shape[0])
    state.start_player = start_player
    state.seat = start_player
    shuffle_discards(state)
    for slot in range(state.display.shape[0]):
        fill_slot(state, slot)
    begin_turn(state)


@rule
def deal(state: State, rules: RulesRecord, generator: int, start_player: int) -> None:
    """Set up a new game whose chance comes from a generator of this state, except for a prepared deck order."""
    state.next_deck_size = max(0, state.next_deck_size)
    state.generator[0] = generator
    set_up(state, rules, start_player)
