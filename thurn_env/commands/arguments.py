"""What all command lines share: reading arguments, and turning errors into one line and an exit code."""

from __future__ import annotations

import _thread
import io
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from thurn_env.errors import OptionError, ThurnError

Result = TypeVar("Result")


class Main(Protocol):
    """The entry point of a program; None stands for the arguments of the command line."""

    def __call__(self, arguments: list[str] | None = None) -> int:
        """Run it; returns the exit code."""


INTERRUPTED = 130
"""The exit code after Ctrl-C."""
AGAIN = 0.1
"""Seconds after which a Ctrl-C that was swallowed comes again."""


def call(function: Callable[..., Result], arguments: Sequence[str], program: str, default: Any = None) -> Result:
    """Call a function, or make a dataclass, from a command line; the docstring is the help text.

    `default`: a dataclass with the values where the command line says nothing; the function's own if not given.
    """
    import tyro

    given = {} if default is None else {"default": default}
    result: Result = tyro.cli(function, args=list(arguments), prog=program, **given)
    return result


def parse_options(pairs: Sequence[str]) -> dict[str, Any]:
    """The game's options from `name=value` texts: true, false, whole numbers, else text."""
    options: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name:
            raise OptionError(f"--option wants name=value, not {pair!r}")
        options[name] = _value(text)
    return options


def _value(text: str) -> Any:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        return int(text)
    except ValueError:
        return text


@contextmanager
def swallowed_interrupts() -> Iterator[None]:
    """Within, a Ctrl-C that a compiler swallows comes again, and an error that comes of it is that `KeyboardInterrupt`.

    While numba compiles, the signal may come in one of the compiler's callbacks. Python cannot raise it from there: it
    would write about it and go on, or the compiler fail later for want of what the callback was to bring.
    """
    again: list[threading.Timer] = []
    before = sys.unraisablehook

    def note(unraisable: Any) -> None:
        if unraisable.exc_type is not KeyboardInterrupt:
            before(unraisable)
            return
        again.append(threading.Timer(AGAIN, _thread.interrupt_main))
        again[-1].daemon = True
        again[-1].start()

    sys.unraisablehook = note
    try:
        yield
    except Exception:
        if again:
            raise KeyboardInterrupt from None
        raise
    finally:
        sys.unraisablehook = before
        for timer in again:
            timer.cancel()


def print_on_any_console() -> None:
    """Let standard output and error replace letters that the console's encoding lacks, instead of failing at them.

    What cannot be decoded on standard input is kept as it is, so that it can still name a file.
    """
    for stream, errors in ((sys.stdin, "surrogateescape"), (sys.stdout, "replace"), (sys.stderr, "replace")):
        # Notebooks and tests have streams of their own.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def guarded(program: str, run: Callable[[], int]) -> int:
    """Run a program: wrong input is one line on standard error and exit code 2, Ctrl-C is exit code 130."""
    print_on_any_console()
    try:
        with swallowed_interrupts():
            code = run()
        sys.stdout.flush()
        return code
    except SystemExit as stop:  # the help text was asked for, or the command line is wrong
        return stop.code if isinstance(stop.code, int) else 2
    except BrokenPipeError:
        # Whoever read the output has seen enough; keep Python from complaining when it closes the pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ThurnError, OSError) as error:
        print(f"{program}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"\n{program}: stopped", file=sys.stderr)
        return INTERRUPTED


def program(name: str, run: Callable[[list[str]], int]) -> Main:
    """The `main` of a program: `run`, guarded, with the arguments given or those of the command line."""

    def main(arguments: list[str] | None = None) -> int:
        command = sys.argv[1:] if arguments is None else arguments
        return guarded(name, lambda: run(command))

    return main
