"""PettingZoo AEC environment for any game: agents act in turn."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from thurn_env.checks import (
    checked_flag,
    checked_render_mode,
    checked_reset_options,
    checked_seed,
    checked_shaping,
    plain,
    quoted,
    whole,
)
from thurn_env.engine.generator import RESET_STREAM, derived_seed
from thurn_env.engine.kernels import copy_records
from thurn_env.envs.observations import Observation, observation_space
from thurn_env.envs.rendering import (
    ALL_RENDER_MODES,
    HUMAN,
    RENDER_FPS,
    RENDER_MODES,
    Rendered,
    Renderer,
    warn_of_no_mode,
)
from thurn_env.envs.saved import check_position
from thurn_env.errors import IllegalAction, OptionError, ThurnError
from thurn_env.games import chosen_rules
from thurn_env.games.contract import REWARD_MODES, Float32Array, GameRules, Int8Array, RewardMode, reward_mode
from thurn_env.games.engines import engine
from thurn_env.table.game import Game, View
from thurn_env.table.record import Record

__all__ = ["GameEnv"]


class GameEnv(AECEnv):  # type: ignore[misc]
    """A game as an AEC environment with one agent for every seat: `player_0`, `player_1`, ...

    Returned arrays are copies: they do not change later, and changing them does not affect the environment.

    Args:
        game: name of the game.
        players: number of players.
        board: name of a shipped board, path of a board file, or None for the game's default board.
        reward: reward mode: "win", "rank", "margin" or "score".
        skip_forced: play decisions with a single legal action automatically.
        shaping: weight of potential-based shaping rewards; 0 for none.
        observation: "dict" for a dictionary of `observation` and `action_mask`; "flat" for the vector alone, with the
            mask in `infos` only.
        render_mode: "ansi" (text), "svg", "rgb_array" (pixels), "human" (a window), or None.
        options: options of the game.

    Attributes:
        rules: the rules, with the text of every action and the slices of the observation.

    Raises:
        OptionError: unknown board, option or value, or wrong number of players.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "name": "game",
        "render_modes": RENDER_MODES,
        "render_fps": RENDER_FPS,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        game: str,
        players: int = 2,
        board: Any = None,
        *,
        reward: RewardMode = "win",
        skip_forced: bool = True,
        shaping: float = 0.0,
        observation: str = "dict",
        render_mode: str | None = None,
        rules: GameRules | None = None,
        **options: Any,
    ) -> None:
        self._mode = reward_mode(reward)
        self.rules = chosen_rules(rules, game, players, board, options, only_game=game)
        self.skip_forced = checked_flag("skip_forced", skip_forced)
        self.shaping = checked_shaping(shaping)
        self.render_mode = checked_render_mode(render_mode, ALL_RENDER_MODES)
        self._renderer = Renderer(render_mode, self.rules.title, self.metadata["render_fps"])

        self.possible_agents = [f"player_{seat}" for seat in range(self.rules.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.action_spaces = {agent: spaces.Discrete(self.rules.action_size) for agent in self.possible_agents}
        self.observation_spaces = {agent: observation_space(self.rules, observation) for agent in self.possible_agents}
        self._flat = observation == "flat"
        self.state_space = spaces.Box(-1, 1, (self.rules.state_vector_size,), np.float32)

        self._first_seed: int | None = None
        self._resets = 0
        self._states = self.rules.new_states(1)
        self._mask: Int8Array = np.zeros(self.rules.action_size, np.int8)
        self._observation: Float32Array = np.zeros(self.rules.observation_size, np.float32)
        # The agent to move; None when the game is over or has not begun.
        self._mover: str | None = None
        self._seed: int | None = None
        self._start_player: int | None = None
        self._actions: list[int] = []
        # The same game with all its moves, made lazily: it lags behind and plays `_actions` from `_replayed` on when
        # needed.
        self._game: Game | None = None
        self._replayed = 0
        self._begin([])

    def _begin(self, agents: list[str]) -> None:
        """Set PettingZoo's attributes for these agents."""
        self.agents = agents
        self.agent_selection = self.possible_agents[0]
        self._skip_agent_selection: str | None = None
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: self._info() for agent in agents}
        self._potentials = np.zeros(self.rules.players)

    def _info(self) -> dict[str, Any]:
        """Return the `infos` entry of an agent that is not to move."""
        return {"action_mask": np.zeros(self.rules.action_size, np.int8)}

    def renew_info(self) -> None:
        """Give the agent to move an `infos` entry with its true mask, whatever became of the last one."""
        if self._mover is not None:
            self.infos[self._mover] = {"action_mask": self._mask.copy()}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations.

        They are a Dict of `observation`, float32 (observation_size,), and `action_mask`, int8 (actions,); with
        `observation="flat"` a Box, float32 (observation_size,).
        """
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return a Discrete space of action indices."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game.

        Args:
            seed: the game is that of `Game(seed=seed)`. Without a seed the game follows from the last seed given, or
                from fresh entropy if there was none.
            options: `{"start_player": seat}` sets the start player; other entries are ignored.

        Raises:
            OptionError: the seed is not an integer from 0 up, or there is no such seat.
        """
        first, resets = self._first_seed, self._resets + 1
        if seed is not None or first is None:
            first, resets = checked_seed(seed), 0
        game_seed = first
        if resets:
            game_seed = derived_seed(first, RESET_STREAM, resets)
        start_player = plain(checked_reset_options(options).get("start_player"))
        self._game = Game.from_rules(self.rules, game_seed, start_player)
        self._states = copy_records(self._game.states)
        self._first_seed, self._resets = first, resets
        self._seed, self._start_player = game_seed, start_player
        self._actions, self._replayed = [], 0
        self._begin(self.possible_agents[:])
        seat = self.rules.step(self._states, 0, -1, self.skip_forced, self._mask, self._observation)
        self._select(seat)
        self._show()

    def _show(self) -> None:
        """Update the window if `render_mode` is "human".

        After a failure there is no game until the next `reset`, since the caller may believe that nothing was played.
        """
        if self.render_mode == HUMAN:
            try:
                self.render()
            except BaseException:
                self._begin([])
                self._mover = self._seed = None
                raise

    def _select(self, seat: int) -> None:
        """Make `seat` the agent to move; a negative seat means that the game is over."""
        if seat >= 0:
            self._mover = self.agent_selection = self.possible_agents[seat]
            self.renew_info()
        else:
            ends = self.truncations if self.rules.truncated(self._states, 0) else self.terminations
            ends.update(dict.fromkeys(self.agents, True))
            self._deads_step_first()

    def _deads_step_first(self) -> str:
        """End the game for all agents. PettingZoo's wrapper also calls this after an illegal action."""
        self._mover = None
        self._take_shaping_back()
        self.infos = {agent: self._info() for agent in self.agents}
        return cast(str, super()._deads_step_first())

    def step(self, action: int | None) -> None:
        """Play the action of `agent_selection`, then forced decisions if `skip_forced` is set.

        Args:
            action: index of a legal action; None for an agent whose game is over.

        Raises:
            IllegalAction: there is no such action, it is not legal now, or there is no game; nothing has changed.
            ValueError: an action other than None for an agent whose game is over.
        """
        mover = self._mover
        if mover is None:
            if not self.agents:
                raise IllegalAction("the game is over or has not begun: call reset()")
            self._was_dead_step(action)
            return
        index = self._legal_index(action)
        seat = self.rules.step(self._states, 0, index, self.skip_forced, self._mask, self._observation)
        self._actions.append(index)
        if seat != self._seats[mover]:
            self.infos[mover] = self._info()
        self._cumulative_rewards[mover] = 0.0
        if seat < 0 or self.shaping:
            self._reward(seat < 0)
        self._select(seat)
        self._show()

    def _legal_index(self, action: int | None) -> int:
        """Return the action as a plain int; raise `IllegalAction` with the reason if it is not legal."""
        index = whole(action)
        if index is None:
            raise IllegalAction(f"an action is a whole number, not {quoted(action)}")
        if 0 <= index < len(self._mask) and self._mask[index]:
            return index
        return self._current_game().legal_index(index)

    def _reward(self, over: bool) -> None:
        """Set the rewards of a step: the return if the game is over, and the change of the potentials."""
        gains = self.rules.rewards(self._states, 0, self._mode) if over else np.zeros(self.rules.players)
        if self.shaping:
            potentials = self.rules.potentials(self._states, 0)
            gains += self.shaping * (potentials - self._potentials)
            self._potentials = potentials
        self.rewards = dict(zip(self.possible_agents, gains.tolist(), strict=True))
        self._accumulate_rewards()

    def _take_shaping_back(self) -> None:
        """Take shaping rewards back when a game ends early: its potentials count as 0, as at every end."""
        for agent, potential in zip(self.possible_agents, self._potentials.tolist(), strict=True):
            self.rewards[agent] -= self.shaping * potential
            self._cumulative_rewards[agent] -= self.shaping * potential
        self._potentials = np.zeros(self.rules.players)

    def observe(self, agent: str) -> Observation:
        """Return an agent's observation as new arrays; the mask is all zero unless the agent is to move."""
        if agent == self._mover:
            observation, mask = self._observation.copy(), self._mask.copy()
        else:
            observation, mask = np.zeros_like(self._observation), np.zeros_like(self._mask)
            self._check_begun()
            self.rules.observe(self._states, 0, self._seat(agent), observation)
        return observation if self._flat else {"observation": observation, "action_mask": mask}

    def state(self) -> Float32Array:
        """Return the full state including all hands, from seat 0 on: float32 (state_vector_size,)."""
        self._check_begun()
        return self.rules.state_vector(self._states, 0)

    def render(self) -> Rendered:
        """Render the table as the player to move sees it, in the environment's render mode.

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
        return self._renderer.render(self.view())

    def close(self) -> None:
        """Close the window, if there is one."""
        self._renderer.close()

    def _check_begun(self) -> None:
        if self._seed is None:
            raise ThurnError("there are no games yet: call reset()")

    def _current_game(self) -> Game:
        """Return the game after all moves, including those played automatically."""
        self._check_begun()
        if self._game is None:
            self._game, self._replayed = Game.from_rules(self.rules, self._seed, self._start_player), 0
        self._play_forced(self._game)
        for action in self._actions[self._replayed :]:
            self._game.play(action)
            self._play_forced(self._game)
        self._replayed = len(self._actions)
        return self._game

    def _play_forced(self, game: Game) -> None:
        while self.skip_forced and len(game.legal_actions) == 1:
            game.play(int(game.legal_actions[0]))

    def _seat(self, agent: str) -> int:
        if not isinstance(agent, str) or agent not in self._seats:
            raise OptionError(f"there is no agent {quoted(agent)}; the agents are {', '.join(self._seats)}")
        return self._seats[agent]

    def view(self, agent: str | None = None) -> View:
        """Return the view of an agent, as scripted agents take it; None for the agent to move."""
        return self._current_game().view(None if agent is None else self._seat(agent))

    @property
    def game(self) -> Game:
        """Return a copy of the game with all hidden cards, for debugging. Do not give it to agents."""
        return self._current_game().copy()

    def record(self, agents: Sequence[str] = ()) -> Record:
        """Return the record of the game so far, forced moves included; `agents` are names by seat."""
        return self._current_game().record(agents)

    def clone(self) -> GameEnv:
        """Return an independent copy in the same position; equivalent to `copy.deepcopy`."""
        return copy.deepcopy(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> GameEnv:
        memo[id(self.rules)] = self.rules  # constant, so it is shared
        twin = type(self).__new__(type(self))
        twin.__dict__ = copy.deepcopy(self.__dict__, memo)
        return twin

    def get_state(self) -> dict[str, Any]:
        """Return the position as plain values, which can be pickled; see `set_state`.

        It holds all hidden and future cards, and all rewards not yet delivered.
        """
        self._check_begun()
        return {
            "arguments": self._arguments(),
            "first_seed": self._first_seed,
            "resets": self._resets,
            "seed": self._seed,
            "start_player": self._start_player,
            "actions": self._actions.copy(),
            "states": self._states.tobytes(),
            "agents": self.agents.copy(),
            "agent_selection": self.agent_selection,
            "skip_agent_selection": self._skip_agent_selection,
            "rewards": dict(self.rewards),
            "cumulative_rewards": dict(self._cumulative_rewards),
            "terminations": dict(self.terminations),
            "truncations": dict(self.truncations),
            "potentials": self._potentials.tolist(),
        }

    def set_state(self, state: dict[str, Any]) -> None:
        """Restore a position of `get_state`, taken from this environment or one made with the same arguments.

        Raises:
            OptionError: it is no such position, or is from an environment made with other arguments or another version;
                nothing has changed.
        """
        check_position(state, self._arguments(), self.possible_agents, self._states.nbytes)
        self._first_seed, self._resets = state["first_seed"], state["resets"]
        self._seed, self._start_player = state["seed"], state["start_player"]
        self._actions = state["actions"].copy()
        self._game = None
        self._states.view(np.uint8)[:] = np.frombuffer(state["states"], np.uint8)
        self._begin(state["agents"].copy())
        self.rewards = dict(state["rewards"])
        self._cumulative_rewards = dict(state["cumulative_rewards"])
        self.terminations = dict(state["terminations"])
        self.truncations = dict(state["truncations"])
        self._potentials = np.array(state["potentials"])
        seat = self.rules.step(self._states, 0, -1, False, self._mask, self._observation)
        if not any(self.terminations.values()) and not any(self.truncations.values()) and seat >= 0:
            self._select(seat)
        else:
            self._mover = None
        self.agent_selection = state["agent_selection"]
        self._skip_agent_selection = state["skip_agent_selection"]

    def _arguments(self) -> dict[str, Any]:
        """Return all that affects play and rewards, as plain values."""
        return {
            "engine": engine(self.rules.name),
            "game": self.rules.name,
            "board": self.rules.board_name,
            "board_digest": self.rules.board_digest,
            "players": self.rules.players,
            "options": dict(self.rules.options),
            "reward": REWARD_MODES[self._mode],
            "skip_forced": self.skip_forced,
            "shaping": self.shaping,
        }
