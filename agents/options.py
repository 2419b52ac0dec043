"""The argument of a searching agent: `1000`, `2000,rollout=heuristic,c=0.7`, `ms=200`."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, fields
from typing import Any

from thurn_env.errors import AgentError


@dataclass(frozen=True)
class SearchOptions:
    """How an agent searches.

    Attributes:
        iterations: iterations for every decision, with those of the tree that is kept; 0: as many as the time allows.
        ms: milliseconds for every decision instead of iterations; such games cannot be repeated.
        rollout: the scripted bot that plays games on from the edge of the tree.
        cut: decisions after which a rollout ends with the turn and is evaluated; `none`: it plays to the end.
        evaluation: `auto`, the evaluation that comes with this project if there is one for the game at hand; `none`,
            the margin; or the path of a file made by `python -m train.evaluation`.
        c: how much is explored.
        prior: how likely a player is taken to choose what the rollout bot would, from 0 to 1.
        urgency: how much less than its node an action is valued that was not tried yet.
        margin: the share of the margin in the result of a finished game; the rest is winning.
        opponents: whether the other seats' decisions are searched too (`tree`) or made by the bot (`rollout`).
    """

    iterations: int = 1000
    ms: int = 0
    rollout: str = "heuristic"
    cut: int | None = 0
    evaluation: str = "auto"
    c: float = 1.0
    prior: float = 0.5
    urgency: float = 0.1
    margin: float = 0.1
    opponents: str = "rollout"

    @classmethod
    def parse(cls, argument: str) -> SearchOptions:
        """From the text of a spec; `AgentError` with what is wrong."""
        known = {field.name: field for field in fields(cls)}
        given: dict[str, Any] = {}
        for number, part in enumerate(argument.split(",")):
            name, equals, text = part.strip().partition("=")
            if not equals and number == 0:
                name, text = "iterations", name
            if name not in known:
                close = difflib.get_close_matches(name, known, 1)
                hint = f"did you mean {close[0]}? " if close else ""
                raise AgentError(f"mcts has no option {name!r}; {hint}It has {', '.join(known)}")
            if name in given:
                raise AgentError(f"mcts: {name} is given twice")
            given[name] = _value(name, text, type(known[name].default))
        if "ms" in given:
            if "iterations" in given:
                raise AgentError("mcts takes iterations or ms, not both")
            given["iterations"] = 0
        options = cls(**given)
        options.check()
        return options

    def check(self) -> None:
        """`AgentError` if a value is out of bounds."""
        bounds = {
            "iterations": (0 if self.ms else 1, 10_000_000),
            "ms": (0, 3_600_000),
            "cut": (0, 1_000_000),
            "c": (0.0, 1000.0),
            "prior": (0.0, 1.0),
            "urgency": (-10.0, 10.0),
            "margin": (0.0, 1.0),
        }
        for name, (low, high) in bounds.items():
            value = getattr(self, name)
            if value is not None and not low <= value <= high:
                raise AgentError(f"mcts: {name} must be from {low:,} to {high:,}, not {value}")
        if self.opponents not in ("tree", "rollout"):
            raise AgentError(f"mcts: opponents must be tree or rollout, not {self.opponents!r}")


def _value(name: str, text: str, kind: type) -> Any:
    """A value of the option's type."""
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
    raise AgentError(f"mcts: {name} must be {wanted}, not {text!r}")
