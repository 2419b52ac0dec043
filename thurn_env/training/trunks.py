"""Hidden layers of networks for training, shared by policy and value.

`mlp` takes the observation as one vector. `city` first applies shared layers to all cities: the features and the
identity of a city pass through two rounds in which each city sees its neighbours on the board; the output joins the
rest of the observation. `ways` also sees the cheapest ways for its tickets, which an algorithm finds. In both, shared
layers score the actions about a thing from its values and the output of the trunk, see `thurn_env.players.scorers`:
`city` those about cities, `ways` those about tracks, tickets, kinds of cards and passengers; a track's values include
those of the places at its ends. All scale their inputs, see `thurn_env.training.scales`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from thurn_env.engine.way_rules import Ways
from thurn_env.games.contract import Float32Array, Things
from thurn_env.players.policy import Network
from thurn_env.players.ways import ways_from

CITY_WIDTH, CITY_OUTPUT, SCORE_WIDTH = 48, 8, 32
"""Neurons per city in the shared layers, outputs per city, and neurons per thing in the layer before the scores."""


def trunk_layers(inputs: int, width: int, depth: int) -> nn.Sequential:
    """Return fully connected layers with ReLU."""
    layers: list[nn.Module] = []
    for _ in range(depth):
        layers += [nn.Linear(inputs, width), nn.ReLU()]
        inputs = width
    return nn.Sequential(*layers)


class ScoringLayers(nn.Module):
    """Shared layers that score the actions about things, see `thurn_env.players.scorers.Scorer`.

    Args:
        things: where the values of the things are, and the actions about them.
        outputs: number of the trunk's outputs.
    """

    def __init__(self, things: Things, outputs: int) -> None:
        super().__init__()
        self.values: torch.Tensor
        self.targets: torch.Tensor
        self.register_buffer("values", torch.tensor(things.values))
        self.register_buffer("targets", torch.tensor(things.targets))
        self.names = nn.Parameter(torch.zeros(len(things.values), SCORE_WIDTH))
        self.seen = nn.Linear(things.values.shape[1], SCORE_WIDTH)
        self.context = nn.Linear(outputs, SCORE_WIDTH, bias=False)
        self.scores = nn.Linear(SCORE_WIDTH, things.targets.shape[1], bias=False)

    def forward(self, known: torch.Tensor, hidden: torch.Tensor) -> torch.Tensor:
        """Map the things' values, (P, N, F), and the trunk's outputs, (P, U), to scores, (P, N * T)."""
        both = self.seen(known)
        # In place, and not in float32: these are the largest arrays of all.
        both += self.names.to(both.dtype)
        both += self.context(hidden)[:, None]
        scores: torch.Tensor = self.scores(both.relu_()).flatten(1)
        return scores


class BaseTrunk(BaseFeaturesExtractor):
    """Hidden layers over inputs that a subclass makes from the observation.

    Args:
        observation_space: the observation space.
        width: neurons per layer.
        bfloat16: compute in bfloat16, in rollouts as in learning. If only learning did so, the ratios of PPO would not
            begin at 1, and policies would get worse. Policies in files are always computed in float32.
        scales: factors of the observation, float32 (O,).
        things: what actions are about; their S scores follow the hidden values in the output.
    """

    network: ClassVar[Network]
    layers: nn.Sequential

    def __init__(
        self,
        observation_space: spaces.Box,
        width: int,
        bfloat16: bool,
        scales: Float32Array,
        things: Sequence[Things] = (),
    ) -> None:
        super().__init__(observation_space, width + sum(kind.targets.size for kind in things))
        self.width, self.autocast = width, bfloat16
        self.scorers = nn.ModuleList(ScoringLayers(kind, width) for kind in things)
        self.scales: torch.Tensor
        self.register_buffer("scales", torch.as_tensor(scales))

    def targets(self) -> torch.Tensor:
        """Return the actions whose scores follow the hidden values in the output, int64 (S,)."""
        none = torch.zeros(0, dtype=torch.int64, device=self.scales.device)
        scorers: Any = self.scorers
        return torch.cat([none, *(scorer.targets.flatten() for scorer in scorers)])

    def inputs(self, observations: torch.Tensor) -> tuple[torch.Tensor, Sequence[torch.Tensor]]:
        """Return what the layers take.

        Args:
            observations: float32 (P, O).

        Returns:
            The inputs of `layers`, (P, J), and for every scorer the values of its things, (P, N, F).
        """
        raise NotImplementedError

    def joined_scales(self) -> torch.Tensor:
        """Return the scales of the J inputs of `layers`, float32 (J,); 1 for outputs of other layers."""
        raise NotImplementedError

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Map observations, float32 (N, O), to hidden values and scores, float32 (N, width + S)."""
        with torch.autocast(observations.device.type, dtype=torch.bfloat16, enabled=self.autocast):
            inputs, known = self.inputs(observations)
            hidden = self.layers(inputs)
            scores = [scorer(values, hidden) for scorer, values in zip(self.scorers, known, strict=True)]
        return torch.cat([hidden, *scores], dim=1).float() if scores else hidden.float()


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

    def inputs(self, observations: torch.Tensor) -> tuple[torch.Tensor, Sequence[torch.Tensor]]:
        return observations * self.scales, ()

    def joined_scales(self) -> torch.Tensor:
        return self.scales


class WayTrunk(BaseTrunk):
    """Hidden layers over the whole observation and what the seat's tickets need.

    Args:
        observation_space, width, depth, bfloat16, scales: see `Trunk`.
        ways: how ways for tickets follow from the observation.
        way_scales: factors of what they add, float32 (E,).
        things: see `BaseTrunk`.
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
        things: Sequence[Things],
    ) -> None:
        super().__init__(observation_space, width, bfloat16, scales, things)
        self.ways = ways
        self.way_scales: torch.Tensor
        self.register_buffer("way_scales", torch.as_tensor(way_scales))
        self.layers = trunk_layers(len(scales) + len(way_scales), width, depth)

    def inputs(self, observations: torch.Tensor) -> tuple[torch.Tensor, Sequence[torch.Tensor]]:
        needed = torch.from_numpy(ways_from(self.ways, observations.cpu().numpy())).to(observations.device)
        inputs = torch.cat([observations * self.scales, needed * self.way_scales], dim=1)
        scorers: Any = self.scorers
        return inputs, [inputs[:, scorer.values] for scorer in scorers]

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
        known, cities = places.shape
        inputs = len(others) + cities * (CITY_OUTPUT + known)
        # The cities' values come after the inputs of the layers.
        values = inputs + np.arange(cities * CITY_WIDTH).reshape(cities, CITY_WIDTH)
        things = [Things(values, targets)] if targets.size else []
        super().__init__(observation_space, width, bfloat16, scales, things)
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
        self.layers = trunk_layers(inputs, width, depth)

    def city_scales(self) -> torch.Tensor:
        """Return the scales of a city's values, float32 (F,)."""
        return self.scales[self.places[0]]

    def inputs(self, observations: torch.Tensor) -> tuple[torch.Tensor, Sequence[torch.Tensor]]:
        scaled = observations * self.scales
        known = scaled[:, self.places]
        cities = torch.relu(self.first(known) + self.names)
        for own, near in zip(self.own, self.near, strict=True):
            cities = torch.relu(own(cities) + near(torch.matmul(self.neighbours, cities)))
        told = torch.relu(self.last(cities))
        inputs = torch.cat([scaled[:, self.others], known.flatten(1), told.flatten(1)], dim=1)
        return inputs, [cities] * len(self.scorers)

    def joined_scales(self) -> torch.Tensor:
        learned = torch.ones(len(self.names) * CITY_OUTPUT, device=self.scales.device)
        return torch.cat([self.scales[self.others], self.scales[self.places].flatten(), learned])
