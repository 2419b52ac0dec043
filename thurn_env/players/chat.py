"""A client for endpoints with OpenAI's interface for chats: `POST ADDRESS/chat/completions`."""

from __future__ import annotations

import time
from typing import Any, NamedTuple, TypedDict

from thurn_env.errors import AgentError, MissingExtra, clipped

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
"""Seconds before the first repetition of a request, which then double, and the longest pause."""
TRY_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
"""Status codes after which a request is repeated."""
CHARACTERS_PER_TOKEN = 4
"""For endpoints that do not count their tokens."""


class Message(TypedDict):
    """A message of a chat: `role` is `system`, `user` or `assistant`."""

    role: str
    content: str


class Reply(NamedTuple):
    """The reply to a chat.

    Attributes:
        text: the text; empty if the endpoint returned none.
        tokens_in: tokens of the chat.
        tokens_out: tokens of the reply, with those of reasoning.
    """

    text: str
    tokens_in: int
    tokens_out: int


class Endpoint:
    """An endpoint that answers chats.

    Args:
        address: address of the interface, usually ending in `/v1`.
        key: key for the header `Authorization`; empty for none.
        timeout: seconds to wait for a connection, and for the next bytes of a reply.
        retries: number of times that a failed request is repeated.

    Attributes:
        repeated: number of requests repeated so far.

    Raises:
        MissingExtra: without the extra `llm`.
    """

    def __init__(self, address: str, key: str, timeout: float, retries: int) -> None:
        try:
            import httpx2
        except ModuleNotFoundError:
            raise MissingExtra('language models need httpx2: pip install "thurn-env[llm]"') from None
        # The last two: the address cannot be one.
        self._failures = (httpx2.RequestError, httpx2.InvalidURL, UnicodeError)
        self._address = f"{address.rstrip('/')}/chat/completions"
        self._retries = retries
        self.repeated = 0
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx2.Client(timeout=timeout, headers=headers)

    def reply(self, model: str, messages: list[Message], **options: Any) -> Reply:
        """Return the reply of a model to a chat.

        Args:
            model: name of the model.
            messages: the chat.
            options: further fields of the request, such as `temperature`.

        Raises:
            AgentError: the endpoint cannot be reached, refuses the request, or returns no chat.
        """
        request = {"model": model, "messages": messages, **options}
        pause = FIRST_PAUSE
        for left in range(self._retries, -1, -1):
            wait = pause
            try:
                response = self._client.post(self._address, json=request)
            except self._failures as error:
                problem = f"{self._address} does not answer: {type(error).__name__} {clipped(str(error))}".rstrip()
            else:
                if response.status_code == 200:
                    return _reply_in(response, messages, self._address)
                problem = f"{self._address} answers with status {response.status_code}: {clipped(response.text, 120)}"
                if response.status_code not in TRY_AGAIN:
                    raise AgentError(problem)
                wait = _wished_pause(response.headers.get("Retry-After", ""), pause)
            if left:
                self.repeated += 1
                time.sleep(min(wait, LONGEST_PAUSE))
                pause *= 2
        raise AgentError(f"{problem} ({self._retries + 1} requests)")


def _wished_pause(header: str, otherwise: float) -> float:
    """Return the pause that an endpoint asks for in whole seconds."""
    return float(header[:9]) if header.isdecimal() else otherwise


def _reply_in(response: Any, messages: list[Message], address: str) -> Reply:
    """Return the reply in a response; raise `AgentError` if it holds none."""
    try:
        body = response.json()
        text = body["choices"][0]["message"].get("content") or ""
        usage = body.get("usage") or {}
        if not isinstance(text, str):
            raise TypeError("content is no text")
        text.encode()  # what is no Unicode cannot be sent back with the next request
        asked = sum(len(message["content"]) for message in messages) // CHARACTERS_PER_TOKEN
        return Reply(
            text,
            max(0, int(usage.get("prompt_tokens") or asked)),
            max(0, int(usage.get("completion_tokens") or len(text) // CHARACTERS_PER_TOKEN)),
        )
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, OverflowError, RecursionError):
        raise AgentError(f"{address} returned no chat: {clipped(response.text, 120)}") from None
