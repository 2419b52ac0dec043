"""The house has floors: a module imports from its own floor and from those below, never from above."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "thurn_env"
FLOORS = (
    "errors checks files lock progress read_only step_threads threads __init__",
    "kernels compiler kernel_cache prebuilt digests generator provenance",
    "pictures",
    "games",
    "game view record agent analysis match advice session batch pace transitions",
    "render",
    "envs thurn_und_taxis_v0 zug_um_zug_deutschland_v0",
    "serve",
    "commands",
    "cli __main__",
)
"""The rooms of the package, the lowest floor first. `__init__` only gathers names and may be imported from anywhere."""
LEVELS = {room: level for level, rooms in enumerate(FLOORS) for room in rooms.split()}
MODULES = sorted(PACKAGE.rglob("*.py"))


def room_of(module: Path) -> str:
    return module.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_rooms(module: Path) -> Iterator[str]:
    """The rooms that a module imports from, also within functions; what only type checkers read does not count."""
    tree = ast.parse(module.read_text("utf-8"))
    for_types = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in for_types:
            continue
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == "thurn_env":
            names = [f"thurn_env.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        for name in names:
            package, *rooms = name.split(".")
            if package == "thurn_env":
                # A name of the package itself, such as `thurn_env.Game`, is no room.
                yield rooms[0] if rooms and rooms[0] in LEVELS else "__init__"
            assert package not in ("agents", "train", "eval", "release"), (
                f"{module} imports {name}, which is not in the wheel"
            )


def test_every_room_has_a_floor() -> None:
    assert {room_of(module) for module in MODULES} == set(LEVELS)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: str(module.relative_to(PACKAGE)))
def test_imports_lead_down(module: Path) -> None:
    room = room_of(module)
    if room == "__init__":
        return
    above = {other for other in imported_rooms(module) if LEVELS[other] > LEVELS[room]}
    assert not above, f"{room} is below {above}"
