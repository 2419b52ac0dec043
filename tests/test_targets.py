"""The places of a picture that stand for actions."""

from __future__ import annotations

from typing import cast

import pytest

from tests.test_svg import VARIANTS, played
from thurn_env.games.thurn_und_taxis.game import ThurnUndTaxis
from thurn_env.games.thurn_und_taxis.show.map_layout import map_layout


@pytest.mark.parametrize(("variant", "players"), VARIANTS)
def test_cards_and_cities_stand_for_what_can_be_done_with_them(variant: str, players: int) -> None:
    """Every legal action that names something is meant by a place in the picture; words without one are buttons."""
    for game in played(variant, players):
        picture = game.view().picture()
        meant = {action for block in picture.blocks for target in block.targets for action in target.actions}
        rules = cast(ThurnUndTaxis, game.rules)
        provinces = map_layout(rules.board, players).province_labels
        named = [action for action in game.legal if " " in action]
        assert all(action in meant for action in named if not action.startswith("fill") or None not in provinces)
        assert {action for action in meant if " " not in action} == {"administrator", "draw"}
        for block in picture.blocks:
            for target in block.targets:
                assert target.x >= 0
                assert target.y >= 0
                assert target.x + target.width <= block.width
                assert target.y + target.height <= block.height


def test_only_cards_that_are_shown_can_be_played() -> None:
    game = played("south", 2)[1]
    for seat in range(2):
        blocks = {block.name: block for block in game.view(seat).picture().blocks}
        own, other = blocks[f"player-{seat}"], blocks[f"player-{1 - seat}"]
        meant = {action.split(" ", 1)[1] for target in own.targets for action in target.actions}
        assert meant == set(game.hand(seat))
        assert other.targets == ()
