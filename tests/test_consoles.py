"""Every command prints on a console of any encoding: what it cannot show is replaced."""

from __future__ import annotations

import io
import os
import re
import runpy
import subprocess
import sys
import warnings
from pathlib import Path
from unittest import mock

import pytest

from thurn_env import Record, make_rules
from thurn_env.players.match import play_scripted
from thurn_env.table.replay import last_position

ROOT = Path(__file__).parents[1]
ENCODINGS = ("ascii", "cp1251", "cp932", "gbk")
PROGRAMS = (
    *(
        "eval.certificate",
        "eval.clients",
        "eval.dataset",
        "eval.exploitability",
        "eval.ladder",
        "eval.peers",
        "eval.puzzles",
    ),
    *(
        "eval.puzzles.mine",
        "eval.puzzles.prove",
        "eval.report",
        "eval.tournament",
        "train.evaluation",
        "train.imitate",
        "train.ppo",
    ),
    *("train.bound", "train.publish", "train.sweep", "train.tune"),
)


def run(encoding: str, *arguments: str, text: bytes = b"") -> tuple[int, str, str]:
    """A program on a console with an encoding: exit code, standard output, standard error.

    On the poorest console it is a process of its own. The others are streams of this process, which is faster.
    """
    return (run_process if encoding == "ascii" else run_here)(encoding, *arguments, text=text)


def run_process(encoding: str, *arguments: str, text: bytes = b"") -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        input=text,
        capture_output=True,
        cwd=ROOT,
        # Plain Python compiles nothing, so that a game takes seconds.
        env={**os.environ, "PYTHONIOENCODING": encoding, "NUMBA_DISABLE_JIT": "1", "COLUMNS": "120"},
        timeout=120,
    )
    return done.returncode, done.stdout.decode(encoding), done.stderr.decode(encoding)


def run_here(encoding: str, *arguments: str, text: bytes = b"") -> tuple[int, str, str]:
    stdin, stdout, stderr = (io.TextIOWrapper(io.BytesIO(given), encoding) for given in (text, b"", b""))
    with (
        mock.patch.multiple(sys, argv=list(arguments), stdin=stdin, stdout=stdout, stderr=stderr),
        mock.patch.dict(os.environ, COLUMNS="120"),
        warnings.catch_warnings(),
    ):
        # Another test may have imported the module before.
        warnings.filterwarnings("ignore", "'.*' found in sys.modules", RuntimeWarning)
        code = exit_code(arguments[0])
        stdout.flush()
        stderr.flush()
    return code, stdout.buffer.getvalue().decode(encoding), stderr.buffer.getvalue().decode(encoding)


def exit_code(module: str) -> int:
    """Run a module as `python -m` does."""
    with pytest.raises(SystemExit) as stop:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    assert isinstance(stop.value.code, int)
    return stop.value.code


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game whose agents have names from everywhere."""
    path = tmp_path_factory.mktemp("records") / "Spiel-ä-Ж-棋.json"
    game = last_position(play_scripted(make_rules("thurn_und_taxis", 2, "tiny"), ["greedy"] * 2, 3))
    game.record(["Jörg", "Жук 棋 🏇"]).save(path)
    return path


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_watching_a_game(encoding: str) -> None:
    watch = ("thurn_env", "watch", "--agents", "greedy", "greedy", "--board", "tiny", "--seed", "3")
    code, out, error = run(encoding, *watch, "--tables")
    assert (code, error) == (0, "")
    assert "result" in out
    shown = "Nördlingen".encode(encoding, "replace").decode(encoding)
    assert shown in out
    assert "?" in shown, "the test needs letters that the console lacks"


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_replaying_a_game(encoding: str, record: Path, tmp_path: Path) -> None:
    code, out, error = run(encoding, "thurn_env", "replay", str(record))
    assert (code, error) == (0, "")
    assert "J?rg" in out
    assert run(encoding, "thurn_env", "replay", str(record), "--verify")[0] == 0
    page = tmp_path / "page.html"
    assert run(encoding, "thurn_env", "replay", str(record), "--html", str(page))[0] == 0
    assert "Жук 棋 🏇" in page.read_text("utf-8"), "files are UTF-8 whatever the console is"


@pytest.mark.parametrize("encoding", ["ascii", "cp932"])
@pytest.mark.parametrize("game", ["thurn_und_taxis", "zug_um_zug_deutschland"])
def test_the_facts_of_a_board(encoding: str, game: str) -> None:
    for table in ([], ["--actions", "--observation", "--agents"]):
        code, out, error = run(encoding, "thurn_env", "info", "--game", game, *table)
        assert (code, error) == (0, "")
        assert out


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_playing(encoding: str, tmp_path: Path) -> None:
    """What somebody types may be in no encoding at all."""
    saved = tmp_path / "game.json"
    answers = b"help\ntable\nwhy\n\xff\xfe\xfc\n1\nsave\nquit\n"
    play = ("thurn_env", "play", "--board", "tiny", "--seed", "3", "--save", str(saved))
    code, out, error = run(encoding, *play, text=answers)
    assert (code, error) == (0, "")
    assert "You left the game." in out
    assert len(Record.load(saved).moves) >= 1


def test_a_typed_name_of_a_file_keeps_its_letters(tmp_path: Path) -> None:
    file = tmp_path / "Köln.json"
    play = ("thurn_env", "play", "--board", "tiny", "--seed", "3")
    assert run("ascii", *play, text=f"save {file}\nquit\n".encode())[0] == 0
    assert file.exists()


def test_typed_actions_may_have_their_letters_taken_apart(tmp_path: Path) -> None:
    """As in text that comes from macOS: an o and two dots are an ö."""
    play = ("thurn_env", "play", "--agents", "human", "greedy", "--board", "tiny", "--seed", "3")
    kept = ("--save", str(tmp_path / "kept.json"))
    code, out, _ = run("utf-8", *play, *kept, text="take No\u0308rdlingen\nquit\n".encode())
    assert code == 0
    assert "no card" not in out
    assert "help shows what else you can type" not in out.partition("draw>")[2]


@pytest.mark.parametrize("encoding", ["ascii", "gbk"])
def test_errors_are_shown_too(encoding: str) -> None:
    for command in (
        ["thurn_env", "info", "--board", "Ünterwegs-🏇"],
        ["thurn_env", "replay", "棋-Ж-ä.json"],
        ["thurn_env", "wätch"],
        ["eval.report", "Berichte-ä-棋", "--out", "x.html"],
        ["docs.generate", "ä"],
    ):
        code, out, error = run(encoding, *command)
        assert code in (1, 2)
        assert out == ""
        assert "Traceback" not in error
        assert error


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_program_has_help_on_the_poorest_console(program: str) -> None:
    code, out, error = run_here("ascii", program, "--help")
    assert (code, error) == (0, "")
    assert out.startswith("usage: ")


def test_no_program_is_forgotten() -> None:
    """Programs are all modules whose `main` is made by `program`, and the aliases to commands."""
    folders = [ROOT / "eval", ROOT / "train"]
    files = [
        file
        for folder in folders
        for file in folder.rglob("*.py")
        if re.search(r"^main = program\(|^    run_and_exit\(", file.read_text("utf-8"), re.MULTILINE)
    ]
    names = {".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".command") for file in files}
    assert names == set(PROGRAMS)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_puzzle(encoding: str) -> None:
    code, out, error = run(encoding, "eval.puzzles", "--show", "closing-1")
    assert (code, error) == (0, "")
    assert out


@pytest.mark.parametrize("encoding", ["ascii", "cp932"])
def test_a_tournament_with_an_agent_that_prints(encoding: str, tmp_path: Path) -> None:
    """It prints in a process of its own, and must not lose its game by that."""
    out = tmp_path / "tournament"
    command = (
        "eval.tournament",
        "--agents",
        "greedy",
        "tests.failing:Talkative",
        "--board",
        "tiny",
        "--games",
        "1",
    )
    code, shown, error = run_process(encoding, *command, "--seed", "1", "--jobs", "1", "--out", str(out))
    assert code == 0, error
    assert "Talkative" in shown
    index = "".join(file.read_text("utf-8") for file in (out / "index").iterdir())
    assert '"forfeit": null' in index
    assert '"reason"' not in index
