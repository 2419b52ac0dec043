"""What a seat sees, as JSON: views, their changes, and full positions that agree with what the seat knows."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from thurn_env.games.contract import GameRules, Rules
from thurn_env.games.show.plain import plain_of
from thurn_env.players.programs.messages import encoded
from thurn_env.table.game import Game, View

PARTS = ("public", "own")
"""Parts of a view whose fields are compared one by one."""


@lru_cache(maxsize=64)
def rules_text(rules: GameRules) -> str:
    """Return the fields of `game_start` that depend on the rules alone, as JSON without braces."""
    fields = {
        "players": rules.players,
        "options": dict(rules.options),
        "board": plain_of(rules).facts(rules),
        "actions": rules.action_texts,
    }
    return encoded(fields)[1:-1]


@lru_cache(maxsize=64)
def _action_entries(rules: Rules) -> tuple[str, ...]:
    return tuple(encoded({"index": index, "text": text}) for index, text in enumerate(rules.action_texts))


def legal_text(game: Game) -> str:
    """Return the legal actions as JSON."""
    entries = _action_entries(game.rules)
    return f"[{','.join([entries[index] for index in game.legal_actions.tolist()])}]"


def _values(view: View) -> dict[str, dict[str, Any]]:
    game = view.game
    secrets = plain_of(game.rules).secrets(game.rules, game.states, 0, view.seat)
    return {"public": {"phase": game.phase, **game.public()}, "own": secrets}


class Seen:
    """The view that a program knows, field by field, as values and as JSON.

    Everything comes from views, so that it holds nothing that the seat may not know.
    """

    def __init__(self, view: View) -> None:
        self._known: dict[str, dict[str, Any]] = {part: {} for part in PARTS}
        self._texts: dict[str, dict[str, str]] = {part: {} for part in PARTS}
        self.update(view)

    def update(self, view: View) -> str:
        """Take over a later view; return its fields that have changed, as JSON."""
        changed = []
        for part, values in _values(view).items():
            known, texts = self._known[part], self._texts[part]
            news = []
            for name, value in values.items():
                if name not in known or known[name] != value:
                    texts[name] = f"{encoded(name)}:{encoded(value)}"
                    news.append(texts[name])
            self._known[part] = values
            if news:
                changed.append(f'"{part}":{{{",".join(news)}}}')
        return f"{{{','.join(changed)}}}"

    @property
    def text(self) -> str:
        """The view as JSON."""
        parts = (f'"{part}":{{{",".join(texts.values())}}}' for part, texts in self._texts.items())
        return f"{{{','.join(parts)}}}"


def full_view(game: Game) -> dict[str, Any]:
    """Return a sampled position with the secrets of all seats and with what nobody knows."""
    rules, plain = game.rules, plain_of(game.rules)
    return {
        "public": {"phase": game.phase, **game.public()},
        "secrets": [plain.secrets(rules, game.states, 0, seat) for seat in range(rules.players)],
        "hidden": plain.hidden(rules, game.states, 0),
    }
