"""What files that others may read tell of a tournament: everything but its secret."""

from __future__ import annotations

import hashlib
import shlex
from typing import Any

from thurn_env.tournament.folder import SECRET

OPTION = f"--{SECRET}"
HIDDEN = "..."
"""What stands in a command in place of the secret."""


def shareable_config(config: dict[str, Any]) -> dict[str, Any]:
    """Return a configuration with a digest in place of the secret, which tells equal secrets from different ones."""
    if not config.get(SECRET):
        return config
    return config | {SECRET: f"sha256:{hashlib.sha256(config[SECRET].encode()).hexdigest()}"}


def shareable_command(command: str) -> str:
    """Return a command line without the value of `--secret`."""
    words = shlex.split(command)
    for place, word in enumerate(words):
        if word == OPTION and place + 1 < len(words):
            words[place + 1] = HIDDEN
        elif word.startswith(f"{OPTION}="):
            words[place] = f"{OPTION}={HIDDEN}"
    return shlex.join(words)


def shareable_description(description: dict[str, Any]) -> dict[str, Any]:
    """Return the content of `tournament.json` without the secret."""
    runs = [
        run | {"command": shareable_command(run["command"])} if run.get("command") else run
        for run in description["runs"]
    ]
    return description | {"config": shareable_config(description["config"]), "runs": runs}
