"""Which numba our own compiler is used with, and that plain `numba.njit` gives the same answers."""

import re

import numba
import pytest

from solvers.sokoban.solving.compiling.versions import PLAIN, TESTED, is_plain, is_tested
from tests import sizes
from tests.solvers.sokoban.solving.compiling.test_decorators import ROOT, run

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

def told(function, odd):
    table, pair = numbers()
    return int(function(table, pair, odd)), pair.tolist()

compiled = [told(mix, odd) for odd in (False, True)]
least = least.py_func
assert compiled == [told(mix.py_func, odd) for odd in (False, True)], compiled
assert compiled[0] != compiled[1]
"""
HERE = "plain" if is_plain() else "ours"
TOO_NEW = f"{TESTED[1][0]}.{TESTED[1][1] + 1}.0"


def test_the_numba_that_the_site_pins_is_one_our_compiler_is_tested_with():
    pins = (ROOT / "requirements" / "solve.txt").read_text()
    assert is_tested(re.search(r"^numba==(\S+)", pins, re.MULTILINE)[1])


def test_the_page_of_the_library_names_the_versions():
    first, last = (".".join(map(str, version)) for version in TESTED)
    assert f"numba {first} to {last}" in (ROOT / "docs" / "solvers.md").read_text()


@pytest.mark.parametrize(
    ("version", "environment", "form"),
    sizes.cases([(numba.__version__, {}, HERE), (TOO_NEW, {}, "plain")], [(numba.__version__, {PLAIN: "1"}, "plain")]),
)
def test_kernels_of_both_forms_do_what_the_same_words_do_in_python(tmp_path, version, environment, form):
    path = tmp_path / "mixed.py"  # numba wants the words in a file
    path.write_text(MIXED, encoding="utf-8")
    text = f"import numba, runpy, sys; numba.__version__ = {version!r}; runpy.run_path({str(path)!r})\n"
    text += "print('ours' if 'solvers.sokoban.solving.compiling.drafts' in sys.modules else 'plain')"
    result = run(text, NUMBA_CACHE_DIR=str(tmp_path), **environment)
    assert (result.stdout, result.stderr) == (f"{form}\n", "")
