"""The seeds of a tournament's games.

Without a secret, all seeds follow from the tournament's seed and the number of the deck. Anybody can compute them, and
so can an agent: it computes the decks of all small seeds in advance and looks up the one that fits the seed of its
`reset`, or the cards that lie open. With a secret, which agents do not know, every seed is a keyed hash (HMAC with
SHA-256). Nothing can be computed in advance then, and no seed helps to find another one.
"""

from __future__ import annotations

import hmac
from typing import NamedTuple

import numpy as np

from thurn_env.players.agent import agent_seed

DECK_STREAM = 0
"""The purpose of the random stream that game seeds are drawn from."""

SEED_BYTES = 8


class Seeds(NamedTuple):
    """The seeds of one game.

    Attributes:
        cards: deals the cards.
        views: deals the cards that agents cannot know in the copies that they are given.
        agents: by seat, the seed of the agent's `reset`.
    """

    cards: int
    views: int
    agents: tuple[int, ...]


def deck_seed(seed: int, deck: int) -> int:
    """The seed of every game that is played with this deck in a tournament without a secret."""
    words = np.random.SeedSequence(seed, spawn_key=(DECK_STREAM, deck)).generate_state(1, np.uint64)
    return int(words[0])


def keyed_seed(secret: str, purpose: str, *numbers: int) -> int:
    """A seed of 64 bits for one purpose that only those who know the secret can compute."""
    message = " ".join([purpose, *map(str, numbers)])
    return int.from_bytes(hmac.digest(secret.encode(), message.encode(), "sha256")[:SEED_BYTES], "big")


def game_seeds(secret: str, seed: int, deck: int, players: int) -> Seeds:
    """The seeds of every game that is played with a deck.

    Args:
        secret: the tournament's secret; empty for none.
        seed: the tournament's seed.
        deck: the number of the deck.
        players: seats at the table.
    """
    if not secret:
        cards = deck_seed(seed, deck)
        return Seeds(cards, cards, tuple(agent_seed(cards, seat) for seat in range(players)))
    return Seeds(
        keyed_seed(secret, "cards", seed, deck),
        keyed_seed(secret, "views", seed, deck),
        tuple(keyed_seed(secret, "agent", seed, deck, seat) for seat in range(players)),
    )
