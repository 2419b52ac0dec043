"""Hidden layers of networks for training, shared by policy and value.

`mlp` takes the observation as one vector. `city` first applies shared layers to all cities: the features and the
identity of a city pass through two rounds in which each city sees its neighbours on the board; the output joins the
rest of the observation. At the end, shared layers score the actions that are about a city, from the values of the city
and the output of the trunk, as a pointer network (Vinyals, Fortunato and Jaitly, 2015) scores its inputs. `ways` also
sees the cheapest ways for its tickets, which an algorithm finds. All scale their inputs, see
`thurn_env.training.scales`.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from thurn_env.engine.way_rules import Ways
from thurn_env.games.contract import Float32Array
from thurn_env.players.policy import Network
from thurn_env.players.ways import ways_from

CITY_WIDTH, CITY_OUTPUT, SCORE_WIDTH = 48, 8, 32
"""Neurons per city in the shared layers, outputs per city, and neurons per city in the layer before the scores."""


def trunk_layers(inputs: int, width: int, depth: int) -> nn.Sequential:
    """Return fully connected layers with ReLU."""
    layers: list[nn.Module] = []
    for _ in range(depth):
        layers += [nn.Linear(inputs, width), nn.ReLU()]
        inputs = width
    return nn.Sequential(*layers)


class BaseTrunk(BaseFeaturesExtractor):
    """Hidden layers over inputs that a subclass makes from the observation.

    Args:
        observation_space: the observation space.
        width: neurons per layer.
        bfloat16: compute in bfloat16, in rollouts as in learning. If only learning did so, the ratios of PPO would not
            begin at 1, and policies would get worse. Policies in files are always computed in float32.
        scales: factors of the observation, float32 (O,).
        targets: actions whose scores follow the hidden values in the output, int64 (S,).
    """

    network: ClassVar[Network]
    layers: nn.Sequential

    def __init__(
        self,
        observation_space: spaces.Box,
        width: int,
        bfloat16: bool,
        scales: Float32Array,
        targets: Any = (),
    ) -> None:
        super().__init__(observation_space, width + len(targets))
        self.width, self.autocast = width, bfloat16
        self.targets: torch.Tensor
        self.register_buffer("targets", torch.as_tensor(np.asarray(targets, np.int64)))
        self.scales: torch.Tensor
        self.register_buffer("scales", torch.as_tensor(scales))

    def outputs(self, observations: torch.Tensor) -> torch.Tensor:
        """Return hidden values and scores, (N, width + S), for observations, float32 (N, O)."""
        raise NotImplementedError

    def joined_scales(self) -> torch.Tensor:
        """Return the scales of the J inputs of `layers`, float32 (J,); 1 for outputs of other layers."""
        raise NotImplementedError

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Map observations, float32 (N, O), to hidden values and scores, float32 (N, width + S)."""
        with torch.autocast(observations.device.type, dtype=torch.bfloat16, enabled=self.autocast):
            outputs = self.outputs(observations)
        return outputs.float()


class Trunk(BaseTrunk):
    """Hidden layers over the whole observation.

    Args:
        observation_space, width, bfloat16, scales: see `BaseTrunk`.
        depth: number of layers.
    """

    network = "mlp"

    def __init__(
        self, observation_space: spaces.Box, width: int, depth: int, bfloat16: bool, scales: Float32Array
    ) -> None:
        super().__init__(observation_space, width, bfloat16, scales)
        self.layers = trunk_layers(len(scales), width, depth)

    def outputs(self, observations: torch.Tensor) -> torch.Tensor:
        hidden: torch.Tensor = self.layers(observations * self.scales)
        return hidden

    def joined_scales(self) -> torch.Tensor:
        return self.scales


class WayTrunk(BaseTrunk):
    """Hidden layers over the whole observation and what the seat's tickets need.

    Args:
        observation_space, width, depth, bfloat16, scales: see `Trunk`.
        ways: how ways for tickets follow from the observation.
        way_scales: factors of what they add, float32 (E,).
    """

    network = "ways"

    def __init__(
        self,
        observation_space: spaces.Box,
        width: int,
        depth: int,
        bfloat16: bool,
        scales: Float32Array,
        ways: Ways,
        way_scales: Float32Array,
    ) -> None:
        super().__init__(observation_space, width, bfloat16, scales)
        self.ways = ways
        self.way_scales: torch.Tensor
        self.register_buffer("way_scales", torch.as_tensor(way_scales))
        self.layers = trunk_layers(len(scales) + len(way_scales), width, depth)

    def outputs(self, observations: torch.Tensor) -> torch.Tensor:
        needed = torch.from_numpy(ways_from(self.ways, observations.cpu().numpy())).to(observations.device)
        hidden: torch.Tensor = self.layers(torch.cat([observations * self.scales, needed * self.way_scales], dim=1))
        return hidden

    def joined_scales(self) -> torch.Tensor:
        return torch.cat([self.scales, self.way_scales])


class CityTrunk(BaseTrunk):
    """Hidden layers between layers that all cities of the board share.

    Args:
        observation_space, width, depth, bfloat16, scales: see `Trunk`.
        places: indices in the observation of the F values of each of the C cities, int64 (F, C).
        others: indices of the rest of the observation, int64 (R,).
        neighbours: weight of every city in what another city sees, float32 (C, C).
        targets: actions about each city, int64 (C, T).
    """

    network = "city"

    def __init__(
        self,
        observation_space: spaces.Box,
        width: int,
        depth: int,
        bfloat16: bool,
        scales: Float32Array,
        places: Any,
        others: Any,
        neighbours: Any,
        targets: Any,
    ) -> None:
        super().__init__(observation_space, width, bfloat16, scales, targets.ravel())
        known, cities = places.shape
        self.places: torch.Tensor
        self.others: torch.Tensor
        self.neighbours: torch.Tensor
        self.register_buffer("places", torch.as_tensor(places.T.copy()))
        self.register_buffer("others", torch.as_tensor(others))
        self.register_buffer("neighbours", torch.as_tensor(neighbours))
        self.names = nn.Parameter(torch.zeros(cities, CITY_WIDTH))
        self.first = nn.Linear(known, CITY_WIDTH)
        self.own = nn.ModuleList(nn.Linear(CITY_WIDTH, CITY_WIDTH) for _ in range(2))
        self.near = nn.ModuleList(nn.Linear(CITY_WIDTH, CITY_WIDTH, bias=False) for _ in range(2))
        self.last = nn.Linear(CITY_WIDTH, CITY_OUTPUT)
        self.layers = trunk_layers(len(others) + cities * (CITY_OUTPUT + known), width, depth)
        if targets.size:
            self.seen = nn.Linear(CITY_WIDTH, SCORE_WIDTH)
            self.context = nn.Linear(width, SCORE_WIDTH, bias=False)
            self.scores = nn.Linear(SCORE_WIDTH, targets.shape[1], bias=False)

    def city_scales(self) -> torch.Tensor:
        """Return the scales of a city's values, float32 (F,)."""
        return self.scales[self.places[0]]

    def outputs(self, observations: torch.Tensor) -> torch.Tensor:
        scaled = observations * self.scales
        known = scaled[:, self.places]
        cities = torch.relu(self.first(known) + self.names)
        for own, near in zip(self.own, self.near, strict=True):
            cities = torch.relu(own(cities) + near(torch.matmul(self.neighbours, cities)))
        told = torch.relu(self.last(cities))
        inputs = torch.cat([scaled[:, self.others], known.flatten(1), told.flatten(1)], dim=1)
        hidden: torch.Tensor = self.layers(inputs)
        if not len(self.targets):
            return hidden
        both = torch.relu(self.seen(cities) + self.context(hidden)[:, None])
        return torch.cat([hidden, self.scores(both).flatten(1)], dim=1)

    def joined_scales(self) -> torch.Tensor:
        learned = torch.ones(len(self.names) * CITY_OUTPUT, device=self.scales.device)
        return torch.cat([self.scales[self.others], self.scales[self.places].flatten(), learned])
