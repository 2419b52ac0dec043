"""Training data from records: observations, masks, actions and rewards of every seat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from thurn_env.engine.lanes import BoolArray
from thurn_env.errors import OptionError
from thurn_env.games.contract import Float32Array, Int8Array, Int64Array, RewardMode, reward_mode
from thurn_env.table.record import Record
from thurn_env.table.replay import replay
from thurn_env.table.seen import observed

__all__ = ["Transitions", "transitions"]


@dataclass(frozen=True, eq=False)
class Transitions:
    """Decisions of games, game by game in the order of play. Decisions with a single legal action are left out.

    Attributes:
        observations: float32 (N, O), observation of the seat to move.
        masks: int8 (N, A), its legal actions.
        actions: int64 (N,), the action played.
        rewards: float32 (N,), the seat's return at its last decision of the game, else 0.
        returns: float32 (N,), the seat's return of the game.
        seats: int8 (N,), seat to move.
        games: int64 (N,), number of the game.
        last: bool (N,), whether this is the seat's last decision of the game.
        final_observations: float32 (K, O), what the seats of the K rows with `last` saw at the end of the game, in the
            order of these rows.
    """

    observations: Float32Array
    masks: Int8Array
    actions: Int64Array
    rewards: Float32Array
    returns: Float32Array
    seats: Int8Array
    games: Int64Array
    last: BoolArray
    final_observations: Float32Array

    def __len__(self) -> int:
        return len(self.actions)


def transitions(
    records: Iterable[Record], reward: RewardMode = "win", agents: str | Sequence[str] | None = None
) -> Transitions:
    """Return the decisions of recorded games, which must share game, board, options and number of players.

    Args:
        records: the games; they are replayed and so verified. Unfinished games, such as forfeited ones, are skipped:
            they have no returns.
        reward: reward mode of a finished game, see `Batch`.
        agents: name or names of the agents whose decisions to take; None for all.

    Raises:
        OptionError: the records are of different games, or hold no such decisions.
        RecordError: a record is not valid.
    """
    mode = reward_mode(reward)
    agents = [agents] if isinstance(agents, str) else agents
    columns: dict[str, list[Any]] = {name: [] for name in Transitions.__dataclass_fields__}
    first: Record | None = None
    for number, record in enumerate(records):
        first = first or record
        if different := _difference(record, first):
            raise OptionError(f"record {number + 1} is of another game than the first: {different}")
        _add(columns, number, record, mode, agents)
    if first is None or not columns["actions"]:
        asked = f" of {', '.join(agents)}" if agents else ""
        raise OptionError(f"there are no decisions{asked} in the records")
    return Transitions(
        observations=np.array(columns["observations"], np.float32),
        masks=np.array(columns["masks"], np.int8),
        actions=np.array(columns["actions"], np.int64),
        rewards=np.array(columns["rewards"], np.float32),
        returns=np.array(columns["returns"], np.float32),
        seats=np.array(columns["seats"], np.int8),
        games=np.array(columns["games"], np.int64),
        last=np.array(columns["last"], bool),
        final_observations=np.array(columns["final_observations"], np.float32),
    )


def _difference(record: Record, first: Record) -> str:
    """Return the first difference between the games of two records; empty if there is none."""
    here, there = record.rules, first.rules
    for name, one, other in (
        ("game", here.name, there.name),
        ("players", here.players, there.players),
        ("options", dict(here.options), dict(there.options)),
        # Compare digests: a board can have several names (paths of files).
        ("board digest", here.board_digest, there.board_digest),
    ):
        if one != other:
            return f"{name} {one!r}, not {other!r}"
    return ""


def _add(columns: dict[str, list[Any]], number: int, record: Record, mode: int, agents: Sequence[str] | None) -> None:
    """Add the decisions of one finished game."""
    if record.result is None:
        return
    rules = record.rules
    names = record.agents or [""] * rules.players
    positions = replay(record)
    game = next(positions)
    begin = len(columns["actions"])
    for move, following in zip(record.moves, positions, strict=True):
        if len(game.legal_actions) > 1 and (agents is None or names[game.seat] in agents):
            columns["observations"].append(observed(game.rules, game.states, game.seat))
            columns["masks"].append(game.action_mask)
            columns["actions"].append(rules.action_index(move))
            columns["seats"].append(game.seat)
        game = following
    paid = rules.rewards(game.states, 0, mode)
    seats = columns["seats"][begin:]
    last = {seat: position for position, seat in enumerate(seats)}
    for position, seat in enumerate(seats):
        columns["returns"].append(paid[seat])
        columns["last"].append(last[seat] == position)
        columns["rewards"].append(paid[seat] if last[seat] == position else 0.0)
        columns["games"].append(number)
        if last[seat] == position:
            columns["final_observations"].append(observed(game.rules, game.states, seat))
