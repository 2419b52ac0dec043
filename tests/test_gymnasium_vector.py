"""The Gymnasium vector environment: the games of single environments, the format of infos, autoreset modes, copies."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from tests.choices import Chooser
from tests.guests import Last
from tests.infos import check_infos, same
from thurn_env import Game, IllegalAction, OptionError, ThurnError
from thurn_env.envs.single import LearnerEnv
from thurn_env.envs.vector import LearnerVectorEnv

ID = "thurn_env/ThurnUndTaxis-v0"
SETUPS: list[dict[str, Any]] = [
    {"players": 2, "observation": "flat"},
    {"players": 3, "observation": "dict", "opponents": ["greedy", "sensible-random"], "shaping": 0.5},
    {"players": 4, "observation": "flat", "opponents": "random", "max_rounds": 6, "reward": "rank"},
    {"players": 2, "observation": "dict", "learner_seat": 1, "skip_forced": False, "max_rounds": 25},
]


def form_of(infos: dict[str, Any]) -> dict[str, tuple[Any, ...]]:
    """The shape and dtype of every entry."""
    return {name: (array.shape, array.dtype) for name, array in infos.items()}


def tiny(number: int, **arguments: Any) -> LearnerVectorEnv:
    return LearnerVectorEnv(number, board="tiny", **arguments)


@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP], ids=lambda mode: mode.value)
@pytest.mark.parametrize("arguments", SETUPS, ids=str)
def test_gymnasiums_own_vector_of_single_environments_is_the_same(
    arguments: dict[str, Any], mode: AutoresetMode
) -> None:
    """With the same actions through many games: observations, rewards, ends, `final_obs`, all infos."""
    number = 4
    ours = tiny(number, autoreset_mode=mode, **arguments)
    theirs = SyncVectorEnv([lambda: LearnerEnv(board="tiny", **arguments)] * number, autoreset_mode=mode)
    for name in ("observation_space", "single_observation_space", "action_space", "single_action_space"):
        assert getattr(ours, name) == getattr(theirs, name)
    assert ours.metadata["autoreset_mode"] is mode
    choose, games = Chooser(ours.rules), 0
    seen, infos = ours.reset(seed=5)
    their_seen, their_infos = theirs.reset(seed=5)
    while games < 3 * number:
        assert same(seen, their_seen)
        assert seen in ours.observation_space
        check_infos(infos, their_infos)
        assert np.array_equal(ours.action_masks(), infos["action_mask"])
        # Any action will do where the game is over.
        actions = np.where(infos["action_mask"].any(axis=1), choose(infos["action_mask"]), 46)
        seen, *arrays, infos = ours.step(actions)
        mine: list[Any] = arrays
        their_seen, *others, their_infos = theirs.step(actions)
        for one, other in zip(mine, others, strict=True):
            assert (one.dtype, one.shape) == (other.dtype, other.shape)
            assert np.array_equal(one, other)
        games += int((mine[1] | mine[2]).sum())
        same_step = mode == AutoresetMode.SAME_STEP
        assert ("final_obs" in infos) == (same_step and (mine[1] | mine[2]).any())


@pytest.mark.parametrize("illegal", ["penalise", "replace"])
def test_illegal_actions_do_what_they_do_in_single_environments(illegal: str) -> None:
    number = 3
    ours = tiny(number, illegal=illegal, max_rounds=6)
    singles = [LearnerEnv(board="tiny", illegal=illegal, max_rounds=6) for _ in range(number)]
    ours.reset(seed=8)
    for index, env in enumerate(singles):
        env.reset(seed=8 + index)
    generator, choose, games = np.random.default_rng(0), Chooser(ours.rules), 0
    for _ in range(300):
        actions = np.where(
            generator.random(number) < 0.1, generator.integers(-2, 50, number), choose(ours.learner.masks)
        )
        given, rewards, terminated, truncated, infos = ours.step(actions)
        seen: Any = given
        for index, env in enumerate(singles):
            single_seen, reward, *ends, info = env.step(actions[index])
            assert reward == rewards[index]
            assert ends == [terminated[index], truncated[index]]
            if any(ends):
                games += 1
                assert infos["final_info"]["illegal"][index] == info["illegal"] == bool(env.illegal_reason)
                assert infos["final_info"]["won"][index] == info["won"]
                assert np.array_equal(infos["final_obs"][index], single_seen)
                single_seen, _ = env.reset()
            assert np.array_equal(seen[index], single_seen)
    assert games > 20


def test_illegal_actions_raise() -> None:
    env = tiny(3, illegal="raise")
    env.reset(seed=1)
    games = [env.learner.batch.game(index) for index in range(3)]
    with pytest.raises(IllegalAction, match=r"^lane 1: there is no action 99"):
        env.step(np.array([env.action_masks()[0].argmax(), 99, 0]))
    assert [env.learner.batch.game(index) for index in range(3)] == games
    with pytest.raises(OptionError, match="actions must be 3 whole numbers"):
        env.step(np.zeros(3))
    with pytest.raises(OptionError, match="actions must be 3 whole numbers"):
        env.step(np.zeros(2, int))


def test_made_by_the_registry() -> None:
    env = gymnasium.make_vec(
        ID,
        num_envs=5,
        vectorization_mode="vector_entry_point",
        players=3,
        opponents=["heuristic", "greedy"],
    )
    assert isinstance(env, LearnerVectorEnv)
    assert env.num_envs == 5
    assert env.rules.board_name == "south"
    assert env.spec is not None
    assert env.spec.id == ID
    _, infos = env.reset(seed=1)
    assert infos["seat"].tolist() == [(1 + index) % 3 for index in range(5)]
    _, rewards, *_ = env.step(Chooser(env.rules)(infos["action_mask"]))
    assert rewards.shape == (5,)
    # Gymnasium's own vector environments are made of the single one.
    other = gymnasium.make_vec(ID, num_envs=2, vectorization_mode="sync", board="tiny")
    seen, infos = other.reset(seed=1)
    assert seen.shape == (2, 129)
    assert infos["action_mask"].shape == (2, 47)


@pytest.mark.parametrize("observation", ["flat", "dict"])
def test_arrays_handed_out(observation: str) -> None:
    """By default they are the caller's own; with `copy=False` they are the same ones each time."""

    def given(env: LearnerVectorEnv) -> tuple[Any, Any]:
        seen, rewards, terminated, truncated, infos = env.step(choose(env.learner.masks))
        arrays = [*(seen.values() if isinstance(seen, dict) else [seen]), rewards, terminated, truncated]
        return arrays, infos

    fresh = tiny(6, observation=observation, max_rounds=4)
    choose = Chooser(fresh.rules)
    fresh.reset(seed=1)
    kept = []
    for _ in range(60):
        arrays, infos = given(fresh)
        kept.append((arrays, infos, pickle.dumps((arrays, infos))))
    for arrays, infos, then in kept:
        assert pickle.dumps((arrays, infos)) == then
    game, masks = fresh.learner.batch.game(2), fresh.action_masks()
    for array in [*kept[-1][0], infos["action_mask"], infos["_action_mask"]]:
        array[:] = 0
    assert fresh.learner.batch.game(2) == game
    assert np.array_equal(fresh.action_masks(), masks)
    assert given(fresh)[1]["_action_mask"].all()

    shared = tiny(6, observation=observation, max_rounds=4, copy=False)
    first, infos = (shared.reset(seed=1), given(shared))[1]
    for _ in range(30):
        again, later = given(shared)
        assert all(one is other for one, other in zip(first, again, strict=True))
        assert later["action_mask"] is infos["action_mask"]
    assert first[0] is shared.learner.observations


def test_games_are_reset_alone() -> None:
    """By Gymnasium's `reset_mask`, which its wrappers pass on; seeds belong to the games by number."""
    env = tiny(4)
    env.reset(seed=[3, 4, 5, 6])
    choose = Chooser(env.rules)
    for _ in range(5):
        env.step(choose(env.learner.masks))
    games = [env.learner.batch.game(index) for index in range(4)]
    chosen = np.array([False, True, False, True])
    for seed in (50, [50, 51, 52, 53]):
        env.reset(seed=seed, options={"reset_mask": chosen, "start_player": 1})
        for index in (1, 3):
            hands = [Game(2, "tiny", 50 + index, start_player=1).hand(seat) for seat in range(2)]
            game = env.learner.batch.game(index)
            assert game.start_player == 1
            assert [game.hand(seat) for seat in range(2)] == hands
            assert game.rounds == 0
        for index in (0, 2):
            assert env.learner.batch.game(index) == games[index]


def test_seeds() -> None:
    env = tiny(2)
    first = env.reset(seed=4)[0]
    second = env.reset(seed=[None, None])[0]
    assert not np.array_equal(first, second)
    assert np.array_equal(env.reset(seed=[4, 5])[0], first)
    assert np.array_equal(env.reset()[0], second)
    assert np.array_equal(tiny(2).reset(seed=4)[0], first)
    fresh = [tiny(2) for _ in range(2)]
    assert not np.array_equal(fresh[0].reset()[0], fresh[1].reset()[0])
    with pytest.raises(OptionError, match="seeds must be given for all games or for none"):
        env.reset(seed=[1, None])
    with pytest.raises(OptionError, match="3 seeds for 2 lanes"):
        env.reset(seed=[1, 2, 3])


@pytest.mark.parametrize("mode", ["Disabled", AutoresetMode.DISABLED])
def test_without_autoreset_finished_games_stand_still(mode: AutoresetMode | str) -> None:
    env = tiny(5, max_rounds=4, autoreset_mode=mode)
    assert env.metadata["autoreset_mode"] is AutoresetMode.DISABLED
    _, infos = env.reset(seed=3)
    choose, over = Chooser(env.rules), np.zeros(5, np.bool_)
    while not over.all():
        observations, rewards, terminated, truncated, infos = env.step(
            np.where(over, 0, choose(np.where(over[:, None], 1, infos["action_mask"])))
        )
        ended = terminated | truncated
        assert not (ended & over).any()
        assert not rewards[over].any()
        over |= ended
        assert not infos["action_mask"][over].any()
        assert "final_obs" not in infos
        if ended.any():
            assert np.allclose(infos["return"][ended], rewards[ended])
            assert infos["scores"][ended].any()
        assert not infos["decisions"][~ended].any()
        assert not infos["scores"][~ended].any()
    chosen = np.array([True, False, False, True, False])
    again, infos = env.reset(options={"reset_mask": chosen})
    assert np.array_equal(infos["action_mask"].any(axis=1), chosen)
    assert isinstance(again, np.ndarray)
    assert isinstance(observations, np.ndarray)
    assert np.array_equal(again[~chosen], observations[~chosen])


def test_a_mode_that_is_not_there() -> None:
    with pytest.raises(OptionError, match="autoreset_mode must be one of NextStep, SameStep, Disabled, not 'Later'"):
        tiny(2, autoreset_mode="Later")


def test_next_step_ignores_actions_of_finished_games() -> None:
    """Whatever they are; the next game begins with reward 0, also if all games begin at once."""
    for number in (1, 3):
        env = tiny(number, autoreset_mode="NextStep", illegal="raise", max_rounds=2)
        _, infos = env.reset(seed=1)
        choose, over, began = Chooser(env.rules), np.zeros(number, np.bool_), 0
        for _ in range(100):
            actions = np.where(over, -7, choose(infos["action_mask"]))
            seen, rewards, terminated, truncated, infos = env.step(actions)
            assert not (rewards[over] != 0).any()
            assert not (terminated | truncated)[over].any()
            assert infos["action_mask"][over].any(axis=1).all()
            assert not over.any() or infos["_seat"][over].all()
            began += int(over.sum())
            for game in np.flatnonzero(over):
                assert env.learner.batch.game(game).rounds == 0
                assert np.array_equal(np.asarray(seen)[game], env.view(game).observation)
            over = terminated | truncated
            assert not infos["action_mask"][over].any()
        assert began > 5


def test_an_illegal_action_leaves_finished_games_waiting() -> None:
    """With `illegal="raise"` nothing has changed: the step can be made again."""
    env = tiny(2, autoreset_mode="NextStep", illegal="raise", max_rounds=4)
    _, infos = env.reset(seed=1)
    choose, over = Chooser(env.rules), np.zeros(2, np.bool_)
    while over.sum() != 1:
        _, _, terminated, truncated, infos = env.step(choose(infos["action_mask"]))
        over = terminated | truncated
    before = pickle.dumps(env.learner.batch.lanes)
    with pytest.raises(IllegalAction, match=f"lane {int((~over).argmax())}: there is no action 99"):
        env.step(np.full(2, 99))
    assert pickle.dumps(env.learner.batch.lanes) == before
    env.step(choose(infos["action_mask"]))
    assert env.learner.masks[over].any()


def test_next_step_leaves_games_alone_that_were_reset_by_hand() -> None:
    env = tiny(3, autoreset_mode="NextStep", max_rounds=4)
    _, infos = env.reset(seed=1)
    choose, over = Chooser(env.rules), np.zeros(3, np.bool_)
    while not over.any():
        _, _, terminated, truncated, infos = env.step(choose(infos["action_mask"]))
        over = terminated | truncated
    _, infos = env.reset(options={"reset_mask": over})
    games = [env.learner.batch.lanes.memory[game]["resets"] for game in range(3)]
    env.step(choose(infos["action_mask"]))
    assert [env.learner.batch.lanes.memory[game]["resets"] for game in range(3)] == games


COPIES: dict[str, Callable[[Any], Any]] = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("observation", ["flat", "dict"])
def test_copies_go_on_alike(way: str, observation: str) -> None:
    env = tiny(4, players=3, opponents=["random", Last()], shaping=0.2, observation=observation, max_rounds=9)
    env.reset(seed=1)
    choose = Chooser(env.rules)
    for _ in range(10):
        env.step(choose(env.learner.masks))
    twin = COPIES[way](env)
    assert twin.rules is env.rules
    plan = [(actions := choose(env.learner.masks), env.step(actions)) for _ in range(80)]
    assert all(same(twin.step(actions), result) for actions, result in plan)


def test_the_tables_are_shown() -> None:
    env = tiny(3, players=3, render_mode="ansi")
    assert tiny(1).render() is None
    with pytest.raises(ThurnError, match=r"call reset\(\)"):
        env.render()
    env.reset(seed=1)
    texts = env.render()
    assert texts is not None
    assert len(texts) == 3
    for index, text in enumerate(texts):
        assert text == env.view(index).text
        hands = [line for line in str(text).splitlines() if line.startswith("    hand")]
        assert [("unseen" in line) for line in hands] == [seat != (1 + index) % 3 for seat in range(3)]
    env.close()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"number": 0}, "num_envs must be from 1 to 1,048,576, not 0"),
        ({"observation": "image"}, "observation must be one of flat, dict, int8, not 'image'"),
        ({"copy": 1}, "copy must be True or False, not 1"),
        ({"threads": 0}, "threads must be from 1 to 1,024, not 0"),
        ({"render_mode": "human"}, "render_mode must be None or 'ansi', 'svg', 'rgb_array', not 'human'"),
        ({"autoreset": False}, "multiple values for keyword argument 'autoreset'"),
    ],
    ids=str,
)
def test_wrong_arguments(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises((OptionError, TypeError), match=message):
        tiny(**({"number": 2} | arguments))


def test_calls_before_the_first_game() -> None:
    env = tiny(2)
    with pytest.raises(ThurnError, match=r"call reset\(\)"):
        env.step(np.zeros(2, int))
    with pytest.raises(ThurnError, match=r"call reset\(\)"):
        env.view(0)


@pytest.mark.parametrize("mode", AutoresetMode, ids=lambda mode: mode.value)
@pytest.mark.parametrize(("game", "board"), [("thurn_und_taxis", "tiny"), ("zug_um_zug_deutschland", "tiny_rails")])
def test_infos_have_the_same_form_in_every_step(game: str, board: str, mode: AutoresetMode) -> None:
    """Only the two entries of Gymnasium for finished games come and go."""
    env = LearnerVectorEnv(3, game, board=board, autoreset_mode=mode, illegal="replace", max_rounds=4)
    generator, ends, illegal = np.random.default_rng(1), 0, 0
    _, infos = env.reset(seed=1)
    form = form_of(infos)
    over = np.zeros(3, np.bool_)
    for _ in range(150):
        if mode == AutoresetMode.DISABLED and over.any():
            _, infos = env.reset(options={"reset_mask": over})
            assert form_of(infos) == form
            assert not infos["illegal"].any()
        chosen = generator.integers(-1, env.rules.action_size, 3)
        before = infos["action_mask"]
        *_, terminated, truncated, infos = env.step(chosen)
        over = terminated | truncated
        last = infos["illegal"].copy()
        if "final_info" in infos:
            assert {f"_{name}" for name in form} >= {name for name in infos["final_info"] if name.startswith("_")}
            last |= infos["final_info"]["illegal"]
        legal = [action >= 0 and mask[action] for action, mask in zip(chosen, before, strict=True)]
        wrong = before.any(axis=1) & ~np.array(legal, np.bool_)
        assert np.array_equal(last, wrong)
        assert form_of({name: value for name, value in infos.items() if "final" not in name}) == form
        ends, illegal = ends + int(over.sum()), illegal + int(last.sum())
    assert ends > 5
    assert illegal > 5


@pytest.mark.parametrize("mask", [[0, 1], np.array([0, 1]), (1,), [True], [[True, False]], "all", [True, 1]])
def test_only_a_mask_of_bools_chooses_games(mask: Any) -> None:
    """Zeros and ones could be numbers of games, so Gymnasium takes them for neither, and so do these."""
    env = tiny(2)
    env.reset(seed=3)
    games = [env.learner.batch.game(index) for index in range(2)]
    with pytest.raises(OptionError, match="reset_mask must be 2 Boolean values"):
        env.reset(options={"reset_mask": mask})
    assert [env.learner.batch.game(index) for index in range(2)] == games


def test_seeds_may_be_any_sequence() -> None:
    for seeds in ([4, 9], (4, 9), np.array([4, 9]), range(4, 10, 5)):
        env = tiny(2)
        env.reset(seed=1)
        env.reset(seed=seeds, options={"reset_mask": [False, True]})
        assert env.learner.batch.game_seed(1) == 9
        env.reset(seed=seeds)
        assert [env.learner.batch.game_seed(index) for index in range(2)] == [4, 9]
    with pytest.raises(OptionError, match="1 seeds for 2 games"):
        env.reset(seed=[1], options={"reset_mask": [False, True]})
