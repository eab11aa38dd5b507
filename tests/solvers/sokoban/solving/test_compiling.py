import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from solvers.sokoban.solving.compiling import PLAIN, TESTED, is_plain, is_tested
from tests import sizes

ROOT = Path(__file__).resolve().parents[4]
FIND = """
import numpy as np
from solvers.sokoban.solving.searching.tree import refill
places, keys = np.full(8, -1, np.int32), np.zeros(8, np.uint64)
refill(places, keys, places, keys)
print(sum(refill.stats.cache_hits.values()), refill.stats.cache_path)
"""
TOO_NEW = f"{TESTED[1][0]}.{TESTED[1][1] + 1}.0"


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


def test_a_kernel_is_compiled_once_and_again_when_a_function_in_another_file_has_changed(tmp_path):
    shutil.copytree(ROOT / "solvers", tmp_path / "solvers", ignore=shutil.ignore_patterns("__pycache__"))
    cache = str(tmp_path / "cache")
    first, second = (run(FIND, folder=tmp_path, NUMBA_CACHE_DIR=cache).stdout.split() for _ in range(2))
    with (tmp_path / "solvers/sokoban/solving/floor/floods.py").open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    third = run(FIND, folder=tmp_path, NUMBA_CACHE_DIR=cache).stdout.split()
    assert [first[0], second[0], third[0]] == ["0", "1", "0"]
    assert first[1] == second[1] != third[1]


MIXED = """
import numpy as np
from solvers.sokoban.solving.compiling import inner, kernel

@inner
def least(table):
    best = 1 << 40
    for at in range(table.shape[0]):
        if table[at] >= 0 and not table[at] % 3:
            best = min(best, int(table[at]))
    return best

@kernel
def mix(table, pair):
    total = 0
    while pair[0] < pair[1]:
        pair[0] += 1
        total += pair[0] * least(table) - (total >> 3)
    return total

def results(function):
    pair = np.array([-3, 9], np.int64)
    return int(function(np.array([8, 9, 6, -7, 3], np.int32), pair)), pair.tolist()

compiled = results(mix)
least = least.py_func
assert compiled == results(mix.py_func), compiled
"""


def test_the_numba_that_the_site_pins_is_one_undocumented_options_are_tested_with():
    pins = (ROOT / "requirements" / "solve.txt").read_text()
    assert is_tested(re.search(r"^numba==(\S+)", pins, re.MULTILINE)[1])


@pytest.mark.parametrize(
    ("version", "environment", "form"),
    sizes.cases([(numba.__version__, {}, is_plain()), (TOO_NEW, {}, True)], [(numba.__version__, {PLAIN: "1"}, True)]),
)
def test_kernels_of_both_forms_do_what_the_same_words_do_in_python(tmp_path, version, environment, form):
    path = tmp_path / "mixed.py"  # numba requires source in a file
    path.write_text(MIXED, encoding="utf-8")
    text = f"import numba, runpy; numba.__version__ = {version!r}; runpy.run_path({str(path)!r})\n"
    text += "from solvers.sokoban.solving.compiling import is_plain; print(is_plain())"
    result = run(text, NUMBA_CACHE_DIR=str(tmp_path), **environment)
    assert (result.stdout, result.stderr) == (f"{form}\n", "")
