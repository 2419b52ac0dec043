"""The game in words: the open table, texts, reasons, scores by source."""

from __future__ import annotations

from typing import Any

import numpy as np

from thurn_env.games.contract import Int8Array
from thurn_env.games.example.board import Board
from thurn_env.games.example.phases import OVER
from thurn_env.games.show.reasons import NOTHING_TO_PLAY, explanation
from thurn_env.games.show.words import State, by_name, listed, player_mark, to_decide

QUESTION = "load a card, or depart"


def cards(board: Board, counts: np.ndarray[Any, Any]) -> dict[str, int]:
    """Cards by weight, without zeros."""
    return by_name([str(weight) for weight in board.weights], counts)


def public(board: Board, state: State) -> dict[str, Any]:
    """Everything that lies open."""
    return {
        "deck_size": int(state["deck_size"]),
        "start_player": int(state["start_player"]),
        "seat": int(state["seat"]),
        "round": int(state["rounds"]),
        "players": [
            {
                "hand_size": int(state["hand_size"][seat]),
                "loaded": cards(board, state["loaded"][seat]),
                "load": int(state["load"][seat]),
                "departed": bool(state["departed"][seat]),
            }
            for seat in range(len(state["load"]))
        ],
    }


def round_in_words(state: State) -> str:
    """How far the game has come."""
    return f"after {state['rounds']} full rounds" if state["phase"] == OVER else f"round {state['rounds'] + 1}"


def table(title: str, board: Board, state: State, scores: list[int], viewer: int | None) -> str:
    """The table as text, with the hand of `viewer`, or those of all players when None."""
    lying, over = public(board, state), bool(state["phase"] == OVER)
    lines = [
        f"{title}, {board.name} board, {round_in_words(state)}",
        f"deck        {lying['deck_size']} cards; a coach carries {board.capacity}",
    ]
    for seat, player in enumerate(lying["players"]):
        own = viewer is None or viewer == seat
        hand = listed(cards(board, state["hand"][seat])) if own else f"{player['hand_size']} cards"
        lines += [
            f"{player_mark(lying, seat, over)}: {scores[seat]} points{', departed' if player['departed'] else ''}",
            f"    coach       {listed(player['loaded'])}, weight {player['load']}",
            f"    hand        {hand}",
        ]
    return "\n".join([*lines, to_decide(state, over, QUESTION)])


def why_illegal(board: Board, state: State, text: str) -> str:
    """The reason why an action is not legal now."""
    if state["phase"] == OVER:
        return "the game is over"
    return f"player {state['seat']} has no card of weight {text.partition(' ')[2]}"


def explain(board: Board, state: State, texts: tuple[str, ...], mask: Int8Array) -> str:
    """What the player to move may do, and why other actions are not legal."""
    if state["phase"] == OVER:
        return NOTHING_TO_PLAY
    why = {action: why_illegal(board, state, texts[action]) for action in np.flatnonzero(mask == 0).tolist()}
    return explanation(texts, mask, int(state["seat"]), QUESTION, why)


def breakdown(board: Board, state: State) -> list[dict[str, int]]:
    """Every seat's score by source."""
    return [{"load": int(load), "overload": -int(load) if load > board.capacity else 0} for load in state["load"]]
