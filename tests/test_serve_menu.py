"""What the server to play on offers, and the command that starts it."""

from __future__ import annotations

import re
import signal
import socket
from pathlib import Path

import pytest
import uvicorn

from thurn_env import make_rules
from thurn_env.commands.cli import main
from thurn_env.errors import AgentError
from thurn_env.games import GAMES
from thurn_env.games.board_tables import BoardError
from thurn_env.players.policy import published
from thurn_env.serve.app import make_app
from thurn_env.serve.listening import WebServer, listening_socket
from thurn_env.serve.menu import Menu
from thurn_env.serve.refusal import Refusal
from thurn_env.serve.tables import Tables


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


def test_the_menu_of_a_server_offers_only_what_there_is(tmp_path: Path) -> None:
    """Visitors could not mend it."""
    broken = tmp_path / "broken.toml"
    broken.write_text("cities = 3", "utf-8")
    with pytest.raises(AgentError, match="there is no policy nofile"):
        Menu.usual(["ppo:nofile.npz"])
    with pytest.raises(AgentError, match="there is no policy nofile"):
        Menu.usual(["ppo+mcts:nofile.npz,20"])
    for board in ("nofile.toml", str(broken), str(tmp_path)):
        with pytest.raises(BoardError, match=re.escape(Path(board).name)):
            Menu.usual(boards=[board])


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


def test_all_published_models_are_offered_with_their_strength() -> None:
    offered = {model["spec"]: model for entry in Menu().for_page() for model in entry["models"]}
    for name in published():
        assert {f"ppo:{name}", f"ppo+mcts:{name},200"} <= set(offered)
        model = offered[f"ppo:{name}"]
        changed = "_horses" if model["options"].get("horses") else ""
        assert name == f"{model['game']}-{model['board']}{changed}-{model['players']}"
    assert offered["ppo:thurn_und_taxis-south-2"]["strength"] == (
        "much stronger than heuristic: ranks before it in 89 % of games"
    )
    searching = offered["ppo+mcts:thurn_und_taxis-south-2,200"]
    assert searching["strength"] == "much stronger than mcts:1000: ranks before it in 84 % of games"


def test_a_model_sits_only_at_tables_that_it_fits() -> None:
    menu, model = Menu(), "ppo:thurn_und_taxis-south-2"
    assert menu.order({"agents": ["human", model]}).names == ("human", model)
    for misfit in ({"board": "tiny"}, {"agents": ["human", model, "greedy"]}, {"game": "zug_um_zug_deutschland"}):
        with pytest.raises(Refusal, match="agents must be a list"):
            menu.order({"agents": ["human", model], **misfit})


@pytest.mark.parametrize(
    ("model", "horses", "needed"),
    [("thurn_und_taxis-north-2", True, "false"), ("thurn_und_taxis-north_horses-2", False, "true")],
)
def test_a_model_sits_only_at_tables_with_its_options(model: str, horses: bool, needed: str) -> None:
    order = {"board": "north", "agents": ["human", f"ppo:{model}"]}
    assert Menu().order({**order, "options": {"horses": not horses}}).names == ("human", f"ppo:{model}")
    with pytest.raises(Refusal, match=f"ppo:{model} plays only with horses {needed}; choose another agent"):
        Menu().order({**order, "options": {"horses": horses}})


@pytest.mark.parametrize("name", GAMES)
def test_every_scripted_bot_is_offered_with_its_strength(name: str) -> None:
    (entry,) = [entry for entry in Menu.usual().for_page() if entry["name"] == name]
    bots = make_rules(name, 2).bots
    assert entry["strengths"][bots[-1]] == f"strongest of {len(bots)} scripted bots"
    assert entry["strengths"][bots[0]] == f"weakest of {len(bots)} scripted bots"
    assert len(set(entry["strengths"].values())) == len(entry["agents"])


def test_nobody_is_offered_twice() -> None:
    for entry in Menu(("greedy",)).for_page():
        assert entry["agents"].count("greedy") == 1


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert main(["serve"]) == 2
    assert 'needs uvicorn: pip install "thurn-env[serve]"' in capsys.readouterr().err


def test_answers_are_sent_at_once() -> None:
    """The body of a small answer does not wait until the headers are confirmed, which takes a browser 40 ms."""
    with listening_socket("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()):
        connection, _ = listener.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_second_ctrl_c_ends_the_server_as_the_first_does() -> None:
    """Uvicorn would end in the middle, with a traceback."""
    tables = Tables(limit=1, expiry=60)
    server = WebServer(uvicorn.Config(make_app(Menu(), tables)), tables)
    server.handle_exit(signal.SIGINT, None)
    assert server.should_exit
    server.handle_exit(signal.SIGINT, None)
    assert not server.force_exit
