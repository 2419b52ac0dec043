"""Lessons from a teacher, which can be interrupted and resumed."""

from __future__ import annotations

import pickle
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch

from thurn_env.engine.generator import derived_seed
from thurn_env.errors import OptionError
from thurn_env.files import make_folder, write_bytes
from thurn_env.games.contract import GameRules
from thurn_env.players.policy import Policy
from thurn_env.progress import Progress
from thurn_env.training.cloning import Cloning, Judged
from thurn_env.training.config import LESSON_EPOCHS, LESSON_LEARNING_RATE, LESSON_MINIBATCH, Config, completed
from thurn_env.training.exchange import exported
from thurn_env.training.folder import UNFINISHED_LESSONS, first_difference, unpickled
from thurn_env.training.stopping import gentle_stop
from thurn_env.training.teacher import LANES, STEPS, Lessons, resolved

FORMAT = "thurn-lessons/5"
SCHOOL = 4
"""Number of the seed stream."""
SAVE_EVERY = 16
"""Lessons between two saves of the state."""
LESSON = LANES * STEPS
"""Decisions per lesson."""


class School:
    """A pupil, its lessons and its progress.

    Args:
        cloning: the pupil.
        lessons: decisions labelled by its teacher.
        config: configuration, which must not change when the lessons are resumed.

    Attributes:
        learned: number of decisions learned from.
        saved: value of `learned` at the last save.
        seconds: duration of the lessons so far.
    """

    def __init__(self, cloning: Cloning, lessons: Lessons, config: dict[str, Any]) -> None:
        self.cloning, self.lessons, self.config = cloning, lessons, config
        self.learned = self.saved = 0
        self.seconds = 0.0

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
        rows = np.arange(LESSON)
        whole = -(-decisions // LESSON) * LESSON
        with Progress("lessons", whole, "decisions", self.learned) as progress, gentle_stop() as stop:
            while self.learned < decisions:
                if self.learned % (SAVE_EVERY * LESSON) == 0:
                    self.save(file)
                start = time.perf_counter()
                lesson = self.lessons.next(self.cloning)
                for _ in range(epochs):
                    self.cloning.learn(lesson, rows, minibatch, self.learned / decisions, lesson.probabilities)
                self.seconds += time.perf_counter() - start
                self.learned += LESSON
                progress.advance(LESSON)
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


def taught(config: Config, teacher: str, rules: GameRules, device: torch.device) -> Policy:
    """Return the initial policy of a training run after its lessons; interrupted lessons are resumed."""
    file = config.out / UNFINISHED_LESSONS
    lasting = config.lasting()
    if config.resume:
        school = resumed(file, lasting, device)
    else:
        # The training draws the same numbers whether its lessons are resumed or not.
        with torch.random.fork_rng(devices=[]):
            pupil = Cloning(
                rules,
                config.network,
                config.width,
                config.depth,
                LESSON_LEARNING_RATE,
                config.value,
                config.seed,
                bfloat16=config.bfloat16,
                device=device,
            )
        school = School(pupil, Lessons(rules, teacher, derived_seed(config.seed, SCHOOL)), lasting)
    try:
        judged = school.attend(config.lessons, LESSON_MINIBATCH, LESSON_EPOCHS, file)
    except KeyboardInterrupt:
        if file.exists():
            made, kept = school.learned, school.saved
            print(f"\nstopped after {made:,} decisions of lessons; --resume continues from {kept:,}", file=sys.stderr)
        raise
    print(f"lessons: {school.learned:,} decisions; agreement with the teacher: {judged.right:.1%}")
    return exported(school.cloning.policy, rules, {"minutes": round(school.seconds / 60, 1)})
