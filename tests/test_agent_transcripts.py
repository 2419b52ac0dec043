"""Transcripts of games with a program: every message fits its schema, and none has changed.

`python -m tests.test_agent_transcripts` writes the transcripts after a change of the protocol that is wanted.
"""

from __future__ import annotations

import json
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from docs.agent_transcript import as_text, transcript

FOLDER = Path(__file__).with_name("transcripts")
GAMES = {"thurn_und_taxis": ("tiny", 5), "zug_um_zug_deutschland": ("tiny_rails", 4)}
SCHEMAS = files("thurn_env.players.programs") / "schemas"


def file_of(game: str) -> Path:
    return FOLDER / f"program_{game}.txt"


def stored(game: str) -> list[tuple[str, dict[str, Any]]]:
    lines = file_of(game).read_text("utf-8").splitlines()
    return [(line[0], json.loads(line[2:])) for line in lines]


def validator(name: str, part: str = "") -> jsonschema.Draft202012Validator:
    document = json.loads((SCHEMAS / f"{name}.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(document)
    return jsonschema.Draft202012Validator(document | {"$ref": f"#/$defs/{part}"} if part else document)


@pytest.mark.parametrize("game", GAMES)
def test_the_conversation_has_not_changed(game: str):
    played = transcript(game, *GAMES[game])
    assert as_text(played) == file_of(game).read_text("utf-8")


@pytest.mark.parametrize("game", GAMES)
def test_every_message_fits_its_schema(game: str):
    schemas = {">": validator("from_host"), "<": validator("from_agent")}
    for direction, message in stored(game):
        schemas[direction].validate(message)
        other = schemas["<" if direction == ">" else ">"]
        assert message["type"] == "hello" or not other.is_valid(message)


@pytest.mark.parametrize("game", GAMES)
def test_every_view_fits_the_schema_of_its_game(game: str):
    public, own, hidden = (validator(game, part) for part in ("public", "own", "hidden"))
    views, full = 0, 0
    for _, message in stored(game):
        found = [message["view"]] if "view" in message else []
        found += [position["view"] for position in message.get("positions", [])]
        for view in found:
            public.validate(view["public"])
            for secrets in view.get("secrets") or [view["own"]]:
                own.validate(secrets)
            if "hidden" in view:
                hidden.validate(view["hidden"])
                full += 1
            views += 1
    assert views > 5
    assert full == 2


@pytest.mark.parametrize("game", GAMES)
def test_the_transcripts_have_messages_of_all_kinds(game: str):
    kinds = {message["type"] for _, message in stored(game)}
    schemas = [json.loads((SCHEMAS / f"{name}.json").read_text("utf-8")) for name in ("from_host", "from_agent")]
    known = {reference["$ref"].rpartition("/")[2] for schema in schemas for reference in schema["oneOf"]}
    # These two need a second game, and a failure.
    assert known - kinds == {"ping", "pong", "error"}


def test_a_changed_message_is_noticed():
    host = validator("from_host")
    for _, message in stored("thurn_und_taxis"):
        assert not host.is_valid(message | {"mood": "good"})


if __name__ == "__main__":
    for name, (board, rounds) in GAMES.items():
        file_of(name).write_text(as_text(transcript(name, board, rounds)), "utf-8")
        print(f"{file_of(name)} written", file=sys.stderr)
