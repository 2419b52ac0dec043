"""The errors of the package. Each says what is wrong and what would be right, in a sentence of bounded length."""

from collections.abc import Sequence

QUOTED = 60
"""The most characters of a wrong value that a message quotes."""
NAMED, NAMED_LENGTH = 10, 160
"""The most possibilities that a message names, and the most characters that it spends on them."""


class ThurnError(ValueError):
    """Base of all errors raised for wrong input."""


class OptionError(ThurnError):
    """An unknown option, a value out of range, a wrong number of players."""


class IllegalAction(ThurnError):
    """An action that is unknown or not legal now; the game is unchanged."""


class RecordError(ThurnError):
    """A damaged or dishonest game record."""


class AgentError(ThurnError):
    """An unknown agent, a wrong agent spec, an agent that answered badly."""


class MissingExtra(ThurnError, ImportError):
    """An optional dependency is not installed; the message says how to install it."""


def clipped(text: str, most: int = QUOTED) -> str:
    """A text on one line, cut to `most` characters; what cannot be printed is escaped."""
    line = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text[: most + 1])
    return line if len(line) <= most else line[: most - 3] + "..."


def some_of(texts: Sequence[str]) -> str:
    """The first possibilities and the number of the rest: `draw, close and 12 more`; `none` if there are none."""
    named: list[str] = []
    for text in map(clipped, texts[:NAMED]):
        if named and len(", ".join([*named, text])) > NAMED_LENGTH:
            break
        named.append(text)
    rest = len(texts) - len(named)
    return (", ".join(named) or "none") + (f" and {rest} more" if rest else "")
