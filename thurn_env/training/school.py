"""Lessons from a teacher, which can be interrupted and resumed."""

from __future__ import annotations

import pickle
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from thurn_env.engine.generator import derived_seed
from thurn_env.errors import OptionError
from thurn_env.files import make_folder, write_bytes
from thurn_env.games.contract import GameRules
from thurn_env.players.policy import Policy, load
from thurn_env.players.search_options import GuidedOptions
from thurn_env.progress import Progress
from thurn_env.training.cloning import Cloning, Judged
from thurn_env.training.config import LESSON_EPOCHS, LESSON_LEARNING_RATE, LESSON_MINIBATCH, Config, completed
from thurn_env.training.exchange import exported
from thurn_env.training.folder import BEST, LAST, UNFINISHED_LESSONS, UNFINISHED_ROUND, first_difference, unpickled
from thurn_env.training.stopping import gentle_stop
from thurn_env.training.teacher import Lessons, resolved

FORMAT = "thurn-lessons/8"
SCHOOL, SEARCH_SCHOOL = 4, 5
"""Numbers of the seed streams."""
ITERATIONS, SEARCH_LEARNING_RATE, SEARCH_MINIBATCH, SEARCH_EPOCHS = 48, 3e-4, 512, 1
"""Iterations of search as the teacher, and the optimiser's values for its pupil. In the same time, many decisions with
little search teach more than few with much, and new ones more than a second look at the same.
"""
SAVE_EVERY = 16
"""Lessons between two saves of the state."""


class School:
    """A pupil, its lessons and its progress.

    Args:
        cloning: the pupil.
        lessons: decisions labelled by its teacher.
        config: configuration, which must not change when the lessons are resumed.

    Attributes:
        learned: number of decisions learned from.
        saved: value of `learned` at the last save.
        seconds: wall time of the lessons so far.
        processor_seconds: their processor time, over all threads.
    """

    def __init__(self, cloning: Cloning, lessons: Lessons, config: dict[str, Any]) -> None:
        self.cloning, self.lessons, self.config = cloning, lessons, config
        self.learned = self.saved = 0
        self.seconds = self.processor_seconds = 0.0

    def attend(self, decisions: int, minibatch: int, epochs: int, file: Path) -> Judged:
        """Learn until `decisions` decisions are reached in total.

        Args:
            decisions: total number of decisions.
            minibatch: decisions per step of the optimiser.
            epochs: passes through every lesson.
            file: file of the state, which is saved regularly and at the end.

        Returns:
            How well the pupil predicts the decisions of a new lesson.
        """
        size = self.lessons.size
        rows, whole = np.arange(size), -(-decisions // size) * size
        with Progress("lessons", whole, "decisions", self.learned) as progress, gentle_stop() as stop:
            while self.learned < decisions:
                if self.learned % (SAVE_EVERY * size) == 0:
                    self.save(file)
                start, processed = time.perf_counter(), time.process_time()
                lesson = self.lessons.next(self.cloning)
                for _ in range(epochs):
                    self.cloning.learn(lesson, rows, minibatch, self.learned / decisions, lesson.probabilities)
                self.seconds += time.perf_counter() - start
                self.processor_seconds += time.process_time() - processed
                self.learned += size
                progress.advance(size)
                if stop.requested:
                    self.save(file)
                    raise KeyboardInterrupt
        self.save(file)
        return self.cloning.judge(self.lessons.next(self.cloning), rows)

    def save(self, file: Path) -> None:
        """Write the state atomically."""
        make_folder(file.parent)
        device = self.cloning.policy.device
        # Move to the CPU, so that lessons begun on a GPU can be resumed without one.
        self.cloning.move("cpu")
        write_bytes(file, pickle.dumps({"format": FORMAT, "school": self}))
        self.saved = self.learned
        self.cloning.move(device)


def resumed(file: Path, config: dict[str, Any], device: torch.device) -> School:
    """Restore lessons from a file, to resume them on this device.

    Raises:
        ThurnError: there is no state, or it is damaged.
        OptionError: the lessons were begun with another configuration.
    """
    school: School = unpickled(file, FORMAT, "are no lessons", "delete it and start again")["school"]
    before = completed(school.config)
    given = config | {"teacher": resolved(school.lessons.rules, config["teacher"], before["teacher"])}
    if different := first_difference(before, given):
        name, saved, value = different
        raise OptionError(f"the lessons in {file} have {name} {saved}, not {value}; give the same, or another --out")
    school.saved = school.learned
    school.cloning.move(device)
    return school


class Taught(NamedTuple):
    """The policy of a pupil after its lessons, and their wall time and processor time in minutes."""

    policy: Policy
    minutes: float
    processor_minutes: float


def taught(config: Config, teacher: str, rules: GameRules, device: torch.device) -> Taught:
    """Return the initial policy of a training run after its lessons; interrupted lessons are resumed."""
    file = config.out / UNFINISHED_LESSONS
    if config.resume:
        school = resumed(file, config.lasting(), device)
    else:
        school = new_school(config, teacher, rules, device, LESSON_LEARNING_RATE, derived_seed(config.seed, SCHOOL))
    return _after(school, rules, config.lessons, LESSON_MINIBATCH, LESSON_EPOCHS, file, "lessons")


def taught_by_search(config: Config, number: int, rules: GameRules, device: torch.device) -> Taught:
    """Return a policy of a training run after a round of lessons from search that it guides.

    The best policy begins, and every further round continues with that of the round before, whether it is the best or
    not: what a round gains is less than the error of an evaluation. Interrupted lessons are resumed.

    Args:
        config: configuration of the run; its folder holds the policies.
        number: number of the round.
        rules: rules of the game.
        device: device of the network.
    """
    file = config.out / UNFINISHED_ROUND.format(number)
    if file.exists():
        school = resumed(file, config.lasting(), device)
    else:
        guide = config.out / (BEST if number == 1 else LAST)
        teacher = f"{GuidedOptions.agent}:{guide},{ITERATIONS}"
        seed = derived_seed(config.seed, SEARCH_SCHOOL, number)
        school = new_school(config, teacher, rules, device, SEARCH_LEARNING_RATE, seed, load(guide))
    what = f"lessons of search, round {number}"
    return _after(school, rules, config.search_lessons, SEARCH_MINIBATCH, SEARCH_EPOCHS, file, what)


def new_school(
    config: Config,
    teacher: str,
    rules: GameRules,
    device: torch.device,
    learning_rate: float,
    seed: int,
    start: Policy | None = None,
) -> School:
    """Return a school before its first lesson; its pupil has the network of a training run.

    Lessons that begin with a policy are few and change little, so they compute precisely.
    """
    # The training draws the same numbers whether its lessons are resumed or not.
    with torch.random.fork_rng(devices=[]):
        pupil = Cloning(
            rules,
            config.network,
            config.width,
            config.depth,
            learning_rate,
            config.value,
            config.seed,
            start,
            bfloat16=config.bfloat16 and start is None,
            device=device,
        )
    return School(pupil, Lessons(rules, teacher, seed, config.reward), config.lasting())


def _after(
    school: School, rules: GameRules, decisions: int, minibatch: int, epochs: int, file: Path, what: str
) -> Taught:
    """Return the policy of a school after its lessons."""
    try:
        judged = school.attend(decisions, minibatch, epochs, file)
    except KeyboardInterrupt:
        if file.exists():
            made, kept = school.learned, school.saved
            print(f"\nstopped after {made:,} decisions of {what}; --resume continues from {kept:,}", file=sys.stderr)
        raise
    print(f"{what}: {school.learned:,} decisions; agreement with the teacher: {judged.right:.1%}")
    policy = exported(school.cloning.policy, rules, {})
    return Taught(policy, school.seconds / 60, school.processor_seconds / 60)
