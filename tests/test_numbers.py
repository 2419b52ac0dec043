"""Numbers are numbers, also NumPy's; truth values are none; and what is out of range is refused in a sentence."""

from __future__ import annotations

import inspect
import json
import math
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from thurn_env import Game, make_rules
from thurn_env.checks import array_of, finite, plain, quoted, whole
from thurn_env.envs.aec import GameEnv
from thurn_env.envs.sb3 import LearnerVecEnv
from thurn_env.envs.single import LearnerEnv
from thurn_env.envs.vector import LearnerVectorEnv
from thurn_env.errors import AgentError, OptionError, RecordError, ThurnError
from thurn_env.games import GAMES
from thurn_env.players.agent import ScriptedAgent, make_agent
from thurn_env.players.match import play_match, play_scripted, run_match, run_scripted
from thurn_env.players.mcts import MCTS
from thurn_env.players.search_options import GuidedOptions, SearchOptions
from thurn_env.table.batch import Batch
from thurn_env.table.record import Record
from thurn_env.table.replay import resume, verify
from thurn_env.tournament.config import Config as Tournament
from thurn_env.training.config import Config as Training

HUGE = 10**30
ANY_SEED, ANY_FLOAT = (HUGE, 2**63, 10**5000), (HUGE, 2**63, -1, 2.5)
BAD: tuple[Any, ...] = (
    -1,
    HUGE,
    2**63,
    10**5000,
    math.nan,
    math.inf,
    -math.inf,
    2.5,
    True,
    np.True_,
    np.nan,
    None,
    "3",
    "",
    [],
    [1, 2],
)
TINY: dict[str, Any] = {"board": "tiny"}
Call = Callable[..., Any]
numpy: Any = np
"""NumPy without types: our own annotations name Python's numbers alone."""


@cache
def game() -> Game:
    return Game(2, "tiny", 1)


def batch() -> Batch:
    made = Batch(2, 2, "tiny")
    made.reset(1)
    return made


def bots() -> list[ScriptedAgent]:
    return [ScriptedAgent("random"), ScriptedAgent("random")]


def began(made: Any, **arguments: Any) -> Any:
    made.reset(**arguments)
    return made


def calls() -> dict[str, tuple[Call, Call, dict[str, tuple[Any, ...]]]]:
    """What takes numbers: how to call it, the function whose signature says which, and the bad ones that are fine."""
    rules, random = game().rules, ["random"] * 2
    learner = {"shaping": ANY_FLOAT}
    seat = {"seat": (None,)}
    return {
        "Game": (lambda **given: Game(**TINY | given), Game, {"seed": ANY_SEED}),
        "Game.from_rules": (lambda **given: Game.from_rules(rules, **given), Game.from_rules, {"seed": ANY_SEED}),
        "Game.redeal": (lambda seat=0, **given: game().redeal(seat, **given), Game.redeal, {"seed": ANY_SEED}),
        "Game.view": (game().view, Game.view, {}),
        "Game.hand": (game().hand, Game.hand, {}),
        "Game.play": (game().copy().play, Game.play, {}),
        "Game.legal_index": (game().legal_index, Game.legal_index, {}),
        "make_rules": (lambda **given: make_rules("thurn_und_taxis", **given), make_rules, {}),
        "run_match": (lambda **given: run_match(rules, bots(), **given), run_match, {"seed": ANY_SEED}),
        "play_match": (lambda **given: play_match(rules, bots(), **given), play_match, {"seed": ANY_SEED}),
        "run_scripted": (
            lambda **given: run_scripted(rules, random, **given),
            run_scripted,
            {"seed": ANY_SEED, "agent_seeds": (None, [1, 2])},
        ),
        "play_scripted": (
            lambda **given: play_scripted(rules, random, **given),
            play_scripted,
            {"seed": ANY_SEED},
        ),
        "Batch": (lambda **given: Batch(**TINY | {"size": 2} | given), Batch, learner),
        "Batch.reset": (batch().reset, Batch.reset, {"seed": (2**63, [1, 2]), "lanes": (None, [])}),
        "Batch.step": (lambda actions: batch().step(actions), Batch.step, {"actions": ([1, 2],)}),
        "Batch.game": (batch().game, Batch.game, {}),
        "Batch.view": (lambda lane=0, **given: batch().view(lane, **given), Batch.view, seat),
        "LearnerEnv": (lambda **given: LearnerEnv(**TINY | given), LearnerEnv, learner),
        "LearnerEnv.reset": (LearnerEnv(**TINY).reset, LearnerEnv.reset, {"seed": (2**63,)}),
        "LearnerEnv.step": (began(LearnerEnv(**TINY, illegal="raise"), seed=1).step, LearnerEnv.step, {}),
        "LearnerVectorEnv": (lambda **given: LearnerVectorEnv(**TINY | given), LearnerVectorEnv, learner),
        "LearnerVectorEnv.reset": (
            LearnerVectorEnv(2, **TINY).reset,
            LearnerVectorEnv.reset,
            {"seed": (2**63, [1, 2])},
        ),
        "LearnerVectorEnv.view": (began(LearnerVectorEnv(2, **TINY), seed=1).view, LearnerVectorEnv.view, {}),
        "LearnerVecEnv": (
            lambda **given: LearnerVecEnv(**TINY | {"num_envs": 2} | given),
            LearnerVecEnv,
            learner | {"seed": ANY_SEED},
        ),
        "GameEnv": (lambda **given: GameEnv("thurn_und_taxis", **TINY | given), GameEnv, learner),
        "GameEnv.reset": (GameEnv("thurn_und_taxis", **TINY).reset, GameEnv.reset, {"seed": ANY_SEED}),
        "GameEnv.step": (began(GameEnv("thurn_und_taxis", **TINY), seed=1).step, GameEnv.step, {}),
        "resume": (lambda seed: resume(game().record(), seed), resume, {"record": (), "seed": ANY_SEED}),
        "SearchOptions": (SearchOptions, SearchOptions, {"c": (2.5,), "urgency": (2.5, -1)}),
        "GuidedOptions": (GuidedOptions, GuidedOptions, {"c": (2.5,), "urgency": (2.5, -1), "temperature": (2.5,)}),
        "tournament": (
            lambda **given: Tournament(("random",), **given),
            Tournament,
            {"seed": ANY_SEED, "time_limit": (2.5,)},
        ),
        "training": (
            lambda **given: Training(Path("x"), **given).check(),
            Training,
            dict.fromkeys(("entropy", "value", "most_divergence", "shaping", "magnet", "need"), (2.5,)),
        ),
    }


def numbers(signature: Call) -> Iterator[inspect.Parameter]:
    """The parameters that take numbers."""
    for parameter in inspect.signature(signature).parameters.values():
        if re.search(r"\b(int|float|int64)\b", str(parameter.annotation)) or parameter.name in ("lanes", "actions"):
            yield parameter


@pytest.fixture(scope="module")
def known() -> dict[str, tuple[Call, Call, dict[str, tuple[Any, ...]]]]:
    return calls()


NAMES = tuple(re.findall(r'^        "([\w.]+)": \(', inspect.getsource(calls), re.MULTILINE))


@pytest.mark.parametrize("name", NAMES)
def test_what_is_out_of_range_is_refused(name: str, known: dict[str, Any]) -> None:
    call, signature, fine = known[name]
    parameters = list(numbers(signature))
    assert parameters
    found = []
    for parameter in parameters:
        for value in BAD:
            if any(type(value) is type(other) and value == other for other in fine.get(parameter.name, ())):
                continue
            if value is None and "None" in str(parameter.annotation):
                continue
            asked = f"{name}: {parameter.name} = {quoted(value)}"
            try:
                call(**{parameter.name: value})
            except ThurnError as error:
                if not 0 < len(str(error)) <= 400 or "\n" in str(error):
                    found.append(f"{asked}: the message is {error}")
            except Exception as error:
                found.append(f"{asked}: {type(error).__name__}: {error}")
            else:
                found.append(f"{asked}: it is taken")
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "rest", ["-1", "0", str(HUGE), "9" * 5000, "nan", "1.5", "ms=0x", "10,c=nan", "10,c=inf", "ms=1e9"]
)
def test_numbers_of_search_are_checked(rest: str) -> None:
    with pytest.raises(AgentError) as error:
        make_agent(f"mcts:{rest}", ())
    assert len(str(error.value)) < 400


@pytest.mark.parametrize("argument", [5, None, True, 2.5])
def test_agents_are_named_by_texts(argument: Any) -> None:
    with pytest.raises(AgentError, match="an agent spec is a text such as 'random', not"):
        make_agent(argument, ("random",))
    with pytest.raises(AgentError, match="mcts takes a text such as '1000', not"):
        MCTS(argument)


# NumPy's numbers


WHOLE = (numpy.int8, numpy.int64, numpy.uint8, numpy.uint64)


@pytest.mark.parametrize("name", GAMES)
def test_rules_hold_plain_values(name: str) -> None:
    rules = make_rules(name, 2, max_rounds=5)
    for kind in WHOLE:
        made = make_rules(name, kind(2), max_rounds=kind(5))
        # The very same rules: they are kept, and so are their kernels.
        assert made is rules
        assert (type(made.players), type(made.options["max_rounds"])) == (int, int)
    with pytest.raises(OptionError, match="option max_rounds must be a whole number, not True"):
        make_rules(name, 2, max_rounds=numpy.True_)


def test_truth_values_of_numpy() -> None:
    made = make_rules("thurn_und_taxis", 2, "tiny", optional_houses=numpy.True_)
    assert made is make_rules("thurn_und_taxis", 2, "tiny", optional_houses=True)
    assert made.options["optional_houses"] is True
    with pytest.raises(OptionError, match="option optional_houses must be True or False, not 1"):
        make_rules("thurn_und_taxis", 2, "tiny", optional_houses=numpy.int64(1))
    for maker in (LearnerEnv, LearnerVectorEnv, LearnerVecEnv):
        given = {} if maker is LearnerEnv else {"num_envs": 1}
        env: Any = maker(**given, board="tiny", skip_forced=numpy.False_)
        env.reset()
    assert GameEnv("thurn_und_taxis", board="tiny", skip_forced=numpy.False_).skip_forced is False


@pytest.mark.parametrize("kind", WHOLE)
def test_games_of_numpys_numbers(kind: Any) -> None:
    """The same game, the same record, and nothing of NumPy in it."""
    plain_game = Game(2, "tiny", 7, start_player=1)
    made = Game(kind(2), "tiny", kind(7), start_player=kind(1))
    assert made == plain_game
    assert type(made.seed) is int
    first = made.legal_actions[0]
    assert first in made.legal
    assert kind(first) in made.legal
    assert True not in made.legal
    assert numpy.True_ not in made.legal
    made.play(kind(first))
    plain_game.play(int(first))
    assert made.record().to_json() == plain_game.record().to_json()
    view = made.view(kind(1))
    assert type(view.seat) is int
    assert made.redeal(kind(0), kind(3)) == plain_game.redeal(0, 3)
    assert made.hand(kind(0)) == plain_game.hand(0)
    assert resume(made.record(), kind(3)) == resume(plain_game.record(), 3)


def test_records_of_numpys_numbers() -> None:
    record = play_scripted(game().rules, ["random"] * 2, numpy.int64(3))
    data = record.as_dict()
    strange = Record.from_dict(
        data
        | {
            "players": numpy.int64(2),
            "start_player": numpy.int8(data["start_player"]),
            "options": {name: np.array(value)[()] for name, value in data["options"].items()},
            "result": {key: [numpy.int64(value) for value in row] for key, row in data["result"].items()},
        }
    )
    assert strange == record
    assert strange.to_json() == record.to_json()
    verify(strange)
    with pytest.raises(RecordError, match="players must be a whole number, not"):
        Record.from_dict(data | {"players": numpy.True_})


def test_environments_of_numpys_numbers() -> None:
    single = LearnerEnv(players=numpy.int64(2), board="tiny", learner_seat=numpy.int64(1), shaping=numpy.float32(0.5))
    other = LearnerEnv(players=2, board="tiny", learner_seat=1, shaping=0.5)
    _, infos = single.reset(seed=numpy.int64(5), options={"start_player": numpy.int64(1)})
    other.reset(seed=5, options={"start_player": 1})
    assert single.game == other.game
    single.step(numpy.int64(infos["action_mask"].argmax()))

    vector = LearnerVectorEnv(numpy.int64(3), board="tiny", threads=numpy.int64(1))
    assert type(vector.num_envs) is int
    vector.reset(seed=numpy.int64(5))
    second = LearnerVecEnv(numpy.int64(3), board="tiny", seed=numpy.int64(5))
    second.reset()
    assert vector.learner.batch.game(numpy.int64(2)) == second.learner.batch.game(2)
    assert type(second.num_envs) is int

    aec = GameEnv("thurn_und_taxis", numpy.int64(2), "tiny")
    aec.reset(seed=numpy.int64(5), options={"start_player": numpy.int64(1)})
    state = aec.get_state()
    assert (type(state["seed"]), type(state["start_player"])) == (int, int)
    aec.step(numpy.int64(aec.observe(aec.agent_selection)["action_mask"].argmax()))

    games = Batch(numpy.int64(3), numpy.int64(2), "tiny")
    assert type(games.size) is int
    games.reset(numpy.int64(5), np.array([0, 1, 2]), numpy.int64(1))
    games.reset([numpy.int64(5), 6], [numpy.int64(0), 1])
    games.reset([5, 6], [True, numpy.True_, False])
    for lanes in ([True, 1], [0, numpy.True_], [[0], [1, 2]], 1.0):
        with pytest.raises(OptionError, match="lanes are indices from 0 to 2, or a mask of 3 Boolean values"):
            games.reset(1, lanes)
    for actions in ([True, 0, 0], [0, 0, numpy.True_], [True] * 3, [[0], [1, 2]]):
        with pytest.raises(OptionError, match="actions must be 3 whole numbers"):
            games.step(actions)


def test_configurations_hold_plain_values() -> None:
    tournament = Tournament(
        ("random", "greedy"),
        players=numpy.int64(2),
        decks=numpy.int64(3),
        seed=numpy.uint64(4),
        first_deck=numpy.int8(5),
        time_limit=numpy.float32(2),
        options={"max_rounds": numpy.int64(9)},
    )
    same = Tournament(
        ("random", "greedy"), players=2, decks=3, seed=4, first_deck=5, time_limit=2, options={"max_rounds": 9}
    )
    assert json.dumps(tournament.identity()) == json.dumps(same.identity())
    training = Training(Path("x"), steps=numpy.int64(9), learning_rate=numpy.float64(0.1), bfloat16=numpy.True_)
    training.check()
    assert json.loads(json.dumps(training.as_dict()))["steps"] == 9
    search = SearchOptions(iterations=numpy.int64(10), c=numpy.float64(0.5))
    assert (type(search.iterations), type(search.c)) == (int, float)


# The checks themselves


def test_whole_numbers() -> None:
    assert [whole(value) for value in (3, numpy.int8(3), np.array(3), HUGE)] == [3, 3, 3, HUGE]
    assert [type(whole(value)) for value in (3, numpy.int8(3), np.array(3))] == [int] * 3
    assert [whole(value) for value in (True, numpy.True_, 3.0, numpy.float64(3), "3", None, [3], np.array([3]))] == [
        None
    ] * 8


def test_finite_numbers() -> None:
    assert [finite(value) for value in (3, 0.5, numpy.float32(0.5), numpy.int8(3))] == [3.0, 0.5, 0.5, 3.0]
    assert [finite(value) for value in (True, numpy.True_, math.nan, math.inf, np.nan, 10**400, "3", None)] == [
        None
    ] * 8


def test_arrays() -> None:
    assert array_of([1, 2]).tolist() == [1, 2]
    assert array_of([True, False]).dtype == np.bool_
    assert array_of([True, 2]).dtype == object
    assert array_of([[1], [2, 3]]).shape == ()


def test_plain_values_within_values() -> None:
    strange = {"a": [numpy.int64(1), (numpy.float64(0.5), numpy.True_)], "b": np.str_("text")}
    assert json.dumps(plain(strange)) == '{"a": [1, [0.5, true]], "b": "text"}'


def test_long_values_are_cut() -> None:
    assert quoted(numpy.int64(3)) == "3"
    assert quoted("x" * 100) == "'" + "x" * 56 + "..."
    assert quoted(10**5000) == "a number of thousands of digits"
