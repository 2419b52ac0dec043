"""Returns by rank, the same for every game."""

from typing import Final

from thurn_env.engine.kernels import rule

WIN: Final = 0
RANK: Final = 1
MARGIN: Final = 2
SCORE: Final = 3
"""Numbers of the reward modes, see `contract.REWARD_MODES`."""


@rule
def reward_of_rank(place: int, sharing: int, players: int, mode: int) -> float:
    """Return a player's return by rank, for the modes `WIN` and `RANK`.

    `WIN`: 1 for the winner, -1 / (players - 1) for the others; `RANK`: from 1 to -1 in equal steps. The `sharing`
    players who have the rank `place` share the rewards of their places equally.
    """
    if mode == RANK:
        shared_place = place + (sharing - 1) / 2
        return (players + 1 - 2 * shared_place) / (players - 1)
    if place == 1:
        return (1 - (sharing - 1) / (players - 1)) / sharing
    return -1 / (players - 1)
