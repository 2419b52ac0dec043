"""The options of a game that differ from the usual ones."""

from __future__ import annotations

from pathlib import Path

from docs.models import table_of
from thurn_env import make_rules
from thurn_env.games.options import parse_options
from thurn_env.table.changed_options import changed_options, option_words
from thurn_env.training.config import Config


def test_only_options_with_another_value_are_named() -> None:
    """Also one that is given with its usual value is left out; the words make the same rules again."""
    usual = make_rules("thurn_und_taxis", 2, "north").options
    rules = make_rules("thurn_und_taxis", 2, "north", horses=True, max_rounds=usual["max_rounds"])
    assert changed_options(rules) == {"horses": True}
    assert option_words(rules) == ["horses=true"]
    again = make_rules("thurn_und_taxis", 2, "north", **parse_options(option_words(rules)))
    assert again.options == rules.options


def test_a_page_names_what_is_on() -> None:
    config = Config(Path(), board="north", option=("horses=true",)).as_dict()
    assert table_of(config) == "Thurn und Taxis: north, horses"
