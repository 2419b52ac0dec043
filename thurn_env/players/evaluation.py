"""Evaluations of unfinished games: the logit of a seat's win probability, linear in its observation.

An evaluation is a text file with the game it is for and how it was made; `thurn evaluation` writes such files. This
project's evaluations are in `thurn_env/players/evaluations/`.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from thurn_env.errors import AgentError
from thurn_env.files import make_folder, read_text, write_text
from thurn_env.games.contract import Float32Array, Rules
from thurn_env.players.policy import meant_for

FOLDER = Path(__file__).parent / "evaluations"
FORMAT = "thurn-evaluation/1"
BEGINNING = f'{{"format": "{FORMAT}"'
"""Beginning of every evaluation file."""
AUTO, NONE = "auto", "none"


def identity(rules: Rules) -> dict[str, Any]:
    """Return the values in which a game must match the game of an evaluation."""
    pieces = {name: piece.stop - piece.start for name, piece in rules.observation_slices.items()}
    return {"game": rules.name, "board": rules.board_digest, "players": rules.players, "pieces": pieces}


def evaluation_of(rules: Rules, choice: str) -> Float32Array:
    """Return the weights of the observation, then the bias: float32 (O + 1,); shape (0,) for no evaluation.

    Args:
        rules: the game.
        choice: `auto` for this project's evaluation of the game, if there is one; `none`; or the path of a file.

    Raises:
        AgentError: the file does not exist, is damaged, or is for another game.
    """
    if choice == NONE:
        return np.zeros(0, np.float32)
    if choice == AUTO:
        fitting = [path for path in sorted(FOLDER.glob("*.json")) if read(path)["for"] == identity(rules)]
        return weights_of(read(fitting[0]), rules) if fitting else np.zeros(0, np.float32)
    document = read(Path(choice))
    wanted = identity(rules)
    for name, value in wanted.items():
        if document["for"].get(name) != value:
            raise AgentError(f"{choice} is an evaluation {meant_for(document['for'], name, rules)}")
    return weights_of(document, rules)


def read(path: Path) -> dict[str, Any]:
    """Read an evaluation file; cached until the file changes.

    Raises:
        AgentError: the file cannot be read or is invalid.
    """
    try:
        found = path.stat()
        key = found.st_mtime_ns, found.st_size
    except (OSError, ValueError):
        key = 0, 0  # reading it says what is wrong
    return _read(path, *key)


@lru_cache(maxsize=64)
def _read(path: Path, changed: int, size: int) -> dict[str, Any]:
    """Read the evaluation in a file with this modification time and size, which are part of the cache key."""
    try:
        text = read_text(path, AgentError)
    except AgentError as error:
        raise AgentError(f"evaluation {error}; create one with thurn evaluation") from None
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict) or document.get("format") != FORMAT or not _sound(document):
        raise AgentError(f"{path} is not an evaluation or is damaged; create one with thurn evaluation")
    return document


def _sound(document: dict[str, Any]) -> bool:
    """Return whether there is a number for every value of every piece."""
    try:
        lengths = {name: len(values) for name, values in document["weights"].items()}
        numbers = [document["constant"], *(value for values in document["weights"].values() for value in values)]
        return lengths == document["for"]["pieces"] and bool(np.isfinite(np.array(numbers, np.float64)).all())
    except (KeyError, TypeError, AttributeError, ValueError):
        return False


def weights_of(document: dict[str, Any], rules: Rules) -> Float32Array:
    """Return the weights in the order of the observation, then the bias: float32 (O + 1,)."""
    weights = [value for name in rules.observation_slices for value in document["weights"][name]]
    return np.array([*weights, document["constant"]], np.float32)


def write(path: Path, rules: Rules, weights: Float32Array, made: dict[str, Any]) -> None:
    """Write an evaluation file; `made` describes how the weights were fitted."""
    pieces = {
        name: [round(float(weight), 4) for weight in weights[piece]] for name, piece in rules.observation_slices.items()
    }
    document = {
        "format": FORMAT,
        "for": identity(rules),
        "made": made,
        "constant": round(float(weights[-1]), 4),
        "weights": pieces,
    }
    make_folder(path.parent)
    lines = json.dumps(document, indent=1, ensure_ascii=False)
    write_text(path, lines + "\n")
