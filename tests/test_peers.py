"""The comparison with other environments: failures stay in the table with their reason, the page is written."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from eval import environments
from eval.environments import ProgramFailed, output_of, python_with, reason
from eval.peers import catalogue, command, report
from eval.peers.catalogue import BATCH, OURS, RAW_ENV, Peer, others, ours, projects
from eval.peers.measure import Result, measured, measured_once
from eval.peers.report import Report, figure, section, times
from eval.peers.scripts import thurn_env_faces
from eval.peers.scripts.loop import Measurement, chooser, timed
from thurn_env.table.batch import Batch

Capture = pytest.CaptureFixture[str]

GOOD = """
import json, sys
print("a greeting of some library")
print(json.dumps({"decisions": 1000, "seconds": 0.5, "observation": 84, "actions": 7, "versions": {"fake": "1.2"}}))
"""
BAD = """
raise ModuleNotFoundError("No module named 'nowhere'")
"""


def peer(folder: Path, name: str, code: str) -> Peer:
    """An environment of a project that needs nothing, whose program is this code."""
    script = folder / f"{name}.py"
    script.write_text(code, "utf-8")
    return Peer("fake", name, script, counterpart=RAW_ENV)


@pytest.fixture
def results(tmp_path: Path) -> list[Result]:
    """One of ours, a batch of ours, one that works, one that does not."""
    fast = Measurement(3000, 0.5, 357, 149, {"thurn-env": "0.1.0"})
    batch = Measurement(2_000_000, 0.5, 357, 149, {"thurn-env": "0.1.0"}, step_share=0.6)
    return [
        Result(Peer(OURS, RAW_ENV, tmp_path), [fast]),
        Result(Peer(OURS, BATCH, tmp_path), [batch]),
        *measured([peer(tmp_path, "good", GOOD), peer(tmp_path, "bad", BAD)], None, 2, 0.01),
    ]


@pytest.fixture
def made(results: list[Result]) -> Report:
    """A report of them."""
    machine = {"processor": "Abacus", "cores": 2, "system": "Wood x86", "python": "3.11"}
    return Report(results, "python -m eval.peers", "2030-01-02", 2, 0.01, machine, [1.25, 1.0, 1.0], None)


# Measuring


def test_a_failure_is_kept_with_its_reason(results: list[Result]) -> None:
    good, bad = results[2:]
    assert good.rates == [2000.0, 2000.0]
    assert good.rate == 2000.0
    assert not good.problem
    assert bad.problem == "ModuleNotFoundError: No module named 'nowhere'"
    assert bad.rate is None


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("print('no JSON')", "printed no measurement"),
        ("", "printed no measurement"),
        ("print('{\"decisions\": 1}')", "printed no measurement"),
        ('print(\'{"decisions": 0, "seconds": 1, "observation": 1, "actions": 1}\')', "measured nothing"),
        ("raise SystemExit(3)", "exit code 3"),
    ],
)
def test_programs_that_answer_badly(tmp_path: Path, code: str, problem: str) -> None:
    with pytest.raises(ProgramFailed, match=problem):
        measured_once(peer(tmp_path, "odd", code), Path(sys.executable), 0.01)


def test_a_program_that_hangs_is_stopped() -> None:
    with pytest.raises(ProgramFailed, match="timed out after 0 s"):
        output_of([sys.executable, "-c", "while True: pass"], limit=0.2)


def test_what_cannot_be_installed_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(requirements: Path, folder: Path) -> Path:
        raise ProgramFailed("No matching distribution found for fake")

    monkeypatch.setattr("eval.peers.measure.python_with", refused)
    both = measured([peer(tmp_path, "one", GOOD), peer(tmp_path, "two", GOOD)], tmp_path, 1, 0.01)
    assert [result.problem for result in both] == ["cannot be installed: No matching distribution found for fake"] * 2


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Traceback\n  ...\nKeyError: 'x'\n\n", "KeyError: 'x'"),
        ("ERROR: No matching distribution\nnote: see above", "No matching distribution"),
        ("FileNotFoundError: '/home/me/peers/bin/python'", "FileNotFoundError: 'python'"),
        ("see https://example.org/simple/x", "see https:/x"),
        ("mask/observation", "mask/observation"),
        ("", ""),
    ],
)
def test_reasons_are_one_line_without_folders(text: str, line: str) -> None:
    assert reason(text) == line


def test_long_reasons_are_cut() -> None:
    assert len(reason("x" * 1000)) == environments.LONGEST_REASON


def test_an_environment_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[list[str]] = []

    def pretend(words: list[str]) -> str:
        commands.append(words)
        if "venv" in words:
            python = Path(words[-1]) / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
            python.parent.mkdir(parents=True)
            python.touch()
        return ""

    monkeypatch.setattr(environments, "output_of", pretend)
    requirements = tmp_path / "abc.txt"
    requirements.write_text("x==1\n", "utf-8")
    python = python_with(requirements, tmp_path / "peers")
    assert [("venv" in words, "pip" in words) for words in commands] == [(True, False), (False, True)]
    assert python_with(requirements, tmp_path / "peers") == python
    assert len(commands) == 2
    requirements.write_text("x==2\n", "utf-8")
    assert python_with(requirements, tmp_path / "peers") != python
    assert len(commands) == 4


# The catalogue


def test_all_projects_have_their_files() -> None:
    names = {face.name for face in ours()}
    assert {face.requirements for face in ours()} == {None}
    for other in others():
        assert other.script.is_file()
        assert other.requirements is not None
        assert all("==" in line for line in other.requirements.read_text("utf-8").splitlines())
        assert other.counterpart in names
    assert sorted(f"{name}.txt" for name in projects()) == sorted(
        file.name for file in catalogue.REQUIREMENTS.iterdir()
    )


# Our own faces


@pytest.mark.parametrize("face", ["raw_env", "env", "gymnasium", "batch"])
def test_ours_is_measured(face: str) -> None:
    measurement = thurn_env_faces.measure(0.01, face, "tiny")
    assert measurement.decisions > 0
    assert measurement.seconds >= 0.01
    assert measurement.observation > 0
    assert measurement.actions > 0
    assert "numba" in measurement.versions
    assert (measurement.step_share is not None) == (face == "batch")


def test_ours_is_measured_in_a_process_of_its_own() -> None:
    face = ours("tiny")[0]
    [result] = measured([face], None, 1, 0.01)
    assert not result.problem
    assert result.rate is not None
    assert result.rate > 0


def test_the_choice_for_a_batch_is_uniform() -> None:
    batch = Batch(64, board="tiny")
    batch.reset(seed=3)
    choose = thurn_env_faces.RandomChoice(64, batch.rules.action_size)
    counts = np.zeros(batch.masks.shape)
    for _ in range(2000):
        counts[np.arange(64), choose(batch.masks)] += 1
    assert not counts[batch.masks == 0].any()
    expected = 2000 / batch.masks.sum(axis=1, keepdims=True)
    assert (np.abs(counts - expected)[batch.masks == 1] < 6 * np.sqrt(2000) / 2).all()


def test_the_choice_of_one_is_uniform() -> None:
    choose = chooser()
    drawn = [choose("abc") for _ in range(3000)]
    assert all(900 < drawn.count(letter) < 1100 for letter in "abc")


def test_the_clock_counts_what_was_played() -> None:
    played = []

    def play(decisions: int) -> int:
        played.append(decisions)
        sum(range(decisions))
        return decisions + 1

    decisions, seconds = timed(play, 0.01)
    assert seconds >= 0.01
    assert decisions % (played[-1] + 1) == 0
    assert 0 < decisions <= sum(played) + len(played)


# The report


def test_the_table_and_the_section(made: Report) -> None:
    rows = [made.row(result) for result in made.results]
    assert rows[2] == ["fake", "good", "2,000", "2,000 to 2,000", "84", "7", "3", "2,000"]
    assert rows[3][2] == "failed: ModuleNotFoundError: No module named 'nowhere'"
    assert {len(row) for row in rows} == {len(report.COLUMNS)}
    assert rows[0][-2:] == ["", ""]
    text = section(made)
    assert "| fake | good | 2,000 |" in text
    assert "load 1.2 before and unknown after" in text
    assert "2030-01-02" in text
    assert "fake: fake 1.2." in text
    assert "60% of the time" in text
    assert report.terminal_table(made).row_count == 4


def test_json(made: Report) -> None:
    entries = json.loads(json.dumps(made.as_json()))["results"]
    assert entries[2]["ratio_to_like_face"] == 3.0
    assert entries[3]["rate"] is None
    assert "nowhere" in entries[3]["problem"]


def test_figures() -> None:
    assert [figure(rate) for rate in (1_234_567, 123_456, 99.94, 3.14159)] == [
        "1.23 million",
        "123,000",
        "99.9",
        "3.14",
    ]
    assert [times(ratio) for ratio in (1234.5, 12.34, 0.1234, None)] == ["1,200", "12", "0.12", ""]


def test_the_page_is_written_in_its_place(made: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.md"
    monkeypatch.setattr(report, "PAGE", page)
    other = "<!-- table: sizes -->\nkeep\n<!-- end -->\n"
    page.write_text(f"before\n{other}<!-- table: peers -->\nold\n<!-- end -->\nafter\n", "utf-8")
    report.write(made)
    first = page.read_text("utf-8")
    assert first == f"before\n{other}<!-- table: peers -->\n{section(made)}<!-- end -->\nafter\n"
    report.write(made)
    assert page.read_text("utf-8") == first


def test_the_page_has_its_place() -> None:
    report.check_page()


# The command


def test_wrong_arguments_are_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    page = tmp_path / "page.md"
    page.write_text("nothing\n", "utf-8")
    monkeypatch.setattr(report, "PAGE", page)
    for words, problem in (
        (["--projects", "chess"], "there is no project 'chess'; the projects are pettingzoo"),
        (["--rounds", "0"], "--rounds must be from 1 to 1,000, not 0"),
        (["--seconds", "0"], "--seconds must be more than 0 and at most 3,600, not 0"),
        (["--projects", "rlcard", "--write"], "the page shows all projects"),
        (["--write"], "docs/page.md needs one line <!-- table: peers -->"),
    ):
        assert command.main(words) == 2
        error = capsys.readouterr().err
        assert error.startswith(f"python -m eval.peers: {problem}")
        assert error.count("\n") == 1


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    peers = [peer(tmp_path, "good", GOOD), peer(tmp_path, "bad", BAD)]
    monkeypatch.setattr(command, "ours", lambda: [])
    monkeypatch.setattr(command, "others", lambda: peers)
    monkeypatch.setattr(command, "projects", lambda: ["fake"])
    page = tmp_path / "page.md"
    page.write_text("<!-- table: peers -->\n<!-- end -->\n", "utf-8")
    monkeypatch.setattr(report, "PAGE", page)
    assert command.main(["--rounds", "1", "--seconds", "0.1", "--here", "--write"]) == 0
    output = capsys.readouterr()
    assert "2,000" in output.out
    assert "fake, bad failed: ModuleNotFoundError: No module named 'nowhere'" in output.out
    assert "written to docs/page.md" in output.err
    assert "`python -m eval.peers --rounds 1 --seconds 0.1 --here`" in page.read_text("utf-8")
    assert str(tmp_path) not in page.read_text("utf-8")
    assert command.main(["--rounds", "1", "--here", "--json"]) == 0
    assert [entry["environment"] for entry in json.loads(capsys.readouterr().out)["results"]] == ["good", "bad"]
