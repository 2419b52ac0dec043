"""Sweeps: train many configurations or seeds as Ray tasks, then play a tournament between the trained policies.

The plan is a TOML file: `[common]` holds values of `Config` for all runs, `[grid]` lists of values of which all
combinations are trained, and each `[[runs]]` is a single run with a name. A stopped sweep continues with the same call,
as does a run whose process or machine Ray lost.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import product
from pathlib import Path
from typing import Any

from thurn_env.checks import MOST_GAMES, MOST_THREADS, checked_seed, checked_whole
from thurn_env.engine.cores import available_cores
from thurn_env.errors import OptionError, ThurnError
from thurn_env.files import check_folder, read_text
from thurn_env.players.agent import make_agent
from thurn_env.progress import Progress
from thurn_env.tournament.playing import play_tournament
from thurn_env.tournament.rays import RETRIES, connect, plain_errors, require_ray
from thurn_env.tournament.results import Results
from thurn_env.training import train
from thurn_env.training.config import Config, configured, rules_of
from thurn_env.training.curriculum import begun_anywhere, stages
from thurn_env.training.folder import BEST, EVALUATIONS, configuration

__all__ = ["sweep"]

OWN = ("out", "resume")
"""Arguments of a run that the sweep sets."""
TOURNAMENT = "tournament"
"""Prefix of the names of the tournaments' folders."""


@dataclass(frozen=True)
class Run:
    """A run of a sweep.

    Attributes:
        name: name of its folder.
        values: arguments of `thurn train`.
    """

    name: str
    values: dict[str, Any]

    def config(self, out: Path = Path(), resume: bool = False) -> Config:
        """Return the run's configuration, with its folder in `out`.

        Raises:
            OptionError: a value is out of bounds or has the wrong type.
        """
        config = configured({**self.values, "out": str(out / self.name), "resume": resume}, self.name)
        config.check()
        return config


def read_plan(path: Path) -> list[Run]:
    """Read the runs of a plan; raise `OptionError` if it is invalid."""
    try:
        document = tomllib.loads(read_text(path, OptionError))
    except tomllib.TOMLDecodeError as error:
        raise OptionError(f"{path} is not a valid TOML file: {error}") from None
    common, grid, single = document.pop("common", {}), document.pop("grid", {}), document.pop("runs", [])
    tables = [common, grid, *(single if isinstance(single, list) else [single])]
    if document or not isinstance(single, list) or not all(isinstance(values, dict) for values in tables):
        raise OptionError(f"{path}: a plan has [common], [grid] and [[runs]], nothing else")
    if not all(isinstance(values, list) and values for values in grid.values()):
        raise OptionError(f"{path}: every entry of [grid] must be a list of values")
    # Runs are trained in parallel, each on one core.
    common = {"threads": 1} | common
    runs = [Run(str(values.pop("name", "")), common | values) for values in single]
    for values in product(*grid.values()) if grid else ():
        name = "-".join(f"{key}={_word(value)}" for key, value in zip(grid, values, strict=True))
        runs.append(Run(name, common | dict(zip(grid, values, strict=True))))
    _check(path, runs)
    return runs


def _word(value: Any) -> str:
    """Format a value for the name of a folder."""
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
            raise OptionError(
                f"{path}: every run needs a unique name without '/', not {run.name!r}; name each of [[runs]], and give "
                "no value of [grid] twice"
            )
        if run.name.startswith((TOURNAMENT, ".")) or not run.name.isprintable():
            raise OptionError(
                f"{path}: invalid name of a run: {run.name!r}; it must be printable and not begin with {TOURNAMENT!r} "
                "or '.'"
            )
        names.add(run.name)
        for key in run.values:
            if key not in known:
                raise OptionError(f"{path}: thurn train has no option {key!r} that a sweep can set")
        config = run.config()
        games.add((config.game, config.players, config.board, config.option))
    if len(games) > 1:
        raise OptionError(f"{path}: all runs must train the same game, or their policies cannot play each other")


def finished(run: Run, out: Path) -> bool:
    """Return whether a run is complete; the line of the last evaluation is written last."""
    folder, config = out / run.name, run.config(out)
    try:
        last = json.loads(read_text(folder / EVALUATIONS).splitlines()[-1])
    except (IndexError, ValueError):
        return False
    searched: int = last.get("search_rounds", 0)
    return (folder / BEST).exists() and last["steps"] >= config.steps and searched >= config.search_rounds


def check_same(run: Run, out: Path) -> None:
    """Raise `OptionError` if the folder holds a run of this name with another configuration."""
    before = configuration(out / run.name)
    if not before:
        return
    from thurn_env.training.teacher import resolved

    config = run.config(out)
    if config.teacher:
        # A run notes which policy taught its first table.
        rules = rules_of(stages(config)[0].as_dict())
        config = replace(config, teacher=resolved(rules, config.teacher, before.get("teacher")))
    if different := config.differs_from(before):
        name, saved, given = different
        raise OptionError(
            f"{out / run.name} was trained with {name} {saved}, and the plan has {given}; "
            "give the run another name, or the sweep another folder"
        )


def train_run(run: Run, out: Path) -> str:
    """Train or resume a run without output until it is complete, and return its name."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
        try:
            train(run.config(out, resume=begun_anywhere(run.config(out))))
        except (ThurnError, OSError, MemoryError) as error:
            raise ThurnError(f"{run.name}: {error}") from None
    return run.name


def resources(run: Run, out: Path, cpus: float, gpus: float) -> dict[str, float]:
    """Return the resources that Ray reserves for a run: a core per thread, and a GPU if it can use one.

    Args:
        run: the run.
        out: folder of the sweep.
        cpus: cores of the largest machine; a request for more would never be met.
        gpus: GPUs of all machines.

    Raises:
        OptionError: the run needs a GPU and there is none.
    """
    config = run.config(out)
    if config.device == "cuda" and not gpus:
        raise OptionError(f"{run.name}: device cuda, but Ray finds no GPU; use device cpu or auto")
    # Ray hides the GPUs of a machine from tasks that request none.
    return {"num_cpus": min(config.threads, cpus), "num_gpus": float(bool(gpus) and config.device != "cpu")}


def trained(runs: list[Run], out: Path, jobs: int, address: str) -> Iterator[str]:
    """Train runs as Ray tasks, and yield the names of finished runs as they complete.

    Raises:
        ThurnError: some runs failed; all others were trained before.
    """
    ray = require_ray()
    connect(ray, address, max(1, jobs))
    failures = list[str]()
    try:
        cpus = max(node["Resources"].get("CPU", 1.0) for node in ray.nodes() if node["Alive"])
        gpus = ray.cluster_resources().get("GPU", 0.0)
        task = ray.remote(max_retries=RETRIES)(train_run)
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


def sweep(
    plan: str | Path,
    out: str | Path,
    *,
    jobs: int | None = None,
    ray: str = "",
    decks: int = 200,
    against: Sequence[str] = ("greedy", "heuristic"),
    seed: int = 1,
) -> Results:
    """Train all runs of a plan, then play a tournament between their best policies.

    Args:
        plan: TOML file of the sweep: common, grid, runs.
        out: folder of the sweep, with a subfolder for every run and one for every tournament, named tournament-DIGEST.
        jobs: number of runs at a time on this machine; None for one per core.
        ray: address of a Ray cluster whose machines share the folder; empty starts Ray on this machine.
        decks: decks for every pair in the tournament.
        against: scripted bots that play in the tournament, too.
        seed: seed of the decks.

    Raises:
        MissingExtra: without the extras `train` and `ray`.
        OptionError: the plan is invalid, or the folder holds a run with another configuration.
        ThurnError: some runs failed; all others were trained before.
        KeyboardInterrupt: the sweep was interrupted; the same call continues it.
    """
    workers = available_cores() if jobs is None else checked_whole("jobs", jobs, 0, MOST_THREADS)
    checked_whole("decks", decks, 1, MOST_GAMES)
    checked_seed(seed)
    runs, out = read_plan(Path(plan)), Path(out).resolve()
    check_folder(out)
    rules = rules_of(runs[0].config(out).as_dict())
    for agent in against:
        make_agent(agent, rules.bots)
    for run in runs:
        check_same(run, out)
    left = [run for run in runs if not finished(run, out)]
    with Progress("sweep", len(runs), "runs", len(runs) - len(left)) as progress:
        for _ in trained(left, out, workers, ray) if left else ():
            progress.advance(1)
    best = [out / run.name / BEST for run in runs]
    agents = [*against, *(f"ppo:{file}" for file in best)]
    # Longer or additional runs get a tournament of their own; the earlier one is kept.
    identity = [*agents, rules.name, rules.players, rules.board_name, rules.options, decks, seed]
    digest = hashlib.sha256(b"".join([*(str(word).encode() for word in identity), *(f.read_bytes() for f in best)]))
    folder = out / f"{TOURNAMENT}-{digest.hexdigest()[:8]}"
    return play_tournament(agents, rules, decks, seed=seed, folder=folder, jobs=workers)
