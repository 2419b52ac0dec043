"""Gymnasium vector environment for any game: many games in one call, one learner in each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from thurn_env.checks import array_of, checked_flag, checked_render_mode, checked_reset_options, quoted, whole
from thurn_env.engine.lanes import OVER, BoolArray
from thurn_env.envs.figures import Figures, figures_of, no_figures, with_masks
from thurn_env.envs.learner import ROTATE, LearnerBatch, Opponents
from thurn_env.envs.observations import OBSERVATION_FORMS, WHOLE_NUMBERS, Observation, learner_spaces
from thurn_env.envs.rendering import ALL_VECTOR_RENDER_MODES, RENDER_FPS, VECTOR_RENDER_MODES, Rendered, Renderer
from thurn_env.errors import OptionError
from thurn_env.games import DEFAULT_GAME
from thurn_env.games.contract import Float64Array, GameRules, Int64Array, RewardMode
from thurn_env.table.game import View
from thurn_env.table.lane_arguments import several_seeds

__all__ = ["LearnerVectorEnv"]


def checked_autoreset_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """Return an autoreset mode, given as mode or by name."""
    try:
        return AutoresetMode(mode)
    except ValueError:
        names = ", ".join(known.value for known in AutoresetMode)
        raise OptionError(f"autoreset_mode must be one of {names}, not {quoted(mode)}") from None


KEPT = ("seat", "illegal")
"""Figures that infos have for games that go on, too."""


class LearnerVectorEnv(VectorEnv[Any, Any, Any]):
    """N games with one learner each, stepped by compiled code.

    By default the next game begins in the step in which one ends (`AutoresetMode.SAME_STEP`): the observation is that
    of the new game, and `infos` has `final_obs` and `final_info` of the finished one. Game k of seed s equals that of
    the single environment with seed s + k, and so do the later games of its lane, unless an opponent with `act_batch`
    draws random numbers, which it does for all lanes together. Args and errors are those of `LearnerBatch`, and:

    Args:
        num_envs: number of games, N.
        observation: "flat" for float32 (N, O), "dict" for a dictionary of `observation` and `action_mask`, "int8" for
            integer counts (N, O), see `Batch`.
        copy: return new arrays. If False, the next call overwrites all arrays, which is faster.
        autoreset_mode: a mode of Gymnasium, or its name. `SAME_STEP` is described above. With `NEXT_STEP`, the step
            after an ending begins that lane's next game: it ignores the lane's action, the reward is 0, and the
            observation is that of the new game. With `DISABLED`, a finished game ignores actions until
            `reset(options={"reset_mask": ...})`; if all games are finished, `step` raises `ThurnError`. The action mask
            of a finished game is all zero.
        render_mode: "ansi" (text), "svg", "rgb_array" (pixels), or None.

    Attributes:
        rules: the rules, with the text of every action and the slices of the observation.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": VECTOR_RENDER_MODES,
        "render_fps": RENDER_FPS,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        game: str = DEFAULT_GAME,
        players: int = 2,
        board: Any = None,
        *,
        opponents: Opponents = "sensible-random",
        learner_seat: int | str = ROTATE,
        reward: RewardMode = "win",
        skip_forced: bool = True,
        shaping: float = 0.0,
        illegal: str = "penalise",
        observation: str = "flat",
        copy: bool = True,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        threads: int = 1,
        render_mode: str | None = None,
        rules: GameRules | None = None,
        **options: Any,
    ) -> None:
        self.render_mode = checked_render_mode(render_mode, ALL_VECTOR_RENDER_MODES)
        self._copy = checked_flag("copy", copy)
        mode = checked_autoreset_mode(autoreset_mode)
        self._same_step = mode == AutoresetMode.SAME_STEP
        self._next_step = mode == AutoresetMode.NEXT_STEP
        self.learner = LearnerBatch(
            num_envs,
            players,
            board,
            game=game,
            opponents=opponents,
            learner_seat=learner_seat,
            reward=reward,
            skip_forced=skip_forced,
            shaping=shaping,
            illegal=illegal,
            autoreset=self._same_step,
            observation=WHOLE_NUMBERS if observation == WHOLE_NUMBERS else "float32",
            threads=threads,
            rules=rules,
            **options,
        )
        self.metadata = {**self.metadata, "autoreset_mode": mode}
        self.num_envs = self.learner.batch.size
        self.rules = self.learner.rules
        self._renderer = Renderer(render_mode, self.rules.title, RENDER_FPS)
        space, actions = learner_spaces(self.rules, observation, (*OBSERVATION_FORMS, WHOLE_NUMBERS))
        self.single_observation_space, self.single_action_space = space, actions
        self.observation_space = batch_space(space, self.num_envs)
        self.action_space = batch_space(actions, self.num_envs)
        self._flat = observation != "dict"
        self._every = np.ones(self.num_envs, np.bool_)
        # The infos of games that go on, with their masks.
        self._no_figures = {**with_masks(no_figures(self.learner), self._every), "_action_mask": self._every}

    def __len__(self) -> int:
        return self.num_envs

    @property
    def autoreset_mode(self) -> AutoresetMode:
        """The autoreset mode, as in `metadata`."""
        mode: AutoresetMode = self.metadata["autoreset_mode"]
        return mode

    def _own(self, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        return array.copy() if self._copy else array

    def _observe(self) -> tuple[Observation, dict[str, Any]]:
        observations, masks = self._own(self.learner.observations), self._own(self.learner.masks)
        memory, seats = self.learner.batch.lanes.memory, self.learner.batch.seats
        infos = {name: self._own(array) for name, array in self._no_figures.items()} | {
            "action_mask": masks,
            "seat": memory["learner"].astype(np.int64),
            # A finished game keeps the entry of its last step.
            "illegal": (memory["illegal"] != 0) & (seats != OVER),
        }
        return (observations if self._flat else {"observation": observations, "action_mask": masks}), infos

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin new games.

        Args:
            seed: game k gets seed + k, or the k-th of a list; without a seed the next games follow from the last ones.
            options: `{"start_player": seat}` sets the start player; `{"reset_mask": mask}`, bool (N,), selects the
                games to reset. Other entries are ignored.

        Returns:
            observations, and infos as of `step`.
        """
        options = checked_reset_options(options)
        seeds = several_seeds(seed)
        if seeds is not None and any(item is None for item in seeds):
            if not all(item is None for item in seeds):
                raise OptionError("seeds must be given for all games or for none")
            seed = seeds = None
        mask = options.get("reset_mask")
        if mask is not None:
            mask = array_of(mask)
            # Zeros and ones could be numbers of games.
            if mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
                raise OptionError(f"reset_mask must be {self.num_envs} Boolean values")
            if seeds is not None:
                if len(seeds) != self.num_envs:
                    raise OptionError(f"{len(seeds)} seeds for {self.num_envs} games")
                seeds = [item for item, chosen in zip(seeds, mask, strict=True) if chosen]
        self.learner.reset(seed if seeds is None else seeds, mask, options.get("start_player"))  # type: ignore[arg-type]
        super().reset(seed=whole(seed))
        observations, infos = self._observe()
        infos["illegal"][:] = False
        return observations, infos

    def step(self, actions: Any) -> tuple[Observation, Float64Array, BoolArray, BoolArray, dict[str, Any]]:
        """Play an action in every game.

        Args:
            actions: integers (N,).

        Returns:
            observations; rewards, float64 (N,); terminations and truncations, bool (N,); and infos. They have the
            entries of the single environment's infos as arrays, in every step: `action_mask`, int8 (N, A); the
            learners' `seat`, int64 (N,); `illegal`, bool (N,); and the figures of games that ended, which are 0 for
            the others. Each has a mask of the games that it is for (`_seat` and so on), which are all. With
            `SAME_STEP` these are the infos of the new games; when games ended, `final_obs` (an object array) and
            `final_info` are the last observations and infos of the finished ones, with masks of these.
        """
        learner = self.learner
        learner.check_begun()
        # With `NEXT_STEP`, the games that this step replaces by new ones.
        over = (learner.batch.seats == OVER) & self._next_step
        if not over.all():
            learner.step(actions)
        if over.any():
            learner.reset(lanes=over)
        observations, infos = self._observe()
        ended = learner.ended
        if len(ended):
            final = self._final_info(ended, infos)
            if self._same_step:
                infos["illegal"][ended] = False
                infos |= self._finals(ended, final)
            else:
                infos |= with_masks(final, self._every)
        return (
            observations,
            self._own(learner.rewards),
            self._own(learner.terminated),
            self._own(learner.truncated),
            infos,
        )

    def _final_info(self, ended: Int64Array, infos: dict[str, Any]) -> Figures:
        """Return the figures of the games that ended; zeros for the others."""
        found = {}
        for name, values in figures_of(self.learner, ended).items():
            found[name] = infos[name] if name in KEPT and not self._same_step else np.zeros_like(infos[name])
            found[name][ended] = values
        return found

    def _finals(self, ended: Int64Array, figures: Figures) -> dict[str, Any]:
        """Return the last observations and infos of games whose lanes already hold new games."""
        observations = np.full(self.num_envs, None, dtype=object)
        # At the end the learner has no legal action.
        masks = np.zeros((self.num_envs, self.rules.action_size), np.int8)
        for lane, row in zip(ended, self.learner.final_observations(ended), strict=True):
            observations[lane] = row if self._flat else {"observation": row, "action_mask": masks[lane].copy()}
        flags = np.zeros(self.num_envs, np.bool_)
        flags[ended] = True
        infos = {"final_obs": observations, "final_info": with_masks(figures | {"action_mask": masks}, flags)}
        return with_masks(infos, flags)

    def action_masks(self) -> BoolArray:
        """Return the learners' legal actions: bool (N, A)."""
        return self.learner.masks.astype(np.bool_)

    def view(self, index: int) -> View:
        """Return the learner's view of one game."""
        return self.learner.view(index)

    def close_extras(self, **kwargs: Any) -> None:
        """End the opponents that have a `close` and were given by spec; `close` calls this once."""
        self.learner.close()

    def render(self) -> tuple[Rendered, ...] | None:  # type: ignore[override]
        """Render the tables as the learners see them, in the environment's render mode; None without one.

        Raises:
            MissingExtra: "rgb_array" without the extra `render`.
        """
        if self.render_mode is None:
            return None
        return tuple(self._renderer.render_learner(self.view(index)) for index in range(self.num_envs))
