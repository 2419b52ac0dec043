"""Hands of cards: the count of each kind, and how many of these cards are publicly known.

The state has the fields `hand` and `known`, int8 (players, kinds), and their sums by player, `hand_size` and
`known_size`.
"""

from thurn_env.engine.kernels import Int8Array, State, inlined_rule, int64, rule


@inlined_rule
def add_to_hand(state: State, seat: int, kind: int, face_up: bool) -> None:
    """Add a card to a hand. A card taken face up stays publicly known."""
    state.hand[seat, kind] += 1
    state.hand_size[seat] += 1
    if face_up:
        state.known[seat, kind] += 1
        state.known_size[seat] += 1


@inlined_rule
def remove_from_hand(state: State, seat: int, kind: int, number: int) -> None:
    """Remove `number` cards of a kind from a hand, publicly known ones first."""
    known = min(number, int64(state.known[seat, kind]))
    state.hand[seat, kind] -= number
    state.hand_size[seat] -= number
    state.known[seat, kind] -= known
    state.known_size[seat] -= known


@rule
def redeal_hands(state: State, seat: int, pool: Int8Array, size: int) -> int:
    """Replace cards that others drew unseen by random cards of the pool; return the number left in it."""
    for other in range(state.hand.shape[0]):
        if other != seat:
            for kind in range(state.hand.shape[1]):
                state.hand[other, kind] = state.known[other, kind]
            for _ in range(state.hand_size[other] - state.known_size[other]):
                size -= 1
                state.hand[other, pool[size]] += 1
    return size
