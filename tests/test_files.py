"""Text files that people have edited: with byte order marks, other ends of lines, letters taken apart, or damaged."""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import thurn_env.players.evaluation
from eval.ladder import PLAN, read_plan
from eval.ladder_results import RESULTS, read_noted
from eval.puzzles.puzzle import FOLDER, load_puzzle
from tests.programs import thurn
from thurn_env import Game, Record, make_rules
from thurn_env.errors import OptionError, ThurnError
from thurn_env.files import (
    HTML,
    check_file,
    check_folder,
    check_replaceable,
    composed,
    locked,
    make_folder,
    read_text,
    write_text,
)
from thurn_env.games.thurn_und_taxis.board.shipped import SHIPPED
from thurn_env.players.match import play_scripted
from thurn_env.serve.store import Store
from thurn_env.table.record import BEGINNING
from thurn_env.table.replay import verify
from thurn_env.tournament.folder import Folder
from thurn_env.training.config import preset
from thurn_env.training.sweep import read_plan as read_sweep

Spoil = Callable[[str], bytes]
EDITORS: dict[str, Spoil] = {
    "as it was": lambda text: text.encode(),
    "byte order mark": lambda text: text.encode("utf-8-sig"),
    "carriage returns": lambda text: text.replace("\n", "\r\n").encode(),
    "old Macintosh": lambda text: text.replace("\n", "\r").encode(),
    "letters taken apart": lambda text: unicodedata.normalize("NFD", text).encode(),
    "all at once": lambda text: unicodedata.normalize("NFD", text).replace("\n", "\r\n").encode("utf-8-sig"),
}
each_editor = pytest.mark.parametrize("editor", EDITORS.values(), ids=EDITORS)


def record() -> Record:
    return play_scripted(make_rules("thurn_und_taxis", 2, "tiny"), ["greedy"] * 2, 3)


SWEEP = '[common]\ngame = "thurn_und_taxis"\nboard = "tiny"\n[grid]\nseed = [1, 2]\n'


@each_editor
def test_text(tmp_path: Path, editor: Spoil) -> None:
    path = tmp_path / "file"
    path.write_bytes(editor("Köln\nNördlingen\n"))
    assert composed(read_text(path)) == "Köln\nNördlingen\n"


@each_editor
def test_records(tmp_path: Path, editor: Spoil) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(editor(record().to_json() + "\n\n" + record().to_json() + "\n"))
    assert list(Record.load_all(path)) == [record(), record()]
    path.write_bytes(editor(json.dumps(record().as_dict(), indent=2, ensure_ascii=False)))
    loaded = Record.load(path)
    assert loaded == record()
    verify(loaded)


@each_editor
def test_boards(tmp_path: Path, editor: Spoil) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(editor((SHIPPED / "tiny.toml").read_text("utf-8")))
    assert make_rules("thurn_und_taxis", 2, path).board == make_rules("thurn_und_taxis", 2, "tiny").board


@each_editor
def test_plans_of_ladders(tmp_path: Path, editor: Spoil) -> None:
    path = tmp_path / "ladder.toml"
    path.write_bytes(editor(PLAN.read_text("utf-8")))
    assert read_plan(path) == read_plan()


@each_editor
def test_plans_of_sweeps(tmp_path: Path, editor: Spoil) -> None:
    path = tmp_path / "sweep.toml"
    path.write_bytes(editor(SWEEP))
    assert [run.name for run in read_sweep(path)] == ["seed=1", "seed=2"]


@each_editor
def test_presets(tmp_path: Path, editor: Spoil, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = preset("quick")
    path = tmp_path / "quick.toml"
    path.write_bytes(editor((Path("thurn_env") / "training" / "presets" / "quick.toml").read_text("utf-8")))
    monkeypatch.setattr("thurn_env.training.config.PRESETS", tmp_path)
    assert preset("quick") == wanted


@each_editor
def test_puzzles(tmp_path: Path, editor: Spoil) -> None:
    path = tmp_path / "closing-1.json"
    path.write_bytes(editor((FOLDER / path.name).read_text("utf-8")))
    assert load_puzzle(path) == load_puzzle(FOLDER / path.name)


@each_editor
def test_evaluations(tmp_path: Path, editor: Spoil) -> None:
    source = next(thurn_env.players.evaluation.FOLDER.glob("*.json"))
    path = tmp_path / source.name
    path.write_bytes(editor(source.read_text("utf-8")))
    assert thurn_env.players.evaluation.read(path) == thurn_env.players.evaluation.read(source)


@each_editor
def test_results_of_ladders(tmp_path: Path, editor: Spoil) -> None:
    source = RESULTS / "skill-2.json"
    path = tmp_path / source.name
    path.write_bytes(editor(source.read_text("utf-8")))
    assert read_noted(path) == read_noted(source)


READERS: dict[str, Callable[[Path], Any]] = {
    "record": Record.load,
    "ladder": read_plan,
    "sweep": read_sweep,
    "puzzle": load_puzzle,
    "evaluation": thurn_env.players.evaluation.read,
}


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_files_that_cannot_be_read(tmp_path: Path, read: Callable[[Path], Any]) -> None:
    """One sentence, whatever the file was to be."""
    path = tmp_path / "file.json"
    with pytest.raises(ThurnError, match=r"file\.json: there is no such file"):
        read(path)
    with pytest.raises(ThurnError, match=r"is a directory, not a file"):
        read(tmp_path)
    path.write_bytes("Köln".encode("latin-1"))
    with pytest.raises(ThurnError, match=r"file\.json: is not UTF-8 text \(byte 0xf6 at 1\); save it as UTF-8"):
        read(path)
    with pytest.raises(ThurnError, match=r"is not a valid file name"):
        read(Path("a\0b"))


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="a user who may not read everything")
def test_files_that_may_not_be_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("")
    path.chmod(0)
    with pytest.raises(ThurnError, match=r"file: you have no permission to read this file$"):
        read_text(path)


def test_permission_denied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(*_: Any, **__: Any) -> str:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_text", denied)
    with pytest.raises(ThurnError, match=r"file: you have no permission to read this file$"):
        read_text(tmp_path / "file")


def test_a_damaged_line_of_a_tournament(tmp_path: Path) -> None:
    """What is not UTF-8 is a damaged line like any other, and no traceback."""
    from thurn_env.tournament.folder import _lines

    path = tmp_path / "index.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}\r\n{"a": "\xff"}\n')
    lines = _lines(path)
    assert next(lines) == {"a": 1}
    with pytest.raises(ThurnError, match=r"index\.jsonl, line 2: damaged"):
        next(lines)
    (tmp_path / "tournament.json").write_bytes(b"\xff")
    with pytest.raises(ThurnError, match=r"tournament\.json: is not UTF-8 text"):
        Folder.existing(tmp_path)


def test_a_line_of_a_tournament_that_tells_of_no_game(tmp_path: Path) -> None:
    """It is JSON, but something is missing."""
    command = ["--agents", "random", "greedy", "--games", "1", "--seed", "1", "--board", "tiny", "--option"]
    command += ["max_rounds=2", "--jobs", "0", "--out", str(tmp_path / "out")]
    assert thurn("tournament", command) == 0
    (index,) = (tmp_path / "out" / "index").iterdir()
    first, *_ = index.read_text("utf-8").splitlines()
    for line in (
        '{"a": 1}',
        "[]",
        "3",
        json.dumps({key: value for key, value in json.loads(first).items() if key != "ranks"}),
    ):
        index.write_text(f"{first}\n{line}\n", "utf-8")
        with pytest.raises(ThurnError, match=r"line 2: damaged; delete the folder and play again"):
            list(Folder.existing(tmp_path / "out").index())


def test_places_where_nothing_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence names the file in the way, or the folder that is missing; nothing is left behind."""
    (tmp_path / "file").write_text("", "utf-8")
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    for folder in (Path("file"), Path("file/x"), Path("file/x/y")):
        for make in (make_folder, check_folder, lambda folder: locked(folder, "busy").__enter__()):
            with pytest.raises(ThurnError, match=r"^file is a file; name a folder$"):
                make(folder)
    for path, problem in (
        ("folder", "folder is a folder; name a file in it"),
        ("file/x", "file is a file; name a folder"),
        ("nothing/x", "nothing/x: there is no folder nothing; create it, or name another one"),
    ):
        for write in (lambda path: write_text(path, "x"), check_file):
            with pytest.raises(ThurnError, match=f"^{problem}$"):
                write(Path(path))
    check_file(Path("folder/new"))
    check_folder(Path("folder/new/newer"))
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "folder"]


@pytest.mark.parametrize(
    "command",
    [
        ["tournament", "--agents", "random", "greedy", "--board", "tiny", "--games", "1", "--out", "file"],
        ["watch", "--agents", "random", "greedy", "--board", "tiny", "--save", "nothing/game.json"],
        ["play", "--board", "tiny", "--save", "nothing/game.json"],
        ["replay", "game.json", "--html", "nothing/game.html"],
        ["serve", "--port", "0", "--keep", "file"],
        ["arena", "file", "table"],
    ],
    ids=lambda command: command[0],
)
def test_commands_that_cannot_write_say_so_before_any_work(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    Game(players=2, board="tiny", seed=1).record().save(tmp_path / "game.json")
    monkeypatch.chdir(tmp_path)
    assert thurn(command[0], command[1:]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert len(captured.err.splitlines()) == 1
    assert "Errno" not in captured.err
    assert "file" in captured.err or "nothing" in captured.err
    assert {path.name for path in tmp_path.iterdir()} == {"file", "game.json"}


@pytest.mark.parametrize(
    "command",
    [
        ["watch", "--agents", "random", "greedy", "--board", "tiny", "--save", "notes.txt"],
        ["play", "--board", "tiny", "--save", "notes.txt"],
        ["replay", "game.json", "--html", "game.json"],
        ["serve", "--keep", "kept", "--export", "kept/games.sqlite"],
        ["evaluation", "--board", "tiny", "--games", "20", "--out", "notes.txt"],
    ],
    ids=lambda command: command[0],
)
def test_commands_replace_no_file_of_another_kind(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Game(players=2, board="tiny", seed=1).record().save(tmp_path / "game.json")
    (tmp_path / "notes.txt").write_text("my notes", "utf-8")
    Store(tmp_path / "kept").close()
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    monkeypatch.chdir(tmp_path)
    assert thurn(command[0], command[1:]) == 2
    assert f"{command[-1]} exists and is not " in capsys.readouterr().err
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.skipif(os.name == "nt", reason="named pipes in the file system")
def test_what_is_no_file_is_written_to_and_stays(tmp_path: Path) -> None:
    """As root, a file would take the place of /dev/null."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_text(pipe, "text")
        assert os.read(reader, 10) == b"text"
        Game(2, "tiny", seed=1).record().save(pipe)
        assert os.read(reader, 100_000).startswith(b'{"format": "thurn-record/1"')
    finally:
        os.close(reader)
    assert pipe.is_fifo()
    assert [file.name for file in tmp_path.iterdir()] == ["pipe"]


def test_files_of_the_same_kind_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("\n <!doctype html>\n<html>", "utf-8")
    (tmp_path / "game.json").write_text('{\n  "format": "thurn-record/1",', "utf-8")
    (tmp_path / "empty").write_text("", "utf-8")
    for name, beginning in (("page.html", HTML), ("game.json", BEGINNING), ("empty", HTML), ("new", HTML)):
        check_replaceable(tmp_path / name, beginning, "anything")


def test_files_are_written_alike_on_every_system(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_text(path, "Köln\nUlm\n")
    assert path.read_bytes() == "Köln\nUlm\n".encode()
    Game(players=2, board="tiny", seed=1).record().save(path)
    assert b"\r" not in path.read_bytes()


def test_a_folder_that_another_process_uses_meanwhile_stays(tmp_path: Path) -> None:
    """And does not hide the error of the work itself."""

    def refused() -> None:
        with locked(tmp_path / "runs" / "a", "busy"):
            (tmp_path / "runs" / "b").mkdir()
            raise OptionError("another one")

    with pytest.raises(OptionError, match="another one"):
        refused()
    assert [folder.name for folder in (tmp_path / "runs").iterdir()] == ["b"]
