"""Version and digest of an agent: a rating belongs to both, so games of another digest are never mixed in."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from thurn_env import __version__
from thurn_env.errors import AgentError
from thurn_env.games.contract import WithBots
from thurn_env.games.engines import current_digest, engine
from thurn_env.players.agent import PROGRAM, plugin_agents
from thurn_env.players.programs.process import words_of
from thurn_env.tournament.config import digest_of, file_digests, searchers_digest

LENGTH = 16
"""Number of hex digits of a digest."""
SEARCHING = ("mcts", "ppo+mcts", "llm")
"""Agents of this package whose play depends on the code of `thurn_env/players`."""
POLICY = "ppo"


class Identity(NamedTuple):
    """What a rating belongs to.

    Attributes:
        version: version of the package or of the distribution that the agent comes from, or name and version by which
            a program introduces itself; empty if there is none.
        digest: digest of the code or of the files that the agent's play depends on.
    """

    version: str
    digest: str

    def same(self, other: Identity, game: str) -> bool:
        """Return whether two agents with one spec play a game alike."""
        return bool(current_digest(game, self.digest) == current_digest(game, other.digest))


def identity_of(spec: str, rules: WithBots) -> Identity:
    """Return version and digest of the agent of a spec, which is known to exist.

    - A scripted bot: the digest of the game.
    - A search: the digest of the code of all players, and of the files that the spec names.
    - A policy: the digest of its file.
    - A program: the digest of the files that its command names.
    - An agent of another package: the digest of its module.

    Raises:
        AgentError: the agent's module has no file.
    """
    name, _, argument = spec.partition(":")
    if spec in rules.bots:
        return Identity(__version__, engine(rules.name))
    if name in SEARCHING:
        return Identity(__version__, _joined([searchers_digest(), *(digest for _, digest in file_digests(spec))]))
    if name == POLICY:
        return Identity(__version__, _joined([digest for _, digest in file_digests(spec)]))
    if name == PROGRAM:
        return Identity("", _joined([digest_of(file) for file in files_of(argument)]))
    module = plugin_agents().get(name, spec).partition(":")[0]
    return Identity(_version_of(module), _joined([_source_digest(module)]))


def files_of(command: str) -> Iterator[Path]:
    """Yield the program of a command, and the files that its words name."""
    for place, word in enumerate(words_of(command)):
        found = shutil.which(word) if place == 0 else word
        if found is not None and Path(found).is_file():
            yield Path(found)


def _source_digest(module: str) -> str:
    found = importlib.util.find_spec(module)
    if found is None or found.origin is None or not Path(found.origin).is_file():
        raise AgentError(f"the module {module!r} has no file, so changes of the agent cannot be noticed")
    return digest_of(Path(found.origin))


def _version_of(module: str) -> str:
    """Return the version of the distribution with a module; empty if it was not installed."""
    names = importlib.metadata.packages_distributions().get(module.partition(".")[0], [])
    return importlib.metadata.version(names[0]) if names else ""


def _joined(digests: list[str]) -> str:
    """Return one digest for several; a single one stays as it is."""
    return digests[0] if len(digests) == 1 else hashlib.sha256(" ".join(digests).encode()).hexdigest()[:LENGTH]
