import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from solvers.sokoban.solving import compiling
from solvers.sokoban.solving.compiling import PLAIN, TESTED, is_plain, is_tested
from tests import sizes

ROOT = Path(__file__).resolve().parents[4]
SOLVING = ROOT / "solvers" / "sokoban" / "solving"


def run(text, folder=ROOT, **environment):
    environment = os.environ | environment
    return subprocess.run(
        [sys.executable, "-c", text], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_without_numba_answers_and_budgets_load_and_solving_says_what_to_install():
    text = (
        "import sys; sys.modules['numba'] = None; from solvers.sokoban.solving import Budget, Solved; print('fine')\n"
    )
    done = run(f"{text}import solvers.sokoban.solving.board")
    assert done.stdout == "fine\n"
    assert "NoCompiler: Solving needs numba and numpy, which are not installed: pip install numba" in done.stderr


FIND = """
import numpy as np
from solvers.sokoban.solving.searching.tree import refill
places, keys = np.full(8, -1, np.int32), np.zeros(8, np.uint64)
refill(places, keys, places, keys)
print(sum(refill.stats.cache_hits.values()), refill.stats.cache_path)
"""


def test_a_kernel_is_compiled_once_and_again_when_a_function_in_another_file_has_changed(tmp_path):
    shutil.copytree(ROOT / "solvers", tmp_path / "solvers", ignore=shutil.ignore_patterns("__pycache__"))
    cache = str(tmp_path / "cache")
    first, second = (run(FIND, folder=tmp_path, NUMBA_CACHE_DIR=cache).stdout.split() for _ in range(2))
    with (tmp_path / "solvers/sokoban/solving/floor/floods.py").open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    third = run(FIND, folder=tmp_path, NUMBA_CACHE_DIR=cache).stdout.split()
    assert [first[0], second[0], third[0]] == ["0", "1", "0"]
    assert first[1] == second[1] != third[1]


def test_old_kernels_are_deleted_beside_the_sources_but_not_in_a_shared_cache(tmp_path, monkeypatch):
    monkeypatch.setattr(compiling, "__file__", str(tmp_path / "compiling.py"))
    for base in (tmp_path / "__pycache__", tmp_path / "shared"):
        for name in ("kernels-old", "kernels-new", "other"):
            (base / name).mkdir(parents=True)
        monkeypatch.setattr(compiling, "cache_folder", lambda base=base: base / "kernels-new")
        compiling.forget_other_sources()
    names = [sorted(path.name for path in (tmp_path / base).iterdir()) for base in ("__pycache__", "shared")]
    assert names == [["kernels-new", "other"], ["kernels-new", "kernels-old", "other"]]


def decorated(tree, *names):
    """Return the functions of a module with one of these decorators."""
    return [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(mark, ast.Name) and mark.id in names for mark in node.decorator_list)
    ]


def test_python_never_calls_what_only_kernels_may_call():
    trees = {path.stem: ast.parse(path.read_text(encoding="utf-8")) for path in SOLVING.rglob("*.py")}
    inner = {(name, function.name) for name, tree in trees.items() for function in decorated(tree, "inner", "inlined")}
    assert len(inner) > 20
    for name, tree in trees.items():
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
        names = {alias.name: node.module.split(".")[-1] for node in imports for alias in node.names}
        inside = {id(node) for function in decorated(tree, "inner", "inlined", "kernel") for node in ast.walk(function)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and id(node) not in inside:
                assert (names.get(node.func.id, name), node.func.id) not in inner, (name, node.lineno)


MIXED = """
import numpy as np
from solvers.sokoban.solving.compiling import inner, kernel

@inner
def least(table, count):
    best = 1 << 40
    for at in range(count):
        if table[at] >= 0 and not table[at] % 3:
            best = min(best, int(table[at]))
        elif table[at] == -7:
            break
    return best

@kernel
def mix(table, pair, odd):
    total, at = 0, 0
    for row in range(pair.shape[0]):
        low, high = pair[row, 0], pair[row, 1]
        while low < high:
            low += 1
            if low == 4 and odd:
                continue
            total += low * (high - low) - (total >> 3)
            pair[row, 1] ^= low
        at = max(at, total & 63)
    return total * 1000 + least(table, table.shape[0]) + at // 2

def numbers():
    return np.array([8, 9, 6, -7, 3], np.int32), np.array([[1, 9], [-3, 5]], np.int64)

def results(function, odd):
    table, pair = numbers()
    return int(function(table, pair, odd)), pair.tolist()

compiled = [results(mix, odd) for odd in (False, True)]
least = least.py_func
assert compiled == [results(mix.py_func, odd) for odd in (False, True)], compiled
assert compiled[0] != compiled[1]
"""
HERE = is_plain()
TOO_NEW = f"{TESTED[1][0]}.{TESTED[1][1] + 1}.0"


def test_the_numba_that_the_site_pins_is_one_undocumented_options_are_tested_with():
    pins = (ROOT / "requirements" / "solve.txt").read_text()
    assert is_tested(re.search(r"^numba==(\S+)", pins, re.MULTILINE)[1])


def test_the_page_of_the_library_names_the_versions():
    first, last = (".".join(map(str, version)) for version in TESTED)
    assert f"numba {first} to {last}" in (ROOT / "docs" / "reference" / "solvers.md").read_text()


@pytest.mark.parametrize(
    ("version", "environment", "form"),
    sizes.cases([(numba.__version__, {}, HERE), (TOO_NEW, {}, True)], [(numba.__version__, {PLAIN: "1"}, True)]),
)
def test_kernels_of_both_forms_do_what_the_same_words_do_in_python(tmp_path, version, environment, form):
    path = tmp_path / "mixed.py"  # numba requires source in a file
    path.write_text(MIXED, encoding="utf-8")
    text = f"import numba, runpy; numba.__version__ = {version!r}; runpy.run_path({str(path)!r})\n"
    text += "from solvers.sokoban.solving.compiling import is_plain; print(is_plain())"
    result = run(text, NUMBA_CACHE_DIR=str(tmp_path), **environment)
    assert (result.stdout, result.stderr) == (f"{form}\n", "")
