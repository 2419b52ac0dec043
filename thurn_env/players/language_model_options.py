"""Arguments of language models as agents: `MODEL,url=http://127.0.0.1:8000/v1,temperature=0`."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Self
from urllib.parse import urlsplit

from thurn_env.checks import LONGEST_WAIT, checked_number, checked_whole, quoted
from thurn_env.errors import AgentError, OptionError
from thurn_env.players.spec_options import named_options

__all__ = ["LanguageModelOptions"]

MOST_TOKENS = 1_000_000_000
"""Largest budget of tokens."""
MOST_TRIES = 100
"""Largest number of answers to a prompt, and of repetitions of a request."""
HIGHEST_PRICE = 1_000_000.0
"""Highest price of a million tokens."""
NOT_SENT = "none"
"""Value of `temperature` for endpoints that do not accept the field."""


@dataclass(frozen=True)
class LanguageModelOptions:
    """Options of `llm`.

    Attributes:
        model: name of the model at the endpoint.
        url: address of the endpoint, usually ending in /v1; by default the environment variable `OPENAI_BASE_URL`.
        key: name of the environment variable that holds the key of the endpoint; the key itself is never an option.
        temperature: 0 for the most probable answer; above 0, the seed of the agent is sent, too, so that endpoints that
            know seeds repeat their answers; `none` to leave the choice to the endpoint.
        answer: largest number of tokens of an answer; 0 to leave the choice to the endpoint.
        tries: answers to a decision before an illegal one is played, which forfeits a game of a tournament.
        tokens: budget of tokens for a game, of prompts and answers together.
        timeout: seconds to wait for an answer to a request.
        retries: number of times that a failed request is repeated.
        price_in: price of a million tokens of prompts, in any currency.
        price_out: price of a million tokens of answers.
    """

    model: str
    url: str = ""
    key: str = "OPENAI_API_KEY"
    temperature: float | None = 0.0
    answer: int = 1000
    tries: int = 3
    tokens: int = 2_000_000
    timeout: float = 60.0
    retries: int = 3
    price_in: float = 0.0
    price_out: float = 0.0

    @classmethod
    def parse(cls, argument: str) -> Self:
        """Parse the text of a spec; raise `AgentError` with the reason if it is invalid."""
        model, *parts = (part.strip() for part in argument.split(","))
        if not model or "=" in model:
            raise AgentError("llm needs the name of a model first: llm:MODEL,url=http://127.0.0.1:8000/v1")
        known = {field.name: field for field in fields(cls) if field.name != "model"}
        texts = named_options("llm", parts, known)
        return cls(model, **{name: _value(name, text, known[name].default) for name, text in texts.items()})

    def __post_init__(self) -> None:
        try:
            checked_whole("answer", self.answer, 0, MOST_TOKENS)
            checked_whole("tries", self.tries, 1, MOST_TRIES)
            checked_whole("tokens", self.tokens, 1, MOST_TOKENS)
            checked_number("timeout", self.timeout, 0, LONGEST_WAIT, above=True)
            checked_whole("retries", self.retries, 0, MOST_TRIES)
            checked_number("price_in", self.price_in, 0, HIGHEST_PRICE)
            checked_number("price_out", self.price_out, 0, HIGHEST_PRICE)
            if self.temperature is not None:
                checked_number("temperature", self.temperature, 0, 10)
        except OptionError as error:
            raise AgentError(f"llm: {error}") from None
        if self.url:
            checked_address(self.url)


def checked_address(url: str) -> str:
    """Return the address of an endpoint; raise `AgentError` if it is none."""
    try:
        parts = urlsplit(url)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        fits = False
    if not fits:
        raise AgentError(
            f"llm: {quoted(url)} is not the address of an endpoint; give one such as http://127.0.0.1:8000/v1"
        )
    if parts.username or parts.password:
        raise AgentError("llm: the address must not hold a password, since it is written to results; use key=VARIABLE")
    return url


def _value(name: str, text: str, default: Any) -> Any:
    """Convert the text of an option to the type of its default."""
    if not text:
        raise AgentError(f"llm: {name} needs a value: {name}=...")
    if isinstance(default, str):
        return text
    if name == "temperature" and text == NOT_SENT:
        return None
    try:
        return float(text) if isinstance(default, float) else int(text)
    except ValueError:
        wanted = "a number" if isinstance(default, float) else "a whole number"
        raise AgentError(f"llm: {name} must be {wanted}, not {quoted(text)}") from None
