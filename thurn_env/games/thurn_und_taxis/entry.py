"""The kernels that Python calls. Each takes an array of states and the index of the game to work on.

Common arguments: `states`, an array of state records; `index`, the game in it; `rules`, the constant record as an
array of shape (1,); `actions`, working space, int16, as long as the action space; `row`, working space, int16, as long
as the observation.
"""

from thurn_env.games.masks import scatter_mask
from thurn_env.games.thurn_und_taxis.bots.choose import choose
from thurn_env.games.thurn_und_taxis.engine import apply
from thurn_env.games.thurn_und_taxis.hidden import redeal
from thurn_env.games.thurn_und_taxis.legal import legal_actions
from thurn_env.games.thurn_und_taxis.observe import observe
from thurn_env.games.thurn_und_taxis.phases import OVER
from thurn_env.games.thurn_und_taxis.scoring import final_reward, potential, rank, score
from thurn_env.games.thurn_und_taxis.turn import set_up
from thurn_env.kernels import (
    Float32Array,
    Float64Array,
    Int8Array,
    Int16Array,
    Int64Array,
    RulesRecord,
    State,
    States,
    UInt64Array,
    int64,
    kernel,
    rule,
)


@kernel
def deal(states: States, index: int, rules: RulesRecord, seed: int, start_player: int) -> None:
    """Set a game up from a generator state; a negative `start_player` is drawn at random.

    A deck order prepared for the first shuffle is used.
    """
    state = states[index]
    state.next_deck_size = max(0, state.next_deck_size)
    state.generator[0] = seed
    set_up(state, rules[0], start_player)


@rule
def play_action(state: State, rules: RulesRecord, action: int) -> None:
    """`apply`, compiled once for the kernels of this file; loops over many games use `apply` itself, inlined."""
    apply(state, rules, action)


@rule
def write_mask(state: State, rules: RulesRecord, actions: Int16Array, mask: Int8Array) -> int:
    """Write the action mask (int8) and return the number of legal actions."""
    size = legal_actions(state, rules, actions)
    scatter_mask(actions, size, mask)
    return size


@rule
def write_observation(state: State, rules: RulesRecord, seat: int, row: Int16Array, observation: Float32Array) -> None:
    """`observe`, compiled once for the kernels of this file."""
    observe(state, rules, seat, row, observation)


@kernel
def legal_mask(states: States, index: int, rules: RulesRecord, actions: Int16Array, mask: Int8Array) -> int:
    """Write the mask of the player to move; return the number of legal actions."""
    return write_mask(states[index], rules[0], actions, mask)


@kernel
def play(states: States, index: int, rules: RulesRecord, action: int) -> None:
    """Play one legal action."""
    play_action(states[index], rules[0], action)


@kernel
def step(
    states: States,
    index: int,
    rules: RulesRecord,
    action: int,
    skip_forced: bool,
    actions: Int16Array,
    mask: Int8Array,
    row: Int16Array,
    observation: Float32Array,
) -> int:
    """Play an action and, if asked, the forced decisions after it; then write what the next player to move sees.

    A negative `action` plays nothing. Returns the seat to move, or -1 when the game is over: then the mask is zero
    and the observation is that of the seat that would be next.
    """
    state = states[index]
    if action >= 0:
        play_action(state, rules[0], action)
    size = write_mask(state, rules[0], actions, mask)
    while skip_forced and size == 1:
        play_action(state, rules[0], actions[0])
        size = write_mask(state, rules[0], actions, mask)
    write_observation(state, rules[0], state.seat, row, observation)
    return -1 if state.phase == OVER else int64(state.seat)


@kernel
def observe_seat(
    states: States, index: int, rules: RulesRecord, seat: int, row: Int16Array, observation: Float32Array
) -> None:
    """Write the observation of one seat."""
    write_observation(states[index], rules[0], seat, row, observation)


@kernel
def redeal_for(states: States, index: int, rules: RulesRecord, seat: int, generator: UInt64Array) -> None:
    """Give all that `seat` cannot know a new random value."""
    redeal(states[index], rules[0], seat, generator)


@kernel
def results(states: States, index: int, rules: RulesRecord, scores: Int64Array, ranks: Int64Array) -> None:
    """Write every seat's score and rank as they stand (int64)."""
    for seat in range(scores.shape[0]):
        scores[seat] = score(states[index], rules[0], seat)
        ranks[seat] = rank(states[index], rules[0], seat)


@kernel
def rewards(states: States, index: int, rules: RulesRecord, mode: int, out: Float64Array) -> None:
    """Write every seat's return for a finished game (float64)."""
    for seat in range(out.shape[0]):
        out[seat] = final_reward(states[index], rules[0], seat, mode)


@kernel
def potentials(states: States, index: int, rules: RulesRecord, out: Float64Array) -> None:
    """Write every seat's shaping potential (float64)."""
    for seat in range(out.shape[0]):
        out[seat] = potential(states[index], rules[0], seat)


@kernel
def bot_action(
    states: States, index: int, rules: RulesRecord, bot: int, generator: UInt64Array, actions: Int16Array
) -> int:
    """The action that a scripted bot chooses for the player to move."""
    return choose(states[index], rules[0], bot, generator, actions)


@kernel
def bot_actions(
    states: States, rules: RulesRecord, bot: int, generator: UInt64Array, actions: Int16Array, chosen: Int64Array
) -> None:
    """Write the action of a scripted bot for every game, none of which may be over."""
    for index in range(states.shape[0]):
        chosen[index] = choose(states[index], rules[0], bot, generator, actions)


@kernel
def play_bots(
    states: States,
    index: int,
    rules: RulesRecord,
    bots: Int8Array,
    generators: UInt64Array,
    actions: Int16Array,
    moves: Int16Array,
    decks: Int8Array,
    deck_sizes: Int64Array,
) -> int:
    """Let scripted bots play on until the game is over or `moves` is full.

    Args:
        bots: int8, the bot of every seat.
        generators: uint64 of shape (players, 1), a generator for every seat.
        moves: int16, receives the actions.
        decks: int8 of shape (n, cards), receives the deck orders shuffled on the way, bottom card first.
        deck_sizes: int64 of shape (n,), their lengths; entries beyond the last deck are set to 0.

    Returns:
        the number of moves played. Play also stops when `decks` is full.
    """
    state = states[index]
    deck_sizes[:] = 0
    logged = 0
    played = 0
    while played < moves.shape[0] and logged < decks.shape[0] and state.phase != OVER:
        seat = state.seat
        action = choose(state, rules[0], bots[seat], generators[seat], actions)
        shuffles = state.shuffles
        apply(state, rules[0], action)
        moves[played] = action
        played += 1
        if state.shuffles != shuffles:
            for position in range(state.shuffled_size):
                decks[logged, position] = state.deck[position]
            deck_sizes[logged] = state.shuffled_size
            logged += 1
    return played
