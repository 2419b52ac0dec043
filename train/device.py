"""Where torch computes."""

from __future__ import annotations

import torch
from stable_baselines3.common.utils import get_device

from thurn_env.errors import OptionError
from train.config import Device


def device_for(asked: Device) -> torch.device:
    """The device of `--device`; `OptionError` if a GPU is wanted and torch finds none, rather than to take the CPU."""
    if asked == "cuda" and not torch.cuda.is_available():
        raise OptionError("--device cuda: torch finds no GPU on this machine; give --device cpu, or auto")
    return get_device(asked)
