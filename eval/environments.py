"""Virtual environments for other projects, whose requirements conflict, and programs that run in them.

The folder of an environment is named after its file of requirements and a digest of them, so that changed requirements
make a new one.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from thurn_env.files import read_text

ROOT = Path(__file__).parents[1]
COMPLETE = ".complete"
"""Marker file of a completely installed environment."""
FOLDERS = re.compile(r"(?<![\w.])(?:[A-Za-z]:)?[/\\](?:[^\s/\\'\"]+[/\\])+")
LONGEST_REASON = 200


class ProgramFailed(Exception):
    """An installation or a measurement failed; the text is the reason, one line."""


def default_folder(name: str) -> Path:
    """Return a folder for the environments of one command, in the user's cache folder."""
    user = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return user / "thurn-env" / name


def python_with(requirements: Path, folder: Path) -> Path:
    """Return the Python of the environment with these requirements, and install missing packages.

    Raises:
        ProgramFailed: the installation failed.
    """
    content = f"{platform.python_version()}\n{read_text(requirements)}"
    home = folder.absolute() / f"{requirements.stem}-{hashlib.sha256(content.encode()).hexdigest()[:8]}"
    python = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if (home / COMPLETE).exists() and python.exists():
        return python
    print(f"installing {requirements.stem}, this can take minutes ...", file=sys.stderr, flush=True)
    shutil.rmtree(home, ignore_errors=True)
    output_of([sys.executable, "-m", "venv", str(home)])
    install = ["install", "--quiet", "--no-input", "--disable-pip-version-check", "--requirement", str(requirements)]
    output_of([str(python), "-I", "-m", "pip", *install])
    (home / COMPLETE).touch()
    return python


def run_script(python: Path, script: Path, words: Sequence[str] = (), limit: float | None = None) -> str:
    """Run a program of this checkout in an environment and return its standard output.

    Args:
        python: the Python of the environment.
        script: the program, which can import this checkout.
        words: its arguments.
        limit: timeout in seconds; None for no limit.

    Raises:
        ProgramFailed: the program failed, was killed, or exceeded the timeout.
    """
    return output_of([str(python), "-P", str(script), *words], {"PYTHONPATH": str(ROOT)}, limit)


def output_of(command: Sequence[str], variables: Mapping[str, str] | None = None, limit: float | None = None) -> str:
    """Return the standard output of a program.

    Args:
        command: the program and its arguments.
        variables: additional environment variables.
        limit: timeout in seconds; None for no limit.

    Raises:
        ProgramFailed: the program failed, was killed, or exceeded the timeout.
    """
    try:
        done = subprocess.run(
            command,
            env={**os.environ, **(variables or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=limit,
        )
    except subprocess.TimeoutExpired:
        raise ProgramFailed(f"timed out after {limit:.0f} s") from None
    except OSError as error:
        raise ProgramFailed(reason(str(error))) from None
    if done.returncode:
        said = reason(done.stderr or done.stdout)
        raise ProgramFailed(said or f"ended with exit code {done.returncode} without output")
    return done.stdout


def reason(text: str) -> str:
    """Return the line with the reason of a failure, without paths and addresses, which mean nothing elsewhere."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR: ")]
    line = FOLDERS.sub("", (errors or lines or [""])[-1]).removeprefix("ERROR: ")
    return line if len(line) <= LONGEST_REASON else line[: LONGEST_REASON - 4] + " ..."
