"""Rules are compiled without machine code of their own; see `thurn_env.engine.compiler`."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numba.core.codegen import JITCodeLibrary

from thurn_env import Game
from thurn_env.engine import compiler, kernel_cache
from thurn_env.engine.kernels import JIT_DISABLED, allocating_rule, inlined_rule, kernel, loop_rule, rule
from thurn_env.talk import briefing, prompt

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


@loop_rule
def tripled(numbers: np.ndarray[Any, Any]) -> None:
    for index in range(numbers.shape[0]):
        numbers[index] = middle(numbers[index]) + 1


@kernel
def top(x: int) -> int:
    return high(x)


@kernel
def triple(numbers: np.ndarray[Any, Any]) -> None:
    tripled(numbers)


def test_numba_has_the_parts_that_are_used() -> None:
    """A Numba without them needs a look at `engine/compiler.py`; until then rules compile in the ordinary way."""
    assert compiler.PARTS, "this version of Numba lacks a private part that thurn_env.engine.compiler uses"
    assert compiler.RULE_OPTIONS["pipeline_class"] is compiler.RuleCompiler
    assert compiler.LOOP_RULE_OPTIONS["pipeline_class"] is compiler.LoopRuleCompiler
    assert compiler.KERNEL_OPTIONS["pipeline_class"] is compiler.KernelCompiler


@pytest.mark.parametrize(
    ("module", "own"),
    [(compiler, {"_own", "_kernel"}), (kernel_cache, {"_name", "_folder", "_enabled", "_read"})],
)
def test_every_private_part_is_looked_for_before_it_is_used(module: ModuleType, own: set[str]) -> None:
    """Else a Numba without it would fail in the middle of a compilation, instead of compiling in the ordinary way."""
    tree = ast.parse(Path(str(module.__file__)).read_text("utf-8"))
    (search,) = (node for node in tree.body if isinstance(node, ast.Try))
    looked_for = names_of(search) | {node.value for node in ast.walk(search) if isinstance(node, ast.Constant)}
    assert {name for name in names_of(tree) if name.startswith("_") and not name.startswith("__")} <= looked_for | own


def names_of(tree: ast.AST) -> set[str]:
    """Names of the attributes in a syntax tree."""
    return {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}


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


def test_loops_are_optimised_before_they_are_inlined() -> None:
    numbers = np.array([1, 2, 3], np.int8)
    triple(numbers)
    assert numbers.tolist() == [5, 7, 9]
    rules: tuple[Any, ...] = (tripled,)
    for function in rules:
        if function.overloads:
            assert type(library(function)) is compiler.LoopRuleLibrary


def once(x: int) -> int:
    return x + 1


def seldom(x: int) -> int:
    return 2 * x


def test_a_rule_whose_only_caller_optimised_the_call_away_is_still_linked() -> None:
    """LLVM leaves out a function that nothing linked before it calls: callers have to come first."""
    called: Any = rule(once)

    def without(x: int) -> int:
        return called(x) if x > 0 and x < 0 else 0

    def with_it(x: int) -> int:
        return int(called(x))

    first: Any = rule(without)
    second: Any = rule(with_it)

    @kernel
    def both(x: int) -> int:
        return int(first(x) + second(x))

    assert both(4) == 5


def test_numbers_of_all_widths_share_one_compiled_rule() -> None:
    doubled: Any = rule(seldom)

    @kernel
    def sums(numbers: np.ndarray[Any, Any], wide: int) -> int:
        return int(doubled(numbers[0]) + doubled(wide) + doubled(1))

    assert sums(np.array([100], np.int8), 7) == 216
    assert len(doubled.overloads) <= 1  # none if the kernel came from disk


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
set_env = codegen.JITCPUCodegen.set_env
del codegen.JITCPUCodegen.set_env
from thurn_env.engine import compiler
codegen.JITCPUCodegen.set_env = set_env
assert not compiler.PARTS and "pipeline_class" not in {**compiler.RULE_OPTIONS, **compiler.KERNEL_OPTIONS}
from thurn_env.engine import kernels
doubled = kernels.rule(lambda x: 2 * x)
print(kernels.kernel(lambda x: doubled(x) + 1)(20), doubled(4))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "41 8\n"), done.stderr


@pytest.mark.parametrize(("game", "board"), [("thurn_und_taxis", "tiny"), ("zug_um_zug_deutschland", "tiny_rails")])
def test_nothing_that_is_shown_calls_a_rule(game: str, board: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python that calls a rule compiles it in every process, unannounced, and also with the kernels of a wheel."""

    def refuse(called: Any, *_: Any) -> None:
        raise AssertionError(f"Python calls the rule {called.py_func.__name__}")

    monkeypatch.setattr(compiler.RuleDispatcher, "__call__", refuse)
    played = Game(game=game, players=2, board=board, seed=1)
    rules = played.rules
    assert briefing(rules)
    while not played.over:
        view = played.view()
        assert view.text
        assert prompt(view)
        assert view.picture()
        assert view.observation.any()
        assert played.explain()
        assert played.breakdown()
        assert rules.state_vector(played.states, 0).any()
        legal = set(played.legal_actions.tolist())
        illegal = next((action for action in range(rules.action_size) if action not in legal), None)
        assert illegal is None or rules.why_illegal(played.states, 0, illegal)
        played.play(played.legal[-1])
