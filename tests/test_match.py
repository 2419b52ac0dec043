"""Games between agents: the slow and the compiled way are the same, and bad agents are named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.test_policy import some_policy
from tests.variants import board_and_options
from thurn_env import AgentError, Game, OptionError, make_rules
from thurn_env.games.contract import GameRules
from thurn_env.players.agent import Agent, ScriptedAgent, make_agent
from thurn_env.players.match import play_match, play_scripted
from thurn_env.players.policy import save
from thurn_env.players.session import Session
from thurn_env.table.game import View
from thurn_env.table.replay import verify

TABLES = (("tiny", 2), ("tiny", 4), ("small", 3), ("south", 2), ("south", 4), ("north", 2), ("north with horses", 2))


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_both_ways_play_the_same_game(variant: str, players: int) -> None:
    """Bots that play through views make the same games as bots in compiled code: every bot, and mixed tables."""
    board, options = board_and_options(variant)
    rules = make_rules("thurn_und_taxis", players, board, max_rounds=40, **options)
    tables = [[bot] * players for bot in rules.bots]
    tables += [[rules.bots[(shift + seat) % len(rules.bots)] for seat in range(players)] for shift in range(4)]
    for seed in range(3):
        for bots in tables:
            record = play_match(rules, [ScriptedAgent(bot) for bot in bots], seed)
            assert play_scripted(rules, bots, seed) == record
            assert record.agents == bots
            verify(record)
    assert len({play_scripted(rules, ["random"] * players, seed).to_json() for seed in range(20)}) == 20


def test_the_start_player_may_be_given() -> None:
    rules = make_rules("thurn_und_taxis", 2, "tiny", max_rounds=5)
    bots = ["random", "sensible-random"]
    for start_player in (0, 1):
        record = play_scripted(rules, bots, 3, start_player=start_player)
        assert record.start_player == start_player
        agents = [ScriptedAgent(bot) for bot in bots]
        assert play_match(rules, agents, 3, start_player=start_player) == record


@pytest.mark.parametrize("start_player", [2, 7, -1, 10**9])
def test_start_players_that_do_not_exist(start_player: int) -> None:
    """Refused before any compiled code sees them."""
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    with pytest.raises(OptionError, match="start_player must be a seat from 0 to 1"):
        play_scripted(rules, ["random"] * 2, 1, start_player=start_player)
    with pytest.raises(OptionError, match="start_player must be a seat from 0 to 1"):
        play_match(rules, [ScriptedAgent("random")] * 2, 1, start_player=start_player)


def test_wrong_tables() -> None:
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    with pytest.raises(AgentError, match="3 agents for 2 players"):
        play_match(rules, [ScriptedAgent("random")] * 3, 1)
    with pytest.raises(AgentError, match="3 bots for 2 players; the bots are random"):
        play_scripted(rules, ["random"] * 3, 1)
    with pytest.raises(AgentError, match="no bot 'rnadom'; the bots are random"):
        play_scripted(rules, ["random", "rnadom"], 1)
    with pytest.raises(AgentError, match="Thurn und Taxis has no bot 'rnadom'; it has random"):
        play_match(rules, [ScriptedAgent("rnadom")] * 2, 1)
    for seed in (-1, True, 1.5):
        with pytest.raises(OptionError, match="a seed is a whole number from 0 up"):
            play_scripted(rules, ["random"] * 2, seed)


class First:
    """An agent that answers as a function of its view says."""

    name = "first"

    def __init__(self, answer: Callable[[View], Any] = lambda view: view.legal[0]) -> None:
        self.answer = answer
        self.seen: list[View] = []

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        self.seat = seat

    def act(self, view: View) -> Any:
        self.seen.append(view)
        return self.answer(view)


def test_agents_answer_by_text_or_index() -> None:
    rules = make_rules("thurn_und_taxis", 2, "tiny", max_rounds=4)
    by_text = play_match(rules, [First(), First()], 1)
    by_index = play_match(rules, [First(lambda view: view.legal_actions[0])] * 2, 1)
    assert by_text.moves == by_index.moves
    verify(by_text)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("close", "'close' is not legal"),
        ("fly", "there is no action 'fly'"),
        (-1, "there is no action -1"),
        (None, "not None"),
        (0.0, "not 0.0"),
        (True, "not True"),
        ([], r"not \[\]"),
    ],
)
def test_bad_answers_are_the_agents_fault(answer: Any, message: str) -> None:
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    with pytest.raises(AgentError, match=f"agent 'first' at seat 1: .*{message}"):
        play_match(rules, [First(), First(lambda view: answer)], 1, start_player=1)


def test_agents_see_their_own_views_at_real_choices_only() -> None:
    """Forced decisions are played for the agent; a view is that of the seat to move."""
    rules = make_rules("thurn_und_taxis", 2, "tiny", max_rounds=6)
    agents = [First(), First()]
    play_match(rules, agents, 2)
    for seat, agent in enumerate(agents):
        assert agent.seat == seat
        assert agent.seen
        for view in agent.seen:
            assert view.seat == seat == view.game.seat
            assert len(view.legal_actions) > 1


def test_an_agent_may_play_on_in_its_view() -> None:
    """What it does there does not reach the table."""

    def searching(view: View) -> str:
        chosen = view.legal[-1]
        while not view.game.over:
            view.game.play(int(view.game.legal_actions[0]))
        return chosen

    rules = make_rules("thurn_und_taxis", 2, "tiny", max_rounds=6)
    plain = play_match(rules, [First(lambda view: view.legal[-1])] * 2, 4)
    assert play_match(rules, [First(searching)] * 2, 4).moves == plain.moves


def test_every_move_is_shown() -> None:
    """`on_move` gets the game before every move, forced ones included."""
    shown: list[str] = []

    def look(game: Game, move: str) -> None:
        assert len(game.moves) == len(shown)
        assert move in game.legal
        shown.append(move)

    rules = make_rules("thurn_und_taxis", 2, "tiny", max_rounds=10)
    record = play_match(rules, [ScriptedAgent("random")] * 2, 4, on_move=look)
    assert record.moves == shown


def test_agents_by_name() -> None:
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    for bot in rules.bots:
        agent = make_agent(bot, rules.bots)
        assert isinstance(agent, Agent)
        assert agent.name == bot


def test_names_in_place_of_agents() -> None:
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    agents: Any = ["greedy", "greedy"]
    for play in (lambda: play_match(rules, agents, seed=1), lambda: Session(Game.from_rules(rules, 1), agents)):
        with pytest.raises(AgentError, match=r"'greedy' is no agent; make_agent\(NAME, rules.bots\) makes one"):
            play()


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("rendom", "there is no agent 'rendom'; did you mean 'random'"),
        ("", "there is no agent ''. The agents are random"),
        (":Agent", "there is no agent ':Agent'"),
        ("no_such_package.module:Agent", "No module named 'no_such_package'; is its folder on sys.path"),
        ("thurn_env.table.game:Nobody", "has no attribute 'Nobody'"),
        ("json:decoder", "'module' object is not callable"),
        ("json:nothing", "has no attribute 'nothing'"),
        ("no_such_module:agent", "there is no agent 'no_such_module:agent'"),
        ("thurn_env.table.game:", "there is no agent"),
        ("thurn_env.table.view", "your own agent package.module:Class"),
        ("runs/quick/best.npz", "a policy file is ppo:FILE"),
        ("./best.npz,sample", "a policy file is ppo:FILE"),
        ("thurn_env.table.game:View", "missing 2 required positional arguments"),
        ("..view:View", "relative import"),
        ("collections:Counter", "Counter lacks name, reset or act"),
    ],
)
def test_wrong_names_of_agents(spec: str, message: str) -> None:
    with pytest.raises(AgentError, match=message) as error:
        make_agent(spec, ("random", "greedy"))
    assert repr(spec) in str(error.value)


@pytest.mark.parametrize("spec", ["random", "heuristic", "mcts:5", "ppo", "ppo+mcts"])
def test_who_is_asked_at_the_wrong_time_says_so(spec: str, tmp_path: Path) -> None:
    """Before `reset`, and after the end of the game."""
    rules = make_rules("thurn_und_taxis", 2, "tiny")
    if spec.startswith("ppo"):
        path = tmp_path / "policy.npz"
        save(some_policy(rules), path)
        spec = f"{spec}:{path}"
    agent, game = make_agent(spec, rules.bots), Game.from_rules(rules, 1)
    with pytest.raises(AgentError, match=r"has no game: reset\(seat, rules, seed\) comes first"):
        agent.act(game.view())
    agent.reset(game.seat, rules, 1)
    assert game.rules.action_texts[game.legal_index(agent.act(game.view()))] in game.legal
    while not game.over:
        game.play(game.legal[0])
    with pytest.raises(AgentError, match="has nothing to choose: the game is over"):
        agent.act(game.view(0))
