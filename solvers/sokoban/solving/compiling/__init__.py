"""How the searches are compiled.

`decorators` what a function carries to be compiled, and the rules of writing one; `versions` which numba our compiler
is tested with; `drafts` numba's compiler, told what to leave out, and `shortcuts` through it; `indexing` how tables are
read and written; `passing` how they are handed on.
"""

from solvers.sokoban.solving.compiling.decorators import (
    NoCompiler,
    Table,
    inner,
    is_compiled,
    kernel,
    require_compiler,
    without_collector,
)

__all__ = [
    "NoCompiler",
    "Table",
    "inner",
    "is_compiled",
    "kernel",
    "require_compiler",
    "without_collector",
]
