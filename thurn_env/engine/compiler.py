"""Compilation of rules: rules are typed and translated once, and optimised only inside the kernels that call them.

Numba treats every compiled function as its own library: it links the function with everything it calls, optimises the
result, and emits machine code and wrappers for Python. Python never calls rules, and every kernel optimises its rules
again after inlining them, so most of that work is wasted. `RuleCompiler` stops a rule at LLVM's intermediate code;
`KernelCompiler` links a kernel with everything it calls.

This file uses private parts of Numba. Where one is missing, rules and kernels are compiled in Numba's ordinary way:
more slowly, with the same results. `tests/test_compiler.py` fails then.
"""

from __future__ import annotations

import hashlib
import itertools
import os
from typing import Any

import numba
from numba.core.compiler_lock import global_compiler_lock

RULE_OPTIONS: dict[str, Any] = {"no_cfunc_wrapper": True}
"""Options of `numba.njit` for rules, in addition to those of `thurn_env.engine.kernels`."""
LOOP_RULE_OPTIONS: dict[str, Any] = {"no_cfunc_wrapper": True}
"""Options of `numba.njit` for loop rules, likewise."""
KERNEL_OPTIONS: dict[str, Any] = {"no_cfunc_wrapper": True}
"""Options of `numba.njit` for kernels, likewise."""


def callable_rule(dispatcher: Any) -> Any:
    """Return a compiled rule in a form that Python can call, too."""
    if PARTS:
        dispatcher.__class__ = RuleDispatcher
    return dispatcher


try:
    from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary, JITCPUCodegen
    from numba.core.compiler import Compiler
    from numba.core.registry import CPUDispatcher

    PARTS: tuple[Any, ...] = (
        CPUCodeLibrary._get_module_for_linking,
        CPUCodeLibrary._optimize_final_module,
        CPUCodeLibrary._optimize_functions,
        CPUCodeLibrary._raise_if_finalized,
        CPUCodeLibrary._ensure_finalized,
        CPUCodeLibrary._finalized,
        CPUCodeLibrary.add_llvm_module,
        CPUCodeLibrary.enable_object_caching,
        CPUCodeLibrary.finalize,
        CPUCodeLibrary.get_defined_functions,
        JITCodeLibrary.get_pointer_to_function,
        JITCPUCodegen.set_env,
        Compiler.define_pipelines,
        CPUDispatcher.get_call_template,
    )
    # A library has these only once it exists, and making one takes longer than loading a kernel.
    if not {"_final_module", "_linking_libraries"} <= set(CPUCodeLibrary.__init__.__code__.co_names):
        raise AttributeError("CPUCodeLibrary has other parts")
except (ImportError, AttributeError):
    PARTS = ()

if hasattr(os, "register_at_fork"):
    # Fork only when no other thread compiles: the child would wait for that thread forever.
    os.register_at_fork(
        before=global_compiler_lock.acquire,
        after_in_parent=global_compiler_lock.release,
        after_in_child=global_compiler_lock.release,
    )

if PARTS:
    numbers = itertools.count()

    class RuleLibrary(JITCodeLibrary):
        """Code of one rule, to be linked into kernels: each function simplified, none executable by itself."""

        number = -1

        def add_llvm_module(self, ll_module: Any) -> None:
            self._optimize_functions(ll_module)
            self._final_module.link_in(ll_module)

        def finalize(self) -> None:
            self._raise_if_finalized()
            self._final_module.verify()
            self._finalized = True
            self.number = next(numbers)

        def get_pointer_to_function(self, name: str) -> int:
            self._ensure_finalized()
            return 0

        @property
        def codegen(self) -> RuleLibrary:
            """Stand in for the code generator, of which Numba needs only `set_env` here."""
            return self

        def set_env(self, env_name: str, env: Any) -> None:
            """Do nothing: there is no machine code yet whose environment could be set."""

    class LoopRuleLibrary(RuleLibrary):
        """Code of a loop rule, linked with everything it calls and optimised before kernels inline it."""

        def finalize(self) -> None:
            for library in with_all_that_they_call(self._linking_libraries):
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)
            self._optimize_final_module()
            super().finalize()

    class KernelLibrary(JITCodeLibrary):
        """Code of a kernel: linked with its rules and everything they call, and optimised as a whole."""

        def finalize(self) -> None:
            self._linking_libraries = with_all_that_they_call(self._linking_libraries)
            self._own = {function.name for function in self.get_defined_functions()}
            super().finalize()

        def _optimize_final_module(self) -> None:
            """Rename the rules uniquely for this kernel first: another kernel may use the same names.

            Numba numbers functions that have the same name and types, and every process counts from 0. Two kernels that
            were compiled by two processes can use the same names, and a third process that loads both would mix up
            their rules. (Internal linkage would also hide them, but then LLVM inlines everything that has a single
            caller.)
            """
            suffix = hashlib.sha256(" ".join(sorted(self._own)).encode()).hexdigest()[:16]
            for function in self.get_defined_functions():
                if function.name not in self._own:
                    function.name = f"{function.name}.{suffix}"
            super()._optimize_final_module()

    def with_all_that_they_call(libraries: list[Any]) -> list[Any]:
        """Return libraries and everything that rules among them link, callers before callees.

        LLVM's linker omits a function that nothing linked before it refers to. Rules are not recursive, so a rule that
        is finished later is never called by one that was finished earlier.
        """
        found, waiting = set[Any](), list(libraries)
        while waiting:
            library = waiting.pop()
            if library not in found:
                found.add(library)
                waiting += library._linking_libraries if isinstance(library, RuleLibrary) else []
        return sorted(found, key=lambda library: getattr(library, "number", -1), reverse=True)

    class RuleCompiler(Compiler):
        """Numba's pipeline with a `RuleLibrary` for the code."""

        library_class: Any = RuleLibrary

        def define_pipelines(self) -> Any:
            codegen = self.state.targetctx.codegen()
            self.state.library = self.library_class(codegen, self.state.func_id.func_qualname)
            self.state.library.enable_object_caching()
            return super().define_pipelines()

    class LoopRuleCompiler(RuleCompiler):
        """Numba's pipeline with a `LoopRuleLibrary` for the code."""

        library_class = LoopRuleLibrary

    class KernelCompiler(RuleCompiler):
        """Numba's pipeline with a `KernelLibrary` for the code."""

        library_class = KernelLibrary

    class RuleDispatcher(CPUDispatcher):
        """A rule. A call from Python, as in tests, compiles it a second time, as a kernel, in every process."""

        def get_call_template(self, args: Any, kws: Any) -> Any:
            """Type a call with wide integers, so that a rule is compiled once for all widths."""
            return super().get_call_template(
                [wide(kind) for kind in args], {name: wide(kind) for name, kind in kws.items()}
            )

        def __call__(self, *arguments: Any) -> Any:
            if not hasattr(self, "_kernel"):
                options = {**self.targetoptions, "no_cpython_wrapper": False}
                del options["nopython"]
                self._kernel = numba.njit(pipeline_class=KernelCompiler, **options)(self.py_func)
            return self._kernel(*arguments)

    def wide(kind: Any) -> Any:
        """Return the type of a rule's argument: literals become integers, signed integers become int64."""
        kind = numba.types.unliteral(kind)
        return numba.types.int64 if kind in numba.types.signed_domain else kind

    RULE_OPTIONS |= {"pipeline_class": RuleCompiler, "no_cpython_wrapper": True}
    LOOP_RULE_OPTIONS |= {"pipeline_class": LoopRuleCompiler, "no_cpython_wrapper": True}
    KERNEL_OPTIONS |= {"pipeline_class": KernelCompiler}
