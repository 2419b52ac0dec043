"""The environments to measure: those of other projects and of this one.

The requirements of every other project are in a file named after it in `requirements/`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from thurn_env.engine.cores import available_cores

HERE = Path(__file__).parent
REQUIREMENTS = HERE / "requirements"
SCRIPTS = HERE / "scripts"

OURS = "thurn-env"
"""This project, measured in the current Python."""
RAW_ENV, ENV, GYMNASIUM, BATCH = "AEC raw_env", "AEC env with wrappers", "Gymnasium", "Batch of 1,024, 1 thread"
"""Interfaces of this project that others are compared with."""


@dataclass(frozen=True)
class Peer:
    """One environment to measure.

    Attributes:
        project: name of its project.
        name: name of the environment and of its interface.
        script: program that measures it.
        words: arguments of the program after the seconds.
        counterpart: this project's most similar interface; empty for this project's own.
    """

    project: str
    name: str
    script: Path
    words: tuple[str, ...] = ()
    counterpart: str = ""

    @property
    def requirements(self) -> Path | None:
        """File of the requirements; None for this project."""
        return None if self.project == OURS else REQUIREMENTS / f"{self.project}.txt"


def ours(board: str = "south") -> list[Peer]:
    """Return the interfaces of this project."""
    script, cores = SCRIPTS / "thurn_env_faces.py", available_cores()
    faces = [
        Peer(OURS, RAW_ENV, script, ("raw_env", board)),
        Peer(OURS, ENV, script, ("env", board)),
        Peer(OURS, GYMNASIUM, script, ("gymnasium", board)),
        Peer(OURS, BATCH, script, ("batch", board, "1")),
    ]
    if cores > 1:
        faces.append(Peer(OURS, f"Batch of 1,024, {cores} threads", script, ("batch", board, str(cores))))
    return faces


def others() -> list[Peer]:
    """Return the environments of other projects."""
    classic, card, state, learner = (
        SCRIPTS / f"{name}.py"
        for name in ("pettingzoo_classic", "rlcard_game", "open_spiel_state", "catanatron_learner")
    )
    return [
        Peer("pettingzoo", "connect_four_v3 raw_env", classic, ("connect_four_v3", "raw_env"), RAW_ENV),
        Peer("pettingzoo", "connect_four_v3 env", classic, ("connect_four_v3", "env"), ENV),
        Peer("pettingzoo", "hanabi_v5 raw_env", classic, ("hanabi_v5", "raw_env"), RAW_ENV),
        Peer("pettingzoo", "hanabi_v5 env", classic, ("hanabi_v5", "env"), ENV),
        Peer("rlcard", "gin-rummy", card, ("gin-rummy",), RAW_ENV),
        Peer("open_spiel", "hanabi, observation_tensor", state, ("hanabi", "tensor"), RAW_ENV),
        Peer("open_spiel", "hanabi, Observer", state, ("hanabi", "observer"), RAW_ENV),
        Peer("open_spiel", "gin_rummy, observation_tensor", state, ("gin_rummy", "tensor"), RAW_ENV),
        Peer("open_spiel", "gin_rummy, Observer", state, ("gin_rummy", "observer"), RAW_ENV),
        Peer("catanatron", "catanatron-v1, Gymnasium", learner, (), GYMNASIUM),
    ]


def projects() -> list[str]:
    """Return the names of the other projects."""
    return list(dict.fromkeys(peer.project for peer in others()))
