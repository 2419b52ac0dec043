"""Digests of the sources: which compiled code they give, and which games.

A digest is made of syntax trees without comments and docstrings, and it does not depend on where a file lies: a
mended sentence or a moved file compiles nothing again and leaves results comparable.
"""

from __future__ import annotations

import ast
import hashlib
import sys
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parents[1]
LENGTH = 16
"""Hex digits of a digest."""
DECORATORS = frozenset({"kernel", "rule", "inlined_rule", "loop_rule", "allocating_rule"})
"""The decorators of `thurn_env.engine.kernels`: a module that uses one is compiled."""
COMPILED = ("engine", "games")
"""The folders with compiled modules."""
COMPILERS = ("compiler", "kernel_cache", "kernels")
"""Modules of the engine that say how functions are compiled. They do not change what is played."""
NOT_PLAYED = frozenset(
    {
        "show",
        "stages",
        *COMPILERS,
        "digests",
        "library_threads",
        "pace",
        "prebuilt",
        "provenance",
        "read_only",
        "step_threads",
    }
)
"""Files and folders that say how a game looks or when and how it is compiled, not how it is played."""


def code_digest(package: Path = PACKAGE) -> str:
    """Return the digest of the compiled code: equal digests, equal kernels, so one may load those of the other.

    Returns:
        16 hex digits, made of all compiled modules and what they import from the games, and of the versions of
        Python, Numba, llvmlite and NumPy.
    """
    return _joined([versions(), *map(_digest_of_file, _compiled(package))])


def games_digest(package: Path = PACKAGE) -> str:
    """Return the digest of the games: equal digests, equal games from the same seeds and actions.

    Returns:
        16 hex digits, made of all modules of the games and the engine that say how they are played.
    """
    played = [path for path in sources(package) if not NOT_PLAYED & {*path.relative_to(package).parts, path.stem}]
    return _joined(map(_digest_of_file, played))


def players_digest(folder: Path) -> str:
    """Return the digest of agents: of the modules in a folder, and of the data files (JSON) that they play by."""
    data = [hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.rglob("*.json")]
    return _joined([*map(_digest_of_file, folder.glob("*.py")), *data])


def folder_digest(folder: Path) -> str:
    """Return the digest of all modules of a folder, byte by byte: for kernels that lie outside this package."""
    return _joined(hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.py"))


def versions() -> str:
    """Return the versions that compiled code depends on, as text."""
    packages = [f"{name} {version(name)}" for name in ("numba", "llvmlite", "numpy")]
    return ", ".join([f"python {sys.version_info.major}.{sys.version_info.minor}", *packages])


def sources(package: Path = PACKAGE) -> list[Path]:
    """Return all files that a digest may be made of, in a fixed order."""
    return sorted(path for folder in COMPILED for path in (package / folder).rglob("*.py"))


def _joined(parts: Iterable[str]) -> str:
    """One digest of several, whatever their order."""
    return hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()[:LENGTH]


def _compiled(package: Path) -> list[Path]:
    """The modules with kernels or rules, and all of the engine and of games that they import, directly or not."""
    files = {path.relative_to(package.parent).with_suffix("").parts: path for path in sources(package)}
    waiting = [
        *((package.name, "engine", name) for name in COMPILERS),
        *(name for name, path in files.items() if _is_compiled(path.read_bytes())),
    ]
    found: set[tuple[str, ...]] = set()
    while waiting:
        name = waiting.pop()
        if name in found or name not in files:
            continue
        found.add(name)
        if name[-1] not in COMPILERS:
            waiting += _imported(files[name].read_bytes(), package.name)
    return [files[name] for name in found]


@cache
def _is_compiled(source: bytes) -> bool:
    return any(
        isinstance(decorator, ast.Name) and decorator.id in DECORATORS
        for node in ast.walk(_tree(source))
        if isinstance(node, ast.FunctionDef)
        for decorator in node.decorator_list
    )


@cache
def _imported(source: bytes, package: str) -> list[tuple[str, ...]]:
    """The modules of the engine and of games that a module imports."""
    folders = tuple(f"{package}.{folder}" for folder in COMPILED)
    found: list[tuple[str, ...]] = []
    for node in ast.walk(_tree(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(folders):
            module = tuple(str(node.module).split("."))
            found += [module, (*module, "__init__"), *((*module, alias.name) for alias in node.names)]
    return found


def _digest_of_file(path: Path) -> str:
    return _digest_of(path.read_bytes())


@cache
def _digest_of(source: bytes) -> str:
    return hashlib.sha256(repr(_form(_tree(source))).encode()).hexdigest()


@cache
def _tree(source: bytes) -> ast.Module:
    return ast.parse(source)


def _form(node: Any) -> Any:
    """A syntax tree as nested tuples: without comments, docstrings and the folders of imported modules.

    What is empty is left out, since later versions of Python add such fields.
    """
    if isinstance(node, list):
        return tuple(_form(item) for item in node if not _is_text(item))
    if not isinstance(node, ast.AST):
        return node
    fields = dict(ast.iter_fields(node))
    if isinstance(node, ast.ImportFrom):
        fields["module"] = (node.module or "").rpartition(".")[2]
    if isinstance(node, ast.Import):
        return "Import", tuple((alias.name.rpartition(".")[2], alias.asname) for alias in node.names)
    kept = tuple((name, _form(value)) for name, value in fields.items() if value is not None and value != [])
    return type(node).__name__, kept


def _is_text(node: Any) -> bool:
    """Whether a statement is a text that stands for itself: a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
