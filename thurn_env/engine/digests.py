"""Digests of the sources that determine compiled code and played games.

Digests are made from syntax trees without comments and docstrings, and do not depend on file locations: edited comments
and moved files cause no recompilation and keep results comparable.
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
"""Number of hex digits of a digest."""
INIT = "__init__.py"
DECORATORS = frozenset({"kernel", "rule", "inlined_rule", "loop_rule", "allocating_rule"})
"""Decorators of `thurn_env.engine.kernels`: a module that uses one is compiled."""
COMPILED = ("engine", "games")
"""Folders with compiled modules."""
COMPILERS = ("compiler", "kernel_cache", "kernels")
"""Modules of the engine that control compilation. They do not affect games."""
NOT_PLAYED_IN_ENGINE = frozenset(
    {
        *COMPILERS,
        "cores",
        "digests",
        "library_threads",
        "prebuilt",
        "provenance",
        "read_only",
        "sharing",
        "step_threads",
        "thread_choice",
    }
)
"""Modules of the engine that affect compilation or speed, not play."""
NOT_PLAYED_IN_GAMES = frozenset({"show", "stages"})
"""Files and folders of a game that affect its display, not play."""


def code_digest(package: Path = PACKAGE) -> str:
    """Return the digest of the compiled code; equal digests mean interchangeable kernels.

    Returns:
        16 hex digits, made from all compiled modules and what they import from the games, and from the versions of
        Python, Numba, llvmlite and NumPy.
    """
    return _joined([versions(), *map(_digest_of_file, _compiled(package))])


def game_digest(module: str, package: Path = PACKAGE, home: Path | None = None) -> str:
    """Return the digest of one game; equal digests mean equal games for equal seeds and actions.

    Args:
        module: dotted name of the module that makes the game's rules.
        package: folder of this package.
        home: folder that contains the top-level package of `module`; by default that of this package.

    Returns:
        16 hex digits, made from all modules of the engine that affect play, from the modules in the game's folder, and
        from all modules that these import from `thurn_env.games` or from the game's own top-level package. What
        displays the game is left out, so editing one game leaves the digests of all others unchanged.
    """
    engine = (path for path in sources(package) if path.relative_to(package).parts[0] == "engine")
    played = [path for path in engine if path.stem not in NOT_PLAYED_IN_ENGINE]
    return _joined(map(_digest_of_file, [*played, *_played_modules(module, package, home or package.parent)]))


def _played_modules(module: str, package: Path, home: Path) -> list[Path]:
    """Return the files of a game that affect play, see `game_digest`."""
    name = tuple(module.split("."))
    homes = {name[0]: home, package.name: package.parent}
    roots = (f"{package.name}.games", name[0]) if name[0] != package.name else (f"{package.name}.games",)
    waiting = [name]
    folder = home.joinpath(*name[:-1])
    if len(name) > 1:
        waiting += [path.relative_to(home).with_suffix("").parts for path in folder.rglob("*.py")]
    found: dict[tuple[str, ...], Path] = {}
    while waiting:
        name = waiting.pop()
        path = homes[name[0]].joinpath(*name).with_suffix(".py")
        if name in found or NOT_PLAYED_IN_GAMES & set(name) or not path.is_file():
            continue
        found[name] = path
        waiting += _imported(path.read_bytes(), roots, name[:-1])
    return list(found.values())


def players_digest(folder: Path) -> str:
    """Return the digest of agents: of the modules in a folder and their evaluations."""
    data = [hashlib.sha256(path.read_bytes()).hexdigest() for path in (folder / "evaluations").glob("*.json")]
    return _joined([*map(_digest_of_file, folder.glob("*.py")), *data])


def folder_digest(folder: Path) -> str:
    """Return the digest of all modules with a folder's kernels, byte by byte, for kernels outside this package.

    These are the modules of the whole package that the folder belongs to, or, if it is no package, of the folder.
    """
    root = folder
    while (root.parent / INIT).exists():
        root = root.parent
    found = root.rglob("*.py") if (root / INIT).exists() else folder.glob("*.py")
    # Editors leave links that lead nowhere.
    files = [path for path in found if path.is_file()]
    return _joined(f"{path.relative_to(root)} {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in files)


def versions() -> str:
    """Return the versions that compiled code depends on, as text."""
    packages = [f"{name} {version(name)}" for name in ("numba", "llvmlite", "numpy")]
    return ", ".join([f"python {sys.version_info.major}.{sys.version_info.minor}", *packages])


def sources(package: Path = PACKAGE) -> list[Path]:
    """Return all files that digests may depend on, in a fixed order."""
    return sorted(path for folder in COMPILED for path in (package / folder).rglob("*.py"))


def _joined(parts: Iterable[str]) -> str:
    """Combine digests into one, independent of their order."""
    return hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()[:LENGTH]


def _compiled(package: Path) -> list[Path]:
    """Return the modules with kernels or rules, and the modules of engine and games that they import, recursively."""
    files = {path.relative_to(package.parent).with_suffix("").parts: path for path in sources(package)}
    folders = tuple(f"{package.name}.{folder}" for folder in COMPILED)
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
            waiting += _imported(files[name].read_bytes(), folders)
    return [files[name] for name in found]


@cache
def _is_compiled(source: bytes) -> bool:
    # Most modules mention no such decorator, and searching for it is much faster than parsing.
    return any(f"@{name}".encode() in source for name in DECORATORS) and any(
        isinstance(decorator, ast.Name) and decorator.id in DECORATORS
        for node in ast.walk(_tree(source))
        if isinstance(node, ast.FunctionDef)
        for decorator in node.decorator_list
    )


@cache
def _imported(source: bytes, folders: tuple[str, ...], package: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Return the modules that a module of `package` may import from packages with these dotted names."""
    found: list[tuple[str, ...]] = []
    for node in ast.walk(_tree(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                module = tuple(alias.name.split("."))
                if _is_in(module, folders):
                    found += [module, (*module, "__init__")]
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else ()
            module = (*above, *(node.module.split(".") if node.module else ()))
            if _is_in(module, folders):
                found += [module, (*module, "__init__"), *((*module, alias.name) for alias in node.names)]
    return found


def _is_in(module: tuple[str, ...], folders: tuple[str, ...]) -> bool:
    """Return whether a module is one of these packages, given by dotted names, or lies in one."""
    return f"{'.'.join(module)}.".startswith(tuple(f"{one}." for one in folders))


def _digest_of_file(path: Path) -> str:
    return _digest_of(path.read_bytes())


@cache
def _digest_of(source: bytes) -> str:
    return hashlib.sha256(repr(_form(_tree(source))).encode()).hexdigest()


@cache
def _tree(source: bytes) -> ast.Module:
    return ast.parse(source)


def _form(node: Any) -> Any:
    """Return a syntax tree as nested tuples, without comments, docstrings and the folders of imported modules.

    Empty fields are omitted, since later versions of Python add such fields.
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
    """Return whether a statement is a bare string, such as a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
