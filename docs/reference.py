"""The API reference: all public names, as the `__all__` of public modules has them. mkdocstrings fills in the texts."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path
from typing import Any

MODULES = {
    "thurn_env": "Games as values, many games at once, records; the names that most programs need.",
    "thurn_env.thurn_und_taxis_v0": "The PettingZoo environment of *Thurn und Taxis*.",
    "thurn_env.zug_um_zug_deutschland_v0": "The PettingZoo environment of *Zug um Zug: Deutschland*.",
    "thurn_env.envs.aec": "The PettingZoo environment of any game.",
    "thurn_env.envs.single": "The Gymnasium environment: one learner among opponents.",
    "thurn_env.envs.vector": "The Gymnasium vector environment.",
    "thurn_env.envs.sb3": "The `VecEnv` of Stable-Baselines3; needs the extra `train`.",
    "thurn_env.envs.learner": "The batch behind the learners' environments.",
    "thurn_env.envs.self_play": "Snapshots of a policy as opponents.",
    "thurn_env.table.position": "Games in which chance acts one card at a time.",
    "thurn_env.table.tree": "Whole game trees, exact values and best responses.",
    "thurn_env.table.extensive_form": "Game trees as files.",
    "thurn_env.table.record": "Games as data.",
    "thurn_env.table.replay": "Positions of recorded games, and whether a record is true.",
    "thurn_env.table.transitions": "Records as arrays to learn from.",
    "thurn_env.players.agent": "Agents, and how they are named.",
    "thurn_env.players.match": "Games between agents.",
    "thurn_env.players.session": "Games at which people sit.",
    "thurn_env.players.advice": "Hints and reviews.",
    "thurn_env.players.analysis": "Search results.",
    "thurn_env.players.mcts": "Tree search.",
    "thurn_env.players.guided": "Tree search guided by a policy.",
    "thurn_env.players.search_options": "Options of the searching agents.",
    "thurn_env.players.policy": "Policies as files.",
    "thurn_env.players.policy_agent": "The agent that plays a policy.",
    "thurn_env.show": "Pictures.",
    "thurn_env.show.page": "Recorded games as pages.",
    "thurn_env.show.pixels": "Pictures as pixels; needs the extra `render`.",
    "thurn_env.tournament": "Tournaments, ratings, reports.",
    "thurn_env.tournament.dataset": "Tournaments as data sets; needs the extra `data`.",
    "thurn_env.tournament.certificate": "Tests of agents for the use of hidden cards.",
    "thurn_env.training": "Training of policies; needs the extra `train`.",
    "thurn_env.training.config": "Configurations of training.",
    "thurn_env.training.imitation_config": "Configurations of imitation.",
    "thurn_env.training.evaluation": "Fitting of the evaluation that `mcts` uses.",
    "thurn_env.training.tune": "Tuning of the heuristic.",
    "thurn_env.training.sweep": "Many configurations compared.",
    "thurn_env.games": "Games by name.",
    "thurn_env.games.contract": "What a game offers.",
}
"""The public modules, each with a line about it. Their `__all__` says what is public."""
INTRODUCTION = """<!-- Written by `python -m docs.generate` from the public modules. -->

# API reference

All public names of the package, by module. `make site` fills in signatures and docstrings; `help` shows them in Python:

```python
import thurn_env

help(thurn_env.Game.view)
```

Other modules are internal and may change without notice; see the policy on versions in the
[contributor's guide](https://github.com/thurn-env/thurn-env/blob/main/CONTRIBUTING.md).
"""


def public_names() -> dict[str, dict[str, Any]]:
    """The public names of every public module, with what they stand for. A name stands where it is listed first."""
    found: dict[str, dict[str, Any]] = {}
    seen: set[int] = set()
    for name in MODULES:
        module = importlib.import_module(name)
        objects = {public: getattr(module, public) for public in module.__all__}
        found[name] = {public: value for public, value in objects.items() if id(value) not in seen}
        seen |= {id(value) for value in objects.values() if inspect.isclass(value) or inspect.isfunction(value)}
    return found


def path_of(module: str, name: str, value: Any) -> str:
    """Where mkdocstrings finds a name: classes and functions in the module that defines them."""
    if inspect.isclass(value) or inspect.isfunction(value):
        return f"{value.__module__}.{value.__qualname__}"
    return f"{module}.{name}"


def page() -> str:
    """The whole page."""
    lines = [INTRODUCTION]
    for module, names in public_names().items():
        lines += [f"## {module}", "", MODULES[module], ""]
        lines += [f"::: {path_of(module, name, value)}\n" for name, value in names.items()]
    return "\n".join(lines).rstrip("\n") + "\n"


def files(docs: Path) -> dict[Path, str]:
    """The page, by its file."""
    return {docs / "reference.md": page()}
