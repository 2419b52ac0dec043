"""The system calls that a sandbox refuses, as a program for the kernel's filter (seccomp).

Most of them hold memory that belongs to no process, which the limit of memory would miss. The others reach other
processes, or are parts of the kernel that no player needs and that had many faults. A refused call fails with `ENOSYS`,
as on an old kernel, so that programs fall back on something else.
"""

from __future__ import annotations

import errno
import platform
import struct

REFUSED = {
    # Memory without a process or a folder.
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    # Namespaces within the sandbox, in which a program would be privileged and could mount memory.
    "unshare": (272, 97),
    "setns": (308, 268),
    # Its arguments cannot be examined; `clone` replaces it.
    "clone3": (435, 435),
    # The first process in the sandbox is bubblewrap's and runs as the same user.
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    # Keys of the user who runs the tournament.
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # Further interfaces of the kernel.
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
}
"""Numbers of the refused calls on x86-64 and on ARM64."""
CLONE = (56, 220)
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Column of the numbers, and the name of the architecture in the kernel."""

NEW_USER_NAMESPACE = 0x10000000
OTHER_NUMBERS = 0x40000000
"""System calls of x86-64 with 32-bit pointers begin here."""
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16
"""Places in the kernel's description of a call."""
LOAD, IF_EQUAL, IF_AT_LEAST, IF_ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, KILL, REFUSE = 0x7FFF0000, 0x80000000, 0x00050000 | errno.ENOSYS


def seccomp_filter(machine: str = "") -> bytes | None:
    """Return the filter for a kind of processor, by default this one's; None if its numbers are unknown here."""
    known = MACHINES.get(machine or platform.machine())
    if known is None:
        return None
    column, architecture = known
    steps = [
        _step(LOAD, ARCHITECTURE),
        _step(IF_EQUAL, architecture, skip_if=1),
        _step(RETURN, KILL),
        _step(LOAD, NUMBER),
        _step(IF_AT_LEAST, OTHER_NUMBERS, skip_unless=1),
        _step(RETURN, REFUSE),
    ]
    for numbers in REFUSED.values():
        steps += [_step(IF_EQUAL, numbers[column], skip_unless=1), _step(RETURN, REFUSE)]
    steps += [
        _step(IF_EQUAL, CLONE[column], skip_unless=3),
        _step(LOAD, FIRST_ARGUMENT),
        _step(IF_ANY_BIT, NEW_USER_NAMESPACE, skip_unless=1),
        _step(RETURN, REFUSE),
        _step(RETURN, ALLOW),
    ]
    return b"".join(steps)


def _step(code: int, value: int, skip_if: int = 0, skip_unless: int = 0) -> bytes:
    """Return one instruction: what it does, with which value, and how many instructions it skips."""
    return struct.pack("=HBBI", code, skip_if, skip_unless, value)
