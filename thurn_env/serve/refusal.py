"""The error for refused requests."""

from __future__ import annotations

import logging

from thurn_env.errors import ThurnError

NO_HINT = "the adviser cannot give a hint here; the terminal of the server shows the reason"


class Refusal(Exception):
    """A request is refused and changes nothing.

    Args:
        status: status of the response, 4xx or 5xx.
        message: the reason, in one sentence.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


def logged(error: Exception, what: str) -> None:
    """Log an error of an agent whose text visitors must not see, with the traceback if it is none of this package."""
    unknown = None if isinstance(error, ThurnError) else error
    logging.getLogger(__name__).error("%s: %s", what, error, exc_info=unknown)
