"""Stable-Baselines3 `VecEnv` for any game, stepped by compiled code."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from thurn_env.checks import checked_render_mode, checked_seed
from thurn_env.engine.lanes import BoolArray
from thurn_env.envs.learner import ROTATE, LearnerBatch, Opponent, Opponents
from thurn_env.envs.observations import WHOLE_NUMBERS, learner_spaces
from thurn_env.envs.rendering import ALL_VECTOR_RENDER_MODES, HUMAN, RENDER_FPS, Rendered, Renderer
from thurn_env.envs.self_play import SELF, PolicySnapshot
from thurn_env.errors import MissingExtra, OptionError
from thurn_env.games import DEFAULT_GAME
from thurn_env.games.contract import Float32Array, GameRules, RewardMode
from thurn_env.show.pixels import UInt8Array
from thurn_env.table.game import View

__all__ = ["LearnerVecEnv"]

try:
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import (
        VecCheckNan,
        VecEnv,
        VecEnvWrapper,
        VecMonitor,
        VecNormalize,
        VecVideoRecorder,
    )
    from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn, tile_images
except ModuleNotFoundError as error:
    raise MissingExtra(
        'the Stable-Baselines3 environment needs stable-baselines3: pip install "thurn-env[train]"'
    ) from error


def _keeps_observations(wrapper: VecEnvWrapper) -> bool:
    """Return whether a wrapper is known to pass observations on unchanged."""
    if isinstance(wrapper, VecNormalize):
        return not wrapper.norm_obs
    return isinstance(wrapper, VecMonitor | VecCheckNan | VecVideoRecorder)


class LearnerVecEnv(VecEnv):
    """N games with one learner each, for Stable-Baselines3 and sb3-contrib.

    Get action masks by `env_method("action_masks")`, as sb3-contrib does, or for all games by `action_masks()`. Ended
    games are reported as `Monitor` does, so no monitor is needed. Args and errors are those of `LearnerBatch`, and:

    Args:
        num_envs: number of games, N.
        opponents: as in `LearnerBatch`, or "self": a snapshot of the learner, see `refresh_opponents`.
        observation: "flat" for float32 (N, O), "int8" for integer counts (N, O), see `Batch`.
        seed: game k gets seed + k; None takes fresh entropy. `seed()` changes it later.
        render_mode: "ansi" (text), "svg", "rgb_array" (pixels), or None.

    Attributes:
        rules: the rules, with the text of every action and the slices of the observation.
        learner: the games.

    Example:
        >>> from sb3_contrib import MaskablePPO
        >>> env = LearnerVecEnv(8, board="tiny", opponents="random", seed=1)
        >>> model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=64, n_epochs=1, seed=1).learn(128)
    """

    def __init__(
        self,
        num_envs: int,
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
        threads: int = 1,
        seed: int | None = None,
        render_mode: str | None = None,
        rules: GameRules | None = None,
        **options: Any,
    ) -> None:
        self.render_mode = checked_render_mode(render_mode, ALL_VECTOR_RENDER_MODES)
        self.snapshot: PolicySnapshot | None = None
        self._warned = False
        self.learner = LearnerBatch(
            num_envs,
            players,
            board,
            game=game,
            opponents=self._with_snapshot(opponents),
            learner_seat=learner_seat,
            reward=reward,
            skip_forced=skip_forced,
            shaping=shaping,
            illegal=illegal,
            autoreset=True,
            observation=WHOLE_NUMBERS if observation == WHOLE_NUMBERS else "float32",
            threads=threads,
            rules=rules,
            **options,
        )
        self.rules = self.learner.rules
        self._renderer = Renderer(render_mode, self.rules.title, RENDER_FPS)
        space, actions = learner_spaces(self.rules, observation, ("flat", WHOLE_NUMBERS))
        super().__init__(self.learner.batch.size, space, actions)
        # Video recorders read `render_fps`.
        self.metadata: dict[str, Any] = {**self.metadata, "render_fps": RENDER_FPS}
        self._actions: Any = None
        self._start = time.perf_counter()
        if seed is not None:
            self.seed(seed)

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Set the seeds of the next `reset`: game k gets seed + k. None takes a fresh seed."""
        return super().seed(None if seed is None else checked_seed(seed))

    def _with_snapshot(self, opponents: Opponents) -> Opponents:
        """Return the opponents, with one shared snapshot in place of every "self"."""
        row: Iterable[Opponent] = (
            [opponents] if isinstance(opponents, str) or not isinstance(opponents, Sequence) else opponents
        )
        row = list(row)
        if SELF in row:
            self.snapshot = PolicySnapshot()
            row = [self.snapshot if opponent == SELF else opponent for opponent in row]
        return row

    def refresh_opponents(self, model: Any) -> None:
        """Replace the policy of the "self" opponents by a copy of this model.

        Before the first call they play at random. Opponents see the observations of the games: if wrappers change the
        model's observations, the opponents play from inputs that the model was not trained on. A warning says so once.

        Args:
            model: a `MaskablePPO`, or its policy.

        Raises:
            OptionError: no opponent is "self", or the model does not accept action masks.
        """
        if self.snapshot is None:
            raise OptionError('no opponent is a snapshot: make the environment with opponents="self"')
        self.snapshot.refresh(model)
        self._warn_of_wrappers(model)

    def _warn_of_wrappers(self, model: Any) -> None:
        """Warn once if the model sees other observations than the snapshots."""
        env = model.get_env() if hasattr(model, "get_env") else None
        names = []
        while isinstance(env, VecEnvWrapper):
            if not _keeps_observations(env):
                names.append(type(env).__name__)
            env = env.venv
        if names and not self._warned:
            self._warned = True
            warnings.warn(
                f"{', '.join(names)} may change the observations of the model, but the opponents called {SELF!r} see "
                "those of the games and would then play badly. Keep the observations unchanged, for example with "
                "VecNormalize(env, norm_obs=False): all values lie between -1 and 1",
                stacklevel=3,
            )

    def reset(self) -> Float32Array:
        """Begin new games: those of the seeds given by `seed()`, else the next ones.

        Returns:
            observations, (N, O).
        """
        seeds = [seed for seed in self._seeds if seed is not None]
        if seeds and len(seeds) != self.num_envs:
            raise OptionError("seeds must be given for all games or for none")
        starts = {options.get("start_player") for options in self._options}
        if len(starts) > 1:
            raise OptionError("start_player must be the same in all games")
        # Also after an error: nobody could reset these games any more.
        self._reset_seeds()
        self._reset_options()
        self.learner.reset(seeds or None, start_player=starts.pop() if starts else None)
        return self.learner.observations.copy()

    def step_async(self, actions: Any) -> None:
        """Store the actions of the next step."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Play the stored actions.

        Returns:
            observations (N, O); rewards, float32 (N,); dones, bool (N,); and for every game an info, which is empty
            unless the game ended: then it has `episode` (`r`, `l`, `t`), `terminal_observation`, `truncated`, and the
            statistics of `LearnerBatch.final_figures`. `TimeLimit.truncated` is always False: a truncated game has paid
            its return, so the value of its last position must not be added.
        """
        learner = self.learner
        learner.step(self._actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        ended = learner.ended
        if len(ended):
            self._fill_infos(infos, ended)
        dones = learner.terminated | learner.truncated
        return learner.observations.copy(), learner.rewards.astype(np.float32), dones, infos

    def _fill_infos(self, infos: list[dict[str, Any]], ended: Any) -> None:
        seconds = round(time.perf_counter() - self._start, 6)
        figures = {name: values.tolist() for name, values in self.learner.final_figures(ended).items()}
        observations = self.learner.final_observations(ended)
        truncated = self.learner.truncated[ended].tolist()
        for position, lane in enumerate(ended):
            own = {name: values[position] for name, values in figures.items()}
            infos[lane] = {
                **own,
                "episode": {"r": own["return"], "l": own["decisions"], "t": seconds},
                "terminal_observation": observations[position],
                "TimeLimit.truncated": False,
                "truncated": truncated[position],
            }

    def close(self) -> None:
        """Close the window, if there is one, and end opponents that were given by spec, such as programs."""
        self._renderer.close()
        self.learner.close()

    def view(self, index: int) -> View:
        """Return the learner's view of one game."""
        return self.learner.view(index)

    def render(self, mode: str | None = None) -> Any:
        """Render the tables as the learners see them.

        Args:
            mode: None or the environment's render mode; with "rgb_array" also "human".

        Returns:
            with "rgb_array" one image of all games, uint8 (height, width, 3); with "ansi" or "svg" a tuple of texts;
            None with "human", which opens a window, and without a render mode.

        Raises:
            MissingExtra: "rgb_array" or "human" without the extra `render`.
            ThurnError: "human" without a display, or there is no game yet.
        """
        if self.render_mode in ("ansi", "svg") and mode in (None, self.render_mode):
            return tuple(self._rendered(range(self.num_envs)))
        if self.render_mode == "rgb_array" and mode == HUMAN:
            # The base class would need OpenCV.
            self._renderer.show(tile_images(self.get_images()))  # type: ignore[arg-type]
            return None
        return super().render(mode)

    def get_images(self) -> list[UInt8Array | None]:
        """Return the pixels of every game, uint8 (height, width, 3); None for each unless in mode "rgb_array"."""
        if self.render_mode != "rgb_array":
            return [None] * self.num_envs
        return self._rendered(range(self.num_envs))  # type: ignore[return-value]

    def _rendered(self, indices: Iterable[int]) -> list[Rendered]:
        if self.render_mode is None:
            return [None for _ in indices]
        return [self._renderer.render_learner(self.view(index)) for index in indices]

    def action_masks(self) -> BoolArray:
        """Return the learners' legal actions: bool (N, A)."""
        masks: BoolArray = self.learner.masks.astype(np.bool_)
        return masks

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> list[Any]:
        """Call `action_masks` or `render` for the chosen games; other methods are not available."""
        chosen = list(self._get_indices(indices))
        if method_name == "action_masks":
            return list(self.action_masks()[chosen])
        if method_name == "render":
            return self._rendered(chosen)
        raise AttributeError(f"the games have no method {method_name!r}, only action_masks and render")

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Return an attribute of the environment once for each of the chosen games."""
        value = getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Set an attribute for all games; it cannot be set for some of them."""
        if len(list(self._get_indices(indices))) != self.num_envs:
            raise OptionError("attributes can only be set for all games")
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: type[Any], indices: VecEnvIndices = None) -> list[bool]:
        """Return True for `Monitor`, since this class reports what `Monitor` does, else False."""
        return [issubclass(wrapper_class, Monitor) for _ in self._get_indices(indices)]
