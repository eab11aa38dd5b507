from numba.core.compiler import Flags
from numba.core.typed_passes import NativeLowering
from numba.core.types.functions import BaseFunction

from solvers.sokoban.solving.compiling import shortcuts
from tests.solvers.sokoban.solving.compiling.test_decorators import run


def test_what_is_compiled_in_shortcuts_does_what_the_same_words_do_in_python(tmp_path):
    text = """
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
print(compiled[0] != compiled[1])
"""
    path = tmp_path / "mixed.py"  # numba wants the words in a file
    path.write_text(text, encoding="utf-8")
    result = run(f"import runpy; runpy.run_path({str(path)!r})", NUMBA_CACHE_DIR=str(tmp_path))
    assert (result.stdout, result.stderr) == ("True\n", "")


def test_numba_is_for_others_what_it_was():
    before = [owner.__dict__.get(name) for owner, name, _ in shortcuts._CHANGES]
    with shortcuts.shortcuts(), shortcuts.shortcuts():
        assert BaseFunction.get_call_type is shortcuts._get_call_type
    assert [owner.__dict__.get(name) for owner, name, _ in shortcuts._CHANGES] == before


def test_others_compile_what_no_kernel_has(tmp_path):
    text = """
import numpy as np
from numba import njit
from solvers.sokoban.solving.searching.tree import find

find(np.full(8, -1, np.int32), np.zeros(8, np.uint64), np.uint64(3))

@njit
def squares(numbers):
    return [number * number for number in numbers], (numbers + 1).sum()

@njit
def count(most):
    for number in range(most):
        yield number

print(squares(np.array([2, 3])), list(count(3)))
"""
    assert run(text, NUMBA_CACHE_DIR=str(tmp_path)).stdout == "([4, 9], 7) [0, 1, 2]\n"


def test_what_is_left_out_is_known_by_its_name():
    state = type("State", (), {"flags": Flags(), "func_ir": None})
    names = {entry[0]._name for entry in shortcuts.passes(state).passes}
    assert NativeLowering._name in names
    assert not names & shortcuts._NEEDLESS
