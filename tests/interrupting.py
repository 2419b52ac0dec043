"""Ctrl-C in place of a function."""

from __future__ import annotations

from typing import NoReturn


def interrupted(*_: object, **__: object) -> NoReturn:
    """Raise what Ctrl-C raises."""
    raise KeyboardInterrupt
