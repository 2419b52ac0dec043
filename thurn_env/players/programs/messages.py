"""Messages of `thurn-agent/1`: strict reading of a program's lines, and writing of the host's."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, NoReturn

from thurn_env.errors import clipped
from thurn_env.players.programs.failure import ProgramFailed, Refused

PROTOCOL = "thurn-agent/1"
LONGEST_FROM_HOST = 4 * 1024 * 1024
"""Number of bytes of a line from the host."""
LONGEST_NAME = 60
"""Number of characters of a program's name, and of its version."""
MOST_SAMPLED = 256
"""Number of positions that a program may ask for at once."""
MOST_PLAYED = 10_000
"""Number of actions that a program may play at once."""
LARGEST = 2**53 - 1
"""Largest whole number: every language reads it exactly."""

Message = dict[str, Any]


class Field(NamedTuple):
    """A field of a message.

    Attributes:
        allowed: whether a value is allowed.
        wanted: the allowed values in words.
        required: whether the field has to be there.
    """

    allowed: Callable[[Any], bool]
    wanted: str
    required: bool = True


def _whole(least: int, most: int) -> Field:
    # A bool is an int to Python; `type` tells them apart.
    return Field(lambda value: type(value) is int and least <= value <= most, f"a whole number from {least} to {most}")


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and value.isprintable() and value.strip() != "" and len(value) <= LONGEST_NAME


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= MOST_PLAYED and all(isinstance(text, str) for text in value)


_NUMBER = _whole(0, LARGEST)
_NAME = Field(_is_name, f"a printable text of 1 to {LONGEST_NAME} characters")

FROM_PROGRAM: Mapping[str, Mapping[str, Field]] = {
    "hello": {
        "protocol": Field(lambda value: isinstance(value, str) and value == PROTOCOL, f'"{PROTOCOL}"'),
        "name": _NAME,
        "version": _NAME,
        "observation": Field(lambda value: isinstance(value, bool), "true or false", required=False),
    },
    "ready": {},
    "action": {
        "request": _NUMBER,
        "action": Field(
            lambda value: isinstance(value, str) or (type(value) is int and 0 <= value <= LARGEST),
            "an index or a text",
        ),
    },
    "sample": {"request": _NUMBER, "count": _whole(1, MOST_SAMPLED)},
    "simulate": {
        "request": _NUMBER,
        "position": _NUMBER,
        "actions": Field(_are_texts, f"a list of at most {MOST_PLAYED:,} texts"),
    },
    "pong": {"ping": _NUMBER},
}
"""The messages of a program: type to fields, `type` apart."""


def read_message(line: bytes) -> Message:
    """Return the message in a line from a program.

    Raises:
        Refused: the line is no message of the protocol; the error gives the first reason.
    """
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refused(f"a line is not UTF-8 (byte 0x{line[error.start]:02x} at {error.start})") from None
    try:
        message = _DECODER.decode(text)
    except Refused:
        raise
    except RecursionError:
        raise Refused("a line is nested too deeply") from None
    except ValueError as error:
        # Python also refuses numbers of thousands of digits here.
        reason = error.msg.lower() if isinstance(error, json.JSONDecodeError) else "a number is too long"
        raise Refused(f"a line is not JSON ({reason}): {clipped(text)}") from None
    return checked(message)


def checked(message: Any) -> Message:
    """Return a message whose fields are those of its type, with allowed values.

    Raises:
        Refused: they are not; the error gives the first reason.
    """
    if not isinstance(message, dict):
        raise Refused(f"a line is not a JSON object: {_shown(message)}")
    kind = message.get("type")
    if not isinstance(kind, str) or kind not in FROM_PROGRAM:
        given = f"type {_shown(kind)}" if "type" in message else "no type"
        raise Refused(f"a message has {given}; the types are {', '.join(FROM_PROGRAM)}")
    fields = FROM_PROGRAM[kind]
    for name in message:
        if name not in fields and name != "type":
            known = ", ".join(["type", *fields])
            raise Refused(f"{kind} has an unknown field {_shown(name)}; its fields are {known}")
    for name, field in fields.items():
        if name not in message:
            if field.required:
                raise Refused(f"{kind} lacks the field {name!r}: {field.wanted}")
        elif not field.allowed(message[name]):
            raise Refused(f"{kind}: {name} must be {field.wanted}, not {_shown(message[name])}")
    return message


def _shown(value: Any) -> str:
    """Return a wrong value in JSON, in bounded length."""
    try:
        return clipped(json.dumps(value))
    except (RecursionError, ValueError):
        return "a value that cannot be shown"


def _without_twins(pairs: list[tuple[str, Any]]) -> Message:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twin = next(name for name in names if names.count(name) > 1)
        raise Refused(f"an object has the field {_shown(twin)} twice")
    return found


def _no_constant(name: str) -> NoReturn:
    raise Refused(f"{name} is not JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_without_twins, parse_constant=_no_constant)
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))

encoded = _ENCODER.encode
"""Return a value as JSON on one line, without blanks."""


def line_of(text: str) -> bytes:
    """Return JSON text as a line.

    Raises:
        ProgramFailed: the line is longer than `LONGEST_FROM_HOST`.
    """
    # A path may hold lone surrogates; the escapes of Python are those of JSON.
    line = text.encode("utf-8", "backslashreplace") + b"\n"
    if len(line) > LONGEST_FROM_HOST:
        raise ProgramFailed(f"a message for it would be longer than {LONGEST_FROM_HOST:,} bytes")
    return line


def written(kind: str, **fields: Any) -> bytes:
    """Return a message as a line."""
    return line_of(encoded({"type": kind, **fields}))
