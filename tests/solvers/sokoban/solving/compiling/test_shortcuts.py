import pytest

from solvers.sokoban.solving.compiling.versions import is_plain

if is_plain():
    pytest.skip("This numba is not one that our compiler takes shortcuts through.", allow_module_level=True)

from numba.core.types.functions import BaseFunction

from solvers.sokoban.solving.compiling import shortcuts
from tests.solvers.sokoban.solving.compiling.test_decorators import FIND, run


def test_numba_is_for_others_what_it_was():
    before = [owner.__dict__.get(name) for owner, name, _ in shortcuts._CHANGES]
    with shortcuts.shortcuts(), shortcuts.shortcuts():
        assert BaseFunction.get_call_type is shortcuts._get_call_type
    assert [owner.__dict__.get(name) for owner, name, _ in shortcuts._CHANGES] == before


def test_others_compile_what_no_kernel_has(tmp_path):
    text = """
from numba import njit

@njit
def squares(numbers):
    return [number * number for number in numbers], (numbers + 1).sum()

@njit
def count(most):
    for number in range(most):
        yield number

print(squares(np.array([2, 3])), list(count(3)))
"""
    assert run(FIND + text, NUMBA_CACHE_DIR=str(tmp_path)).stdout == "-4 True\n([4, 9], 7) [0, 1, 2]\n"
