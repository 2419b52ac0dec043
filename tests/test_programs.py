"""Programs as agents: they play the same games as agents in this process, and fail as these do."""

from __future__ import annotations

import copy
import gc
import json
import random
import secrets
import shlex
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.guest_program import SHORT
from tests.guest_programs import python, spec
from tests.programs import thurn
from tests.serving import Clock, begin, play_out
from tests.tournaments import index
from tests.tournaments import play as play_tournament
from thurn_env import Game, View, make_rules
from thurn_env.envs.single import LearnerEnv
from thurn_env.errors import AgentError
from thurn_env.games.contract import GameRules
from thurn_env.players.agent import is_own, is_program, make_agent
from thurn_env.players.match import play_match, run_match
from thurn_env.players.programs.failure import ProgramFailed
from thurn_env.players.programs.program import Program
from thurn_env.players.session import Session
from thurn_env.serve.app import make_app
from thurn_env.serve.menu import Menu
from thurn_env.serve.refusal import Refusal
from thurn_env.serve.tables import Tables
from thurn_env.table.record import Record
from thurn_env.tournament.certificate import certify
from thurn_env.tournament.config import Config
from thurn_env.tournament.play import play_chunk, task

BOARDS = {"thurn_und_taxis": "tiny", "zug_um_zug_deutschland": "tiny_rails"}


@pytest.fixture(params=list(BOARDS))
def rules(request: pytest.FixtureRequest) -> GameRules:
    return make_rules(request.param, 2, BOARDS[request.param])


@pytest.fixture
def tiny() -> GameRules:
    return make_rules("thurn_und_taxis", 2, "tiny")


class Twin:
    """The agent of `agents/program.py` in this process."""

    name = "uniform"

    def reset(self, seat: int, rules: GameRules, seed: int) -> None:
        self.random = random.Random(seed)

    def act(self, view: View) -> int:
        chosen: int = self.random.choice(view.legal_actions.tolist())
        return chosen


class Tap:
    """Keeps the lines of a conversation."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, dict[str, Any]]] = []

    def __call__(self, direction: str, line: bytes) -> None:
        self.lines.append((direction, json.loads(line)))

    def sent(self, kind: str) -> list[dict[str, Any]]:
        return [message for direction, message in self.lines if direction == ">" and message["type"] == kind]


def program(mode: str, tap: Tap | None = None) -> Program:
    return Program(spec(mode).partition(":")[2], tap=tap)


def test_a_program_plays_the_games_of_the_same_agent_in_this_process(rules: GameRules):
    there, here, other = program("uniform"), Twin(), make_agent("greedy", rules.bots)
    for seed in range(4):
        played = [
            run_match(rules, [agent, other] if seed % 2 else [other, agent], seed).record(["a", "b"]).to_json()
            for agent in (there, here)
        ]
        assert played[0] == played[1]


@pytest.mark.parametrize("mode", ["observing", "searcher", "stateful", "talkative"])
def test_programs_of_all_kinds_play_a_game(rules: GameRules, mode: str):
    tap = Tap()
    game = run_match(rules, [program(mode, tap), make_agent("heuristic", rules.bots)], 3)
    assert game.over
    [end] = tap.sent("game_end")
    assert end == {"type": "game_end", "scores": game.scores, "ranks": game.ranks, "record": None, "reason": None}


def test_two_programs_of_one_spec_play_against_each_other(rules: GameRules):
    agent = program("uniform")
    twins = play_match(rules, [agent, agent], 5)
    assert twins.moves == play_match(rules, [Twin(), Twin()], 5).moves


def test_every_move_is_told_with_its_changes(rules: GameRules):
    """The view of the deal with the changes of all events is the view after every move."""
    tap = Tap()
    game = run_match(rules, [make_agent("heuristic", rules.bots), program("first", tap)], 8)
    [start] = tap.sent("game_start")
    events = tap.sent("event")
    assert [event["move"] for event in events] == list(range(1, len(game.moves) + 1))
    twin = Game.from_rules(rules, 8)
    view = start["view"]
    assert start["start_player"] == twin.start_player
    assert start["actions"] == list(rules.action_texts)
    for event, move in zip(events, game.moves, strict=True):
        assert event["seat"] == twin.seat
        secret = twin.seat == 0 and move in rules.secret_actions
        assert event["action"] == (None if secret else rules.action_texts[move])
        twin.play(move)
        for part, fields in event["changes"].items():
            for name, value in fields.items():
                assert view[part].get(name) != value
            view[part] |= fields
        assert view["public"] == {"phase": twin.phase, **twin.public()}
        assert set(twin.hand(1)) >= set(view["own"]["hand"])


def test_secret_moves_of_others_are_not_told():
    rules = make_rules("zug_um_zug_deutschland", 2, "tiny_rails")
    tap = Tap()
    run_match(rules, [make_agent("heuristic", rules.bots), program("first", tap)], 8)
    told = [event["action"] for event in tap.sent("event") if event["seat"] == 0]
    assert None in told
    assert not any(action and action.startswith(("keep ", "return ")) for action in told)
    assert any(event["action"].startswith("keep ") for event in tap.sent("event") if event["seat"] == 1)


def test_a_request_has_the_view_the_legal_actions_and_the_observation(rules: GameRules):
    tap, game = Tap(), Game.from_rules(rules, 4)
    agent = program("observing", tap)
    agent.reset(game.seat, rules, 2**64 - 1)
    agent.allow(2.5, 60)
    agent.reset(game.seat, rules, 2**64 - 1)
    answer = agent.act(game.view())
    assert game.legal_index(answer) == answer
    [start], [request] = tap.sent("game_start"), tap.sent("request")
    assert start["seed"] == str(2**64 - 1)
    assert start["time"] == {"decision_ms": 2500, "start_ms": 60_000}
    assert request["deadline_ms"] == 2500
    assert request["view"] == start["view"]
    assert [action["text"] for action in request["legal"]] == list(game.legal)
    assert [action["index"] for action in request["legal"]] == game.legal_actions.tolist()
    assert request["observation"] == game.view().observation.tolist()
    agent.close()


def test_samples_agree_with_what_the_seat_knows(rules: GameRules):
    tap, game = Tap(), Game.from_rules(rules, 4)
    for _ in range(8):
        game.play(game.legal[0])
    while len(game.legal_actions) == 1:
        game.play(game.legal[0])
    agent = program("searcher", tap)
    agent.reset(game.seat, rules, 1)
    agent.act(game.view())
    [request] = tap.sent("request")
    [answer] = tap.sent("positions")
    first, second = (position["view"] for position in answer["positions"])
    for full in (first, second):
        assert full["public"] == request["view"]["public"]
        assert full["secrets"][game.seat] == request["view"]["own"]
        assert len(full["secrets"]) == 2
        assert len(full["hidden"]["deck"]) == full["public"]["deck_size"]
    assert first != second
    [after] = tap.sent("simulated")
    assert after["position"] == 2
    assert after["view"]["secrets"] != first["secrets"] or after["view"]["public"] != first["public"]
    [illegal] = tap.sent("illegal")
    assert illegal["move"] == 0
    assert "there is no action 'no such action'" in illegal["reason"]


def test_a_program_plays_game_after_game_in_one_process(tiny: GameRules):
    tap = Tap()
    agent = program("first", tap)
    for seed in range(3):
        run_match(tiny, [agent, make_agent("greedy", tiny.bots)], seed)
    assert len(tap.sent("hello")) == 1
    assert len(tap.sent("ping")) == 2
    assert len(tap.sent("game_end")) == 3
    process = agent._process
    assert process is not None
    agent.close()
    assert tap.lines[-1] == (">", {"type": "quit"})
    assert not process.running


def test_a_program_that_ended_between_two_games_is_started_again(tiny: GameRules):
    agent = Program(f"{shlex.quote(sys.executable)} -c {shlex.quote(ONE_GAME)}")
    moves = [play_match(tiny, [agent, make_agent("greedy", tiny.bots)], 3).moves for _ in range(3)]
    assert moves[0] == moves[1] == moves[2]


ONE_GAME = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parents[1])!r})
from agents.program import Player, play
class Once(Player):
    def end(self, result): sys.exit()
play(Once())
"""


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        (
            python("import sys; sys.exit('no model found')"),
            "ended with exit code 1; the last line of its log: no model",
        ),
        (python("print('hello'); input()"), "broke the protocol: a line is not JSON (expecting value): hello"),
        (python('print(\'{"type":"ready"}\'); input()'), "broke the protocol: ready came instead of hello"),
        (python("print(input())"), 'broke the protocol: hello has an unknown field "game"'),
        (spec("dying"), "ended with exit code 4; the last line of its log: out of ideas"),
        (spec("rude"), 'broke the protocol: action has an unknown field "mood"'),
        (spec("illegal"), "there is no action 'take the train'"),
    ],
)
def test_a_program_that_fails_is_described_in_one_sentence(tiny: GameRules, agent: str, reason: str):
    made = make_agent(agent, tiny.bots)
    with pytest.raises(AgentError) as error:
        run_match(tiny, [made, make_agent("greedy", tiny.bots)], 1)
    assert reason in str(error.value)
    assert "\n" not in str(error.value)
    assert str(error.value).count("exec:") <= 1


@pytest.mark.parametrize(
    ("messages", "reason"),
    [
        (['{"type":"pong","ping":1}'], "pong is no answer to a request"),
        (['{"type":"action","request":7,"action":0}'], "action names request 7; the open one is 1"),
        (['{"type":"simulate","request":1,"position":0,"actions":[]}'], "simulate names position 0; request 1 has 0"),
        (['{"type":"sample","request":1,"count":256}'] * 17, "request 1 has more than 4,096 positions"),
    ],
)
def test_messages_that_do_not_fit_are_refused(tiny: GameRules, messages: list[str], reason: str):
    greeting = '{"type":"hello","protocol":"thurn-agent/1","name":"x","version":"1"}'
    lines = "\n".join([greeting, '{"type":"ready"}', *messages])
    code = f"import sys\nprint({lines!r}, flush=True)\nfor line in sys.stdin: pass"
    tap = Tap()
    agent = make_agent(python(code), tiny.bots)
    assert isinstance(agent, Program)
    agent.tap = tap
    game = Game.from_rules(tiny, 1)
    agent.reset(game.seat, tiny, 1)
    with pytest.raises(ProgramFailed, match=reason):
        agent.act(game.view())
    assert reason in tap.sent("error")[0]["reason"]


def test_a_program_fails_by_the_rules_of_all_agents(tmp_path: Path):
    """A forfeit loses the game, the tournament goes on, and the program starts again for its next game."""
    agents = [spec(mode) for mode in ("dying", "illegal", "rude")]
    command = ["--agents", *agents, "greedy", "--format", "round-robin", "--games", "1", "--board", "tiny"]
    assert thurn("tournament", [*command, "--out", str(tmp_path / "t"), "--bootstrap", "20", "--secret", "x"]) == 0
    all_reasons = [line["forfeit"]["reason"] for line in index(tmp_path / "t")]
    reasons = [line["forfeit"]["reason"] for line in index(tmp_path / "t") if "greedy" in line["agents"]]
    assert len(reasons) == 6
    assert any("failed: it ended with exit code 4; the last line of its log: out of ideas" in r for r in reasons)
    assert any("answered illegally: there is no action 'take the train'" in r for r in reasons)
    assert any('broke the protocol: action has an unknown field "mood"' in r for r in reasons)
    assert not any("program.py" in reason.replace("guest_program.py", "") for reason in reasons)
    [log] = [file.read_text() for file in (tmp_path / "t" / "logs").iterdir() if file.name.startswith("1-")]
    assert log.startswith("== deck 0, rotation ")
    assert log.count("out of ideas") == sum("out of ideas" in reason for reason in all_reasons) > 2


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
def test_after_a_forfeit_the_programs_of_all_seats_end() -> None:
    """At once, not when Python collects garbage: they would take time from the games that follow."""
    marker = secrets.token_hex(8)
    config = Config((spec("dying"), f"{spec('first')} {marker}"), board="tiny", decks=1)
    gc.disable()
    try:
        [played] = play_chunk(*task(config, config.schedule.tables[0], 0, 1))
        running = [folder for folder in Path("/proc").glob("[0-9]*") if marker in command_of(folder)]
    finally:
        gc.enable()
    assert "out of ideas" in json.loads(played.line)["forfeit"]["reason"]
    assert not running


def command_of(folder: Path) -> str:
    """The command line of a process; empty if it has ended."""
    try:
        return (folder / "cmdline").read_text("utf-8", "replace")
    except OSError:
        return ""


def test_a_late_program_loses_by_forfeit(tmp_path: Path):
    limit = ["--time-limit", str(SHORT / 3)]
    assert play_tournament(tmp_path / "t", *limit, agents="greedy", games=1, secret="x") == 0
    command = ["--agents", spec("late"), "greedy", "--games", "1", "--board", "tiny", "--out", str(tmp_path / "l")]
    assert thurn("tournament", [*command, "--bootstrap", "20", "--secret", "x", *limit]) == 0
    for line in index(tmp_path / "l"):
        assert line["forfeit"]["reason"] == "took longer than 0.1 s"


def test_the_deadline_counts_without_an_alarm(tiny: GameRules):
    agent = program("late")
    agent.allow(SHORT / 3, 60)
    with pytest.raises(ProgramFailed, match="did not answer in time"):
        run_match(tiny, [agent, make_agent("greedy", tiny.bots)], 1)
    # It starts again, and is late again.
    with pytest.raises(ProgramFailed, match="did not answer in time"):
        run_match(tiny, [agent, make_agent("greedy", tiny.bots)], 1)


def test_a_program_that_does_not_read_is_noticed(tiny: GameRules):
    agent = program("deaf")
    agent.allow(0.5, 60)
    begun = time.monotonic()
    with pytest.raises(ProgramFailed, match="did not answer in time"):
        run_match(tiny, [agent, make_agent("greedy", tiny.bots)], 1)
    assert time.monotonic() - begun < 60


def test_a_tournament_does_not_begin_with_a_program_that_cannot_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    command = ["--agents", python("import sys; sys.exit('no model')"), "greedy", "--games", "1", "--board", "tiny"]
    assert thurn("tournament", [*command, "--out", str(tmp_path / "t")]) == 2
    assert "the last line of its log: no model" in capsys.readouterr().err
    assert not (tmp_path / "t").exists()


def test_the_same_tournament_gives_the_same_games(tmp_path: Path):
    for name, jobs in (("a", "0"), ("b", "2")):
        command = ["--agents", spec("uniform"), "greedy", "--games", "2", "--board", "tiny", "--jobs", jobs]
        assert thurn("tournament", [*command, "--out", str(tmp_path / name), "--bootstrap", "20", "--secret", "x"]) == 0
    assert index(tmp_path / "a") == index(tmp_path / "b")
    assert all(line["forfeit"] is None for line in index(tmp_path / "a"))


def test_programs_are_foreign(tiny: GameRules):
    """A tournament with a program draws a secret, and its folder knows the program's files."""
    agent = spec("first")
    assert is_program(agent)
    assert not is_own(agent)
    config = Config((agent, "greedy"), board="tiny")
    assert config.foreign
    assert str(Path(__file__).with_name("guest_program.py")) in config.identity()["files"]


def test_specs_with_commas_and_quotes_may_sit_at_tables_of_ones_own():
    agent = f"exec:{shlex.quote(sys.executable)} -c 'print(\"a, b\", 1, flush=True); [*open(0)]' x,y"
    config = Config((agent, "greedy"), format="tables", tables=(f"{agent},greedy", "greedy,greedy"))
    assert config.names[0] == agent
    assert config.schedule.tables == ((0, 1), (1, 1))
    with pytest.raises(ProgramFailed, match="a line is not JSON"):
        make_agent(agent, ()).reset(0, config.rules, 0)


def test_a_program_can_be_an_opponent_of_an_environment(rules: GameRules):
    """It gets to know every move, also those inside the kernel, and the end."""
    tap = Tap()
    env = LearnerEnv(rules=rules, opponents=program("stateful", tap), learner_seat=0)
    moves = 0
    for seed in (1, 2):
        env.reset(seed=seed)
        over = False
        while not over:
            _, _, terminated, truncated, _ = env.step(int(env.action_masks().argmax()))
            over = terminated or truncated
        moves += len(env.record().moves)
    assert [end["scores"] for end in tap.sent("game_end")][-1] == env.game.scores
    assert len(tap.sent("game_end")) == 2
    assert len(tap.sent("event")) == moves
    env.close()


def test_a_vector_environment_of_one_game_tells_several_moves_at_once(tiny: GameRules):
    """Its events have all changes, but no single moves."""
    from thurn_env.envs.vector import LearnerVectorEnv

    tap = Tap()
    env = LearnerVectorEnv(1, rules=tiny, opponents=program("first", tap), learner_seat=0)
    env.reset(seed=1)
    for _ in range(12):
        env.step(env.action_masks().argmax(axis=1))
    [start] = tap.sent("game_start")
    view, moves = start["view"], start["move"]
    told = [message for direction, message in tap.lines if direction == ">"]
    for message in told:
        if message["type"] == "event":
            assert message["seat"] is message["action"] is None
            assert message["move"] > moves
            moves = message["move"]
            for part, fields in message["changes"].items():
                view[part] |= fields
        elif message["type"] == "request":
            assert message["view"] == view
    assert len(tap.sent("event")) >= 2
    env.close()


def test_a_batch_of_games_needs_another_kind_of_agent(tiny: GameRules):
    from thurn_env.envs.vector import LearnerVectorEnv

    with pytest.raises(AgentError, match="cannot play a batch of games"):
        LearnerVectorEnv(2, rules=tiny, opponents=spec("first"))


def test_a_session_tells_moves_when_the_program_is_to_choose():
    """A person may undo a decision until then, and the program never gets to know it."""
    tap = Tap()
    short = make_rules("thurn_und_taxis", 2, "tiny", max_rounds=15)
    session = Session(Game.from_rules(short, 1, 0), [None, program("stateful", tap)])
    undone = 0
    while not session.game.over:
        if not session.waiting:
            session.play(session.answer())
            continue
        session.play(session.game.legal[0])
        if not session.undo_problem():
            session.undo()
            undone += 1
            session.play(session.game.legal[0])
    session.finish(["me", "it"])
    assert undone > 0
    assert [event["move"] for event in tap.sent("event")] == list(range(1, len(session.game.moves) + 1))
    [end] = tap.sent("game_end")
    assert Record.from_json(json.dumps(end["record"])) == session.game.record(["me", "it"])


def test_a_session_that_is_left_says_so(tiny: GameRules):
    tap = Tap()
    session = Session(Game.from_rules(tiny, 1, 1), [None, program("first", tap)])
    session.play(session.answer())
    session.finish(reason="the game was left")
    [end] = tap.sent("game_end")
    assert end == {"type": "game_end", "scores": [], "ranks": [], "record": None, "reason": "the game was left"}


def test_copies_have_processes_of_their_own(tiny: GameRules):
    agent = program("first")
    twin = copy.deepcopy(agent)
    agent.reset(0, tiny, 1)
    twin.reset(1, tiny, 1)
    assert agent._process is not twin._process
    agent.close()
    twin.close()


def test_the_certificate_covers_programs(rules: GameRules):
    for mode in ("uniform", "searcher"):
        certificate = certify(spec(mode), rules, 10, 3, 1)
        assert certificate.verdict == "yes", certificate.example


def test_the_certificate_notices_messages_that_depend_on_hidden_cards(rules: GameRules, monkeypatch):
    from thurn_env.players.programs import seen

    told = seen._values
    monkeypatch.setattr(seen, "_values", lambda view: {**told(view), "own": {"leak": view.game.hand(1 - view.seat)}})
    certificate = certify(spec("first"), rules, 10, 3, 1)
    assert certificate.verdict == "no"
    assert "is sent different messages" in certificate.example


def test_a_record_cannot_start_a_program(tmp_path: Path, tiny: GameRules, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "game.json"
    Game.from_rules(tiny, 1).record(["human", f"exec:touch {tmp_path / 'owned'}"]).save(file)
    assert thurn("play", ["--resume", str(file)]) == 2
    assert "could run any code, so that no file starts it; name all agents with --agents" in capsys.readouterr().err
    assert not (tmp_path / "owned").exists()


def test_a_program_plays_on_the_page():
    """It follows the game of a person, and gets to know its end."""
    offered = spec("stateful")
    menu = Menu.usual([offered])
    with TestClient(make_app(menu, Tables(2, 100.0, Clock()), "greedy"), base_url="http://localhost") as client:
        news = play_out(client, begin(client, agents=["human", "guest_program.py"], seed=4, options={"max_rounds": 5}))
    assert news["over"]
    assert not news["problem"]


def test_a_page_offers_only_programs_of_its_owner():
    offered = spec("first")
    menu = Menu.usual([offered])
    order = {"agents": ["human", "guest_program.py"], "board": "tiny"}
    menu.order(order).try_agents([])
    for other in ("exec:touch owned", offered, f"{offered} --more", "exec"):
        with pytest.raises(Refusal, match="agents must be a list"):
            menu.order(order | {"agents": ["human", other]})
    with pytest.raises(Refusal):
        Menu.usual().order(order)
