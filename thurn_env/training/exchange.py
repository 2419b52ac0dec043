"""Conversion between torch networks and policies as NumPy arrays.

A network scales its input, see `thurn_env.training.scales`; a policy of arrays includes the scales in the weights of
the first layer.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import nn

from thurn_env.engine.network_rules import Cities
from thurn_env.errors import OptionError
from thurn_env.games.contract import Rules
from thurn_env.players.policy import Layer, Policy, identity
from thurn_env.training.trunks import CityTrunk, WayTrunk


def exported(policy: MaskableActorCriticPolicy, rules: Rules, made: dict[str, Any]) -> Policy:
    """Convert a network to a policy of arrays."""
    trunk: Any = policy.features_extractor
    first, *further = [_layer(module) for module in trunk.layers if isinstance(module, nn.Linear)]
    return Policy(
        trunk=(Layer(first.weight * _array(trunk.joined_scales())[:, None], first.bias), *further),
        actions=_layer(policy.action_net),
        value=_layer(policy.value_net),
        game=identity(rules),
        made=made,
        cities=_cities(trunk) if isinstance(trunk, CityTrunk) else None,
        ways=trunk.ways if isinstance(trunk, WayTrunk) else None,
    )


def _cities(trunk: CityTrunk) -> Cities:
    first, last = _layer(trunk.first), _layer(trunk.last)
    scores = {}
    if len(trunk.targets):
        seen = _layer(trunk.seen)
        scores = {
            "targets": trunk.targets.cpu().numpy().reshape(len(trunk.names), -1).copy(),
            "seen": np.concatenate([seen.weight, seen.bias[None]]),
            "context": _array(trunk.context.weight.T),
            "scores": _array(trunk.scores.weight.T),
        }
    rounds = [
        np.concatenate([_array(own.weight.T), _array(near.weight.T), _array(own.bias)[None]])
        for own, near in zip(trunk.own, trunk.near, strict=True)
    ]
    return Cities(
        places=trunk.places.cpu().numpy().copy(),
        others=trunk.others.cpu().numpy().copy(),
        shares=_array(trunk.neighbours),
        first=first.weight * _array(trunk.city_scales())[:, None],
        names=_array(trunk.names) + first.bias,
        rounds=np.stack(rounds),
        last=np.concatenate([last.weight, last.bias[None]]),
        **scores,
    )


def _scores(trunk: CityTrunk, cities: Cities) -> list[tuple[Any, Any]]:
    """Return the weights of the layers that score actions, with what they become; policies without them score 0."""
    if not cities.targets.size:
        return [(trunk.scores.weight, np.zeros(trunk.scores.weight.shape, np.float32))]
    seen = [(trunk.seen.weight, cities.seen[:-1].T), (trunk.seen.bias, cities.seen[-1])]
    return [*seen, (trunk.context.weight, cities.context.T), (trunk.scores.weight, cities.scores.T)]


def _array(tensor: Any) -> Any:
    return tensor.detach().cpu().numpy().astype(np.float32).copy()


def _layer(module: Any) -> Layer:
    return Layer(_array(module.weight.T), _array(module.bias))


def imported(policy: MaskableActorCriticPolicy, source: Policy) -> None:
    """Copy the weights of a policy of arrays into a network; raise `OptionError` if its layers have other sizes."""
    trunk: Any = policy.features_extractor
    modules: list[Any] = [*(module for module in trunk.layers if isinstance(module, nn.Linear))]
    modules += [policy.action_net, policy.value_net]
    layers = [*source.trunk, source.actions, source.value]
    pairs: list[tuple[Any, Any]] = []
    for module, layer in zip(modules, layers, strict=False):
        pairs += [(module.weight, layer.weight.T), (module.bias, layer.bias)]
    cities = source.cities
    if isinstance(trunk, CityTrunk) and cities is not None:
        pairs += [(trunk.first.weight, cities.first.T), (trunk.names, cities.names)]
        pairs += [(trunk.first.bias, np.zeros(len(trunk.first.bias), np.float32))]
        for own, near, weights in zip(trunk.own, trunk.near, cities.rounds, strict=True):
            width = weights.shape[1]
            pairs += [(own.weight, weights[:width].T), (near.weight, weights[width:-1].T), (own.bias, weights[-1])]
        pairs += [(trunk.last.weight, cities.last[:-1].T), (trunk.last.bias, cities.last[-1])]
        if len(trunk.targets):
            pairs += _scores(trunk, cities)
    same = trunk.network == source.network and len(modules) == len(layers)
    if not same or any(tuple(mine.shape) != theirs.shape for mine, theirs in pairs):
        width = source.trunk[0].bias.size
        raise OptionError(
            "the initial policy has different layers; "
            f"pass --network {source.network} --width {width} --depth {len(source.trunk)} to match it"
        )
    if cities is not None and cities.targets.size and cities.targets.ravel().tolist() != trunk.targets.tolist():
        raise OptionError("the initial policy scores other actions than this version does; start from another one")
    with torch.no_grad():
        for mine, theirs in pairs:
            mine.copy_(torch.tensor(np.ascontiguousarray(theirs)))
        trunk.layers[0].weight.div_(trunk.joined_scales())
        if isinstance(trunk, CityTrunk):
            trunk.first.weight.div_(trunk.city_scales())
