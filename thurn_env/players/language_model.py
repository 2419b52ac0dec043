"""`llm:MODEL,url=ADDRESS`: an agent that asks a language model at any endpoint with OpenAI's interface."""

from __future__ import annotations

import os
from typing import Any

from thurn_env.errors import AgentError, sentence
from thurn_env.games.contract import Rules
from thurn_env.players.chat import Endpoint, Message
from thurn_env.players.language_model_options import LanguageModelOptions, checked_address
from thurn_env.table.game import View
from thurn_env.talk import NotUnderstood, briefing, prompt, read_answer

__all__ = ["LanguageModel"]

ADDRESS_VARIABLE = "OPENAI_BASE_URL"
"""Environment variable with the address of endpoints that a spec does not name."""
SEED_BITS = 31
MILLION = 1_000_000


class LanguageModel:
    """An agent that sends each position to a language model as text.

    Every decision is a chat of its own: the rules in brief as the system message, the position and the legal actions as
    the user's. If an answer is not understood or not legal, the model is told why and asked again.

    Args:
        argument: part of the spec after the colon, see `LanguageModelOptions`.

    Raises:
        AgentError: an option is unknown or out of bounds, or no address is given.
        MissingExtra: without the extra `llm`.
    """

    def __init__(self, argument: str = "") -> None:
        self.options = LanguageModelOptions.parse(argument)
        self.name = f"llm:{argument}"
        self._argument = argument
        address = self.options.url or os.environ.get(ADDRESS_VARIABLE, "")
        if not address:
            raise AgentError(f"llm needs an address: url=http://127.0.0.1:8000/v1, or set {ADDRESS_VARIABLE}")
        key = os.environ.get(self.options.key, "")
        # The error of the client would show the key.
        if not (key.isascii() and key.isprintable()):
            raise AgentError(f"llm: the variable {self.options.key} holds characters that no key has")
        self._endpoint = Endpoint(checked_address(address), key, self.options.timeout, self.options.retries)
        self._seed = 0
        self._clear()

    def __deepcopy__(self, memo: dict[int, Any]) -> LanguageModel:
        return LanguageModel(self._argument)

    def _clear(self) -> None:
        self._answers = self._illegal = self._tokens_in = self._tokens_out = 0
        self._repeated_before = self._endpoint.repeated

    def reset(self, seat: int, rules: Rules, seed: int) -> None:
        """Begin a new game. The seed is sent to the endpoint if answers are drawn at random."""
        self._seed = seed % (1 << SEED_BITS)
        self._clear()

    def act(self, view: View) -> str:
        """Return the model's action, or its last answer if none was legal.

        Raises:
            AgentError: the endpoint fails, or the budget of tokens is spent.
        """
        chat = [
            Message(role="system", content=briefing(view.game.rules)),
            Message(role="user", content=prompt(view, rules=False)),
        ]
        for _ in range(self.options.tries):
            answer = self._answer(chat)
            try:
                return read_answer(answer, view)
            except NotUnderstood as problem:
                self._illegal += 1
                chat += [
                    Message(role="assistant", content=answer),
                    Message(role="user", content=f"Not accepted: {sentence(problem)}"),
                ]
        return answer

    def _answer(self, chat: list[Message]) -> str:
        """Return the model's answer to a chat and count its tokens."""
        options = self.options
        left = options.tokens - self._tokens_in - self._tokens_out
        if left <= 0:
            raise AgentError(f"the budget of {options.tokens:,} tokens for a game is spent")
        fields: dict[str, Any] = {}
        if options.answer:
            fields["max_tokens"] = min(options.answer, left)
        if options.temperature is not None:
            fields["temperature"] = options.temperature
        if options.temperature:
            fields["seed"] = self._seed
        reply = self._endpoint.reply(options.model, chat, **fields)
        self._answers += 1
        self._tokens_in += reply.tokens_in
        self._tokens_out += reply.tokens_out
        return reply.text

    def figures(self) -> dict[str, float]:
        """Return what the current game has taken so far.

        Returns:
            `answers`, `illegal` (answers that were not understood or not legal), `retries` (requests repeated),
            `tokens_in`, `tokens_out`, and `cost` if a price is given.
        """
        found: dict[str, float] = {
            "answers": self._answers,
            "illegal": self._illegal,
            "retries": self._endpoint.repeated - self._repeated_before,
            "tokens_in": self._tokens_in,
            "tokens_out": self._tokens_out,
        }
        if self.options.price_in or self.options.price_out:
            spent = self._tokens_in * self.options.price_in + self._tokens_out * self.options.price_out
            found["cost"] = spent / MILLION
        return found
