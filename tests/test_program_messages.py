"""Messages of programs: the host accepts exactly those of the schemas, and every other line has one clear reason."""

from __future__ import annotations

import json
from importlib.resources import files
from random import Random
from typing import Any

import jsonschema
import pytest

from tests.fuzzed_lines import MESSAGES, fuzzed
from thurn_env.players.programs.failure import Refused
from thurn_env.players.programs.messages import FROM_PROGRAM, LARGEST, checked, read_message

SCHEMAS = files("thurn_env.players.programs") / "schemas"


def schema(name: str) -> jsonschema.Draft202012Validator:
    document = json.loads((SCHEMAS / f"{name}.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(document)
    return jsonschema.Draft202012Validator(document)


def test_schemas_name_the_messages_that_the_host_reads():
    found = set(schema("from_agent").schema["$defs"])
    assert found == set(FROM_PROGRAM)
    for name, fields in FROM_PROGRAM.items():
        described = schema("from_agent").schema["$defs"][name]
        assert set(described["properties"]) == {"type", *fields}
        assert set(described["required"]) == {"type", *(name for name, field in fields.items() if field.required)}


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: str(message["type"]))
def test_every_message_is_read(message: dict[str, Any]):
    assert read_message(json.dumps(message).encode()) == message
    schema("from_agent").validate(message)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"", "a line is not JSON (expecting value): "),
        (b"hello", "a line is not JSON (expecting value): hello"),
        (b"\xff{}", "a line is not UTF-8 (byte 0xff at 0)"),
        (b"[]", "a line is not a JSON object: []"),
        (b"12", "a line is not a JSON object: 12"),
        (b"{}", "a message has no type; the types are hello, ready, action, sample, simulate, pong"),
        (b'{"type":7}', "a message has type 7; the types are hello, ready, action, sample, simulate, pong"),
        (b'{"type":"ready","type":"ready"}', 'an object has the field "type" twice'),
        (b'{"type":"pong","ping":NaN}', "NaN is not JSON"),
        (b'{"type":"pong","ping":-Infinity}', "-Infinity is not JSON"),
        (b'{"type":"pong"}', f"pong lacks the field 'ping': a whole number from 0 to {LARGEST}"),
        (b'{"type":"pong","ping":true}', f"pong: ping must be a whole number from 0 to {LARGEST}, not true"),
        (b'{"type":"pong","ping":1.0}', f"pong: ping must be a whole number from 0 to {LARGEST}, not 1.0"),
        (b'{"type":"pong","ping":-1}', f"pong: ping must be a whole number from 0 to {LARGEST}, not -1"),
        (b'{"type":"ready","go":1}', 'ready has an unknown field "go"; its fields are type'),
        (b'{"type":"action","request":1,"action":null}', "action: action must be an index or a text, not null"),
        (b'{"type":"sample","request":1,"count":0}', "sample: count must be a whole number from 1 to 256, not 0"),
        (b"[" * 60_000, "a line is nested too deeply"),
        (b'{"type":"pong","ping":' + b"9" * 5000 + b"}", "a line is not JSON (a number is too long)"),
    ],
)
def test_another_line_is_refused_with_one_reason(line: bytes, reason: str):
    with pytest.raises(Refused) as error:
        read_message(line)
    assert str(error.value).startswith(reason)
    assert len(str(error.value)) < 300
    assert str(error.value).isprintable()


def test_reading_agrees_with_the_schema_on_changed_messages():
    validator, random = schema("from_agent"), Random(1)
    accepted = 0
    for _ in range(3000):
        message = changed(random)
        try:
            checked(message)
        except Refused:
            fits = False
        else:
            fits = True
        # To a schema 1.0 is a whole number, and it cannot tell whether a text is printable.
        assert fits == validator.is_valid(message) or any(map(is_beyond_schemas, message.values())), message
        accepted += fits
    assert 300 < accepted < 2700


def is_beyond_schemas(value: Any) -> bool:
    return (isinstance(value, float) and value.is_integer()) or (isinstance(value, str) and not value.isprintable())


def changed(random: Random) -> dict[str, Any]:
    """A message with up to two changed, missing or additional fields."""
    message = dict(random.choice(MESSAGES))
    odd: list[Any] = [
        None,
        True,
        -1,
        0,
        1,
        1.0,
        2.5,
        257,
        2**53,
        "",
        " ",
        "draw",
        "x" * 61,
        "\n",
        [],
        ["a"],
        [1],
        {},
        "pong",
    ]
    for _ in range(random.randrange(3)):
        name = random.choice([*message, "other"])
        if random.randrange(4) == 0:
            message.pop(name, None)
        else:
            message[name] = random.choice(odd)
    return message


def test_fuzzed_lines_are_read_or_refused():
    """`python -m tests.fuzzed_lines 1000000` reads as many lines as wanted."""
    read, refused = fuzzed(5000, seed=1)
    assert read > 200
    assert refused > 2000
