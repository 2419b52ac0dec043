"""The Gymnasium environment: the published checkers, illegal actions, seeds, copies, wrappers, what is shown."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import FlattenObservation, RecordEpisodeStatistics, TimeLimit

from tests.choices import Chooser
from thurn_env import Game, IllegalAction, OptionError, ThurnError
from thurn_env.engine.generator import RESET_STREAM, derived_seed
from thurn_env.envs.single import LearnerEnv
from thurn_env.players.agent import ScriptedAgent, agent_seed
from thurn_env.players.match import run_scripted

ID = "thurn_env/ThurnUndTaxis-v0"


def tiny(**arguments: Any) -> LearnerEnv:
    return LearnerEnv(**({"board": "tiny"} | arguments))


def plain(info: dict[str, Any]) -> dict[str, Any]:
    """An info as Python's own values."""
    return {name: np.asarray(value).tolist() for name, value in info.items()}


def play(env: Any, choose: Chooser, info: dict[str, Any], steps: int = 10**9) -> list[Any]:
    """Play on for some steps or to the end of the game; everything that was given, in order."""
    seen: list[Any] = []
    while len(seen) < steps:
        action = choose.one(info["action_mask"])
        observation, reward, terminated, truncated, info = env.step(action)
        seen.append((action, pickle.dumps(observation), reward, terminated, truncated, plain(info)))
        if terminated or truncated:
            break
    return seen


def check_env_of_sb3(env: Any) -> None:
    pytest.importorskip("stable_baselines3.common.env_checker").check_env(env)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("observation", ["flat", "dict"])
@pytest.mark.parametrize("illegal", ["penalise", "replace"])
def test_published_checkers(players: int, observation: str, illegal: str) -> None:
    arguments = {"players": players, "observation": observation, "illegal": illegal, "board": "tiny"}
    env = gymnasium.make(ID, **arguments)
    check_env(env.unwrapped, skip_render_check=True)  # test_render_modes checks it, without a display
    check_env_of_sb3(LearnerEnv(**arguments))


@pytest.mark.parametrize("observation", ["flat", "dict"])
def test_published_checkers_on_the_published_board(observation: str) -> None:
    env: Any = gymnasium.make(ID, players=3, opponents=["heuristic", "greedy"], observation=observation)
    assert env.unwrapped.rules.board_name == "south"
    check_env(env.unwrapped, skip_render_check=True)
    check_env_of_sb3(env.unwrapped)


FIGURES = {"return", "decisions", "seat", "won", "margin", "score", "rank", "turns", "routes", "carriages", "tiles"}


def shape_of(info: dict[str, Any]) -> dict[str, tuple[Any, ...]]:
    """The shape and dtype of every entry, which must be an array or a scalar of NumPy."""
    assert all(isinstance(value, np.ndarray | np.generic) for value in info.values())
    return {name: (value.shape, value.dtype) for name, value in info.items()}


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("observation", ["flat", "dict"])
def test_what_is_given(players: int, observation: str) -> None:
    """Spaces hold all observations; masks are those of the positions; infos say what the docs say."""
    env = gymnasium.make(ID, players=players, board="tiny", observation=observation, max_rounds=15).unwrapped
    assert isinstance(env, LearnerEnv)
    size = env.rules.observation_size
    if observation == "flat":
        assert env.observation_space == spaces.Box(-1, 1, (size,), np.float32)
    assert env.action_space == spaces.Discrete(47)
    env.action_space.seed(1)
    for seed in range(4):
        seen, info = env.reset(seed=seed)
        assert info["seat"] == env.seat == seed % players
        form = shape_of(info)
        assert set(info) == {"action_mask", "illegal", "scores", "ranks", *FIGURES}
        assert not any(np.any(value) for name, value in info.items() if name not in ("action_mask", "seat"))
        seat, decisions, ended = info["seat"], 0, False
        while not ended:
            assert seen in env.observation_space
            vector = seen if observation == "flat" else seen["observation"]
            assert np.array_equal(vector, env.view().observation)
            assert env.game.seat == seat
            mask = info["action_mask"]
            assert mask.dtype == np.int8
            assert np.array_equal(mask, env.game.action_mask)
            assert mask.sum() > 1
            assert env.action_masks().dtype == np.bool_
            assert np.array_equal(env.action_masks(), mask)
            if observation == "dict":
                assert np.array_equal(seen["action_mask"], mask)
            action = env.action_space.sample(mask)
            assert mask[action] == 1
            seen, reward, terminated, truncated, info = env.step(action)
            assert isinstance(reward, float)
            decisions += 1
            ended = terminated or truncated
            assert shape_of(info) == form
            assert info["seat"] == seat
            assert ended or not info["score"]
        game = env.game
        assert game.over
        assert game.truncated == truncated != terminated
        assert seen in env.observation_space
        assert np.array_equal(seen if observation == "flat" else seen["observation"], game.view(seat).observation)
        assert not info["action_mask"].any()
        assert plain(info) == {
            "action_mask": [0] * 47,
            "return": reward,
            "decisions": decisions,
            "seat": seat,
            "won": game.ranks[seat] == 1,
            "margin": game.scores[seat] - max(np.delete(game.scores, seat)),
            "illegal": False,
            "score": game.scores[seat],
            "rank": game.ranks[seat],
            "turns": game.rounds,
            "routes": info["routes"],
            "carriages": info["carriages"],
            "tiles": len(game.public()["players"][seat]["tiles"]),
            "scores": game.scores,
            "ranks": game.ranks,
        }


@pytest.mark.parametrize("seat", ["rotate", 0, 2])
def test_games_are_those_of_matches(seat: int | str) -> None:
    """With a bot's actions for the learner: the seed given, and the games that follow without one."""
    table = ["greedy", "sensible-random", "heuristic"]
    env = tiny(players=3, opponents=table[1:], learner_seat=seat)
    for episode in range(5):
        _, info = env.reset(seed=10 if episode == 0 else None)
        own = info["seat"]
        assert own == ((10 + episode) % 3 if seat == "rotate" else seat)
        seed = derived_seed(10, RESET_STREAM, episode) if episode else 10
        bot = ScriptedAgent("greedy")
        bot.reset(own, env.rules, agent_seed(seed, own))
        ended = False
        while not ended:
            _, _, terminated, truncated, info = env.step(bot.act(env.view()))
            ended = terminated or truncated
        game = run_scripted(env.rules, [table[(place - own) % 3] for place in range(3)], seed)
        assert (info["scores"].tolist(), info["ranks"].tolist()) == (game.scores, game.ranks)
        assert info["turns"] == game.rounds


def test_illegal_actions_raise() -> None:
    env = tiny(illegal="raise")
    _, info = env.reset(seed=1)
    before = env.game
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    for action, message in (
        (illegal, f"'{env.rules.action_texts[illegal]}' is not legal: "),
        (47, "there is no action 47; actions go from 0 to 46"),
        (-1, "there is no action -1"),
    ):
        with pytest.raises(IllegalAction, match=message):
            env.step(action)
    assert env.game == before
    assert np.array_equal(env.action_masks(), info["action_mask"])
    env.step(choose_first(info))


def choose_first(info: dict[str, Any]) -> int:
    return int(info["action_mask"].argmax())


@pytest.mark.parametrize("action", ["illegal", 47, -1, 10**30])
def test_illegal_actions_end_the_game(action: Any) -> None:
    env = tiny(illegal="penalise", players=3)
    _, info = env.reset(seed=1)
    chosen = int(np.flatnonzero(info["action_mask"] == 0)[0]) if action == "illegal" else action
    before = env.game
    _, reward, terminated, truncated, info = env.step(chosen)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["illegal"]
    assert env.unwrapped.illegal_reason  # type: ignore[attr-defined]
    assert info["illegal"]
    assert not info["won"]
    assert info["return"] == -1
    assert not info["action_mask"].any()
    assert env.game == before
    with pytest.raises(ThurnError, match=r"call reset\(\)"):
        env.step(0)
    env.reset()
    assert env.game != before


def test_illegal_actions_are_replaced() -> None:
    first, second = (tiny(illegal="replace") for _ in range(2))
    games = []
    for env in (first, second):
        _, info = env.reset(seed=1)
        ended, rewards = False, 0.0
        while not ended:
            _, reward, terminated, truncated, info = env.step(-1)
            assert info["illegal"]
            assert "there is no action -1" in env.illegal_reason
            ended = terminated or truncated
            rewards += reward
        assert info["illegal"]
        assert rewards == info["return"]
        games.append(env.game)
    assert games[0] == games[1]


@pytest.mark.parametrize("action", [1.0, "draw", None, [0], np.float32(1), np.zeros(1, np.int64)], ids=repr)
@pytest.mark.parametrize("illegal", ["raise", "penalise", "replace"])
def test_actions_that_are_no_numbers(action: Any, illegal: str) -> None:
    """A mistake, and never counted as an illegal action."""
    env = tiny(illegal=illegal)
    env.reset(seed=1)
    before = env.game
    with pytest.raises(IllegalAction, match="an action is a whole number, not"):
        env.step(action)
    assert env.game == before


def test_actions_of_any_whole_type() -> None:
    games = []
    kinds: list[Callable[[int], Any]] = [int, np.int64, np.int8, np.array]
    for kind in kinds:
        env = tiny()
        _, info = env.reset(seed=1)
        for _ in range(20):
            *_, info = env.step(kind(choose_first(info)))
        games.append(env.game)
    assert all(game == games[0] for game in games)


def test_calls_out_of_order() -> None:
    env = tiny(render_mode="ansi")
    steps: list[Callable[[], object]] = [lambda: env.step(0), lambda: env.step(-1)]
    calls = [*steps, env.render, env.view, lambda: env.game]
    for call in calls:
        with pytest.raises(ThurnError, match=r"call reset\(\)"):
            call()
    _, info = env.reset(seed=1)
    play(env, Chooser(env.rules), info)
    for step in steps:
        with pytest.raises(ThurnError, match=r"call reset\(\)"):
            step()
    assert env.game.over
    assert "hand" in str(env.render())


def test_seeds() -> None:
    """A seed gives the game of `Game`, calls without one those that follow; the global generator is left alone."""

    def decks(env: LearnerEnv, *seeds: int | None) -> list[bytes]:
        found = []
        for seed in seeds:
            env.reset(seed=seed)
            found.append(env.game.states["deck"].tobytes())
        return found

    before = pickle.dumps(np.random.get_state())  # noqa: NPY002
    first = decks(tiny(), 3, None, None, 4, None)
    assert decks(tiny(), 3, None, None, 4, None) == first
    assert len(set(first)) == 5
    assert len({deck for _ in range(3) for deck in decks(tiny(), None, None)}) == 6
    assert pickle.dumps(np.random.get_state()) == before  # noqa: NPY002
    env = tiny(learner_seat=0)
    env.reset(seed=9, options={"start_player": 0, "unknown": 1})
    assert env.game == Game(2, "tiny", 9, start_player=0)
    game = env.game
    with pytest.raises(OptionError, match="from 0 to 2\\^64 - 1, not 18446744073709551616"):
        env.reset(seed=2**64)
    with pytest.raises(OptionError, match="start_player must be a seat from 0 to 1"):
        env.reset(seed=1, options={"start_player": 2})
    with pytest.raises(OptionError, match="from 0 to 2\\^64 - 1, not -1"):
        env.reset(seed=-1)
    assert env.game == game


COPIES: dict[str, Callable[[Any], Any]] = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}


@pytest.mark.parametrize("way", COPIES)
def test_copies_go_on_alike(way: str) -> None:
    """Into the games that follow too, and without disturbing each other."""
    env = tiny(players=3, opponents=["random", "sensible-random"], shaping=0.5, illegal="replace")
    _, info = env.reset(seed=1)
    play(env, Chooser(env.rules), info, 20)
    info = {"action_mask": env.action_masks()}
    twin = COPIES[way](env)
    third = COPIES[way](twin)
    assert twin.rules is env.rules
    choosers = [Chooser(env.rules, 5) for _ in range(3)]
    first = play(env, choosers[0], info)
    assert play(twin, choosers[1], info) == first
    for each, chooser in ((env, choosers[0]), (twin, choosers[1])):
        _, info = each.reset()
        play(each, chooser, info)
    assert env.game == twin.game
    assert play(third, choosers[2], {"action_mask": third.action_masks()}) == first


def test_arrays_are_the_callers_own() -> None:
    env = tiny(observation="dict")
    seen, info = env.reset(seed=2)
    choose, kept = Chooser(env.rules), []
    for _ in range(15):
        kept.append((seen, info, pickle.dumps((seen, info))))
        seen, *_, info = env.step(choose.one(info["action_mask"]))
    for seen, info, then in kept:
        assert pickle.dumps((seen, info)) == then
    before = pickle.dumps((env.view().observation, env.action_masks()))
    for array in (seen["observation"], seen["action_mask"], info["action_mask"], env.action_masks()):
        array[:] = 1
    assert pickle.dumps((env.view().observation, env.action_masks())) == before


def test_wrappers() -> None:
    flat = FlattenObservation(tiny(observation="dict"))
    seen, _ = flat.reset(seed=1)
    assert seen.shape == (47 + 129,)
    assert seen in flat.observation_space

    recorded: Any = RecordEpisodeStatistics(tiny(reward="margin", shaping=0.3))
    _, info = recorded.reset(seed=1)
    end = play(recorded, Chooser(recorded.unwrapped.rules), info)[-1][-1]
    assert end["episode"]["r"] == pytest.approx(end["return"])
    assert end["episode"]["l"] == end["decisions"]

    limited: Any = TimeLimit(tiny(), 5)
    _, info = limited.reset(seed=1)
    assert [entry[3:5] for entry in play(limited, Chooser(limited.unwrapped.rules), info)] == [
        *[(False, False)] * 4,
        (False, True),
    ]
    _, info = limited.reset()
    assert len(play(limited, Chooser(limited.unwrapped.rules), info)) == 5

    made = gymnasium.make(ID, board="tiny")
    assert made.spec is not None
    _, info = made.reset(seed=1)
    assert made.get_wrapper_attr("action_masks")().sum() == info["action_mask"].sum()


def test_the_table_is_shown_with_the_own_hand_only() -> None:
    """It does not change when all that the learner cannot know is dealt anew."""
    env = tiny(players=3, render_mode="ansi", illegal="raise", max_rounds=10)
    choose, unseen = Chooser(env.rules), 0
    for seed in range(3):
        _, info = env.reset(seed=seed)
        ended = False
        while not ended:
            text, game = env.render(), env.game
            assert isinstance(text, str)
            assert text == game.rules.text(game.states, 0, env.seat)
            for redeal in range(3):
                assert game.redeal(env.seat, redeal).view(env.seat).text == text
            hands = [line for line in text.splitlines() if line.startswith("    hand")]
            for seat, line in enumerate(hands):
                assert ("unseen" in line) == (seat != env.seat)
            unseen += sum("; 0 unseen" not in line for seat, line in enumerate(hands) if seat != env.seat)
            *_, terminated, truncated, info = env.step(choose.one(info["action_mask"]))
            ended = terminated or truncated
    assert unseen > 20


def test_nothing_is_shown_without_a_render_mode() -> None:
    env = tiny()
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="render.. does nothing without a render mode"):
        assert env.render() is None


def test_learning_libraries_are_not_needed() -> None:
    """Nor loaded, which takes seconds."""
    code = (
        "import sys, thurn_env.envs.single, thurn_env.envs.vector; "
        "sys.exit(bool({'torch', 'stable_baselines3'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"render_mode": "humans"}, "render_mode must be None or 'ansi', 'svg', 'rgb_array', 'human', not 'humans'"),
        ({"observation": "image"}, "observation must be one of flat, dict, not 'image'"),
        ({"illegal": "ignore"}, "illegal must be one of raise, penalise, replace"),
        ({"players": 1}, "2 to 4 players, not 1"),
        ({"max_rounds": 0}, "max_rounds must be from 1"),
    ],
    ids=str,
)
def test_wrong_arguments(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        tiny(**arguments)
