"""Minibatches in parts, whose hidden values stay in the processor's cache: the gradients of the parts add up."""

from __future__ import annotations

from collections.abc import Iterator

import torch

from thurn_env.players.policy import Network

ROWS: dict[Network, int] = {"mlp": 1024, "city": 1024, "ways": 512}
"""Decisions in a part by network.

With 48 float32 values for each of 22 cities, a layer over 2,048 decisions takes 9 MB, and with 32 for each of 92 tracks
24 MB.
"""


def parts(size: int, device: torch.device, network: Network) -> Iterator[tuple[slice, float]]:
    """Yield the rows of every part of a minibatch, and their share of it.

    Args:
        size: decisions in the minibatch.
        device: where it is; on a GPU, it stays whole.
        network: the network that learns.
    """
    rows = ROWS[network] if device.type == "cpu" else size
    for start in range(0, size, rows):
        end = min(start + rows, size)
        yield slice(start, end), (end - start) / size
