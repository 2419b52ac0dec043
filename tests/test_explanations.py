"""What people at a table are told about actions: meanings, reasons, and the rules in brief."""

from __future__ import annotations

import pytest

from tests.serving import Clock, begin, open_table, refused, serving, state
from thurn_env import make_rules
from thurn_env.games import GAMES
from thurn_env.serve.explanations import meaning


@pytest.mark.parametrize("game", GAMES)
def test_every_action_has_a_meaning_without_ids_of_rules(game: str) -> None:
    rules = make_rules(game, 2)
    for action in rules.action_texts:
        said = meaning(rules, action)
        assert said
        assert "(" not in said or not said.rstrip(")")[-1].isdigit(), said


@pytest.mark.parametrize(
    ("game", "action", "words"),
    [
        ("thurn_und_taxis", "fill Baiern", "a house in every route city of this province"),
        ("thurn_und_taxis", "administrator", "have the whole display replaced before the first card"),
        ("zug_um_zug_deutschland", "long 0", "draw 0 tickets from the long pile, the others from the short one"),
    ],
)
def test_meanings_are_those_of_the_documentation(game: str, action: str, words: str) -> None:
    assert meaning(make_rules(game, 2), action) == words


def test_a_turn_brings_a_meaning_for_every_legal_action() -> None:
    with serving(Clock()) as client:
        turn = state(client, begin(client))["turn"]
    assert len(turn["meanings"]) == len(turn["legal"])
    assert turn["meanings"][turn["legal"].index("draw")].startswith("draw the deck's top card unseen")


def test_reasons_are_those_of_the_terminal() -> None:
    with serving(Clock()) as client:
        address = begin(client)
        news = state(client, address)
        lines = client.get(f"{address}/why").json()["lines"]
        assert lines[0] == f"You are to {news['turn']['asked']}."
        assert lines[1] == f"Legal: {', '.join(news['turn']['legal'])}."
        assert any(line.startswith("Not ") for line in lines[2:])


def test_reasons_are_only_for_the_own_turn() -> None:
    with serving(Clock()) as client:
        address = begin(client, agents=["greedy", "greedy"])
        state(client, address)
        assert refused(client.get(f"{address}/why"), 409) == "It is not your turn."


def test_reasons_are_only_for_the_person_to_move() -> None:
    with serving(Clock()) as client:
        people, links = open_table(client, "Ann", "Bob")
        client.post(f"{people[0]}/start", json={})
        mover = client.get(f"{people[0]}/state").json()["to_move"]
        assert client.get(f"{people[mover]}/why").json()["lines"][0].startswith("You are to ")
        for address in (people[1 - mover], links["watching"], links["invitation"]):
            assert refused(client.get(f"{address}/why"), 409) == "It is not your turn."


def test_the_rules_can_be_read_before_the_game_begins() -> None:
    with serving(Clock()) as client:
        (ann,), links = open_table(client, "Ann", agents=["human", "human"])
        for address in (ann, links["invitation"]):
            assert f'href="{address}/rules"' in client.get(address).text
            assert "Options" in client.get(f"{address}/rules").text


@pytest.mark.parametrize(("game", "board"), [("thurn_und_taxis", "tiny"), ("zug_um_zug_deutschland", "tiny_rails")])
def test_the_rules_are_one_click_away(game: str, board: str) -> None:
    with serving(Clock()) as client:
        address = begin(client, game=game, board=board, agents=["human", "random"])
        assert f'href="{address}/rules"' in client.get(address).text
        page = client.get(f"{address}/rules")
    assert page.status_code == 200
    assert "default-src 'none'" in page.headers["content-security-policy"]
    for row in make_rules(game, 2, board).tables()["options"].rows:
        assert f"<td>{row[0]}</td>" in page.text
