"""One process at a time: in a folder, or at a task."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from thurn_env.errors import ThurnError

FILE = ".lock"


@contextmanager
def locked(folder: Path, problem: str) -> Iterator[None]:
    """Keep other processes out of a folder, which is made if it is not there.

    The lock goes with the process, however that ends. A folder that was made for nothing is removed again, with those
    above it that were made for it. There are no such locks on Windows, where nothing is kept out.

    Args:
        folder: the folder.
        problem: what to say if somebody else is in it.

    Raises:
        ThurnError: another process is in the folder.
    """
    new = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    with (folder / FILE).open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ThurnError(f"{folder}: {problem}") from None
        try:
            yield
        finally:
            if new and [file.name for file in folder.iterdir()] == [FILE]:
                (folder / FILE).unlink()
                for path in new:
                    path.rmdir()


@contextmanager
def turn(file: Path, say: Callable[[], None]) -> Iterator[None]:
    """Wait until no other process is at the task that a file stands for.

    The turn ends with the process, however that ends. Where files cannot be locked, as on Windows and on some network
    drives, nobody waits.

    Args:
        file: the file, which is made if it is not there.
        say: called once if another process is at it.
    """
    try:
        import fcntl

        held = file.open("a")
    except (ImportError, OSError):
        yield
        return
    with held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say()
            fcntl.flock(held, fcntl.LOCK_EX)
        except OSError:
            pass
        yield
