"""Reading of answers: tolerant of how an action is written, strict where two actions could be meant."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

import pytest

from tests.test_talk import TABLES, positions, some_views
from thurn_env.games import make_rules
from thurn_env.table.game import Game, View
from thurn_env.talk import NotUnderstood, read_answer
from thurn_env.talk.reading import LONGEST_ANSWER

SOUTH = ("thurn_und_taxis", "south")


def bare(text: str) -> str:
    """A text without accents: `Munchen`."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))


def spelled_out(text: str) -> str:
    """A text with `ue` for `ü`: `Muenchen`."""
    return text.translate(str.maketrans({"ü": "ue", "ö": "oe", "ä": "ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"}))


def with_display(*cities: str) -> View:
    """A view in which the seat to move may take exactly these cards from the display, or draw."""
    rules = make_rules(*SOUTH[:1], 2, SOUTH[1])
    game = Game.from_rules(rules, 1)
    kinds = [rules.action_indices[f"take {city}"] for city in cities]
    game.states[0]["display"] = [*kinds, *[-1] * (6 - len(kinds))]
    game._mask = None
    view = View(game.seat, game)
    assert list(view.legal) == [*(rules.action_texts[kind] for kind in sorted(kinds)), "draw"]
    return view


def refusal(answer: str, view: View) -> str:
    with pytest.raises(NotUnderstood) as found:
        read_answer(answer, view)
    message = str(found.value)
    assert "\n" not in message
    assert len(message) < 500
    return message


@pytest.mark.parametrize(("game", "board"), TABLES)
def test_every_legal_action_is_read_as_itself(game: str, board: str) -> None:
    for bot in ("random", "greedy"):
        for moment in positions(game, board, 2, bot, 5):
            view = moment.view()
            for action in view.legal:
                assert read_answer(action, view) == action


@pytest.mark.parametrize("filling", ["\n", "\n\n- ", "draw ", "<think>", "Answer: \n"])
def test_monotonous_answers_are_read_to_their_end(filling: str) -> None:
    """Models may repeat themselves until they are cut off; the time to read that must not grow with its square."""
    view = with_display("Linz", "Ulm")
    text = "x" + filling * (LONGEST_ANSWER // len(filling))
    assert read_answer(f"{text}\nAction: take Ulm", view) == "take Ulm"


@pytest.mark.parametrize(("game", "board"), TABLES)
def test_every_legal_action_is_read_in_all_its_forms(game: str, board: str) -> None:
    for view in some_views(game, board, count=25):
        for action in view.legal:
            for form in (
                action.upper(),
                bare(action),
                spelled_out(action),
                unicodedata.normalize("NFD", action),
                f"{action.capitalize()}.",
                f"**{action}**",
                f"I would like to {action}, please!",
                f'{{"action": "{action}"}}',
                f"I could draw or close now.\nAction: {action}",
                f"<think>draw or close? take this, leave that</think>\n{action}",
            ):
                assert read_answer(form, view) == action, form


@pytest.mark.parametrize(("game", "board"), TABLES[:3])
def test_a_number_is_that_of_the_list(game: str, board: str) -> None:
    for view in some_views(game, board):
        legal = list(view.legal)
        if any(letter.isdecimal() for action in legal for letter in action):
            continue
        for number, action in enumerate(legal, start=1):
            for form in (str(number), f"{number}.", f"#{number}", f"Action: {number}", f"I choose option {number}."):
                assert read_answer(form, view) == action
            assert read_answer(f"{number}. {action}", view) == action
            assert "not that of" in refusal(f"{number % len(legal) + 1}. {action}", view)
        for wrong in ("0", str(len(legal) + 1), "9" * 5000):
            assert "no action with the number" in refusal(wrong, view)


def test_a_number_is_that_of_the_action_where_actions_have_numbers() -> None:
    view = Game.from_rules(make_rules("zug_um_zug_deutschland", 2), 1).view()
    assert list(view.legal)[:2] == ["long 0", "long 1"]
    for answer in ("1", "Action: 1", "long 1", "1 long"):
        assert read_answer(answer, view) == "long 1"
    assert "no action with the number 7" in refusal("7", view)


@pytest.mark.parametrize(("game", "board"), TABLES)
def test_two_legal_actions_are_ambiguous(game: str, board: str) -> None:
    for view in some_views(game, board, count=25):
        legal = list(view.legal)
        for one, other in pairwise(legal):
            assert "name one action" in refusal(f"{one} or {other}", view)
            assert "name one action" in refusal(f"{other}, then {one}", view)


def test_examples() -> None:
    view = with_display("Mannheim", "München", "Ulm")
    for answer, action in {
        "Take Mannheim.": "take Mannheim",
        "take Munchen": "take München",
        "TAKE MUENCHEN!": "take München",
        "Mannheim": "take Mannheim",
        "the Ulm card, please": "take Ulm",
        "I take the card Munchen from the display": "take München",
        "I do not take Ulm; take Mannheim.": "take Mannheim",
        "Take Ulm instead of take Mannheim": "take Ulm",
        "Take Ulm to end with a good route and close it": "take Ulm",
        "4": "draw",
        "`draw`": "draw",
    }.items():
        assert read_answer(answer, view) == action, answer


def test_the_last_announced_action_counts() -> None:
    view = with_display("Mannheim", "Ulm")
    assert read_answer("Action: take Ulm?\nNo.\n**Final action:** take Mannheim", view) == "take Mannheim"


def test_refusals_name_the_trouble() -> None:
    view = with_display("Mannheim", "Ulm")
    assert "there is no Lodz in the display" in refusal("take Lodz", view)
    assert "names no legal action" in refusal("I pass.", view)
    assert "legal: take Mannheim, take Ulm, draw" in refusal("I pass.", view)
    assert "the answer is empty" in refusal("  \n ", view)
    assert "the answer is empty" in refusal("<think>take Ulm</think>", view)
    assert "names no legal action" in refusal("Do not draw.", view)
    assert "may mean take Mannheim, take Ulm" in refusal("take", view)
    assert "take Lodz, draw" in refusal("If I could take Lodz I would, so draw", view)
    assert "names no legal action" in refusal("discard the Ulm card", view)


def test_another_name_of_a_city_is_read() -> None:
    view = with_display("Carlsruhe", "Ulm")
    assert read_answer("take Karlsruhe", view) == "take Carlsruhe"
    assert read_answer("Karlsruhe", view) == "take Carlsruhe"


def test_ends_of_a_track_may_be_exchanged_and_its_colour_left_out() -> None:
    moments = positions("zug_um_zug_deutschland", "germany", 2, "random", 5)
    view = next(moment.view() for moment in moments if "claim Erfurt-Kassel grey" in moment.legal)
    assert read_answer("claim Kassel-Erfurt grey", view) == "claim Erfurt-Kassel grey"
    assert read_answer("Claim Erfurt to Kassel", view) == "claim Erfurt-Kassel grey"


def test_of_a_long_answer_the_end_is_read() -> None:
    view = with_display("Mannheim", "Ulm")
    assert read_answer("take Mannheim " + "hm " * LONGEST_ANSWER + "take Ulm", view) == "take Ulm"
