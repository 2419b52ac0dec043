"""Networks for training in the form that Stable-Baselines3 takes; their hidden layers are in `trunks`."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from thurn_env.errors import OptionError
from thurn_env.games.contract import GameRules, Searched
from thurn_env.players.policy import Network
from thurn_env.training.scales import observation_scales, way_scales
from thurn_env.training.things import city_actions, city_places, things_with_ways
from thurn_env.training.trunks import BaseTrunk, CityTrunk, Trunk, WayTrunk

ILLEGAL = -1e8
"""Logit of an illegal action."""
SMALLEST = -30.0
"""Lower bound of log probabilities in the entropy."""
FIRST_ACTION_GAIN = 0.01
"""Gain of the initial weights of the logits, that of Stable-Baselines3: all actions are about as probable at first."""


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

    @property
    def network(self) -> Network:
        """Kind of the network."""
        trunk: Any = self.features_extractor
        network: Network = trunk.network
        return network

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        trunk: Any = self.features_extractor
        if not len(trunk.scorers):
            return
        space: Any = self.action_space
        self.action_net = ScoredActions(trunk.width, int(space.n), trunk.targets())
        self.value_net = HiddenLinear(trunk.width, 1)
        for head, gain in ((self.action_net, FIRST_ACTION_GAIN), (self.value_net, 1.0)):
            self.init_weights(head, gain)
        for scorer in trunk.scorers:
            nn.init.zeros_(scorer.scores.weight)
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
        arguments |= {"ways": ways, "way_scales": way_scales(rules, ways), "things": things_with_ways(rules, ways)}
    return {
        "features_extractor_class": extractor,
        "features_extractor_kwargs": arguments,
        "net_arch": [],
        "activation_fn": nn.ReLU,
    }
