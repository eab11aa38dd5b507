import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]
SOLVING = ROOT / "solvers" / "sokoban" / "solving"


def run(text):
    return subprocess.run([sys.executable, "-c", text], cwd=ROOT, capture_output=True, text=True, check=False)


def test_answers_and_budgets_load_without_numba():
    text = "import sys; sys.modules['numba'] = None; from solvers.sokoban.solving import Budget, Solved; print('fine')"
    assert run(text).stdout == "fine\n"


def test_solving_without_numba_says_what_to_install():
    text = "import sys; sys.modules['numba'] = None; import solvers.sokoban.solving.solver"
    assert "NoCompiler: Solving needs numba and numpy, which are not installed: pip install numba" in run(text).stderr


def test_code_in_the_cache_is_good_as_long_as_no_kernel_has_changed():
    text = "from solvers.sokoban.solving import board, compiling\n"
    text += "print(board.lone_distances._cache._cache_file._source_stamp == compiling._digest_of_kernels())"
    assert run(text).stdout == "True\n"


def decorated(tree, *names):
    """The functions of a module that carry one of these decorators."""
    return [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(mark, ast.Name) and mark.id in names for mark in node.decorator_list)
    ]


def test_python_never_calls_what_only_kernels_may_call():
    trees = {path.stem: ast.parse(path.read_text(encoding="utf-8")) for path in SOLVING.glob("*.py")}
    inner = {(name, function.name) for name, tree in trees.items() for function in decorated(tree, "inner")}
    assert len(inner) > 20
    for name, tree in trees.items():
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
        names = {alias.name: node.module.split(".")[-1] for node in imports for alias in node.names}
        inside = {id(node) for function in decorated(tree, "inner", "kernel", "part") for node in ast.walk(function)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and id(node) not in inside:
                assert (names.get(node.func.id, name), node.func.id) not in inner, (name, node.lineno)
