"""Every rule has a test: rules are named by their ids, in a test's name (`test_g12_...`) or docstring (`G12`)."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

IDS = [*(f"G{number}" for number in range(1, 17)), *(f"P{number}" for number in range(1, 10))]


def named_ids(text: str) -> set[str]:
    """The rule ids in a text."""
    return {found.upper() for found in re.findall(r"(?<![a-z0-9])[gp]\d{1,2}(?![a-z0-9])", text.lower())}


@cache
def ids_by_test() -> dict[str, set[str]]:
    """For every test of this folder the ids that it names."""
    tests = {}
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_") and path != Path(__file__):
                tests[f"{path.stem}.{node.name}"] = named_ids(f"{node.name} {ast.get_docstring(node)}")
    return tests


@pytest.mark.parametrize("rule", IDS)
def test_every_rule_is_named_by_a_test(rule: str) -> None:
    assert any(rule in ids for ids in ids_by_test().values())


def test_every_test_names_a_rule() -> None:
    assert [name for name, ids in ids_by_test().items() if not ids] == []


def test_there_are_no_other_rules() -> None:
    assert set().union(*ids_by_test().values()) - set(IDS) == set()
