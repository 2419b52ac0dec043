"""A board that belongs to another game than the one that is played: the error names that game."""

from __future__ import annotations

import pytest

from thurn_env import ThurnError, make_rules
from thurn_env.commands import cli

ZUG = "; germany is a board of the game zug_um_zug_deutschland"


@pytest.mark.parametrize(
    ("command", "remedy"),
    [
        ("warm --board germany", ZUG),
        ("warm --board=germany --players 2", ZUG),
        ("info --board germany", ZUG),
        ("watch --agents greedy greedy --board germany", ZUG),
        ("tournament --agents greedy random --board germany --out out", ZUG),
        ("arena list add greedy --board germany", ZUG),
        ("train --board germany --out out", ZUG),
        ("info --board south --game zug_um_zug_deutschland", "; south is a board of the game thurn_und_taxis"),
    ],
)
def test_the_game_of_the_board_is_named(
    command: str, remedy: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.chdir(str(tmp_path))
    assert cli.main(command.split()) == 2
    said = capsys.readouterr().err
    assert "no board is called" in said
    assert said.count("\n") == 1
    assert remedy in said


def test_a_board_of_no_game_has_no_such_remedy(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["info", "--board", "atlantis"]) == 2
    assert "of the game" not in capsys.readouterr().err


def test_python_is_told_too() -> None:
    with pytest.raises(ThurnError, match=ZUG):
        make_rules("thurn_und_taxis", 2, "germany")
