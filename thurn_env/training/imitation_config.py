"""The configuration of `thurn imitate`."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from thurn_env.checks import MOST_THREADS, check_options, checked_whole
from thurn_env.engine.cores import available_cores
from thurn_env.errors import OptionError
from thurn_env.players.policy import Network
from thurn_env.training.config import (
    LESSON_LEARNING_RATE,
    LESSON_MINIBATCH,
    MOST_DECISIONS,
    MOST_ROUNDS,
    Device,
    check_network,
    policy_name,
)

__all__ = ["ImitationConfig"]


@dataclass(frozen=True)
class ImitationConfig:
    """Train a policy to imitate recorded agents, a scripted bot, another policy or search.

    Args:
        out: file of the policy.
        records: files of records, or folders: all their .jsonl and .json files, but only the games of a tournament's
            folder.
        agents: use only decisions of these agents from the records; by default those of all agents.
        won: use only decisions of winning seats from the records.
        teacher: what to learn from, instead of records: a scripted bot, a policy as ppo:PATH, published (the published
            policy for this table if there is one, else the best scripted bot), or search guided by a policy as
            ppo+mcts:PATH,48, which is slow and best begins with that policy (--start).
        decisions: number of decisions that the teacher labels.
        game: name of the teacher's game; by default thurn_und_taxis.
        players: number of players in the teacher's game; by default 2.
        board: board of the teacher's game; by default the game's usual board.
        option: options of the teacher's game as name=value, see thurn info.
        epochs: number of passes over the decisions; by default 10 with records and 2 with a teacher.
        minibatch: decisions per step of the optimiser.
        learning_rate: initial learning rate; it decreases to 0 along a cosine.
        network: mlp, city or ways, as in thurn train.
        width: neurons per hidden layer.
        depth: number of hidden layers.
        value: weight of the value loss.
        start: initial policy: a policy file or the name of a published model, also for another number of players or the
            usual options of the game.
        resume: continue interrupted lessons of a teacher.
        seed: seed of the network, of the order of the decisions and of the teacher's games.
        device: cpu, cuda, or auto (a GPU if there is one).
        threads: threads of torch and NumPy; by default one per core.
    """

    out: Path
    records: tuple[Path, ...] = ()
    agents: tuple[str, ...] = ()
    won: bool = False
    teacher: str | None = None
    decisions: int = 10_000_000
    game: str | None = None
    players: int | None = None
    board: str | None = None
    option: tuple[str, ...] = ()
    epochs: int | None = None
    minibatch: int = LESSON_MINIBATCH
    learning_rate: float = LESSON_LEARNING_RATE
    network: Network = "mlp"
    width: int = 256
    depth: int = 2
    value: float = 0.5
    start: Path | None = None
    resume: bool = False
    seed: int = 1
    device: Device = "auto"
    threads: int = field(default_factory=available_cores)

    def __post_init__(self) -> None:
        if self.start is not None:
            object.__setattr__(self, "start", Path(policy_name(self.start)))

    def check(self) -> None:
        """Raise `OptionError` if a value is out of bounds, or both or neither of records and teacher are given."""
        check_options(self, checked_whole, ("decisions",), 1, MOST_DECISIONS)
        check_options(self, checked_whole, ("epochs",), 1, MOST_ROUNDS)
        check_options(self, checked_whole, ("threads",), 1, MOST_THREADS)
        check_network(self)
        if bool(self.records) == bool(self.teacher):
            raise OptionError(
                "give either --records, files or folders of games, or --teacher, a scripted bot or a policy"
            )
        given = [name for name in ("game", "players", "board", "option") if getattr(self, name) not in (None, ())]
        if self.records and given:
            raise OptionError(f"--{given[0]} applies only with --teacher; records contain their game")
        for name in ("agents", "won"):
            if self.teacher and getattr(self, name):
                raise OptionError(f"--{name} applies only with --records; a teacher labels all decisions")
        if self.records and self.resume:
            raise OptionError(
                "--resume continues the lessons of a --teacher; learning from records always starts from the beginning"
            )
        if self.out.exists() and not self.resume:
            raise OptionError(f"{self.out} exists; name another --out, or delete it")
        if self.unfinished.exists() and not self.resume:
            raise OptionError(
                f"{self.unfinished} holds interrupted lessons; add --resume to continue, or name another --out"
            )

    @property
    def unfinished(self) -> Path:
        """File of unfinished lessons."""
        return self.out.with_name(f"{self.out.name}.lessons")
