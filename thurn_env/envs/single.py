"""Gymnasium environment for any game: one seat learns, opponents play the others inside the step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import gymnasium
import numpy as np

from thurn_env.checks import checked_render_mode, checked_reset_options, quoted, whole
from thurn_env.engine.lanes import ILLEGAL_MODES, RAISE, BoolArray
from thurn_env.envs.figures import OF_ALL_SEATS, figures_of, no_figures
from thurn_env.envs.learner import ROTATE, Opponents
from thurn_env.envs.learner_record import LearnerGame
from thurn_env.envs.observations import Observation, learner_spaces
from thurn_env.envs.rendering import (
    ALL_RENDER_MODES,
    HUMAN,
    RENDER_FPS,
    RENDER_MODES,
    Rendered,
    Renderer,
    warn_of_no_mode,
)
from thurn_env.errors import IllegalAction
from thurn_env.games import DEFAULT_GAME
from thurn_env.games.contract import GameRules, Int8Array, RewardMode
from thurn_env.players.agent import Agent, BatchAgent
from thurn_env.table.game import Game, View
from thurn_env.table.record import Record

__all__ = ["LearnerEnv"]


class LearnerEnv(gymnasium.Env[Observation, np.int64]):
    """One game with one learner.

    Returned arrays are copies. Args and errors are those of `LearnerBatch`, and:

    Args:
        observation: "flat" for a float32 vector (O,), "dict" for a dictionary of `observation` and `action_mask`.
        render_mode: "ansi" (text), "svg", "rgb_array" (pixels), "human" (a window), or None.

    Attributes:
        rules: the rules, with the text of every action and the slices of the observation.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": RENDER_FPS}  # noqa: RUF012

    def __init__(
        self,
        game: str = DEFAULT_GAME,
        players: int = 2,
        board: Any = None,
        *,
        opponents: Opponents | Agent | BatchAgent = "sensible-random",
        learner_seat: int | str = ROTATE,
        reward: RewardMode = "win",
        skip_forced: bool = True,
        shaping: float = 0.0,
        illegal: str = "penalise",
        observation: str = "flat",
        render_mode: str | None = None,
        rules: GameRules | None = None,
        **options: Any,
    ) -> None:
        self.render_mode = checked_render_mode(render_mode, ALL_RENDER_MODES)
        self._learner = LearnerGame(
            1,
            players,
            board,
            game=game,
            opponents=opponents,
            learner_seat=learner_seat,
            reward=reward,
            skip_forced=skip_forced,
            shaping=shaping,
            illegal=illegal,
            autoreset=False,
            rules=rules,
            **options,
        )
        self.rules = self._learner.rules
        self._renderer = Renderer(render_mode, self.rules.title, self.metadata["render_fps"])
        space, actions = learner_spaces(self.rules, observation)
        self.observation_space = space
        self.action_space = cast(Any, actions)
        self._flat = observation == "flat"
        self._raises = illegal == ILLEGAL_MODES[RAISE]
        self._illegal_reason = ""
        self._only_lane = np.zeros(1, np.int64)
        self._no_figures: dict[str, Any] = {name: values[0] for name, values in no_figures(self._learner).items()}

    def _observe(self) -> tuple[Observation, Int8Array]:
        """Return observation and mask as new arrays."""
        mask = self._learner.masks[0].copy()
        observation = self._learner.observations[0].copy()
        return (observation if self._flat else {"observation": observation, "action_mask": mask}), mask

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a new game and play to the learner's first decision.

        Args:
            seed: the game is that of `Game(seed=seed)`; an integer from 0 to 2^64 - 1. Without a seed the game follows
                from the last seed given, or from fresh entropy if there was none.
            options: `{"start_player": seat}` sets the start player; other entries are ignored.

        Returns:
            the observation and an info, see `step`.
        """
        # Before the base class, which would raise another error for a bad seed; Gymnasium accepts only Python ints.
        self._learner.reset(seed, start_player=checked_reset_options(options).get("start_player"))
        super().reset(seed=whole(seed))
        self._illegal_reason = ""
        observation, mask = self._observe()
        self._show()
        return observation, self._info(mask, over=False)

    def _show(self) -> None:
        """Update the window if `render_mode` is "human".

        After a failure the caller has no result of the step, so the game is abandoned.
        """
        if self.render_mode == HUMAN:
            try:
                self.render()
            except BaseException:
                self._learner.batch.break_off()
                raise

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play the learner's action, then the opponents up to its next decision.

        Returns:
            observation, reward (all since the last decision), terminated, truncated, and an info. All infos have the
            same keys, shapes and dtypes: `action_mask`, int8 (A,); the learner's `seat`; `illegal`, whether this step's
            action was illegal (see `illegal_reason`); and the figures of the finished game, which are 0 before its end:
            those of `LearnerBatch.final_figures` as NumPy scalars, `scores` and `ranks` of all seats, int32 (P,).

        Raises:
            IllegalAction: the action is not legal and `illegal` is "raise"; nothing has changed.
            ThurnError: there is no game, or it is over.
        """
        learner = self._learner
        index = whole(action)
        if index is None:
            raise IllegalAction(f"an action is a whole number, not {quoted(action)}")
        problem = ""
        if not (0 <= index < self.rules.action_size and learner.masks[0, index]):
            problem = self._problem(index)
            if self._raises and problem:
                raise IllegalAction(problem)
            # Any illegal action, even one that does not fit into 64 bits.
            index = -1
        reward = learner.step_only_game(index)
        self._illegal_reason = problem
        observation, mask = self._observe()
        terminated, truncated = bool(learner.terminated[0]), bool(learner.truncated[0])
        self._show()
        return observation, reward, terminated, truncated, self._info(mask, over=terminated or truncated)

    def _problem(self, index: int) -> str:
        """Return why an action is illegal; empty if there is no game, which is another error."""
        if not self._learner.batch.begun or self._learner.batch.seats[0] < 0:
            return ""
        try:
            self.game.legal_index(index)
        except IllegalAction as error:
            return str(error)
        return ""

    def _info(self, mask: Int8Array, over: bool) -> dict[str, Any]:
        if over:
            info = {name: values[0] for name, values in figures_of(self._learner, self._only_lane).items()}
        else:
            # Scalars do not change, so all infos may share them.
            info = self._no_figures.copy()
            for name in OF_ALL_SEATS:
                info[name] = info[name].copy()
        info["action_mask"] = mask
        info["seat"] = self._learner.seats[0]
        info["illegal"] = np.True_ if self._illegal_reason else np.False_
        return info

    @property
    def illegal_reason(self) -> str:
        """Reason why the last step's action was illegal; empty if it was legal."""
        return self._illegal_reason

    def action_masks(self) -> BoolArray:
        """Return the learner's legal actions, as sb3-contrib needs them: bool (A,)."""
        masks: BoolArray = self._learner.masks[0].astype(np.bool_)
        return masks

    @property
    def seat(self) -> int:
        """Seat of the learner in the current or last game."""
        return int(self._learner.batch.lanes.memory[0]["learner"])

    @property
    def game(self) -> Game:
        """Return a copy of the game with all hidden cards, for debugging. Do not give it to agents."""
        self._learner.check_begun()
        return self._learner.batch.rebuilt().copy()

    def record(self, agents: Sequence[str] = ()) -> Record:
        """Return the record of the current game, or of the last one until `reset`, with the moves of all seats.

        A game that an illegal action ended is recorded up to that action and has no result.

        Args:
            agents: names of the agents by seat.

        Raises:
            ThurnError: there is no game yet.
        """
        self._learner.check_begun()
        return self._learner.batch.rebuilt().record(agents)

    def view(self) -> View:
        """Return the learner's view, as agents with `act` take it."""
        return self._learner.view(0)

    def render(self) -> Rendered:
        """Render the table as the learner sees it, in the environment's render mode.

        With "human", `reset` and `step` update the window, too.

        Returns:
            text ("ansi", "svg") or pixels, uint8 (height, width, 3) ("rgb_array"); None with "human" or without a
            render mode.

        Raises:
            MissingExtra: "rgb_array" or "human" without the extra `render`.
            ThurnError: "human" without a display.
        """
        if self.render_mode is None:
            warn_of_no_mode()
            return None
        return self._renderer.render_learner(self.view())

    def close(self) -> None:
        """Close the window, if there is one, and end opponents that were given by spec, such as programs."""
        self._renderer.close()
        self._learner.close()
