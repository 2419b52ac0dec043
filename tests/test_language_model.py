"""The agent `llm:`, against a stand-in for a language model on the loopback."""

from __future__ import annotations

import copy
import importlib
import json
import sys
from pathlib import Path

import pytest

from tests.stand_in import Chat, StandIn, first_legal, replies, stand_in
from tests.tournaments import index, play, results
from thurn_env import AgentError, Game, MissingExtra, make_rules
from thurn_env.players import chat
from thurn_env.players.agent import Counting, make_agent
from thurn_env.players.language_model import LanguageModel
from thurn_env.players.match import run_match
from thurn_env.talk import briefing, prompt

pytest.importorskip("httpx2")
TRANSCRIPTS = Path(__file__).with_name("transcripts")
RULES = make_rules("thurn_und_taxis", 2, "tiny")


@pytest.fixture(autouse=True)
def a_quiet_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """No pauses, no proxies, and no endpoint or key from outside."""
    monkeypatch.setattr(chat, "FIRST_PAUSE", 0.0)
    monkeypatch.setattr(chat, "LONGEST_PAUSE", 0.0)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def asked(server: StandIn, options: str = "") -> LanguageModel:
    """An agent that asks a stand-in, reset for a game on the tiny board."""
    agent = LanguageModel(f"test-model,url={server.url}{options}")
    agent.reset(0, RULES, 5)
    return agent


def view_to_choose() -> tuple[Game, list[str]]:
    """A position with several legal actions."""
    game = Game.from_rules(RULES, 1)
    assert len(game.legal) > 2
    return game, list(game.legal)


def test_a_decision_is_one_chat() -> None:
    game, legal = view_to_choose()
    with stand_in(replies(legal[1])) as server:
        assert asked(server).act(game.view()) == legal[1]
    assert server.requests == [
        {
            "model": "test-model",
            "messages": [
                {"role": "system", "content": briefing(RULES)},
                {"role": "user", "content": prompt(game.view(), rules=False)},
            ],
            "max_tokens": 1000,
            "temperature": 0.0,
        }
    ]
    assert "Authorization" not in server.headers[0]


def test_an_answer_that_is_not_accepted_is_answered_with_the_reason() -> None:
    game, legal = view_to_choose()
    with stand_in(replies("I pass.", f"{legal[0]} or {legal[1]}", f"Well: {legal[1]}")) as server:
        agent = asked(server)
        assert agent.act(game.view()) == legal[1]
    chats = [chat for chat, _ in server.transcript]
    assert [len(chat) for chat in chats] == [2, 4, 6]
    assert chats[1][2:] == [
        {"role": "assistant", "content": "I pass."},
        {"role": "user", "content": f"Not accepted: 'I pass.' names no legal action; legal: {', '.join(legal)}."},
    ]
    assert "name one action" in chats[2][5]["content"]
    assert agent.figures() == {
        "answers": 3,
        "illegal": 2,
        "retries": 0,
        "tokens_in": sum(len(message["content"].split()) for chat in chats for message in chat),
        "tokens_out": 2 + len(f"{legal[0]} or {legal[1]}".split()) + len(f"Well: {legal[1]}".split()),
    }


def test_after_the_last_try_the_answer_itself_is_played() -> None:
    game, _ = view_to_choose()
    with stand_in(replies("I pass.")) as server:
        assert asked(server, ",tries=2").act(game.view()) == "I pass."
    assert len(server.requests) == 2


def test_failed_requests_are_repeated() -> None:
    game, legal = view_to_choose()
    with stand_in(replies(500, (429, {"Retry-After": "0"}), 503, legal[0])) as server:
        agent = asked(server)
        assert agent.act(game.view()) == legal[0]
    assert len(server.requests) == 4
    assert agent.figures()["retries"] == 3
    assert agent.figures()["answers"] == 1
    agent.reset(0, RULES, 5)
    assert set(agent.figures().values()) == {0}


@pytest.mark.parametrize(
    ("answer", "options", "message", "requests"),
    [
        (500, ",retries=2", "answers with status 500: trouble (3 requests)", 3),
        (401, ",retries=2", "answers with status 401: trouble", 1),
        (b"no json", "", "returned no chat: no json", 1),
        (b'{"choices": []}', "", "returned no chat", 1),
        (b'{"choices": [{"message": {"content": 3}}]}', "", "returned no chat", 1),
        (b'{"choices": [{"message": {"content": "\\ud800"}}]}', "", "returned no chat", 1),
        (b'{"choices": [{"message": {"content": "a"}}], "usage": {"prompt_tokens": 1e999}}', "", "returned no chat", 1),
        (b"[" * 100_000, "", "returned no chat", 1),
        ((200, {"Content-Encoding": "gzip"}), ",retries=1", "does not answer: DecodingError", 2),
    ],
)
def test_an_endpoint_that_fails(
    answer: int | bytes | tuple[int, dict[str, str]], options: str, message: str, requests: int
) -> None:
    game, _ = view_to_choose()
    with stand_in(replies(answer)) as server, pytest.raises(AgentError) as found:
        asked(server, options).act(game.view())
    assert message in str(found.value)
    assert len(server.requests) == requests


@pytest.mark.parametrize("address", ["http://a..b/v1", "http://\N{SNOWMAN}.x/v1"])
def test_an_address_that_cannot_be_one(address: str) -> None:
    with pytest.raises(AgentError, match="does not answer: "):
        chat.Endpoint(address, "", 1.0, 0).reply("model", [])


def test_counts_below_zero_do_not_enlarge_the_budget() -> None:
    game, legal = view_to_choose()
    body = {"choices": [{"message": {"content": legal[0]}}], "usage": {"prompt_tokens": -5, "completion_tokens": -7}}
    with stand_in(replies(json.dumps(body).encode())) as server:
        agent = asked(server)
        assert agent.act(game.view()) == legal[0]
    assert (agent.figures()["tokens_in"], agent.figures()["tokens_out"]) == (0, 0)


@pytest.mark.parametrize("key", ["schlüssel", "two\nlines"])
def test_a_key_that_no_header_can_hold(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.setenv("MY_KEY", key)
    with pytest.raises(AgentError, match="the variable MY_KEY holds characters that no key has") as found:
        make_agent("llm:test-model,url=http://127.0.0.1:9/v1,key=MY_KEY", ())
    assert key not in str(found.value)


def test_a_reply_without_text_is_an_empty_answer() -> None:
    game, _ = view_to_choose()
    with stand_in(replies(b'{"choices": [{"message": {"content": null}}]}')) as server:
        agent = asked(server, ",tries=1")
        assert agent.act(game.view()) == ""
    assert agent.figures()["illegal"] == 1


def test_an_endpoint_that_is_not_there() -> None:
    game, legal = view_to_choose()
    with stand_in(replies(legal[0])) as server:
        agent = asked(server, ",retries=1")
    with pytest.raises(AgentError, match=r"does not answer: ConnectError.*\(2 requests\)"):
        agent.act(game.view())


def test_an_endpoint_that_is_slow() -> None:
    import threading

    game, _ = view_to_choose()
    let_go = threading.Event()

    def slow(chat: Chat) -> str:
        let_go.wait(20)
        return "draw"

    with stand_in(slow) as server:
        agent = asked(server, ",timeout=0.05,retries=1")
        with pytest.raises(AgentError, match=r"does not answer: ReadTimeout.*\(2 requests\)"):
            agent.act(game.view())
        let_go.set()


def test_the_budget_of_a_game_is_kept() -> None:
    game, legal = view_to_choose()
    with stand_in(replies("I pass.", "I pass.", legal[0])) as server:
        agent = asked(server, ",tokens=600,answer=500")
        agent.act(game.view())
        with pytest.raises(AgentError, match="budget of 600 tokens for a game is spent"):
            agent.act(game.view())
    limits = [request["max_tokens"] for request in server.requests]
    assert limits[0] == 500
    assert limits == sorted(limits, reverse=True)
    assert limits[-1] < 500
    agent.reset(0, RULES, 5)
    assert agent.figures()["tokens_in"] == 0


def test_tokens_are_estimated_where_the_endpoint_does_not_count_them() -> None:
    game, legal = view_to_choose()
    with stand_in(replies(legal[0]), counts_tokens=False) as server:
        agent = asked(server, ",price_in=2,price_out=8")
        agent.act(game.view())
    figures = agent.figures()
    length = len(briefing(RULES)) + len(prompt(game.view(), rules=False))
    assert figures["tokens_in"] == length // 4
    assert figures["tokens_out"] == len(legal[0]) // 4
    assert figures["cost"] == pytest.approx((2 * figures["tokens_in"] + 8 * figures["tokens_out"]) / 1e6)


def test_a_temperature_sends_the_seed() -> None:
    game, legal = view_to_choose()
    with stand_in(replies(legal[0])) as server:
        asked(server, ",temperature=0.7").act(game.view())
        asked(server, ",temperature=none,answer=0").act(game.view())
    first, second = server.requests
    assert (first["temperature"], first["seed"]) == (0.7, 5)
    assert second.keys() == {"model", "messages"}


def test_key_and_address_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    game, legal = view_to_choose()
    with stand_in(replies(legal[0])) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/")
        monkeypatch.setenv("OPENAI_API_KEY", "one")
        monkeypatch.setenv("OTHER_KEY", "two")
        for spec in ("llm:m", "llm:m,key=OTHER_KEY"):
            agent = make_agent(spec, RULES.bots)
            agent.reset(0, RULES, 1)
            agent.act(game.view())
    assert [headers["Authorization"] for headers in server.headers] == ["Bearer one", "Bearer two"]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("llm", "llm needs the name of a model first: llm:MODEL,url="),
        ("llm:url=http://x/v1", "llm needs the name of a model first"),
        ("llm:m", "llm needs an address: url=http://127.0.0.1:8000/v1, or set OPENAI_BASE_URL"),
        ("llm:m,url=127.0.0.1:8000", "'127.0.0.1:8000' is not the address of an endpoint"),
        ("llm:m,url=ftp://x", "is not the address of an endpoint"),
        ("llm:m,url=http://me:secret@x/v1", "the address must not hold a password"),
        ("llm:m,temprature=1", "llm has no option 'temprature'; did you mean temperature?"),
        ("llm:m,tries=0", "llm: tries must be from 1 to 100, not 0"),
        ("llm:m,tries=x", "llm: tries must be a whole number, not 'x'"),
        ("llm:m,timeout=0", "llm: timeout must be more than 0"),
        ("llm:m,timeout=nan", "llm: timeout must be a finite number"),
        ("llm:m,tokens=1,tokens=2", "llm: tokens is given twice"),
        ("llm:m,tokens=", "llm: tokens needs a value"),
        ("llm:m,price_in=-1", "llm: price_in must be from 0"),
    ],
)
def test_wrong_specs_are_refused(spec: str, message: str) -> None:
    with pytest.raises(AgentError) as found:
        make_agent(spec, RULES.bots)
    assert message in str(found.value)
    assert "secret" not in str(found.value)


def test_a_secret_is_in_no_name() -> None:
    agent = make_agent("llm:m,url=http://127.0.0.1:1/v1", RULES.bots)
    assert agent.name == "llm:m,url=http://127.0.0.1:1/v1"


def test_without_the_extra_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx2", None)
    with pytest.raises(MissingExtra, match=r'language models need httpx2: pip install "thurn-env\[llm\]"'):
        make_agent("llm:m,url=http://127.0.0.1:1/v1", RULES.bots)
    importlib.import_module("thurn_env.players.language_model")


def test_a_copy_is_an_agent_of_its_own() -> None:
    game, legal = view_to_choose()
    with stand_in(replies(legal[0])) as server:
        agent = asked(server)
        agent.act(game.view())
        twin = copy.deepcopy(agent)
        assert isinstance(twin, Counting)
        assert twin.name == agent.name
        assert twin.figures()["answers"] == 0


@pytest.mark.parametrize(("name", "board"), [("thurn_und_taxis", "tiny"), ("zug_um_zug_deutschland", "tiny_rails")])
def test_a_whole_game(name: str, board: str) -> None:
    """The transcript of the first decisions is kept beside the tests; every decision of the game is one chat."""
    rules = make_rules(name, 2, board)
    decisions = []

    def note(game: Game, move: str) -> None:
        if game.seat == 0 and len(game.legal) > 1:
            decisions.append(move)

    with stand_in(first_legal) as server:
        agent = LanguageModel(f"test-model,url={server.url}")
        game = run_match(rules, [agent, make_agent("greedy", rules.bots)], 3, on_move=note)
    assert game.over
    assert agent.figures()["answers"] == len(decisions) == len(server.transcript)
    assert agent.figures()["illegal"] == 0
    said = []
    for messages, answer in server.transcript[:3]:
        said += [f"{message['role']}:\n{message['content']}\n" for message in messages]
        said.append(f"assistant:\n{answer!s}\n")
    kept = TRANSCRIPTS / f"{board}.txt"
    assert "\n".join(said) == kept.read_text("utf-8"), f"if the words changed on purpose, write them to {kept}"


def test_a_tournament_counts_answers_tokens_and_cost(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def sometimes_wrong(chat: Chat) -> str:
        return "I pass." if len(chat) == 2 and "round 2;" in chat[1]["content"] else first_legal(chat)

    with stand_in(sometimes_wrong) as server:
        spec = f"llm:m,url={server.url},price_in=1,price_out=2"
        assert play(tmp_path, "--jobs", "0", "--option", "max_rounds=6", agents=f"greedy {spec}", games=2) == 0
        rows = {row["agent"]: row for row in results(tmp_path)["agents"]}
    assert rows["greedy"]["figures"] == {}
    figures = rows[spec]["figures"]
    wrong = sum(answer == "I pass." for _, answer in server.transcript)
    assert wrong > 0
    assert figures["answers"] == len(server.transcript)
    assert figures["illegal"] == wrong
    assert figures["retries"] == 0
    assert figures["cost"] == pytest.approx((figures["tokens_in"] + 2 * figures["tokens_out"]) / 1e6)
    lines = [json.loads(line) for file in (tmp_path / "times").iterdir() for line in file.read_text().splitlines()]
    assert len(lines) == 4
    assert sum(each.get("answers", 0) for line in lines for each in line["figures"]) == figures["answers"]
    assert all(line["forfeit"] is None for line in index(tmp_path))
    printed = " ".join(capsys.readouterr().out.split())
    assert "Figures counted by the agents, mean per game" in printed
    assert f"{1 - wrong / figures['answers']:.1%}" in printed


def test_the_report_shows_what_agents_counted(tmp_path: Path) -> None:
    pytest.importorskip("jinja2")
    pytest.importorskip("matplotlib")
    from thurn_env.tournament.report import write_report

    with stand_in(first_legal) as server:
        spec = f"llm:m,url={server.url},price_out=3"
        assert play(tmp_path, "--jobs", "0", "--option", "max_rounds=3", agents=f"greedy {spec}", games=1) == 0
    row = next(row for row in results(tmp_path)["agents"] if row["agent"] == spec)
    page = write_report(tmp_path).read_text("utf-8").partition('id="counted"')[2].partition("</section>")[0]
    cells = [cell.rpartition(">")[2] for cell in page.partition("<tbody>")[2].split("</td>")][:-1]
    assert cells == ["100\u00a0%", *(f"{number / row['games']:,.4g}" for number in row["figures"].values())]


def test_illegal_answers_and_failures_forfeit(tmp_path: Path) -> None:
    with stand_in(replies("I pass.")) as server:
        spec = f"llm:m,url={server.url},tries=2"
        assert play(tmp_path / "one", "--jobs", "0", agents=f"{spec} greedy", games=1) == 0
        row = next(row for row in results(tmp_path / "one")["agents"] if row["agent"] == spec)
    assert row["forfeits"] == 2
    assert [reason.split("'")[:2] for reason in row["forfeit_reasons"]] == [
        ["answered illegally: there is no action ", "I pass."]
    ]
    assert row["figures"]["illegal"] == row["figures"]["answers"] == 4
    with stand_in(replies(401)) as server:
        spec = f"llm:m,url={server.url}"
        assert play(tmp_path / "two", "--jobs", "0", agents=f"{spec} greedy", games=1) == 0
        row = next(row for row in results(tmp_path / "two")["agents"] if row["agent"] == spec)
    assert row["forfeits"] == 2
    assert all("answers with status 401" in reason for reason in row["forfeit_reasons"])


def test_worker_processes_report_figures_too(tmp_path: Path) -> None:
    with stand_in(first_legal) as server:
        spec = f"llm:m,url={server.url}"
        options = ("--jobs", "2", "--option", "max_rounds=3")
        assert play(tmp_path, *options, agents=f"greedy {spec}", games=1) == 0
        row = next(row for row in results(tmp_path)["agents"] if row["agent"] == spec)
        assert row["figures"]["answers"] == len(server.transcript) > 0
