"""The files that a program may see in its sandbox: parts of the system, its interpreter, and what its command names."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

SYSTEM = (
    "usr",
    "bin",
    "sbin",
    "lib",
    "lib32",
    "lib64",
    "libx32",
    "nix/store",
    "gnu/store",
    "etc/alternatives",
    "etc/ld.so.cache",
    "etc/localtime",
    "etc/java*",
)
"""Folders and files of the system with programs and libraries, and without anybody's data."""
MOST_LINKS = 40
"""Number of symbolic links to follow, as the kernel does."""
SHEBANG_BYTES = 256
"""Number of bytes of a script's first line that the kernel reads."""


def system_paths() -> Iterator[Path]:
    """Yield the parts of the system that exist here."""
    for pattern in SYSTEM:
        yield from sorted(Path("/").glob(pattern))


def program_paths(words: Sequence[str]) -> list[Path]:
    """Return the folders, files and links that a command needs besides the system, outer ones first.

    These are the installation of its program (for `FOLDER/bin/python` all of `FOLDER`, for other programs their
    folder), the same for the interpreter of a script, and every file or folder that the command names. A file brings
    its folder, with modules beside it, unless that is the home folder or another folder with everybody's data.
    """
    found: dict[Path, None] = {}
    for program in _programs(words):
        for path in _links(program):
            found |= dict.fromkeys(_installation(path))
    for word in words[1:]:
        text = word.partition("=")[2] if word.startswith("-") else word
        if text and os.path.lexists(text):
            for path in _links(plain_path(text)):
                found |= dict.fromkeys(_with_folder(path))
    system = list(system_paths())
    ours = [path for path in found if not any(path.is_relative_to(part) for part in system)]
    ours = [path for path in ours if not any(other != path and _shows(other, path) for other in ours)]
    return sorted(ours, key=lambda path: path.parts)


def plain_path(path: str | Path) -> Path:
    """Return a path from the root, without `..`; symbolic links stay."""
    return Path(os.path.normpath(Path.cwd() / path))


def _programs(words: Sequence[str]) -> Iterator[Path]:
    """Yield the program of a command and, if it is a script, the interpreter in its first line."""
    name = shutil.which(words[0])
    if name is None:
        return
    program = plain_path(name)
    yield program
    try:
        with program.open("rb") as content:
            line = content.read(SHEBANG_BYTES).partition(b"\n")[0].decode()
    except (OSError, ValueError):
        return
    if line.startswith("#!"):
        interpreter = [word for word in line[2:].split() if not word.startswith("-")]
        if len(interpreter) > 1 and Path(interpreter[0]).name == "env":
            interpreter = interpreter[1:]
        if interpreter and (found := shutil.which(interpreter[0])):
            yield plain_path(found)


def _links(path: Path) -> Iterator[Path]:
    """Yield a path and, if it is a symbolic link, every path on the way to the file."""
    for _ in range(MOST_LINKS):
        yield path
        if not path.is_symlink():
            return
        path = plain_path(path.parent / path.readlink())


def _installation(program: Path) -> Iterator[Path]:
    """Yield what a program needs: the folder around its folder `bin`, or its folder."""
    folder = program.parent
    if folder.name == "bin" and not _is_shared(folder.parent):
        yield folder.parent
    else:
        yield from _with_folder(program)


def _with_folder(path: Path) -> Iterator[Path]:
    """Yield a folder itself, or the folder of a file; only the file if the folder holds everybody's data."""
    if path.is_dir():
        if not _is_shared(path):
            yield path
    else:
        yield path if _is_shared(path.parent) else path.parent


def _is_shared(folder: Path) -> bool:
    """Return whether a folder holds data of all kinds, such as the home folder and those around it."""
    home = Path.home()
    shared = [
        home,
        home.resolve(),
        home / ".local",
        home / ".config",
        home / ".cache",
        *map(Path, ("/tmp", "/var/tmp")),
    ]
    real = folder.resolve()
    return real in [path.resolve() for path in shared] or home.resolve().is_relative_to(real) or len(real.parts) <= 2


def _shows(folder: Path, path: Path) -> bool:
    """Return whether a visible folder shows a path, so that the path needs no place of its own."""
    return folder.is_dir() and path.is_relative_to(folder)
