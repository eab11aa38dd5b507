import ast
import os
import pickle
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numba

from solvers.sokoban.solving import board
from solvers.sokoban.solving.compiling import decorators
from solvers.sokoban.solving.compiling.versions import is_plain

ROOT = Path(__file__).resolve().parents[5]
SOLVING = ROOT / "solvers" / "sokoban" / "solving"


def run(text, **environment):
    environment = os.environ | environment
    return subprocess.run(
        [sys.executable, "-c", text], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def test_without_numba_answers_and_budgets_load_and_solving_says_what_to_install():
    text = (
        "import sys; sys.modules['numba'] = None; from solvers.sokoban.solving import Budget, Solved; print('fine')\n"
    )
    done = run(f"{text}import solvers.sokoban.solving.board")
    assert done.stdout == "fine\n"
    assert "NoCompiler: Solving needs numba and numpy, which are not installed: pip install numba" in done.stderr


def test_code_in_the_cache_is_good_as_long_as_no_kernel_has_changed():
    assert board.lone_distances._cache._cache_file._source_stamp == decorators._digest_of_kernels()


FIND = """
import sys
import numpy as np
from solvers.sokoban.solving.searching.tree import find
found = find(np.full(8, -1, np.int32), np.zeros(8, np.uint64), np.uint64(3))
print(found, 'numba.core.typing.arraydecl' in sys.modules)
"""


def test_a_kernel_is_loaded_from_the_cache_and_compiled_again_where_that_is_of_other_modules(tmp_path):
    """What an older version has left beside its files may name modules that are gone."""
    compiled, loaded = (run(FIND, NUMBA_CACHE_DIR=str(tmp_path)).stdout for _ in range(2))
    # To load it numba need not get ready to compile; plain numba.njit does so before it looks.
    assert (compiled, loaded) == ("-4 True\n", f"-4 {is_plain()}\n")
    (index,) = tmp_path.rglob("*.nbi")
    index.write_bytes(pickle.dumps(numba.__version__) + b"cno.such.module\nName\n.")
    assert run(FIND, NUMBA_CACHE_DIR=str(tmp_path)).stdout == compiled


def test_a_numba_that_keeps_its_cache_otherwise_compiles_in_each_process():
    unknown = SimpleNamespace(py_func=lambda number: number + 1)
    compiled = decorators._stamp(unknown)
    assert (decorators.is_compiled(compiled), compiled(2)) == (False, 3)


def decorated(tree, *names):
    """The functions of a module that carry one of these decorators."""
    return [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(mark, ast.Name) and mark.id in names for mark in node.decorator_list)
    ]


def test_python_never_calls_what_only_kernels_may_call():
    trees = {path.stem: ast.parse(path.read_text(encoding="utf-8")) for path in SOLVING.rglob("*.py")}
    inner = {(name, function.name) for name, tree in trees.items() for function in decorated(tree, "inner")}
    assert len(inner) > 20
    for name, tree in trees.items():
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
        names = {alias.name: node.module.split(".")[-1] for node in imports for alias in node.names}
        inside = {id(node) for function in decorated(tree, "inner", "kernel") for node in ast.walk(function)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and id(node) not in inside:
                assert (names.get(node.func.id, name), node.func.id) not in inner, (name, node.lineno)
