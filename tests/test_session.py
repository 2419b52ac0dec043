"""A game at which people sit: who is asked, and what may be taken back."""

from __future__ import annotations

import pytest

from thurn_env import Game, IllegalAction, Record, ThurnError
from thurn_env.errors import AgentError
from thurn_env.games import make_rules
from thurn_env.players.agent import Agent, ScriptedAgent
from thurn_env.players.match import play_match
from thurn_env.players.session import Session, learned
from thurn_env.table.game import View
from thurn_env.table.replay import last_position, resume, verify

PERSON: Agent | None = None


def session(*agents: Agent | None, seed: int = 4, start_player: int = 0) -> Session:
    rules = make_rules("thurn_und_taxis", len(agents), "tiny")
    return Session(Game.from_rules(rules, seed, start_player), agents)


def until(table: Session, phase: str) -> None:
    """Let the person draw and lay what comes first, until asked this."""
    while table.game.phase != phase or not table.waiting:
        table.play(table.game.legal[0] if table.waiting else table.answer())


def test_agents_answer_and_people_are_waited_for() -> None:
    table = session(PERSON, ScriptedAgent("greedy"))
    assert table.waiting
    until(table, "play")
    assert table.game.seat == 0
    while not table.game.over:
        table.play(table.game.legal[0] if table.waiting else table.answer())
    assert not table.waiting
    again = last_position(Record.from_json(table.game.record().to_json()))
    assert (again.moves, again.public(), again.scores) == (table.game.moves, table.game.public(), table.game.scores)


class FailsAtTheEnd(ScriptedAgent):
    """An agent that follows its game, and fails when it is told the end."""

    watches = True

    def began(self, view: View) -> None: ...

    def saw(self, mover: int, action: int | None, view: View) -> None: ...

    def ended(self, game: Game, record: object, reason: str | None) -> None:
        raise KeyError("lost")


class Hears(FailsAtTheEnd):
    """One that hears of the end."""

    heard = 0

    def ended(self, game: Game, record: object, reason: str | None) -> None:
        self.heard += 1


def test_a_game_has_its_result_although_an_agent_fails_at_the_end(caplog: pytest.LogCaptureFixture) -> None:
    """In whatever way the game is played, the others are told, too."""
    hears = Hears("greedy")
    table = session(FailsAtTheEnd("greedy"), hears)
    while not table.game.over:
        table.play(table.answer())
    table.finish()
    assert hears.heard == 1
    record = play_match(table.game.rules, [FailsAtTheEnd("greedy"), hears], seed=4)
    assert record.result
    assert hears.heard == 2
    assert caplog.messages == ["greedy failed at the end of its game: KeyError: 'lost'"] * 2


def test_an_illegal_action_changes_nothing() -> None:
    table = session(PERSON, ScriptedAgent("greedy"))
    before = table.game
    with pytest.raises(IllegalAction):
        table.play("close")
    assert table.game is before
    with pytest.raises(ThurnError, match="no decision to undo"):
        table.undo()


def test_a_card_that_was_laid_is_taken_up_again() -> None:
    table = session(PERSON, ScriptedAgent("greedy"))
    until(table, "play")
    before = table.game
    table.play(next(action for action in before.legal if action.startswith("start")))
    assert table.waiting
    table.undo()
    assert table.game == before
    assert table.game.legal == before.legal
    assert table.game.moves == before.moves


def test_several_decisions_are_taken_back_one_by_one() -> None:
    """A route is closed: nothing is drawn from the last card laid to the last house."""
    table = session(PERSON, ScriptedAgent("greedy"), seed=7)
    strong = ScriptedAgent("heuristic")
    strong.reset(0, table.game.rules, 1)
    positions: list[Game] = []
    while len(positions) < 3:
        if not table.waiting:
            table.play(table.answer())
            continue
        before, action = table.game, table.game.rules.action_texts[strong.act(table.game.view())]
        table.play(action)
        quiet = action.split()[0] in ("start", "left", "right", "close", "spread", "fill", "house")
        positions = [*positions, before] if quiet and table.waiting and table.game.seat == before.seat else []
    for before in reversed(positions):
        table.undo()
        assert table.game == before


def test_what_was_drawn_stays_drawn() -> None:
    table = session(PERSON, ScriptedAgent("greedy"))
    # A card from the display: the next one is turned over.
    for action in ("take", "draw"):
        before = table.game
        table.play(next(legal for legal in before.legal if legal.startswith(action)))
        after = table.game
        with pytest.raises(ThurnError, match="revealed hidden information"):
            table.undo()
        assert table.game is after


def test_nothing_is_taken_back_once_others_have_moved() -> None:
    table = session(PERSON, ScriptedAgent("greedy"))
    until(table, "end")
    table.play("end")
    while not table.waiting:
        table.play(table.answer())
    with pytest.raises(ThurnError, match="others have moved"):
        table.undo()


def test_another_persons_decision_is_not_mine_to_take_back() -> None:
    table = session(PERSON, PERSON)
    until(table, "end")
    seat = table.game.seat
    table.play("end")
    assert table.game.seat != seat
    with pytest.raises(ThurnError, match="others have moved"):
        table.undo()


def test_learning_is_seeing_what_could_have_been_otherwise() -> None:
    game = Game(2, "tiny", seed=4, start_player=0)
    after = game.copy()
    after.play("draw")
    assert learned(game, after, 0)
    # The other seat sees that a card was drawn, whichever it is.
    assert not learned(game, after, 1)


def test_a_seat_is_handed_over_and_back() -> None:
    """The new agent plays as it would have played from the beginning on with the seed of this seat."""
    table = session(PERSON, ScriptedAgent("greedy"))
    assert table.waiting
    table.hand_over(0, ScriptedAgent("sensible-random"))
    assert not table.waiting
    other = session(ScriptedAgent("sensible-random"), ScriptedAgent("greedy"))
    for _ in range(6):
        action = table.answer()
        assert action == other.answer()
        table.play(action)
        other.play(action)
    while table.game.seat != 0 or len(table.game.legal_actions) == 1:
        table.play(table.answer())
    table.hand_over(0, PERSON)
    assert table.waiting


def test_an_agent_for_every_seat() -> None:
    with pytest.raises(AgentError, match="1 agents for 2 players"):
        Session(Game(2, "tiny", seed=1), [PERSON])


def test_a_resumed_game_goes_on_from_the_seed() -> None:
    game = Game(2, "tiny", seed=3)
    for _ in range(12):
        game.play(game.legal[0])
    record = game.record()
    ends = []
    for seed in (1, 1, 2, 3, 4):
        resumed = resume(record, seed)
        assert resumed.moves == game.moves
        assert resumed.public() == game.public()
        while not resumed.over:
            resumed.play(resumed.legal[0])
        verify(resumed.record())
        ends.append(resumed.record().as_dict()["decks"])
    assert ends[0] == ends[1]
    assert any(end != ends[0] for end in ends)
    assert all(end[0] == record.chance["decks"][0] for end in ends)
