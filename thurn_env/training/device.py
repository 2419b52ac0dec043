"""The device of torch, and its threads."""

from __future__ import annotations

import platform

import torch
from stable_baselines3.common.utils import get_device

from thurn_env.engine.cores import available_cores
from thurn_env.engine.library_threads import limit_threads
from thurn_env.engine.provenance import processor_name
from thurn_env.errors import OptionError
from thurn_env.training.config import Device


def device_for(device: Device) -> torch.device:
    """Return the device for `--device`; raise `OptionError` if a GPU is requested and torch finds none."""
    if device == "cuda" and not torch.cuda.is_available():
        raise OptionError("--device cuda: torch finds no GPU on this machine; use --device cpu or --device auto")
    return get_device(device)


def machine(device: torch.device) -> str:
    """Describe the hardware that a policy is trained on."""
    computer = f"{platform.system()}, {processor_name()}, {available_cores()} cores"
    return f"{computer}, {torch.cuda.get_device_name(device)}" if device.type == "cuda" else computer


def use_threads(number: int) -> None:
    """Let torch and NumPy use this many threads, unless the environment sets the number for NumPy."""
    torch.set_num_threads(number)
    limit_threads(number)
