"""The move history of the single environment's game: a lane stores no moves, so the game is replayed.

Opponents that follow their games are told its moves before they choose, and at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from functools import cached_property
from typing import Any, ClassVar

from thurn_env.engine.generator import ACTION_STREAM, derived_seed, seeded
from thurn_env.engine.lane_rules import random_action
from thurn_env.engine.lanes import BEGIN, PENALISE, is_bot
from thurn_env.envs.learner import LearnerBatch
from thurn_env.games.contract import GameRules, Int64Array
from thurn_env.players.agent import agent_seed
from thurn_env.players.following import Follower, Watching, followers
from thurn_env.table.batch import Batch
from thurn_env.table.game import Game


class Rebuilt:
    """The game of a lane with all its moves, replayed by the rules of `lane_rules`.

    Forced moves and the moves of scripted bots follow from the seed; all other actions must be given.

    Args:
        rules: the rules.
        seed: seed of the game, see `Batch.game_seed`.
        lane: record of the lane, see `lane_dtype`.
        settings: settings of the lanes, see `settings_dtype`.
        start_player: the start player that was given; -1 if it was drawn at random.
        following: agents to be told all moves.

    Attributes:
        number: number of the game in its lane, as `resets` of the lane counts.
        game: the game.
    """

    def __init__(
        self,
        rules: GameRules,
        seed: int,
        lane: Any,
        settings: Any,
        start_player: int,
        following: Sequence[Follower] = (),
    ) -> None:
        self.number = int(lane["resets"])
        self.game = Game.from_rules(rules, seed, None if start_player < 0 else start_player)
        self._roles: list[int] = lane["roles"].tolist()
        self._bot_generators = [seeded(agent_seed(seed, seat)) for seat in range(rules.players)]
        self._replacing = seeded(derived_seed(seed, ACTION_STREAM, 0))
        self._skips_forced = bool(settings["skip_forced"])
        self._penalises = settings["illegal"] == PENALISE
        self._used = 0
        self._following = following
        for follower in following:
            follower.begin(self.game)

    def _play(self, action: int) -> None:
        mover = self.game.seat
        self.game.play(action)
        for follower in self._following:
            with follower.at_the_end() if self.game.over else nullcontext():
                follower.tell(mover, self.game)

    def catch_up(self, given: list[int]) -> None:
        """Play on as far as the actions reach.

        Args:
            given: all actions since the deal that neither a bot nor the rules chose, in order. Actions that earlier
                calls played are skipped.
        """
        game, rules = self.game, self.game.rules
        while not game.over:
            seat = game.seat
            if is_bot(self._roles[seat]):
                self._play(rules.bot_action(game.states, 0, self._roles[seat], self._bot_generators[seat]))
            elif self._skips_forced and len(game.legal_actions) == 1:
                self._play(int(game.legal_actions[0]))
            elif self._used < len(given):
                action = given[self._used]
                if not (0 <= action < rules.action_size and game.action_mask[action]):
                    if self._penalises:
                        # The illegal action ended the game and was not played.
                        return
                    action = random_action(game.action_mask, self._replacing)
                self._used += 1
                self._play(action)
            else:
                return


class RememberingBatch(Batch):
    """A batch of one game that stores the actions given from outside, so that the game can be replayed."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        # Actions since the last deal, each with the number of its game: if a game ends before the learner's first
        # decision, the next one begins at once.
        self._given: list[tuple[int, int]] = []
        self._first, self._start_player = 0, -1
        self._rebuilt: Rebuilt | None = None
        self.following: list[Follower] = []

    def _run(self, mode: int, selected: Int64Array, chosen: Int64Array) -> None:
        lane = self.lanes.memory[0]
        number = int(lane["resets"])
        if mode == BEGIN:
            self._given, self._rebuilt = [], None
            self._first, self._start_player = number, int(lane["start_player"])
        else:
            self._given.append((number, int(chosen[0])))
        super()._run(mode, selected, chosen)

    def rebuilt(self) -> Game:
        """Return the game with all its moves since the deal. The caller must not change it."""
        lane = self.lanes.memory[0]
        number = int(lane["resets"])
        if self._rebuilt is None or self._rebuilt.number != number:
            # Only the first game after a reset has a given start player.
            start_player = self._start_player if number == self._first else -1
            settings = self.lanes.settings[0]
            self._rebuilt = Rebuilt(self.rules, self.game_seed(0), lane, settings, start_player, self.following)
        self._rebuilt.catch_up([action for game, action in self._given if game == number])
        return self._rebuilt.game


class LearnerGame(LearnerBatch):
    """One game with one learner and its move history. Args, attributes and errors are those of `LearnerBatch`."""

    batch: RememberingBatch
    batch_type: ClassVar[type[Batch]] = RememberingBatch

    @cached_property
    def _watched(self) -> bool:
        """Whether a guest follows the game."""
        return any(isinstance(guest, Watching) for guest in self.guests)

    def _reset_single_agents(self) -> None:
        known = self._reset_for
        super()._reset_single_agents()
        if not self._watched or self._reset_for == known:
            return
        seated: list[object] = [None] * self.rules.players
        for index, guest in enumerate(self.guests):
            for seat in self._guest_seats(index):
                seated[seat] = guest
        self.batch.following = followers(seated)

    def _tell_moves(self) -> None:
        if self._watched:
            # A new game may have begun in the lane.
            self._reset_single_agents()
            self.batch.rebuilt()

    def _play_guests(self) -> None:
        super()._play_guests()
        if self.batch.following and (self.terminated[0] or self.truncated[0]):
            game = self.batch.rebuilt()
            for follower in self.batch.following:
                with follower.at_the_end():
                    follower.end(game, reason=None if game.over else "an illegal action of the learner ended the game")
