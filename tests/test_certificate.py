"""The certificate of hidden information, and that it can fail."""

from __future__ import annotations

import pytest

from tests.programs import thurn
from thurn_env import make_rules
from thurn_env.games.contract import GameRules
from thurn_env.table.game import View
from thurn_env.tournament.certificate import certify, positions


class Peeper:
    """Goes by the top card of the deck as it lies in the copy that it is shown."""

    name = "peeper"

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        pass

    def act(self, view: View) -> int:
        state = view.game.states[0]
        return int(view.legal_actions[int(state["deck"][max(0, state["deck_size"] - 1)]) % len(view.legal_actions)])


UNSEEDED = "tests.failing:Unseeded"
PEEPER = "tests.test_certificate:Peeper"


def test_positions_have_a_choice() -> None:
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    games = [len(game.legal_actions) for game in positions(rules, 50, 1)]
    assert len(games) == 50
    assert min(games) > 1


def test_bots_go_by_what_they_may_know() -> None:
    rules = make_rules("thurn_und_taxis", 3, "tiny")
    for bot in rules.bots:
        found = certify(bot, rules, 60, 3, 1)
        assert (found.changed, found.example) == (0, "")


def test_peeping_is_found_out() -> None:
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    found = certify(PEEPER, rules, 60, 3, 1)
    assert found.changed > 30
    assert found.example.startswith(f"{PEEPER} answers ")


def test_an_agent_that_does_not_repeat_itself_is_not_called_one_that_peeps(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Asked again about the same deal, with the same seed, it answers differently: nothing can be told of it."""
    found = certify(UNSEEDED, make_rules("thurn_und_taxis", 2, "tiny"), 60, 3, 1)
    assert found.unrepeatable > 20
    assert found.verdict == "not repeatable"
    assert f"{UNSEEDED} answers " in found.example
    peeping = certify(PEEPER, make_rules("thurn_und_taxis", 2, "tiny"), 60, 3, 1)
    assert (peeping.unrepeatable, peeping.verdict) == (0, "no")
    assert thurn("certificate", ["--board", "tiny", "--positions", "20", "--agents", UNSEEDED]) == 1
    assert "not repeatable" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        ("Broken", "raised KeyError: 'no such key' (failing.py, line "),
        ("BrokenReset", "raised OSError: no model (failing.py, line "),
        ("Cheat", "answered illegally: 'discard Ansbach' is not legal"),
        ("Odd", "answered illegally: "),
        ("Quitter", "raised SystemExit: enough"),
        ("Unmade", "cannot be created: FileNotFoundError: weights.pt is missing"),
    ],
)
def test_an_agent_that_fails_is_one_line(capsys: pytest.CaptureFixture[str], agent: str, reason: str) -> None:
    spec = f"tests.failing:{agent}"
    assert thurn("certificate", ["--board", "tiny", "--positions", "20", "--agents", spec]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert f"agent '{spec}' {reason}" in error


def test_an_agent_that_fails_leaves_the_others_their_rows(capsys: pytest.CaptureFixture[str]) -> None:
    failing = ["tests.failing:Broken", "tests.failing:Unmade"]
    command = ["--board", "tiny", "--positions", "20", "--agents"]
    assert thurn("certificate", [*command, "greedy", failing[0], "random", failing[1]]) == 2
    said = capsys.readouterr()
    rows = [line.split() for line in said.out.splitlines()]
    verdicts = [(row[1], row[-2]) for row in rows if row and row[0] == "│"]
    assert verdicts == [("greedy", "yes"), (failing[0], "failed"), ("random", "yes"), (failing[1], "failed")]
    error = said.err.splitlines()[-1]
    for spec, reason in zip(failing, ("raised KeyError", "cannot be created"), strict=True):
        assert error.count(f"agent '{spec}' {reason}") == 1


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["--board", "tiny", "--positions", "20", "--agents"]
    assert thurn("certificate", [*command, "greedy"]) == 0
    assert "yes" in capsys.readouterr().out
    assert thurn("certificate", [*command, "greedy", PEEPER]) == 1
    assert "no" in capsys.readouterr().out
    assert thurn("certificate", ["--agents", "greedy", "--deals", "1"]) == 2
    assert "--deals must be from 2 to" in capsys.readouterr().err
