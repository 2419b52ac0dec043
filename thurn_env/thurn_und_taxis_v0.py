"""doc"""

from typing import Any

from thurn_env.envs.aec import GameEnv
from thurn_env.envs.wrapping import SavableWrapper, wrapped
from thurn_env.games.contract import RewardMode

__all__ = ["env", "raw_env"]


class raw_env(GameEnv):
    metadata = {**GameEnv.metadata, "name": "thurn_und_taxis_v0"}

    def __init__(
        self,
        players: int = 2,
        board: Any = None,
        *,
        reward: RewardMode = "win",
        skip_forced: bool = True,
        shaping: float = 0.0,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__(
            "thurn_und_taxis",
            players,
            board,
            reward=reward,
            skip_forced=skip_forced,
            shaping=shaping,
            render_mode=render_mode,
            **options,
        )


def env(players: int = 2, board: Any = None, **arguments: Any) -> SavableWrapper:
    return wrapped(raw_env(players, board, **arguments))
