"""A run of MaskablePPO: model, games, evaluations and checkpoints."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from stable_baselines3.common.logger import configure

from thurn_env.engine.generator import derived_seed
from thurn_env.engine.provenance import earlier
from thurn_env.errors import OptionError
from thurn_env.files import make_folder, write_text
from thurn_env.games.engines import provenance
from thurn_env.players.policy import Policy, save
from thurn_env.progress import Progress
from thurn_env.training.algorithm import RunningPPO
from thurn_env.training.average import blended, share
from thurn_env.training.beginning import new_games, new_model
from thurn_env.training.checkpoint import Progressed, restore
from thurn_env.training.checkpoint import load as load_checkpoint
from thurn_env.training.checkpoint import save as save_checkpoint
from thurn_env.training.config import Config, rules_of
from thurn_env.training.device import device_for, machine, use_threads
from thurn_env.training.evaluating import evaluate, games_of_evaluation
from thurn_env.training.exchange import exported, imported
from thurn_env.training.figures import EvaluationNote, GameFigures
from thurn_env.training.folder import (
    BEST,
    CHECKPOINT,
    CONFIG,
    EVALUATIONS,
    LAST,
    UNFINISHED_LESSONS,
    UNFINISHED_ROUND,
    another_run,
    check_empty,
    configuration,
    in_search,
)
from thurn_env.training.matches import check_opponents
from thurn_env.training.memory import keep_freed_memory
from thurn_env.training.pool import LEARNER, PAST, SELF, PoolVecEnv, kept, origins
from thurn_env.training.school import taught, taught_by_search
from thurn_env.training.stopping import gentle_stop
from thurn_env.training.teacher import make_teacher, resolved
from thurn_env.training.transfer import initial_policy

DECKS, POOL = 1, 2
"""Numbers of the seed streams."""
SAVE_EVERY = 120.0
"""Seconds between checkpoints, in addition to those at evaluations."""


class Training:
    """A training run: model, games and progress.

    Args:
        config: configuration of the run.
        command: command line to note in the policies.
        start: best policy of the run before it in a curriculum, in place of an initial policy and of lessons.
        stage: name of its folder in that of the curriculum; empty for the last run.
        announcement: line to print when all arguments are checked, before any lessons.

    Attributes:
        saved: number of decisions at the last checkpoint.
        saved_at: time of the last checkpoint in seconds.

    Raises:
        OptionError: the configuration does not fit the game, or the run to resume.
        ThurnError: there is no run to resume.
    """

    def __init__(
        self, config: Config, command: str, start: Path | None = None, stage: str = "", announcement: str = ""
    ) -> None:
        config.check()
        self.start, self.stage, self._announcement = start or config.start, stage, announcement
        if config.teacher:
            # The notes of the run name the policy, because the published one may be another later.
            before = configuration(config.out).get("teacher") if config.resume else None
            config = replace(config, teacher=resolved(rules_of(config.as_dict()), config.teacher, before))
        self.config, self.command = config, command
        self.device = device_for(config.device)
        use_threads(config.threads)
        keep_freed_memory()
        torch.distributions.Distribution.set_default_validate_args(False)
        in_lessons = (config.out / UNFINISHED_LESSONS).exists() and not (config.out / CHECKPOINT).exists()
        if config.resume and not in_lessons:
            document = load_checkpoint(config.out)
            if different := config.differs_from(document["config"]):
                raise another_run(config.out, *different)
            self.model, self.env, self.progressed = restore(document, self.device)
            if config.steps > self.model.num_timesteps and (self.model.search_rounds or in_search(config.out)):
                raise OptionError(
                    f"the run in {config.out} came to its lessons from search and makes no more decisions; begin "
                    f"another one with --start {config.out / BEST}"
                )
            check_opponents(self.env.rules, config.evaluate_against)
            self._announce()
        else:
            self.model, self.env, self.progressed = self._begin()
        self.rules, self.saved, self.saved_at = self.env.rules, self.model.num_timesteps, time.monotonic()
        self.model.run_steps, self.model.first_entropy = config.steps, config.entropy
        self.model.magnet = config.magnet

    def _announce(self) -> None:
        if self._announcement:
            print(self._announcement)

    def _begin(self) -> tuple[RunningPPO, PoolVecEnv, Progressed]:
        config = self.config
        if not config.resume:
            check_empty(config.out)
        # Check before any lessons: it may take hours until these opponents have to play.
        check_table(config)
        env = new_games(config)
        start = initial_policy(env.rules, str(self.start)) if self.start else None
        model = new_model(config, env, self.device)
        if start:
            imported(model.policy, start)
        elif config.teacher:
            make_teacher(env.rules, config.teacher, config.seed)
        self._announce()
        if config.teacher and not start:
            # Lessons that go on noted their configuration, and may refuse this one.
            if not config.resume:
                self._note()
            lessons = taught(config, config.teacher, env.rules, self.device)
            model.lesson_minutes = round(lessons.minutes, 1)
            imported(model.policy, lessons.policy)
        # Note this now: the files may be changed or deleted before the policy is written.
        if self.start and start:
            model.begun_with = earlier(self.start, start.made)
            if model.begun_with and self.start != config.start:
                model.begun_with["same_command"] = True
        met = [*named_opponents(config), *([config.teacher] if config.teacher and not self.start else [])]
        model.played_against = origins(env.rules, met)
        first = self._policy(model, env)
        return model, env, Progressed([first], 1, [], None, first, first)

    def _made(self, model: RunningPPO) -> dict[str, Any]:
        """Return how the current policy was made."""
        searched = {"search_rounds": model.search_rounds, "search_minutes": round(model.search_minutes, 1)}
        return provenance(
            self.config.game,
            self.command,
            steps=model.num_timesteps,
            minutes=round(sum(model.seconds.values()) / 60, 1),
            **({} if model.lesson_minutes is None else {"lesson_minutes": model.lesson_minutes}),
            **(searched if model.search_rounds else {}),
            machine=machine(self.device),
            **({"stage": self.stage} if self.stage else {}),
            seed=self.config.seed,
            config=self.config.as_dict(),
            **({"start": model.begun_with} if model.begun_with else {}),
            **({"opponents": model.played_against} if model.played_against else {}),
        )

    def _policy(self, model: RunningPPO, env: PoolVecEnv) -> Policy:
        return exported(model.policy, env.rules, self._made(model))

    def run(self) -> None:
        """Train until all decisions are made. Ctrl-C stops after the current round; the run can then be resumed."""
        config, model = self.config, self.model
        self._open()
        with Progress("train", config.steps, "decisions", model.num_timesteps) as progress:
            if not model.num_timesteps or not self.progressed.evaluations:
                # The first point of every curve: what the policy could do before it learned from games.
                if not self.progressed.evaluations:
                    self._evaluate(self.progressed.mean, progress)
                    model.logger.dump(model.num_timesteps)
                self._save()
                (config.out / UNFINISHED_LESSONS).unlink(missing_ok=True)
            else:
                self._write()
            self._learn(config.steps, progress)
        for number in range(1, model.search_rounds + 1):
            # The run was stopped between writing what the round gave and this.
            (config.out / UNFINISHED_ROUND.format(number)).unlink(missing_ok=True)
        for number in range(model.search_rounds + 1, config.search_rounds + 1):
            self._learn_from_search(number)

    def measure(self, rounds: int, seconds: float) -> float:
        """Train for a few rounds without evaluations; a run with another number of decisions continues from there.

        Args:
            rounds: largest number of rounds to measure, after one that also compiles.
            seconds: time after which no further round begins.

        Returns:
            Decisions per second.
        """
        model, size = self.model, self.config.lanes * self.config.rollout
        self._open()
        marks, begun = [self._spent()], time.monotonic()
        with Progress("measure the speed", (1 + rounds) * size, "decisions", at_most=True) as progress:
            while len(marks) < 2 or (len(marks) < 2 + rounds and time.monotonic() - begun < seconds):
                self._learn(model.num_timesteps + size, progress)
                marks.append(self._spent())
            progress.finish_at((len(marks) - 1) * size)
        self._checkpoint()
        # The first round only counts if there is no other.
        times = marks[1:] if len(marks) > 2 else marks
        return (len(times) - 1) * size / max(times[-1] - times[0], 1e-9)

    def _open(self) -> None:
        """Note the configuration, open the logger, and prepare the first games of a run."""
        self._note()
        self._place_magnet()
        self.model.set_logger(configure(str(self.config.out / "tensorboard"), ["tensorboard"]))
        if not self.model.num_timesteps:
            self._refresh()

    def _note(self) -> None:
        """Write the configuration."""
        make_folder(self.config.out)
        write_text(self.config.out / CONFIG, json.dumps(self.config.as_dict(), indent=1) + "\n")

    def seconds_so_far(self) -> float:
        """Return the seconds of lessons, collecting and learning so far."""
        return 60 * (self.model.lesson_minutes or 0) + self._spent()

    def _spent(self) -> float:
        """Return the seconds of collecting and learning so far."""
        return sum(self.model.seconds.values())

    def _learn(self, steps: int, progress: Progress) -> None:
        """Train until `steps` decisions are made in total."""
        model, figures = self.model, GameFigures(self.env, progress)
        self._share_threads()
        with gentle_stop() as stop:
            try:
                while model.num_timesteps < steps:
                    self._round(figures)
                    if stop.requested:
                        self._checkpoint()
                        raise KeyboardInterrupt
            except KeyboardInterrupt:
                made, kept = model.num_timesteps, self.saved
                print(f"\nstopped after {made:,} decisions; --resume continues from {kept:,}", file=sys.stderr)
                raise

    def _share_threads(self) -> None:
        """Give learning and collecting half of the threads each if they overlap: more would wait for each other."""
        config = self.config
        use_threads(max(1, config.threads // 2) if config.overlap else config.threads)

    def _round(self, figures: GameFigures) -> None:
        """Collect one rollout, learn from it, and do everything that is due."""
        config, model = self.config, self.model
        before, since, processed = model.num_timesteps, self._spent(), time.process_time()
        model.learn(config.lanes * config.rollout, callback=figures, reset_num_timesteps=False)
        model.processor_seconds += time.process_time() - processed
        newest, made = exported(model.policy, self.rules, {}), model.num_timesteps
        self.progressed.mean = blended(self.progressed.mean, newest, share(made, made - before, config.average))
        self._place_magnet()
        if due(before, made, config.snapshot_every):
            self._take_snapshot()
        evaluates = due(before, made, config.evaluate_every) or made >= config.steps
        if evaluates:
            use_threads(config.threads)
            self._evaluate(self.progressed.mean, figures.progress)
            self._share_threads()
        seconds = self.seconds()
        total = seconds["collecting"] + seconds["learning"]
        for name, value in seconds.items():
            model.logger.record(f"time/{name}", value / total)
        model.logger.record("time/decisions_per_second", (made - before) / (total - since))
        model.logger.dump(made)
        if evaluates:
            self._save()
        elif time.monotonic() - self.saved_at > SAVE_EVERY:
            self._checkpoint()

    def _place_magnet(self) -> None:
        """Place the magnet, if there is one, at the mean of the weights, for the next update."""
        if self.config.magnet:
            self.model.attract_to(self.progressed.mean)

    def _refresh(self) -> None:
        """Replace the snapshots in the games."""
        progressed = self.progressed
        *before, newest = progressed.past
        past = dict(zip(kept(progressed.taken, self.config.snapshots), before, strict=True))
        seed = derived_seed(self.config.seed, POOL, progressed.taken)
        self.env.refresh(newest, past or {progressed.taken: newest}, seed)

    def _take_snapshot(self) -> None:
        progressed, most = self.progressed, self.config.snapshots
        numbers = [*kept(progressed.taken, most), progressed.taken]
        past = dict(zip(numbers, progressed.past, strict=True))
        progressed.taken += 1
        newest = self._policy(self.model, self.env)
        progressed.past = [*(past[number] for number in kept(progressed.taken, most)), newest]
        self._refresh()

    def _learn_from_search(self, number: int) -> None:
        """Do a round of lessons from search, and evaluate what the policy learned."""
        config, model = self.config, self.model
        use_threads(config.threads)
        lessons = taught_by_search(config, number, self.rules, self.device)
        model.search_rounds, model.search_minutes = number, model.search_minutes + lessons.minutes
        model.processor_seconds += 60 * lessons.processor_minutes
        with Progress("evaluate", 1, "policies") as progress:
            self._evaluate(lessons.policy, progress)
            progress.advance(1)
        model.logger.dump(model.num_timesteps)
        self._save()
        (config.out / UNFINISHED_ROUND.format(number)).unlink()

    def _evaluate(self, policy: Policy, progress: Progress) -> None:
        """Evaluate a policy on paired decks, and keep it if it beats the best result so far."""
        config, progressed, model = self.config, self.progressed, self.model
        policy = progressed.evaluated = replace(policy, made=self._made(model))
        best = progressed.best[0] if progressed.best else None
        # Every evaluation uses other decks, so that the policy cannot overfit to them.
        seed = derived_seed(config.seed, DECKS, len(progressed.evaluations) + 1) % (1 << 62)
        opponents, decks = config.evaluate_against, config.evaluation_decks
        watch = EvaluationNote(progress, games_of_evaluation(self.rules, opponents, decks, best))
        evaluated = evaluate(self.rules, policy, best, opponents, decks, seed, watch)
        progress.note = ""
        for opponent, won in evaluated.shares.items():
            model.logger.record(f"evaluation/{opponent}", won)
        if evaluated.better:
            progressed.best = policy, model.num_timesteps
        entry = {"steps": model.num_timesteps}
        if model.search_rounds:
            entry["search_rounds"] = model.search_rounds
        entry |= evaluated.entry | {
            "kept": evaluated.better,
            "minutes": round(self._spent() / 60 + model.search_minutes, 2),
            "processor minutes": round(model.processor_seconds / 60, 2),
        }
        progressed.evaluations.append(entry)

    def seconds(self) -> dict[str, float]:
        """Return the seconds of collecting and learning, and the environment's and opponents' parts of collecting."""
        return {**self.model.seconds, **self.env.seconds()}

    def _checkpoint(self) -> None:
        save_checkpoint(self.config.out, self.config.as_dict(), self.model, self.env, self.progressed)
        self.saved, self.saved_at = self.model.num_timesteps, time.monotonic()

    def _save(self) -> None:
        """Write the checkpoint and the files that belong to it."""
        self._checkpoint()
        self._write()

    def _write(self) -> None:
        """Write policies, then evaluations: a reader that sees the last line finds everything else complete."""
        out, progressed = self.config.out, self.progressed
        save(progressed.evaluated, out / LAST)
        if progressed.best:
            save(progressed.best[0], out / BEST)
            write_text(out / EVALUATIONS, "".join(json.dumps(entry) + "\n" for entry in progressed.evaluations))

    def summary(self) -> str:
        """Summarise results, speed and timing as text."""
        seconds = self.seconds()
        total = seconds["collecting"] + seconds["learning"]
        assert self.progressed.best
        shares = {name: f"{name} {value / total:.0%}" for name, value in seconds.items()}
        searched = f", then {self.model.search_minutes:.1f} minutes of lessons from search"
        return (
            f"{self.model.num_timesteps:,} decisions in {total / 60:.1f} minutes, "
            f"{self.model.num_timesteps / total:,.0f} decisions/s ({shares['collecting']} "
            f"(including {shares['environment']}, {shares['policies']}), {shares['learning']})"
            f"{searched if self.model.search_rounds else ''}\n"
            f"{self.config.out / BEST}: the best of {len(self.progressed.evaluations)} evaluations, "
            f"after {self.progressed.best[1]:,} decisions"
        )


def check_table(config: Config) -> None:
    """Raise `OptionError` if the game has no such table, or if an opponent cannot play at it."""
    check_opponents(rules_of(config.as_dict()), (*config.evaluate_against, *named_opponents(config)))


def named_opponents(config: Config) -> list[str]:
    """Return the opponents in the pool that are not the learner itself."""
    return [name for name in config.shares() if name not in (SELF, PAST, LEARNER)]


def due(before: int, now: int, every: int) -> bool:
    """Return whether a multiple of `every` lies between `before` (exclusive) and `now` (inclusive)."""
    return now // every > before // every
