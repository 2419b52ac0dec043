"""Tune the weights of the heuristic in games against its current weights.

A run tunes for wins, and with `style` also for style figures, such as the share of games that the heuristic ends by its
houses. CMA-ES (Hansen and Ostermeier, 2001; the library `cmaes`) proposes weights; all proposals of a generation play
the same new decks, from every seat, against the current weights. The result is the mean of the last generation, since
the best single proposal is mostly a lucky one. It is then evaluated on held-out decks. The project itself is not
changed: weights that should be used go into the game's `bots/weights.py`.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np

from thurn_env.checks import MOST_GAMES, MOST_THREADS, check_options, checked_number, checked_whole, quoted
from thurn_env.engine.cores import available_cores
from thurn_env.engine.generator import derived_seed
from thurn_env.errors import OptionError, ThurnError, clipped, some_of
from thurn_env.files import locked, read_text, write_bytes, write_text
from thurn_env.games import DEFAULT_GAME, make_rules
from thurn_env.games.contract import Float64Array, GameRules, reward_mode
from thurn_env.games.engines import engine, provenance
from thurn_env.games.options import parse_options
from thurn_env.games.show.style import GAMES
from thurn_env.progress import Progress
from thurn_env.table.style import figures_of, style_of_state
from thurn_env.tournament.intervals import normal_interval
from thurn_env.tournament.workers import Crew, give_up
from thurn_env.training.config import MOST_SEED
from thurn_env.training.extra import training_extra
from thurn_env.training.folder import DAMAGES

__all__ = ["TuningConfig", "tune"]

STATE, RESULT = "state.pickle", "weights.json"
WIDTH, LEAST_WIDTH = 0.25, 0.1
"""Initial step size of every weight: relative to its value, and the minimum."""
CHUNK = 50
"""Decks that a worker plays before it reports."""
INCIDENTAL = ("out", "jobs", "generations", "held_out")
"""Arguments that may change when a tuning run is resumed."""
TRAINING, HELD_OUT, PROPOSALS = 0, 1, 2
"""Numbers of the seed streams."""
LARGEST_REWARD = 1000.0
"""Maximum reward for a style figure, positive or negative; a win brings 1."""


@dataclass(frozen=True)
class TuningConfig:
    """Tune the weights of the heuristic.

    Args:
        out: folder for the state and the result; a tuning run in it is resumed.
        players: number of players.
        board: name of a shipped board, or path of a board file; by default the game's usual board.
        option: options of the game as name=value, see thurn info.
        style: rewards for style figures as figure=reward, for example "ended itself by houses=2". A win brings 1 and a
            loss -1 / (players - 1); a figure brings its value in every game times its reward.
        start: weights to begin with, a weights.json of another run; by default those of the heuristic.
        generations: number of generations of proposals.
        decks: decks that every proposal plays, once from every seat.
        held_out: number of held-out decks for evaluating the result.
        seed: seed of the decks and of the proposals.
        jobs: number of worker processes; by default one per core.
        game: name of the game.
    """

    out: Path
    players: int = 2
    board: str | None = None
    option: tuple[str, ...] = ()
    style: tuple[str, ...] = ()
    start: Path | None = None
    generations: int = 60
    decks: int = 400
    held_out: int = 5000
    seed: int = 1
    jobs: int = field(default_factory=available_cores)
    game: str = DEFAULT_GAME

    def check(self) -> None:
        """Raise `OptionError` if a number is out of bounds."""
        check_options(self, checked_whole, ("generations", "decks", "held_out"), 1, MOST_GAMES)
        check_options(self, checked_whole, ("seed",), 0, MOST_SEED)
        check_options(self, checked_whole, ("jobs",), 0, MOST_THREADS)


Task = tuple[str, int, str | None, dict[str, Any], list[int], dict[str, float], tuple[str, ...]]
Map = Callable[[Iterable[Task]], Iterator[Float64Array]]


def rewarded_style(rules: GameRules, pairs: Sequence[str]) -> dict[str, float]:
    """Return the reward for every count of style, by name, from texts `figure=reward`.

    Raises:
        OptionError: a text names no figure that is counted by game, or no number.
    """
    counts = {figure.name: figure.count for figure in figures_of(rules) if figure.per == GAMES}
    rewards: dict[str, float] = {}
    for pair in pairs:
        name, _, reward = pair.rpartition("=")
        if name not in counts:
            known = get_close_matches(clipped(name or pair), counts) or list(counts)
            raise OptionError(f"--style must be figure=reward, not {quoted(pair)}; figures: {some_of(known)}")
        try:
            value: float | str = float(reward)
        except ValueError:
            value = reward
        rewards[counts[name]] = checked_number(f"--style {name}", value, -LARGEST_REWARD, LARGEST_REWARD)
    return rewards


def weights_in(file: Path, usual: dict[str, float]) -> dict[str, float]:
    """Read the weights that a tuning run wrote.

    Args:
        file: the file.
        usual: weights of the game's heuristic, which have the same names.

    Raises:
        OptionError: there is no such file, or it does not hold weights of this game.
    """
    text = read_text(file, OptionError)
    try:
        given = json.loads(text)["weights"]
        weights = {name: float(given[name]) for name in usual}
        if len(given) != len(weights) or not np.isfinite(list(weights.values())).all():
            raise ValueError
    except (KeyError, TypeError, ValueError):
        raise OptionError(f"{file} does not hold weights of this game; give a weights.json of thurn tune") from None
    return weights


def duel(task: Task) -> Float64Array:
    """Return the results of weights against the current heuristic by deck, as means over all seats.

    Returns:
        float64 (decks, 1 + counts): the return in reward mode `win`, where 0 means equal strength, and the counts of
        style that the task names.
    """
    game, players, board, options, seeds, weights, counts = task
    rules = make_rules(game, players, board, **options)
    usual, states, mode = rules.heuristic_weights(), rules.new_states(1), reward_mode("win")
    results = np.zeros((len(seeds), players, 1 + len(counts)))
    for deck, seed in enumerate(seeds):
        for seat in range(players):
            rules.deal(states, 0, seed)
            moves = rules.play_weighted(states, 0, [weights if other == seat else usual for other in range(players)])
            results[deck, seat, 0] = rules.rewards(states, 0, mode)[seat]
            if counts:
                style = style_of_state(rules, states, 0, moves.tolist())[seat]
                results[deck, seat, 1:] = [style.get(name, 0) for name in counts]
    mean: Float64Array = results.mean(axis=1)
    return mean


@contextmanager
def workers(jobs: int) -> Iterator[Map]:
    """Provide an ordered `map` over worker processes."""
    if jobs <= 1:
        yield lambda tasks: map(duel, tasks)
        return
    with Crew(jobs) as crew:
        yield lambda tasks: crew.in_order(duel, ((task,) for task in tasks), give_up)


class Tuning:
    """A tuning run that can be resumed.

    Args:
        config: configuration of the run.

    Raises:
        MissingExtra: without the extra `train`.
        OptionError: a number is out of bounds, or the folder holds another tuning run.
    """

    def __init__(self, config: TuningConfig) -> None:
        with training_extra():
            from cmaes import CMA
        config.check()
        self.config = config
        options = parse_options(config.option)
        self.rules = make_rules(config.game, config.players, config.board, **options)
        self.table = (config.game, config.players, config.board, options)
        self.style = rewarded_style(self.rules, config.style)
        self.usual = self.rules.heuristic_weights()
        start = weights_in(config.start, self.usual) if config.start else self.usual
        self.start = np.array(list(start.values()))
        self.width = np.maximum(np.abs(self.start) * WIDTH, LEAST_WIDTH)
        self.identity = {
            "asked": {key: value for key, value in asdict(config).items() if key not in (*INCIDENTAL, "start")},
            "weights": self.usual,
            "start": start,
            "engine": engine(config.game),
            "board": self.rules.board_digest,
        }
        self.generation = 0
        self.history: list[float] = []
        self.optimizer = CMA(mean=np.zeros(len(start)), sigma=1.0, seed=config.seed)
        self._load()

    def _load(self) -> None:
        path = self.config.out / STATE
        if not path.exists():
            return
        try:
            saved = pickle.loads(path.read_bytes())
            # Earlier versions did not note the board's digest.
            same = {"board": self.rules.board_digest} | saved["identity"] == self.identity
        except DAMAGES as error:
            raise ThurnError(f"{path} is damaged ({error}); remove it to start again") from None
        if not same:
            raise OptionError(f"{self.config.out} holds a tuning run with other settings; choose another folder")
        self.generation, self.history, self.optimizer = saved["generation"], saved["history"], saved["optimizer"]

    def _save(self) -> None:
        state = {
            "identity": self.identity,
            "generation": self.generation,
            "history": self.history,
            "optimizer": self.optimizer,
        }
        write_bytes(self.config.out / STATE, pickle.dumps(state))

    def weights(self, point: Float64Array) -> dict[str, float]:
        """Return the weights of a point of the optimiser, rounded as they are written."""
        values = self.start + point * self.width
        return {name: round(float(value), 3) for name, value in zip(self.usual, values, strict=True)}

    def tasks(self, purpose: int, number: int, decks: int, weights: dict[str, float]) -> list[Task]:
        """Return the games that evaluate these weights, as tasks."""
        seeds = [derived_seed(self.config.seed, purpose, number, deck) for deck in range(decks)]
        counts = tuple(self.style)
        return [(*self.table, seeds[first : first + CHUNK], weights, counts) for first in range(0, decks, CHUNK)]

    def step(self, play: Map) -> None:
        """Run one generation."""
        # The library does not store its generator, so each generation gets its own seed.
        self.optimizer.reseed_rng(derived_seed(self.config.seed, PROPOSALS, self.generation) % 2**32)
        points = [self.optimizer.ask() for _ in range(self.optimizer.population_size)]
        decks = self.config.decks
        tasks = [task for point in points for task in self.tasks(TRAINING, self.generation, decks, self.weights(point))]
        results = np.concatenate(list(play(tasks))).reshape(len(points), decks, -1).mean(axis=1)
        values = results @ np.array([1.0, *self.style.values()])
        self.optimizer.tell([(point, -float(value)) for point, value in zip(points, values, strict=True)])
        self.generation += 1
        self.history.append(round(float(values.mean()), 4))
        self._save()

    def judge(self, play: Map) -> dict[str, Any]:
        """Evaluate the mean of the last generation on held-out decks."""
        weights = self.weights(self.optimizer.mean)
        tasks = self.tasks(HELD_OUT, 0, self.config.held_out, weights)
        parts = []
        with Progress("evaluate", self.config.held_out, "decks") as progress:
            for part in play(tasks):
                parts.append(part)
                progress.advance(len(part))
        results = np.concatenate(parts)
        # A win brings 1 and a loss -1 / (players - 1): convert to a share of wins.
        players = self.config.players
        shares = (results[:, 0] * (players - 1) + 1) / players
        low, high = normal_interval(shares)
        return {
            "weights": weights,
            "before": self.usual,
            "wins": round(float(shares.mean()), 4),
            "interval": [round(low, 4), round(high, 4)],
            "decks": len(shares),
            "style": dict(zip(self.style, results[:, 1:].mean(axis=0).round(4).tolist(), strict=True)),
            "history": self.history,
        }


def tune(config: TuningConfig, command: str = "") -> dict[str, Any]:
    """Tune the weights of the heuristic, evaluate the result, and write it to `weights.json` in `config.out`.

    Args:
        config: configuration of the run.
        command: command line to note in the file.

    Returns:
        The contents of the file: `weights`, those `before`, the share of `wins` with its 95 % `interval`, `decks`, and
        the mean of every rewarded count of `style` in a game.

    Raises:
        MissingExtra: without the extra `train`.
        OptionError: a value is out of bounds, or the folder holds another tuning.
        ThurnError: another process is tuning into the folder.
    """
    config.check()
    with locked(config.out, "another tuning run is writing to this folder"):
        tuning = Tuning(config)
        duel((*tuning.table, [0], tuning.usual, ()))  # compiles missing kernels once, before several processes would
        with workers(config.jobs) as play:
            with Progress("tune", config.generations, "generations", tuning.generation) as progress:
                while tuning.generation < config.generations:
                    tuning.step(play)
                    progress.advance(1)
            result = provenance(config.game, command, **tuning.judge(play))
        write_text(config.out / RESULT, json.dumps(result, indent=1) + "\n")
    return result
