"""Measure a classic environment of PettingZoo: SECONDS MODULE FACE, for example 2 connect_four_v3 raw_env."""

from __future__ import annotations

from importlib import import_module

from eval.peers.scripts.loop import Measurement, aec_measurement, main

DISTRIBUTIONS = ("pettingzoo", "gymnasium", "numpy")


def measure(seconds: float, module: str, face: str) -> Measurement:
    """Measure random play in `pettingzoo.classic.MODULE.FACE()`; FACE is env or raw_env."""
    environment = getattr(import_module(f"pettingzoo.classic.{module}"), face)()
    backend = ("shimmy", "open_spiel") if module.startswith("hanabi") else ()
    return aec_measurement(environment, seconds, (*DISTRIBUTIONS, *backend))


if __name__ == "__main__":
    main(measure)
