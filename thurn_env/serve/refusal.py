"""How requests are refused."""

from __future__ import annotations


class Refusal(Exception):
    """A request that changes nothing.

    Args:
        status: of the response, 4xx or 5xx.
        message: what is wrong, in one sentence.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
