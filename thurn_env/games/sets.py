"""Sets as 64-bit integers: bit c stands for member c, for example a city of the board file.

Rules about houses and routes read like set expressions: `candidates = route_cities & ~houses`.
"""

from thurn_env.engine.kernels import inlined_rule, int64


@inlined_rule
def only(member: int) -> int:
    """Return the set with one member."""
    return int64(1) << member


@inlined_rule
def contains(members: int, member: int) -> bool:
    """Return whether `member` is in the set."""
    return (members >> member) & 1 == 1


@inlined_rule
def count(members: int) -> int:
    """Return the number of members."""
    number = 0
    while members != 0:
        members &= members - 1
        number += 1
    return number


@inlined_rule
def lowest(members: int) -> int:
    """Return the smallest member of a non-empty set. Like `count`, it compiles to one instruction."""
    return count((members & -members) - 1)
