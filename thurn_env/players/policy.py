"""Learned policies: files and the forward pass, with NumPy only.

A file holds the arrays of a network and, as text, the game it is for, its architecture and how it was made. It is an
`.npz` archive without pickled objects, so loading an untrusted file runs no code. `thurn train` and `thurn imitate`
write such files.

The network has a trunk of fully connected layers with ReLU. From the trunk's output one linear map gives the logits of
all actions, another the value of the position: the expected return (from -1 to 1 for rewards by winning or rank).
Layers shared among cities may precede the trunk, see `thurn_env.engine.network_rules.Cities`, or ways for tickets join
the observation, see `thurn_env.engine.way_rules`; and layers that things share may score the actions that are about
them, see `thurn_env.players.scorers`.
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
from thurn_env.players.cities import embedded, joined_by
from thurn_env.players.scorers import Scorer, check_scorer, scored
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
        scorers: layers that score actions; files of earlier versions have none.
    """

    trunk: tuple[Layer, ...]
    actions: Layer
    value: Layer
    game: dict[str, Any]
    made: dict[str, Any]
    cities: Cities | None = None
    ways: Ways | None = None
    scorers: tuple[Scorer, ...] = ()

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
        inputs = told = observations
        if self.cities is not None:
            inputs, values_of_cities = embedded(self.cities, observations)
            told = np.concatenate([inputs, values_of_cities], axis=1)
        if self.ways is not None:
            inputs = told = inputs_with(self.ways, observations)
        hidden = inputs
        for layer in self.trunk:
            hidden = np.maximum(hidden @ layer.weight + layer.bias, 0)
        logits: Float32Array = hidden @ self.actions.weight + self.actions.bias
        for scorer in self.scorers:
            logits[:, scorer.targets.ravel()] += scored(scorer, told, hidden)
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
        "scorers": len(policy.scorers),
    }
    arrays: dict[str, Any] = {"header": np.array(json.dumps(header, ensure_ascii=False))}
    for name, part in _parts(policy).items():
        arrays |= {f"{name}.{field}": array for field, array in part._asdict().items()}
    if small:
        arrays = {name: array for pair in arrays.items() for name, array in _shrunk(*pair)}
    content = io.BytesIO()
    np.savez_compressed(content, **arrays)
    make_folder(path.parent)
    write_bytes(path, content.getvalue())


def _shrunk(name: str, array: Any) -> Iterator[tuple[str, Any]]:
    """Yield what a small file holds of an array: the weights of layers as int8 with the scale of every neuron."""
    if name.endswith((".weight", ".context")):
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


def _fields(arrays: Any, name: str, fields: Iterable[str]) -> dict[str, Any]:
    """Return the arrays of a part of a policy from a file; those of a small file become float32."""
    found = {}
    for field in fields:
        array = arrays[f"{name}.{field}"]
        small = array.dtype == np.float16 or f"{name}.{field}.scale" in arrays
        found[field] = sealed(_weights(arrays, f"{name}.{field}") if small else array)
    return found


def _parts(policy: Policy) -> dict[str, Layer | Cities | Ways | Scorer]:
    """Return the parts of a policy by their names in files."""
    parts = {
        **{f"trunk.{number}": layer for number, layer in enumerate(policy.trunk)},
        **{"actions": policy.actions, "value": policy.value, "cities": policy.cities, "ways": policy.ways},
        **{f"scorers.{number}": scorer for number, scorer in enumerate(policy.scorers)},
    }
    return {name: part for name, part in parts.items() if part is not None}


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
            header, names = json.loads(str(arrays["header"])), list(arrays)
            if header["format"] not in (FORMAT, SMALL_FORMAT):
                raise ValueError(f"its format is {header['format']!r}, not {FORMAT!r} or {SMALL_FORMAT!r}")
            layers = {
                name: Layer(
                    sealed(_weights(arrays, f"{name}.weight")),
                    sealed(arrays[f"{name}.bias"].astype(np.float32, copy=False)),
                )
                for name in (*(f"trunk.{number}" for number in range(header["layers"])), "actions", "value")
            }
            numbers = range(header.get("scorers", 0))
            scorers = tuple(Scorer(**_fields(arrays, f"scorers.{number}", Scorer._fields)) for number in numbers)
            cities = Cities(**_fields(arrays, "cities", Cities._fields)) if header.get("cities") else None
            ways = Ways(**_fields(arrays, "ways", Ways._fields)) if header.get("ways") else None
        policy = Policy(
            trunk=tuple(layers[f"trunk.{number}"] for number in range(header["layers"])),
            actions=layers["actions"],
            value=layers["value"],
            game=header["game"],
            made=header["made"],
            cities=cities,
            ways=ways,
            scorers=scorers,
        )
        known = {f"{name}.{field}" for name, part in _parts(policy).items() for field in part._fields}
        unknown = [name for name in names if name.removesuffix(".scale") not in known | {"header"}]
        if unknown:
            raise ValueError(f"it holds {unknown[0]}, which is no part of its network")
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
    beside = 0
    if policy.cities is not None:
        width, beside = joined_by(policy.cities, width), policy.cities.names.size
    if policy.cities is not None and policy.ways is not None:
        raise ValueError("it has both layers of cities and ways")
    if policy.ways is not None:
        check_ways(policy.ways, width)
        width += sum(sizes(policy.ways).values())
    told = width + beside
    for layer in policy.trunk:
        width = _joined(layer, width)
    for scorer in policy.scorers:
        check_scorer(scorer, told, width, policy.game["actions"])
    if _joined(policy.actions, width) != policy.game["actions"] or _joined(policy.value, width) != 1:
        raise ValueError("the last layers have the wrong size")


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
