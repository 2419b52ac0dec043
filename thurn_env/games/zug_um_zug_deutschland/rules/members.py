"""Members of sets, see `rows`, for Python: a rule that Python calls would be compiled in every process."""

from thurn_env.games.contract import Int64Array
from thurn_env.games.zug_um_zug_deutschland.rules.rows import BITS


def members(row: Int64Array) -> list[int]:
    """Return the members of a set, ascending."""
    found = []
    for word, left in enumerate(row.tolist()):
        while left:
            lowest = left & -left
            found.append(BITS * word + lowest.bit_length() - 1)
            left ^= lowest
    return found
