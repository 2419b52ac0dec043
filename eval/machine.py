"""The machine on which something was measured, for the notes of the results."""

from __future__ import annotations

import os
import platform
from typing import Any

from thurn_env.engine.cores import available_cores
from thurn_env.engine.provenance import processor_name


def machine() -> dict[str, Any]:
    """Describe the machine."""
    return {
        "processor": processor_name(),
        "cores": available_cores(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def load_average() -> list[float] | None:
    """Return the machine's load over 1, 5 and 15 minutes; None if the system does not report it."""
    return [round(load, 2) for load in os.getloadavg()] if hasattr(os, "getloadavg") else None
