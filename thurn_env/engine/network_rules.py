"""Forward pass of policy networks inside kernels, one position at a time."""

from typing import Any, NamedTuple

import numpy as np

from thurn_env.engine.kernels import Float32Array, Int64Array, States, rule
from thurn_env.engine.read_only import sealed
from thurn_env.engine.way_rules import Ways, write_ways


class Cities(NamedTuple):
    """Layers shared by all cities of a board; C is 0 if there are none.

    Every city has W values. They are first computed from its F observed values, then, in K rounds, from its own values
    and the mean of its neighbours'. O values of each city are appended to the observation. When the layers over the
    whole observation have given U outputs, a hidden layer of H neurons takes these and a city's values, and scores the
    T actions that are about the city; a score is added to the logit of its action. Files of earlier versions have no
    scores: T is 0.

    Attributes:
        places: int64 (C, F), indices of each city's values in the observation.
        others: int64 (R,), indices of the rest of the observation.
        shares: float32 (C, C), weight of every city in the mean of another one's neighbours.
        first: float32 (F, W), weights from the observed values of a city.
        names: float32 (C, W), bias of every single city.
        rounds: float32 (K, 2 W + 1, W), rows for a city's own values, for its neighbours' mean, and the bias.
        last: float32 (W + 1, O), with the bias as the last row.
        targets: int64 (C, T), the actions that are scored, all different.
        seen: float32 (W + 1, H), weights from a city's values, with the bias as the last row.
        context: float32 (U, H), weights from the outputs of the layers over the whole observation.
        scores: float32 (H, T), weights of the scores.
    """

    places: Int64Array
    others: Int64Array
    shares: Float32Array
    first: Float32Array
    names: Float32Array
    rounds: np.ndarray[Any, np.dtype[np.float32]]
    last: Float32Array
    targets: Int64Array = sealed(np.zeros((0, 0), np.int64))
    seen: Float32Array = sealed(np.zeros((0, 0), np.float32))
    context: Float32Array = sealed(np.zeros((0, 0), np.float32))
    scores: Float32Array = sealed(np.zeros((0, 0), np.float32))


NO_CITIES = Cities(
    places=np.zeros((0, 0), np.int64),
    others=np.zeros(0, np.int64),
    shares=np.zeros((0, 0), np.float32),
    first=np.zeros((0, 0), np.float32),
    names=np.zeros((0, 0), np.float32),
    rounds=np.zeros((0, 1, 0), np.float32),
    last=np.zeros((1, 0), np.float32),
)


class Network(NamedTuple):
    """A policy network for guided search: fully connected layers with ReLU, then a policy head and a value head.

    Attributes:
        cities: the layers that all cities share, or `NO_CITIES`.
        ways: how the cheapest ways follow that join the observation as inputs, or `no_ways()`.
        weights: float32, all layers in sequence, each a matrix (inputs, outputs) in row-major order and its bias; the
            last but one gives the logits of the actions, the last the value.
        sizes: int64: length of the input, widths of the hidden layers, number of actions.
        city_hidden: float32 (3, C, W), buffer.
        score_hidden: float32 (2, H), buffer.
        way_plans: buffer for one plan, see `new_way_plan`.
        dense_input: float32 (J,), buffer: the input after the layers of the cities or with the ways.
        hidden: float32 (layers, width), buffer.
        logits: float32 (A,), buffer.
        probabilities: float32 (A,), buffer.
        priors: float32 (nodes, A): unnormalised priors of every node's actions.
    """

    cities: Cities
    ways: Ways
    weights: Float32Array
    sizes: Int64Array
    city_hidden: Float32Array
    score_hidden: Float32Array
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

    The values of all cities after K rounds are in `city_hidden[K % 2]`.

    Args:
        cities: the layers.
        observation: float32, the observation.
        city_hidden: float32 (3, C, W), buffer.
        dense_input: float32 (R + C F + C O,), is written.
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


@rule
def add_scores(
    cities: Cities, values: Float32Array, outputs: Float32Array, score_hidden: Float32Array, logits: Float32Array
) -> None:
    """Add the scores of the actions that are about cities to the logits.

    Args:
        cities: the layers.
        values: float32 (C, W), values of the cities after all rounds.
        outputs: float32 (U,), outputs of the dense layers.
        score_hidden: float32 (2, H), buffer.
        logits: float32 (A,), is changed.
    """
    whole, hidden = score_hidden[0], score_hidden[1]
    write(cities.seen[values.shape[1]], whole)
    add_product(outputs, cities.context, 0, whole)
    for city in range(values.shape[0]):
        write(whole, hidden)
        add_product(values[city], cities.seen, 0, hidden)
        relu(hidden)
        for column in range(cities.targets.shape[1]):
            score = np.float32(0.0)
            for unit in range(hidden.shape[0]):
                score += hidden[unit] * cities.scores[unit, column]
            logits[cities.targets[city, column]] += score


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
    if network.cities.targets.shape[1]:
        values = network.city_hidden[network.cities.rounds.shape[0] % 2]
        add_scores(network.cities, values, inputs[:wide], network.score_hidden, network.logits)
    # The value head follows, with the same last hidden layer as input.
    value = weights[place + wide]
    for position in range(wide):
        value += inputs[position] * weights[place + position]
    return float(min(max(value, np.float32(-1.0)), np.float32(1.0)))
