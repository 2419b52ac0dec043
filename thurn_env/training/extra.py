"""The extra `train`: torch and related libraries."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from thurn_env.errors import MissingExtra


@contextmanager
def training_extra() -> Iterator[None]:
    """Raise `MissingExtra` if an import within the context fails because the extra is not installed.

    Programs import these libraries late, so that help texts work without them.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] == "thurn_env":
            raise
        raise MissingExtra(
            f'training needs {error.name}, of the extra "train": pip install "thurn-env[train]"'
        ) from None
