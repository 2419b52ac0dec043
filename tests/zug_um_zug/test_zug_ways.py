"""Ways as inputs of networks: computed from the view alone, they equal the plan that the bot makes from the state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.stored.kernels_of_rules import forward_pass, plan_of_bot
from tests.test_policy import layer, some_policy, some_scorers, with_cities
from tests.zug_um_zug.positions import GAME, position
from thurn_env import AgentError, Game, make_rules
from thurn_env.commands.cli import main
from thurn_env.engine.way_rules import FAR, Ways, new_way_plan, price_tracks, sizes
from thurn_env.games.contract import Float32Array, GameRules
from thurn_env.games.zug_um_zug_deutschland.bots.plan import empty_plan
from thurn_env.games.zug_um_zug_deutschland.bots.weights import WEIGHTS
from thurn_env.players.guided import network_of
from thurn_env.players.policy import Policy, load, save
from thurn_env.players.ways import inputs_with, ways_from


@pytest.fixture(scope="module")
def rules() -> GameRules:
    return make_rules(GAME, 3, "tiny_rails")


def ways_of(rules: GameRules) -> Ways:
    ways = rules.ways()
    assert ways is not None
    return ways


def told(game: Game) -> dict[str, list[float]]:
    """What the mover's tickets need, by piece."""
    ways = ways_of(game.rules)
    values = ways_from(ways, game.view().observation[None])[0]
    ends = np.cumsum([*sizes(ways).values()])[:-1]
    return {name: part.tolist() for name, part in zip(sizes(ways), np.split(values, ends), strict=True)}


def with_ways(rules: GameRules) -> Policy:
    """A policy of one hidden layer over the observation and the ways, with scores and random weights."""
    ways = ways_of(rules)
    inputs = rules.observation_size + sum(sizes(ways).values())
    return replace(some_policy(rules), trunk=(layer(inputs, 8, 1),), ways=ways, scorers=some_scorers(rules, inputs))


def random_games(rules: GameRules, count: int) -> Iterator[Game]:
    """Games in all states of play, each after every eighth decision."""
    for seed in range(count):
        game = Game.from_rules(rules, seed=seed)
        generator = np.random.default_rng(seed)
        while not game.over:
            if generator.random() < 0.125:
                yield game
            game.play(str(generator.choice(game.legal)))


def tickets_of(game: Game) -> list[str]:
    rules: Any = game.rules
    return [ticket.name for ticket in rules.board.tickets]


def claims_of(game: Game) -> list[str]:
    rules: Any = game.rules
    return [claim.name for claim in rules.tracks.claims]


def chosen(values: list[float], names: list[str]) -> dict[str, float]:
    return {name: value for name, value in zip(names, values, strict=True) if value}


def test_a_way_goes_over_own_tracks_and_shares_its_points_by_length() -> None:
    """Coburg-Hof is two trains; the way from Gotha over Suhl adds two tracks of one train each."""
    game = position(
        board="tiny_rails",
        tickets=["Gotha-Hof"],
        tracks=["Gotha-Suhl grey"],
        hand=["red", "blue", "blue", "blue"],
        waiting={},
    )
    found = told(game)
    swing = 2 * 4
    assert chosen(found["stake"], claims_of(game)) == pytest.approx(
        {"Suhl-Coburg red": swing / 3, "Coburg-Hof grey": swing * 2 / 3}
    )
    assert chosen(found["danger"], claims_of(game)) == {"Suhl-Coburg red": swing, "Coburg-Hof grey": swing}
    assert chosen(found["trains"], tickets_of(game)) == {"Gotha-Hof": 3}
    assert chosen(found["claims"], tickets_of(game)) == {"Gotha-Hof": 2}
    assert found["planned_trains"] == [3]
    assert found["planned_claims"] == [2]
    assert found["spare_trains"] == [10 - 1 - 3]
    missing = chosen(found["missing"], claims_of(game))
    assert "Coburg-Hof grey" not in missing, "three blue cards pay for two trains"
    assert missing["Fulda-Bamberg yellow"] == 4
    assert missing["Fulda-Bamberg red"] == 3
    assert sum(found["closed"]) == sum(found["pull"]) == 0


def test_cards_of_the_colour_that_a_wanted_track_lacks_pull() -> None:
    game = position(board="tiny_rails", tickets=["Suhl-Hof"], tracks=["Suhl-Coburg red"], hand=["yellow"], waiting={})
    # Two trains of 6 points, of which one card is missing: the hand has most of yellow, and locomotives count, too.
    assert told(game)["pull"] == pytest.approx([0, 6 / 3, 0, 6 / 3])


def test_a_ticket_without_a_way_or_without_trains_is_closed() -> None:
    game = position(board="tiny_rails", tickets=["Fulda-Hof", "Gotha-Gera"], trains=4, waiting={})
    found = told(game)
    assert chosen(found["closed"], tickets_of(game)) == {"Fulda-Hof": 1}, "its way needs five trains or more"
    assert chosen(found["danger"], claims_of(game)) == {"Gotha-Gera yellow": 6}


@pytest.mark.parametrize(("players", "board"), [(2, "germany"), (5, "germany"), (3, "tiny_rails")])
def test_a_view_tells_the_plan_that_the_bot_makes_from_the_state(players: int, board: str) -> None:
    """With time enough: the bot also gives up tickets for which the game will be too short."""
    rules = make_rules(GAME, players, board)
    weights = WEIGHTS[players - 2]
    plans, planned = empty_plan(), 0
    for game in random_games(rules, 4):
        plan = plans[0]
        plan["horizon"] = 1000.0
        plan_of_bot(game.states, rules.record, plans, weights.way_claim, weights.way_points, weights.way_card)
        found = told(game)
        for piece in ("stake", "danger"):
            assert found[piece] == pytest.approx(plan[piece][: len(found[piece])].tolist(), rel=1e-6)
        assert found["planned_trains"] == [plan["trains"]]
        assert found["planned_claims"] == [plan["claims"]]
        planned += plan["claims"] > 0
    assert planned > 20


def test_ways_are_shortest_paths(rules: GameRules) -> None:
    """The price of the first ticket's way, by Floyd and Warshall over the prices of all tracks."""
    ways, compared = ways_of(rules), 0
    for game in random_games(rules, 40):
        view = game.view().observation.copy()
        held = [int(ticket) for ticket in ways.ticket_order if view[ways.held[ticket]] < 0]
        if len(held) != 1:
            continue
        plans = new_way_plan()
        trains = round(float(view[ways.trains[0]] * ways.counts[1]))
        price_tracks(ways, view, trains, plans[0], np.zeros(len(ways.claimed), np.float32))
        prices = plans["price"][0, : len(ways.claimed)]
        nodes = len(ways.node_place)
        lengths = np.full((nodes, nodes), FAR)
        np.fill_diagonal(lengths, 0)
        for (one, other), price in zip(ways.claim_nodes, prices, strict=True):
            lengths[one, other] = lengths[other, one] = min(lengths[one, other], price)
        for node in range(nodes):
            lengths = np.minimum(lengths, lengths[:, node, None] + lengths[node])
        starts, ends = (nodes_of[nodes_of >= 0] for nodes_of in ways.ticket_nodes[held[0]])
        shortest = lengths[np.ix_(starts, ends)].min()
        found = told(game)
        if shortest >= FAR:
            assert found["closed"][held[0]] == 1
        elif not found["closed"][held[0]]:
            assert prices[np.array(found["stake"]) > 0].sum() == pytest.approx(shortest)
            compared += 1
    assert compared > 20


def views(rules: GameRules) -> Float32Array:
    return np.stack([game.view().observation for game in random_games(rules, 2)])


def test_the_kernel_computes_what_the_policy_says(rules: GameRules) -> None:
    policy = with_ways(rules)
    network = network_of(policy, 1)
    for view in views(rules):
        logits, values = policy(view[None])
        value = forward_pass(network, view.copy())
        assert network.logits == pytest.approx(logits[0], rel=1e-3, abs=1e-2)
        assert value == pytest.approx(float(np.clip(values[0], -1, 1)), rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("small", [False, True])
def test_a_file_holds_the_ways(rules: GameRules, tmp_path: Path, small: bool) -> None:
    policy, seen = with_ways(rules), views(rules)
    save(policy, tmp_path / "ways.npz", small=small)
    saved = load(tmp_path / "ways.npz")
    assert saved.network == "ways"
    assert saved.ways is not None
    assert np.array_equal(inputs_with(saved.ways, seen), inputs_with(ways_of(rules), seen))
    if not small:
        assert saved(seen)[0].tolist() == policy(seen)[0].tolist()


@pytest.mark.parametrize("name", Ways._fields)
def test_ways_of_a_file_stay_inside_the_arrays(rules: GameRules, tmp_path: Path, name: str) -> None:
    """Kernels read and write at these indices unchecked."""
    policy = with_ways(rules)
    ways = ways_of(rules)
    array = getattr(ways, name)
    wrong: list[Any] = [array.astype(np.int8), array[..., None], array[:0]]
    if array.dtype != np.int64:
        wrong.append(np.full_like(array, np.nan))
    elif name != "node_place":
        wrong += [np.full_like(array, 1 << 20), np.full_like(array, -2)]
    for number, bad in enumerate(wrong):
        file = tmp_path / f"{number}.npz"
        save(replace(policy, ways=ways._replace(**{name: bad})), file)
        with pytest.raises(AgentError, match="is not a policy of this project, or is damaged: "):
            load(file)


def test_a_file_has_layers_of_cities_or_ways(rules: GameRules, tmp_path: Path) -> None:
    policy = with_ways(rules)
    inputs = with_cities(rules).trunk[0].weight.shape[0] + sum(sizes(ways_of(rules)).values())
    save(replace(policy, trunk=(layer(inputs, 8, 1),), cities=with_cities(rules).cities), tmp_path / "both.npz")
    with pytest.raises(AgentError, match="it has both layers of cities and ways"):
        load(tmp_path / "both.npz")


def test_a_game_without_tickets_has_no_such_network(tmp_path: Path) -> None:
    run = tmp_path / "run"
    command = ["train", "--network", "ways", "--board", "tiny", "--steps", "64", "--out", str(run)]
    assert main(command) == 2
    assert not run.exists()
