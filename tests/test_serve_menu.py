"""What the server to play on offers, and the command that starts it."""

from __future__ import annotations

import pytest

from thurn_env import make_rules
from thurn_env.commands.cli import main
from thurn_env.errors import AgentError
from thurn_env.games import GAMES
from thurn_env.serve.menu import Menu


@pytest.mark.parametrize("name", GAMES)
def test_the_menu_offers_what_can_be_played(name: str) -> None:
    (entry,) = [entry for entry in Menu().for_page() if entry["name"] == name]
    rules = make_rules(name, 2)
    assert entry["boards"][0] == rules.board_name
    assert set(entry["boards"]) == set(rules.boards)
    assert entry["players"] == list(rules.player_numbers)
    assert set(entry["agents"]) == set(rules.bots)
    assert {option["name"] for option in entry["options"]} == set(rules.options)


def test_the_menu_offers_agents_that_search() -> None:
    assert "mcts:1000" in Menu.usual().agents
    with pytest.raises(AgentError, match="there is no agent 'gredy'"):
        Menu.usual(["gredy"])


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--games", "0"], "--games must be from 1 to 1,000,000, not 0"),
        (["--agents", "gredy"], "there is no agent 'gredy'"),
        (["--host", "256.0.0.1"], "cannot listen at 256.0.0.1"),
        (["--host", "ü..b"], "cannot listen at 'ü..b': this is not a host name; try another --host"),
        (["--adviser", "nobody"], "there is no agent 'nobody'"),
    ],
)
def test_wrong_arguments(arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", *arguments]) == 2
    error = capsys.readouterr().err
    assert reason in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("argument", ["--adviser", "--agents"])
def test_scripted_bots_may_be_named(argument: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The last word is wrong on purpose, and it alone is complained of."""
    assert main(["serve", argument, "heuristic", "--host", "256.0.0.1"]) == 2
    assert "cannot listen at 256.0.0.1" in capsys.readouterr().err


def test_nobody_is_offered_twice() -> None:
    for entry in Menu(("greedy",)).for_page():
        assert entry["agents"].count("greedy") == 1


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert main(["serve"]) == 2
    assert 'needs uvicorn: pip install "thurn-env[serve]"' in capsys.readouterr().err
