"""An environment for OpenEnv: a game by text, for one seat against agents or for several seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from thurn_env import __version__
from thurn_env.checks import quoted
from thurn_env.envs.text import TEXT, TRIES, TextGame
from thurn_env.errors import MissingExtra, OptionError, ThurnError
from thurn_env.games import DEFAULT_GAME, make_rules
from thurn_env.talk import briefing

try:
    from openenv.core.env_server import Action, Environment, Observation, State, create_app
    from openenv.core.env_server.types import EnvironmentMetadata
except ModuleNotFoundError as error:
    raise MissingExtra(f'the OpenEnv environment needs {error.name}: pip install "thurn-env[openenv]"') from error

__all__ = ["TextAction", "TextEnvironment", "TextObservation", "TextState", "make_app"]


class TextAction(Action):
    """An answer to a prompt: a legal action, its number, or a text that names it."""

    text: str


class TextObservation(Observation):
    """What the seat to answer gets; `done` and `reward` are OpenEnv's.

    Attributes:
        prompt: the prompt; after the end, the result.
        seat: seat that the prompt is for.
        legal: legal actions.
        problem: why the last answer was not accepted; empty if it was.
        rewards: rewards of all seats; empty before the end.
    """

    prompt: str
    seat: int
    legal: tuple[str, ...] = ()
    problem: str = ""
    rewards: tuple[float, ...] = ()


class TextState(State):
    """The public facts of an episode; hidden cards and seeds are not among them."""

    game: str = ""
    board: str = ""
    seats: tuple[str, ...] = ()
    answers: tuple[int, ...] = ()
    illegal: tuple[int, ...] = ()


class TextEnvironment(Environment[TextAction, TextObservation, TextState]):
    """A game by text.

    With several seats played by text, each observation is for the seat that has to answer next; `reward` is that of the
    seat that has just answered.

    Args:
        game: name of the game.
        board: board of the game; None for its default board.
        seats: `"text"` or the spec of an agent, for every seat.
        tries: answers to a decision before the seat forfeits the game.
        reward: "win" or "rank".
        rules: whether every prompt begins with the rules in brief; otherwise only the first of an episode does.
        options: options of the game.

    Raises:
        OptionError: a value is wrong.
        AgentError: an agent does not exist or does not play this game.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(
        self,
        game: str = DEFAULT_GAME,
        board: Any = None,
        seats: Sequence[str] = (TEXT, "heuristic"),
        tries: int = TRIES,
        reward: str = "win",
        rules: bool = False,
        **options: Any,
    ) -> None:
        super().__init__()
        if isinstance(seats, str):
            raise OptionError(f"seats must be a list with an agent or {TEXT!r} for every seat, not {quoted(seats)}")
        self._rules = make_rules(game, len(seats), board, **options)
        self._seats = tuple(seats)
        self._tries, self._reward, self._always_rules = tries, reward, rules
        self._episode: str | None = None
        self._steps = 0
        self._game = TextGame(self._rules, self._seats, None, tries, reward)

    def reset(self, seed: int | None = None, episode_id: str | None = None, **kwargs: Any) -> TextObservation:
        """Begin a game and return its first observation."""
        self._episode, self._steps = episode_id, 0
        self._game = TextGame(self._rules, self._seats, seed, self._tries, self._reward)
        return self._observation(self._game.seat, "", rules=True)

    def step(self, action: TextAction, timeout_s: float | None = None, **kwargs: Any) -> TextObservation:
        """Take an answer and return the next observation; an answer that is not accepted changes nothing."""
        if self._game.over:
            raise ThurnError("the game is over; call reset")
        seat = self._game.seat
        problem = self._game.answer(action.text)
        self._steps += 1
        return self._observation(seat, problem, rules=self._always_rules)

    def _observation(self, answered: int, problem: str, *, rules: bool) -> TextObservation:
        game = self._game
        if game.over:
            rewards = tuple(game.rewards())
            result = game.result(answered)
            return TextObservation(
                prompt=result, seat=answered, problem=problem, rewards=rewards, done=True, reward=rewards[answered]
            )
        legal = tuple(game.view().legal)
        return TextObservation(
            prompt=game.prompt(rules=rules), seat=game.seat, legal=legal, problem=problem, done=False, reward=0.0
        )

    @property
    def state(self) -> TextState:
        """The public facts of the episode."""
        return TextState(
            episode_id=self._episode,
            step_count=self._steps,
            game=self._rules.name,
            board=self._rules.board_name,
            seats=self._seats,
            answers=tuple(self._game.answers),
            illegal=tuple(self._game.illegal),
        )

    def get_metadata(self) -> EnvironmentMetadata:
        """Return name, description and version."""
        return EnvironmentMetadata(
            name=f"thurn-env: {self._rules.title}", description=briefing(self._rules), version=__version__
        )


def make_app(**options: Any) -> Any:
    """Return the web application of an environment, for uvicorn; `options` are those of `TextEnvironment`."""
    TextEnvironment(**options)  # Wrong options are refused here, not in the first session.
    return create_app(lambda: TextEnvironment(**options), TextAction, TextObservation, env_name="thurn_env")
