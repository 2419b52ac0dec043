"""Sets as 64-bit integers: bit c stands for member c, a city of the board file for example.

Rules about houses and routes are rules about sets, and with these they read like that:
`candidates = route_cities & ~houses`.
"""

from thurn_env.engine.kernels import inlined_rule, int64


@inlined_rule
def only(member: int) -> int:
    """The set with one member."""
    return int64(1) << member


@inlined_rule
def contains(members: int, member: int) -> bool:
    """Whether `member` is in the set."""
    return (members >> member) & 1 == 1


@inlined_rule
def count(members: int) -> int:
    """The number of members."""
    number = 0
    while members != 0:
        members &= members - 1
        number += 1
    return number


@inlined_rule
def lowest(members: int) -> int:
    """The smallest member of a set that is not empty. The compiler makes one instruction of it, and of `count`."""
    return count((members & -members) - 1)
