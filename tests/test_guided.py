"""Search guided by a policy: what the kernel computes, what it finds, what it may not know."""

from __future__ import annotations

from dataclasses import replace
from itertools import count, pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tests.stored.kernels_of_rules import forward_pass
from tests.test_policy import layer, some_policy, with_cities
from thurn_env import AgentError, Game, make_rules
from thurn_env.games.contract import GameRules
from thurn_env.players.agent import make_agent
from thurn_env.players.guided import GuidedSearch, network_of
from thurn_env.players.match import play_match
from thurn_env.players.mcts import MEASURED
from thurn_env.players.policy import RELEASE, Layer, Policy, load, save
from thurn_env.players.priors import prior_temperature
from thurn_env.training.config import rules_of


@pytest.fixture(scope="module")
def rules() -> GameRules:
    return make_rules("thurn_und_taxis", 3, "tiny")


@pytest.fixture
def path(rules: GameRules, tmp_path: Path) -> Path:
    save(small(some_policy(rules)), tmp_path / "policy.npz")
    return tmp_path / "policy.npz"


def small(policy: Policy) -> Policy:
    """The policy with less to say: its chances are closer to each other, its values in the middle."""
    actions, value = policy.actions, policy.value
    return Policy(
        policy.trunk,
        Layer(actions.weight * np.float32(0.05), actions.bias * np.float32(0.05)),
        Layer(value.weight * np.float32(0.02), value.bias * np.float32(0.02)),
        policy.game,
        policy.made,
    )


def searching(path: Path, options: str, game: Game, seed: int = 1) -> GuidedSearch:
    agent = GuidedSearch(f"{path},{options}")
    agent.reset(game.seat, game.rules, seed)
    return agent


@pytest.mark.parametrize("widths", [(8,), (5, 12), (16, 3, 9)])
def test_the_kernel_computes_what_the_policy_says(rules: GameRules, widths: tuple[int, ...]) -> None:
    sizes = (rules.observation_size, *widths)
    trunk = tuple(layer(inputs, outputs, seed) for seed, (inputs, outputs) in enumerate(pairwise(sizes)))
    wide = Policy(trunk, layer(widths[-1], rules.action_size, 8), layer(widths[-1], 1, 9), {}, {})
    network = network_of(wide, 1)
    for game in (Game.from_rules(rules, seed=seed) for seed in range(3)):
        view = game.view()
        logits, values = wide(view.observation[None])
        value = forward_pass(network, view.observation)
        assert network.logits == pytest.approx(logits[0], rel=1e-3, abs=1e-3)
        assert value == pytest.approx(float(np.clip(values[0], -1, 1)), rel=1e-3, abs=1e-3)


def test_the_kernel_knows_layers_of_cities(rules: GameRules) -> None:
    policy = with_cities(rules)
    network = network_of(policy, 1)
    for game in (Game.from_rules(rules, seed=seed) for seed in range(3)):
        view = game.view()
        logits, values = policy(view.observation[None])
        for _ in range(2):
            value = forward_pass(network, view.observation)
            assert network.logits == pytest.approx(logits[0], rel=1e-3, abs=1e-2)
            assert value == pytest.approx(float(np.clip(values[0], -1, 1)), rel=1e-3, abs=1e-3)


def test_every_iteration_is_counted_once(rules: GameRules, path: Path) -> None:
    game = Game.from_rules(rules, seed=3)
    agent = searching(path, "150", game)
    analysis = agent.analyse(game.view())
    # The first iteration asks the network about the position itself.
    assert analysis.iterations == sum(line.visits for line in analysis.lines) + 1 <= 150
    nodes = agent._tree.nodes[: agent._tree.used[0]]
    assert np.allclose(nodes["values"].sum(axis=1), 0)
    assert (np.abs(nodes["values"]) <= nodes["visits"][:, None] + 1e-9).all()


def test_a_policy_may_be_certain(rules: GameRules, tmp_path: Path) -> None:
    """What is legal in one deal may be out of the question for it next to what is legal in another."""
    policy = some_policy(rules)
    bias = np.float32(-300) * np.random.default_rng(1).permutation(rules.action_size).astype(np.float32)
    certain = replace(policy, actions=Layer(policy.actions.weight, bias))
    save(certain, tmp_path / "certain.npz")
    for seed in range(5):
        game = Game.from_rules(rules, seed=seed)
        agent = searching(tmp_path / "certain.npz", "300", game)
        agent._grow(game.view().game.states, 300)
        assert agent._tree.nodes["visits"][0] == 300
        assert np.isfinite(agent._tree.nodes["values"]).all()


@pytest.mark.parametrize("temperature", [4.0, 1.0, 0.25])
def test_without_exploration_of_values_it_follows_the_policy(rules: GameRules, path: Path, temperature: float) -> None:
    """With much exploration visits are shared out by the policy's chances at the temperature of the priors."""
    game = Game.from_rules(rules, seed=3)
    view = game.view()
    logits = small(some_policy(rules))(view.observation[None])[0][0, view.legal_actions]
    expected = np.exp(logits / temperature) / np.exp(logits / temperature).sum()
    analysis = searching(path, f"2000,c=1000,temperature={temperature}", game).analyse(view)
    visits = {line.action: line.visits for line in analysis.lines}
    shares = [visits.get(text, 0) / sum(visits.values()) for text in view.legal]
    assert shares == pytest.approx(expected.tolist(), abs=0.03)


def test_priors_of_a_sure_policy_are_made_more_even(rules: GameRules, tmp_path: Path) -> None:
    """The surer the policy, the higher the temperature; without a number, search takes the one that was found."""
    policy = some_policy(rules)
    found = []
    for sureness in (0.0, 0.3, 1.0, 30.0):
        actions = Layer(policy.actions.weight * np.float32(sureness), policy.actions.bias * np.float32(sureness))
        save(replace(policy, actions=actions), tmp_path / f"{sureness}.npz")
        made = load(tmp_path / f"{sureness}.npz")
        found.append(prior_temperature(made, rules))
        agent = searching(tmp_path / f"{sureness}.npz", "10", Game.from_rules(rules, seed=1))
        assert agent._tree.settings["temperature"][0] == found[-1]
    assert found == sorted(found)
    assert (found[0], found[-1]) == (1.0, 4.0)


@pytest.mark.parametrize(
    ("name", "temperature"),
    [
        ("thurn_und_taxis-south-2", 2.0),
        ("thurn_und_taxis-north-2", 2.0),
        ("thurn_und_taxis-north_horses-2", 2.0),
        ("thurn_und_taxis-north-3", 4.0),
    ],
)
def test_temperatures_of_published_policies(name: str, temperature: float) -> None:
    policy = load(RELEASE / f"{name}.npz")
    assert prior_temperature(policy, rules_of(policy.made["config"])) == temperature


def test_it_finds_a_win_that_the_policy_does_not_see(tmp_path: Path) -> None:
    """A policy that knows nothing: all that it finds are the ends of games, which come soon here."""
    rules = make_rules("thurn_und_taxis", 3, "tiny", max_rounds=25)
    nothing = Policy(
        (Layer(np.zeros((rules.observation_size, 1), np.float32), np.zeros(1, np.float32)),),
        Layer(np.zeros((1, rules.action_size), np.float32), np.zeros(rules.action_size, np.float32)),
        Layer(np.zeros((1, 1), np.float32), np.zeros(1, np.float32)),
        some_policy(rules).game,
        {},
    )
    save(nothing, tmp_path / "nothing.npz")
    searcher = f"ppo+mcts:{tmp_path / 'nothing.npz'},500,opponents=random"
    won = 0
    for seed in range(8):
        for own in range(3):
            specs = [searcher if seat == own else "random" for seat in range(3)]
            record = play_match(rules, [make_agent(spec, rules.bots) for spec in specs], seed=seed)
            assert record.result is not None
            won += record.result["ranks"][own] == 1
    assert won >= 14, "blind play would win a third of the 24 games"


@pytest.mark.parametrize("opponents", ["heuristic", "policy"])
def test_what_it_chooses_does_not_depend_on_hidden_cards(rules: GameRules, path: Path, opponents: str) -> None:
    game = Game.from_rules(rules, seed=5)
    for _ in range(12):
        game.play(game.legal_actions[0])
    options = f"40,opponents={opponents}"
    choices = {searching(path, options, game).act(game.redeal(game.seat, deal).view()) for deal in range(6)}
    assert len(choices) == 1


def test_the_same_seed_gives_the_same_game(rules: GameRules, path: Path) -> None:
    records = [
        play_match(rules, [GuidedSearch(f"{path},20"), *(make_agent("greedy", rules.bots) for _ in range(2))], seed=5)
        for _ in range(2)
    ]
    assert records[0].moves == records[1].moves


def test_time_instead_of_iterations(rules: GameRules, path: Path) -> None:
    game = Game.from_rules(rules, seed=3)
    assert searching(path, "ms=5", game).act(game.view()) in game.legal_actions


@pytest.mark.parametrize("options", ["1", "2", "ms=1"])
def test_the_shortest_search_knows_an_action(
    rules: GameRules, path: Path, monkeypatch: pytest.MonkeyPatch, options: str
) -> None:
    """The first iteration only looks at the position itself; on a busy machine the time may be over after it."""
    clock = count(step=100.0)
    monkeypatch.setattr("thurn_env.players.mcts.time", SimpleNamespace(perf_counter=lambda: next(clock)))
    game = Game.from_rules(rules, seed=3)
    assert searching(path, options, game).act(game.view()) in game.legal_actions
    assert searching(path, options, game).analyse(game.view()).lines
    assert searching(path, options, game).analyse_move(game.view(), game.legal_actions[0], 0.1, False).lines


@pytest.mark.parametrize("spec", ["mcts:ms=3600000", "ppo+mcts:PATH,ms=3600000", "mcts:1000000"])
def test_where_there_is_no_choice_nothing_is_searched(rules: GameRules, path: Path, spec: str) -> None:
    game = Game.from_rules(rules, seed=3)
    while len(game.legal_actions) > 1:
        game.play(int(game.legal_actions[-1]))
    assert not game.over
    agent = make_agent(spec.replace("PATH", str(path)), rules.bots)
    agent.reset(game.seat, rules, 1)
    assert agent.act(game.view()) == game.legal_actions[0]


def test_a_full_tree_ends_the_search_before_the_time_is_over(
    rules: GameRules, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thurn_env.players.guided.TIMED_NODES", 50)
    game = Game.from_rules(rules, seed=3)
    agent = searching(path, "ms=3600000", game)
    assert agent.act(game.view()) in game.legal_actions
    assert agent._tree.used[0] == 50


@pytest.mark.parametrize("opponents", ["heuristic", "policy"])
def test_scores_are_those_at_the_end_of_the_game(rules: GameRules, path: Path, opponents: str) -> None:
    """What a game brings in when the seat plays it to its end by the policy's chances."""
    game = Game.from_rules(rules, seed=3)
    analysis = searching(path, f"100,opponents={opponents}", game).analyse(game.view())
    assert all(np.isfinite(line.score) for line in analysis.lines)
    mean = sum(line.score * line.visits for line in analysis.lines) / sum(line.visits for line in analysis.lines)
    assert mean != pytest.approx(game.scores[game.seat], abs=0.5)


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"reward": "score"}, "'score'"),
        ({"reward": "margin"}, "'margin'"),
        ({"reward": "rank", "shaping": 0.5}, "'rank' with shaping 0.5"),
        ({"shaping": 1.0}, "'win' with shaping 1"),
    ],
)
def test_values_must_be_chances_to_win(rules: GameRules, tmp_path: Path, config: dict[str, object], words: str) -> None:
    """A critic of a shaped reward expects what is still to come of it, which is less for those who are ahead."""
    save(replace(some_policy(rules), made={"config": config}), tmp_path / "points.npz")
    with pytest.raises(
        AgentError, match=rf"was trained for the reward {words}, so its values are not win probabilities"
    ):
        searching(tmp_path / "points.npz", "10", Game.from_rules(rules, seed=1))


def test_a_policy_without_shaping_may_say_so(rules: GameRules, tmp_path: Path) -> None:
    save(replace(some_policy(rules), made={"config": {"reward": "rank", "shaping": 0.0}}), tmp_path / "plain.npz")
    searching(tmp_path / "plain.npz", "10", Game.from_rules(rules, seed=1))


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("", r"ppo\+mcts needs a model"),
        ("x.npz,many", r"ppo\+mcts: iterations must be a whole number, not 'many'"),
        ("x.npz,100,rollout=greedy", r"ppo\+mcts has no option 'rollout'"),
        ("x.npz,0", r"ppo\+mcts: iterations must be from 1 to"),
        ("x.npz,10,temperature=-1", r"ppo\+mcts: temperature must be from 0.0 to"),
        ("x.npz,10,temperature=nan", r"ppo\+mcts: temperature must be"),
    ],
)
def test_wrong_options(argument: str, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        GuidedSearch(argument)


def test_a_wrong_opponent(rules: GameRules, path: Path) -> None:
    with pytest.raises(AgentError, match=r"opponents must be policy or one of random, .*, not 'nobody'"):
        GuidedSearch(f"{path},10,opponents=nobody").reset(0, rules, 1)


def test_a_review_measures_the_played_action_in_every_pass(rules: GameRules, path: Path) -> None:
    """As long as the search has its nodes, each legal action gets its share of the visits, also in the longest pass."""
    game = next(game for game in (Game.from_rules(rules, seed=seed) for seed in range(9)) if len(game.legal) > 3)
    for effort in (0.25, 1.0):
        for played in game.legal:
            agent = searching(path, "40", game)
            analysis = agent.analyse_move(game.view(), game.legal_index(played), effort, False)
            visits = next(line.visits for line in analysis.lines if line.action == played)
            assert visits >= MEASURED * (analysis.iterations - visits)
            assert all(len(line.chances) == rules.players for line in analysis.lines)
            assert all(sum(line.chances) == pytest.approx(1.0) for line in analysis.lines)
