"""Networks for training: a trunk shared by policy and value, in the form that Stable-Baselines3 takes.

`mlp` takes the observation as one vector. `city` first applies shared layers to all cities: the features and the
identity of a city pass through two rounds in which each city sees its neighbours on the board; the output joins the
rest of the observation. At the end, shared layers score the actions that are about a city, from the values of the city
and the output of the trunk, as a pointer network (Vinyals, Fortunato and Jaitly, 2015) scores its inputs. `ways` also
sees the cheapest ways for its tickets, which an algorithm finds. All scale their inputs, see
`thurn_env.training.scales`.
"""

from __future__ import annotations

from typing import Any, ClassVar, get_args

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from thurn_env.engine.way_rules import Ways
from thurn_env.errors import OptionError
from thurn_env.games.contract import Float32Array, GameRules, Int64Array, Searched
from thurn_env.players.policy import Network
from thurn_env.players.ways import ways_from
from thurn_env.training.scales import observation_scales, way_scales

ILLEGAL = -1e8
"""Logit of an illegal action."""
SMALLEST = -30.0
"""Lower bound of log probabilities in the entropy."""
FIRST_ACTION_GAIN = 0.01
"""Gain of the initial weights of the logits, that of Stable-Baselines3: all actions are about as probable at first."""
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

    def inputs(self, observations: torch.Tensor) -> torch.Tensor:
        """Return the inputs of `layers`, (N, J), for observations, float32 (N, O)."""
        raise NotImplementedError

    def joined_scales(self) -> torch.Tensor:
        """Return the scales of these inputs, float32 (J,); 1 for outputs of other layers."""
        raise NotImplementedError

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Map observations, float32 (N, O), to hidden values, float32 (N, width)."""
        with torch.autocast(observations.device.type, dtype=torch.bfloat16, enabled=self.autocast):
            hidden: torch.Tensor = self.layers(self.inputs(observations))
        return hidden.float()


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

    def inputs(self, observations: torch.Tensor) -> torch.Tensor:
        return observations * self.scales

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

    def inputs(self, observations: torch.Tensor) -> torch.Tensor:
        needed = torch.from_numpy(ways_from(self.ways, observations.cpu().numpy())).to(observations.device)
        return torch.cat([observations * self.scales, needed * self.way_scales], dim=1)

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

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Map observations, float32 (N, O), to hidden values and the scores of the targets, float32 (N, width + S)."""
        with torch.autocast(observations.device.type, dtype=torch.bfloat16, enabled=self.autocast):
            inputs, cities = self._embedded(observations)
            hidden: torch.Tensor = self.layers(inputs)
            if not len(self.targets):
                return hidden.float()
            both = torch.relu(self.seen(cities) + self.context(hidden)[:, None])
            return torch.cat([hidden, self.scores(both).flatten(1)], dim=1).float()

    def inputs(self, observations: torch.Tensor) -> torch.Tensor:
        return self._embedded(observations)[0]

    def _embedded(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the inputs of `layers`, (N, J), and the values of all cities, (N, C, CITY_WIDTH)."""
        scaled = observations * self.scales
        known = scaled[:, self.places]
        cities = torch.relu(self.first(known) + self.names)
        for own, near in zip(self.own, self.near, strict=True):
            cities = torch.relu(own(cities) + near(torch.matmul(self.neighbours, cities)))
        outputs = torch.relu(self.last(cities))
        return torch.cat([scaled[:, self.others], known.flatten(1), outputs.flatten(1)], dim=1), cities

    def joined_scales(self) -> torch.Tensor:
        learned = torch.ones(len(self.names) * CITY_OUTPUT, device=self.scales.device)
        return torch.cat([self.scales[self.others], self.scales[self.places].flatten(), learned])


class HiddenLinear(nn.Linear):
    """A linear map of the hidden values, the first outputs of a trunk."""

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Map outputs of the trunk, (N, width + S), to outputs, (N, out_features)."""
        return super().forward(features[:, : self.in_features])


class ScoredActions(HiddenLinear):
    """Logits of all actions: a linear map of the hidden values, to which the trunk's scores are added.

    Args:
        width: number of hidden values.
        actions: number of actions.
        targets: actions that the trunk scores, int64 (S,).
    """

    def __init__(self, width: int, actions: int, targets: torch.Tensor) -> None:
        super().__init__(width, actions)
        self.targets: torch.Tensor
        self.register_buffer("targets", targets)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Map outputs of the trunk, (N, width + S), to logits, (N, A)."""
        return super().forward(features).index_add(1, self.targets, features[:, self.in_features :])


class LeanPolicy(MaskableActorCriticPolicy):
    """sb3-contrib's policy without distribution objects, which compute the same log probabilities several times.

    Before training, scores of actions are 0.
    """

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        trunk: Any = self.features_extractor
        if not len(trunk.targets):
            return
        space: Any = self.action_space
        self.action_net = ScoredActions(trunk.width, int(space.n), trunk.targets)
        self.value_net = HiddenLinear(trunk.width, 1)
        for head, gain in ((self.action_net, FIRST_ACTION_GAIN), (self.value_net, 1.0)):
            self.init_weights(head, gain)
        nn.init.zeros_(trunk.scores.weight)
        self._make_optimizer(lr_schedule)

    def _make_optimizer(self, lr_schedule: Any) -> None:
        """Make the optimiser again: the first one does not know weights that were added since."""
        optimizer: Any = self.optimizer_class
        self.optimizer = optimizer(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)

    def judged(self, observations: Any, action_masks: Any) -> tuple[list[torch.Tensor], torch.Tensor]:
        """Return everything that is trained.

        Args:
            observations: float32 (N, O).
            action_masks: legal actions, (N, A), or None for all.

        Returns:
            Estimates of the value, float32 (N, 1) each, of which the first gives advantages; and log probabilities of
            all actions, float32 (N, A).
        """
        hidden = self.extract_features(observations)
        return self._estimates(hidden, observations), self._log_probabilities(hidden, action_masks)

    def log_probabilities(self, observations: Any, action_masks: Any) -> torch.Tensor:
        """Return log probabilities of all actions, float32 (N, A)."""
        return self._log_probabilities(self.extract_features(observations), action_masks)

    def predict_values(self, obs: Any) -> torch.Tensor:
        """Return the estimates of the value that give advantages, float32 (N, 1)."""
        return self._estimates(self.extract_features(obs), obs)[0]

    def _log_probabilities(self, hidden: Any, action_masks: Any) -> torch.Tensor:
        logits = self.action_net(hidden)
        if action_masks is not None:
            legal = torch.as_tensor(action_masks, dtype=torch.bool, device=logits.device).reshape(logits.shape)
            logits = logits.masked_fill(~legal, ILLEGAL)
        return torch.log_softmax(logits, dim=1)

    def _estimates(self, hidden: Any, observations: Any) -> list[torch.Tensor]:
        """Return the estimates of the value for these outputs of the trunk."""
        return [self.value_net(hidden)]

    def forward(
        self, obs: torch.Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return actions, int64 (N,), values, float32 (N, 1), and the actions' log probabilities, float32 (N,)."""
        (values, *_), log_probabilities = self.judged(obs, action_masks)
        actions = log_probabilities.argmax(dim=1) if deterministic else drawn(log_probabilities)
        return actions, values, log_probabilities.gather(1, actions[:, None])[:, 0]

    def evaluate_actions(
        self, obs: Any, actions: torch.Tensor, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return values, float32 (N, 1), the actions' log probabilities and the entropies, both float32 (N,)."""
        (values, *_), log_probabilities = self.judged(obs, action_masks)
        return values, log_probabilities.gather(1, actions.long().reshape(-1, 1))[:, 0], entropies(log_probabilities)


class HiddenHands(nn.Module):
    """What the cards of all seats add to a value that was estimated from one seat's view: 0 before training.

    Args:
        width: hidden values of the trunk.
        scales: factors of the other seats' views, float32 (V,).
    """

    def __init__(self, width: int, scales: torch.Tensor) -> None:
        super().__init__()
        self.scales: torch.Tensor
        self.register_buffer("scales", scales)
        self.width = width
        half = max(1, width // 2)
        self.first, self.second, self.last = (
            nn.Linear(len(scales), half),
            nn.Linear(width + half, half),
            nn.Linear(half, 1),
        )
        nn.init.zeros_(self.last.weight)
        nn.init.zeros_(self.last.bias)

    def forward(self, hidden: torch.Tensor, others: torch.Tensor) -> torch.Tensor:
        """Map outputs of the trunk, (N, width + S), and other seats' views, (N, V), to differences of value, (N, 1)."""
        seen = torch.relu(self.first(others * self.scales))
        joined = torch.cat([hidden[:, : self.width], seen], dim=1)
        difference: torch.Tensor = self.last(torch.relu(self.second(joined)))
        return difference


class JointPolicy(LeanPolicy):
    """A policy for the observations of `PoolVecEnv` as a dictionary; it sees `view`, that of the seat to move.

    With `others` among the observations, a critic that sees all hands gives advantages. It is trained beside the
    estimate from the seat's view, which policy files keep and search uses, and changes neither that nor the trunk.
    """

    observation_space: spaces.Dict
    hands: HiddenHands | None

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.hands = None
        if "others" in self.observation_space.spaces:
            trunk: Any = self.features_extractor
            views = int(np.prod(self.observation_space["others"].shape or ())) // len(trunk.scales)
            self.hands = HiddenHands(trunk.width, trunk.scales.repeat(views))
            self._make_optimizer(lr_schedule)

    def make_features_extractor(self) -> BaseFeaturesExtractor:
        """Make the trunk, whose input is the view of the seat to move."""
        return self.features_extractor_class(self.observation_space["view"], **self.features_extractor_kwargs)

    def extract_features(self, obs: Any, features_extractor: Any = None) -> Any:
        """Return the outputs of the trunk, float32 (N, width + S)."""
        return self.features_extractor(obs["view"])

    def _estimates(self, hidden: Any, observations: Any) -> list[torch.Tensor]:
        seen = self.value_net(hidden)
        if self.hands is None:
            return [seen]
        return [seen.detach() + self.hands(hidden.detach(), observations["others"]), seen]


def drawn(log_probabilities: torch.Tensor) -> torch.Tensor:
    """Return a random action of each row, int64 (N,), from log probabilities of all actions, float32 (N, A)."""
    # One random number a row and a running sum take a third of the time of Gumbel noise for every action.
    bounds = log_probabilities.exp().cumsum(dim=1)
    marks = torch.rand(len(bounds), 1, device=bounds.device) * bounds[:, -1:]
    # `argmax` gives the first of equal values. The last bound is larger than any mark.
    return (bounds > marks).to(torch.uint8).argmax(dim=1)


def entropies(log_probabilities: torch.Tensor) -> torch.Tensor:
    """Return the entropies, float32 (N,), of distributions given by log probabilities, float32 (N, A)."""
    # Clamp negligible probabilities, since exponents far below are slow.
    likely = log_probabilities.clamp(min=SMALLEST)
    return -(likely.exp() * likely).sum(dim=1)


def divergences(log_probabilities: torch.Tensor, others: torch.Tensor) -> torch.Tensor:
    """Return the KL divergences, float32 (N,), from other distributions; both are log probabilities, float32 (N, A)."""
    likely = log_probabilities.clamp(min=SMALLEST)
    return (likely.exp() * (likely - others.clamp(min=SMALLEST))).sum(dim=1)


def city_places(rules: Searched) -> tuple[Any, Any, Any]:
    """Return the indices of cities' values and of other values, and the neighbours' weights; see `CityTrunk`.

    The layers are shared, so only pieces with the same number of values for every city count as cities' values.
    """
    neighbours = rules.neighbours()
    cities = len(neighbours)
    rows, others = [], []
    for piece in rules.observation_slices.values():
        cities_of_values = rules.observation_places[piece]
        order = piece.start + np.argsort(cities_of_values, kind="stable")
        if np.array_equal(np.sort(cities_of_values), np.repeat(np.arange(cities), len(cities_of_values) // cities)):
            rows.append(order.reshape(cities, -1).T)
        else:
            others.append(np.arange(piece.start, piece.stop))
    shares = neighbours / np.maximum(1, neighbours.sum(axis=1, keepdims=True))
    return np.concatenate(rows), np.concatenate(others), shares.astype(np.float32)


def city_actions(rules: Searched) -> Int64Array:
    """Return the actions about each city, int64 (C, T).

    The layers are shared, so only families with the same number of actions for every city count.
    """
    cities = len(rules.neighbours())
    families: dict[str, list[int]] = {}
    for action, text in enumerate(rules.action_texts):
        families.setdefault(text.partition(" ")[0], []).append(action)
    columns = [np.zeros((cities, 0), np.int64)]
    for family in map(np.array, families.values()):
        places = rules.action_places[family]
        if np.array_equal(np.sort(places), np.repeat(np.arange(cities), len(family) // cities)):
            columns.append(family[np.argsort(places, kind="stable")].reshape(cities, -1))
    return np.concatenate(columns, axis=1)


def networks_for(rules: Searched) -> list[Network]:
    """Return the networks that a game can use."""
    needed = {"mlp": True, "city": len(rules.neighbours()) > 0, "ways": rules.ways() is not None}
    networks: tuple[Network, ...] = get_args(Network)
    return [network for network in networks if needed[network]]


def policy_arguments(rules: GameRules, network: Network, width: int, depth: int, bfloat16: bool) -> dict[str, Any]:
    """Return the `policy_kwargs` of a model with this network.

    Raises:
        OptionError: the network is `city`, and the board has no places, or it is `ways`, and the game has no tickets.
    """
    arguments: dict[str, Any] = {"width": width, "depth": depth, "bfloat16": bfloat16}
    arguments["scales"] = observation_scales(rules)
    extractor: type[BaseTrunk] = Trunk
    if network == "city":
        if not len(rules.neighbours()):
            raise OptionError(f"the network city is for boards with places, and {rules.title} has none; name another")
        extractor = CityTrunk
        arguments |= dict(zip(("places", "others", "neighbours"), city_places(rules), strict=True))
        arguments["targets"] = city_actions(rules)
    if network == "ways":
        ways = rules.ways()
        if ways is None:
            raise OptionError(f"the network ways is for games with tickets, and {rules.title} has none; name another")
        extractor = WayTrunk
        rules.prepare("ways")
        arguments |= {"ways": ways, "way_scales": way_scales(rules, ways)}
    return {
        "features_extractor_class": extractor,
        "features_extractor_kwargs": arguments,
        "net_arch": [],
        "activation_fn": nn.ReLU,
    }
