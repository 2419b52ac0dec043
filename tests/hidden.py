"""What the certificates of hidden information of all games are made with: positions, re-dealt twins, blind bots."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import numpy as np

from thurn_env import Game
from thurn_env.engine.generator import seeded
from thurn_env.engine.kernels import copy_records
from thurn_env.games.contract import GameRules

States = np.ndarray[Any, Any]


def positions(rules: GameRules, number: int, seed: int) -> Iterator[Game]:
    """Positions of games of all kinds of players: every third decision, the first of every phase, and the last ones."""
    random = Random(seed)
    found, phases = 0, set[str]()
    while found < number:
        game = Game.from_rules(rules, random.randrange(2**32))
        generator = seeded(random.randrange(2**32))
        kinds = random.choice([("random",), ("sensible-random",), ("random", "sensible-random"), rules.bots])
        bots = [rules.bots.index(random.choice(kinds)) for _ in range(rules.players)]
        while not game.over and found < number:
            # Neighbouring positions are much alike: every third is looked at.
            if len(game.moves) % 3 == 0 or game.phase not in phases:
                yield game
                found += 1
                phases.add(game.phase)
            game.play(rules.bot_action(game.states, 0, bots[game.seat], generator))
        if found < number:
            yield game
            found += 1


def redealt(rules: GameRules, states: States, seat: int, *seed: int) -> States:
    """A copy in which all that the seat cannot know lies anew."""
    twin = copy_records(states)
    rules.redeal(twin, 0, seat, seeded(*seed))
    return twin


def differing(one: States, other: States) -> set[str]:
    """The fields in which the first records of two arrays differ, byte by byte."""
    changed = np.flatnonzero(one[:1].view(np.uint8) != other[:1].view(np.uint8))
    fields = _field_of_bytes(one.dtype)
    return {fields[byte] for byte in changed.tolist() if byte in fields}


@cache
def _field_of_bytes(dtype: np.dtype[Any]) -> dict[int, str]:
    """The field that every byte of a record belongs to. Bytes between fields have none and are no state."""
    assert dtype.fields is not None
    return {
        byte: name
        for name, (kind, offset, *_) in dtype.fields.items()
        for byte in range(offset, offset + kind.itemsize)
    }


def check_bots_are_blind(rules: GameRules, number: int, seed: int) -> None:
    """Every scripted bot chooses the same wherever the hidden cards lie, and uses up as much of its randomness."""
    for position, game in enumerate(positions(rules, number, seed)):
        if game.over or len(game.legal_actions) == 1:
            continue
        twins = [redealt(rules, game.states, game.seat, position, twin) for twin in range(2)]
        for bot, name in enumerate(rules.bots):
            generator = seeded(position)
            choice = rules.bot_action(game.states, 0, bot, generator)
            assert game.action_mask[choice], name
            for twin in twins:
                before, other_generator = twin.tobytes(), seeded(position)
                assert rules.bot_action(twin, 0, bot, other_generator) == choice, name
                assert other_generator[0] == generator[0], name
                assert twin.tobytes() == before, name
