"""What is imported is declared in pyproject.toml, and constraints.txt pins all that an installation of it brings."""

from __future__ import annotations

import ast
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, packages_distributions, requires, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
FOLDERS = ("thurn_env", "agents", "train", "eval", "release", "tests", "docs")
OWN_PROJECT = "thurn-env"
ELSEWHERE = "peers"
"""The extra of other projects, which are compared in environments of their own, and the folder that imports them."""
FRAMEWORKS = ("openenv", "textarena", "verifiers")
"""Extras of frameworks that need versions of their own of many packages, and are installed in environments apart."""
RECIPES = "recipes"
"""The folder of recipes for other libraries, which run in environments of their own, too."""
NAMES = {"pyspiel": "open-spiel"}
"""Projects of modules with other names that may not be installed, since they are not published for every platform."""


def declared(*, without: tuple[str, ...] = (ELSEWHERE, *FRAMEWORKS)) -> list[Requirement]:
    extras = PROJECT["optional-dependencies"]
    lines = [*PROJECT["dependencies"], *(line for extra in extras if extra not in without for line in extras[extra])]
    found = [Requirement(line) for line in lines]
    return [requirement for requirement in found if requirement.name != OWN_PROJECT]


def pinned() -> dict[str, Requirement]:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    found = [Requirement(line) for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(requirement.name): requirement for requirement in found}


def brought(requirements: list[Requirement]) -> set[str]:
    """The names of these packages, and of all that they need in this environment."""
    names: set[str] = set()
    waiting = [(requirement, extra) for requirement in requirements for extra in ("", *requirement.extras)]
    seen = set()
    while waiting:
        requirement, extra = waiting.pop()
        name = canonicalize_name(requirement.name)
        if (name, extra) in seen:
            continue
        seen.add((name, extra))
        names.add(name)
        for line in requires(name) or []:
            needed = Requirement(line)
            if needed.marker is None or needed.marker.evaluate({"extra": extra}):
                waiting += [(needed, wanted) for wanted in ("", *needed.extras)]
    return names


def installed(project: str) -> bool:
    """Whether a project is installed here."""
    try:
        return bool(version(project))
    except PackageNotFoundError:
        return False


def imported() -> dict[str, Path]:
    """Every module of other projects that is imported, and a file that does so."""
    found: dict[str, Path] = {}
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*.py"):
            if {ELSEWHERE, RECIPES} & set(path.parts):
                continue
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                names = []
                if isinstance(node, ast.Import):
                    names = [alias.name for alias in node.names]
                elif isinstance(node, ast.ImportFrom) and node.level == 0:
                    names = [node.module or ""]
                found |= {name.partition(".")[0]: path.relative_to(ROOT) for name in names}
    return {name: path for name, path in found.items() if name not in sys.stdlib_module_names}


def test_what_is_imported_is_declared() -> None:
    names = {canonicalize_name(requirement.name) for requirement in declared(without=(ELSEWHERE,))}
    projects = packages_distributions()
    missing = {
        module: str(path)
        for module, path in imported().items()
        if module not in FOLDERS
        # A module that is not installed is taken to be in a project of its name.
        and not {canonicalize_name(name) for name in projects.get(module, [NAMES.get(module, module)])} & names
    }
    assert missing == {}


def test_lower_bounds_let_the_pinned_versions_in() -> None:
    pins = pinned()
    for requirement in declared():
        assert [bound.operator for bound in requirement.specifier] == [">="], requirement
        (pin,) = pins[canonicalize_name(requirement.name)].specifier
        assert pin.operator == "=="
        assert requirement.specifier.contains(pin.version), requirement


def test_all_that_is_installed_is_pinned() -> None:
    pins = pinned()
    requirements = [requirement for requirement in declared() if installed(requirement.name)]
    for requirement in requirements:
        if not pins[canonicalize_name(requirement.name)].specifier.contains(version(requirement.name)):
            pytest.skip(f"{requirement.name} is not the pinned version; other versions bring other packages")
    assert sorted(brought(requirements) - pins.keys()) == []
