"""The folder of a tournament: counted without a change, refused without a description, and damage is named."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.tournaments import files, play
from thurn_env.tournament import rate
from thurn_env.tournament.config import Config
from thurn_env.tournament.folder import Folder

THREE = "random greedy heuristic"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished tournament of three bots."""
    out = tmp_path_factory.mktemp("tournament")
    assert play(out, "--jobs", "1", agents=THREE) == 0
    return out


def test_counting_games_changes_no_file(played: Path, tmp_path: Path) -> None:
    """Another process may be writing: what looks like the rest of a crash may be a line that is not finished yet."""
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)
    whole = rate(tmp_path, 20).figures
    for part in ("games", "index", "times"):
        for file in (tmp_path / part).glob("*.jsonl"):
            with file.open("a") as lines:
                lines.write('{"deck": 6, "rota')
    before = files(tmp_path)
    assert rate(tmp_path, 20).figures == whole
    assert files(tmp_path) == before
    assert play(tmp_path, "--jobs", "1", agents=THREE) == 0
    assert files(tmp_path) == files(played)


@pytest.mark.parametrize("gone", ["tournament.json", "tournament.json index"])
def test_games_without_a_description_are_not_taken_for_others(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], gone: str
) -> None:
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)
    for name in gone.split():
        path = tmp_path / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    before = files(tmp_path) if "index" not in gone else {}
    assert play(tmp_path, "--jobs", "1", "--seed", "9", agents=THREE) == 2
    assert "holds games of which nothing says what they are" in capsys.readouterr().err
    assert not (tmp_path / "tournament.json").exists()
    assert "index" in gone or files(tmp_path) == before


@pytest.mark.parametrize(
    "change",
    [
        {"agents": ["x", "greedy"]},
        {"agents": ["greedy"]},
        {"deck": 99},
        {"deck": "1"},
        {"scores": None},
        {"scores": [1]},
        {"ranks": [7, 8]},
        {"ranks": [2, 2]},
        {"ranks": 1},
        {"start_player": 5},
        {"breakdown": []},
        {"rounds": "many"},
        {"forfeit": 1},
        {"forfeit": {"agent": "x", "reason": "none"}},
    ],
)
def test_a_damaged_line_of_the_index_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: dict[str, Any]
) -> None:
    assert play(tmp_path, "--jobs", "1", games=2) == 0
    (file,) = (tmp_path / "index").iterdir()
    lines = file.read_text("utf-8").splitlines(keepends=True)
    lines[2] = json.dumps(json.loads(lines[2]) | change) + "\n"
    file.write_text("".join(lines), "utf-8")
    assert play(tmp_path, "--jobs", "1", games=2) == 2
    assert f"{file}, line 3: damaged; delete the folder and play again" in capsys.readouterr().err


def test_a_tournament_that_does_not_begin_leaves_no_folder(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "new", Config(("random", "greedy"), 2, 1))
    with pytest.raises(KeyboardInterrupt), folder.locked():
        raise KeyboardInterrupt
    assert not folder.path.exists()
