import ast
import os
import pickle
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numba

from solvers.sokoban.solving.compiling import decorators
from solvers.sokoban.solving.compiling.versions import is_plain

ROOT = Path(__file__).resolve().parents[5]
SOLVING = ROOT / "solvers" / "sokoban" / "solving"


def run(text, **environment):
    environment = os.environ | environment
    return subprocess.run(
        [sys.executable, "-c", text], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def test_answers_and_budgets_load_without_numba():
    text = "import sys; sys.modules['numba'] = None; from solvers.sokoban.solving import Budget, Solved; print('fine')"
    assert run(text).stdout == "fine\n"


def test_solving_without_numba_says_what_to_install():
    text = "import sys; sys.modules['numba'] = None; import solvers.sokoban.solving.board"
    assert "NoCompiler: Solving needs numba and numpy, which are not installed: pip install numba" in run(text).stderr


def test_code_in_the_cache_is_good_as_long_as_no_kernel_has_changed():
    text = "from solvers.sokoban.solving import board\nfrom solvers.sokoban.solving.compiling import decorators\n"
    text += "print(board.lone_distances._cache._cache_file._source_stamp == decorators._digest_of_kernels())"
    assert run(text).stdout == "True\n"


def test_a_cache_of_other_modules_is_compiled_anew(tmp_path):
    """What an older version has left beside its files may name modules that are gone."""
    text = "import numpy as np; from solvers.sokoban.solving.searching.tree import find\n"
    text += "print(find(np.full(8, -1, np.int32), np.zeros(8, np.uint64), np.uint64(3)))\n"
    first = run(text, NUMBA_CACHE_DIR=str(tmp_path)).stdout
    (index,) = tmp_path.rglob("*.nbi")
    gone = b"cno.such.module\nName\n."
    index.write_bytes(pickle.dumps(numba.__version__) + gone)
    assert run(text, NUMBA_CACHE_DIR=str(tmp_path)).stdout == first == "-4\n"


def test_a_kernel_is_loaded_from_the_cache_without_making_numba_ready_to_compile(tmp_path):
    text = "import sys; import numpy as np; from solvers.sokoban.solving.searching.tree import find\n"
    text += "print(find(np.full(8, -1, np.int32), np.zeros(8, np.uint64), np.uint64(3)))\n"
    text += "print('numba.core.typing.arraydecl' in sys.modules)"
    compiled, loaded = (run(text, NUMBA_CACHE_DIR=str(tmp_path)).stdout for _ in range(2))
    assert (compiled, loaded) == ("-4\nTrue\n", f"-4\n{is_plain()}\n")  # plain numba.njit gets ready before it looks


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
