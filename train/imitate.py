"""Trains a policy to do what recorded agents did: behaviour cloning, as a start for `train.ppo` or for itself.

    python -m train.imitate --records runs/ladder/full-2/games --agents mcts:1000 --out runs/clone.npz

The network is that of `train.ppo`. It learns the actions by cross-entropy over the legal ones and the returns by
squared error; a tenth of the games is kept apart and says how well.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import thurn_env
from agents.policy import save
from thurn_env import __version__
from thurn_env.commands.arguments import call, program
from thurn_env.envs.single import learner_spaces
from thurn_env.errors import MissingExtra, OptionError
from thurn_env.games.contract import GameRules
from thurn_env.kernels import source_digest
from thurn_env.pace import available_cores
from thurn_env.progress import Progress
from thurn_env.record import Record
from thurn_env.transitions import Transitions, transitions

try:
    import torch

    from train.network import ILLEGAL, LeanPolicy, exported, policy_arguments
except ModuleNotFoundError:
    raise MissingExtra('training needs the extra "train": pip install "thurn-env[train]"') from None

PROGRAM = "python -m train.imitate"
HELD_OUT = 10
"""One of so many games tests the policy."""


@dataclass(frozen=True)
class Arguments:
    """Learn to play as recorded agents do.

    Args:
        records: files of records, or folders in which all files ending in .jsonl or .json are taken.
        out: the file of the policy.
        agents: take only decisions of these agents; of all if not given.
        won: take only decisions of seats that won.
        epochs: passes through the decisions.
        minibatch: decisions of a step of the optimiser.
        learning_rate: at the beginning; it falls to nothing along a cosine.
        width: neurons of a hidden layer.
        depth: hidden layers.
        value: weight of the value's loss.
        seed: of the network and of the order of the decisions.
        threads: of torch; one for every core if not given.
    """

    records: tuple[Path, ...]
    out: Path
    agents: tuple[str, ...] = ()
    won: bool = False
    epochs: int = 10
    minibatch: int = 1024
    learning_rate: float = 1e-3
    width: int = 256
    depth: int = 2
    value: float = 0.5
    seed: int = 1
    threads: int = field(default_factory=available_cores)


def files_of(paths: tuple[Path, ...]) -> list[Path]:
    """The files of records, folders opened; `OptionError` if there are none."""
    found: list[Path] = []
    for path in paths:
        inside = sorted(file for file in path.rglob("*") if file.suffix in (".jsonl", ".json"))
        found += inside if path.is_dir() else [path]
    if not found:
        raise OptionError(f"there are no records in {', '.join(map(str, paths))}")
    return found


def read(files: list[Path]) -> Iterator[Record]:
    """All records, with a progress bar over the files."""
    with Progress("read", len(files), "files") as progress:
        for file in files:
            yield from Record.load_all(file)
            progress.advance(1)


class Cloning:
    """A policy that learns from decisions.

    Args:
        rules: the game.
        arguments: what is asked for.
    """

    def __init__(self, rules: GameRules, arguments: Arguments) -> None:
        torch.manual_seed(arguments.seed)
        torch.set_num_threads(arguments.threads)
        self.rules, self.arguments = rules, arguments
        space, actions = learner_spaces(rules, "flat")
        keywords = policy_arguments(rules, "mlp", arguments.width, arguments.depth, bfloat16=False)
        self.policy = LeanPolicy(space, actions, lambda _: arguments.learning_rate, **keywords)
        self.optimizer = torch.optim.AdamW(self.policy.parameters(), arguments.learning_rate, weight_decay=1e-4)

    def losses(self, data: Transitions, rows: np.ndarray) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Cross-entropy of the actions, squared error of the returns, and the share of actions guessed right."""
        hidden = self.policy.extract_features(torch.from_numpy(data.observations[rows]))
        logits = self.policy.action_net(hidden).masked_fill(torch.from_numpy(data.masks[rows] == 0), ILLEGAL)
        actions = torch.from_numpy(data.actions[rows])
        values = self.policy.value_net(hidden)[:, 0]
        return (
            torch.nn.functional.cross_entropy(logits, actions),
            torch.nn.functional.mse_loss(values, torch.from_numpy(data.returns[rows])),
            (logits.argmax(dim=1) == actions).float().mean(),
        )

    def learn(self, data: Transitions, rows: np.ndarray) -> None:
        """All epochs over these rows."""
        arguments = self.arguments
        steps = arguments.epochs * -(-len(rows) // arguments.minibatch)
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, steps)
        generator = np.random.default_rng(arguments.seed)
        with Progress("learn", steps, "steps") as progress:
            for _ in range(arguments.epochs):
                order = generator.permutation(rows)
                for start in range(0, len(order), arguments.minibatch):
                    by_action, by_value, _ = self.losses(data, order[start : start + arguments.minibatch])
                    self.optimizer.zero_grad()
                    (by_action + arguments.value * by_value).backward()  # type: ignore[no-untyped-call]
                    self.optimizer.step()
                    schedule.step()
                    progress.advance(1)

    def judge(self, data: Transitions, rows: np.ndarray) -> dict[str, float]:
        """How well the policy does on these rows."""
        with torch.no_grad():
            by_action, by_value, right = self.losses(data, rows)
        return {
            "cross_entropy": round(float(by_action), 4),
            "squared_error": round(float(by_value), 4),
            "right": round(float(right), 4),
        }


def run(command: list[str]) -> int:
    """Read, learn, judge, write."""
    arguments = call(Arguments, command, PROGRAM)
    for name in ("epochs", "minibatch", "width", "depth", "threads"):
        if getattr(arguments, name) < 1:
            raise OptionError(f"--{name} must be at least 1, not {getattr(arguments, name)}")
    files = files_of(arguments.records)
    rules = next(Record.load_all(files[0])).rules
    data = transitions(read(files), agents=arguments.agents or None)
    wanted = data.returns > 0 if arguments.won else np.ones(len(data), bool)
    held = data.games % HELD_OUT == 0
    training, testing = np.flatnonzero(wanted & ~held), np.flatnonzero(wanted & held)
    if not len(training) or not len(testing):
        raise OptionError(f"{data.games.max() + 1} games are too few: one of {HELD_OUT} is kept apart for the test")
    cloning = Cloning(rules, arguments)
    cloning.learn(data, training)
    found = cloning.judge(data, testing)
    made = {
        "command": " ".join([PROGRAM, *command]),
        "decisions": len(training),
        "games": int(data.games.max()) + 1,
        **found,
        "version": __version__,
        "engine": source_digest(Path(thurn_env.__file__).parent),
    }
    save(exported(cloning.policy, rules, made), arguments.out)
    print(
        f"{arguments.out}: learned from {len(training):,} decisions; of {len(testing):,} in games kept apart "
        f"{found['right']:.1%} are guessed right, cross-entropy {found['cross_entropy']}"
    )
    return 0


main = program(PROGRAM, run)


if __name__ == "__main__":
    sys.exit(main())
