"""Seeds of a tournament's games.

Without a secret, all seeds follow from the tournament's seed and the deck number. Anybody can compute them, including
an agent: it could compute the decks of all small seeds in advance and look up the one that fits the seed of its
`reset`, or the visible cards. With a secret, which agents do not know, every seed is a keyed hash (HMAC with SHA-256).
Then nothing can be computed in advance, and no seed reveals another one.
"""

from __future__ import annotations

import hmac
from typing import NamedTuple

import numpy as np

from thurn_env.players.agent import agent_seed

DECK_STREAM = 0
"""Number of the random stream of game seeds."""

SEED_BYTES = 8


class Seeds(NamedTuple):
    """The seeds of one game.

    Attributes:
        cards: seed of the deal.
        views: seed of the re-dealt cards in agents' views.
        agents: seeds of the agents' `reset`, by seat.
    """

    cards: int
    views: int
    agents: tuple[int, ...]


def deck_seed(seed: int, deck: int) -> int:
    """Return the seed of every game with this deck in a tournament without a secret."""
    words = np.random.SeedSequence(seed, spawn_key=(DECK_STREAM, deck)).generate_state(1, np.uint64)
    return int(words[0])


def keyed_seed(secret: str, purpose: str, *numbers: int) -> int:
    """Return a 64-bit seed for one purpose that cannot be computed without the secret."""
    message = " ".join([purpose, *map(str, numbers)])
    return int.from_bytes(hmac.digest(secret.encode(), message.encode(), "sha256")[:SEED_BYTES], "big")


def game_seeds(secret: str, seed: int, deck: int, players: int) -> Seeds:
    """Return the seeds of every game with a deck.

    Args:
        secret: secret of the tournament; empty for none.
        seed: seed of the tournament.
        deck: number of the deck.
        players: number of seats at the table.
    """
    if not secret:
        cards = deck_seed(seed, deck)
        return Seeds(cards, cards, tuple(agent_seed(cards, seat) for seat in range(players)))
    return Seeds(
        keyed_seed(secret, "cards", seed, deck),
        keyed_seed(secret, "views", seed, deck),
        tuple(keyed_seed(secret, "agent", seed, deck, seat) for seat in range(players)),
    )
