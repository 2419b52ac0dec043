"""The house has floors: a module imports from its own floor and from those below, never from above."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "thurn_env"
FLOORS = (
    "errors checks files console progress __init__",
    "engine",
    "drawing",
    "games",
    "table",
    "talk",
    "players",
    "show",
    "envs thurn_und_taxis_v0 zug_um_zug_deutschland_v0",
    "tournament",
    "training",
    "serve",
    "commands __main__",
)
"""The rooms of the package, the lowest floor first. `__init__` only gathers names and may be imported from anywhere."""
LEVELS = {room: level for level, rooms in enumerate(FLOORS) for room in rooms.split()}
MODULES = sorted(PACKAGE.rglob("*.py"))


MOST_FILES = 10
"""Files at the root of the package."""
CHECKOUT = ("agents", "train", "eval", "release")
"""Folders of a checkout that are not in the wheel."""
GAMES = ("example", "thurn_und_taxis", "zug_um_zug_deutschland")


def name_of(module: Path) -> str:
    """The dotted name of a module."""
    return ".".join(("thurn_env", *module.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")


NAMES = {name_of(module): module for module in MODULES}


@cache
def imports_of(module: Path) -> tuple[str, ...]:
    """The dotted names that a module imports from, wherever it does: in functions, and for type checkers alone, too."""
    found = []
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.append(inner if inner in NAMES else node.module)
    return tuple(found)


def room_of(module: Path) -> str:
    return module.relative_to(PACKAGE).parts[0].removesuffix(".py")


def rooms_in(module: Path) -> Iterator[str]:
    """The rooms that a module imports from. A name of the package itself, such as `thurn_env.Game`, is no room."""
    for name in imports_of(module):
        package, *rooms = name.split(".")
        if package == "thurn_env":
            yield rooms[0] if rooms and rooms[0] in LEVELS else "__init__"


def test_every_room_has_a_floor() -> None:
    assert {room_of(module) for module in MODULES} == set(LEVELS)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: str(module.relative_to(PACKAGE)))
def test_imports_lead_down(module: Path) -> None:
    room = room_of(module)
    if room == "__init__":
        return
    above = {other for other in rooms_in(module) if LEVELS[other] > LEVELS[room]}
    assert not above, f"{room} is below {above}"


def test_no_file_imports_from_a_checkout() -> None:
    found = {
        (name_of(module), name) for module in MODULES for name in imports_of(module) if name.split(".")[0] in CHECKOUT
    }
    assert not found, "these are not in the wheel"


def test_no_file_names_a_folder_of_a_checkout() -> None:
    """Neither in a text nor in a comment: who installs the wheel has no such folder."""
    pattern = re.compile(rf"(?<![\w.])({'|'.join(CHECKOUT)})/\w|python -m ({'|'.join(CHECKOUT)})\b")
    found = {
        (str(path.relative_to(PACKAGE)), match.group())
        for path in PACKAGE.rglob("*")
        if path.suffix in (".py", ".html", ".js", ".css", ".toml") and "models" not in path.parts
        for match in pattern.finditer(path.read_text("utf-8"))
        if match.group() != "train/l"  # "train/learning_rate" is a name that TensorBoard shows
    }
    assert not found


@pytest.mark.parametrize("module", MODULES, ids=lambda module: str(module.relative_to(PACKAGE)))
def test_nobody_imports_from_inside_a_game(module: Path) -> None:
    own = module.relative_to(PACKAGE).parts[1] if module.relative_to(PACKAGE).parts[0] == "games" else ""
    inside = {
        name
        for name in imports_of(module)
        if name.startswith("thurn_env.games.") and (game := name.split(".")[2]) in GAMES and game != own
    }
    assert not inside, "games are reached by make_rules and the contract"


def test_there_is_no_circle_between_files() -> None:
    """A file may be read from the top of its imports to the bottom, those for type checkers included."""
    below = {name: set(imports_of(module)) & set(NAMES) - {name} for name, module in NAMES.items()}
    while below:
        ready = {name for name, needed in below.items() if not needed & set(below)}
        assert ready, f"these import each other in a circle, or from one: {sorted(below)}"
        below = {name: needed for name, needed in below.items() if name not in ready}


def test_few_files_lie_at_the_root() -> None:
    assert len([path for path in PACKAGE.iterdir() if path.is_file()]) <= MOST_FILES
