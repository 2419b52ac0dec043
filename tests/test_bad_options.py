"""Every option of every program, with every kind of bad value: one clear message, and nothing half written."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.programs import ACTIONS, ROOT, Program, options_of, program_files, programs, with_words
from thurn_env.commands.cli import COMMANDS
from thurn_env.games.kernel_rules import KernelRules
from thurn_env.players.policy import RELEASE

HUGE, WIDE = str(10**30), str(2**63)
NUMBERS = ("-1", "0", HUGE, WIDE, "nan", "inf", "-inf", "1e400", "9" * 5000, "x", "")
TEXTS = ("-1", HUGE, "nan", "x/y/z", "")
LONGEST = 400
"""Characters of a message, without the frame that is drawn around some."""

FINE = {
    "--seed": ("0", HUGE, WIDE),
    **dict.fromkeys(
        ("--jobs", "--bootstrap", "--first-deck", "--port", "--delay", "--embed", "--last-games", "--replays"), ("0",)
    ),
    "--search-rounds": ("0",),
    **dict.fromkeys(
        ("--average", "--discount", "--trace", "--clip", "--entropy", "--value", "--shaping", "--magnet", "--need"),
        ("0",),
    ),
    "thurn exploit --steps": ("0",),
    "thurn exploit --search": ("0",),
}
"""The numbers among these that are no mistake, by option, or by program and option. Options that are not here must
refuse them all.
"""

NEEDED: dict[str, list[str]] = {
    "thurn play": [],
    "thurn serve": ["--port", "0"],
    "thurn mcp": [],
    "thurn watch": ["--agents", "random", "random", "--board", "tiny"],
    "thurn replay": [str(ROOT / "docs" / "images" / "game.json")],
    "thurn info": ["--board", "tiny"],
    "thurn warm": ["--board", "tiny"],
    "thurn arena add": ["random", "--board", "tiny"],
    "thurn arena play": [],
    "thurn arena table": [],
    "thurn arena html": ["site"],
    "thurn arena retire": ["random"],
    "thurn bench": ["--board", "tiny", "--seconds", "0.001"],
    "python -m docs.generate": ["--check"],
    "thurn certificate": ["--agents", "random", "--board", "tiny"],
    "thurn exploit": ["random", "--board", "tiny", "--out", "out"],
    "thurn dataset": ["nowhere", "--out", "out"],
    "python -m eval.exploitability": ["--agents", "random"],
    "python -m eval.ladder": ["--name", "small", "--out", "out"],
    "python -m eval.clients": [],
    "python -m eval.peers": [],
    "python -m eval.puzzles": ["--agents", "random"],
    "python -m eval.puzzles.mine": ["--out", "out"],
    "python -m eval.puzzles.prove": [],
    "thurn report": ["nowhere"],
    "thurn match": ["random", "greedy", "--board", "tiny", "--jobs", "0"],
    "thurn tournament": ["--agents", "random", "greedy", "--board", "tiny", "--out", "out", "--jobs", "0"],
    "python -m release.wheel": ["--out", "out"],
    "thurn evaluation": ["--board", "tiny", "--out", "out", "--jobs", "0"],
    "thurn imitate": ["--teacher", "random", "--board", "tiny", "--out", "out"],
    "thurn train": ["--board", "tiny", "--out", "out", "--width", "8", "--lanes", "8", "--threads", "1"],
    "python -m train.ppo": ["--board", "tiny", "--out", "out", "--width", "8", "--lanes", "8", "--threads", "1"],
    "python -m train.bound": ["nowhere", "thurn_und_taxis-south-2"],
    "python -m train.publish": [
        str(RELEASE / "thurn_und_taxis-south-2.npz"),
        "--name",
        "x",
    ],
    "thurn sweep": ["plan.toml", "--out", "out"],
    "thurn tune": ["--board", "tiny", "--out", "out", "--jobs", "0"],
}
"""What every program needs to begin. An option that is tried takes the place of one given here."""


class Begun(Exception):
    """The work has begun, so all arguments were taken."""


class Outcome(NamedTuple):
    """What came of a command: its exit code, None if the work began; and what it said on standard error."""

    code: int | None
    said: str

    @property
    def message(self) -> str:
        """What was said, without the frame."""
        return " ".join(re.sub(r"[╭╮╰╯│─]|-{9,}", " ", self.said).split())


@pytest.fixture(autouse=True)
def no_work(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whatever would compile, play, measure or listen says instead that it was asked to."""

    def begin(*arguments: Any, **named: Any) -> Any:
        raise Begun

    for name in ("prepare", "step_lanes"):
        monkeypatch.setattr(KernelRules, name, begin)
    for place in (
        "eval.clients.command.outcomes",
        "eval.peers.command.measured",
        "thurn_env.tournament.rays.connect",
        "release.wheel.build",
        "train.publish.played",
        "thurn_env.training.sweep.connect",
        "thurn_env.training.tune.duel",
        "thurn_env.commands.bench.measure",
        "thurn_env.commands.mcp._run",
        "thurn_env.serve.listening.listening_socket",
        "thurn_env.commands.warm.warm_tables",
    ):
        monkeypatch.setattr(place, begin)
    monkeypatch.setattr("train.publish.RELEASE", tmp_path / "models")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    Path("plan.toml").write_text('[[runs]]\nname = "one"\nboard = "tiny"\n', "utf-8")


def ran(program: Program, words: list[str], capsys: pytest.CaptureFixture[str]) -> Outcome:
    """Run a program with what it needs, without the option that is tried, and these words after it."""
    capsys.readouterr()
    try:
        code: int | None = program.main(with_words(NEEDED[program.name], words))
    except Begun:
        code = None
    return Outcome(code, capsys.readouterr().err)


def files() -> set[str]:
    """Everything in the current folder."""
    return {os.path.join(folder, name) for folder, *names in os.walk(".") for row in names for name in row}  # noqa: PTH118


def tries(name: str) -> Iterator[tuple[str, list[str], bool]]:
    """Every option of a program with every bad value, and whether it must be refused."""
    for option, kind in options_of(name).items():
        number = "INT" in kind or "FLOAT" in kind
        for value in (NUMBERS if number else TEXTS) if kind else ():
            fine = (*FINE.get(option, ()), *FINE.get(f"{name} {option}", ()))
            yield option, [value], value == "" or (number and value not in fine)
        if "[" in kind:
            yield option, [], False


def faults(program: Program, option: str, values: list[str], refused: bool, outcome: Outcome) -> Iterator[str]:
    """What is wrong with an outcome."""
    code, message = outcome.code, outcome.message
    if refused and code not in (1, 2):
        yield "it is taken"
    if refused and option.strip("-").replace("-", " ") not in message.replace("-", " ").replace("_", " "):
        yield f"the message does not name the option: {message}"
    if code in (1, 2) and (not message or len(message) > LONGEST):
        yield f"the message has {len(message)} characters: {message}"
    if "Traceback" in message:
        yield message
    if code not in (None, 0, 1, 2):
        yield f"the exit code is {code}"


@pytest.mark.parametrize("name", NEEDED)
def test_bad_values_are_refused(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    program, found = programs()[name], []
    for option, values, refused in tries(name):
        before = files()
        asked = f"{option} {' '.join(values)[:40]}"
        try:
            outcome = ran(program, [option, *values], capsys)
        except Exception as error:  # a traceback, for the person who typed the command
            found.append(f"{asked}: {type(error).__name__}: {error}")
            continue
        found += [f"{asked}: {fault}" for fault in faults(program, option, values, refused, outcome)]
        if outcome.code in (1, 2) and files() != before:
            found.append(f"{asked}: left {sorted(files() - before)}")
    assert not found, "\n".join(found)


def test_every_program_is_walked_through() -> None:
    assert set(NEEDED) == set(programs()) - {f"thurn {name}" for name in ACTIONS}
    walked = set(program_files())
    for folder in ("docs", "eval", "release", "train"):
        for file in (ROOT / folder).rglob("*.py"):
            if '__name__ == "__main__"' in file.read_text("utf-8") and not {"scripts", "recipes"} & set(file.parts):
                alias = re.search(r'^    run_and_exit\("(\w+)"\)', file.read_text("utf-8"), re.MULTILINE)
                assert file in walked or (alias and alias[1] in COMMANDS), f"{file}: no test walks through this program"
