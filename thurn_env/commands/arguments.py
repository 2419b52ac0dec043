"""Shared code of all command lines: parsing arguments, and turning errors into one line and an exit code."""

from __future__ import annotations

import _thread
import gc
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, Protocol, TypeVar, get_type_hints

from thurn_env.checks import quoted
from thurn_env.console import print_on_any_console
from thurn_env.errors import OptionError, ThurnError
from thurn_env.players.programs.limits import Limits
from thurn_env.players.programs.sandbox import Sandbox, require_sandbox

Result = TypeVar("Result")


class Main(Protocol):
    """Entry point of a program; None takes the arguments of the command line."""

    def __call__(self, arguments: list[str] | None = None) -> int:
        """Run the program and return its exit code."""


INTERRUPTED = 130
"""Exit code after Ctrl-C."""
NUMBERS: dict[Any, tuple[type[int | float], bool]] = {
    int: (int, False),
    float: (float, False),
    int | None: (int, True),
    float | None: (float, True),
}
"""Types of numeric options: the number type, and whether None is allowed."""
RAISE_DELAY = 0.1
"""Seconds after which a swallowed Ctrl-C is raised again."""


def call(function: Callable[..., Result], arguments: Sequence[str], program: str, default: Any = None) -> Result:
    """Call a function, or make a dataclass, from a command line; its docstring is the help text.

    `default` is a dataclass with the values of options that are not given; None takes the function's own defaults.
    """
    import tyro

    _refuse_other_bytes(arguments)
    _refuse_empty(arguments)
    _refuse_repeated(arguments, function)
    given = {} if default is None else {"default": default}
    result: Result = tyro.cli(function, args=list(arguments), prog=program, registry=_numbers(), **given)
    return result


def _refuse_other_bytes(arguments: Sequence[str]) -> None:
    """Raise `OptionError` for bytes that are not UTF-8, before any work: files note the command that made them."""
    for before, word in pairwise(["", *arguments]):
        # A secret has a check of its own, which does not show it.
        if "--secret" in (before, word.partition("=")[0]):
            continue
        try:
            word.encode()
        except UnicodeEncodeError:
            raise OptionError(f"{quoted(word)} is not UTF-8; rename the file or folder") from None


def _refuse_repeated(arguments: Sequence[str], function: Callable[..., Any]) -> None:
    """Raise `OptionError` if an option for several values is given twice: the first values would be lost."""
    hints = get_type_hints(function)  # of a dataclass, those of its fields
    lists = {f"--{name.replace('_', '-')}" for name, hint in hints.items() if "tuple[" in str(hint)}
    given = [word.partition("=")[0].replace("_", "-") for word in arguments if word.startswith("--")]
    for name in given:
        if name in lists and given.count(name) > 1:
            raise OptionError(f"{name} is given twice; give all its values after one {name}")


def _refuse_empty(arguments: Sequence[str]) -> None:
    """Raise `OptionError` for an empty text: it is never intended, and as a path it would be the current folder."""
    option = ""
    for word in arguments:
        name, equals, text = word.partition("=")
        if name.startswith("--"):
            option = name
        if not word or (name.startswith("--") and equals and not text):
            what = (
                f"{option} has an empty value; give it a value" if option else "an argument is empty; give it a value"
            )
            raise OptionError(f"{what}, or leave it out")


def _numbers() -> Any:
    """Return the parser of numbers, which rejects other texts with a readable message."""
    from tyro.constructors import ConstructorRegistry, PrimitiveConstructorSpec, PrimitiveTypeInfo

    registry = ConstructorRegistry()

    @registry.primitive_rule
    def _(kind: PrimitiveTypeInfo) -> PrimitiveConstructorSpec[Any] | None:
        if kind.type == tuple[int, ...]:
            return PrimitiveConstructorSpec(
                nargs="*",
                metavar="[INT [INT ...]]",
                instance_from_str=lambda words: tuple(_number(word, int) for word in words),
                is_instance=lambda value: isinstance(value, tuple),
                str_from_instance=lambda value: list(map(str, value)),
            )
        if kind.type not in NUMBERS:
            return None
        number, optional = NUMBERS[kind.type]
        return PrimitiveConstructorSpec(
            nargs=1,
            metavar=f"{'{None}|' if optional else ''}{number.__name__.upper()}",
            instance_from_str=lambda words: None if optional and words[0] == "None" else _number(words[0], number),
            is_instance=lambda value: (optional and value is None) or type(value) in (int, number),
            str_from_instance=lambda value: [str(value)],
        )

    return registry


def _number(text: str, kind: type[int | float]) -> int | float:
    """Parse a number; raise `ValueError` with a readable message if the text is none."""
    try:
        return kind(text)
    except ValueError:
        raise ValueError(f"{quoted(text)} is not a {'whole ' if kind is int else ''}number") from None


@contextmanager
def swallowed_interrupts() -> Iterator[None]:
    """Raise a Ctrl-C again that a compiler swallowed, and turn an error caused by it into that `KeyboardInterrupt`.

    While Numba compiles, the signal may arrive in one of the compiler's callbacks. Python cannot raise it from there:
    it would print a warning and continue, or the compiler would fail later because the callback was incomplete.
    """
    again: list[threading.Timer] = []
    before = sys.unraisablehook

    def note(unraisable: Any) -> None:
        if unraisable.exc_type is not KeyboardInterrupt:
            before(unraisable)
            return
        again.append(threading.Timer(RAISE_DELAY, _thread.interrupt_main))
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


def guarded(program: str, run: Callable[[], int]) -> int:
    """Run a program: invalid input prints one line on standard error with exit code 2, Ctrl-C gives exit code 130."""
    print_on_any_console()
    try:
        with swallowed_interrupts():
            code = run()
        sys.stdout.flush()
        return code
    except SystemExit as stop:  # from --help or an invalid command line
        return stop.code if isinstance(stop.code, int) else 2
    except BrokenPipeError:
        # The reader closed the pipe; keep Python from reporting that at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ThurnError, OSError) as error:
        print(f"{program}: {error}", file=sys.stderr)
        return 2
    except MemoryError as error:
        reason = f" ({error})" if str(error) else ""
        print(f"{program}: not enough memory on this machine{reason}; use smaller values", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"\n{program}: stopped", file=sys.stderr)
        return INTERRUPTED


def own_arguments() -> list[str]:
    """Return the arguments of this process, which from now on exists only for its command."""
    # Modules stay until the end. Otherwise Python searches them for garbage again and again, and once more at the end,
    # which takes a quarter of the time of a short command.
    gc.freeze()
    return sys.argv[1:]


def program(name: str, run: Callable[[list[str]], int]) -> Main:
    """Return the `main` of a program: `run`, guarded, with the given arguments or those of the command line."""

    def main(arguments: list[str] | None = None) -> int:
        command = own_arguments() if arguments is None else arguments
        return guarded(name, lambda: run(command))

    return main


def value_of(command: Sequence[str], option: str) -> str | None:
    """Return the value of an option of a command line; None if it is not given. The last one counts, as usual."""
    found = None
    for place, word in enumerate(command):
        given, equals, value = word.partition("=")
        if given == option and (equals or place + 1 < len(command)):
            found = value if equals else command[place + 1]
    return found


def chosen_sandbox(words: Sequence[str] | None) -> Sandbox | None:
    """Return the sandbox of an option `--sandbox` with its limits; None if the option is not given.

    Raises:
        OptionError: a limit is unknown or out of bounds, or there is no sandbox on this machine.
    """
    limits = Limits.from_words(words)
    if limits is None:
        return None
    require_sandbox()
    return Sandbox(limits)


def ray_address(words: Sequence[str]) -> str:
    """Return the address of a Ray cluster, or `""` if there is none.

    Raises:
        ThurnError: there are several addresses, or Ray is not installed.
    """
    from thurn_env.tournament.rays import require_ray

    require_ray()
    if len(words) > 1:
        raise OptionError(f"--ray takes one address, not {len(words)}")
    return words[0] if words else ""
