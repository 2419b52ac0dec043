"""Memory that the process keeps for its next arrays.

By default, the GNU C library returns the memory of large arrays to the system when they are freed. Training makes
arrays of the same sizes again and again. Each time, the system would hand out that memory with a fault for every page.
"""

from __future__ import annotations

import ctypes
import sys

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
"""Parameters of the C function `mallopt`: free memory at the end of the heap that is kept, and the size from which an
array gets a mapping of its own, which is returned when the array is freed.
"""
KEPT = 1 << 30
"""Value of both in bytes."""


def keep_freed_memory() -> None:
    """Keep freed memory for the next arrays of this process. Other C libraries than GNU's are left as they are."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        mallopt(TRIM_THRESHOLD, KEPT)
        mallopt(MMAP_THRESHOLD, KEPT)
