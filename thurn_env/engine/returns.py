"""What a place in a finished game is worth: the same for every game."""

from typing import Final

from thurn_env.engine.kernels import rule

WIN: Final = 0
RANK: Final = 1
MARGIN: Final = 2
SCORE: Final = 3
"""The reward modes by number, see `contract.REWARD_MODES`."""


@rule
def reward_of_rank(place: int, sharing: int, players: int, mode: int) -> float:
    """A player's return by rank, for the modes `WIN` and `RANK`.

    `WIN`: 1 for the winner, -1 / (players - 1) for the others; `RANK`: from 1 to -1 in equal steps. The `sharing`
    players who have the rank `place` share what their places would get.
    """
    if mode == RANK:
        shared_place = place + (sharing - 1) / 2
        return (players + 1 - 2 * shared_place) / (players - 1)
    if place == 1:
        return (1 - (sharing - 1) / (players - 1)) / sharing
    return -1 / (players - 1)
