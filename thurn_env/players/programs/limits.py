"""Limits of a sandbox."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from thurn_env.checks import LONGEST_WAIT, checked_whole
from thurn_env.players.spec_options import named_options

__all__ = ["LIMITS", "Limits"]

LIMITS = {
    "memory": (16, 1 << 20),
    "scratch": (1, 1 << 20),
    "cpu_seconds": (1, LONGEST_WAIT),
    "processes": (1, 10_000),
    "open_files": (16, 100_000),
}
"""Least and largest value of every limit."""


@dataclass(frozen=True)
class Limits:
    """Limits of one program in its sandbox, with all processes that it starts.

    Attributes:
        memory: MiB of memory, including the files in the scratch folder.
        scratch: MiB of files in the scratch folder `/tmp`, and again in `/dev/shm`.
        cpu_seconds: seconds of CPU time for each game.
        processes: number of processes and threads.
        open_files: number of open files.
    """

    memory: int = 2048
    scratch: int = 64
    cpu_seconds: int = 600
    processes: int = 128
    open_files: int = 512

    def __post_init__(self) -> None:
        for name, (least, most) in LIMITS.items():
            object.__setattr__(self, name, checked_whole(f"sandbox {name}", getattr(self, name), least, most))

    @classmethod
    def from_words(cls, words: Sequence[str] | None) -> Self | None:
        """Return the limits of a command's option: words such as `memory=512`; None if the option is not given.

        Raises:
            OptionError: a limit is unknown, given twice, or out of bounds.
        """
        if words is None:
            return None
        given = named_options("--sandbox", words, LIMITS)
        values: dict[str, Any] = {name: int(text) if text.isdecimal() else text for name, text in given.items()}
        return cls(**values)
