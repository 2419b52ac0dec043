"""Digests of the engine by game, as files of results and weights note them."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path
from typing import Any

from thurn_env import __version__
from thurn_env.engine.digests import PACKAGE, game_digest
from thurn_env.engine.kernel_cache import remembered
from thurn_env.games import entry_point

EARLIER = frozenset(
    {
        "bb69203b5125b1a2",
        "c466fe1d66fdc7bd",
        "05f91742f889a206",
        "58149783258c87eb",
        "7424e7cbb89430e5",
        "016a9d334ad640f7",
    }
)
"""Digests of versions before every game had a digest of its own; both games were the same in all of them."""
SAME_GAMES: dict[str, frozenset[str]] = {
    "9448be4dfd7fae0d": EARLIER
    | {
        "fe771baddc725701",
        "85430060e12164ff",
        "d95db7ba73e20150",
        "294db4d78e77226b",
        "f953221ad0bac7ed",
        "79bb8d3141fb7087",
        "cdf82a9f2085fb90",
    },
    "175f9c992b028e2b": EARLIER
    | {
        "8df453f02ba01986",
        "23d6b79ac70f9e57",
        "7dfcd37ad2eb240c",
        "f23a9e8865ad4917",
        "f6b0c623c55494db",
        "47599e8eebb4ae3c",
        "4664b83a0315881d",
        "3fd19901ac31dbca",
    },
}
"""Digests of earlier engines that play the same games, by the digest of a game.

Replaying the first games of the published ladders confirms this. A change of a game's sources gives it a new digest,
without entries until this has been confirmed again.
"""


@cache
def engine(game: str) -> str:
    """Return the digest of a game, see `thurn_env.engine.digests.game_digest`.

    Args:
        game: name of the game.

    Raises:
        OptionError: there is no such game.
    """
    module = entry_point(game)[0]
    top = module.partition(".")[0]
    if top == PACKAGE.name:
        return remembered(game_digest, module)
    found = importlib.util.find_spec(top)
    if found is None:
        return game_digest(module)
    if folders := list(found.submodule_search_locations or ()):
        # A package, with or without `__init__.py`.
        return game_digest(module, PACKAGE, Path(folders[0]).parent)
    return game_digest(module, PACKAGE, Path(str(found.origin)).parent)


def current_digest(game: str, digest: Any) -> Any:
    """Return the current digest of a game for that of an earlier engine that plays it the same way.

    Other values are returned unchanged.
    """
    here = engine(game)
    return here if isinstance(digest, str) and digest in SAME_GAMES.get(here, ()) else digest


def provenance(game: str, command: str, **facts: Any) -> dict[str, Any]:
    """Return the command line, the given facts, version and engine.

    Args:
        game: name of the game.
        command: command line that makes the file.
        facts: further entries, between the command and the version.
    """
    return {"command": command, **facts, "version": __version__, "engine": engine(game)}
