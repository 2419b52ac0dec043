"""Every rule has a test, and every test of this folder a rule."""

from pathlib import Path

from tests.rule_ids import check_coverage

IDS = [*(f"G{number}" for number in range(1, 17)), *(f"P{number}" for number in range(1, 10))]


def test_rules_and_tests_cover_each_other() -> None:
    check_coverage(Path(__file__).parent, IDS, but_for=Path(__file__).stem)
