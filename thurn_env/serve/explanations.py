"""Explanations for people at a table: meanings of actions, reasons why others are not legal, the rules in brief."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape

from thurn_env.games.contract import GameRules, Shown, Table
from thurn_env.games.show.talk import talk_of
from thurn_env.players.session import Session
from thurn_env.serve.refusal import Refusal
from thurn_env.show.template import document, style

RULE_IDS = re.compile(r" \([A-Z]\d+(?:(?:, | - )[A-Z]\d+)*\)")
"""References to the rules of the documentation, such as ` (R1, R5)`."""


def in_plain_words(meaning: str) -> str:
    """Return a meaning from the documentation without references to rules and marks of code."""
    return RULE_IDS.sub("", meaning).replace("`", "")


@lru_cache(maxsize=32)
def _meanings(rules: Shown) -> tuple[str, ...]:
    """Return the meaning of every action, by its index."""
    meanings = [""] * len(rules.action_texts)
    for numbers, _, meaning in rules.tables()["actions"].rows:
        first, _, last = numbers.partition(" .. ")
        for action in range(int(first), int(last or first) + 1):
            number = rules.action_texts[action].rpartition(" ")[2]
            plain = in_plain_words(meaning)
            meanings[action] = re.sub(r"\bK\b", number, plain) if number.isdecimal() else plain
    return tuple(meanings)


def meaning(rules: GameRules, action: str) -> str:
    """Return what an action does, as a clause without a full stop."""
    return _meanings(rules)[rules.action_index(action)]


def why(session: Session, seat: int) -> list[str]:
    """Return which actions the person at a seat may play, and why others are not legal, in sentences.

    Raises:
        Refusal: it is not the person's turn.
    """
    if not session.waiting or session.game.seat != seat:
        raise Refusal(409, "It is not your turn.")
    first, *reasons = session.game.view(seat).game.explain().split("\n")
    return [f"You are to {first.removeprefix(f'Player {seat} is to ')}", *reasons]


def rules_page(rules: GameRules) -> str:
    """Return the page of a game's rules in brief, of its actions, and of its options as they are at this table."""
    tables = rules.tables()
    styles = style("play.css")
    actions = Table(
        "Actions", ("action", "meaning"), [(row[1], in_plain_words(row[-1])) for row in tables["actions"].rows]
    )
    options = Table(
        "Options",
        ("option", "at this table", "meaning"),
        [(row[0], row[1], in_plain_words(row[-1])) for row in tables["options"].rows],
    )
    return document(
        "rules.html",
        styles,
        "",
        {
            "game": escape(rules.title),
            "brief": "".join(f"<p>{escape(line)}</p>" for line in talk_of(rules).briefing(rules).splitlines()),
            "tables": _html(actions) + _html(options),
        },
    )


def _html(table: Table) -> str:
    heads = "".join(f'<th scope="col">{escape(column)}</th>' for column in table.columns)
    rows = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in table.rows)
    return f"<h2>{escape(table.title)}</h2><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
