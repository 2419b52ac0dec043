"""Learned policies: files and the forward pass, with NumPy only.

A file holds the arrays of a network and, as text, the game it is for, its architecture and how it was made. It is an
`.npz` archive without pickled objects, so loading an untrusted file runs no code. `thurn train` and `thurn imitate`
write such files.

The network has a trunk of fully connected layers with ReLU. From the trunk's output one linear map gives the logits of
all actions, another the value of the position: the expected return (from -1 to 1 for rewards by winning or rank).
Layers shared among cities may precede the trunk and score the actions that are about a city, see
`thurn_env.engine.network_rules.Cities`, or ways for tickets join the observation, see `thurn_env.engine.way_rules`.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from thurn_env.engine.network_rules import Cities
from thurn_env.engine.read_only import sealed
from thurn_env.engine.way_rules import Ways, sizes
from thurn_env.errors import AgentError
from thurn_env.files import make_folder, write_bytes
from thurn_env.games.contract import Float32Array, GameRules, Int8Array, Rules
from thurn_env.players.ways import check_ways, inputs_with

__all__ = ["Layer", "Network", "Policy", "find", "load", "policy_for", "published", "save"]

Network = Literal["mlp", "city", "ways"]
"""Kinds of networks, see `thurn_env.training.trunks`."""

FORMAT = "thurn-policy/1"
SMALL_FORMAT = "thurn-policy/2"
"""Format of files whose layers have weights of one byte."""
LARGEST_BYTE = 127
"""Largest weight of a neuron in a small file."""
RELEASE = Path(__file__).parent / "models"
"""Folder of the published models."""


class Layer(NamedTuple):
    """A linear layer: `x @ weight + bias`.

    Attributes:
        weight: float32 (inputs, outputs).
        bias: float32 (outputs,).
    """

    weight: Float32Array
    bias: Float32Array


@dataclass(frozen=True, eq=False)
class Policy:
    """A network and its metadata.

    Attributes:
        trunk: hidden layers.
        actions: output layer for the logits of the actions.
        value: output layer for the value, one output.
        game: values that a game must match, see `identity`.
        made: how the policy was made: command, steps, seed, version and so on.
        cities: layers that all cities share, or None.
        ways: how ways for tickets follow from the observation, or None.
    """

    trunk: tuple[Layer, ...]
    actions: Layer
    value: Layer
    game: dict[str, Any]
    made: dict[str, Any]
    cities: Cities | None = None
    ways: Ways | None = None

    @property
    def network(self) -> Network:
        """Kind of the network."""
        return "city" if self.cities else "ways" if self.ways else "mlp"

    def __call__(self, observations: Float32Array) -> tuple[Float32Array, Float32Array]:
        """Run a forward pass.

        Args:
            observations: float32 (N, O).

        Returns:
            Logits, float32 (N, A), and values, float32 (N,).
        """
        hidden = observations
        if self.cities is not None:
            hidden, values_of_cities = embedded(self.cities, observations)
        if self.ways is not None:
            hidden = inputs_with(self.ways, observations)
        for layer in self.trunk:
            hidden = np.maximum(hidden @ layer.weight + layer.bias, 0)
        logits: Float32Array = hidden @ self.actions.weight + self.actions.bias
        if self.cities is not None and self.cities.targets.size:
            logits[:, self.cities.targets.ravel()] += scored(self.cities, values_of_cities, hidden)
        values: Float32Array = (hidden @ self.value.weight + self.value.bias)[:, 0]
        return logits, values

    def probabilities(self, observations: Float32Array, masks: Int8Array) -> Float32Array:
        """Return the probabilities of all actions, float32 (N, A); those of illegal ones are 0.

        Args:
            observations: float32 (N, O).
            masks: legal actions, int8 (N, A), at least one in each row.
        """
        logits = np.where(masks != 0, self(observations)[0], np.float32(-np.inf))
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        probabilities: Float32Array = weights / weights.sum(axis=1, keepdims=True)
        return probabilities

    def fits(self, rules: Rules) -> str:
        """Return how the game differs from the policy's game; empty if the policy fits."""
        wanted = identity(rules)
        return next((name for name, value in wanted.items() if self.game.get(name) != value), "")


def embedded(cities: Cities, observations: Float32Array) -> tuple[Float32Array, Float32Array]:
    """Return the trunk's inputs, float32 (N, J), and the cities' values, float32 (N, C, W).

    This is `network_rules.embed` for a batch.
    """
    rows, (count, width) = len(observations), cities.names.shape
    known = observations[:, cities.places]
    now = np.maximum((known.reshape(rows * count, -1) @ cities.first).reshape(rows, count, width) + cities.names, 0)
    for weights in cities.rounds:
        near = cities.shares @ now
        following = now.reshape(-1, width) @ weights[:width]
        following += near.reshape(-1, width) @ weights[width:-1]
        now = np.maximum(following + weights[-1], 0).reshape(rows, count, width)
    last = np.maximum(now.reshape(-1, width) @ cities.last[:-1] + cities.last[-1], 0)
    inputs = [observations[:, cities.others], known.reshape(rows, -1), last.reshape(rows, -1)]
    return np.concatenate(inputs, axis=1), now


def scored(cities: Cities, values: Float32Array, outputs: Float32Array) -> Float32Array:
    """Return the scores of the actions about cities, float32 (N, C * T): `network_rules.add_scores` for a batch.

    Args:
        cities: the layers.
        values: the cities' values, float32 (N, C, W).
        outputs: outputs of the trunk, float32 (N, U).
    """
    rows, count, width = values.shape
    hidden = (values.reshape(rows * count, width) @ cities.seen[:-1]).reshape(rows, count, -1)
    hidden += (outputs @ cities.context + cities.seen[-1])[:, None]
    scores: Float32Array = np.maximum(hidden, 0).reshape(rows * count, -1) @ cities.scores
    return scores.reshape(rows, -1)


def identity(rules: Rules) -> dict[str, Any]:
    """Return the values in which a game must match the game of a policy."""
    return {
        "game": rules.name,
        "players": rules.players,
        "board": rules.board_digest,
        "observation": {name: list(shape) for name, shape in rules.observation_shapes.items()},
        "actions": rules.action_size,
    }


def meant_for(game: dict[str, Any], different: str, rules: Rules) -> str:
    """Return in words for which game a file is that does not fit the rules: `for 2 players, not for 3`.

    Args:
        game: values in which a game must match that of the file.
        different: name of one that does not.
        rules: the rules.
    """
    words = {
        "game": f"for {game.get(different)}, not for {rules.name}",
        "players": f"for {game.get(different)} players, not for {rules.players}",
        "board": f"for another board than {rules.board_name}",
    }
    return words.get(different, "for other options of the game, or for another version of it")


def save(policy: Policy, path: Path, *, small: bool = False) -> None:
    """Write a policy file atomically.

    Args:
        policy: the policy.
        path: path of the file.
        small: store the weights of layers as int8, which makes the file four times smaller: a weight is rounded to a
            multiple of a 127th of the largest one of its neuron. All other numbers become float16.
    """
    header = {
        "format": SMALL_FORMAT if small else FORMAT,
        "game": policy.game,
        "made": policy.made,
        "layers": len(policy.trunk),
        "cities": policy.cities is not None,
        "ways": policy.ways is not None,
    }
    arrays: dict[str, Any] = {"header": np.array(json.dumps(header, ensure_ascii=False))}
    for name, layer in [*_numbered(policy.trunk), ("actions", policy.actions), ("value", policy.value)]:
        arrays[f"{name}.weight"], arrays[f"{name}.bias"] = layer
    for part in ("cities", "ways"):
        arrays |= {f"{part}.{name}": array for name, array in _fields_of(getattr(policy, part))}
    if small:
        arrays = {name: array for pair in arrays.items() for name, array in _shrunk(*pair)}
    content = io.BytesIO()
    np.savez_compressed(content, **arrays)
    make_folder(path.parent)
    write_bytes(path, content.getvalue())


def _fields_of(part: Cities | Ways | None) -> Iterable[tuple[str, Any]]:
    return () if part is None else part._asdict().items()


def _shrunk(name: str, array: Any) -> Iterator[tuple[str, Any]]:
    """Yield what a small file holds of an array: the weights of layers as int8 with the scale of every neuron."""
    if name.endswith(".weight"):
        largest = np.abs(array).max(axis=0)
        scale = np.where(largest > 0, largest / LARGEST_BYTE, 1).astype(np.float32)
        yield name, np.rint(array / scale).astype(np.int8)
        yield f"{name}.scale", scale
    else:
        # Rounded prices would change ways.
        short = array.dtype == np.float32 and not name.startswith("ways.")
        yield name, array.astype(np.float16) if short else array


def _weights(arrays: Any, name: str) -> Float32Array:
    """Return the weights of a layer from a file."""
    weights: Float32Array = arrays[name].astype(np.float32, copy=False)
    if f"{name}.scale" not in arrays:
        return weights
    scale = arrays[f"{name}.scale"]
    if scale.shape != weights.shape[1:] or scale.dtype != np.float32:
        raise ValueError(f"{name}.scale must be float32 of shape {weights.shape[1:]}")
    weights *= scale
    return weights


def _single(array: Any) -> Any:
    """Return a float16 array as float32, and any other array unchanged."""
    return array.astype(np.float32) if array.dtype == np.float16 else array


def _numbered(trunk: tuple[Layer, ...]) -> list[tuple[str, Layer]]:
    return [(f"trunk.{number}", layer) for number, layer in enumerate(trunk)]


def load(path: Path) -> Policy:
    """Read a policy file; cached until the file changes. The arrays are shared and therefore read-only.

    Raises:
        AgentError: the file does not exist, is damaged, or is no policy.
    """
    try:
        found = path.stat()
    except OSError:
        raise AgentError(f"there is no policy {path}; create one with thurn train") from None
    return _read(path, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=32)
def _read(path: Path, changed: int, size: int) -> Policy:
    """Read the policy in a file with this modification time and size, which are part of the cache key."""
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as arrays:
            header = json.loads(str(arrays["header"]))
            if header["format"] not in (FORMAT, SMALL_FORMAT):
                raise ValueError(f"its format is {header['format']!r}, not {FORMAT!r} or {SMALL_FORMAT!r}")
            layers = {
                name: Layer(
                    sealed(_weights(arrays, f"{name}.weight")),
                    sealed(arrays[f"{name}.bias"].astype(np.float32, copy=False)),
                )
                for name in (*(f"trunk.{number}" for number in range(header["layers"])), "actions", "value")
            }
            cities = ways = None
            if header.get("cities"):
                there = [name for name in Cities._fields if f"cities.{name}" in arrays]
                cities = Cities(**{name: sealed(_single(arrays[f"cities.{name}"])) for name in there})
            if header.get("ways"):
                ways = Ways(**{name: sealed(arrays[f"ways.{name}"]) for name in Ways._fields})
        policy = Policy(
            trunk=tuple(layers[f"trunk.{number}"] for number in range(header["layers"])),
            actions=layers["actions"],
            value=layers["value"],
            game=header["game"],
            made=header["made"],
            cities=cities,
            ways=ways,
        )
        _check(policy)
    except (OSError, ValueError, LookupError, TypeError, AttributeError, EOFError, zipfile.BadZipFile) as error:
        if not zipfile.is_zipfile(path):
            # NumPy takes any other file for a pickle, and recommends to load it.
            raise AgentError(f"{path} is not a policy of this project, or is damaged: it is not an .npz file") from None
        raise AgentError(f"{path} is not a policy of this project, or is damaged: {error}") from None
    return policy


def _check(policy: Policy) -> None:
    """Raise `ValueError` if the layers do not fit together."""
    width = sum(int(np.prod(shape)) for shape in policy.game["observation"].values())
    if policy.cities is not None:
        width = _joined_by(policy.cities, width)
    if policy.cities is not None and policy.ways is not None:
        raise ValueError("it has both layers of cities and ways")
    if policy.ways is not None:
        check_ways(policy.ways, width)
        width += sum(sizes(policy.ways).values())
    for layer in policy.trunk:
        width = _joined(layer, width)
    if policy.cities is not None:
        _check_scores(policy.cities, width, policy.game["actions"])
    if _joined(policy.actions, width) != policy.game["actions"] or _joined(policy.value, width) != 1:
        raise ValueError("the last layers have the wrong size")


def _joined_by(cities: Cities, inputs: int) -> int:
    """Return the number of outputs of the cities' layers; raise `ValueError` if they do not fit together."""
    kinds, width = cities.first.shape
    count, outputs = len(cities.places), cities.last.shape[1]
    wanted: dict[str, tuple[int, ...]] = {
        "places": (count, kinds),
        "others": (inputs - count * kinds,),
        "shares": (count, count),
        "first": (kinds, width),
        "names": (count, width),
        "rounds": (len(cities.rounds), 2 * width + 1, width),
        "last": (width + 1, outputs),
    }
    _check_arrays(cities, wanted)
    if sorted([*cities.places.ravel().tolist(), *cities.others.tolist()]) != list(range(inputs)):
        raise ValueError("the cities' layers must use every value of the observation exactly once")
    return len(cities.others) + count * int(kinds + outputs)


def _check_scores(cities: Cities, outputs: int, actions: int) -> None:
    """Raise `ValueError` if the scores of actions about cities fit neither the trunk's outputs nor the actions."""
    targets = cities.targets
    if not targets.size:
        _check_arrays(cities, dict.fromkeys(("targets", "seen", "context", "scores"), (0, 0)))
        return
    count, width = cities.names.shape
    hidden, kinds = cities.scores.shape
    wanted: dict[str, tuple[int, ...]] = {
        "targets": (count, kinds),
        "seen": (width + 1, hidden),
        "context": (outputs, hidden),
        "scores": (hidden, kinds),
    }
    _check_arrays(cities, wanted)
    # Kernels do not check indices.
    if targets.min() < 0 or targets.max() >= actions or len(np.unique(targets)) < targets.size:
        raise ValueError("the cities' targets must be different actions")


def _check_arrays(cities: Cities, wanted: dict[str, tuple[int, ...]]) -> None:
    """Raise `ValueError` if one of these arrays has another shape, a wrong type, or numbers that are not finite."""
    for name, shape in wanted.items():
        array = getattr(cities, name)
        kind = np.int64 if name in ("places", "others", "targets") else np.float32
        if array.shape != shape or array.dtype != kind or not np.isfinite(array).all():
            raise ValueError(f"the cities' {name} has a wrong shape or wrong numbers")


def _joined(layer: Layer, inputs: int) -> int:
    """Return the number of outputs of a layer with `inputs` inputs; raise `ValueError` if it has others."""
    if layer.weight.ndim != 2 or layer.weight.shape[0] != inputs or layer.bias.shape != layer.weight.shape[1:]:
        raise ValueError(f"a layer of shape {layer.weight.shape} cannot take {inputs} values")
    if not (np.isfinite(layer.weight).all() and np.isfinite(layer.bias).all()):
        raise ValueError("a weight is not a finite number")
    return int(layer.weight.shape[1])


def find(name: str) -> Path:
    """Return the path of the file that a spec names: a path, or the name of a published model."""
    path = Path(name)
    published = RELEASE / f"{name}.npz"
    if not path.exists() and published.exists():
        return published
    return path


def published() -> list[str]:
    """Return the names of the published models."""
    return sorted(path.stem for path in RELEASE.glob("*.npz"))


def policy_to_play(rules: GameRules, name: str) -> Policy:
    """Load a policy as `policy_for` does, and compile what its forward pass needs."""
    policy = policy_for(rules, name)
    if policy.ways is not None:
        rules.prepare("ways")
    return policy


def policy_for(rules: Rules, name: str) -> Policy:
    """Load the policy that a spec names and check that it fits the game.

    Raises:
        AgentError: there is no such policy, or it is for another game.
    """
    policy = load(find(name))
    different = policy.fits(rules)
    if different:
        raise AgentError(f"{find(name)} is a policy {meant_for(policy.game, different, rules)}")
    return policy
