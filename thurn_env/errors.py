"""Errors of the package. Messages say what is wrong and what is allowed, in bounded length."""

from collections.abc import Sequence

QUOTED = 60
"""Maximum number of characters of a quoted value in a message."""
NAMED, NAMED_LENGTH = 10, 160
"""Maximum number of alternatives in a message, and of their characters."""


class ThurnError(ValueError):
    """Base class of all errors raised for invalid input."""


class OptionError(ThurnError):
    """An unknown option, a value out of range, or a wrong number of players."""


class UnknownOption(OptionError, TypeError):
    """A keyword that is not an option; also a `TypeError`, as for every unknown keyword of a Python function.

    Attributes:
        name: the keyword.
    """

    name = ""


class IllegalAction(ThurnError):
    """An action that is unknown or not legal now; the game is unchanged."""


class RecordError(ThurnError):
    """A damaged or manipulated game record."""


class AgentError(ThurnError):
    """An unknown agent, an invalid agent spec, or an invalid answer of an agent."""


class MissingExtra(ThurnError, ImportError):
    """An optional dependency is not installed; the message says how to install it."""


def printable(text: str) -> str:
    """Return a text on one line; unprintable characters, which may command a terminal, are escaped."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def clipped(text: str, most: int = QUOTED) -> str:
    """Return a text on one line, cut to `most` characters; unprintable characters are escaped."""
    line = printable(text[: most + 1])
    return line if len(line) <= most else line[: most - 3] + "..."


def sentence(error: object) -> str:
    """Return the text of an error with the mark that ends a sentence; `did you mean 'draw'?` has one."""
    text = str(error)
    return text if text.endswith((".", "?", "!")) else f"{text}."


def some_of(texts: Sequence[str]) -> str:
    """Return the first alternatives and the number of the rest: `draw, close and 12 more`; `none` if there are none."""
    named: list[str] = []
    for text in map(clipped, texts[:NAMED]):
        if named and len(", ".join([*named, text])) > NAMED_LENGTH:
            break
        named.append(text)
    rest = len(texts) - len(named)
    return (", ".join(named) or "none") + (f" and {rest} more" if rest else "")
