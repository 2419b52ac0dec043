"""What training takes beyond the package itself: torch and the libraries around it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from thurn_env.errors import MissingExtra


@contextmanager
def training_extra() -> Iterator[None]:
    """Around imports: `MissingExtra` if what they take is not installed.

    Programs import late what needs it, so that without it they show their help, and say this in one line.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] == "thurn_env":
            raise
        raise MissingExtra(
            f'training needs {error.name}, of the extra "train": pip install "thurn-env[train]"'
        ) from None
