"""How rules are compiled: typed and translated once, optimised only inside the kernels that call them.

Numba treats every compiled function as a library of its own: it links the function with all that it calls, optimises
the result, and emits machine code and wrappers for Python. Nobody calls a rule from Python, and every kernel
optimises its rules once more after inlining them, so most of that work is thrown away. A rule compiled by
`RuleCompiler` stops at LLVM's intermediate code; a kernel compiled by `KernelCompiler` links it together with all
that it calls.

This file uses private parts of Numba. Where one is missing, rules and kernels are compiled in Numba's ordinary way:
more slowly, to the same results. `tests/test_compiler.py` fails then.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import numba
from numba.core.compiler_lock import global_compiler_lock

RULE_OPTIONS: dict[str, Any] = {}
"""Options of `numba.njit` for rules, besides those of `thurn_env.kernels`."""
KERNEL_OPTIONS: dict[str, Any] = {}
"""Options of `numba.njit` for kernels, likewise."""


def callable_rule(dispatcher: Any) -> Any:
    """Return a compiled rule so that it may also be called from Python."""
    if PARTS:
        dispatcher.__class__ = RuleDispatcher
    return dispatcher


try:
    from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary, JITCPUCodegen
    from numba.core.compiler import Compiler
    from numba.core.registry import CPUDispatcher

    PARTS: tuple[Any, ...] = (
        CPUCodeLibrary._get_module_for_linking,
        CPUCodeLibrary.add_llvm_module,
        CPUCodeLibrary.add_linking_library,
        CPUCodeLibrary.finalize,
        JITCodeLibrary.get_pointer_to_function,
        JITCPUCodegen.set_env,
        Compiler.define_pipelines,
        CPUDispatcher,
    )
except (ImportError, AttributeError):
    PARTS = ()

if hasattr(os, "register_at_fork"):
    # A process forks when no other thread of it compiles: the child would wait for that thread for ever.
    os.register_at_fork(
        before=global_compiler_lock.acquire,
        after_in_parent=global_compiler_lock.release,
        after_in_child=global_compiler_lock.release,
    )

if PARTS:

    class RuleLibrary(JITCodeLibrary):
        """The code of one rule, to be linked into kernels: not optimised, and not executable by itself."""

        def add_llvm_module(self, ll_module: Any) -> None:
            self._final_module.link_in(ll_module)

        def finalize(self) -> None:
            self._raise_if_finalized()
            self._final_module.verify()
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            self._ensure_finalized()
            return 0

        @property
        def codegen(self) -> RuleLibrary:
            """Stands in for the code generator, of which Numba asks only `set_env` here."""
            return self

        def set_env(self, env_name: str, env: Any) -> None:
            """Do nothing: there is no machine code yet whose environment could be set."""

    def with_all_that_it_calls(library: Any) -> Iterator[Any]:
        """Yield a library and, if it is a rule's, the libraries that it links, each once."""
        found, waiting = {library}, [library]
        while waiting:
            current = waiting.pop()
            yield current
            if isinstance(current, RuleLibrary):
                linked = [other for other in current._linking_libraries if other not in found]
                found.update(linked)
                waiting.extend(linked)

    class KernelLibrary(JITCodeLibrary):
        """The code of a kernel: linked with its rules and all that they call, and optimised as a whole."""

        def add_linking_library(self, library: Any) -> None:
            for each in with_all_that_it_calls(library):
                super().add_linking_library(each)

    class RuleCompiler(Compiler):
        """Numba's pipeline with a `RuleLibrary` for the code."""

        library_class: Any = RuleLibrary

        def define_pipelines(self) -> Any:
            codegen = self.state.targetctx.codegen()
            self.state.library = self.library_class(codegen, self.state.func_id.func_qualname)
            self.state.library.enable_object_caching()
            return super().define_pipelines()

    class KernelCompiler(RuleCompiler):
        """Numba's pipeline with a `KernelLibrary` for the code."""

        library_class = KernelLibrary

    class RuleDispatcher(CPUDispatcher):
        """A rule. Called from Python, which only tests and texts do, it is compiled once more, as a kernel."""

        def __call__(self, *arguments: Any) -> Any:
            if not hasattr(self, "_kernel"):
                options = {**self.targetoptions, "no_cpython_wrapper": False}
                del options["nopython"]
                self._kernel = numba.njit(pipeline_class=KernelCompiler, **options)(self.py_func)
            return self._kernel(*arguments)

    RULE_OPTIONS = {"pipeline_class": RuleCompiler, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    KERNEL_OPTIONS = {"pipeline_class": KernelCompiler, "no_cfunc_wrapper": True}
