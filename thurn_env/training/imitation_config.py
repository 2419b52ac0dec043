"""The configuration of imitation: what `thurn imitate` is asked to do."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from thurn_env.checks import MOST_THREADS, check_options, checked_whole
from thurn_env.engine.pace import available_cores
from thurn_env.errors import OptionError
from thurn_env.training.config import (
    LESSON_LEARNING_RATE,
    LESSON_MINIBATCH,
    MOST_DECISIONS,
    MOST_ROUNDS,
    Device,
    Network,
    check_network,
)

__all__ = ["ImitationConfig"]


@dataclass(frozen=True)
class ImitationConfig:
    """Learn to play as recorded agents or a scripted bot do.

    Args:
        out: the file of the policy.
        records: files of records, or folders in which all files ending in .jsonl or .json are taken; of folders of
            tournaments the games.
        agents: take only decisions of these agents from the records; of all if not given.
        won: take only decisions of seats that won from the records.
        teacher: the scripted bot to learn from, instead of records.
        decisions: how many the teacher comments on.
        game: the name of the teacher's game; thurn_und_taxis if not given.
        players: its number of players; 2 if not given.
        board: its board; the game's usual one if not given.
        option: its own options as name=value, see thurn info.
        epochs: how often every decision is learned from; 10 with records and 2 with a teacher if not given.
        minibatch: decisions of a step of the optimiser.
        learning_rate: at the beginning; it falls to nothing along a cosine.
        network: mlp or city, as in thurn train.
        width: neurons of a hidden layer.
        depth: hidden layers.
        value: weight of the value's loss.
        start: a policy to begin with.
        resume: go on with the lessons of a teacher that were interrupted.
        seed: of the network, of the order of the decisions and of the teacher's games.
        device: cpu, cuda, or auto: a GPU if there is one.
        threads: of torch and NumPy; one for every core if not given.
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

    def check(self) -> None:
        """`OptionError` if a value is out of bounds, or it is not clear what is to be learned from."""
        check_options(self, checked_whole, ("decisions",), 1, MOST_DECISIONS)
        check_options(self, checked_whole, ("epochs",), 1, MOST_ROUNDS)
        check_options(self, checked_whole, ("threads",), 1, MOST_THREADS)
        check_network(self)
        if bool(self.records) == bool(self.teacher):
            raise OptionError("give either --records, files or folders of games, or --teacher, a scripted bot")
        given = [name for name in ("game", "players", "board", "option") if getattr(self, name) not in (None, ())]
        if self.records and given:
            raise OptionError(f"--{given[0]} is for --teacher; records say themselves which game they are of")
        if self.records and self.resume:
            raise OptionError("--resume goes on with the lessons of a --teacher; learning from records begins anew")
        if self.out.exists() and not self.resume:
            raise OptionError(f"{self.out} exists; name another --out, or delete it")
        if self.unfinished.exists() and not self.resume:
            raise OptionError(
                f"{self.unfinished} holds lessons that were interrupted; add --resume to go on, or name another --out"
            )

    @property
    def unfinished(self) -> Path:
        """The file of lessons that are not finished."""
        return self.out.with_suffix(".lessons")
