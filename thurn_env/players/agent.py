"""Agents, which play games. A spec string names an agent; `make_agent` makes it."""

from __future__ import annotations

import copy
import difflib
import importlib
import importlib.util
import sys
from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from thurn_env.checks import quoted
from thurn_env.engine.generator import AGENT_STREAM, derived_seed, seeded
from thurn_env.errors import AgentError
from thurn_env.games.contract import Float32Array, GameRules, Int8Array, Int64Array
from thurn_env.table.game import View

if TYPE_CHECKING:
    from thurn_env.players.programs.sandbox import Sandbox

__all__ = [
    "AGENTS",
    "Agent",
    "BatchAgent",
    "Counting",
    "ScriptedAgent",
    "agent_seed",
    "is_harmless",
    "is_own",
    "is_program",
    "make_agent",
    "make_opponent",
    "plugin_agents",
]

AGENTS: dict[str, str] = {
    "exec": "thurn_env.players.programs.program:Program",
    "llm": "thurn_env.players.language_model:LanguageModel",
    "mcts": "thurn_env.players.mcts:MCTS",
    "ppo": "thurn_env.players.policy_agent:PolicyAgent",
    "ppo+mcts": "thurn_env.players.guided:GuidedSearch",
}
"""This package's agents besides the games' scripted bots: name to `module:Class`."""
HARMLESS = ("mcts", "ppo", "ppo+mcts")
"""Agents that start no code but that of this package and send nothing, whatever their argument."""
PROGRAM = "exec"
"""Name of the agent that runs a program of its own, which is code from outside this package."""
GROUP = "thurn_env.agents"
"""Entry-point group for agents of other packages: name and `package.module:Class`."""


@cache
def plugin_agents() -> dict[str, str]:
    """Return the agents registered by other packages: name to `module:Class`."""
    return {point.name: point.value for point in entry_points(group=GROUP) if point.name not in AGENTS}


def agent_seed(seed: int, seat: int) -> int:
    """Return the 64-bit seed of the agent at `seat` in the game with seed `seed`.

    The cards are dealt from another stream. Nevertheless an agent can compute its seeds for all small values of `seed`
    and so identify the game. With `Game(seed=None)` the game's seed is too large for that; a tournament with agents
    from other packages uses a secret instead (`thurn tournament`).
    """
    return derived_seed(seed, AGENT_STREAM, seat)


@runtime_checkable
class Agent(Protocol):
    """Protocol of an agent.

    A spec `name:argument` passes the argument as the only parameter of the agent's class.
    """

    name: str

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        """Begin a new game at `seat`. All randomness of the agent must come from `seed`."""

    def act(self, view: View) -> int | str:
        """Return the action to play, as index or text. `view` is the seat's view, without hidden information."""


@runtime_checkable
class Counting(Protocol):
    """Protocol of an agent that counts what its games take; tournaments sum these figures and show them."""

    def figures(self) -> dict[str, float]:
        """Return figures of the game since `reset`, name to number, such as the tokens of a language model."""


@runtime_checkable
class BatchAgent(Protocol):
    """Protocol of an agent that chooses actions for a batch of positions, as an opponent in vector environments.

    An optional method `reset_batch(rules, seed)` is called when all games restart; all randomness must come from that
    seed.
    """

    name: str

    def act_batch(self, observations: Float32Array, masks: Int8Array) -> Int64Array:
        """Choose an action for every row; rows may come from any seats and games.

        Args:
            observations: float32 (rows, O).
            masks: int8 (rows, A), 1 for legal actions.

        Returns:
            Action indices, int64 (rows,).
        """


class ScriptedAgent:
    """A scripted bot as an agent, which plays through views."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._bot: int | None = None

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        """Look up the bot's number and start its random stream, the same as in native play."""
        if self.name not in rules.bots:
            raise AgentError(f"{rules.title} has no bot {self.name!r}; it has {', '.join(rules.bots)}")
        self._bot = rules.bots.index(self.name)
        self._generator = seeded(seed)

    def act(self, view: View) -> int:
        """Return the bot's action."""
        check_asked(self.name, self._bot is not None, view)
        assert self._bot is not None
        return view.game.rules.bot_action(view.game.states, 0, self._bot, self._generator)


def check_asked(name: str, has_game: bool, view: View | None = None) -> None:
    """Raise `AgentError` if an agent is asked for an action before `reset`, or after the end of the game."""
    if not has_game:
        raise AgentError(f"{name} has no game: reset(seat, rules, seed) comes first")
    if view is not None and view.game.over:
        raise AgentError(f"{name} has nothing to choose: the game is over")


def copy_of_agent(agent: Agent) -> Agent:
    """Return a copy of an agent for another seat, since an agent plays one seat of one game.

    Raises:
        AgentError: the agent cannot be copied.
    """
    try:
        return copy.deepcopy(agent)
    except Exception as error:
        raise AgentError(
            f"agent {agent.name!r} is given for several seats and cannot be copied ({error}); give each seat its own"
        ) from error


def is_own(spec: str) -> bool:
    """Return whether a spec names one of this package's `AGENTS` that runs no code from outside."""
    return spec.partition(":")[0] in AGENTS and not is_program(spec)


def is_program(spec: str) -> bool:
    """Return whether a spec names a program of its own: `exec:COMMAND`."""
    return spec.partition(":")[0] == PROGRAM


def is_harmless(spec: str, bots: tuple[str, ...]) -> bool:
    """Return whether a spec from a file of somebody else may be made: a bot, a search or a policy.

    All others run code that the spec names, or may send the value of an environment variable to a server.
    """
    return spec in bots or spec.partition(":")[0] in HARMLESS


def make_agent(spec: str, bots: tuple[str, ...], sandbox: Sandbox | None = None) -> Agent:
    """Make the agent of a spec: a scripted bot's name, `name:argument`, or `package.module:Class`.

    Args:
        spec: spec of the agent.
        bots: names of the game's scripted bots.
        sandbox: sandbox for agents that are programs of their own; None runs them without one.

    Raises:
        AgentError: there is no such agent, or its module cannot be loaded.
    """
    agent = _made(spec, bots, sandbox)
    if not isinstance(agent, Agent):
        raise AgentError(
            f"agent {spec!r}: {type(agent).__name__} lacks name, reset or act (see thurn_env.players.agent.Agent)"
        )
    return agent


def make_opponent(spec: str, bots: tuple[str, ...]) -> Agent | BatchAgent:
    """Make an opponent for environments with one learner, like `make_agent`; `act_batch` alone is enough."""
    agent = _made(spec, bots)
    if not isinstance(agent, Agent | BatchAgent):
        raise AgentError(
            f"agent {spec!r}: {type(agent).__name__} needs a name, and act_batch or reset and act "
            "(see BatchAgent and Agent in thurn_env.players.agent)"
        )
    return agent


def _names_module(name: str, argument: str) -> bool:
    """Return whether `name:argument`, with no dot in the name, means a class of a module and not an unknown agent."""
    # `find_spec` fails for `__main__` of a script.
    known = name in sys.modules or (name.isidentifier() and importlib.util.find_spec(name) is not None)
    return argument[:1].isupper() or known


def _made(spec: str, bots: tuple[str, ...], sandbox: Sandbox | None = None) -> object:
    """Make an object of the class that a spec names."""
    if not isinstance(spec, str):
        raise AgentError(f"an agent spec is a text such as {bots[0] if bots else 'mcts:1000'!r}, not {quoted(spec)}")
    if spec in bots:
        return ScriptedAgent(spec)
    name, _, argument = spec.partition(":")
    registered = AGENTS if name in AGENTS else {**AGENTS, **plugin_agents()}
    if name in registered:
        module, _, class_name = registered[name].partition(":")
        arguments: list[Any] = [argument] if argument else []
        if name == PROGRAM:
            arguments = [argument, sandbox]
    elif name and argument and ("." in name or (argument.isidentifier() and _names_module(name, argument))):
        module, class_name, arguments = name, argument, []
    else:
        known = [*bots, *registered]
        close = difflib.get_close_matches(spec, known, 1)
        hint = f"; did you mean {close[0]!r}?" if close else "."
        raise AgentError(
            f"there is no agent {spec!r}{hint} The agents are {', '.join(known)}; "
            "a policy file is ppo:FILE, your own agent package.module:Class"
        )
    try:
        made: object = getattr(importlib.import_module(module), class_name)(*arguments)
    except ModuleNotFoundError as error:
        raise AgentError(f"agent {spec!r}: {error}; is its folder on sys.path?") from error
    except (AttributeError, TypeError) as error:
        raise AgentError(f"agent {spec!r}: {error}") from error
    return made
