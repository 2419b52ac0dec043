"""A package with an agent and a game of its own, as an installer leaves it."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).parents[1]
AGENT = '''
class Lazy:
    """Plays the first legal action."""

    name = "lazy"

    def reset(self, seat, rules, seed):
        pass

    def act(self, view):
        return view.legal[0]
'''
GAME = """
from thurn_env.games.example.game import make_rules
"""
METADATA = "Metadata-Version: 2.1\nName: lazy-agents\nVersion: 1.0\n"
ENTRY_POINTS = """
[thurn_env.agents]
lazy = lazy_agents:Lazy
[thurn_env.games]
coaches = lazy_agents.game:make_rules
example = lazy_agents.game:make_rules
"""


def install(site: Path) -> Path:
    """Write the package's modules, and what an installer notes of it, into a new folder; return the folder."""
    package, notes = site / "lazy_agents", site / "lazy_agents-1.0.dist-info"
    for folder in (package, notes):
        folder.mkdir(parents=True)
    (package / "__init__.py").write_text(AGENT, "utf-8")
    (package / "game.py").write_text(GAME, "utf-8")
    (notes / "METADATA").write_text(METADATA, "utf-8")
    (notes / "entry_points.txt").write_text(ENTRY_POINTS, "utf-8")
    return site


def path_with(site: Path) -> str:
    """Return a `PYTHONPATH` by which a process finds this project and what is installed in the folder."""
    return os.pathsep.join([str(ROOT), str(site)])
