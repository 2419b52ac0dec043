"""The games in OpenSpiel: its own tests, its values and best responses against ours."""

from __future__ import annotations

import pickle
import subprocess
import sys
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.micro import micro, random_policy
from thurn_env import ThurnError

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.observation import make_observation  # noqa: E402

from thurn_env.envs.open_spiel import OpenSpielGame  # noqa: E402
from thurn_env.envs.open_spiel_trees import SpielTree  # noqa: E402
from thurn_env.table.extensive_form import write_efg  # noqa: E402

GAMES = (
    *(f"thurn_und_taxis(board=tiny,players={players},max_rounds=4)" for players in (2, 3, 4)),
    "thurn_und_taxis(board=micro,skip_forced=False,start_player=1)",
    "thurn_und_taxis(board=north,horses=True,players=3,max_rounds=2)",
    "thurn_und_taxis(board=tiny,optional_houses=True,reward=rank,players=3,max_rounds=3)",
    *(f"zug_um_zug_deutschland(board=tiny_rails,players={players},max_rounds=6)" for players in (2, 3, 4, 5)),
)
EXACT = 1e-9


@pytest.mark.parametrize("spec", GAMES)
def test_random_simulations(spec: str) -> None:
    """OpenSpiel's own test: chance, legal actions, clones, serialisation, observations, utilities, length."""
    pyspiel.random_sim_test(pyspiel.load_game(spec), num_sims=3, serialize=True, verbose=False)


def test_a_whole_game_to_its_end() -> None:
    pyspiel.random_sim_test(pyspiel.load_game("zug_um_zug_deutschland(board=tiny_rails)"), 1, True, False)


def test_parameters() -> None:
    game = pyspiel.load_game("zug_um_zug_deutschland(board=tiny_rails,players=3)")
    assert isinstance(game, OpenSpielGame)
    assert game.num_players() == 3
    assert game.utility_sum() == 0
    twin = pickle.loads(pickle.dumps(game))
    assert str(twin) == str(game)
    assert twin.rules is game.rules
    for wrong, message in (
        ({"players": 9}, "players"),
        ({"board": "nowhere"}, "no board is called"),
        ({"reward": "score"}, "reward must be one of win, rank"),
        ({"max_rounds": 0}, "max_rounds"),
        ({"start_player": 7}, "start_player"),
    ):
        with pytest.raises(ThurnError, match=message):
            pyspiel.load_game("thurn_und_taxis", wrong)


def played(spec: str, seed: int, decisions: int) -> Any:
    """A state after some random decisions, at which a player is to move."""
    random = Random(seed)
    state = pyspiel.load_game(spec).new_initial_state()
    while decisions or state.is_chance_node():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choices(outcomes, chances)[0])
        else:
            state.apply_action(random.choice(state.legal_actions()))
            decisions -= 1
    return state


def test_observations_are_those_of_the_project() -> None:
    state = played("thurn_und_taxis(board=tiny)", 3, 12)
    observation = make_observation(state.get_game())
    for seat in range(2):
        expected = np.zeros(state.position.rules.observation_size, np.float32)
        state.position.rules.observe(state.position.states, 0, seat, expected)
        assert state.observation_tensor(seat) == expected.tolist()
        observation.set_from(state, seat)
        assert (observation.tensor == expected).all()
        hand = observation.dict["hand"]
        assert (hand == expected[state.position.rules.observation_slices["hand"]]).all()
        assert "hand[" in state.observation_string(seat) or not hand.any()
    view = state.position.view()
    assert state.observation_tensor(view.seat) == view.observation.tolist()


def test_an_information_state_names_no_hidden_card() -> None:
    """A card drawn unseen stands in the mover's log only; secret choices of tickets are secret in the others' logs."""
    state = played("thurn_und_taxis(board=tiny,start_player=0)", 1, 0)
    draw = state.position.rules.action_index("draw")
    state.apply_action(draw)
    logs = {}
    for outcome, _ in state.chance_outcomes():
        child = state.child(outcome)
        logs[outcome] = [child.information_state_string(seat) for seat in range(2)]
    assert len({mover for mover, _ in logs.values()}) == len(logs) > 1
    assert len({other for _, other in logs.values()}) == 1

    rails = played("zug_um_zug_deutschland(board=tiny_rails,start_player=0)", 1, 3)
    assert "keep " in rails.information_state_string(0) or "return " in rails.information_state_string(0)
    assert "(secret)" in rails.information_state_string(1)
    assert not {"keep ", "return "} & set(rails.information_state_string(1).split())
    for ticket in rails.position.rules.board.tickets:
        assert ticket.name not in rails.information_state_string(1)


def test_clones_are_independent() -> None:
    state = played("thurn_und_taxis(board=tiny)", 5, 6)
    twin = state.clone()
    twin.apply_action(twin.legal_actions()[0])
    assert len(twin.history()) == len(state.history()) + 1
    assert twin.position is not state.position
    game, read = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))
    assert str(read) == str(state)
    assert read.history() == state.history()
    assert str(game) == str(state.get_game())


def test_python_ends_without_a_crash() -> None:
    """OpenSpiel drops the registered games when Python has already ended."""
    code = "import pyspiel, thurn_env.envs.open_spiel; print(pyspiel.load_game('zug_um_zug_deutschland').num_players())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "2\n", "")


@pytest.fixture(scope="module")
def spiel() -> SpielTree:
    return SpielTree(micro())


@pytest.mark.parametrize("seed", range(3))
def test_values_and_best_responses_agree(spiel: SpielTree, seed: int) -> None:
    """OpenSpiel's compiled code on the exported tree against ours."""
    tree, game = spiel.tree, spiel.game
    policy = random_policy(tree, seed)
    table = spiel.table(policy)
    root = game.new_initial_state()
    values = pyspiel.expected_returns(root, pyspiel.TabularPolicy(table), -1, True)
    assert tree.values(policy) == pytest.approx(values, abs=EXACT)
    for seat in range(2):
        theirs = pyspiel.TabularBestResponse(game, seat, table).value_from_state(root)
        assert tree.best_response(policy, seat).value == pytest.approx(theirs, abs=EXACT)
    assert tree.exploitability(policy) == pytest.approx(pyspiel.exploitability(game, table), abs=EXACT)
    for ours, back in zip(policy, spiel.policy(table), strict=True):
        assert (ours == back).all()


def test_the_game_and_its_tree_agree() -> None:
    """The Python game, walked by OpenSpiel, has the values of the tree; its information states are the tree's."""
    tree = micro()
    policy = random_policy(tree, 7)
    table = {
        one.text: list(zip(one.actions, chances.tolist(), strict=True))
        for one, chances in zip(tree.sets, policy, strict=True)
    }
    game = pyspiel.load_game("thurn_und_taxis(board=micro,max_rounds=2,start_player=0)")
    values = pyspiel.expected_returns(game.new_initial_state(), pyspiel.TabularPolicy(table), -1, True)
    assert tree.values(policy) == pytest.approx(values, abs=EXACT)


def test_the_file_is_the_same_game(spiel: SpielTree, tmp_path) -> None:
    write_efg(spiel.tree, tmp_path / "micro.efg")
    game = pyspiel.load_game(f"efg_game(filename={tmp_path / 'micro.efg'})")
    table = spiel.table(spiel.tree.uniform())
    assert pyspiel.exploitability(game, table) == pytest.approx(0.826388888888889, abs=EXACT)
    assert game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    assert game.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION


def test_cfr_plus_solves_micro(spiel: SpielTree) -> None:
    """The game is a draw for perfect players."""
    solver = spiel.cfr_plus()
    found = []
    for number in range(1, 301):
        solver.evaluate_and_update_policy()
        if number in (30, 100, 300):
            policy = spiel.policy(solver.tabular_average_policy().policy_table())
            found.append(spiel.tree.exploitability(policy))
    assert found == sorted(found, reverse=True)
    assert found[-1] < 2e-4
    assert spiel.tree.values(policy) == pytest.approx([0, 0], abs=1e-3)
