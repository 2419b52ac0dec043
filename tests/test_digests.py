"""Digests change with what kernels or games depend on, and with nothing else."""

from __future__ import annotations

import ast
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from eval.ladder_results import RESULTS
from tests.programs import thurn
from thurn_env.engine import digests, provenance
from thurn_env.engine.digests import PACKAGE, code_digest, games_digest
from thurn_env.engine.provenance import engine, known_as


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package, to be changed."""
    copy = tmp_path / "thurn_env"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "*.html", "*.css", "*.js"))
    return copy


def both(package: Path) -> tuple[str, str]:
    return code_digest(package), games_digest(package)


def edited(path: Path, *replacements: tuple[str, str]) -> None:
    text = path.read_text("utf-8")
    for old, new in replacements:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, "utf-8")


def compiled(package: Path) -> set[str]:
    return {path.relative_to(package).as_posix() for path in digests._compiled(package)}


def test_a_copy_elsewhere_has_the_same_digests(package: Path) -> None:
    assert both(package) == both(PACKAGE)
    assert all(len(digest) == digests.LENGTH for digest in both(package))


def test_comments_docstrings_and_layout_are_no_part_of_them(package: Path) -> None:
    before = both(package)
    for path in digests.sources(package):
        tree = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node):
                node.body[0] = ast.Expr(ast.Constant("another sentence"))
        # Unparsed: without comments, in another layout, with other line numbers.
        path.write_text("# a comment\n\n\n" + ast.unparse(tree), "utf-8")
    assert both(package) == before


def test_where_a_file_lies_is_no_part_of_them(package: Path) -> None:
    """A module is moved, and all that import it follow."""
    before = both(package)
    (package / "games/shared").mkdir()
    (package / "games/shared/__init__.py").write_text("")
    (package / "engine/masks.py").rename(package / "games/shared/masks.py")
    followed = 0
    for path in digests.sources(package):
        text = path.read_text("utf-8")
        if "thurn_env.engine.masks" in text:
            path.write_text(text.replace("thurn_env.engine.masks", "thurn_env.games.shared.masks"), "utf-8")
            followed += 1
    assert followed >= 3
    code, games = both(package)
    assert code == before[0]
    # Only the new folder's `__init__` is one more file of the games.
    assert games != before[1]
    (package / "games/shared/__init__.py").unlink()
    assert both(package) == before


@pytest.mark.parametrize(
    "name",
    [
        "engine/generator.py",
        "engine/lane_rules.py",
        "games/thurn_und_taxis/bots/weights.py",
        "games/thurn_und_taxis/rules/kernels.py",
        "games/zug_um_zug_deutschland/rules/kernels.py",
    ],
)
def test_code_that_kernels_are_made_from_is_in_both(package: Path, name: str) -> None:
    before = both(package)
    path = package / name
    path.write_text(path.read_text("utf-8") + "\nANOTHER = 1\n", "utf-8")
    code, games = both(package)
    assert code != before[0]
    assert games != before[1]


def test_every_compiled_module_changes_the_digest_of_the_code(package: Path) -> None:
    names = compiled(package)
    seen = {both(package)[0]}
    for name in sorted(names):
        path = package / name
        text = path.read_text("utf-8")
        path.write_text(text + f"\nANOTHER = {len(seen)}\n", "utf-8")
        seen.add(both(package)[0])
        path.write_text(text, "utf-8")
    assert len(seen) == len(names) + 1


@pytest.mark.parametrize(
    ("name", "in_games"),
    [
        ("games/thurn_und_taxis/game.py", True),
        ("games/thurn_und_taxis/rules/variant.py", True),
        ("games/thurn_und_taxis/show/words.py", False),
        ("games/thurn_und_taxis/show/map_block.py", False),
        ("games/zug_um_zug_deutschland/show/reasons.py", False),
        ("table/game.py", False),
        ("engine/pace.py", False),
    ],
)
def test_python_around_the_kernels_compiles_nothing_again(package: Path, name: str, in_games: bool) -> None:
    before = both(package)
    path = package / name
    path.write_text(path.read_text("utf-8") + "\nANOTHER = 1\n", "utf-8")
    code, games = both(package)
    assert code == before[0]
    assert (games != before[1]) is in_games


def test_all_modules_with_kernels_are_compiled_modules() -> None:
    """Every function that Numba compiles, by any decorator, lies in a file that the digest covers."""
    import thurn_env.games.thurn_und_taxis.game
    import thurn_env.games.zug_um_zug_deutschland.game  # noqa: F401
    from thurn_env.engine.kernels import JIT_DISABLED

    if JIT_DISABLED:
        return
    from numba.core.dispatcher import Dispatcher

    files, waiting = set(), [m for name, m in list(sys.modules.items()) if name.startswith("thurn_env")]
    values: list[Any] = [value for module in waiting for value in vars(module).values()]
    while values:
        value = values.pop()
        if isinstance(value, Dispatcher):
            files.add(Path(value.py_func.__code__.co_filename))
        elif isinstance(value, tuple):
            values += value
    names = {file.relative_to(PACKAGE).as_posix() for file in files}
    assert "engine/entry_kernels.py" in names
    assert names <= compiled(PACKAGE)


def test_another_import_of_the_same_name_is_noticed(package: Path) -> None:
    """What a name stands for depends on the module that it comes from."""
    before = both(package)[0]
    edited(
        package / "games/thurn_und_taxis/rules/kernels.py",
        (
            "from thurn_env.games.thurn_und_taxis.rules.scoring import",
            "from thurn_env.games.thurn_und_taxis.points import",
        ),
    )
    shutil.copy(package / "games/thurn_und_taxis/rules/scoring.py", package / "games/thurn_und_taxis/points.py")
    assert both(package)[0] != before


# Games of earlier engines


@pytest.mark.parametrize("file", sorted(RESULTS.glob("*.json")), ids=lambda file: file.stem)
def test_published_ladders_are_of_these_games(file: Path) -> None:
    """After a change of the games' sources, `python -m eval.ladder --check` shows whether their games are the same.

    If they are, add the new digest to `thurn_env.engine.provenance.SAME_GAMES`; if not, play the ladders again.
    """
    assert known_as(json.loads(file.read_text("utf-8"))["engine"]) == engine()


def test_an_unknown_engine_plays_other_games(monkeypatch: pytest.MonkeyPatch) -> None:
    for noted in ("0123456789abcdef", None, ["bb69203b5125b1a2"]):
        assert known_as(noted) == noted
    monkeypatch.setattr(provenance, "engine", lambda: "another")
    assert known_as("bb69203b5125b1a2") == "bb69203b5125b1a2"


def test_a_tournament_of_an_earlier_engine_is_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If that plays the same games; else it is another tournament."""
    command = ["--agents", "random", "greedy", "--board", "tiny", "--games", "2", "--seed", "1", "--jobs", "1"]
    command += ["--out", str(tmp_path / "out")]
    assert thurn("tournament", command) == 0
    description = tmp_path / "out" / "tournament.json"
    described = json.loads(description.read_text("utf-8"))
    for engine_of_it, expected in (("bb69203b5125b1a2", 0), ("0123456789abcdef", 2)):
        described["config"]["engine"] = engine_of_it
        description.write_text(json.dumps(described), "utf-8")
        assert thurn("tournament", command) == expected
