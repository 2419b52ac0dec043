"""The error for refused requests."""

from __future__ import annotations


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
