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
from thurn_env.engine import digests
from thurn_env.engine.digests import PACKAGE, code_digest, game_digest
from thurn_env.errors import OptionError
from thurn_env.games import EXAMPLES, GAMES, engines
from thurn_env.games.engines import current_digest, engine

GAME, OTHER = "thurn_und_taxis", "zug_um_zug_deutschland"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package, to be changed."""
    copy = tmp_path / "thurn_env"
    # Digests are those of modules; the models beside them have megabytes.
    for path in PACKAGE.rglob("*.py"):
        target = copy / path.relative_to(PACKAGE)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    return copy


def of_game(package: Path, game: str) -> str:
    return game_digest(f"thurn_env.games.{game}.game", package)


def of_games(package: Path) -> dict[str, str]:
    return {game: of_game(package, game) for game in (*GAMES, *EXAMPLES)}


def both(package: Path) -> tuple[str, str]:
    return code_digest(package), of_game(package, GAME)


def written(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def changed(path: Path) -> None:
    path.write_text(path.read_text("utf-8") + "\nANOTHER = 1\n", "utf-8")


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
    assert both(package)[0] == before[0]


@pytest.mark.parametrize(
    "name",
    [
        "engine/generator.py",
        "engine/lane_rules.py",
        "games/thurn_und_taxis/bots/weights.py",
        "games/thurn_und_taxis/rules/kernels.py",
        "games/ranking.py",
    ],
)
def test_code_that_kernels_are_made_from_is_in_both(package: Path, name: str) -> None:
    before = both(package)
    changed(package / name)
    code, game = both(package)
    assert code != before[0]
    assert game != before[1]


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
    ("name", "in_game"),
    [
        ("games/thurn_und_taxis/game.py", True),
        ("games/thurn_und_taxis/rules/variant.py", True),
        ("games/thurn_und_taxis/show/words.py", False),
        ("games/thurn_und_taxis/show/map_block.py", False),
        ("games/zug_um_zug_deutschland/show/reasons.py", False),
        ("table/game.py", False),
        ("engine/thread_choice.py", False),
        ("games/board_files.py", True),
        ("games/options.py", True),
        ("games/contract/rules.py", True),
    ],
)
def test_python_around_the_kernels_compiles_nothing_again(package: Path, name: str, in_game: bool) -> None:
    before = both(package)
    changed(package / name)
    code, game = both(package)
    assert code == before[0]
    assert (game != before[1]) is in_game


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


# Digests by game


@pytest.mark.parametrize(
    ("name", "games"),
    [
        ("games/thurn_und_taxis/bots/weights.py", [GAME]),
        ("games/thurn_und_taxis/rules/scoring.py", [GAME]),
        ("games/zug_um_zug_deutschland/game.py", [OTHER]),
        ("games/zug_um_zug_deutschland/rules/scoring.py", [OTHER]),
        ("games/example/rules.py", ["example"]),
        ("games/open_cards.py", [GAME, OTHER]),
        ("games/contract/rules.py", [GAME, OTHER, "example"]),
        ("engine/generator.py", [GAME, OTHER, "example"]),
        ("games/__init__.py", []),
        ("games/engines.py", []),
        ("games/show/style.py", []),
    ],
)
def test_a_module_changes_the_digests_of_the_games_that_use_it(package: Path, name: str, games: list[str]) -> None:
    before = of_games(package)
    changed(package / name)
    after = of_games(package)
    assert [game for game, digest in after.items() if digest != before[game]] == games


def test_another_game_changes_no_digest(package: Path) -> None:
    before = of_games(package)
    shutil.copytree(package / "games/example", package / "games/another")
    changed(package / "games/__init__.py")
    assert of_games(package) == before


def test_a_game_of_another_package_has_the_digest_of_its_own_modules(tmp_path: Path) -> None:
    home = tmp_path / "site"
    folder = home / "coaches"
    for name, text in (
        ("game/__init__.py", ""),
        ("game/play.py", "from coaches.cards import CARDS\nfrom thurn_env.games.sets import only\n"),
        ("game/show/words.py", "WORDS = 1\n"),
        ("cards.py", "CARDS = 1\n"),
        ("other.py", "OTHER = 1\n"),
    ):
        written(folder / name, text)

    def digest() -> str:
        return game_digest("coaches.game.play", home=home)

    seen = {digest()}
    for name in ("other.py", "game/show/words.py"):
        changed(folder / name)
        assert digest() in seen
    for name in ("cards.py", "game/play.py"):
        changed(folder / name)
        seen.add(digest())
    assert len(seen) == 3


def test_a_package_of_another_game_may_do_without_init_and_import_from_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "coaches"
    for name, text in (
        ("game/play.py", "import coaches.houses as houses\nfrom ..cards import CARDS\nfrom . import cards\n"),
        ("game/cards.py", "CARDS = 1\n"),
        ("cards.py", "CARDS = 1\n"),
        ("houses.py", "HOUSES = 1\n"),
        ("other.py", "OTHER = 1\n"),
    ):
        written(folder / name, text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(engines, "entry_point", lambda game: ("coaches.game.play", "make"))

    def digest() -> str:
        engine.cache_clear()
        return engine("coaches")

    try:
        seen = [digest()]
        for name in ("other.py", "cards.py", "houses.py", "game/cards.py", "game/play.py"):
            changed(folder / name)
            seen.append(digest())
    finally:
        engine.cache_clear()
    assert seen[0] == seen[1]
    assert len(set(seen)) == 5


@pytest.mark.parametrize("package", [True, False])
def test_kernels_of_another_package_depend_on_all_of_its_modules(tmp_path: Path, package: bool) -> None:
    """Of the whole package; of its folder alone if it is none, where unrelated files may lie."""
    names = ("__init__.py", "rules/__init__.py", "rules/play.py", "bots/choose.py") if package else ("rules/play.py",)
    for name in (*names, "bots/choose.py"):
        written(tmp_path / "game" / name, "VALUE = 1\n")
    before = digests.folder_digest(tmp_path / "game" / "rules")
    changed(tmp_path / "game" / "bots" / "choose.py")
    assert (digests.folder_digest(tmp_path / "game" / "rules") != before) == package
    changed(tmp_path / "game" / "rules" / "play.py")
    assert digests.folder_digest(tmp_path / "game" / "rules") != before


def test_every_game_has_its_digest() -> None:
    for game in (*GAMES, *EXAMPLES):
        assert engine(game) == of_game(PACKAGE, game)
    with pytest.raises(OptionError, match="there is no game 'chess'"):
        engine("chess")


# Games of earlier engines


@pytest.mark.parametrize("file", sorted(RESULTS.glob("*.json")), ids=lambda file: file.stem)
def test_published_ladders_are_of_these_games(file: Path) -> None:
    """After a change of the games' sources, `python -m eval.ladder --check` shows whether their games are the same.

    If they are, add the new digest to `thurn_env.games.engines.SAME_GAMES`; if not, play the ladders again.
    """
    results = json.loads(file.read_text("utf-8"))
    game = results["ladder"]["game"]
    assert current_digest(game, results["engine"]) == engine(game)


def test_an_unknown_engine_plays_other_games(monkeypatch: pytest.MonkeyPatch) -> None:
    for noted in ("0123456789abcdef", None, ["bb69203b5125b1a2"]):
        assert current_digest(GAME, noted) == noted
    monkeypatch.setattr(engines, "engine", lambda game: "another")
    assert current_digest(GAME, "bb69203b5125b1a2") == "bb69203b5125b1a2"


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
