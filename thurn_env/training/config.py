"""What a training run is asked to do: command line over preset over the usual values."""

from __future__ import annotations

import math
import tomllib
from dataclasses import MISSING, asdict, dataclass, field, fields
from pathlib import Path
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from thurn_env.checks import (
    MOST_GAMES,
    MOST_LANES,
    MOST_PLAYERS,
    MOST_THREADS,
    check_options,
    checked_flag,
    checked_number,
    checked_whole,
    plain,
    quoted,
)
from thurn_env.engine.pace import available_cores
from thurn_env.errors import OptionError
from thurn_env.files import read_text
from thurn_env.games import DEFAULT_GAME, make_rules
from thurn_env.games.board_files import as_name
from thurn_env.games.contract import GameRules
from thurn_env.games.options import parse_options

__all__ = ["Config", "configured", "preset", "presets"]

PROGRAM = "thurn train"
PRESETS = Path(__file__).parent / "presets"
Network = Literal["mlp", "city"]
Device = Literal["auto", "cpu", "cuda"]
INCIDENTAL = ("out", "resume", "steps", "preset", "threads", "device", "evaluate_every", "evaluation_decks")
"""Arguments that may change when a run goes on."""
MOST_SEED = 2**32 - 1
"""What the generators of NumPy and of the libraries take."""
MOST_DECISIONS = 10**12
"""Decisions that a run may be asked for."""
MOST_ROLLOUT = 1 << 24
"""Decisions that a rollout may have; all are kept in memory."""
MOST_ROUNDS = 10_000
"""How often something may be learned from, and how many snapshots may be kept."""
MOST_WIDTH, MOST_DEPTH = 16_384, 64
"""Neurons of a hidden layer, and hidden layers."""
LESSON_LEARNING_RATE, LESSON_MINIBATCH, LESSON_EPOCHS = 1e-3, 1024, 2
"""How a policy learns from a teacher, if nothing else is asked for."""


@dataclass(frozen=True)
class Config:
    """Train a policy with MaskablePPO against a pool of opponents.

    Args:
        out: the folder of the run: checkpoint, best policy, figures.
        preset: values to begin with: quick, standard or full; arguments that are given take precedence.
        resume: go on with the run in the folder.
        game: the name of the game.
        players: number of players.
        board: a board that comes with the game, or the path of a board file; the game's usual board if not given.
        option: the game's own options as name=value, see thurn info.
        reward: what a finished game pays: win, rank, margin or score.
        steps: decisions of the learner in all.
        seed: of games, network and samples.
        lanes: games side by side.
        rollout: decisions in every game between two rounds of learning.
        minibatch: positions in one step of the optimiser.
        epochs: how often a rollout is learned from.
        learning_rate: at the beginning; it falls to a tenth in a straight line.
        discount: gamma; games end, so 1 is honest.
        trace: lambda of generalised advantage estimation.
        clip: how far a probability may move from the rollout's, as a ratio.
        entropy: weight of the entropy bonus at the beginning; it falls to a tenth like the learning rate.
        value: weight of the value's loss.
        most_divergence: a round of learning ends early beyond this KL divergence.
        average: decisions that the mean of the weights reaches back, which evaluations play and files hold; 0: the
            weights as they are.
        network: mlp; or city: before it come layers that cities share, which see the neighbours on the board.
        width: neurons of a hidden layer.
        depth: hidden layers.
        bfloat16: compute the hidden layers with 16 bits while learning, for machines with matrix units.
        opponents: the pool as name=share: scripted bots, policies as ppo:PATH, self (the learner as it was a moment
            ago) and past (as it was before that).
        snapshot_every: decisions between two snapshots for self and past.
        snapshots: how many past selves are kept, evenly spaced; when there are more, every other one goes.
        evaluate_every: decisions between two evaluations.
        evaluation_decks: decks of an evaluation, each played from every seat.
        evaluate_against: scripted bots or policies that an evaluation is played against; the mean counts.
        start: a policy to begin with, as thurn_env.commands.imitate writes it.
        teacher: a scripted bot from which the policy takes lessons first, as in thurn_env.commands.imitate.
        lessons: how many decisions the teacher comments on.
        device: cpu, cuda, or auto: a GPU if there is one.
        threads: of torch and NumPy; one for every core if not given.
    """

    out: Path
    preset: str | None = None
    resume: bool = False
    game: str = DEFAULT_GAME
    players: int = 2
    board: str | None = None
    option: tuple[str, ...] = ()
    reward: Literal["win", "rank", "margin", "score"] = "win"
    steps: int = 40_000_000
    seed: int = 1
    lanes: int = 512
    rollout: int = 64
    minibatch: int = 2048
    epochs: int = 1
    learning_rate: float = 5e-4
    discount: float = 1.0
    trace: float = 0.95
    clip: float = 0.2
    entropy: float = 0.01
    value: float = 0.5
    most_divergence: float = 0.05
    average: int = 1_000_000
    network: Network = "mlp"
    width: int = 256
    depth: int = 2
    bfloat16: bool = False
    opponents: tuple[str, ...] = ("heuristic=0.25", "self=0.5", "past=0.25")
    snapshot_every: int = 500_000
    snapshots: int = 16
    evaluate_every: int = 2_000_000
    evaluation_decks: int = 200
    evaluate_against: tuple[str, ...] = ("heuristic",)
    start: Path | None = None
    teacher: str | None = None
    lessons: int = 6_000_000
    device: Device = "auto"
    threads: int = field(default_factory=available_cores)

    def __post_init__(self) -> None:
        # JSON, in which every run notes its configuration, has no place for NumPy's numbers or for paths.
        for value in fields(self):
            object.__setattr__(self, value.name, plain(getattr(self, value.name)))
        if self.board is not None:
            object.__setattr__(self, "board", as_name(self.board))

    def check(self) -> None:
        """`OptionError` if a value is out of bounds."""
        check_options(self, checked_whole, ("steps", "snapshot_every", "evaluate_every", "lessons"), 1, MOST_DECISIONS)
        check_options(self, checked_whole, ("average",), 0, MOST_DECISIONS)
        check_options(self, checked_whole, ("lanes", "rollout"), 1, MOST_LANES)
        check_options(self, checked_whole, ("epochs", "snapshots"), 1, MOST_ROUNDS)
        check_options(self, checked_whole, ("evaluation_decks",), 1, MOST_GAMES)
        check_options(self, checked_whole, ("threads",), 1, MOST_THREADS)
        check_options(self, checked_number, ("discount", "trace", "clip"), 0, 1)
        check_options(self, checked_number, ("entropy",), 0, 10)
        check_options(self, checked_number, ("most_divergence",), 0, 100, above=True)
        check_options(self, checked_flag, ("resume", "bfloat16"))
        check_options(self, checked_whole, ("players",), 1, MOST_PLAYERS)
        check_network(self)
        if not 2 <= self.lanes * self.rollout <= MOST_ROLLOUT:
            raise OptionError(
                f"--lanes times --rollout must be from 2 to {MOST_ROLLOUT:,}, not {self.lanes * self.rollout:,}: "
                "so many decisions are kept in memory and learned from"
            )
        if self.teacher and self.start:
            raise OptionError("give either --teacher, whose lessons the policy begins with, or --start, not both")
        if not self.evaluate_against:
            raise OptionError("--evaluate-against: at least one is needed")
        self.shares()

    def shares(self) -> dict[str, float]:
        """The pool: every opponent's share, which sum up to 1; `OptionError` if one is no number."""
        shares: dict[str, float] = {}
        for entry in self.opponents:
            name, equals, text = entry.rpartition("=")
            try:
                share = float(text)
            except ValueError:
                share = -1.0
            if not equals or not name or not 0 < share < math.inf:
                raise OptionError(f"--opponents wants name=share, as in heuristic=0.5, not {quoted(entry)}")
            if name in shares:
                raise OptionError(f"--opponents: {name} is given twice")
            shares[name] = share
        if not shares:
            raise OptionError("--opponents: at least one is needed")
        total = sum(shares.values())
        return {name: share / total for name, share in shares.items()}

    def as_dict(self) -> dict[str, Any]:
        """All values as JSON has them."""
        return {
            name: list(value) if isinstance(value, tuple) else str(value) if isinstance(value, Path) else value
            for name, value in asdict(self).items()
        }

    def words(self) -> list[str]:
        """The arguments of `thurn train` that differ from the usual values."""
        words = ["--out", str(self.out)]
        for declared in fields(self):
            value = getattr(self, declared.name)
            usual = declared.default if declared.default is not MISSING else None
            if declared.name in ("out", "threads") or value == usual:
                continue
            option = f"--{declared.name.replace('_', '-')}"
            if isinstance(value, bool):
                words.append(option if value else f"--no-{option[2:]}")
            else:
                words += [option, *map(str, value if isinstance(value, tuple) else (value,))]
        return words

    def lasting(self) -> dict[str, Any]:
        """The values that must be the same when a run goes on."""
        return {name: value for name, value in self.as_dict().items() if name not in INCIDENTAL}

    def differs_from(self, saved: dict[str, Any]) -> str:
        """The first value that is not the one of a saved run, of those that must be; empty if all agree."""
        return next((name for name, value in self.lasting().items() if value != saved.get(name)), "")


def check_network(arguments: Any) -> None:
    """`OptionError` if options about the network and its learning are out of bounds; two programs have them."""
    check_options(arguments, checked_whole, ("minibatch",), 1, MOST_ROLLOUT)
    check_options(arguments, checked_whole, ("width",), 1, MOST_WIDTH)
    check_options(arguments, checked_whole, ("depth",), 1, MOST_DEPTH)
    check_options(arguments, checked_number, ("learning_rate",), 0, 1, above=True)
    check_options(arguments, checked_number, ("value",), 0, 100)
    check_options(arguments, checked_whole, ("seed",), 0, MOST_SEED)


def game_arguments(config: dict[str, Any]) -> list[str]:
    """The game of a configuration, see `Config.as_dict`, on the command line of `thurn_env.tournament.tournament`."""
    return [
        *("--game", config["game"], "--players", str(config["players"])),
        *(("--board", config["board"]) if config["board"] else ()),
        *(("--option", *config["option"]) if config["option"] else ()),
    ]


def presets() -> list[str]:
    """The names of the presets."""
    return sorted(path.stem for path in PRESETS.glob("*.toml"))


def preset(name: str) -> dict[str, Any]:
    """The values of a preset; `OptionError` if there is none."""
    path = PRESETS / f"{name}.toml"
    if not path.exists():
        raise OptionError(f"there is no preset {name!r}; the presets are {', '.join(presets())}")
    try:
        values = tomllib.loads(read_text(path, OptionError))
    except tomllib.TOMLDecodeError as error:
        raise OptionError(f"{path} is no TOML file: {error}") from None
    return _checked(values, str(path))


def configured(values: dict[str, Any], where: str) -> Config:
    """Return the configuration of plain values, as a TOML file has them, over those of a preset that they name.

    Args:
        values: values by name.
        where: what to name in messages.

    Raises:
        OptionError: there is no such value, or it is of a wrong type.
    """
    checked = _checked(values, where)
    name = checked.get("preset")
    return Config(**{**(preset(name) if name else {}), **checked, "out": Path(checked["out"])})


def _checked(values: dict[str, Any], where: str) -> dict[str, Any]:
    """Values of a TOML file as `Config` takes them; `OptionError` if one does not exist or is of a wrong type."""
    kinds = get_type_hints(Config)
    for key, value in values.items():
        if key not in kinds:
            raise OptionError(f"{where}: there is no value {key!r}")
        if not _is(value, kinds[key]):
            raise OptionError(f"{where}: {key} cannot be {value!r}")
    return {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}


def _is(value: Any, kind: Any) -> bool:
    """Whether a value of a TOML file can stand for this type."""
    inner = get_args(kind)
    if get_origin(kind) is Literal:
        return value in inner
    if get_origin(kind) is UnionType:
        return any(_is(value, one) for one in inner)
    if get_origin(kind) is tuple:
        return isinstance(value, list) and all(_is(entry, inner[0]) for entry in value)
    return type(value) in {float: (int, float), Path: (str,)}.get(kind, (kind,))


def rules_of(config: dict[str, Any]) -> GameRules:
    """Return the rules of a configuration, see `Config.as_dict`.

    Raises:
        OptionError: there is no such game, board or option.
    """
    return make_rules(config["game"], config["players"], config["board"], **parse_options(config["option"]))
