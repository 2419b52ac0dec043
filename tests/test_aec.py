"""The PettingZoo environment: the published checkers, rewards, seeds, hidden cards, illegal actions."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, seed_test

from tests.aec_games import Player, play
from thurn_env import Game, IllegalAction, OptionError, ThurnError, thurn_und_taxis_v0
from thurn_env.games.contract import REWARD_MODES
from thurn_env.players.agent import ScriptedAgent, agent_seed
from thurn_env.players.match import play_match
from thurn_env.table.replay import verify

TABLES = [(board, players) for board in ("tiny", "south") for players in (2, 3, 4)]
OPTIONS: list[dict[str, Any]] = [
    {},
    {"optional_houses": True},
    {"all_provinces_without_baiern": True},
    {"max_rounds": 7},
    {"skip_forced": False},
    {"shaping": 0.5, "reward": "margin"},
    {"reward": "rank", "render_mode": "ansi"},
]


def returns(seen: list[Any]) -> dict[str, float]:
    """The sum of the rewards that every agent was given."""
    sums: dict[str, float] = {}
    for agent, _, _, _, reward, *_ in seen:
        sums[agent] = sums.get(agent, 0.0) + reward
    return sums


def expected_returns(game: Game, mode: str) -> list[float]:
    """Every seat's return, worked out from ranks and scores alone."""
    scores, ranks = np.array(game.scores, float), np.array(game.ranks)
    houses = 6 if game.rules.board_name == "tiny" else 20
    if mode == "score":
        return list(scores / houses)
    if mode == "margin":
        return [(score - max(np.delete(scores, seat))) / houses for seat, score in enumerate(scores)]
    players = game.players
    places = np.linspace(1, -1, players) if mode == "rank" else np.array([1.0] + [-1 / (players - 1)] * (players - 1))
    shared = {rank: places[rank - 1 : rank - 1 + sum(ranks == rank)].mean() for rank in ranks}
    return [shared[rank] for rank in ranks]


@pytest.mark.parametrize(
    ("board", "players", "options"),
    [
        (board, players, options)
        for board, players in TABLES
        for options in OPTIONS
        if board == "south" or "all_provinces_without_baiern" not in options  # tiny has no such province
    ],
    ids=str,
)
# The checker asks agents for an observation after the end too, when no action is legal.
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros:UserWarning:pettingzoo.test.api_test")
def test_published_checkers(board: str, players: int, options: dict[str, Any]) -> None:
    make: Callable[[], Any] = lambda: thurn_und_taxis_v0.env(players, board, **options)  # noqa: E731
    api_test(make(), num_cycles=150)
    api_test(thurn_und_taxis_v0.raw_env(players, board, **options), num_cycles=100)
    seed_test(make, num_cycles=75)


@pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="PettingZoo has a registry from 1.27 on")
def test_made_by_the_registry() -> None:
    env = pettingzoo.make("aec", "thurn_env/thurn_und_taxis-v0", players=3, board="tiny")
    assert env.possible_agents == ["player_0", "player_1", "player_2"]
    assert pettingzoo.make("aec", "thurn_env/thurn_und_taxis_v0").unwrapped.rules.board_name == "south"
    assert str(env) == str(env.unwrapped) == "thurn_und_taxis_v0"
    assert not any("thurn" in name for name in pettingzoo.parallel_registry)


@pytest.mark.parametrize("mode", REWARD_MODES)
@pytest.mark.parametrize("max_rounds", [2, 200])
@pytest.mark.parametrize(("board", "players"), [("tiny", 2), ("tiny", 3), ("tiny", 4), ("south", 3)])
def test_summed_rewards_are_the_returns(board: str, players: int, max_rounds: int, mode: str) -> None:
    """Through several decisions in a turn, skipped ones, games played out and cut off, with and without shaping."""
    for skip_forced in (True, False):
        for shaping in (0.0, 0.7):
            env = thurn_und_taxis_v0.env(
                players, board, reward=mode, skip_forced=skip_forced, shaping=shaping, max_rounds=max_rounds
            )
            env.reset(seed=players)
            seen = play(env, Player(env))
            movers = [agent for agent, *_ in seen]
            assert any(first == second for first, second in pairwise(movers))
            game = env.unwrapped.game
            assert game.over
            assert game.truncated == (max_rounds == 2)
            given = returns(seen)
            assert [given[agent] for agent in env.possible_agents] == pytest.approx(expected_returns(game, mode))
            on_the_way = [reward for *_, reward, terminated, truncated, _ in seen if not terminated and not truncated]
            if not shaping:
                assert not any(on_the_way)
            elif not game.truncated:
                assert any(on_the_way)


def test_games_end_by_closing() -> None:
    """The games of these tests do come to an end on the tiny board."""
    env = thurn_und_taxis_v0.raw_env(2, "tiny")
    env.reset(seed=1)
    seen = play(env, Player(env))
    assert [entry[5:7] for entry in seen[-2:]] == [(True, False)] * 2
    assert env.game.winner is not None


def test_a_game_cut_off_is_truncated_for_all() -> None:
    env = thurn_und_taxis_v0.raw_env(3, "tiny", max_rounds=3, reward="rank")
    env.reset(seed=1)
    while not any(env.truncations.values()):
        env.step(int(env.infos[env.agent_selection]["action_mask"].argmax()))
    assert env.truncations == dict.fromkeys(env.possible_agents, True)
    assert env.terminations == dict.fromkeys(env.possible_agents, False)
    assert env.game.rounds == 3
    with pytest.raises(ValueError, match="None"):
        env.step(0)
    assert env.agents == env.possible_agents
    for left in (2, 1, 0):
        assert not env.last()[0]["action_mask"].any()
        env.step(None)
        assert len(env.agents) == left
    with pytest.raises(IllegalAction, match=r"call reset\(\)"):
        env.step(None)
    env.reset()
    assert env.agents == env.possible_agents


@pytest.mark.parametrize(("board", "players"), TABLES)
def test_the_game_of_a_seed(board: str, players: int) -> None:
    """With the same seed and choices the environment and `Game` are the same game, seen decision by decision."""
    env = thurn_und_taxis_v0.raw_env(players, board, max_rounds=30)
    env.reset(seed=11)
    player, game = Player(env), Game(players, board, 11, max_rounds=30)
    while True:
        while len(game.legal_actions) == 1:
            game.play(game.legal[0])
        assert env.game == game
        assert np.array_equal(env.state(), game.rules.state_vector(game.states, 0))
        for seat, agent in enumerate(env.possible_agents):
            seen, view = env.observe(agent), game.view(seat)
            assert np.array_equal(seen["observation"], view.observation)
            assert env.observation_space(agent).contains(seen)
            assert np.array_equal(env.infos[agent]["action_mask"], seen["action_mask"])
            if not game.over and seat == game.seat:
                assert np.array_equal(seen["action_mask"], game.action_mask)
                assert seen["action_mask"].sum() > 1
            else:
                assert not seen["action_mask"].any()
        assert env.state_space.contains(env.state())
        if game.over:
            break
        assert env.agent_selection == f"player_{game.seat}"
        action = player.act(game.action_mask)
        env.step(np.int64(action))
        game.play(action)
    record = env.record()
    assert record == game.record()
    verify(record)


def test_forced_decisions_change_nothing_else() -> None:
    """Without skipping, agents answer forced decisions themselves; the games are the same."""
    asked = thurn_und_taxis_v0.raw_env(2, "tiny", skip_forced=False)
    skipped = thurn_und_taxis_v0.raw_env(2, "tiny")
    player, forced = Player(asked), 0
    for seed in range(5):
        asked.reset(seed=seed)
        skipped.reset(seed=seed)
        while not asked.game.over:
            mask = asked.infos[asked.agent_selection]["action_mask"]
            action = player.act(mask)
            if mask.sum() == 1:
                forced += 1
            else:
                assert np.array_equal(mask, skipped.infos[skipped.agent_selection]["action_mask"])
                skipped.step(action)
            asked.step(action)
        assert asked.record() == skipped.record()
    assert forced > 0


def test_resets_without_a_seed() -> None:
    """They follow from the last seed given, bring new games, and leave NumPy's global generator alone."""

    def decks(env: Any, *seeds: int | None) -> list[Any]:
        found = []
        for seed in seeds:
            env.reset(seed=seed)
            found.append(env.unwrapped.record().chance["decks"][0])
        return found

    before = pickle.dumps(np.random.get_state())  # noqa: NPY002
    first = decks(thurn_und_taxis_v0.env(board="tiny"), 3, None, None, 4, None)
    assert decks(thurn_und_taxis_v0.env(board="tiny"), 3, None, None, 4, None) == first
    assert len({tuple(deck) for deck in first}) == 5
    fresh = [decks(thurn_und_taxis_v0.raw_env(board="tiny"), None, None) for _ in range(3)]
    assert len({tuple(deck) for pair in fresh for deck in pair}) == 6
    assert pickle.dumps(np.random.get_state()) == before  # noqa: NPY002


def test_the_start_player_may_be_chosen() -> None:
    env = thurn_und_taxis_v0.env(players=3, board="tiny")
    for seat in (0, 1, 2):
        env.reset(seed=5, options={"start_player": seat})
        assert env.agent_selection == f"player_{seat}"
        assert env.unwrapped.game == Game(3, "tiny", 5, start_player=seat)
    before = env.get_state()
    with pytest.raises(OptionError, match="start_player must be a seat from 0 to 2"):
        env.reset(options={"start_player": 3})
    assert env.get_state() == before


def test_arrays_are_the_callers_own() -> None:
    """What was handed out never changes later, and changing it changes nothing in the environment."""
    env = thurn_und_taxis_v0.raw_env(2, "tiny")
    env.reset(seed=2)
    player, kept = Player(env), []
    for _ in range(40):
        observation, *_, info = env.last()
        kept.append((observation, info, copy.deepcopy((observation, info))))
        env.step(player.act(info["action_mask"]))
    for observation, info, then in kept:
        assert pickle.dumps((observation, info)) == pickle.dumps(then)
    before = pickle.dumps([env.observe(agent) for agent in env.agents])
    for agent in env.agents:
        seen = env.observe(agent)
        for array in (seen["observation"], seen["action_mask"], env.infos[agent]["action_mask"], env.state()):
            array[:] = 1
    assert pickle.dumps([env.observe(agent) for agent in env.agents]) == before
    with pytest.raises(IllegalAction):
        env.step(int(seen["action_mask"].size) - 1)


@pytest.mark.parametrize(("board", "players"), [("tiny", 3), ("south", 2)])
def test_agents_see_no_hidden_card(board: str, players: int) -> None:
    """Whatever lies hidden from an agent is dealt anew; its observation and the text for it stay the same."""
    env = thurn_und_taxis_v0.raw_env(players, board, max_rounds=20, render_mode="ansi")
    twin = thurn_und_taxis_v0.raw_env(players, board, max_rounds=20, render_mode="ansi")
    env.reset(seed=3)
    player, different = Player(env), 0
    while not env.game.over:
        for seat, agent in enumerate(env.agents):
            state = env.get_state()
            state["states"] = env.game.redeal(seat, seed=len(state["actions"])).to_bytes()
            twin.set_state(state)
            seen, again = env.observe(agent), twin.observe(agent)
            assert seen["observation"].tobytes() == again["observation"].tobytes()
            assert seen["action_mask"].tobytes() == again["action_mask"].tobytes()
            if env.agent_selection == agent:
                assert env.render() == twin.render()
            different += not np.array_equal(twin.state(), env.state())
        play(env, player, 1)
    assert different > 0


def test_text_is_for_the_eyes_of_the_mover() -> None:
    env = thurn_und_taxis_v0.env(3, "tiny", render_mode="ansi")
    env.reset(seed=3)
    play(env, Player(env), 30)
    raw = env.unwrapped
    seat = raw.game.seat
    assert env.render() == raw.view().text == raw.view(f"player_{seat}").text == raw.game.view(seat).text
    silent = thurn_und_taxis_v0.env(3, "tiny")
    silent.reset(seed=3)
    with pytest.warns(UserWarning, match="render"):
        assert silent.render() is None
    env.close()


def test_scripted_agents_play_from_views() -> None:
    """Through the environment they play the very game that a match of the same seed is."""
    for seed in range(3):
        env = thurn_und_taxis_v0.raw_env(2, "tiny")
        env.reset(seed=seed)
        agents = {agent: ScriptedAgent("random") for agent in env.possible_agents}
        for seat, agent in enumerate(agents.values()):
            agent.reset(seat, env.rules, agent_seed(seed, seat))
        for name in env.agent_iter():
            ended = env.terminations[name] or env.truncations[name]
            env.step(None if ended else agents[name].act(env.view(name)))
        agreed = play_match(env.rules, [ScriptedAgent("random") for _ in range(2)], seed)
        assert env.record(["random", "random"]) == agreed


def test_the_shown_game_is_a_copy() -> None:
    env = thurn_und_taxis_v0.raw_env(2, "tiny")
    env.reset(seed=1)
    env.game.play("draw")
    assert env.game.moves == []
    assert env.game.to_bytes() == env.get_state()["states"]


@pytest.mark.parametrize("action", ["illegal", -1, 10**6, None, "draw", 1.5, np.array([1, 2])], ids=str)
def test_illegal_actions_raise_and_change_nothing(action: Any) -> None:
    env = thurn_und_taxis_v0.raw_env(2, "tiny", shaping=0.5)
    env.reset(seed=1)
    play(env, Player(env), 25)
    if isinstance(action, str) and action == "illegal":
        action = int(env.last()[4]["action_mask"].argmin())
        text, message = env.rules.action_texts[action], "is not legal"
    else:
        text, message = "", "there is no action|whole number"
    before, masks = env.get_state(), pickle.dumps(env.infos)
    with pytest.raises(IllegalAction, match=f"{text}.*{message}"):
        env.step(action)
    assert env.get_state() == before
    assert pickle.dumps(env.infos) == masks


def test_an_illegal_action_ends_the_wrapped_game() -> None:
    env = thurn_und_taxis_v0.env(3, "tiny", shaping=0.5)
    env.reset(seed=1)
    play(env, Player(env), 25)
    saved, culprit = env.get_state(), env.agent_selection
    rest = play(env.clone(), Player(env))
    env.step(int(env.last()[4]["action_mask"].argmin()))
    middle = env.clone()
    for ended in (env, middle):
        given = {}
        for agent in ended.agent_iter():
            observation, reward, terminated, truncated, info = ended.last()
            assert terminated
            assert truncated
            assert not observation["action_mask"].any()
            assert not info["action_mask"].any()
            given[agent] = reward
            ended.step(None)
        # What shaping paid until then is taken back.
        assert given[culprit] == pytest.approx(-1 - 0.5 * saved["potentials"][env.possible_agents.index(culprit)])
        assert set(given) == set(env.possible_agents)
    env.set_state(saved)
    assert play(env, Player(env)) == rest
    env.reset(seed=1)
    with pytest.raises(AssertionError, match="action is not in action space"):
        env.step(10**6)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"players": 5}, "2 to 4 players, not 5"),
        ({"players": "two"}, "players must be a whole number, not 'two'"),
        ({"board": "souht"}, "souht.*south"),
        ({"max_round": 3}, "unknown option 'max_round'; did you mean max_rounds"),
        ({"max_rounds": 0}, "max_rounds must be from 1"),
        ({"reward": "points"}, "reward must be one of win, rank, margin, score, not 'points'"),
        ({"render_mode": "humans"}, "render_mode must be None or 'ansi', 'svg', 'rgb_array', 'human', not 'humans'"),
        ({"skip_forced": "no"}, "skip_forced must be True or False, not 'no'"),
        ({"shaping": float("nan")}, "shaping must be a finite number, not nan"),
    ],
    ids=str,
)
def test_wrong_arguments(arguments: dict[str, Any], message: str) -> None:
    for make in (thurn_und_taxis_v0.env, thurn_und_taxis_v0.raw_env):
        with pytest.raises(ThurnError, match=message) as caught:
            make(**arguments)
        assert "\n" not in str(caught.value)


def test_wrong_calls() -> None:
    raw = thurn_und_taxis_v0.raw_env(2, "tiny")
    calls: list[Callable[[], object]] = [
        raw.state,
        raw.view,
        raw.record,
        raw.get_state,
        lambda: raw.game,
        lambda: raw.observe("player_0"),
        lambda: raw.step(0),
    ]
    for call in calls:
        with pytest.raises(ThurnError, match=r"call reset\(\)"):
            call()
    for seed in (-1, 1.5, "one"):
        with pytest.raises(OptionError, match="a seed is a whole number from 0 up"):
            raw.reset(seed=seed)
    raw.reset(seed=1)
    with pytest.raises(OptionError, match="no agent 'player_2'; the agents are player_0, player_1"):
        raw.observe("player_2")
    with pytest.raises(AttributeError, match="cannot be accessed before reset"):
        thurn_und_taxis_v0.env(2, "tiny").agents  # noqa: B018


@pytest.mark.parametrize("form", ["dict", "flat"])
def test_what_a_caller_does_with_its_info_changes_no_verdict(form: str) -> None:
    """A legal action stays legal and an illegal one illegal, whatever happened to the mask that `last` returned."""
    env = thurn_und_taxis_v0.env(2, "tiny", observation=form)
    env.reset(seed=1)
    info = env.last()[4]
    action = int(info["action_mask"].argmax())
    info["action_mask"][action] = 0
    env.step(action)
    assert not any(env.terminations.values())
    culprit, info = env.agent_selection, env.last()[4]
    illegal = int(info["action_mask"].argmin())
    info["action_mask"][:] = 1
    env.step(illegal)
    assert env.rewards[culprit] == -1


@pytest.mark.parametrize("options", [[1], "start_player", 3])
def test_options_of_a_reset_are_a_dictionary(options: Any) -> None:
    with pytest.raises(OptionError, match="options must be a dictionary"):
        thurn_und_taxis_v0.raw_env(2, "tiny").reset(seed=1, options=options)
