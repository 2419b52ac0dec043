"""Specs of programs for tests."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

SCRIPT = Path(__file__).with_name("guest_program.py")


def spec(mode: str) -> str:
    """The spec of `tests/guest_program.py` in a mode."""
    return f"exec:{shlex.join([sys.executable, str(SCRIPT), mode])}"


def python(code: str) -> str:
    """The spec of a program that is a piece of Python."""
    return f"exec:{shlex.join([sys.executable, '-c', code])}"
