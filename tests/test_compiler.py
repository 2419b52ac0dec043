"""Rules are compiled without machine code of their own; see `thurn_env.compiler`."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from numba.core.codegen import JITCodeLibrary

from thurn_env import compiler
from thurn_env.kernels import JIT_DISABLED, allocating_rule, inlined_rule, kernel, rule

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")


@rule
def low(x: int) -> int:
    return x + 1


@inlined_rule
def middle(x: int) -> int:
    return low(x) * 2


@allocating_rule
def high(x: int) -> int:
    numbers = np.full(3, middle(x) + low(x))
    return int(numbers.sum())


@kernel
def top(x: int) -> int:
    return high(x)


def test_numba_has_the_parts_that_are_used() -> None:
    """A new Numba without them needs a look at `thurn_env.compiler`; until then rules compile in the ordinary way."""
    assert compiler.PARTS, "this version of Numba lacks a private part that thurn_env.compiler uses"
    assert compiler.RULE_OPTIONS["pipeline_class"] is compiler.RuleCompiler
    assert compiler.KERNEL_OPTIONS["pipeline_class"] is compiler.KernelCompiler


def library(function: Any) -> Any:
    (compiled,) = function.overloads.values()
    return compiled.library


def test_rules_have_no_machine_code_and_kernels_link_all_of_them() -> None:
    assert top(1) == 3 * 6
    assert type(library(top)) in (compiler.KernelLibrary, JITCodeLibrary)  # compiled, or loaded from disk
    rules: tuple[Any, ...] = (low, middle, high)
    for function in rules:
        if function.overloads:
            assert type(library(function)) is compiler.RuleLibrary
            assert library(function).get_pointer_to_function("anything") == 0


def test_rules_can_be_called_from_python() -> None:
    """Texts ask some of them; without machine code of its own a rule is compiled once more for that."""
    assert [low(4), middle(4), high(4)] == [5, 10, 45]
    assert top(4) == 45


def test_inlining_is_no_matter_of_who_compiles_first() -> None:
    """A plain rule that is compiled for an inlined one is not inlined itself."""
    top(1)
    rules: tuple[tuple[Any, bool], ...] = ((low, False), (middle, True), (high, False))
    for function, inlined in rules:
        assert function.targetoptions["forceinline"] is inlined


def test_without_the_parts_rules_are_compiled_in_the_ordinary_way() -> None:
    """The same results, from Numba's own pipeline."""
    code = """
import numba.core.codegen as codegen
del codegen.JITCPUCodegen.set_env
from thurn_env import compiler
assert not compiler.PARTS and not compiler.RULE_OPTIONS and not compiler.KERNEL_OPTIONS
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
