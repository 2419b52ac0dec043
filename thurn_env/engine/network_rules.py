"""Forward pass of policy networks inside kernels, one position at a time."""

from typing import Any, NamedTuple

import numpy as np

from thurn_env.engine.kernels import Float32Array, Int64Array, States, rule
from thurn_env.engine.way_rules import Ways, write_ways


class Cities(NamedTuple):
    """Layers shared by all cities of a board; C is 0 if there are none.

    Every city has W values. They are first computed from its F observed values, then, in K rounds, from its own values
    and the mean of its neighbours'. O values of each city are appended to the observation.

    Attributes:
        places: int64 (C, F), indices of each city's values in the observation.
        others: int64 (R,), indices of the rest of the observation.
        shares: float32 (C, C), weight of every city in the mean of another one's neighbours.
        first: float32 (F, W), weights from the observed values of a city.
        names: float32 (C, W), bias of every single city.
        rounds: float32 (K, 2 W + 1, W), rows for a city's own values, for its neighbours' mean, and the bias.
        last: float32 (W + 1, O), with the bias as the last row.
    """

    places: Int64Array
    others: Int64Array
    shares: Float32Array
    first: Float32Array
    names: Float32Array
    rounds: np.ndarray[Any, np.dtype[np.float32]]
    last: Float32Array


NO_CITIES = Cities(
    places=np.zeros((0, 0), np.int64),
    others=np.zeros(0, np.int64),
    shares=np.zeros((0, 0), np.float32),
    first=np.zeros((0, 0), np.float32),
    names=np.zeros((0, 0), np.float32),
    rounds=np.zeros((0, 1, 0), np.float32),
    last=np.zeros((1, 0), np.float32),
)


class Scores(NamedTuple):
    """Layers that score the actions about things of G kinds, one kind after the other.

    For N things with F values each, a hidden layer of H neurons scores the T actions about each thing, see
    `thurn_env.players.scorers.Scorer`.

    Attributes:
        sizes: int64 (G, 4), with N, F, H and T of every kind.
        indices: int64, for every kind where the values are, (N, F), and the actions, (N, T).
        weights: float32, for every kind those from the values, (F, H), the biases, (N, H), the weights from the outputs
            of the dense layers, (U, H), and those of the scores, (H, T).
        hidden: float32 (3, the largest F or H), buffer.
    """

    sizes: Int64Array
    indices: Int64Array
    weights: Float32Array
    hidden: Float32Array


class Network(NamedTuple):
    """A policy network for guided search: fully connected layers with ReLU, then a policy head and a value head.

    Attributes:
        cities: the layers that all cities share, or `NO_CITIES`.
        ways: how the cheapest ways follow that join the observation as inputs, or `no_ways()`.
        scores: the layers that score actions.
        weights: float32, all layers in sequence, each a matrix (inputs, outputs) in row-major order and its bias; the
            last but one gives the logits of the actions, the last the value.
        sizes: int64: length of the input, widths of the hidden layers, number of actions.
        city_hidden: float32 (3, C, W), buffer.
        way_plans: buffer for one plan, see `new_way_plan`.
        dense_input: float32 (J + C W,), buffer: the input after the layers of the cities or with the ways, and the
            cities' values.
        hidden: float32 (layers, width), buffer.
        logits: float32 (A,), buffer.
        probabilities: float32 (A,), buffer.
        priors: float32 (nodes, A): unnormalised priors of every node's actions.
    """

    cities: Cities
    ways: Ways
    scores: Scores
    weights: Float32Array
    sizes: Int64Array
    city_hidden: Float32Array
    way_plans: States
    dense_input: Float32Array
    hidden: Float32Array
    logits: Float32Array
    probabilities: Float32Array
    priors: Float32Array


@rule
def add_product(values: Float32Array, weights: Float32Array, start: int, out: Float32Array) -> None:
    """Add to `out`, (W,), the product of the values and the rows of the weights that begin at `start`.

    Four rows at a time, since most of the time goes into loading and storing `out`. Skipping zeros, which are frequent
    after ReLU, costs more than it saves.
    """
    whole = values.shape[0] - values.shape[0] % 4
    for first in range(0, whole, 4):
        one, two, three, four = values[first], values[first + 1], values[first + 2], values[first + 3]
        place = start + first
        row, second, third, fourth = weights[place], weights[place + 1], weights[place + 2], weights[place + 3]
        for unit in range(out.shape[0]):
            out[unit] = out[unit] + one * row[unit] + two * second[unit] + three * third[unit] + four * fourth[unit]
    for position in range(whole, values.shape[0]):
        value = values[position]
        row = weights[start + position]
        for unit in range(out.shape[0]):
            out[unit] += value * row[unit]


@rule
def write(values: Float32Array, out: Float32Array) -> None:
    """Copy values into `out`."""
    for unit in range(out.shape[0]):
        out[unit] = values[unit]


@rule
def relu(values: Float32Array) -> None:
    """Apply ReLU in place."""
    for unit in range(values.shape[0]):
        values[unit] = max(values[unit], np.float32(0.0))


@rule
def embed(cities: Cities, observation: Float32Array, city_hidden: Float32Array, dense_input: Float32Array) -> None:
    """Write the input of the dense layers: the rest of the observation, the cities' observed and last values.

    After them come the values of all cities.

    Args:
        cities: the layers.
        observation: float32, the observation.
        city_hidden: float32 (3, C, W), buffer.
        dense_input: float32 (R + C F + C O + C W,), is written.
    """
    count, kinds = cities.places.shape
    width, outputs = cities.names.shape[1], cities.last.shape[1]
    now, following, near = city_hidden[0], city_hidden[1], city_hidden[2]
    place = cities.others.shape[0]
    for position in range(place):
        dense_input[position] = observation[cities.others[position]]
    for city in range(count):
        write(cities.names[city], now[city])
        for kind in range(kinds):
            dense_input[place + kind] = observation[cities.places[city, kind]]
        add_product(dense_input[place : place + kinds], cities.first, 0, now[city])
        relu(now[city])
        place += kinds
    for stage in range(cities.rounds.shape[0]):
        weights = cities.rounds[stage]
        near[:] = np.float32(0.0)
        for city in range(count):
            add_product(cities.shares[city], now, 0, near[city])
            write(weights[2 * width], following[city])
            add_product(now[city], weights, 0, following[city])
            add_product(near[city], weights, width, following[city])
            relu(following[city])
        now, following = following, now
    for city in range(count):
        out = dense_input[place : place + outputs]
        write(cities.last[width], out)
        add_product(now[city], cities.last, 0, out)
        relu(out)
        place += outputs
    for city in range(count):
        write(now[city], dense_input[place : place + width])
        place += width


@rule
def add_scores(scores: Scores, told: Float32Array, outputs: Float32Array, logits: Float32Array) -> None:
    """Add the scores of actions to their logits.

    Args:
        scores: the layers.
        told: float32, input of the dense layers, and after it the values of all cities.
        outputs: float32 (U,), outputs of the dense layers.
        logits: float32 (A,), is changed.
    """
    index, place = 0, 0
    for kind in range(scores.sizes.shape[0]):
        things, values = scores.sizes[kind, 0], scores.sizes[kind, 1]
        units, actions = scores.sizes[kind, 2], scores.sizes[kind, 3]
        seen, names, context = place, place + values * units, place + (values + things) * units
        last = context + outputs.shape[0] * units
        targets = index + things * values
        whole, hidden, own = scores.hidden[0, :units], scores.hidden[1, :units], scores.hidden[2, :values]
        whole[:] = np.float32(0.0)
        add_product(outputs, scores.weights[context:last].reshape(outputs.shape[0], units), 0, whole)
        for thing in range(things):
            for value in range(values):
                own[value] = told[scores.indices[index + thing * values + value]]
            name = names + thing * units
            for unit in range(units):
                hidden[unit] = whole[unit] + scores.weights[name + unit]
            add_product(own, scores.weights[seen:names].reshape(values, units), 0, hidden)
            relu(hidden)
            for action in range(actions):
                score = np.float32(0.0)
                for unit in range(units):
                    score += hidden[unit] * scores.weights[last + unit * actions + action]
                logits[scores.indices[targets + thing * actions + action]] += score
        index = targets + things * actions
        place = last + units * actions


@rule
def forward(network: Network, observation: Float32Array) -> float:
    """Run a forward pass: write the logits of all actions; return the value of the position, from -1 to 1."""
    inputs = observation
    if network.cities.places.shape[0]:
        embed(network.cities, observation, network.city_hidden, network.dense_input)
        inputs = network.dense_input
    if network.ways.claimed.shape[0]:
        size = observation.shape[0]
        write(observation, network.dense_input[:size])
        write_ways(network.ways, observation, network.way_plans[0], network.dense_input[size:])
        inputs = network.dense_input
    told = inputs
    weights = network.weights
    place = 0
    layers = network.sizes.shape[0] - 1
    for layer in range(layers):
        wide, narrow = network.sizes[layer], network.sizes[layer + 1]
        end = place + wide * narrow
        room = network.logits if layer == layers - 1 else network.hidden[layer]
        outputs = room[:narrow]
        write(weights[end : end + narrow], outputs)
        add_product(inputs[:wide], weights[place:end].reshape(wide, narrow), 0, outputs)
        place = end + narrow
        if layer < layers - 1:
            relu(outputs)
            inputs = outputs
    wide = network.sizes[layers - 1]
    add_scores(network.scores, told, inputs[:wide], network.logits)
    # The value head follows, with the same last hidden layer as input.
    value = weights[place + wide]
    for position in range(wide):
        value += inputs[position] * weights[place + position]
    return float(min(max(value, np.float32(-1.0)), np.float32(1.0)))
