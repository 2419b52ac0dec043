"""Fits the evaluation that `mcts` plays with: the chance to win from a position, linear in the observation.

    python -m train.evaluation --board south --players 2 --games 20000 --seed 1

The heuristic plays against itself, in half of the games with a few moves at random so that odd positions come too.
Before every turn what each seat may know is noted, and afterwards whether it won; logistic regression does the rest.
A tenth of the games is kept apart and says how good the evaluation is.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from agents.evaluation import FOLDER, write
from eval.workers import Crew, give_up
from thurn_env.checks import MOST_GAMES, MOST_THREADS, checked_whole
from thurn_env.commands.arguments import call, check_options, parse_options, program
from thurn_env.games import make_rules
from thurn_env.games.contract import Float32Array, GameRules
from thurn_env.games.lanes import BoolArray
from thurn_env.generator import seeded
from thurn_env.pace import available_cores
from thurn_env.progress import Progress
from thurn_env.provenance import provenance
from train.config import MOST_SEED
from train.extra import training_extra

PROGRAM = "python -m train.evaluation"
CHUNK = 10
"""Games that a worker plays before it reports."""
RANDOM_MOVES = (0.0, 0.0, 0.03, 0.1)
"""The share of random moves, game by game in turn."""
HELD_OUT = 10
"""One of so many games tests the evaluation."""
EPOCHS, ROWS, RATE, DECAY = 8, 1024, 3e-3, 1e-4
"""Of the fit: passes through the positions, positions of a step, learning rate, weight decay (AdamW)."""


@dataclass(frozen=True)
class Arguments:
    """Fit the evaluation of positions that mcts plays with.

    Args:
        players: number of players.
        board: a board that comes with the game, or the path of a board file; the game's usual board if not given.
        option: the game's own options as name=value, see thurn info.
        games: how many games to learn from.
        seed: of the games and of the fit.
        out: the file; if not given, the place where mcts looks for it.
        jobs: processes; one for every core if not given.
        game: the name of the game.
    """

    players: int = 2
    board: str | None = None
    option: tuple[str, ...] = ()
    games: int = 20_000
    seed: int = 1
    out: Path | None = None
    jobs: int = field(default_factory=available_cores)
    game: str = "thurn_und_taxis"


Task = tuple[str, int, str | None, dict[str, Any], int, int, int]


def positions(
    game: str, players: int, board: str | None, options: dict[str, Any], seed: int, start: int, stop: int
) -> tuple[Float32Array, BoolArray]:
    """What each seat may know before every turn of games `start` to `stop - 1`, float16 (N, O); whether it won (N,)."""
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
                    seen.append(observation.astype(np.float16))
                seats += 1
            bot = careless if random.random() < RANDOM_MOVES[number % len(RANDOM_MOVES)] else careful
            rules.play(states, 0, rules.bot_action(states, 0, bot, generator))
        won += [rank == 1 for rank in rules.ranks(states, 0)] * seats
    return np.array(seen), np.array(won)


def played(tasks: list[Task], jobs: int) -> Iterator[tuple[Float32Array, BoolArray]]:
    """The positions of every task, in order."""
    if jobs <= 1:
        yield from (positions(*task) for task in tasks)
        return
    with Crew(min(jobs, len(tasks))) as crew:
        yield from crew.in_order(positions, tasks, give_up)


def fit(rules: GameRules, seen: Float32Array, won: BoolArray, seed: int) -> Float32Array:
    """The weights and the constant: float32 (O + 1,)."""
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
                known = torch.from_numpy(seen[rows.numpy()].astype(np.float32))
                loss = torch.nn.functional.binary_cross_entropy_with_logits(network(known)[:, 0], target[rows])
                optimizer.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                optimizer.step()
                schedule.step()
                progress.advance(1)
    weights: Float32Array = torch.cat([network.weight.detach()[0], network.bias.detach()]).numpy()
    return weights


def log_loss(seen: Float32Array, won: BoolArray, weights: Float32Array) -> float:
    """The mean surprise at the results, in nats; a coin has 0.693."""
    logits = seen.astype(np.float32) @ weights[:-1] + weights[-1]
    return float(np.logaddexp(0, np.where(won, -logits, logits)).mean())


def blind_loss(players: int) -> float:
    """The log loss of who only knows how many players there are."""
    share = 1 / players
    return float(-share * np.log(share) - (1 - share) * np.log(1 - share))


def run(command: list[str]) -> int:
    """Play, fit, write."""
    arguments = call(Arguments, command, PROGRAM)
    check_options(arguments, checked_whole, ("games",), HELD_OUT, MOST_GAMES)
    check_options(arguments, checked_whole, ("seed",), 0, MOST_SEED)
    check_options(arguments, checked_whole, ("jobs",), 0, MOST_THREADS)
    options = parse_options(arguments.option)
    rules = make_rules(arguments.game, arguments.players, arguments.board, **options)
    table = (arguments.game, arguments.players, arguments.board, options, arguments.seed)
    positions(*table, 0, 1)  # compiles the kernels, if need be, before several processes would
    starts = range(0, arguments.games, CHUNK)
    tasks = [(*table, start, min(start + CHUNK, arguments.games)) for start in starts]
    parts = []
    with Progress("play", arguments.games) as progress:
        for task, part in zip(tasks, played(tasks, arguments.jobs), strict=True):
            parts.append(part)
            progress.advance(task[-1] - task[-2])
    held = max(1, len(parts) // HELD_OUT)
    seen, won = (np.concatenate(column) for column in zip(*parts[held:], strict=True))
    unseen, lost_or_won = (np.concatenate(column) for column in zip(*parts[:held], strict=True))
    weights = fit(rules, seen, won, arguments.seed)
    loss = log_loss(unseen, lost_or_won, weights)
    made = provenance(
        PROGRAM,
        command,
        games=arguments.games,
        positions=len(won),
        log_loss=round(loss, 4),
        log_loss_without=round(blind_loss(rules.players), 4),
    )
    switched_on = [name for name, value in options.items() if value is True]
    name = "-".join([rules.name, Path(rules.board_name).stem, str(rules.players), *switched_on])
    out = arguments.out or FOLDER / f"{name}.json"
    write(out, rules, weights, made)
    print(f"{out}: log loss {loss:.4f} in games kept apart; without any knowledge {made['log_loss_without']}")
    return 0


main = program(PROGRAM, run)


if __name__ == "__main__":
    sys.exit(main())
