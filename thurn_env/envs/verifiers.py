"""An environment for verifiers: games by text as tasks, for one seat against agents or for several seats.

verifiers finds environments as modules at the top level. Make one that exports the two classes:

    from thurn_env.envs.verifiers import TextEnv, TextTaskset

    __all__ = ["TextEnv", "TextTaskset"]
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any

from thurn_env.envs.text import TEXT, TRIES, TextGame
from thurn_env.errors import MissingExtra
from thurn_env.games import DEFAULT_GAME, make_rules
from thurn_env.games.contract import GameRules
from thurn_env.talk import briefing

try:
    import verifiers.v1 as vf
except ModuleNotFoundError as error:
    raise MissingExtra(f'the verifiers environment needs {error.name}: pip install "thurn-env[verifiers]"') from error

__all__ = ["TextData", "TextEnv", "TextEnvConfig", "TextTask", "TextTaskset", "TextTasksetConfig"]


class TextTasksetConfig(vf.TasksetConfig):
    """Games to play.

    Attributes:
        game: name of the game.
        board: name of the board; None for the game's default board.
        seats: `"text"` or the spec of an agent, for every seat.
        options: options of the game; None for the default ones.
        games: number of games.
        seed: seed of the first game; every further game has the next number.
        tries: answers to a decision before the seat forfeits the game.
        reward: "win" or "rank".
    """

    game: str = DEFAULT_GAME
    board: str | None = None
    seats: tuple[str, ...] = (TEXT, "heuristic")
    options: dict[str, Any] | None = None
    games: int = 100
    seed: int = 0
    tries: int = TRIES
    reward: str = "win"


class TextData(vf.TaskData):
    """A game: its seed, and the configuration of the games."""

    seed: int
    game: str
    board: str | None
    seats: tuple[str, ...]
    options: dict[str, Any]
    tries: int
    reward: str

    @property
    def rules(self) -> GameRules:
        """The rules of the game."""
        return make_rules(self.game, len(self.seats), self.board, **self.options)

    def text_game(self) -> TextGame:
        """Return the game at its beginning."""
        return TextGame(self.rules, self.seats, self.seed, self.tries, self.reward)


class TextTask(vf.Task[TextData, vf.State, vf.TaskConfig]):
    """A game as a task; the environment rewards it."""


class TextTaskset(vf.Taskset[TextTask, TextTasksetConfig]):
    """Games with seeds in a row."""

    def load(self) -> Iterator[TextTask]:
        """Yield the games. The rules in brief are the system prompt; positions come one by one as the user's turns."""
        config = self.config
        options = config.options or {}
        rules = make_rules(config.game, len(config.seats), config.board, **options)
        for number in range(config.games):
            seed = config.seed + number
            data = TextData(
                name=f"{rules.name}#{seed}",
                system_prompt=briefing(rules),
                seed=seed,
                game=config.game,
                board=config.board,
                seats=config.seats,
                options=options,
                tries=config.tries,
                reward=config.reward,
            )
            yield TextTask(data, config.task)


class TextEnvConfig(vf.EnvConfig):
    """The role `player` answers for every seat that is played by text; it only chats, so it needs no sandbox."""

    player: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime={"type": "subprocess"})


class TextEnv(vf.Env[TextEnvConfig]):
    """Plays a game: every seat that is played by text is an interaction of its own, which sees only its own prompts."""

    async def run(self, task: Any, agents: Any) -> None:
        """Play one game and record return, answers and illegal answers in the trace of every seat."""
        game = await asyncio.to_thread(task.data.text_game)
        async with AsyncExitStack() as stack:
            players = {
                seat: await stack.enter_async_context(agents.player.interaction(task)) for seat in game.text_seats
            }
            problem = ""
            while not game.over:
                segment = await players[game.seat].turn(f"{problem}\n{game.prompt(rules=False)}".lstrip())
                if segment.terminated:
                    # A limit of the run was reached.
                    game.forfeit()
                    break
                problem = await asyncio.to_thread(game.answer, segment.last_reply)
        rewards = game.rewards()
        for seat, interaction in players.items():
            interaction.trace.record_reward("return", rewards[seat])
            interaction.trace.record_metric("answers", float(game.answers[seat]))
            interaction.trace.record_metric("illegal_answers", float(game.illegal[seat]))
            interaction.trace.record_metric("forfeited", float(game.forfeited == seat))
