"""Fit the evaluation that `mcts` uses: the logit of the win probability, linear in the observation.

The heuristic plays against itself; half of the games have a few random moves, for variety. Before every turn each
seat's observation is stored, and after the game whether the seat won. The weights are fitted by logistic regression. A
tenth of the games is held out to measure the evaluation.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np

from thurn_env.checks import MOST_GAMES, MOST_THREADS, checked_whole
from thurn_env.engine.cores import available_cores
from thurn_env.engine.generator import seeded
from thurn_env.engine.lanes import BoolArray
from thurn_env.errors import OptionError
from thurn_env.files import check_replaceable
from thurn_env.games import make_rules
from thurn_env.games.contract import Float32Array, Rules
from thurn_env.games.engines import provenance
from thurn_env.players.evaluation import BEGINNING, FOLDER, write
from thurn_env.progress import Progress
from thurn_env.table.changed_options import changed_options
from thurn_env.tournament.workers import Crew, give_up, require_loadable
from thurn_env.training.config import MOST_SEED
from thurn_env.training.extra import training_extra

__all__ = ["Fitted", "fit_evaluation"]

CHUNK = 10
"""Games that a worker plays before it reports."""
RANDOM_MOVES = (0.0, 0.0, 0.03, 0.1)
"""Shares of random moves, which the games take in turn."""
HELD_OUT = 10
"""One in `HELD_OUT` games is held out."""
EPOCHS, ROWS, RATE, DECAY = 8, 1024, 3e-3, 1e-4
"""Fit: epochs, positions per step, learning rate, weight decay (AdamW)."""


Task = tuple[str, int, str | None, dict[str, Any], int, int, int]
Counts = np.ndarray[Any, np.dtype[np.int8 | np.int16]]
"""Observations before scaling, (N, O), of the rules' `count_dtype`."""


def positions(
    game: str, players: int, board: str | None, options: dict[str, Any], seed: int, start: int, stop: int
) -> tuple[Counts, BoolArray]:
    """Return observed counts before every turn of games `start` to `stop - 1`, (N, O), and wins, bool (N,)."""
    rules = make_rules(game, players, board, **options)
    states = rules.new_states(1)
    careful, careless = rules.bots.index("heuristic"), rules.bots.index("sensible-random")
    seen, won = [], []
    for number in range(start, stop):
        random = np.random.default_rng([seed, number])
        rules.deal(states, 0, int(random.integers(1 << 62)))
        generator = seeded(seed, number)
        mover, seats = -1, 0
        while not rules.over(states, 0):
            if rules.seat(states, 0) != mover:
                mover = rules.seat(states, 0)
                for seat in range(players):
                    observation = np.zeros(rules.observation_size, np.float32)
                    rules.observe(states, 0, seat, observation)
                    seen.append(np.rint(observation / rules.observation_scale).astype(rules.count_dtype))
                seats += 1
            bot = careless if random.random() < RANDOM_MOVES[number % len(RANDOM_MOVES)] else careful
            rules.play(states, 0, rules.bot_action(states, 0, bot, generator))
        won += [rank == 1 for rank in rules.ranks(states, 0)] * seats
    return np.array(seen), np.array(won)


def played(tasks: list[Task], jobs: int) -> Iterator[tuple[Counts, BoolArray]]:
    """Yield the positions of every task, in order."""
    if jobs <= 1:
        yield from (positions(*task) for task in tasks)
        return
    with Crew(min(jobs, len(tasks))) as crew:
        yield from crew.in_order(positions, tasks, give_up)


class PositionFile:
    """Positions in a file, since those of many games may not fit into memory.

    Args:
        rules: the game.
        file: an empty file, open for reading and writing.

    Attributes:
        won: for every part, whether the seat of each position won, bool (N,).
    """

    def __init__(self, rules: Rules, file: IO[bytes]) -> None:
        self._rules, self._file = rules, file
        self.won: list[BoolArray] = []

    def add(self, counts: Counts, won: BoolArray) -> None:
        """Append a part."""
        self._file.write(counts.tobytes())
        self.won.append(won)

    def counts(self) -> Counts:
        """Return the counts of all parts as a view of the file, (N, O)."""
        self._file.flush()
        rows = sum(map(len, self.won))
        return np.memmap(self._file, self._rules.count_dtype, "r", shape=(rows, self._rules.observation_size))


def fit(rules: Rules, seen: Counts, won: BoolArray, seed: int) -> Float32Array:
    """Fit the weights, followed by the bias: float32 (O + 1,)."""
    with training_extra():
        import torch
    torch.manual_seed(seed)
    network = torch.nn.Linear(rules.observation_size, 1)
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=DECAY)
    steps = EPOCHS * -(-len(won) // ROWS)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps)
    target = torch.from_numpy(won.astype(np.float32))
    with Progress("fit", steps, "steps") as progress:
        for _ in range(EPOCHS):
            order = torch.randperm(len(won))
            for start in range(0, len(won), ROWS):
                rows = order[start : start + ROWS]
                known = torch.from_numpy(seen[rows.numpy()] * rules.observation_scale)
                loss = torch.nn.functional.binary_cross_entropy_with_logits(network(known)[:, 0], target[rows])
                optimizer.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                optimizer.step()
                schedule.step()
                progress.advance(1)
    weights: Float32Array = torch.cat([network.weight.detach()[0], network.bias.detach()]).numpy()
    return weights


def log_loss(rules: Rules, seen: Counts, won: BoolArray, weights: Float32Array) -> float:
    """Return the log loss in nats; a fair coin has 0.693."""
    logits = seen @ (rules.observation_scale * weights[:-1]) + weights[-1]
    return float(np.logaddexp(0, np.where(won, -logits, logits)).mean())


def blind_loss(players: int) -> float:
    """Return the log loss of a predictor that knows only the number of players."""
    share = 1 / players
    return float(-share * np.log(share) - (1 - share) * np.log(1 - share))


class Fitted(NamedTuple):
    """A fitted evaluation: its file, its log loss in held-out games, and that of knowing only the number of players."""

    file: Path
    log_loss: float
    log_loss_without: float


def fit_evaluation(
    rules: Rules,
    games: int = 20_000,
    *,
    seed: int = 1,
    out: str | Path | None = None,
    jobs: int | None = None,
    command: str = "",
) -> Fitted:
    """Fit the evaluation that `mcts` uses, and write its file.

    Args:
        rules: game, board, options and number of players.
        games: number of games to fit to.
        seed: seed of the games and of the fit.
        out: path of the file; None for the place where `mcts` looks for it, if no shipped one is there.
        jobs: number of worker processes; None for one per core.
        command: command line to note in the file.

    Raises:
        MissingExtra: without the extra `train`.
        OptionError: a value is out of bounds, or the board cannot be loaded by its name.
    """
    checked_whole("games", games, HELD_OUT, MOST_GAMES)
    checked_whole("seed", seed, 0, MOST_SEED)
    workers = available_cores() if jobs is None else checked_whole("jobs", jobs, 0, MOST_THREADS)
    require_loadable(rules)
    if out is None:
        check_usual(rules)
    file = FOLDER / file_name(rules) if out is None else Path(out)
    check_replaceable(file, BEGINNING, "an evaluation")
    table = (rules.name, rules.players, rules.board_name, dict(rules.options), seed)
    positions(*table, 0, 1)  # compiles missing kernels once, before several processes would
    # With few games, smaller parts, so that no more than a tenth is held out.
    size = min(CHUNK, games // HELD_OUT)
    tasks: list[Task] = [(*table, start, min(start + size, games)) for start in range(0, games, size)]
    with tempfile.TemporaryFile() as storage:
        kept = PositionFile(rules, storage)
        with Progress("play", games) as progress:
            for task, part in zip(tasks, played(tasks, workers), strict=True):
                kept.add(*part)
                progress.advance(task[-1] - task[-2])
        seen, won = kept.counts(), np.concatenate(kept.won)
        held = sum(map(len, kept.won[: max(1, len(tasks) // HELD_OUT)]))
        weights = fit(rules, seen[held:], won[held:], seed)
        loss = round(log_loss(rules, seen[:held], won[:held], weights), 4)
    blind = round(blind_loss(rules.players), 4)
    made = provenance(
        rules.name, command, games=games, positions=len(won) - held, log_loss=loss, log_loss_without=blind
    )
    write(file, rules, weights, made)
    return Fitted(file, loss, blind)


def check_usual(rules: Rules) -> None:
    """Raise `OptionError` if the file would take the place of a shipped one.

    Files are named by the last part of the board's name, and `mcts` knows them by the board and by the options that
    change the observation; of two that fit it takes the first.
    """
    changed = [name for name, value in changed_options(rules).items() if (name, value) != ("horses", True)]
    board = rules.board_name not in rules.boards and Path(rules.board_name).stem in rules.boards
    if changed or board:
        what = f"with the option {changed[0]}" if changed else f"of the board {rules.board_name}"
        raise OptionError(f"name a file with --out: an evaluation {what} would take the place of a shipped one")


def file_name(rules: Rules) -> str:
    """Return the file name of a game's evaluation, which includes the options that are on."""
    switched_on = [name for name, value in changed_options(rules).items() if value is True]
    return "-".join([rules.name, Path(rules.board_name).stem, str(rules.players), *switched_on]) + ".json"
