"""An environment for TextArena: all seats of a game by text."""

from __future__ import annotations

from typing import Any

from thurn_env.envs.text import TEXT, TRIES, TextGame
from thurn_env.errors import MissingExtra
from thurn_env.games import DEFAULT_GAME, make_rules
from thurn_env.talk import briefing

try:
    import textarena
except ModuleNotFoundError as error:
    raise MissingExtra(f'the TextArena environment needs {error.name}: pip install "thurn-env[textarena]"') from error

__all__ = ["TextArenaGame"]


class TextArenaGame(textarena.Env):
    """A game in which TextArena's agents play all seats.

    Register it with `textarena.register("Thurn-v0", TextArenaGame, game="thurn_und_taxis")`.

    Args:
        game: name of the game.
        board: board of the game; None for its default board.
        tries: answers to a decision before the seat forfeits the game.
        reward: "win" or "rank".
        options: options of the game.
    """

    def __init__(
        self, game: str = DEFAULT_GAME, board: Any = None, tries: int = TRIES, reward: str = "win", **options: Any
    ) -> None:
        super().__init__()
        self._table = (game, board, options)
        self._tries, self._reward = tries, reward

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Begin a game."""
        game, board, options = self._table
        self.rules = make_rules(game, num_players, board, **options)
        self.game = TextGame(self.rules, [TEXT] * num_players, seed, self._tries, self._reward)
        self.state = textarena.FFAMultiPlayerState(num_players, seed, error_allowance=self._tries - 1)
        self.state.reset(game_state={}, player_prompt_function=lambda player_id, game_state: briefing(self.rules))
        self._show_position()

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Take the answer of the player to move."""
        kinds = textarena.ObservationType
        mover = self.game.seat
        self.state.add_observation(action, kinds.PLAYER_ACTION, from_id=mover, to_id=mover)
        problem = self.game.answer(action)
        if self.game.over:
            for seat in range(self.rules.players):
                self.state.add_observation(self.game.result(seat), kinds.GAME_ADMIN, to_id=seat)
            rewards = dict(enumerate(self.game.rewards()))
            self.state.set_game_outcome(rewards, problem or "the game is over")
            if self.game.forfeited is not None:
                self.state.game_info[mover]["invalid_move"] = True
        elif problem:
            self.state.set_invalid_move(problem)
        else:
            self._show_position()
        done, info = self.state.step(rotate_player=False)
        return bool(done), dict(info)

    def _show_position(self) -> None:
        """Show the player to move its position."""
        self.state.manually_set_current_player_id(self.game.seat)
        self.state.add_observation(
            self.game.prompt(rules=False), textarena.ObservationType.GAME_BOARD, to_id=self.game.seat
        )
