"""Which rules the tests of a folder name: by their ids, in a test's name (`test_r12_...`) or docstring (`R12`)."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from pathlib import Path


def ids_by_test(folder: Path, ids: Sequence[str]) -> dict[str, set[str]]:
    """For every test function of a folder what it names that looks like one of the ids."""
    letters = "".join(sorted({rule[0].lower() for rule in ids}))
    tests = {}
    for path in sorted(folder.glob("test_*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                text = f"{node.name} {ast.get_docstring(node)}".lower()
                named = re.findall(rf"(?<![a-z0-9])[{letters}]\d{{1,2}}(?![a-z0-9])", text)
                tests[f"{path.stem}.{node.name}"] = {found.upper() for found in named}
    return tests


def check_coverage(folder: Path, ids: Sequence[str], but_for: str) -> None:
    """Every rule has a test, every test names a rule, and there are no other rules; one module is left out."""
    by_test = {test: named for test, named in ids_by_test(folder, ids).items() if test.split(".")[0] != but_for}
    named = set().union(*by_test.values())
    assert [rule for rule in ids if rule not in named] == [], "rules without a test"
    assert [test for test, named in by_test.items() if not named] == [], "tests that name no rule"
    assert named - set(ids) == set(), "no such rules"
