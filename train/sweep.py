"""Trains many configurations or seeds at once, as Ray tasks, and lets what they learned play each other.

    python -m train.sweep sweep.toml --out runs/sweep

The plan is a TOML file: `[common]` has arguments of `train.ppo` for all runs, `[grid]` lists of values that are
combined in every way, and each `[[runs]]` is a run of its own with a name. A sweep that was stopped goes on when the
same command is given again; so does a run whose process or machine Ray lost.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from itertools import product
from pathlib import Path
from typing import Any

from tyro.conf import Positional

from eval import tournament
from eval.rays import RETRIES, connect, plain_errors, require_ray
from eval.tournament import ray_address
from thurn_env.checks import MOST_GAMES, MOST_THREADS, checked_seed, checked_whole
from thurn_env.commands.arguments import call, check_options, program
from thurn_env.errors import OptionError, ThurnError
from thurn_env.files import read_text
from thurn_env.pace import available_cores
from thurn_env.progress import Progress
from train import ppo
from train.config import Config, game_arguments, parse
from train.folder import BEST, CONFIG, EVALUATIONS, begun
from train.publish import check_rivals

PROGRAM = "python -m train.sweep"
OWN = ("out", "resume")
"""Arguments of a run that the sweep gives."""
TOURNAMENT = "tournament"
"""How the names of the tournaments' folders begin."""


@dataclass(frozen=True)
class Arguments:
    """Train many configurations and compare them.

    Args:
        plan: the TOML file of the sweep: common, grid, runs; every run takes one thread if threads does not say more.
        out: the folder; every run gets a folder in it, and every tournament another one, named tournament-DIGEST.
        jobs: runs at a time on this machine; one for every core if not given.
        ray: the address of a Ray cluster whose machines share the folder; a Ray of its own on this machine if not
            given.
        decks: decks for every pair in the tournament of the trained policies.
        against: scripted bots that play in it, too.
        seed: of the decks.
    """

    plan: Positional[Path]
    out: Path
    jobs: int = field(default_factory=available_cores)
    ray: tuple[str, ...] = ()
    decks: int = 200
    against: tuple[str, ...] = ("greedy", "heuristic")
    seed: int = 1


@dataclass(frozen=True)
class Run:
    """A run of a sweep.

    Attributes:
        name: what its folder is called.
        values: its arguments of `train.ppo`.
    """

    name: str
    values: dict[str, Any]

    def command(self, out: Path) -> list[str]:
        """Its arguments as a command line."""
        words = ["--out", str(out / self.name)]
        for name, value in self.values.items():
            option = f"--{name.replace('_', '-')}"
            if isinstance(value, bool):
                words.append(option if value else f"--no-{option[2:]}")
            elif isinstance(value, list):
                words += [option, *map(str, value)]
            else:
                words += [option, str(value)]
        return words


def read_plan(path: Path) -> list[Run]:
    """The runs of a plan; `OptionError` if it is none."""
    try:
        document = tomllib.loads(read_text(path, OptionError))
    except tomllib.TOMLDecodeError as error:
        raise OptionError(f"{path} is no TOML file: {error}") from None
    common, grid, single = document.pop("common", {}), document.pop("grid", {}), document.pop("runs", [])
    if document or not all(isinstance(values, dict) for values in (common, grid, *single)):
        raise OptionError(f"{path}: a plan has [common], [grid] and [[runs]], nothing else")
    if not all(isinstance(values, list) and values for values in grid.values()):
        raise OptionError(f"{path}: every entry of [grid] must be a list of values")
    # Runs are side by side, each on a core of its own.
    common = {"threads": 1} | common
    runs = [Run(str(values.pop("name", "")), common | values) for values in single]
    for values in product(*grid.values()) if grid else ():
        name = "-".join(f"{key}={_word(value)}" for key, value in zip(grid, values, strict=True))
        runs.append(Run(name, common | dict(zip(grid, values, strict=True))))
    _check(path, runs)
    return runs


def _word(value: Any) -> str:
    """A value in the name of a folder."""
    text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    return "".join(letter if letter.isalnum() or letter in "-+." else "_" for letter in text)


def _check(path: Path, runs: list[Run]) -> None:
    if not runs:
        raise OptionError(f"{path} names no runs: give [grid] or [[runs]]")
    known = {known.name for known in fields(Config)} - set(OWN)
    names: set[str] = set()
    games: set[tuple[Any, ...]] = set()
    for run in runs:
        if not run.name or run.name in names or "/" in run.name:
            raise OptionError(f"{path}: every run of [[runs]] needs a name of its own, not {run.name!r}")
        if run.name.startswith((TOURNAMENT, ".")):
            raise OptionError(f"{path}: no run can be called {run.name!r}; folders with such names are not for runs")
        names.add(run.name)
        for key in run.values:
            if key not in known:
                raise OptionError(f"{path}: train.ppo has no argument {key!r} that a sweep can set")
        config = parse(run.command(Path()), PROGRAM)
        games.add((config.game, config.players, config.board, config.option))
    if len(games) > 1:
        raise OptionError(f"{path}: all runs must train the same game, or their policies cannot play each other")


def finished(run: Run, out: Path) -> bool:
    """Whether a run has reached its end: the line of its last evaluation is what it writes last."""
    folder = out / run.name
    try:
        last = json.loads(read_text(folder / EVALUATIONS).splitlines()[-1])
    except (IndexError, ValueError):
        return False
    return (folder / BEST).exists() and bool(last["steps"] >= parse(run.command(out), PROGRAM).steps)


def check_same(run: Run, out: Path) -> None:
    """`OptionError` if the folder holds a run of this name that was trained in another way."""
    try:
        before = json.loads(read_text(out / run.name / CONFIG))
    except ValueError:
        return
    config = parse(run.command(out), PROGRAM)
    if different := config.differs_from(before):
        was, asked = before.get(different), config.as_dict()[different]
        raise OptionError(
            f"{out / run.name} was trained with {different} {was}, and the plan has {asked} now; "
            "give the run another name, or the sweep another --out"
        )


def train(run: Run, out: Path) -> str:
    """Train a run to its end, from where it was; returns its name."""
    command = run.command(out)
    if begun(out / run.name):
        command.append("--resume")
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
        code = ppo.main(command)
    if code:
        raise ThurnError(f"{run.name}: {said.getvalue().strip().splitlines()[-1]}")
    return run.name


def resources(run: Run, out: Path, cpus: float, gpus: float) -> dict[str, float]:
    """What Ray is to keep for a run: a core for each of its threads, and a GPU if it can use one.

    Args:
        run: the run.
        out: the folder of the sweep.
        cpus: cores of the largest machine; who asked for more would wait for ever.
        gpus: of all machines.

    Raises:
        OptionError: it wants a GPU and there is none.
    """
    config = parse(run.command(out), PROGRAM)
    if config.device == "cuda" and not gpus:
        raise OptionError(f"{run.name}: device cuda, but Ray finds no GPU; give device cpu, or auto")
    # Ray hides the GPUs of a machine from tasks that did not ask for one.
    return {"num_cpus": min(config.threads, cpus), "num_gpus": float(bool(gpus) and config.device != "cpu")}


def trained(runs: list[Run], out: Path, jobs: int, address: str) -> Iterator[str]:
    """Train runs as Ray tasks; the names of those that are finished, as they come.

    Raises:
        ThurnError: some failed; all others were trained before.
    """
    ray = require_ray()
    connect(ray, address, max(1, jobs))
    failures = list[str]()
    try:
        cpus = max(node["Resources"].get("CPU", 1.0) for node in ray.nodes() if node["Alive"])
        gpus = ray.cluster_resources().get("GPU", 0.0)
        task = ray.remote(max_retries=RETRIES)(train)
        left = [task.options(**resources(run, out, cpus, gpus)).remote(run, out) for run in runs]
        while left:
            (ready,), left = ray.wait(left)
            try:
                with plain_errors(ray, "a run"):
                    name: str = ray.get(ready)
            except ThurnError as failure:
                failures.append(str(failure))
            else:
                yield name
    finally:
        ray.shutdown()
    if failures:
        raise ThurnError("; ".join(failures))


def run(command: list[str]) -> int:
    """Train, then let all play each other."""
    arguments = call(Arguments, command, PROGRAM)
    check_options(arguments, checked_whole, ("jobs",), 0, MOST_THREADS)
    check_options(arguments, checked_whole, ("decks",), 1, MOST_GAMES)
    checked_seed(arguments.seed)
    runs, out = read_plan(arguments.plan), arguments.out.resolve()
    address = ray_address(arguments.ray)
    check_rivals(parse(runs[0].command(out), PROGRAM).as_dict(), arguments.against)
    for run in runs:
        check_same(run, out)
    left = [run for run in runs if not finished(run, out)]
    with Progress("sweep", len(runs), "runs", len(runs) - len(left)) as progress:
        try:
            for _ in trained(left, out, arguments.jobs, address) if left else ():
                progress.advance(1)
        except KeyboardInterrupt:
            print("\nstopped; give the same command again to go on", file=sys.stderr)
            raise
    config = parse(runs[0].command(out), PROGRAM)
    best = [out / run.name / BEST for run in runs]
    asked = [
        *("--agents", *arguments.against, *(f"ppo:{file}" for file in best), *game_arguments(config.as_dict())),
        *("--games", str(arguments.decks), "--seed", str(arguments.seed)),
    ]
    # Longer or further runs play a tournament of their own; the one before stays.
    digest = hashlib.sha256(b"".join([*map(str.encode, asked), *(file.read_bytes() for file in best)])).hexdigest()[:8]
    folder = out / f"{TOURNAMENT}-{digest}"
    return tournament.run([*asked, "--out", str(folder), "--jobs", str(arguments.jobs)])


main = program(PROGRAM, run)


if __name__ == "__main__":
    sys.exit(main())
