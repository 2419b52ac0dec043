"""What the player to move may do, and why not something else, in words: how games put it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

NOTHING_TO_PLAY = "The game is over: nothing can be played."


def explanation(
    texts: Sequence[str], mask: np.ndarray[Any, Any], seat: int, question: str, why_not: Mapping[int, str]
) -> str:
    """What the mover may do, and why the other actions that one could think of are not legal.

    Args:
        texts: the text form of every action.
        mask: int8, 1 for legal actions.
        seat: the player to move.
        question: what that player is asked.
        why_not: the reason for every illegal action that one could think of, a clause without a full stop.
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
