"""The seats of a table: of people, of agents, or open."""

from __future__ import annotations

import secrets
from dataclasses import asdict, dataclass
from typing import Any

from thurn_env.files import composed
from thurn_env.players.session import HUMAN
from thurn_env.serve.refusal import Refusal

LONGEST_NAME = 24
"""Largest number of characters in a person's name."""


def new_token() -> str:
    """Return an unguessable part of a link."""
    return secrets.token_urlsafe(16)


def checked_name(name: Any) -> str:
    """Return a person's name with single spaces; `HUMAN` for None.

    Raises:
        Refusal: it is no text, too long, or has unprintable characters.
    """
    if name is None:
        return HUMAN
    said = " ".join(composed(name).split()) if isinstance(name, str) else ""
    if not said.isprintable() or not 0 < len(said) <= LONGEST_NAME:
        raise Refusal(400, f"Field 'name' (str) must be a name of 1 to {LONGEST_NAME} printable characters.")
    return said


@dataclass
class Seat:
    """A seat.

    Attributes:
        agent: spec of the agent that owns it; empty for a seat of people.
        name: name of the person who owns it; empty while it is open.
        token: the secret in the person's link; empty for open seats and agents.
        stand_in: spec of the bot that plays now in place of the owner; empty if the owner plays.
        helped: spec of the bot that has played some of its decisions; empty if the owner took all.
        reason: why the bot plays: the person `left`, the seat was `open` at the start, or the agent `failed`.
    """

    agent: str = ""
    name: str = ""
    token: str = ""
    stand_in: str = ""
    helped: str = ""
    reason: str = ""

    @property
    def open(self) -> bool:
        """Whether nobody owns it yet."""
        return not (self.agent or self.token or self.stand_in)

    @property
    def title(self) -> str:
        """Name of the owner for pages."""
        return self.agent or self.name or self.stand_in

    @property
    def played_by(self) -> str:
        """Names of those who played, for the record: `greedy`, `human`, `human:Ann` or `human:Ann+greedy`."""
        person = self.name if self.name in ("", HUMAN) else f"{HUMAN}:{self.name}"
        return "+".join(filter(None, [self.agent or person, self.helped]))

    def sit_down(self, name: str) -> None:
        """Give the seat to a person, with a link of their own."""
        self.name, self.token = name, new_token()

    def stand_up(self) -> None:
        """Open the seat of a person; the link becomes invalid."""
        self.name = self.token = ""

    def help(self, bot: str, reason: str = "") -> None:
        """Let a bot play: for the owner from now on with a reason, or else one decision."""
        self.helped = bot
        if reason:
            self.stand_in, self.reason = bot, reason

    def take_back(self) -> None:
        """Let the owner play again."""
        self.stand_in = self.reason = ""

    def for_page(self) -> dict[str, Any]:
        """Return what everybody may know, as JSON."""
        return {"name": self.title, "person": not self.agent, "open": self.open} | {
            key: getattr(self, key) for key in ("stand_in", "reason")
        }

    def as_dict(self) -> dict[str, str]:
        """Return the seat for the store."""
        return asdict(self)
