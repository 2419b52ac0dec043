"""Processes of programs: started without a shell, read with limits, and never left behind."""

from __future__ import annotations

import gc
import os
import select
import shlex
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from thurn_env.errors import AgentError
from thurn_env.players.programs import pipes, process
from thurn_env.players.programs.failure import Late, ProgramFailed, Refused
from thurn_env.players.programs.log import LONGEST_LOG
from thurn_env.players.programs.process import LONGEST_LINE, Process, check_command, words_of
from thurn_env.players.programs.program import Program
from thurn_env.players.programs.signals import held_back
from thurn_env.table.game import Game
from thurn_env.tournament.referee import TooSlow

ECHO = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)"

alarmed = pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="this system has no alarm")


@pytest.fixture(params=[pipes.PolledPipes, pipes.ThreadedPipes])
def python(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch):
    """A function that starts a piece of Python, with the pipes of POSIX and with those of Windows."""
    if request.param is pipes.PolledPipes and not hasattr(select, "poll"):
        pytest.skip("this system cannot wait for pipes")
    monkeypatch.setattr(process, "pipes_of", request.param)
    started: list[Process] = []

    def start(code: str) -> Process:
        started.append(Process([sys.executable, "-c", code]))
        return started[-1]

    yield start
    for each in started:
        each.stop()


def soon(seconds: float = 30.0) -> float:
    return time.monotonic() + seconds


def gone(pid: int) -> bool:
    """Whether a process ends within some seconds; one that nobody waits for is a zombie at most."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        select.select([], [], [], 0.01)
    return False


def test_lines_are_answered(python):
    echo = python(ECHO)
    for text in (b"one", b"", "Köln".encode(), b"x" * LONGEST_LINE):
        echo.send(text + b"\n", soon())
        assert echo.line(soon()) == text


def test_several_lines_may_come_at_once(python):
    told = python("print('a\\nb\\n\\nc')")
    assert [told.line(soon()) for _ in range(4)] == [b"a", b"b", b"", b"c"]


@pytest.mark.parametrize("end", ["", "\\n"])
def test_a_long_line_is_refused(python, end: str):
    told = python(f"import sys; sys.stdout.write('x' * {LONGEST_LINE + 1} + '{end}'); sys.stdout.flush(); input()")
    with pytest.raises(Refused, match="a line is longer than 65,536 bytes"):
        told.line(soon())


def test_a_late_line_is_noticed(python):
    with pytest.raises(Late):
        python("input()").line(time.monotonic() + 0.05)


def test_an_end_is_told_with_code_and_log(python):
    told = python("import sys; print('no model', file=sys.stderr); print('at all', file=sys.stderr); sys.exit(3)")
    with pytest.raises(ProgramFailed, match=r"^it ended with exit code 3; the last line of its log: at all$"):
        told.line(soon())
    assert told.log().text.splitlines() == ["no model", "at all"]
    assert not told.running


def test_a_signal_is_told(python):
    told = python("import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    with pytest.raises(ProgramFailed, match=r"^it ended with SIGKILL; its log is empty$"):
        told.line(soon())


def test_nobody_turns_in_circles_while_a_program_reads_slowly(python, monkeypatch: pytest.MonkeyPatch):
    """A pipe that the program closed is always ready; only the one that it reads from counts."""
    if not hasattr(pipes, "PolledPipes"):
        pytest.skip("there is no poll")
    waits, wait = [], pipes.PolledPipes._wait

    def counted(self, *arguments):
        waits.append(arguments)
        return wait(self, *arguments)

    monkeypatch.setattr(pipes.PolledPipes, "_wait", counted)
    slow = python("import os, sys, time; os.close(2); time.sleep(0.3); print(len(sys.stdin.readline()), flush=True)")
    slow.send(b"x" * 500_000 + b"\n", soon())
    assert slow.line(soon()) == b"500001"
    assert len(waits) < 200


def test_closed_output_is_told(python):
    told = python("import os, time; os.close(1); time.sleep(1000)")
    with pytest.raises(ProgramFailed, match="it closed its output"):
        told.line(soon())


def test_the_log_may_be_longer_than_a_pipe_and_is_bounded(python):
    told = python(
        "import sys; sys.stderr.write('y' * 1_000_000 + 'end'); sys.stderr.flush(); print('done', flush=True); input()"
    )
    assert told.line(soon()) == b"done"
    deadline = time.monotonic() + 30
    while not told.log().text.endswith("end") and time.monotonic() < deadline:
        select.select([], [], [], 0.01)
    assert told.log().text.endswith("yend")
    assert len(told.log().text) == LONGEST_LOG
    assert told.log().take().endswith("end")
    assert told.log().text == ""


def test_both_sides_may_write_more_than_a_pipe_holds(python):
    lines = b"z" * 1000 + b"\n"
    echo = python("import sys\nfor line in sys.stdin: print(line * 3, end='', flush=True)")
    for _ in range(200):
        echo.send(lines, soon())
    for _ in range(600):
        assert echo.line(soon()) == b"z" * 1000


def test_a_program_that_reads_nothing_is_noticed():
    deaf = Process([sys.executable, "-c", "import time; time.sleep(1000)"])
    with pytest.raises(Late):
        deaf.send(b"x" * 1_000_000 + b"\n", time.monotonic() + 0.05)
    deaf.stop()


def test_a_program_that_only_writes_is_refused():
    loud = Process([sys.executable, "-c", "while True: print('x' * 1000)"])
    with pytest.raises(ProgramFailed, match="without waiting for an answer"):
        loud.send(b"x" * 10_000_000 + b"\n", soon())
    loud.stop()


@pytest.mark.skipif(os.name != "posix", reason="process groups are those of POSIX")
def test_stopping_ends_the_whole_group(python):
    child = "import subprocess; print(subprocess.Popen(['sleep', '1000'], stdout=2).pid, flush=True); input()"
    told = python(child)
    pid = int(told.line(soon()))
    told.stop()
    assert gone(pid)


def test_a_dropped_process_ends():
    dropped = Process([sys.executable, "-c", "import os; print(os.getpid(), flush=True); input()"])
    pid = int(dropped.line(soon()))
    del dropped
    gc.collect()
    assert gone(pid)


@pytest.fixture
def alarm(monkeypatch: pytest.MonkeyPatch):
    """The alarm of a referee: a signal that raises an error in the running code."""

    def ring(number: int, frame: object) -> None:
        raise TooSlow(1.0)

    before = signal.signal(signal.SIGALRM, ring)
    yield lambda: signal.raise_signal(signal.SIGALRM)
    signal.signal(signal.SIGALRM, before)


@alarmed
@pytest.mark.parametrize("part", ["drain_log", "close", "killpg", "wait"])
def test_an_alarm_while_a_process_ends_does_not_save_it(part: str, alarm, monkeypatch: pytest.MonkeyPatch):
    told = Process([sys.executable, "-c", "import os, time; print(os.getpid(), flush=True); time.sleep(1000)"])
    pid = int(told.line(soon()))
    owner = {"drain_log": told._pipes, "close": told._process.stdin, "killpg": os, "wait": told._process}[part]
    real = getattr(owner, part)

    def ringing(*arguments: object) -> object:
        alarm()
        return real(*arguments)

    monkeypatch.setattr(owner, part, ringing)
    with pytest.raises(TooSlow):
        told.stop()
    assert gone(pid)
    assert not told.running


@alarmed
def test_an_alarm_during_the_farewell_does_not_save_a_process(alarm, monkeypatch: pytest.MonkeyPatch):
    told = Process([sys.executable, "-c", "import os, time; print(os.getpid(), flush=True); time.sleep(1000)"])
    pid = int(told.line(soon()))

    def ringing(seconds: float) -> None:
        monkeypatch.undo()
        alarm()

    monkeypatch.setattr(told._process, "wait", ringing)
    with pytest.raises(TooSlow):
        told.stop(b"bye\n")
    assert gone(pid)


@alarmed
def test_an_alarm_does_not_save_a_process_that_is_dropped(alarm, monkeypatch: pytest.MonkeyPatch):
    """Nobody hears the error then, since Python drops objects at any place."""
    told = Process([sys.executable, "-c", "import os, time; print(os.getpid(), flush=True); time.sleep(1000)"])
    pid = int(told.line(soon()))
    real = told._process.wait

    def ringing(seconds: float | None = None) -> int:
        alarm()
        return real(seconds)

    heard: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda unraisable: heard.append(unraisable.exc_type))
    monkeypatch.setattr(told._process, "wait", ringing)
    del told
    gc.collect()
    assert gone(pid)
    assert heard == [TooSlow]


@pytest.mark.skipif(os.name != "posix", reason="sends signals of POSIX")
@pytest.mark.usefixtures("ctrl_c")
def test_no_program_outlives_a_host_that_is_interrupted_while_it_ends():
    code = (
        "import os, signal, sys\n"
        "from thurn_env.players.programs import process\n"
        "from thurn_env.players.programs.process import Process\n"
        "real = process._end\n"
        "def interrupted(*arguments):\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    real(*arguments)\n"
        "process._end = interrupted\n"
        "told = [Process([sys.executable, '-c', 'import time; time.sleep(1000)']) for _ in range(2)]\n"
        "print(*[each._process.pid for each in told])"
    )
    host = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert all(gone(int(pid)) for pid in host.stdout.split())
    assert len(host.stdout.split()) == 2


@alarmed
def test_a_process_that_cannot_be_killed_does_not_hold_the_host(monkeypatch: pytest.MonkeyPatch):
    """As one that `sudo` runs as another user."""
    told = Process([sys.executable, "-c", "import time; time.sleep(1000)"])

    def refused(group: int, number: int) -> None:
        raise PermissionError

    with monkeypatch.context() as patched:
        patched.setattr(os, "killpg", refused)
        patched.setattr(process, "KILL_SECONDS", 0.05)
        told.stop()
    assert told._process.poll() is None
    told._process.kill()
    told._process.wait()


@alarmed
def test_an_alarm_while_a_program_starts_does_not_leave_it_running(alarm, monkeypatch: pytest.MonkeyPatch):
    started: list[subprocess.Popen[bytes]] = []

    def ringing(popen: subprocess.Popen[bytes]) -> pipes.Pipes:
        started.append(popen)
        alarm()
        return pipes.PolledPipes(popen)

    monkeypatch.setattr(process, "pipes_of", ringing)
    agent = Program(shlex.join([sys.executable, "-c", "import time; time.sleep(1000)"]))
    with pytest.raises(TooSlow):
        agent.reset(0, Game(board="tiny", seed=1).rules, 1)
    assert [popen.returncode for popen in started] == [-signal.SIGKILL]


@alarmed
def test_signals_are_held_back_and_the_first_is_handled_afterwards(alarm):
    done = []

    def work() -> None:
        with held_back():
            alarm()
            alarm()
            done.append("work")

    with pytest.raises(TooSlow):
        work()
    assert done == ["work"]
    # Afterwards the alarm rings as before, and work without an alarm ends without an error.
    with pytest.raises(TooSlow):
        alarm()
    with held_back():
        done.append("more work")
    assert done == ["work", "more work"]


@alarmed
@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_is_not_lost_beside_an_alarm(alarm):
    def work(*numbers: int) -> None:
        with held_back():
            for number in numbers:
                signal.raise_signal(number)

    for numbers in ([signal.SIGALRM, signal.SIGINT], [signal.SIGINT, signal.SIGALRM], [signal.SIGINT]):
        with pytest.raises(KeyboardInterrupt):
            work(*numbers)
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(TooSlow):
        work(signal.SIGALRM)
    assert signal.getsignal(signal.SIGINT) is before


def test_in_another_thread_nothing_is_held_back():
    """Python lets only the main thread change handlers, and only that thread is interrupted."""
    done = []

    def work() -> None:
        with held_back():
            done.append("work")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == ["work"]


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
@pytest.mark.parametrize("signal_number", [signal.SIGKILL, signal.SIGTERM])
def test_no_program_outlives_its_host(signal_number: int):
    code = (
        "from thurn_env.players.programs.process import Process\nimport sys\n"
        f"told = Process([sys.executable, '-c', {ECHO!r}])\n"
        "print(told._process.pid, flush=True)\ninput()"
    )
    host = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert host.stdout is not None
    pid = int(host.stdout.readline())
    os.kill(host.pid, signal_number)
    host.communicate()
    assert gone(pid)


def test_a_program_ends_with_its_host():
    code = (
        "from thurn_env.players.programs.process import Process\nimport sys\n"
        "told = Process([sys.executable, '-c', 'import time; time.sleep(1000)'])\nprint(told._process.pid)"
    )
    host = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert gone(int(host.stdout))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_copy_leaves_the_process_alone():
    echo = Process([sys.executable, "-c", ECHO])
    pid = os.fork()
    if pid == 0:  # pragma: no cover - in the other process
        running = echo.running
        echo.stop()
        os._exit(int(running))
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    echo.send(b"still here\n", soon())
    assert echo.line(soon()) == b"still here"
    echo.stop()


def test_a_farewell_lets_the_process_end_by_itself():
    told = Process([sys.executable, "-c", "import sys; print(input(), file=sys.stderr); sys.exit(7)"])
    told.stop(b"bye\n")
    assert told.log().text.strip() == "bye"


@pytest.mark.skipif(os.name != "posix", reason="Windows splits differently")
@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("python bot.py", ["python", "bot.py"]),
        ("'my bot' --name='a, b' \"x y\"", ["my bot", "--name=a, b", "x y"]),
        ("bot $HOME; rm *", ["bot", "$HOME;", "rm", "*"]),
    ],
)
def test_a_command_is_split_without_a_shell(command: str, words: list[str]):
    assert words_of(command) == words
    assert words_of(shlex.join(words)) == words


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("", "exec needs a command: exec:COMMAND, for example exec:'python bot.py'"),
        ("   ", "exec needs a command: exec:COMMAND, for example exec:'python bot.py'"),
        ("bot 'a", "exec:bot 'a: no closing quotation; close every quotation mark"),
    ],
)
def test_a_command_that_is_none_is_refused(command: str, reason: str):
    with pytest.raises(AgentError) as error:
        words_of(command)
    assert str(error.value) == reason


def test_a_missing_command_is_refused():
    with pytest.raises(AgentError, match="there is no command 'no-such-bot'; name a program on the path"):
        check_command(["no-such-bot"])


def test_a_file_that_is_no_program_is_refused(tmp_path: Path):
    file = tmp_path / "bot"
    file.write_text("not a program")
    file.chmod(0o755)
    with pytest.raises(AgentError, match=r"cannot start .*: Exec format error"):
        Process([str(file)])
