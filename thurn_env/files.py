"""Files: reading what people have written or edited, writing files whole or not at all, and locks."""

from __future__ import annotations

import os
import secrets
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from thurn_env.errors import ThurnError

LOCK = ".lock"


def read_text(path: str | os.PathLike[str], error: type[ThurnError] = ThurnError) -> str:
    r"""Read a text file that a person may have edited, with any editor on any system.

    Args:
        path: the file: UTF-8, with or without a byte order mark.
        error: the class of error to raise.

    Returns:
        The text with `"\n"` at the ends of lines. Letters stay as they are: the text may hold paths. See `composed`.

    Raises:
        ThurnError: of the class `error`. The file does not exist, is a directory, may not be read or is not UTF-8.
    """
    try:
        return Path(path).read_text("utf-8-sig")
    except FileNotFoundError:
        raise error(f"{path}: there is no such file") from None
    except UnicodeDecodeError as damage:
        byte = damage.object[damage.start]
        raise error(f"{path}: is not UTF-8 text (byte 0x{byte:02x} at {damage.start}); save it as UTF-8") from None
    except OSError as failure:
        # Windows denies permission to read a directory.
        if Path(path).is_dir():
            raise error(f"{path}: is a directory, not a file") from None
        if isinstance(failure, PermissionError):
            raise error(f"{path}: you have no permission to read this file") from None
        raise error(f"{path}: {failure.strerror}") from None
    except ValueError:
        raise error(f"{str(path)!r} is not a possible file name") from None


def composed(text: str) -> str:
    """The same text with composed letters (Unicode NFC), so that it names a city whichever way an `ü` is written."""
    return unicodedata.normalize("NFC", text)


def write_text(path: Path, text: str) -> None:
    r"""Write a text file all or nothing, in UTF-8 and with `"\n"` at the ends of lines on every system."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file all or nothing: to a temporary file beside it, then rename."""
    # Not from `tempfile`, whose files no one else may read.
    temporary = path.parent / f".{path.name}.{secrets.token_hex(8)}"
    try:
        with temporary.open("xb") as file:
            file.write(content)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


@contextmanager
def locked(folder: Path, problem: str) -> Iterator[None]:
    """Keep other processes out of a folder, which is made if it does not exist.

    The lock ends with the process, however that ends. A folder that was made and left empty is removed again, with the
    parents that were made for it.

    Args:
        folder: the folder.
        problem: the message if another process is in it.

    Raises:
        ThurnError: another process is in the folder.
    """
    new = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / LOCK, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise ThurnError(f"{folder}: {problem}") from None
    try:
        yield
    finally:
        lock.release()
        if new and [file.name for file in folder.iterdir()] in ([], [LOCK]):
            (folder / LOCK).unlink(missing_ok=True)
            for path in new:
                path.rmdir()


@contextmanager
def turn(file: Path, say: Callable[[], None]) -> Iterator[None]:
    """Wait until no other process works at the task that a file stands for.

    The turn ends with the process, however that ends. On drives that know no locks nobody waits.

    Args:
        file: the file, which is made if it does not exist.
        say: called once if another process has the turn.
    """
    lock = FileLock(file, thread_local=False)
    try:
        try:
            lock.acquire(timeout=0)
        except Timeout:
            say()
            lock.acquire()
    except OSError:
        yield
        return
    try:
        yield
    finally:
        lock.release()
