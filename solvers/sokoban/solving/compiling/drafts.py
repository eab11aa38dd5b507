"""How numba compiles the kernels: what only kernels call is drafted, and each kernel optimized once, as a whole.

Left to itself numba optimizes every function together with all that it calls, makes machine code of it, and does so
again in each function that calls it. It also unrolls loops and readies them for vector instructions, which loops over
lists of squares never become.
"""

from functools import cache
from typing import Any

from llvmlite import binding
from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase

from solvers.sokoban.solving.compiling.indexing import index_directly
from solvers.sokoban.solving.compiling.passing import pass_lightly
from solvers.sokoban.solving.compiling.shortcuts import passes, shortcuts

_INLINED = 45  # instructions of a function that is put where it is called; LLVM's own 225 take longer and gain nothing


class _Draft(JITCodeLibrary):
    """The code of one function with that of all it calls, neither optimized nor made machine code."""

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True


class _Whole(JITCodeLibrary):
    """The code of a kernel."""

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        tuning: Any = binding.create_pipeline_tuning_options(speed_level=1)
        tuning.inlining_threshold = _INLINED
        tuning.loop_unrolling = tuning.loop_vectorization = tuning.slp_vectorization = False
        builder = binding.create_pass_builder(self._codegen._tm, tuning)
        passes = builder.getModulePassManager()
        passes.run(self._final_module, builder)


class _Remembering:
    """Numba's knowledge of types, which answers what it has been asked before from memory.

    It is asked again and again, for each place in each function, what a table is called by name.
    """

    def __init__(self, context: Any) -> None:
        self._context = context
        self._members: dict[Any, Any] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def resolve_getattr(self, kind: Any, name: str) -> Any:
        if (kind, name) not in self._members:
            self._members[kind, name] = self._context.resolve_getattr(kind, name)
        return self._members[kind, name]


@cache
def _remembering(context: Any) -> _Remembering:
    return _Remembering(context)


_sizes: dict[int, tuple[Any, int]] = {}  # of the types at these addresses


def _prepare(context: Any) -> None:
    """Make ready numba's context of one function, a copy that it makes for each.

    For a debugger that nobody calls, numba asks how large each variable is: it writes out the type of the variable for
    LLVM to read, hundreds of lines for a tuple of tables.
    """
    index_directly(context)
    pass_lightly(context)
    measure = context.get_abi_sizeof

    def get_abi_sizeof(kind: Any) -> int:
        if id(kind) not in _sizes:
            _sizes[id(kind)] = kind, measure(kind)
        return _sizes[id(kind)][1]

    context.get_abi_sizeof = get_abi_sizeof


class KernelCompiler(CompilerBase):
    """Numba's compiler for what Python calls."""

    def compile_extra(self, func: Any) -> Any:
        with shortcuts():
            return super().compile_extra(func)  # type: ignore[no-untyped-call]

    def define_pipelines(self) -> list[Any]:
        state = self.state
        state.typingctx = _remembering(state.typingctx)
        _prepare(state.targetctx)
        state.library = _Whole(state.targetctx.codegen(), state.func_id.func_qualname)  # type: ignore[no-untyped-call]
        state.library.enable_object_caching()
        return [passes(state)]


class DraftCompiler(CompilerBase):
    """Numba's compiler for what only kernels call."""

    def define_pipelines(self) -> list[Any]:
        state = self.state
        state.typingctx = _remembering(state.typingctx)
        _prepare(state.targetctx)
        state.library = _Draft(state.targetctx.codegen(), state.func_id.func_qualname)  # type: ignore[no-untyped-call]
        state.targetctx.get_executable = _name_only
        return [passes(state)]


def _name_only(library: Any, fndesc: Any, env: Any) -> Any:
    """What stands for the function in numba's tables; there is nothing behind it."""
    return _dynfunc.make_function(fndesc.lookup_module(), fndesc.qualname.split(".")[-1], "", 0, env, (library,))
