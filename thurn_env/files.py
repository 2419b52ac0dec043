"""Reading of edited text files, atomic writing of files, and file locks."""

from __future__ import annotations

import os
import secrets
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from thurn_env.errors import ThurnError

LOCK = ".lock"
HTML = "<!doctype html>"
"""Beginning of every page."""


def read_text(path: str | os.PathLike[str], error: type[ThurnError] = ThurnError) -> str:
    r"""Read a text file that may come from any editor on any system.

    Args:
        path: the file: UTF-8, with or without a byte order mark.
        error: class of error to raise.

    Returns:
        the text with `"\n"` as line ends. Letters are not normalised, since the text may hold paths; see `composed`.

    Raises:
        ThurnError: of class `error`. The file does not exist, is a directory, cannot be read or is not UTF-8.
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
        raise error(f"{str(path)!r} is not a valid file name") from None


def composed(text: str) -> str:
    """Return a text with composed letters (Unicode NFC), so that equal names compare equal however `ü` is encoded."""
    return unicodedata.normalize("NFC", text)


def check_folder(folder: Path) -> None:
    """Raise `ThurnError` if a folder can neither exist nor be created, because a file has its name or a parent's."""
    for path in (folder, *folder.parents):
        if path.exists():
            if not path.is_dir():
                raise ThurnError(f"{path} is a file; name a folder")
            return


def make_folder(folder: Path) -> None:
    """Create a folder and its parents, if they do not exist.

    Raises:
        ThurnError: this is not possible.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        check_folder(folder)
        raise ThurnError(f"{folder}: this folder cannot be created: {error.strerror or error}") from None


def check_file(path: Path) -> None:
    """Raise `ThurnError` if a file to be written is a folder, or lies in one that does not exist."""
    if path.is_dir():
        raise ThurnError(f"{path} is a folder; name a file in it")
    check_folder(path.parent)
    if not path.parent.exists():
        raise ThurnError(f"{path}: there is no folder {path.parent}; create it, or name another one")


def check_replaceable(path: Path, beginning: str, what: str) -> None:
    """Raise `ThurnError` if a file cannot be written, or if one of another kind would be lost.

    Args:
        path: the file to be written.
        beginning: how files of this kind begin, whatever white space they have.
        what: this kind in words, such as "a page".
    """
    check_file(path)
    if not path.is_file():
        return
    with suppress(OSError), path.open("rb") as file:
        found = _squeezed(file.read(16 * len(beginning)).decode("utf-8", "replace"))
        if found and not found.startswith(_squeezed(beginning)):
            raise ThurnError(f"{path} exists and is not {what}; name another file")


def _squeezed(text: str) -> str:
    """Return a text without white space."""
    return "".join(text.split())


def write_text(path: Path, text: str) -> None:
    r"""Write a text file atomically, in UTF-8 and with `"\n"` as line ends on every system.

    Raises:
        ThurnError: the file cannot be written.
    """
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file atomically: to a temporary file beside it, then rename. Devices and pipes are written to.

    Raises:
        ThurnError: the file cannot be written.
    """
    # Files from `tempfile` are unreadable for other users.
    temporary = path.parent / f".{path.name}.{secrets.token_hex(8)}"
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            # A file in place of /dev/null would break the whole system.
            path.write_bytes(content)
            return
        with temporary.open("xb") as file:
            file.write(content)
        temporary.replace(path)
    except BaseException as error:
        # A name that no file can have cannot be removed either.
        with suppress(OSError, ValueError):
            temporary.unlink(missing_ok=True)
        if isinstance(error, ValueError):
            raise ThurnError(f"{str(path)!r} is not a valid file name") from None
        if isinstance(error, OSError):
            check_file(path)
            raise ThurnError(f"{path}: cannot be written: {error.strerror or error}") from None
        raise


@contextmanager
def locked(folder: Path, problem: str) -> Iterator[None]:
    """Lock a folder against other processes; create it if it does not exist.

    The lock ends with the process, however it ends. A folder that was created here and is left empty is removed again,
    including the parents created for it.

    Args:
        folder: the folder.
        problem: error message if another process holds the lock.

    Raises:
        ThurnError: another process holds the lock, or the folder cannot be created.
    """
    new = [path for path in (folder, *folder.parents) if not path.exists()]
    make_folder(folder)
    lock = FileLock(folder / LOCK, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        # A file system that does not let the lock's file be created looks the same as another process.
        if not (folder / LOCK).exists():
            raise ThurnError(f"{folder}: no file can be created in this folder") from None
        raise ThurnError(f"{folder}: {problem}") from None
    try:
        yield
    finally:
        lock.release()
        # Another process may have begun to use a folder meanwhile; then it stays.
        with suppress(OSError):
            if new and [file.name for file in folder.iterdir()] in ([], [LOCK]):
                (folder / LOCK).unlink(missing_ok=True)
                for path in new:
                    path.rmdir()


@contextmanager
def turn(file: Path, say: Callable[[], None]) -> Iterator[None]:
    """Wait until no other process works on the task that a file represents.

    The turn ends with the process, however it ends. On file systems without locks, processes do not wait.

    Args:
        file: the lock file, created if it does not exist.
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
