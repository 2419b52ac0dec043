"""Sets of many members, as rows of integers: member m is bit m % 63 of the integer m // 63.

The sign bit is unused, so that plain Python computes the same as compiled code.
"""

from typing import Final

from thurn_env.engine.kernels import Int64Array, inlined_rule
from thurn_env.games.sets import count, only

BITS: Final = 63
"""Number of members per integer."""


def words_for(members: int) -> int:
    """Return the number of integers for sets of `members` members."""
    return -(-members // BITS)


@inlined_rule
def has(row: Int64Array, member: int) -> bool:
    """Return whether `member` is in the set."""
    return (row[member // BITS] >> (member % BITS)) & 1 == 1


@inlined_rule
def add(row: Int64Array, member: int) -> None:
    """Add a member."""
    row[member // BITS] |= only(member % BITS)


@inlined_rule
def remove(row: Int64Array, member: int) -> None:
    """Remove a member."""
    row[member // BITS] &= ~only(member % BITS)


@inlined_rule
def remove_all(row: Int64Array, members: Int64Array) -> None:
    """Remove all members of another set."""
    for word in range(row.shape[0]):
        row[word] &= ~members[word]


@inlined_rule
def count_both(row: Int64Array, other: Int64Array) -> int:
    """Return the number of members that two sets share."""
    number = 0
    for word in range(row.shape[0]):
        number += count(row[word] & other[word])
    return number
