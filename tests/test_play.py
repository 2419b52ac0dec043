"""`thurn play`, through what is typed and what is printed."""

from __future__ import annotations

import io
import itertools
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.slow_guests import FAILING, THINKING
from tests.test_cli import ROOT
from thurn_env import Game, Record, make_rules
from thurn_env.commands.cli import main
from thurn_env.commands.dialogue import Dialogue, chosen, matching
from thurn_env.commands.show import output_console
from thurn_env.players.agent import ScriptedAgent
from thurn_env.players.session import Session
from thurn_env.table.replay import replay, verify

Capture = pytest.CaptureFixture[str]
TINY = ["--board", "tiny", "--seed", "4"]


class Terminal:
    """Types into the command and reads what it prints; its files lie in a folder of their own."""

    def __init__(self, capsys: Capture, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.capsys, self.monkeypatch, self.folder = capsys, monkeypatch, folder
        monkeypatch.chdir(folder)

    def play(self, *arguments: str, typed: str | io.StringIO) -> str:
        self.monkeypatch.setattr(sys, "stdin", io.StringIO(typed) if isinstance(typed, str) else typed)
        self.code = main(["play", *arguments])
        output = self.capsys.readouterr()
        self.error = output.err
        return output.out

    @property
    def files(self) -> list[str]:
        return sorted(path.name for path in self.folder.iterdir())


@pytest.fixture
def terminal(capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Terminal:
    return Terminal(capsys, monkeypatch, tmp_path)


def test_a_whole_game_is_played(tmp_path: Path) -> None:
    """Always the first legal action, in a process of its own."""
    arguments = ["play", *TINY, "--save", "game.json"]
    done = subprocess.run(
        [sys.executable, "-m", "thurn_env", *arguments],
        input="1\n" * 400,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert "game end" in done.stdout
    assert "\x1b" not in done.stdout
    record = Record.load(tmp_path / "game.json")
    assert record.agents == ["human", "heuristic"]
    assert record.result is not None
    verify(record)


def test_actions_by_number_by_text_and_by_part(terminal: Terminal) -> None:
    output = terminal.play(*TINY, "--save", "game.json", typed="draw\ntake\n2\nstart LANG\n")
    assert "Which one: take Langenburg, take Crailsheim, " in output
    assert "You left the game" in output
    assert Record.load("game.json").moves[:2] == ["draw", "take Crailsheim"]


def until_a_card_is_laid() -> list[str]:
    """What a player types who does as the heuristic, up to a card after which there is still a choice."""
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    player, other = ScriptedAgent("heuristic"), ScriptedAgent("greedy")
    table = Session(Game.from_rules(rules, 4), [None, other])
    player.reset(0, rules, 1)
    typed: list[str] = []
    while True:
        if not table.waiting:
            table.play(table.answer())
            continue
        typed.append(rules.action_texts[player.act(table.game.view())])
        table.play(typed[-1])
        if typed[-1].startswith("right") and table.waiting:
            return typed


def test_questions_change_nothing(terminal: Terminal) -> None:
    typed = "?\nwhy\nt\ntable\nhelp\nend\nxyz\n99\n\ntake\nwhy not\nq\n"
    output = terminal.play(*TINY, typed=typed)
    assert terminal.code == 0
    for said in ("is to take the first card", "Not legal: draw a card", "Type a number", "Which one: take"):
        assert said in output
    assert output.count("display") == 3
    assert terminal.files == []


def test_what_the_others_did_is_told_before_the_question(terminal: Terminal) -> None:
    output = terminal.play("--agents", "heuristic", "human", *TINY, "--save", "game.json", typed="")
    if Record.load("game.json").moves:
        assert output.index("heuristic") < output.index("Your turn: ")


def test_a_hint_says_what_and_why(terminal: Terminal) -> None:
    output = terminal.play(*TINY, typed="hint\nh\n")
    hints = re.findall(r"mcts:4000 would play ([\w ]+): win probability (\d+)% after \S+ visits", output)
    assert len(hints) == 2
    assert hints[0] == hints[1]


def test_undo(terminal: Terminal) -> None:
    typed = until_a_card_is_laid()
    more = ["save then.json", "undo", "save now.json", "undo", "undo", "undo"]
    output = terminal.play(*TINY, "--agents", "human", "greedy", typed="\n".join([*typed, *more]))
    assert f"undone: {typed[-1]}\n" in output
    assert Record.load("then.json").moves == [*Record.load("now.json").moves, typed[-1]]
    assert "your last decision cannot be undone: it revealed hidden information" in output


def test_a_game_that_is_left_is_kept_although_a_program_has_died(terminal: Terminal) -> None:
    dying = (
        'import sys; print(\'{"type":"hello","protocol":"thurn-agent/1","name":"x","version":"1"}\', '
        'flush=True); sys.stdin.readline(); print(\'{"type":"ready"}\', flush=True); sys.stdin.readline()'
    )
    program = f"exec:{shlex.join([sys.executable, '-c', dying])}"
    # The person begins with seed 4, so that the program is first told a move, and ends.
    terminal.play("--agents", "human", program, *TINY, "--save", "game.json", typed="1\nquit\n")
    assert terminal.files == ["game.json"]
    assert len(Record.from_json((terminal.folder / "game.json").read_text("utf-8")).moves) == 1


def test_a_game_is_kept_whatever_an_agent_raises(terminal: Terminal) -> None:
    with pytest.raises(RuntimeError, match="my cards"):
        terminal.play("--agents", "human", FAILING, *TINY, "--save", "game.json", typed="1\n" * 40)
    assert terminal.files == ["game.json"]


def test_what_was_left_goes_on_from_its_file(terminal: Terminal) -> None:
    output = terminal.play(*TINY, typed="draw\n1\n")
    (name,) = terminal.files
    assert f"Continue with: thurn play --resume {name}\n" in output
    before = Record.load(name)
    assert before.result is None
    terminal.play("--resume", name, "--seed", "1", typed="1\n")
    after = Record.load(name)
    assert after.agents == ["human", "heuristic"]
    assert after.moves[: len(before.moves)] == before.moves
    assert len(after.moves) > len(before.moves)
    output = terminal.play("--resume", name, "--seed", "1", "--agents", "human", "greedy", typed="1\n" * 400)
    assert "game end" in output
    assert Record.load(name).result is not None
    terminal.play("--resume", name, typed="")
    assert terminal.code == 2
    assert "the game is over; thurn replay shows it" in terminal.error
    assert terminal.files == [name]


@pytest.mark.parametrize("spec", ["os:abort", "llm:model,url=http://127.0.0.1:9/v1,key=HOME", "exec:true"])
def test_a_file_starts_no_code_of_others(terminal: Terminal, spec: str) -> None:
    """A record of somebody else may name any class, or send any variable of the environment to any server."""
    Game(2, "tiny", seed=1).record(["human", spec]).save("game.json")
    terminal.play("--resume", "game.json", typed="1\n")
    assert terminal.code == 2
    assert "could run any code, so that no file starts it; name all agents with --agents" in terminal.error


@pytest.mark.parametrize("spec", ["greedy", "mcts:5", "ppo:thurn_und_taxis-south-2"])
def test_a_file_starts_agents_of_the_package(terminal: Terminal, spec: str) -> None:
    Game(2, "south", seed=1).record(["human", spec]).save("game.json")
    assert "Your turn" in terminal.play("--resume", "game.json", typed="1\n")


def test_the_command_that_continues_can_be_copied(terminal: Terminal) -> None:
    output = terminal.play(*TINY, "--save", "my game.json", typed="draw\n")
    assert "Continue with: thurn play --resume 'my game.json'\n" in output
    output = terminal.play(*TINY, "--agents", "human", THINKING, "--save", "own.json", typed="quit\n")
    assert f"Continue with: thurn play --resume own.json --agents human {THINKING}\n" in output


def test_the_command_that_continues_keeps_the_sandbox(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, tmp_path: Path
) -> None:
    """Else a program that nobody trusts would go on without it."""
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    session = Session(Game.from_rules(rules, 4), [None, ScriptedAgent("greedy")])
    names = ["human", "exec:some-program"]
    for sandbox, words in ((None, ""), ((), " --sandbox"), (("memory=512", "cpu=9"), " --sandbox memory=512 cpu=9")):
        Dialogue(output_console(), session, names, tmp_path / "game.json", sandbox).keep()
        said = "".join(capsys.readouterr().out.splitlines())
        assert said.endswith(f"--agents human exec:some-program{words}")


def test_a_resumed_game_keeps_its_game(terminal: Terminal) -> None:
    Game(2, "tiny", seed=1).record(["human", "greedy"]).save("game.json")
    for option in (["--game", "thurn_und_taxis"], ["--board", "tiny"], ["--option", "max_rounds=9"]):
        terminal.play("--resume", "game.json", *option, typed="1\n")
        assert terminal.code == 2


def test_nothing_is_kept_of_a_game_that_was_not_begun(terminal: Terminal) -> None:
    assert "Go on" not in terminal.play(*TINY, typed="q\n")
    assert terminal.files == []


def test_a_file_that_cannot_be_written(terminal: Terminal) -> None:
    output = terminal.play(*TINY, typed="draw\nsave no/such/folder.json\nsave here.json\n")
    assert "The game cannot be saved: " in output
    assert terminal.files == ["here.json"]


def test_what_can_no_longer_be_kept_where_it_was_asked_for_is_kept_elsewhere(terminal: Terminal) -> None:
    folder = terminal.folder / "folder"
    folder.mkdir()

    class Vanishing(io.StringIO):
        """Removes the folder while the game is played."""

        def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
            if folder.exists():
                folder.rmdir()
            return super().readline(size)

    output = terminal.play(*TINY, "--save", "folder/kept-elsewhere.json", typed=Vanishing("draw\n"))
    assert "The game cannot be saved there: " in output
    kept = re.search(r"--resume (\S+)", output)
    assert kept
    verify(Record.load(kept[1]))
    Path(kept[1]).unlink()


@pytest.mark.skipif(os.name == "nt", reason="signals of a terminal")
@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_keeps_the_game(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "thurn_env", "play", *TINY],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write("draw\n")
        process.stdin.flush()
        read = ""
        while read.count("Your turn: ") < 2:
            read += process.stdout.read(1)
        process.send_signal(signal.SIGINT)
        rest, error = process.communicate(timeout=60)
    assert process.returncode == 130, error
    (file,) = tmp_path.iterdir()
    assert f"Continue with: thurn play --resume {file.name}" in rest
    assert Record.load(file).moves == ["draw"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--agents", "greedy", "random"], "thurn watch"),
        (["--resume", "none.json"], "there is no such file"),
        (["--resume", "none.json", "--board", "tiny"], "keeps its board and its options"),
        (["--agents", "human", "gredy"], "did you mean 'greedy'?"),
    ],
)
def test_errors(terminal: Terminal, arguments: list[str], reason: str) -> None:
    terminal.play(*arguments, typed="")
    assert terminal.code == 2
    assert reason in terminal.error
    assert terminal.error.count("\n") == 1


def test_a_record_without_names_wants_them(terminal: Terminal) -> None:
    Game(2, "tiny", seed=1).record().save("game.json")
    terminal.play("--resume", "game.json", typed="")
    assert "the game has 2 players; name one agent for each with --agents" in terminal.error


def test_answers() -> None:
    legal = ["take Ulm", "take Basel", "draw"]
    assert [chosen(answer, legal) for answer in ("2", "draw", "ULM", "take", "0", "4", "")] == [
        *("take Basel", "draw", "take Ulm", None, None, None, None)
    ]
    assert matching("TAKE", legal) == legal[:2]
    assert chosen("9" * 5000, legal) is None
    cities = ["take Ulm", "take Neu-Ulm", "place Basel"]
    assert chosen("ulm", cities) == "take Ulm", "a whole name rather than a part of another one"


def test_actions_that_hold_numbers_have_no_others(terminal: Terminal) -> None:
    numbers = [f"long {number}" for number in range(12)]
    assert [chosen(answer, numbers) for answer in ("2", "1", "long 11", "12", "0")] == [
        *("long 2", "long 1", "long 11", None, "long 0")
    ]
    output = terminal.play(
        "--game", "zug_um_zug_deutschland", "--board", "tiny_rails", "--seed", "1", typed="2\nquit\n"
    )
    (file,) = terminal.files
    record = Record.load(file)
    assert record.start_player == 0
    assert record.moves[0] == "long 2"
    assert re.search(r"^long +0  1  2", output, re.MULTILINE)


def test_names_of_files_that_no_system_accepts(terminal: Terminal) -> None:
    output = terminal.play(*TINY, typed="draw\nsave a\0b\nsave here.json\n")
    assert "The game cannot be saved: " in output
    assert terminal.files == ["here.json"]


RAILS = ["--game", "zug_um_zug_deutschland", "--board", "tiny_rails", "--seed", "4"]


def test_points_that_nobody_can_know_are_not_told(terminal: Terminal) -> None:
    """The others' tickets count, and are hidden until the game is over."""
    output = terminal.play(*RAILS, "--agents", "human", "greedy", typed="1\n" * 30)
    turns = re.findall(r" \d+  greedy .*$", output.split("result\n")[0], re.M)
    assert len(turns) > 3
    assert not [turn for turn in turns[:-1] if re.search(r"\[-?\d+\]", turn)]
    assert "(secret)" in turns[0]
    # Where nothing is hidden in them, they are.
    output = terminal.play(*TINY, "--agents", "human", "greedy", typed="1\n" * 30)
    turns = re.findall(r"^ +\d+  greedy .*$", output, re.M)
    assert all(re.search(r"   \[-?\d+\]$", turn) for turn in turns)


def test_people_at_one_terminal_are_not_told_each_others_secrets(terminal: Terminal) -> None:
    output = terminal.play(*RAILS, "--agents", "human", "human", typed="1\n" * 12)
    turns = re.findall(r" \d+  human \(\d\) .*$", output, re.M)
    assert len(turns) >= 2
    assert not [turn for turn in turns if "keep " in turn or "return " in turn]


def test_every_turn_is_told_with_the_score_after_it(terminal: Terminal) -> None:
    output = terminal.play(*TINY, "--save", "game.json", typed="1\n" * 400)
    record = Record.load("game.json")
    scores: list[list[int]] = []
    positions = list(replay(record))
    for before, after in itertools.pairwise(positions):
        if not scores or scores[-1][0] != before.seat:
            scores.append([before.seat, 0])
        scores[-1][1] = after.scores[before.seat]
    told = re.findall(r" \d+  (human|heuristic) .*   \[(-?\d+)\]$", output, re.M)
    assert [[["human", "heuristic"].index(name), int(score)] for name, score in told] == scores


def test_the_map_with_neighbours(terminal: Terminal) -> None:
    output = terminal.play(*TINY, typed="m Crails\nmap nowhere\nmap\n")
    one, nothing, everything = (
        output.split("Cities")[1],
        output.split("The map has no place")[1],
        output.split("Cities")[2],
    )
    assert "Langenburg, Rothenburg, Dinkelsbühl, Nördlingen" in one
    assert "'nowhere'; map shows all of them" in nothing
    assert "Hohenlohe" in everything


def test_players_are_called_by_their_names(terminal: Terminal) -> None:
    output = terminal.play("--agents", "human", "greedy", "greedy", *TINY, typed="why\n1\n1\n1\n")
    assert "player 0" not in output.casefold()
    assert "greedy (1)" in output
    assert "greedy (2)" in output
    assert "human is to " in output


@pytest.mark.parametrize("width", [40, 80])
@pytest.mark.parametrize("game", ["thurn_und_taxis", "zug_um_zug_deutschland"])
def test_no_word_is_broken_where_columns_are_given(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, game: str, width: int
) -> None:
    """The same words as in whole lines, in lines that fit."""
    typed = ["--game", game, "--seed", "4"], "why\nhelp\n1\n1\n1\n1\n"
    monkeypatch.delenv("COLUMNS", raising=False)
    whole = terminal.play(*typed[0], typed=typed[1]).split("You left")[0]
    monkeypatch.setenv("COLUMNS", str(width))
    wrapped = terminal.play(*typed[0], typed=typed[1]).split("You left")[0]
    # Nobody types here, so that output follows the prompt on its line.
    lines = [line.removeprefix("> ").rstrip() for line in wrapped.splitlines()]
    assert max(map(len, lines)) <= width < max(map(len, whole.splitlines()))
    assert wrapped.split() == whole.split()
