"""Generate the API reference: a list of the public modules.

While the site is built, this module is a hook of MkDocs, which lists all names in `__all__` of these modules instead.
mkdocstrings inserts their docstrings.
"""

from __future__ import annotations

import ast
import importlib
import inspect
from pathlib import Path
from typing import Any

PAGE = "reference.md"
MODULES = {
    "thurn_env": "Games, batches, records.",
    "thurn_env.thurn_und_taxis_v0": "PettingZoo environment.",
    "thurn_env.zug_um_zug_deutschland_v0": "PettingZoo environment.",
    "thurn_env.envs.aec": "PettingZoo environment of any game.",
    "thurn_env.envs.single": "Gymnasium environment.",
    "thurn_env.envs.vector": "Gymnasium vector environment.",
    "thurn_env.envs.sb3": "`VecEnv` of Stable-Baselines3.",
    "thurn_env.envs.learner": "The batch behind these environments.",
    "thurn_env.envs.copies": "Agents for single games as opponents in many.",
    "thurn_env.envs.self_play": "Snapshots of a policy as opponents.",
    "thurn_env.envs.text": "Games by text.",
    "thurn_env.talk": "Prompts and answers of language models.",
    "thurn_env.table.position": "Games in which chance acts card by card.",
    "thurn_env.table.tree": "Whole game trees, best responses.",
    "thurn_env.table.extensive_form": "Game trees as files.",
    "thurn_env.table.record": "Game records.",
    "thurn_env.table.replay": "Positions of records, and verification.",
    "thurn_env.table.style": "Style figures.",
    "thurn_env.table.transitions": "Records as training data.",
    "thurn_env.players.agent": "Agents and their specs.",
    "thurn_env.players.match": "Games between agents.",
    "thurn_env.players.session": "Games with people.",
    "thurn_env.players.advice": "Hints.",
    "thurn_env.players.review": "Reviews of records.",
    "thurn_env.players.analysis": "Search results.",
    "thurn_env.players.mcts": "Tree search.",
    "thurn_env.players.guided": "Tree search with a policy.",
    "thurn_env.players.search_options": "Options of both.",
    "thurn_env.players.language_model": "The agent `llm`.",
    "thurn_env.players.language_model_options": "Its options.",
    "thurn_env.players.policy": "Policies as files.",
    "thurn_env.players.policy_agent": "The agent `ppo`.",
    "thurn_env.show": "Pictures.",
    "thurn_env.show.page": "Records as pages.",
    "thurn_env.show.pixels": "Pictures as pixels.",
    "thurn_env.tournament": "Tournaments, ratings, reports.",
    "thurn_env.tournament.dataset": "Tournaments as data sets.",
    "thurn_env.tournament.certificate": "Tests for the use of hidden cards.",
    "thurn_env.training": "Training of policies.",
    "thurn_env.training.config": "Its configurations.",
    "thurn_env.training.imitation_config": "Configurations of imitation.",
    "thurn_env.training.exploit": "Responses to one agent.",
    "thurn_env.training.evaluation": "Fitting of the evaluation of `mcts`.",
    "thurn_env.training.tune": "Tuning of the heuristic.",
    "thurn_env.training.sweep": "Many configurations.",
    "thurn_env.games": "Rules by name of the game.",
    "thurn_env.games.contract": "The interface of a game.",
}
"""Public modules and their descriptions. Public names are those in their `__all__`."""
NOT_IMPORTED = {
    "thurn_env.envs.open_spiel": "Games in OpenSpiel.",
    "thurn_env.envs.open_spiel_trees": "Game trees for its solvers.",
    "thurn_env.envs.openenv": "Games by text in OpenEnv.",
    "thurn_env.envs.textarena": "Games by text in TextArena.",
    "thurn_env.envs.verifiers": "Games by text in verifiers.",
}
"""Further public modules. Not every system has their extras, so their names are read from the files."""
INTRODUCTION = """<!-- Written by `python -m docs.generate` from the public modules. -->

# API reference

The public modules; public names are those in their `__all__`. The site (`make site`) has their docstrings, and Python:

```python
import thurn_env

help(thurn_env.Game.view)
```

Other modules may change without notice (see
[versions](https://github.com/thurn-env/thurn-env/blob/main/CONTRIBUTING.md#versions-and-deprecation)).

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
    """Return the page in the repository: the modules."""
    lines = [f"- `{module}`: {description}\n" for module, description in (MODULES | NOT_IMPORTED).items()]
    return INTRODUCTION + "".join(lines)


def page_of_site() -> str:
    """Return the page of the site: all public names, for mkdocstrings."""
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
    return {docs / PAGE: page()}


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Return the contents of a page of the site; MkDocs calls this hook for every page."""
    return page_of_site() if page.file.src_uri == PAGE else markdown
