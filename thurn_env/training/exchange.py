"""Conversion between torch networks and policies as NumPy arrays.

A network scales its input, see `thurn_env.training.scales`; a policy of arrays includes the scales in the weights of
the first layer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import nn

from thurn_env.engine.network_rules import Cities
from thurn_env.errors import OptionError
from thurn_env.games.contract import Rules, Things
from thurn_env.players.policy import Layer, Policy, identity
from thurn_env.players.scorers import Scorer
from thurn_env.training.things import fitted
from thurn_env.training.trunks import BaseTrunk, CityTrunk, WayTrunk


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
        scorers=tuple(_scorer(scorer, scales) for scorer, scales in _scaled(trunk)),
    )


def _cities(trunk: CityTrunk) -> Cities:
    first, last = _layer(trunk.first), _layer(trunk.last)
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
    )


def _scaled(trunk: BaseTrunk) -> Iterator[tuple[Any, torch.Tensor]]:
    """Yield the layers that score actions, with the scales of the values that they take of a thing."""
    scales = trunk.joined_scales()
    scorers: Any = trunk.scorers
    for scorer in scorers:
        places = scorer.values[0]
        # Values of cities come after the inputs, from layers of their own.
        known = torch.ones(len(places), device=scales.device)
        known[places < len(scales)] = scales[places[places < len(scales)]]
        yield scorer, known


def _scorer(scorer: Any, scales: torch.Tensor) -> Scorer:
    seen = _layer(scorer.seen)
    return Scorer(
        values=scorer.values.cpu().numpy().copy(),
        targets=scorer.targets.cpu().numpy().copy(),
        seen=seen.weight * _array(scales)[:, None],
        names=_array(scorer.names) + seen.bias,
        context=_array(scorer.context.weight.T),
        scores=_array(scorer.scores.weight.T),
    )


def _copied_scorer(mine: Any, source: Scorer) -> list[tuple[Any, Any]]:
    """Return the weights of layers that score actions, with what they become."""
    return [
        (mine.seen.weight, source.seen.T),
        (mine.seen.bias, np.zeros(len(mine.seen.bias), np.float32)),
        (mine.names, source.names),
        (mine.context.weight, source.context.T),
        (mine.scores.weight, source.scores.T),
    ]


def _copied_cities(trunk: CityTrunk, cities: Cities) -> list[tuple[Any, Any]]:
    """Return the weights of the layers that cities share, with what they become."""
    pairs: list[tuple[Any, Any]] = [(trunk.first.weight, cities.first.T), (trunk.names, cities.names)]
    pairs += [(trunk.first.bias, np.zeros(len(trunk.first.bias), np.float32))]
    rounds: Any = zip(trunk.own, trunk.near, cities.rounds, strict=True)
    for own, near, weights in rounds:
        width = weights.shape[1]
        pairs += [(own.weight, weights[:width].T), (near.weight, weights[width:-1].T), (own.bias, weights[-1])]
    return [*pairs, (trunk.last.weight, cities.last[:-1].T), (trunk.last.bias, cities.last[-1])]


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
    if isinstance(trunk, CityTrunk) and source.cities is not None:
        pairs += _copied_cities(trunk, source.cities)
    same = trunk.network == source.network and len(modules) == len(layers)
    scorers = fitted(source.scorers, _things(trunk)) if same and source.scorers else ()
    for scorer, other in zip(trunk.scorers, scorers, strict=False):
        pairs += _copied_scorer(scorer, other)
    if not same or any(tuple(mine.shape) != theirs.shape for mine, theirs in pairs):
        width = source.trunk[0].bias.size
        raise OptionError(
            "the initial policy has different layers; "
            f"pass --network {source.network} --width {width} --depth {len(source.trunk)} to match it"
        )
    with torch.no_grad():
        for mine, theirs in pairs:
            mine.copy_(torch.tensor(np.ascontiguousarray(theirs)))
        trunk.layers[0].weight.div_(trunk.joined_scales())
        if isinstance(trunk, CityTrunk):
            trunk.first.weight.div_(trunk.city_scales())
        for scorer, scales in _scaled(trunk):
            if source.scorers:
                scorer.seen.weight.div_(scales)
            else:
                nn.init.zeros_(scorer.scores.weight)


def _things(trunk: BaseTrunk) -> list[Things]:
    """Return what a network scores actions about."""
    scorers: Any = trunk.scorers
    return [Things(scorer.values.cpu().numpy(), scorer.targets.cpu().numpy()) for scorer in scorers]
