"""Arguments of searching agents: `1000`, `2000,rollout=heuristic,c=0.7`, `ms=200`."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

from thurn_env.checks import finite, plain, quoted, whole
from thurn_env.errors import AgentError
from thurn_env.players.spec_options import named_options

__all__ = ["Budget", "GuidedOptions", "SearchOptions"]

MOST_ITERATIONS = 10_000_000
"""Largest number of iterations of a search; its tree takes memory for each."""

REWARDS_FOR_SEARCH = ("win", "rank")
"""Rewards of training whose values are on the same scale from losing to winning as results in the tree."""

MOST_MILLISECONDS = 3_600_000
"""Longest time of a decision: an hour."""


@dataclass(frozen=True)
class Budget:
    """Search budget and exploration constants.

    Attributes:
        iterations: iterations per decision, including those of the kept subtree; 0 for no limit but time.
        ms: milliseconds per decision instead of iterations; such games are not reproducible.
        c: exploration constant.
        urgency: reduction of the value of untried actions below that of their node.
    """

    agent: ClassVar[str]
    iterations: int = 1000
    ms: int = 0
    c: float = 1.0
    urgency: float = 0.1

    @classmethod
    def parse(cls, argument: str) -> Self:
        """Parse the text of a spec; raise `AgentError` with the reason if it is invalid."""
        if not isinstance(argument, str):
            raise AgentError(f"{cls.agent} takes a text such as '{cls.iterations}', not {quoted(argument)}")
        known = {field.name: field for field in fields(cls)}
        first, *others = (part.strip() for part in argument.split(","))
        texts = named_options(cls.agent, [first if "=" in first else f"iterations={first}", *others], known)
        given = {name: _value(cls.agent, name, text, type(known[name].default)) for name, text in texts.items()}
        if "ms" in given:
            if "iterations" in given:
                raise AgentError(f"{cls.agent} takes iterations or ms, not both")
            if not given["ms"]:
                raise AgentError(f"{cls.agent}: ms must be from 1 to {MOST_MILLISECONDS:,}, not 0")
            given["iterations"] = 0
        return cls(**given)

    def __post_init__(self) -> None:
        for field in fields(self):
            object.__setattr__(self, field.name, plain(getattr(self, field.name)))
        self.check()

    def bounds(self) -> dict[str, tuple[float, float]]:
        """Lower and upper bound of every numeric option."""
        return {
            "iterations": (0 if self.ms else 1, MOST_ITERATIONS),
            "ms": (0, MOST_MILLISECONDS),
            "c": (0.0, 1000.0),
            "urgency": (-10.0, 10.0),
        }

    def check(self) -> None:
        """Raise `AgentError` if a value is not a number where it must be one, or out of bounds."""
        defaults = {field.name: field.default for field in fields(self)}
        for name, (low, high) in self.bounds().items():
            value = getattr(self, name)
            number = finite(value) if isinstance(defaults[name], float) else whole(value)
            # `cut=none` is no number.
            if value is None and name == "cut":
                continue
            if number is None or not low <= number <= high:
                raise AgentError(f"{self.agent}: {name} must be from {low:,} to {high:,}, not {quoted(value)}")


@dataclass(frozen=True)
class SearchOptions(Budget):
    """Options of `mcts`.

    Attributes:
        rollout: scripted bot that plays the rollouts.
        cut: number of decisions after which a rollout stops at the end of the turn and is evaluated; `none` plays to
            the end.
        evaluation: `auto` for this project's evaluation of the game, if there is one; `none` for the margin; or the
            path of a file made by `thurn evaluation`.
        prior: prior probability that a player chooses the rollout bot's action, from 0 to 1.
        margin: weight of the margin in the result of a finished game; the rest is winning.
        opponents: `tree` searches the other seats' decisions, too; `rollout` leaves them to the bot.
    """

    agent: ClassVar[str] = "mcts"
    rollout: str = "heuristic"
    cut: int | None = 0
    evaluation: str = "auto"
    prior: float = 0.5
    margin: float = 0.1
    opponents: str = "rollout"

    def bounds(self) -> dict[str, tuple[float, float]]:
        """See `Budget.bounds`."""
        return {**super().bounds(), "cut": (0, 1_000_000), "prior": (0.0, 1.0), "margin": (0.0, 1.0)}

    def check(self) -> None:
        """Raise `AgentError` if a value is out of bounds."""
        super().check()
        if self.opponents not in ("tree", "rollout"):
            raise AgentError(f"mcts: opponents must be tree or rollout, not {self.opponents!r}")


@dataclass(frozen=True)
class GuidedOptions(Budget):
    """Options of `ppo+mcts`.

    Attributes:
        opponents: model of the other seats: the name of a scripted bot, or `policy`. A bot is much faster, and was as
            good a model even where the opponent was the policy itself.
        temperature: divisor of the policy's logits for the priors; higher ones make the priors more even. 0 finds one
            by how sure the policy is, see `thurn_env.players.priors`.
    """

    agent: ClassVar[str] = "ppo+mcts"
    iterations: int = 200
    opponents: str = "heuristic"
    temperature: float = 0.0

    def bounds(self) -> dict[str, tuple[float, float]]:
        """See `Budget.bounds`."""
        return {**super().bounds(), "temperature": (0.0, 1000.0)}


def _value(agent: str, name: str, text: str, kind: type) -> Any:
    """Convert the text of an option to its type."""
    if kind is str and text:
        return text
    if name == "cut" and text == "none":
        return None
    try:
        return float(text) if kind is float else int(text)
    except ValueError:
        pass
    wanted = {float: "a number", str: "a text"}.get(
        kind, "a whole number or none" if name == "cut" else "a whole number"
    )
    raise AgentError(f"{agent}: {name} must be {wanted}, not {quoted(text)}")
