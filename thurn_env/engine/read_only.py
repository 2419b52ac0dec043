"""Read-only arrays.

Clearing `array.flags.writeable` is not enough: the holder of an array that owns its data can set the flag again. NumPy
refuses that only for an array over a read-only buffer, so both functions return such arrays.
"""

from typing import Any, TypeVar, cast

import numpy as np

AnyArray = TypeVar("AnyArray", bound=np.ndarray[Any, Any])


def sealed(array: AnyArray) -> AnyArray:
    """Return an immutable copy of the same shape, type and class, in C order."""
    return _over(array.tobytes(), array)


def window(array: AnyArray) -> AnyArray:
    """Return a read-only array over the memory of `array`, which must be in C order and stays writeable."""
    return _over(memoryview(cast(Any, array)).cast("B").toreadonly(), array)


def _over(buffer: bytes | memoryview, like: AnyArray) -> AnyArray:
    array = np.frombuffer(buffer, like.dtype).reshape(like.shape)
    return cast(AnyArray, array.view(type(like)))
