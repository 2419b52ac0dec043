"""The command `thurn`: what it prints, and how it fails."""

import ctypes
import json
import os
import re
import shutil
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from rich.text import Text

from thurn_env import Game, Record, __version__
from thurn_env.commands.arguments import guarded
from thurn_env.commands.cli import COMMANDS, main
from thurn_env.commands.paint import Paint, letters_on
from thurn_env.commands.show import OutputConsole, TurnPrinter
from thurn_env.errors import OptionError
from thurn_env.games import make_rules
from thurn_env.games.options import parse_options
from thurn_env.players.match import play_scripted

ROOT = Path(__file__).parents[1]
Capture = pytest.CaptureFixture[str]


def run_program(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "thurn_env", *arguments],
        input=text,
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
    )


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three games on the tiny board."""
    folder = tmp_path_factory.mktemp("games")
    files = [folder / f"{seed}.json" for seed in range(3)]
    for seed, file in enumerate(files):
        agents = ["--agents", "greedy", "random", "--board", "tiny", "--seed", str(seed), "--save", str(file)]
        assert main(["watch", *agents]) == 0
    all_games = folder / "all.jsonl"
    all_games.write_text("".join(file.read_text("utf-8").rstrip("\n") + "\n" for file in files), "utf-8")
    return all_games


# thurn


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["help"]])
def test_help_names_every_command(arguments: list[str], capsys: Capture) -> None:
    assert main(arguments) == 0
    output = capsys.readouterr().out
    for name, what in COMMANDS.items():
        assert f"  {name}" in output
        assert what in output


def test_no_command_and_wrong_command(capsys: Capture) -> None:
    assert main([]) == 2
    assert main(["wacth"]) == 2
    assert "there is no command 'wacth'; did you mean watch?" in capsys.readouterr().err


def test_version(capsys: Capture) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"thurn-env {__version__}\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str, capsys: Capture) -> None:
    assert main([name, "--help"]) == 0
    output = capsys.readouterr().out
    assert output.startswith(f"usage: thurn {name}")
    assert "--board" in output or name in ("replay", "report", "arena", "dataset", "sweep")


def test_wrong_option_is_exit_code_2(capsys: Capture) -> None:
    assert main(["watch", "--no-such-option"]) == 2


def test_as_a_program() -> None:
    done = run_program("--help")
    assert (done.returncode, done.stderr) == (0, "")
    done = run_program("watch", "--agents", "nobody", "greedy")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("thurn watch: there is no agent 'nobody'")
    assert done.stderr.count("\n") == 1


def test_help_loads_nothing_heavy() -> None:
    code = "import sys; from thurn_env.commands.cli import main; main(['-h'])"
    code += "; print(sorted({'tyro', 'rich'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.endswith("[]\n")


def test_a_closed_pipe_is_no_error(games: Path) -> None:
    command = f"{sys.executable} -m thurn_env info | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=ROOT, timeout=60)
    assert done.stdout.startswith("Thurn und Taxis, board south")
    assert done.stderr == ""


# thurn info


def test_info_shows_the_facts_of_the_board(capsys: Capture) -> None:
    assert main(["info"]) == 0
    output = capsys.readouterr().out
    rules = make_rules("thurn_und_taxis", 2)
    for city in [text.removeprefix("take ") for text in rules.action_texts if text.startswith("take ")]:
        assert city in output
    assert rules.board_digest[:16] in output
    assert "all provinces" in output
    assert "max_rounds" in output
    assert "heuristic" in output


def test_info_tables(capsys: Capture) -> None:
    assert main(["info", "--actions", "--observation", "--agents", "--board", "tiny", "--players", "3"]) == 0
    output = capsys.readouterr().out
    rules = make_rules("thurn_und_taxis", 3, "tiny")
    for name in ("actions", "observation"):
        for row in rules.tables()[name].rows:
            assert row[0] in output
            assert row[1] in output
    assert f".. {rules.observation_size - 1}" in output
    assert "package.module:Class" in output
    assert "Bonus tiles" not in output


def test_every_table_is_a_table() -> None:
    for board in ("tiny", "south"):
        rules = make_rules("thurn_und_taxis", 2, board)
        for table in rules.tables().values():
            assert table.rows
            assert all(
                len(row) == len(table.columns) and all(isinstance(cell, str) for cell in row) for row in table.rows
            )
        assert rules.boards == make_rules("thurn_und_taxis", 4).boards


def test_info_of_an_unknown_board(capsys: Capture) -> None:
    assert main(["info", "--board", "nowhere"]) == 2
    error = capsys.readouterr().err
    assert error.startswith('thurn info: no board is called "nowhere"')
    assert error.count("\n") == 1


# thurn watch


def test_watch_prints_every_move(games: Path, capsys: Capture) -> None:
    arguments = ["watch", "--agents", "greedy", "random", "--board", "tiny", "--seed", "1"]
    assert main(arguments) == 0
    output = capsys.readouterr().out
    record = Record.load(games.parent / "1.json")
    turns = re.findall(r"^ *\d+  (\w+) +(.*)   \[(-?\d+)\]$", output, re.M)
    assert [move for _, moves, _ in turns for move in moves.split(", ")] == record.moves
    assert record.result is not None
    last = {name: int(score) for name, _, score in turns}
    assert [last["greedy"], last["random"]] == record.result["scores"]
    assert "\x1b" not in output
    assert main(arguments) == 0
    assert capsys.readouterr().out == output


def test_watch_with_tables_and_a_fresh_seed(capsys: Capture) -> None:
    options = ["--option", "max_rounds=2", "--tables", "--delay", "0.001"]
    assert main(["watch", "--agents", "random", "random", "--board", "tiny", *options]) == 0
    output = capsys.readouterr().out
    assert "display" in output
    assert "cut off" in output
    assert re.search(r"seed \d+", output)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--agents", "greedy"], "2 to 4 players, not 1"),
        (["--agents"], "name the agents"),
        (["--agents", "gredy", "random"], "did you mean 'greedy'?"),
        (["--agents", "random", "random", "--seed", "-3"], "a seed is a whole number from 0 up"),
        (["--agents", "random", "random", "--option", "x"], "--option wants name=value"),
        (["--agents", "random", "random", "--board", "tiny", "--save", "/no/such/folder/game.json"], "/no/such/folder"),
    ],
)
def test_watch_errors(arguments: list[str], reason: str, capsys: Capture) -> None:
    assert main(["watch", *arguments]) == 2
    error = capsys.readouterr().err
    assert reason in error
    assert error.startswith("thurn watch: ")
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (
            ["info", "--option", "max_rounds=3", "--option", "horses=true"],
            "--option is given twice; give all its values",
        ),
        (["watch", "--agents", "greedy", "random", "--agents=greedy"], "--agents is given twice; give all its values"),
        (
            ["train", "--opponents", "self=1", "--opponents", "past=1"],
            "--opponents is given twice; give all its values",
        ),
        (["info", "--option", "horses=true", "horses=false"], "--option gives 'horses' twice"),
    ],
)
def test_values_of_an_option_are_not_lost(command: list[str], reason: str, capsys: Capture) -> None:
    assert main(command) == 2
    assert reason in capsys.readouterr().err


def test_names_in_a_record_command_no_terminal(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "game.json"
    play_scripted(make_rules("thurn_und_taxis", 2, "tiny"), ["greedy", "random"], 1).save(file)
    text = file.read_text("utf-8").replace('"greedy"', '"\\u001b[31mred\\u001b]0;mine\\u0007\\n"')
    file.write_text(text, "utf-8")
    assert main(["replay", str(file)]) == 0
    output = capsys.readouterr().out
    assert "\x1b" not in output
    assert "\x07" not in output
    assert "\\x1b[31mred" in output


def test_options_from_text() -> None:
    assert parse_options(["a=True", "b=12", "c=x=y"]) == {"a": True, "b": 12, "c": "x=y"}
    with pytest.raises(OptionError, match="wants name=value"):
        parse_options(["=1"])


# thurn replay


def test_replay_shows_what_was_watched(games: Path, capsys: Capture) -> None:
    assert main(["watch", "--agents", "greedy", "random", "--board", "tiny", "--seed", "2"]) == 0
    watched = capsys.readouterr().out.splitlines()[1:]
    assert main(["replay", str(games), "--game", "3"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == watched
    assert main(["replay", str(games.parent / "2.json")]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == watched


def test_verify(games: Path, capsys: Capture) -> None:
    assert main(["replay", str(games), "--verify"]) == 0
    assert "3 games verified" in capsys.readouterr().out
    assert main(["replay", str(games), "--verify", "--game", "2"]) == 0
    assert "1 game verified" in capsys.readouterr().out


def damaged(games: Path, tmp_path: Path, kind: str) -> Path:
    """The three games, the second one damaged."""
    lines = games.read_text("utf-8").splitlines()
    record = json.loads(lines[1])
    if kind == "result":
        record["result"]["scores"][0] += 1
    elif kind == "move":
        record["moves"][4] = "take Nowhere"
    else:
        record["format"] = "other/1"
    lines[1] = json.dumps(record) if kind != "json" else lines[1][:-10]
    file = tmp_path / f"{kind}.jsonl"
    file.write_text("\n".join(lines) + "\n", "utf-8")
    return file


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("result", "game 2: result: the scores are"),
        ("move", "game 2: move 5 of"),
        ("format", "line 2: format must be 'thurn-record/1', not 'other/1'"),
        ("json", "line 2: not JSON"),
    ],
)
def test_a_bad_record_is_exit_code_1(games: Path, tmp_path: Path, capsys: Capture, kind: str, reason: str) -> None:
    file = damaged(games, tmp_path, kind)
    assert main(["replay", str(file), "--verify"]) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert reason in error
    assert kind in error


def test_replay_of_what_is_not_there(games: Path, tmp_path: Path, capsys: Capture) -> None:
    for arguments, reason in [
        ([str(tmp_path / "none.json")], "there is no such file"),
        ([str(games), "--game", "4"], "there is no game 4; the games are 1 to 3"),
        ([str(games), "--game", "0"], "there is no game 0"),
        ([str(shutil.copy(games, tmp_path / "games.txt")), "--game", "4"], "there is no game 4; the games are 1 to 3"),
    ]:
        assert main(["replay", *arguments]) == 1
        assert reason in capsys.readouterr().err


# on a terminal


@pytest.mark.skipif(os.name == "nt", reason="pipes of a shell")
def test_a_reader_that_has_seen_enough() -> None:
    """As in `thurn info | head -1`: no complaint, and no error."""
    command = [sys.executable, "-m", "thurn_env", "info", "--observation"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.parametrize("columns", [60, 80, 150])
def test_columns_give_the_width_of_tables(monkeypatch: pytest.MonkeyPatch, capsys: Capture, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert main(["info", "--board", "south"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= columns


def test_colours_on_a_terminal() -> None:
    game = Game(2, "tiny", seed=1)
    said = {}
    for colours in (True, False):
        out = StringIO()
        console = OutputConsole(
            file=out, force_terminal=True, color_system="truecolor", no_color=not colours, width=200
        )
        printer = TurnPrinter(console, ["greedy", "random"], tables=True)
        printer(game, game.legal[0])
        printer.finish(game)
        said[colours] = out.getvalue()
    # Crailsheim lies in Hohenlohe, whose colour is light: it stands on it in dark letters.
    assert "\x1b[38;2;0;0;0;48;2;" in said[True]
    assert game.legal[0] == "take Crailsheim"
    assert not re.search(r"\x1b\[[\d;]*[34]8;", said[False])
    # Colours change nothing else.
    plain = [re.sub(r"\x1b\[[\d;]*m", "", text) for text in said.values()]
    assert plain[0] == plain[1]


@pytest.mark.parametrize(
    ("game", "board", "names"),
    [
        ("thurn_und_taxis", "tiny", {"Hohenlohe": "#9bb42a", "Langenburg": "#9bb42a"}),
        ("zug_um_zug_deutschland", "tiny_rails", {"blue": "#2f7fd0", "Gotha-Suhl grey": "#aeb3b8"}),
    ],
)
def test_names_have_the_colours_of_the_picture(game: str, board: str, names: dict[str, str]) -> None:
    picture = Game(2, board, game=game).picture()
    assert picture.colours.items() >= names.items()
    sheet = picture.style_sheet("light", "")
    assert all(f"fill:{colour}" in sheet for colour in picture.colours.values())
    paint = Paint(picture.colours)
    for name, colour in picture.colours.items():
        text = paint(Text(f"take {name}, {name}s"))
        assert [(span.start, span.end) for span in text.spans] == [(5, 5 + len(name))]
        assert text.spans[0].style == f"{letters_on(colour)} on {colour}"


def test_letters_can_be_read_on_every_colour() -> None:
    assert [letters_on(colour) for colour in ("#ffffff", "#f0cd22", "#33373b", "#8a5a3a")] == ["#000000"] * 2 + [
        "#ffffff"
    ] * 2


def test_names_with_brackets_are_shown_as_they_are(tmp_path: Path, games: Path) -> None:
    record = json.loads((games.parent / "0.json").read_text("utf-8"))
    record["agents"] = ["[bold]a[/bold]", "mcts:1000"]
    file = tmp_path / "named.json"
    file.write_text(json.dumps(record), "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "thurn_env", "replay", str(file)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "NO_COLOR": "1"},
        check=True,
    )
    assert "[bold]a[/bold]" in done.stdout


@pytest.mark.usefixtures("ctrl_c")
def test_an_interrupt_that_the_compiler_swallows(capsys: Capture) -> None:
    """Ctrl-C in one of its callbacks is lost there, and what comes of it is another error."""

    def interrupted() -> None:
        raise KeyboardInterrupt

    def compile_something() -> int:
        ctypes.CFUNCTYPE(None)(interrupted)()
        raise RuntimeError("no compiled object yet")

    def go_on() -> int:
        ctypes.CFUNCTYPE(None)(interrupted)()
        return next((number for number in range(10**8) if number < 0), 0)

    assert guarded("thurn", compile_something) == 130
    assert capsys.readouterr().err == "\nthurn: stopped\n"
    assert guarded("thurn", go_on) == 130, "it went on to the end"
    with pytest.raises(RuntimeError, match="something else"):
        guarded("thurn", fails)


def fails() -> int:
    raise RuntimeError("something else")


@pytest.mark.parametrize(
    "command",
    [
        ["tournament", "--agents", "greedy", "random", "--games", "1", "--out"],
        ["dataset", "tournament", "--out"],
        ["report"],
        ["exploit", "greedy", "--steps", "0", "--out"],
        ["match", "greedy", "random", "--out"],
        ["train", "--out"],
        ["arena"],
    ],
)
def test_a_name_of_other_bytes_is_refused_first(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Else the work is done before its result cannot be written."""
    monkeypatch.chdir(tmp_path)
    assert main([*command, os.fsdecode(b"x\xff")]) == 2
    assert "'x\\udcff' is not UTF-8; rename the file or folder" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
