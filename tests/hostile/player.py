"""A program that plays the first legal action, and at its first request does what a hostile one would.

    player.py CASE FACTS

`FACTS` is JSON in hexadecimal digits, so that no path in it looks like a file that the program may read. A case returns
what it achieved and a sandbox must prevent; the program then ends with this as the last line of its log. If it achieved
nothing, it plays on.
"""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

MIB = 1 << 20
Facts = dict[str, Any]
LIBRARY = ctypes.CDLL(None, use_errno=True)


def send(kind: str, **fields: Any) -> None:
    sys.stdout.write(json.dumps({"type": kind, **fields}) + "\n")
    sys.stdout.flush()


def forever() -> None:
    while True:
        time.sleep(1)


def fork_bomb(facts: Facts) -> None:
    while True:
        with suppress(OSError):
            os.fork()


def fork_bomb_that_stays_alive(facts: Facts) -> None:
    """All processes beyond the first few do nothing but wait."""
    while True:
        with suppress(OSError):
            if os.fork() == 0:
                forever()


def thread_bomb(facts: Facts) -> None:
    while True:
        with suppress(RuntimeError):
            threading.Thread(target=forever, daemon=True).start()


def memory(facts: Facts) -> None:
    kept = []
    while True:
        kept.append(b"x" * MIB)


def memory_in_many_processes(facts: Facts) -> None:
    for _ in range(10):
        if os.fork() == 0:
            kept = b"x" * (facts["memory"] * MIB // 8)
            forever()
            print(kept)
    forever()


def shared_memory(facts: Facts) -> None:
    kept = []
    while True:
        kept.append(mmap.mmap(-1, MIB))
        kept[-1].write(b"x" * MIB)


def empty_files(facts: Facts) -> None:
    number = 0
    while True:
        Path(f"/tmp/{number}").touch()
        number += 1


def cpu_time(facts: Facts) -> None:
    while True:
        pass


def most_of_the_cpu_time(facts: Facts) -> None:
    end = time.process_time() + 0.6
    while time.process_time() < end:
        pass


def cpu_time_of_children(facts: Facts) -> None:
    """Children that live briefly, and whose time the kernel does not add to their parent's."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        if os.fork() == 0:
            end = time.process_time() + 0.1
            while time.process_time() < end:
                pass
            os._exit(0)
        with suppress(ChildProcessError):
            os.waitpid(-1, 0)


def open_files(facts: Facts) -> None:
    """Every process opens less than a process may."""
    for _ in range(8):
        if os.fork() == 0:
            kept = [os.pipe() for _ in range(facts["open_files"] // 8)]
            forever()
            print(kept)
    forever()


def disk(facts: Facts) -> str | None:
    """Fill every folder that can be written to."""
    written, places = 0, ["/", "/tmp", "/dev", "/dev/shm", "/var/tmp", "/usr", "/proc", ".", str(Path(__file__).parent)]
    for place in [*places, facts["folder"]]:
        with suppress(OSError), open(f"{place}/fill", "wb", buffering=0) as file:  # noqa: PTH123
            for _ in range(4 * facts["scratch"]):
                written += file.write(b"x" * MIB)
    return f"wrote {written // MIB} MiB" if written > 2 * facts["scratch"] * MIB else None


def hidden_memory(facts: Facts) -> str | None:
    """Memory that belongs to no process."""
    with suppress(OSError):
        os.memfd_create("x")
        return "made a memory file"
    if LIBRARY.shmget(0, MIB, 0o1600) != -1:
        return "made shared memory of System V"
    return None


def reading(facts: Facts) -> str | None:
    """Read what belongs to others."""
    for path in [*facts["secrets"], "/etc/passwd", "/etc/shadow", "/etc/hostname", "/var/log", "/home", "/sys", "/run"]:
        with suppress(OSError):
            return f"read {path}: {os.listdir(path)[:3] if Path(path).is_dir() else Path(path).read_bytes()[:20]!r}"  # noqa: PTH208
    for name in os.listdir("/proc"):  # noqa: PTH208
        with suppress(OSError):
            if name.isdigit() and facts["marker"].encode() in Path("/proc", name, "environ").read_bytes():
                return "read the environment of the host"
    return "has a variable of the host" if facts["marker"] in os.environ.values() else None


def writing(facts: Facts) -> str | None:
    """Change what belongs to others, or to the system."""
    for path in [*facts["secrets"], __file__, "/usr/bin/env", "/proc/sys/vm/swappiness", "/proc/1/oom_score_adj"]:
        with suppress(OSError), open(path, "r+b") as file:  # noqa: PTH123
            file.write(file.read(1))
            file.flush()
            return f"wrote {path}"
    for path in ("/dev/null", "/usr/bin/env", __file__):
        with suppress(OSError):
            Path(path).chmod(0o777)
            return f"changed the mode of {path}"
    return None


def seeing_the_tournament(facts: Facts) -> str | None:
    """Look into the folder of the tournament, which is within the program's own."""
    seen = sum(1 for _ in Path(facts["out"]).iterdir()) if Path(facts["out"]).exists() else 0
    return "sees the tournament" if seen else None


def network(facts: Facts) -> str | None:
    with suppress(OSError):
        socket.create_connection(("127.0.0.1", facts["port"]), 1).close()
        return "reached a port of the machine"
    with suppress(OSError), socket.socket(socket.AF_UNIX) as link:
        link.connect("\0" + facts["marker"])
        return "reached a socket of the machine"
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        link.connect(("192.0.2.1", 9))
        return "has a route to other machines"
    return None


def signals(facts: Facts) -> str | None:
    for number in (facts["canary"], os.getppid(), -1):
        with suppress(OSError):
            os.kill(number, signal.SIGKILL)
    with suppress(OSError):
        os.kill(facts["canary"], 0)
        return "sees a process of the machine"
    return None


def privileges(facts: Facts) -> str | None:
    """Become somebody else."""
    for kind in (0x10000000, 0x20000, 0x40000000):
        if LIBRARY.unshare(kind) == 0:
            return f"made a namespace {kind:#x}"
    if LIBRARY.mount(b"tmpfs", b"/tmp", b"tmpfs", 0, None) == 0:
        return "mounted a file system"
    for user in (0, 1):
        with suppress(OSError):
            os.setuid(user)
            return f"became user {user}"
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, -5)
        return "raised its priority"
    for path in ("mem", "environ"):
        with suppress(OSError), open(f"/proc/1/{path}", "r+b"):  # noqa: PTH123
            return f"can change the {path} of the first process"
    if LIBRARY.ptrace(16, 1, 0, 0) == 0:
        return "traces the first process"
    status = Path("/proc/self/status").read_text("ascii")
    if not all(f"{name}:\t{'0' * 16}" in status for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")):
        return "has capabilities"
    if len(os.listdir("/proc/self/fd")) > 4:  # noqa: PTH208
        return "has an open file of the host"
    if LIBRARY.syscall({"x86_64": 250}.get(os.uname().machine, 219), 0, -4, 1) >= 0:
        return "reached the keys of the user"
    return None


def long_line(facts: Facts) -> None:
    for _ in range(1 << 14):
        os.write(1, b"x" * (1 << 16))


def silence(facts: Facts) -> None:
    forever()


def old_request(facts: Facts) -> None:
    send("action", request=facts["request"] - 1, action=0)
    forever()


def flood_of_errors(facts: Facts) -> None:
    for _ in range(64):
        os.write(2, b"x" * MIB)


def endless_flood_of_errors(facts: Facts) -> None:
    while True:
        os.write(2, b"x" * MIB)


def flood_of_output(facts: Facts) -> None:
    while True:
        send("sample", request=facts["request"], count=1)


def death(facts: Facts) -> None:
    print("I have had enough", file=sys.stderr)
    os._exit(3)


def stubborn(facts: Facts) -> None:
    """Leave a process behind that hears no signals, in a session of its own, and ignore the end of the input."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    subprocess.Popen([sys.executable, __file__, "silence_alone", sys.argv[2]], start_new_session=True)
    forever()


def left_behind(facts: Facts) -> None:
    """End at once, and leave a process behind."""
    subprocess.Popen([sys.executable, __file__, "silence_alone", sys.argv[2]], start_new_session=True)
    os._exit(3)


CASES: dict[str, Callable[[Facts], str | None]] = {
    name: value
    for name, value in list(globals().items())
    if callable(value) and getattr(value, "__module__", "") == __name__
}


def messages() -> Iterator[dict[str, Any]]:
    for line in sys.stdin:
        yield json.loads(line)


def main(case: str, facts: Facts) -> None:
    if case == "silence_alone":
        forever()
    done = False
    for message in messages():
        kind = message["type"]
        if kind == "hello":
            send("hello", protocol=message["protocol"], name=case, version="1")
        elif kind == "game_start":
            done = False
            send("ready")
        elif kind == "ping":
            send("pong", ping=message["ping"])
        elif kind == "request":
            if not done:
                done = True
                achieved = CASES[case](facts | {"request": message["request"]})
                if achieved:
                    print(f"ESCAPED: {achieved}", file=sys.stderr)
                    os._exit(9)
            send("action", request=message["request"], action=message["legal"][0]["index"])
        elif kind == "quit":
            return


if __name__ == "__main__":
    main(sys.argv[1], json.loads(bytes.fromhex(sys.argv[2])))
