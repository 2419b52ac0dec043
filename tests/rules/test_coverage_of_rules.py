"""Every rule has a test, and every test of this folder a rule."""

from pathlib import Path

from tests.rule_ids import check_coverage

IDS = [
    *(f"M{number}" for number in range(1, 5)),
    *(f"R{number}" for number in range(1, 32)),
    *(f"N{number}" for number in range(1, 6)),
    *(f"H{number}" for number in range(1, 8)),
    *(f"F{number}" for number in range(1, 15)),
]


def test_rules_and_tests_cover_each_other() -> None:
    check_coverage(Path(__file__).parent, IDS, but_for=Path(__file__).stem)
