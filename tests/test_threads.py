"""Processes that work side by side compute with one thread each, unless the user chose another number."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.threads import threads
from tests.tournaments import ROOT, SHORT, play
from thurn_env.engine.library_threads import VARIABLES
from thurn_env.tournament.workers import Crew, give_up

COUNTING = "tests.threads:Counting"


@pytest.fixture(autouse=True)
def nothing_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


def counted(code: str, **variables: str) -> list[list[int]]:
    """The lists of numbers that a program prints."""
    done = subprocess.run(
        [sys.executable, "-c", f"import json; from tests.threads import threads; {code}"],
        env={**os.environ, "PYTHONPATH": str(ROOT), **variables},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]


def test_workers_compute_with_one_thread() -> None:
    with Crew(2) as crew:
        found = list(crew.in_order(threads, [()] * 4, give_up))
    assert all(set(numbers) == {1} for numbers in found)
    assert "OMP_NUM_THREADS" not in os.environ


@pytest.mark.parametrize("name", ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"])
def test_who_chooses_a_number_of_threads_gets_it(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "3")
    with Crew(1) as crew:
        (*libraries, set_now) = next(crew.in_order(threads, [()], give_up))
    (usual,) = counted("print(json.dumps(threads()))", **{name: "3"})
    assert libraries == usual[:-1]
    assert set_now == (3 if name == "OMP_NUM_THREADS" else 0)


@pytest.mark.parametrize("jobs", ["0", "1", "2"])
def test_agents_of_a_tournament_compute_with_one_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: str
) -> None:
    monkeypatch.setenv("MARKS", str(tmp_path))
    assert play(tmp_path / "out", *SHORT, "--jobs", jobs, agents=f"{COUNTING} random", games=2) == 0
    found = [json.loads(file.read_text()) for file in tmp_path.glob("threads-*")]
    assert found
    assert {number for numbers in found for number in numbers} == {1}
    assert not any(name in os.environ for name in VARIABLES), "the program of the user is as it was"


def test_one_thread_is_given_back() -> None:
    code = (
        "from thurn_env.engine.library_threads import one_thread; print(json.dumps(threads()));"
        "\nwith one_thread(): print(json.dumps(threads()))"
        "\nprint(json.dumps(threads()))"
    )
    before, within, after = counted(code)
    assert before == after
    assert set(within) == {1}


def test_a_process_keeps_to_one_thread_with_libraries_that_come_later() -> None:
    pytest.importorskip("torch")
    code = (
        "from thurn_env.engine.library_threads import limit_process; limit_process(); import torch;"
        "print(json.dumps([torch.get_num_threads(), *threads()]))"
    )
    assert {number for line in counted(code) for number in line} == {1}
    ((torch_threads, *_),) = counted(code, OMP_NUM_THREADS="2")
    assert torch_threads == 2


def test_training_with_one_thread_computes_with_one() -> None:
    """Its opponents and its evaluations compute with NumPy, not with torch."""
    pytest.importorskip("torch")
    code = (
        "from pathlib import Path; from thurn_env.training.config import Config;"
        "from thurn_env.training.run import Training;"
        "from thurn_env.errors import ThurnError;"
        "\ntry: Training(Config(Path('nowhere'), threads=1, resume=True), [])"
        "\nexcept ThurnError: print(json.dumps(threads()))"
    )
    ((*libraries, _),) = counted(code)
    assert set(libraries) == {1}


def test_agents_of_the_page_compute_with_one_thread() -> None:
    pytest.importorskip("uvicorn")
    code = (
        "import uvicorn; from thurn_env.commands.cli import main;"
        "uvicorn.Server.run = lambda *_, **__: print(json.dumps(threads()));"
        "main(['serve', '--port', '0'])"
    )
    (found,) = counted(code)
    assert set(found) == {1}


@pytest.mark.parametrize(
    "code",
    [
        "from thurn_env.commands.cli import main; main(['watch', '--board', 'tiny', '--agents', SPEC, 'random'])",
        "from thurn_env.commands.cli import main;"
        "main(['certificate', '--board', 'tiny', '--agents', SPEC, '--positions', '1'])",
    ],
)
def test_programs_that_play_one_game_compute_with_one_thread(tmp_path: Path, code: str) -> None:
    counted(code.replace("SPEC", repr(COUNTING)), MARKS=str(tmp_path))
    (found,) = [json.loads(file.read_text()) for file in tmp_path.glob("threads-*")]
    assert set(found) == {1}
