"""Imitation learning from records, from a scripted bot or from a policy."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from thurn_env import make_rules
from thurn_env.engine.lanes import BoolArray
from thurn_env.engine.provenance import earlier
from thurn_env.errors import OptionError
from thurn_env.files import check_folder
from thurn_env.games import DEFAULT_GAME
from thurn_env.games.contract import GameRules
from thurn_env.games.engines import provenance
from thurn_env.games.options import parse_options
from thurn_env.players.policy import policy_for, save
from thurn_env.progress import Progress
from thurn_env.table.record import Record
from thurn_env.table.transitions import transitions
from thurn_env.tournament.folder import DESCRIPTION, GAMES
from thurn_env.training.cloning import Cloning
from thurn_env.training.config import LESSON_EPOCHS
from thurn_env.training.device import device_for, use_threads
from thurn_env.training.exchange import exported
from thurn_env.training.imitation_config import ImitationConfig
from thurn_env.training.matches import play_paired
from thurn_env.training.memory import keep_freed_memory
from thurn_env.training.school import School, resumed
from thurn_env.training.teacher import Lessons, resolved
from thurn_env.training.transfer import initial_policy

HELD_OUT = 10
"""One in `HELD_OUT` decks is held out."""
EPOCHS_OF_RECORDS = 10
"""Default number of epochs with records."""
INCIDENTAL = ("out", "resume", "device", "threads")
"""Arguments that may change when lessons are resumed."""
DUEL = 500
"""Number of decks for the final match between pupil and teacher."""


def inside(folder: Path) -> list[Path]:
    """Return the files of records in a folder; other files of a tournament are left out."""
    tournaments = [description.parent for description in folder.rglob(DESCRIPTION)]
    return sorted(
        file
        for file in folder.rglob("*")
        if file.suffix in (".jsonl", ".json")
        and not any(file.is_relative_to(path) and file.parent != path / GAMES for path in tournaments)
    )


def files_of(paths: tuple[Path, ...]) -> list[Path]:
    """Return the files of records, with folders expanded; raise `OptionError` if there are none."""
    found = [file for path in paths for file in (inside(path) if path.is_dir() else [path])]
    if not found:
        raise OptionError(f"there are no records in {', '.join(map(str, paths))}")
    return found


def read(files: list[Path]) -> Iterator[Record]:
    """Yield all records, with a progress bar over the files."""
    with Progress("read", len(files), "files") as progress:
        for file in files:
            yield from Record.load_all(file)
            progress.advance(1)


def held_out_games(records: Sequence[Record]) -> BoolArray:
    """Return the held-out games, bool (games,): those of every tenth deck, so that training sees no held-out deck."""
    decks: dict[str, int] = {}
    # The first outcomes of chance are equal in all games with a deck; later ones depend on the moves.
    dealt = [str([log[:1] for log in record.chance.values() if isinstance(log, list)]) for record in records]
    return np.array([decks.setdefault(deal, len(decks)) % HELD_OUT == 0 for deal in dealt], bool)


def begin(rules: GameRules, config: ImitationConfig) -> Cloning:
    """Return an untrained policy."""
    start = initial_policy(rules, str(config.start)) if config.start else None
    cloning = Cloning(
        rules,
        config.network,
        config.width,
        config.depth,
        config.learning_rate,
        config.value,
        config.seed,
        start,
        device=device_for(config.device),
    )
    # Note this now: the file may be changed or deleted before the policy is written.
    if config.start and start:
        cloning.begun_with = earlier(config.start, start.made)
    return cloning


def write(cloning: Cloning, config: ImitationConfig, command: str, made: dict[str, Any]) -> None:
    """Write the policy and how it was made."""
    start = {"start": cloning.begun_with} if cloning.begun_with else {}
    facts = provenance(cloning.rules.name, command, seed=config.seed, **start, **made)
    save(exported(cloning.policy, cloning.rules, facts), config.out)


def imitate(config: ImitationConfig, command: str = "") -> str:
    """Train a policy to imitate others, and write it to `config.out`.

    Args:
        config: configuration of the training.
        command: command line to note in the policy.

    Returns:
        The agreement of the policy with held-out decisions, as text.

    Raises:
        OptionError: a value is out of bounds, or there are no records.
        ThurnError: the file cannot be written.
        KeyboardInterrupt: lessons of a teacher were interrupted; with `config.resume` the next call continues them.
    """
    config.check()
    check_folder(config.out.parent)
    use_threads(config.threads)
    keep_freed_memory()
    if config.teacher:
        return from_teacher(config, config.teacher, command)
    return from_records(config, command)


def from_records(config: ImitationConfig, command: str) -> str:
    """Train on records and return the agreement as text."""
    files = files_of(config.records)
    records = list(read(files))
    data = transitions(records, agents=config.agents or None)
    rules = records[0].rules
    wanted = data.returns > 0 if config.won else np.ones(len(data), bool)
    held = held_out_games(records)[data.games]
    training, testing = np.flatnonzero(wanted & ~held), np.flatnonzero(wanted & held)
    if not len(training) or not len(testing):
        raise OptionError(f"{len(records)} games are too few: every tenth deck is held out as the test set")
    cloning, epochs = begin(rules, config), config.epochs or EPOCHS_OF_RECORDS
    with Progress("learn", epochs * len(training), "decisions") as progress:
        for epoch in range(epochs):
            cloning.learn(data, training, config.minibatch, epoch / epochs)
            progress.advance(len(training))
    judged = cloning.judge(data, testing)
    figures = {"decisions": len(training), "games": len(records), **judged._asdict()}
    write(cloning, config, command, figures)
    return (
        f"learned from {len(training):,} decisions; agreement on {len(testing):,} held-out decisions: "
        f"{judged.right:.1%}, cross-entropy {judged.cross_entropy}"
    )


def from_teacher(config: ImitationConfig, teacher: str, command: str) -> str:
    """Train on a teacher's labels and return the agreement as text. Interrupted lessons can be resumed."""
    options = parse_options(config.option)
    game, players = config.game or DEFAULT_GAME, 2 if config.players is None else config.players
    rules = make_rules(game, players, config.board, **options)
    unfinished = config.unfinished
    teacher = teacher if config.resume else resolved(rules, teacher)
    values = vars(config) | {"game": game, "players": players, "teacher": teacher}
    lasting = {name: str(value) for name, value in values.items() if name not in INCIDENTAL}
    if config.resume:
        school = resumed(unfinished, lasting, device_for(config.device))
        teacher = str(school.config["teacher"])
    else:
        school = School(begin(rules, config), Lessons(rules, teacher, config.seed), lasting)
    try:
        judged = school.attend(config.decisions, config.minibatch, config.epochs or LESSON_EPOCHS, unfinished)
    except KeyboardInterrupt:
        if unfinished.exists():
            made, kept = school.learned, school.saved
            print(f"\nstopped after {made:,} decisions; --resume continues from {kept:,}", file=sys.stderr)
        raise
    minutes = round(school.seconds / 60, 1)
    facts = {"teacher": teacher, "decisions": school.learned, "minutes": minutes, **judged._asdict()}
    write(school.cloning, config, command, facts)
    unfinished.unlink()
    result = (
        f"learned from {school.learned:,} decisions; agreement with the teacher on {school.lessons.size:,} new "
        f"decisions: {judged.right:.1%}, cross-entropy {judged.cross_entropy}"
    )
    rival = school.lessons.teacher.rival
    played = play_paired(rules, policy_for(rules, str(config.out)), rival, DUEL, config.seed)
    against = "the teacher" if rival == teacher else rival
    return f"{result}; win rate against {against}: {played.won.mean():.1%} of {DUEL * rules.players:,} games"
