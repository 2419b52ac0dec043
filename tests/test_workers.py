"""Worker processes: what happens to a task whose process dies."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from thurn_env import Game, View
from thurn_env.errors import ThurnError
from thurn_env.files import write_text
from thurn_env.players.match import run_match
from thurn_env.players.programs.process import Process
from thurn_env.tournament import workers
from thurn_env.tournament.referee import Guarded
from thurn_env.tournament.workers import Crew, give_up


def test_a_task_that_kills_its_process_twice_is_an_error() -> None:
    """Nobody waits for it, whatever the exit code, and the tasks before it are there."""
    with Crew(1) as crew:
        found = crew.in_order(dying, [(1, None), (2, 0)], give_up)
        assert next(found) == 1
        with pytest.raises(ThurnError, match=r"died twice on the same task \(exit code 0\); .*Try fewer --jobs"):
            next(found)


def dying(number: int, code: int | None) -> int:
    """The number, unless the process is to end with an exit code."""
    if code is not None:
        os._exit(code)
    return number


def test_workers_can_be_started_from_any_thread() -> None:
    """And beside threads that hold locks, which a forked process would wait for without end."""
    found: list[int] = []
    lock = threading.Lock()

    def work() -> None:
        with Crew(1) as crew:
            found.extend(crew.in_order(dying, [(3, None)], give_up))

    with lock:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert found == [3]


def terminated(agent: bool) -> int:
    """End this process as a system that shuts down does, while an agent chooses or at any other time."""
    game = Game(board="tiny", seed=1)
    if agent:
        run_match(game.rules, [Guarded("kill", seat, lambda: Terminating(), (), None) for seat in range(2)], 1)
    os.kill(os.getpid(), signal.SIGTERM)
    return 0


class Terminating:
    """An agent whose process is told to end while it chooses."""

    name = "terminating"

    def reset(self, seat: int, rules: object, seed: int) -> None:
        pass

    def act(self, view: View) -> int:
        os.kill(os.getpid(), signal.SIGTERM)
        return 0


@pytest.mark.skipif(os.name != "posix", reason="sends signals of POSIX")
@pytest.mark.parametrize("agent", [True, False])
def test_no_agent_is_to_blame_for_a_process_that_is_told_to_end(agent: bool) -> None:
    with Crew(1) as crew, pytest.raises(ThurnError, match=r"died twice on the same task \(exit code 143\)"):
        list(crew.in_order(terminated, [(agent,)], give_up))


def starting_a_program_and_waiting(file: str) -> None:
    """Start a program that never answers, write its number to a file, and wait for its answer."""
    told = Process([sys.executable, "-c", "import os, time; print(os.getpid(), flush=True); time.sleep(1000)"])
    write_text(Path(file), told.line().decode())
    told.line()


@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
def test_a_busy_process_ends_with_the_programs_that_it_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When somebody presses Ctrl-C because a program hangs, for example."""
    monkeypatch.setattr(workers, "LEAVE_TIMEOUT", 60.0)
    file = tmp_path / "number"

    def press_once_it_runs() -> None:
        end = time.monotonic() + 60
        while not file.exists() and time.monotonic() < end:
            select.select([], [], [], 0.01)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press_once_it_runs).start()
    with pytest.raises(KeyboardInterrupt), Crew(1) as crew:
        list(crew.in_order(starting_a_program_and_waiting, [(str(file),)], give_up))
    assert not Path(f"/proc/{file.read_text('utf-8')}").exists()
