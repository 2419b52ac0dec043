"""Generate the API reference: all names in `__all__` of public modules. mkdocstrings inserts the docstrings."""

from __future__ import annotations

import ast
import importlib
import inspect
from pathlib import Path
from typing import Any

MODULES = {
    "thurn_env": "Games, batches and records: the names that most programs need.",
    "thurn_env.thurn_und_taxis_v0": "The PettingZoo environment of *Thurn und Taxis*.",
    "thurn_env.zug_um_zug_deutschland_v0": "The PettingZoo environment of *Zug um Zug: Deutschland*.",
    "thurn_env.envs.aec": "The PettingZoo environment of any game.",
    "thurn_env.envs.single": "The Gymnasium environment: one learner among opponents.",
    "thurn_env.envs.vector": "The Gymnasium vector environment.",
    "thurn_env.envs.sb3": "The `VecEnv` of Stable-Baselines3; needs the extra `train`.",
    "thurn_env.envs.learner": "The batch behind the learners' environments.",
    "thurn_env.envs.copies": "Agents for single games as opponents in many.",
    "thurn_env.envs.self_play": "Snapshots of a policy as opponents.",
    "thurn_env.envs.text": "Games by text, for language models.",
    "thurn_env.talk": "Prompts for language models, and the reading of their answers.",
    "thurn_env.table.position": "Games in which chance acts one card at a time.",
    "thurn_env.table.tree": "Whole game trees, exact values and best responses.",
    "thurn_env.table.extensive_form": "Game trees as files.",
    "thurn_env.table.record": "Game records.",
    "thurn_env.table.replay": "Positions of recorded games, and verification of records.",
    "thurn_env.table.style": "Style figures of finished games.",
    "thurn_env.table.transitions": "Records as training data.",
    "thurn_env.players.agent": "Agents and their specs.",
    "thurn_env.players.match": "Games between agents.",
    "thurn_env.players.session": "Games with human players.",
    "thurn_env.players.advice": "Hints.",
    "thurn_env.players.review": "Reviews of recorded games.",
    "thurn_env.players.analysis": "Search results.",
    "thurn_env.players.mcts": "Tree search.",
    "thurn_env.players.guided": "Tree search guided by a policy.",
    "thurn_env.players.search_options": "Options of the searching agents.",
    "thurn_env.players.language_model": "The agent that asks a language model; needs the extra `llm`.",
    "thurn_env.players.language_model_options": "Options of language models.",
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
    "thurn_env.training.exploit": "Responses to one agent.",
    "thurn_env.training.evaluation": "Fitting of the evaluation that `mcts` uses.",
    "thurn_env.training.tune": "Tuning of the heuristic.",
    "thurn_env.training.sweep": "Comparison of many configurations.",
    "thurn_env.games": "Rules by name of the game.",
    "thurn_env.games.contract": "The interface of a game.",
}
"""Public modules and their descriptions. Public names are those in their `__all__`."""
NOT_IMPORTED = {
    "thurn_env.envs.open_spiel": "The games in OpenSpiel; needs the extra `openspiel`.",
    "thurn_env.envs.open_spiel_trees": "Whole game trees for OpenSpiel's solvers; needs the extra `openspiel`.",
    "thurn_env.envs.openenv": "Games by text in OpenEnv; needs the extra `openenv`.",
    "thurn_env.envs.textarena": "Games by text in TextArena; needs the extra `textarena`.",
    "thurn_env.envs.verifiers": "Games by text in verifiers; needs the extra `verifiers`.",
}
"""Further public modules. Not every system has their extras, so their names are read from the files."""
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
    """Return the public objects by module and name. An object is listed only in the first module that exports it."""
    found: dict[str, dict[str, Any]] = {}
    seen: set[int] = set()
    for name in MODULES:
        module = importlib.import_module(name)
        objects = {public: getattr(module, public) for public in module.__all__}
        found[name] = {public: value for public, value in objects.items() if id(value) not in seen}
        seen |= {id(value) for value in objects.values() if inspect.isclass(value) or inspect.isfunction(value)}
    return found


def names_in_file(module: str) -> list[str]:
    """Return the last `__all__` in the file of a module."""
    file = Path(__file__).parents[1].joinpath(*module.split(".")).with_suffix(".py")
    assigned = [
        ast.literal_eval(node.value)
        for node in ast.parse(file.read_text("utf-8")).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    ]
    names: list[str] = assigned[-1]
    return names


def path_of(module: str, name: str, value: Any) -> str:
    """Return the path of an object for mkdocstrings: for classes and functions, in the module that defines them."""
    if inspect.isclass(value) or inspect.isfunction(value):
        return f"{value.__module__}.{value.__qualname__}"
    return f"{module}.{name}"


def page() -> str:
    """Return the page."""
    lines = [INTRODUCTION]
    for module, names in public_names().items():
        lines += [f"## {module}", "", MODULES[module], ""]
        lines += [f"::: {path_of(module, name, value)}\n" for name, value in names.items()]
    for module, description in NOT_IMPORTED.items():
        lines += [f"## {module}", "", description, ""]
        lines += [f"::: {module}.{name}\n" for name in names_in_file(module)]
    return "\n".join(lines).rstrip("\n") + "\n"


def files(docs: Path) -> dict[Path, str]:
    """Return the page by its path."""
    return {docs / "reference.md": page()}
