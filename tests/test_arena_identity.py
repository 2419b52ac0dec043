"""Version and digest of an agent on a standing list change with whatever its play depends on."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.guest_programs import spec
from thurn_env import __version__
from thurn_env.errors import AgentError, ThurnError
from thurn_env.games import make_rules
from thurn_env.games.engines import SAME_GAMES, engine
from thurn_env.players.policy import RELEASE
from thurn_env.players.programs.limits import Limits
from thurn_env.players.programs.sandbox import Sandbox
from thurn_env.tournament.arena import identity
from thurn_env.tournament.arena.identity import Identity, files_of, identity_of
from thurn_env.tournament.arena.playing import add_agents
from thurn_env.tournament.arena.settings import Wishes
from thurn_env.tournament.arena.store import Store

GAME = "thurn_und_taxis"
RULES = make_rules(GAME, 2, "tiny")


def test_bots_have_the_digest_of_the_games() -> None:
    assert identity_of("random", RULES) == Identity(__version__, engine(GAME))
    for earlier in SAME_GAMES[engine(GAME)]:
        assert Identity("0.1", earlier).same(identity_of("random", RULES), GAME)
    assert not Identity("0.1", "0123").same(identity_of("random", RULES), GAME)


def test_searches_have_the_digest_of_the_players(monkeypatch: pytest.MonkeyPatch) -> None:
    before = identity_of("mcts:100", RULES)
    monkeypatch.setattr(identity, "searchers_digest", lambda: "0123")
    assert identity_of("mcts:100", RULES) != before
    assert identity_of("random", RULES).digest == engine(GAME)


def test_policies_have_the_digest_of_their_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "best.npz"
    shutil.copy(RELEASE / "thurn_und_taxis-south-2.npz", file)
    published = identity_of("ppo:thurn_und_taxis-south-2", RULES)
    assert identity_of(f"ppo:{file}", RULES) == published
    file.write_bytes(file.read_bytes() + b"x")
    assert identity_of(f"ppo:{file}", RULES) != published
    guided = identity_of(f"ppo+mcts:{file},50", RULES)
    file.write_bytes(b"y")
    assert identity_of(f"ppo+mcts:{file},50", RULES) != guided
    monkeypatch.setattr(identity, "searchers_digest", lambda: "0123")
    assert identity_of("ppo:thurn_und_taxis-south-2", RULES) == published


def test_agents_of_other_packages_have_the_digest_of_their_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tmp_path / "somebodys_agent.py"
    module.write_text("x = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    before = identity_of("somebodys_agent:Agent", RULES)
    assert before.version == ""
    module.write_text("x = 2\n")
    assert identity_of("somebodys_agent:Agent", RULES) != before
    assert identity_of("numpy.random:Agent", RULES).version
    with pytest.raises(AgentError, match="has no file"):
        identity_of("sys:Agent", RULES)


def test_programs_have_the_digest_of_the_files_in_their_command(tmp_path: Path) -> None:
    script = tmp_path / "my bot.py"
    script.write_text("1")
    command = f"python3 -u '{script}' --depth 3"
    assert [file.name for file in files_of(command)] == ["python3", "my bot.py"]
    before = identity_of(f"exec:{command}", RULES)
    script.write_text("2")
    assert identity_of(f"exec:{command}", RULES) != before


def test_a_program_is_noted_by_the_version_that_it_tells(tmp_path: Path) -> None:
    add_agents(tmp_path, [spec("first"), "greedy"], wishes=Wishes(board="tiny"))
    with Store(tmp_path) as store:
        versions = {entry.spec: entry.identity.version for entry in store.entries()}
    assert versions == {spec("first"): "first 1", "greedy": __version__}


@pytest.mark.skipif(not shutil.which("bwrap"), reason="bubblewrap is not installed")
def test_a_list_keeps_its_sandbox(tmp_path: Path) -> None:
    """Its limits belong to the list; the sandbox hides the list with its secret."""
    limited = Sandbox(Limits(memory=300))
    add_agents(tmp_path, ["random"], wishes=Wishes(board="tiny", sandbox=limited))
    add_agents(tmp_path, ["greedy"], wishes=Wishes(sandbox=limited))
    with pytest.raises(ThurnError, match="the list has sandbox"):
        add_agents(tmp_path, ["heuristic"], wishes=Wishes(sandbox=Sandbox()))
    with Store(tmp_path) as store:
        table = store.settings.table(["random"], ["random"], tmp_path)
    assert table.sandbox == limited.hiding(tmp_path)
