"""Tables for honest games: no hint, no undo, no review before the end."""

from __future__ import annotations

from pathlib import Path

from tests.serving import Clock, open_table, play_out, refused, serving, state


def test_hints_and_undo_are_refused_and_not_offered() -> None:
    with serving(Clock()) as client:
        for allowed in (True, False):
            (ann,), _ = open_table(client, "Ann", agents=["human", "greedy"], hints=allowed, options={"max_rounds": 2})
            news = state(client, ann)
            assert news["turn"]["hint"] == allowed
            answer = client.post(f"{ann}/hint", json={"move": news["move"]})
            if allowed:
                assert answer.status_code == 200
                continue
            assert refused(answer, 409) == "There are no hints at this table."
            assert not news["turn"]["undo"]
            # Nothing forbids to ask for the rules.
            assert client.get(f"{ann}/why").status_code == 200
            refused(client.post(f"{ann}/review", json={}), 409)
            play_out(client, ann)
            assert client.post(f"{ann}/review", json={}).status_code == 200


def test_no_decision_can_be_undone_there() -> None:
    """At another table, a person who plays like this can undo some decisions."""
    with serving(Clock()) as client:
        undoable = {}
        for allowed in (True, False):
            (ann,), _ = open_table(client, "Ann", agents=["human", "greedy"], hints=allowed)
            undoable[allowed] = 0
            news = state(client, ann)
            while not news["over"]:
                body = {"move": news["move"], "action": news["turn"]["legal"][0]}
                assert client.post(f"{ann}/moves", json=body).status_code == 200
                news = state(client, ann)
                if news["turn"] and not allowed:
                    sentence = refused(client.post(f"{ann}/undo", json={"move": news["move"]}), 409)
                    assert sentence == "At this table, decisions cannot be undone."
                undoable[allowed] += bool(news["turn"] and news["turn"]["undo"])
        assert undoable[True] > 0
        assert undoable[False] == 0


def test_everybody_is_told_before_joining(tmp_path: Path) -> None:
    """Also after the server was started again, and at the rematch."""
    words = "no hints, no undo"
    with serving(Clock(), tmp_path) as client:
        (ann,), links = open_table(
            client, "Ann", agents=["human", "human"], hints=False, clock=60, options={"max_rounds": 2}
        )
        (listed,) = client.post("/tables", json={}).json()["open"]
        assert listed["title"] == f"Thurn und Taxis, tiny board, 60 seconds for a decision, {words}: Ann, open seat"
        assert words in client.get(links["invitation"]).text
    with serving(Clock(), tmp_path) as client:
        assert words in client.get(links["invitation"]).text
        client.post(f"{ann}/start", json={})
        state(client, ann)
        assert words in client.get(ann).text
        play_out(client, ann)
        again = client.post(f"{ann}/rematch", json={}).json()["address"]
        assert state(client, again)["turn"]["hint"] is False
