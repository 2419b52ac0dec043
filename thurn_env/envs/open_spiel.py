"""The games in OpenSpiel. Importing this module registers them; it needs the extra `openspiel`.

    import pyspiel
    import thurn_env.envs.open_spiel

    game = pyspiel.load_game("thurn_und_taxis(players=2,board=tiny,max_rounds=20)")

Every game of this package is registered under its name. Its parameters are `players`, `board` (a name, or the path of a
file; empty for the usual board), `start_player` (-1: chance chooses), `reward` ("win" or "rank"), `skip_forced`, and
the options of the game.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from thurn_env.checks import checked_choice
from thurn_env.envs.open_spiel_extra import pyspiel
from thurn_env.errors import OptionError
from thurn_env.games import GAMES, make_rules
from thurn_env.games.contract import Shown
from thurn_env.table.position import Position
from thurn_env.table.seen import observed

__all__ = ["OpenSpielGame", "OpenSpielState", "register"]

ZERO_SUM_REWARDS = ("win", "rank")
"""Reward modes with utilities from -1 to 1 that add up to 0; the others have no bounds."""
CHANCE_CHOOSES = -1
"""Value of `start_player` that makes the start player an outcome of chance."""


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its board, options and number of players. Make it with `pyspiel.load_game`.

    Args:
        params: parameters by name; missing ones have their defaults.

    Attributes:
        game_type: OpenSpiel's description of the game.
        rules: the rules.
        reward: reward mode of the utilities.
        first: the position before the cards are dealt.

    Raises:
        OptionError: a parameter is not valid.
    """

    game_type: ClassVar[Any]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**self.game_type.parameter_specification, **(params or {})}
        options = {name: value for name, value in given.items() if name not in COMMON}
        self.rules = make_rules(self.game_type.short_name, given["players"], given["board"] or None, **options)
        self.reward = given["reward"]
        checked_choice("reward", self.reward, ZERO_SUM_REWARDS)
        start_player = None if given["start_player"] == CHANCE_CHOOSES else given["start_player"]
        self.first = Position(self.rules, start_player, given["skip_forced"])
        facts = pyspiel.GameInfo(
            num_distinct_actions=self.rules.action_size,
            max_chance_outcomes=len(self.first.outcomes),
            num_players=self.rules.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=most_decisions(self.rules),
        )
        super().__init__(self.game_type, facts, params or {})

    def new_initial_state(self) -> OpenSpielState:
        """Return the state before the cards are dealt."""
        return OpenSpielState(self)

    def make_py_observer(self, kind: Any = None, parameters: Any = None) -> SeatObserver:
        """Return an observer of states; `kind` selects observations or information states."""
        return SeatObserver(self.rules, kind, parameters)

    def __reduce__(self) -> tuple[Any, ...]:
        return _load, (self.game_type.short_name, self.get_parameters())


def _load(name: str, parameters: dict[str, Any]) -> Any:
    """Return a game; pickles name this function, so that loading one registers the games."""
    return pyspiel.load_game(name, parameters)


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    """A state of a game, made by `OpenSpielGame.new_initial_state`.

    While chance draws cards for an action, the observations of all seats are those before the action.

    Attributes:
        position: the position, with the whole game and its views.
    """

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self.position = game.first
        self._reward = game.reward

    def __deepcopy__(self, memo: dict[int, Any]) -> OpenSpielState:
        twin: OpenSpielState = self.clone()
        return twin

    def current_player(self) -> int:
        """Return the seat to move, or the number that stands for chance or for the end."""
        position = self.position
        if position.chance:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if position.over else position.seat

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal_actions if player == self.current_player() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the possible outcomes with their probabilities."""
        return list(self.position.chance.items())

    def _apply_action(self, action: int) -> None:
        self.position = self.position.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        texts = self.position.outcomes if player == pyspiel.PlayerId.CHANCE else self.position.rules.action_texts
        return texts[action]

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.position.over

    def returns(self) -> list[float]:
        """Return the utility of every seat; 0 before the end."""
        return self.position.returns(self._reward)

    def __str__(self) -> str:
        """Return the table with all hands as text."""
        return str(self.position)


class SeatObserver:
    """What a seat observes. The tensor is its observation vector, and the string of an information state is its log.

    Args:
        rules: the rules.
        kind: OpenSpiel's type of observations; None for observations.
        parameters: none are supported.

    Attributes:
        tensor: float32 (observation_size,); None for information states.
        dict: the named pieces of `tensor`, which share its memory.

    Raises:
        OptionError: the kind is not supported.
    """

    def __init__(self, rules: Shown, kind: Any = None, parameters: Any = None) -> None:
        if parameters:
            raise OptionError(f"observers of {rules.title} have no parameters; given: {', '.join(parameters)}")
        self._whole_past = kind is not None and kind.perfect_recall
        if kind is not None and not (kind.public_info and kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER):
            raise OptionError("an observer sees all public information and the private information of one seat")
        self._rules = rules
        self.tensor: np.ndarray[Any, Any] | None = None
        self.dict: dict[str, np.ndarray[Any, Any]] = {}
        if not self._whole_past:
            self.tensor = np.zeros(rules.observation_size, np.float32)
            for name, place in rules.observation_slices.items():
                self.dict[name] = self.tensor[place].reshape(rules.observation_shapes[name])

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Write the observation of a seat into `tensor`."""
        if self.tensor is not None:
            position = state.position
            self.tensor[:] = observed(self._rules, position.states, player) if position.dealt else 0

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Return the log of a seat, or its observation as text."""
        if self._whole_past:
            return state.position.information_state(player)
        return state.position.seen.observation_text(player)


COMMON: dict[str, Any] = {
    "players": 2,
    "board": "",
    "start_player": CHANCE_CHOOSES,
    "reward": "win",
    "skip_forced": True,
}
"""Parameters of all games with their defaults."""


def most_decisions(rules: Shown) -> int:
    """Return an upper bound of the decisions of a game: no turn has more than there are actions and cards."""
    cards = len(rules.new_states(1)[0]["deck"])
    # One more round for the decisions before the first turn.
    return rules.players * (int(rules.options["max_rounds"]) + 1) * (rules.action_size + cards)


def register(name: str) -> None:
    """Register a game with OpenSpiel.

    Args:
        name: name of the game.
    """
    rules = make_rules(name, 2)
    game_type = pyspiel.GameType(
        short_name=name,
        long_name=rules.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(rules.player_numbers),
        min_num_players=min(rules.player_numbers),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={**COMMON, **rules.options},
    )
    # A class, not a partial function: OpenSpiel drops its reference after Python has ended, when only an object that
    # other objects keep alive, as every class is, does no harm.
    pyspiel.register_game(game_type, type(name, (OpenSpielGame,), {"game_type": game_type}))


for _name in GAMES:
    register(_name)
