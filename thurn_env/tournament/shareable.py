"""A tournament without its secret: for files that others may read, and for processes in which agents play."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Sequence
from typing import Any

from thurn_env.tournament.folder import SECRET

HIDDEN = "..."
"""What stands in a command in place of the secret."""


def without_secret(words: Sequence[str], secret: str) -> list[str]:
    """Return the words of a command line without the value of `--secret`."""
    hidden = {secret: HIDDEN, f"--{SECRET}={secret}": f"--{SECRET}={HIDDEN}"}
    return [hidden.get(word, word) for word in words]


def shareable_config(config: dict[str, Any]) -> dict[str, Any]:
    """Return a configuration with a digest in place of the secret, which tells equal secrets from different ones."""
    if not config.get(SECRET):
        return config
    return config | {SECRET: f"sha256:{hashlib.sha256(config[SECRET].encode()).hexdigest()}"}


def shareable_description(description: dict[str, Any]) -> dict[str, Any]:
    """Return the content of `tournament.json` without the secret."""
    secret = description["config"].get(SECRET)
    if not secret:
        return description
    runs = [
        run | {"command": shlex.join(without_secret(shlex.split(run["command"]), secret))}
        if run.get("command")
        else run
        for run in description["runs"]
    ]
    return description | {"config": shareable_config(description["config"]), "runs": runs}
