"""Explanations of legal and illegal actions, shared by all games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

NOTHING_TO_PLAY = "The game is over: nothing can be played."


def explanation(
    texts: Sequence[str], mask: np.ndarray[Any, Any], seat: int, question: str, why_not: Mapping[int, str]
) -> str:
    """Explain what the player to move may do, and why other plausible actions are not legal.

    Args:
        texts: text of every action.
        mask: int8 (actions,), 1 for legal actions.
        seat: seat of the player to move.
        question: decision that the player has to make.
        why_not: for plausible illegal actions the reason, a clause without a full stop.
    """
    legal = ", ".join(text for text, allowed in zip(texts, mask, strict=True) if allowed)
    by_reason: dict[str, list[str]] = {}
    for action, reason in why_not.items():
        by_reason.setdefault(reason, []).append(texts[action])
    return "\n".join(
        [
            f"Player {seat} is to {question}.",
            f"Legal: {legal}.",
            *(f"Not {', '.join(actions)}: {reason}." for reason, actions in by_reason.items()),
        ]
    )
