"""Kernels that different processes compiled for different record layouts must not be taken for each other.

Compiled code is stored under symbol names in which a record type stands as its mangled form. That form must depend on
the layout alone: Numba's own counts the types that the process has met, so two layouts compiled by two processes would
share a name, and a third process that loads both would run one's code on the other's records.
"""

import subprocess
import sys

CODE = """
import sys
import numba
from thurn_env import make_rules
from thurn_env.engine.kernels import new_records

for word in sys.argv[1:]:
    players, board = word.split("-")
    dtype = make_rules("thurn_und_taxis", int(players), board).state_dtype
    print(word, numba.typeof(new_records(1, dtype)).dtype.mangling_args)
"""


def mangled(*layouts: str) -> dict[str, str]:
    output = subprocess.run(
        [sys.executable, "-c", CODE, *layouts], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    return dict(line.split(" ", 1) for line in output)


def test_the_name_of_a_layout_is_the_same_in_every_process() -> None:
    assert mangled("2-tiny")["2-tiny"] == mangled("4-south", "3-tiny", "2-tiny")["2-tiny"]


def test_every_layout_has_a_name_of_its_own() -> None:
    names = mangled("2-tiny", "3-tiny", "4-tiny", "2-small", "2-south", "3-south", "4-south")
    assert len(set(names.values())) == len(names)
    # Two processes that meet one layout each must not give them the same name either.
    assert mangled("2-south")["2-south"] != mangled("4-south")["4-south"]
