"""Order of the tile stacks in the state."""

from thurn_env.games.thurn_und_taxis.board.board import Board
from thurn_env.games.thurn_und_taxis.board.facts import Stack


def ordered_stacks(board: Board) -> tuple[Stack, ...]:
    """Return the stacks in the order in which tiles are taken (F10).

    Distance (longest first), provinces, all provinces, free cities, game end. Stack indices in the state and the
    observation refer to this order.
    """
    distance = sorted((s for s in board.stacks if s.kind == "distance"), key=lambda s: -(s.length or 0))
    others = [
        s for kind in ("provinces", "all_provinces", "free_city", "game_end") for s in board.stacks if s.kind == kind
    ]
    return (*distance, *others)
