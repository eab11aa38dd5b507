"""How numba compiles the kernels: what only kernels call is drafted, and each kernel optimized once, as a whole.

Left to itself numba optimizes every function together with all that it calls, makes machine code of it, and does so
again in each function that calls it. It also readies loops for vector instructions, which loops over lists of squares
never become.
"""

from functools import cache
from typing import Any

from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.types import Function

from solvers.sokoban.solving.compiling.indexing import index_directly
from solvers.sokoban.solving.compiling.passing import pass_lightly

_PASSES: Any = DefaultPassBuilder


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
        codegen: Any = self._codegen
        passes, builder = codegen._module_pass_manager(loop_vectorize=False, slp_vectorize=False, opt=2)
        passes.run(self._final_module, builder)


class _Remembering:
    """Numba's knowledge of types, which answers what it has been asked before from memory.

    It is asked again and again, for each place in each function, what comes of adding two whole numbers.
    """

    def __init__(self, context: Any) -> None:
        self._context = context
        self._members: dict[Any, Any] = {}
        self._results: dict[Any, Any] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def resolve_getattr(self, kind: Any, name: str) -> Any:
        if (kind, name) not in self._members:
            self._members[kind, name] = self._context.resolve_getattr(kind, name)
        return self._members[kind, name]

    def resolve_function_type(self, function: Any, args: Any, kws: Any) -> Any:
        if kws or type(function) is not Function or getattr(function.typing_key, "__module__", "") != "_operator":
            return self._context.resolve_function_type(function, args, kws)
        if (function, args) not in self._results:
            self._results[function, args] = self._context.resolve_function_type(function, args, kws)
        return self._results[function, args]


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

    def define_pipelines(self) -> list[Any]:
        state = self.state
        state.typingctx = _remembering(state.typingctx)
        _prepare(state.targetctx)
        state.library = _Whole(state.targetctx.codegen(), state.func_id.func_qualname)  # type: ignore[no-untyped-call]
        state.library.enable_object_caching()
        return [_PASSES.define_nopython_pipeline(state)]


class DraftCompiler(CompilerBase):
    """Numba's compiler for what only kernels call."""

    def define_pipelines(self) -> list[Any]:
        state = self.state
        state.typingctx = _remembering(state.typingctx)
        _prepare(state.targetctx)
        state.library = _Draft(state.targetctx.codegen(), state.func_id.func_qualname)  # type: ignore[no-untyped-call]
        state.targetctx.get_executable = _name_only
        return [_PASSES.define_nopython_pipeline(state)]


def _name_only(library: Any, fndesc: Any, env: Any) -> Any:
    """What stands for the function in numba's tables; there is nothing behind it."""
    return _dynfunc.make_function(fndesc.lookup_module(), fndesc.qualname.split(".")[-1], "", 0, env, (library,))
