"""The configuration of a training run: command line over preset over defaults."""

from __future__ import annotations

import math
import re
import tomllib
from dataclasses import MISSING, asdict, dataclass, field, fields
from itertools import takewhile
from pathlib import Path
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from thurn_env.checks import (
    MOST_GAMES,
    MOST_LANES,
    MOST_PLAYERS,
    MOST_THREADS,
    check_options,
    checked_choice,
    checked_flag,
    checked_number,
    checked_whole,
    plain,
    quoted,
)
from thurn_env.engine.cores import available_cores
from thurn_env.errors import OptionError
from thurn_env.files import read_text
from thurn_env.games import DEFAULT_GAME, make_rules
from thurn_env.games.board_files import as_name
from thurn_env.games.contract import GameRules
from thurn_env.games.options import parse_options
from thurn_env.players.policy import Network
from thurn_env.players.search_options import REWARDS_FOR_SEARCH
from thurn_env.training.folder import Difference, first_difference

__all__ = ["Config", "configured", "preset", "presets"]

PROGRAM = "thurn train"
PRESETS = Path(__file__).parent / "presets"
Critic = Literal["seat", "state"]
Reward = Literal["win", "rank", "margin", "score"]
Device = Literal["auto", "cpu", "cuda"]
INCIDENTAL = (
    *("out", "resume", "steps", "preset", "threads", "device"),
    *("evaluate_every", "evaluation_decks", "search_rounds"),
)
"""Arguments that may change when a run is resumed."""
MOST_SEED = 2**32 - 1
"""Largest seed that the generators of NumPy and of the libraries accept."""
MOST_DECISIONS = 10**12
"""Largest number of decisions of a run."""
MOST_ROLLOUT = 1 << 24
"""Largest number of decisions in a rollout, which is kept in memory."""
MOST_ROUNDS = 10_000
"""Largest number of epochs, and of snapshots."""
MOST_WIDTH, MOST_DEPTH = 16_384, 64
"""Largest number of neurons per hidden layer, and of hidden layers."""
LESSON_LEARNING_RATE, LESSON_MINIBATCH, LESSON_EPOCHS = 1e-3, 1024, 2
"""Defaults for learning from a teacher."""


@dataclass(frozen=True)
class Config:
    """Train a policy with MaskablePPO against a pool of opponents.

    Args:
        out: folder of the run: checkpoint, best policy, metrics.
        preset: set of default values: quick, standard or strong; arguments that are given take precedence.
        resume: continue the run in the folder `out`.
        game: name of the game.
        players: number of players.
        board: name of a shipped board, or path of a board file; by default the game's usual board.
        option: options of the game as name=value, see thurn info.
        reward: reward of a finished game: win, rank, margin or score.
        shaping: weight of rewards during the game, the changes of the margin; they do not change the return.
        steps: total number of the learner's decisions, without those of --curriculum.
        seed: seed of games, network and samples.
        lanes: number of parallel games.
        rollout: decisions per game in a rollout.
        minibatch: decisions per step of the optimiser.
        epochs: number of passes over every rollout.
        learning_rate: initial learning rate; it decreases linearly to a tenth.
        discount: discount factor gamma; games end, so 1 is unbiased.
        trace: lambda of generalised advantage estimation.
        clip: clip range of the probability ratio.
        entropy: initial weight of the entropy bonus; it decreases linearly to a tenth.
        magnet: weight of the KL divergence from the policy with the mean weights of --average, which damps cycles of
            self-play; 0 for none.
        value: weight of the value loss.
        most_divergence: KL divergence at which learning from a rollout stops early.
        average: number of decisions over which the weights are averaged; evaluations and policy files use the mean. 0
            turns averaging off.
        critic: seat (advantages come from the value of the seat's view), or state (from a value that sees all hands; it
            is used only in training, and policy files keep the value of the view).
        network: mlp (fully connected), city (layers shared by all cities, connected as on the board, before the mlp and
            for the actions about a city), or ways (mlp that also sees the cheapest ways for the own tickets, with
            layers shared by all tracks, tickets, kinds of cards and passengers for the actions about them).
        width: neurons per hidden layer.
        depth: number of hidden layers.
        bfloat16: compute the hidden layers in bfloat16, for processors with AVX512-BF16 or AMX.
        opponents: the pool as name=share: scripted bots, policies as ppo:PATH, self (a recent snapshot of the learner),
            past (earlier snapshots), learner (the learner plays every seat and learns from all decisions), and
            each:AGENT (any other agent, one game after the other, which is slow).
        snapshot_every: decisions between two snapshots for self and past.
        snapshots: largest number of past snapshots, evenly spaced; when there are more, every other one is dropped.
        need: preference for past snapshots that the learner loses to: each is drawn with weight (1 - share won
            against it) ** need; 0 draws all of them equally often.
        evaluate_every: decisions between two evaluations.
        evaluation_decks: decks per evaluation, each played from every seat.
        evaluate_against: scripted bots, policies as ppo:PATH or each:AGENT to evaluate against; the mean share won
            counts.
        start: initial policy, in place of a preset's teacher and curriculum: a policy file or the name of a published
            model, also for another number of players or the usual options of the game.
        teacher: what the policy imitates first, as in thurn imitate: a scripted bot, a policy as ppo:PATH, or published
            (the published policy for this table if there is one, else the best scripted bot).
        lessons: number of decisions that the teacher labels.
        search_rounds: rounds of lessons from search that the policy guides (expert iteration), when all decisions are
            made; each continues with the policy of the one before. 0 for none.
        search_lessons: number of decisions in each of these rounds; search labels those that the policy is unsure of.
        curriculum: other numbers of players to learn for first, as players=decisions; each run begins with the best
            policy of the run before it. An entry for --players itself ends it: that one and later ones are left out.
        overlap: learn from a rollout while the next one is collected, for two cores.
        device: cpu, cuda, or auto (a GPU if there is one).
        threads: threads of torch and NumPy; by default one per core.
    """

    out: Path
    preset: str | None = None
    resume: bool = False
    game: str = DEFAULT_GAME
    players: int = 2
    board: str | None = None
    option: tuple[str, ...] = ()
    reward: Reward = "win"
    shaping: float = 0.0
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
    magnet: float = 0.0
    value: float = 0.5
    most_divergence: float = 0.05
    average: int = 1_000_000
    critic: Critic = "seat"
    network: Network = "mlp"
    width: int = 256
    depth: int = 2
    bfloat16: bool = False
    opponents: tuple[str, ...] = ("heuristic=0.25", "self=0.5", "past=0.25")
    snapshot_every: int = 500_000
    snapshots: int = 16
    need: float = 0.0
    evaluate_every: int = 2_000_000
    evaluation_decks: int = 200
    evaluate_against: tuple[str, ...] = ("heuristic",)
    start: Path | None = None
    teacher: str | None = None
    lessons: int = 6_000_000
    search_rounds: int = 0
    search_lessons: int = 1_000_000
    curriculum: tuple[str, ...] = ()
    overlap: bool = False
    device: Device = "auto"
    threads: int = field(default_factory=available_cores)

    def __post_init__(self) -> None:
        # Every run notes its configuration as JSON, which does not support NumPy's numbers or paths.
        for value in fields(self):
            object.__setattr__(self, value.name, plain(getattr(self, value.name)))
        if self.board is not None:
            object.__setattr__(self, "board", as_name(self.board))
        if self.start is not None:
            object.__setattr__(self, "start", Path(policy_name(self.start)))

    def check(self) -> None:
        """Raise `OptionError` if a value is out of bounds."""
        decisions = ("steps", "snapshot_every", "evaluate_every", "lessons", "search_lessons")
        check_options(self, checked_whole, decisions, 1, MOST_DECISIONS)
        check_options(self, checked_whole, ("search_rounds",), 0, MOST_ROUNDS)
        check_options(self, checked_whole, ("average",), 0, MOST_DECISIONS)
        check_options(self, checked_whole, ("lanes", "rollout"), 1, MOST_LANES)
        check_options(self, checked_whole, ("epochs", "snapshots"), 1, MOST_ROUNDS)
        check_options(self, checked_whole, ("evaluation_decks",), 1, MOST_GAMES)
        check_options(self, checked_whole, ("threads",), 1, MOST_THREADS)
        check_options(self, checked_number, ("discount", "trace", "clip"), 0, 1)
        check_options(self, checked_number, ("shaping", "entropy", "magnet", "need"), 0, 10)
        check_options(self, checked_number, ("most_divergence",), 0, 100, above=True)
        check_options(self, checked_flag, ("resume", "bfloat16", "overlap"))
        check_options(self, checked_whole, ("players",), 1, MOST_PLAYERS)
        check_choices(self, reward=Reward, critic=Critic)
        check_network(self)
        if not 2 <= self.lanes * self.rollout <= MOST_ROLLOUT:
            raise OptionError(
                f"--lanes times --rollout must be from 2 to {MOST_ROLLOUT:,}, not {self.lanes * self.rollout:,}: "
                "a rollout is kept in memory"
            )
        if self.teacher and self.start:
            raise OptionError("give either --teacher or --start, not both: each of them determines the initial policy")
        if self.magnet and not self.average:
            raise OptionError("--magnet needs the mean of the weights: give --average a positive number")
        if self.search_rounds and self.reward not in REWARDS_FOR_SEARCH:
            raise OptionError(
                f"--search-rounds needs --reward win or rank, not {self.reward}: search compares chances to win"
            )
        if self.search_rounds and self.shaping:
            raise OptionError("--search-rounds needs --shaping 0: with shaping, values are no chances to win")
        if self.search_rounds and "," in str(self.out):
            raise OptionError(
                f"--search-rounds needs an --out without a comma, which begins options of search: {self.out}"
            )
        if not self.evaluate_against:
            raise OptionError("--evaluate-against: name at least one")
        for place, name in enumerate(self.evaluate_against):
            if name in self.evaluate_against[:place]:
                raise OptionError(f"--evaluate-against: {name} is given twice")
        self.shares()
        self.players_before()

    def players_before(self) -> list[tuple[int, int]]:
        """Return the numbers of players to learn for first, each with its number of decisions.

        One curriculum serves every number of players: it ends before an entry for the configured one.

        Raises:
            OptionError: an entry is invalid, or a number of players is given twice.
        """
        entries = dict[int, int]()
        for entry in self.curriculum:
            valid = re.fullmatch(r"(\d+)=(\d+(?:_\d+)*)", entry)
            if not valid:
                raise OptionError(
                    f"--curriculum must be players=decisions, for example 2=40000000, not {quoted(entry)}"
                )
            players = checked_whole("--curriculum: players", int(valid[1]), 1, MOST_PLAYERS)
            if players in entries:
                raise OptionError(f"--curriculum: {players} players are given twice")
            entries[players] = checked_whole("--curriculum: decisions", int(valid[2]), 1, MOST_DECISIONS)
        return list(takewhile(lambda entry: entry[0] != self.players, entries.items()))

    def shares(self) -> dict[str, float]:
        """Return every opponent's share of the pool, sum 1; raise `OptionError` if a share is not a positive number."""
        shares: dict[str, float] = {}
        for entry in self.opponents:
            name, equals, text = entry.rpartition("=")
            try:
                share = float(text)
            except ValueError:
                share = math.nan
            if not equals or not name or math.isnan(share):
                raise OptionError(f"--opponents must be name=share, for example heuristic=0.5, not {quoted(entry)}")
            if not 0 < share < math.inf:
                raise OptionError(f"--opponents: a share must be more than 0 and finite, not {quoted(entry)}")
            if name in shares:
                raise OptionError(f"--opponents: {name} is given twice")
            shares[name] = share
        if not shares:
            raise OptionError("--opponents: name at least one")
        total = sum(shares.values())
        return {name: share / total for name, share in shares.items()}

    def as_dict(self) -> dict[str, Any]:
        """Return all values as JSON types."""
        return {
            name: list(value) if isinstance(value, tuple) else str(value) if isinstance(value, Path) else value
            for name, value in asdict(self).items()
        }

    def words(self) -> list[str]:
        """Return the arguments of `thurn train` that make this configuration, without the preset it may come from."""
        words = ["--out", str(self.out)]
        for declared in fields(self):
            value = getattr(self, declared.name)
            usual = declared.default if declared.default is not MISSING else None
            if declared.name in ("out", "preset", "threads") or value == usual:
                continue
            option = f"--{declared.name.replace('_', '-')}"
            if isinstance(value, bool):
                words.append(option if value else f"--no-{option[2:]}")
            else:
                words += [option, *map(str, value if isinstance(value, tuple) else (value,))]
        return words

    def lasting(self) -> dict[str, Any]:
        """Return the values that must not change when a run is resumed."""
        return {name: value for name, value in self.as_dict().items() if name not in INCIDENTAL}

    def differs_from(self, saved: dict[str, Any]) -> Difference | None:
        """Return the first value that must not differ from a saved run but does; None if there is none."""
        return first_difference(completed(saved), self.lasting())


def policy_name(given: str | Path) -> str:
    """Return the path or published name of a policy that may also be named as an agent, `ppo:NAME`."""
    return str(given).removeprefix("ppo:")


def completed(saved: dict[str, Any]) -> dict[str, Any]:
    """Return the configuration of a saved run, with the defaults of the options that its version did not have."""
    return Config(Path()).as_dict() | saved


def check_choices(arguments: Any, **kinds: Any) -> None:
    """Raise `OptionError` if options are not among the values of their literal types."""
    for name, kind in kinds.items():
        checked_choice(f"--{name}", getattr(arguments, name), get_args(kind))


def check_network(arguments: Any) -> None:
    """Raise `OptionError` if options about the network and its training are out of bounds; two programs have them."""
    check_choices(arguments, network=Network, device=Device)
    check_options(arguments, checked_whole, ("minibatch",), 1, MOST_ROLLOUT)
    check_options(arguments, checked_whole, ("width",), 1, MOST_WIDTH)
    check_options(arguments, checked_whole, ("depth",), 1, MOST_DEPTH)
    check_options(arguments, checked_number, ("learning_rate",), 0, 1, above=True)
    check_options(arguments, checked_number, ("value",), 0, 100)
    check_options(arguments, checked_whole, ("seed",), 0, MOST_SEED)


def game_arguments(config: dict[str, Any]) -> list[str]:
    """Return the options of `thurn tournament` for the game of a configuration, see `Config.as_dict`."""
    return [
        *("--game", config["game"], "--players", str(config["players"])),
        *(("--board", config["board"]) if config["board"] else ()),
        *(("--option", *config["option"]) if config["option"] else ()),
    ]


def presets() -> list[str]:
    """Return the names of the presets."""
    return sorted(path.stem for path in PRESETS.glob("*.toml"))


def preset(name: str, game: str = DEFAULT_GAME, start: bool = False) -> dict[str, Any]:
    """Return the values of a preset for a game.

    Args:
        name: name of the preset.
        game: name of the game; a table with this name in the file of the preset takes precedence over its other values.
        start: whether the run names an initial policy, which takes the place of teacher and curriculum.

    Raises:
        OptionError: the preset does not exist.
    """
    path = PRESETS / f"{name}.toml"
    if not path.exists():
        raise OptionError(f"there is no preset {name!r}; the presets are {', '.join(presets())}")
    try:
        values = tomllib.loads(read_text(path, OptionError))
    except tomllib.TOMLDecodeError as error:
        raise OptionError(f"{path} is not a valid TOML file: {error}") from None
    games = {key: value for key, value in values.items() if isinstance(value, dict)}
    every_game = {key: value for key, value in values.items() if key not in games}
    chosen = _checked(every_game, str(path)) | _checked(games.get(game, {}), f"{path}: {game}")
    return {key: value for key, value in chosen.items() if not (start and key in ("teacher", "curriculum"))}


def configured(values: dict[str, Any], where: str) -> Config:
    """Return the configuration of plain values, as in a TOML file, over those of the preset that they name.

    Args:
        values: values by name.
        where: source of the values, for error messages.

    Raises:
        OptionError: a name is unknown, or a value has the wrong type.
    """
    checked = _checked(values, where)
    name, game = checked.get("preset"), checked.get("game", DEFAULT_GAME)
    return Config(**{**(preset(name, game, "start" in checked) if name else {}), **checked})


def _checked(values: dict[str, Any], where: str) -> dict[str, Any]:
    """Convert values of a TOML file for `Config`; raise `OptionError` for an unknown name or a wrong type."""
    kinds = get_type_hints(Config)
    for key, value in values.items():
        if key not in kinds:
            raise OptionError(f"{where}: unknown option {key!r}")
        if not _is(value, kinds[key]):
            raise OptionError(f"{where}: invalid value {value!r} for {key}")
    return {key: _converted(value, kinds[key]) for key, value in values.items()}


def _converted(value: Any, kind: Any) -> Any:
    """Convert a value of a TOML file to the type that `Config` declares: lists to tuples, texts to paths."""
    if kind is Path or Path in get_args(kind):
        return Path(value)
    return tuple(value) if isinstance(value, list) else value


def _is(value: Any, kind: Any) -> bool:
    """Return whether a value of a TOML file has this type."""
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
        OptionError: game, board or option is unknown.
    """
    return make_rules(config["game"], config["players"], config["board"], **parse_options(config["option"]))
