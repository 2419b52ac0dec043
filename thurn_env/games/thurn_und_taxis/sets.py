"""Sets of cities (or provinces) as 64-bit integers: bit c stands for city c of the board file.

Rules about houses and routes are rules about sets, and with these they read like that:
`candidates = route_cities & ~houses`.
"""

from thurn_env.kernels import inlined_rule, int64


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
    """The smallest member of a set that is not empty, by halving."""
    single = members & -members
    member = 0
    if single & 0xFFFFFFFF == 0:
        member += 32
        single >>= 32
    if single & 0xFFFF == 0:
        member += 16
        single >>= 16
    if single & 0xFF == 0:
        member += 8
        single >>= 8
    if single & 0xF == 0:
        member += 4
        single >>= 4
    if single & 0x3 == 0:
        member += 2
        single >>= 2
    if single & 0x1 == 0:
        member += 1
    return member
