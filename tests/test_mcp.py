"""`thurn mcp`: the client of the official kit plays whole games over standard input and output."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.programs import thurn

ROOT = Path(__file__).parents[1]


def test_without_the_extra_there_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    monkeypatch.delitem(sys.modules, "thurn_env.serve.mcp_server", raising=False)
    assert thurn("mcp", []) == 2
    said = capsys.readouterr().err
    assert "thurn mcp needs mcp" in said
    assert 'pip install "thurn-env[mcp]"' in said
    assert len(said.splitlines()) == 1


def client(*options: str) -> Any:
    """A client that starts `thurn mcp` with these options."""
    mcp = pytest.importorskip("mcp")
    words = ["-m", "thurn_env", "mcp", *options]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return mcp.Client(mcp.StdioServerParameters(command=sys.executable, args=words, env=environment))


async def call(server: Any, tool: str, **arguments: Any) -> tuple[bool, str]:
    """Call a tool: whether it failed, and what it says."""
    result = await server.call_tool(tool, arguments)
    (content,) = result.content
    return result.is_error, content.text


@pytest.mark.parametrize(("game", "board"), [("thurn_und_taxis", "tiny"), ("zug_um_zug_deutschland", "tiny_rails")])
def test_a_client_plays_a_whole_game(game: str, board: str) -> None:
    anyio = pytest.importorskip("anyio")
    transcript: list[str] = []

    async def play() -> None:
        async with client("--seed", "3") as server:
            names = [tool.name for tool in (await server.list_tools()).tools]
            assert names == ["new_game", "view", "legal_actions", "play"]
            failed, said = await call(server, "new_game", game=game, board=board, opponents=["greedy"])
            assert not failed
            assert "You are player 0" in said
            for _ in range(2_000):
                _, listed = await call(server, "legal_actions")
                if listed == "none: the game is over":
                    break
                if not transcript:
                    failed, said = await call(server, "play", action="something else")
                    assert failed
                    assert "names no legal action" in said
                failed, said = await call(server, "play", action=f"Well, {listed.splitlines()[-1]}!")
                assert not failed
                transcript.append(said)

    anyio.run(play)
    assert "Result: player 0: " in transcript[-1]
    assert all(said.startswith("You played ") for said in transcript)


def test_hints_and_further_agents_are_offered_if_the_command_says_so() -> None:
    anyio = pytest.importorskip("anyio")

    async def play() -> None:
        async with client("--hints", "--adviser", "greedy", "--agents", "mcts:7") as server:
            tools = {tool.name: tool for tool in (await server.list_tools()).tools}
            assert "mcts:7" in tools["new_game"].description
            await call(server, "new_game", board="tiny", opponents=["mcts:7"])
            failed, said = await call(server, "hint")
            assert not failed
            assert said.startswith("greedy would play ")
            failed, said = await call(server, "new_game", opponents=["os:system"])
            assert failed
            assert "agents must be a list" in said

    anyio.run(play)
