import pytest

from solvers.sokoban.solving.compiling.versions import is_plain

if is_plain():
    pytest.skip("This numba is not one that our compiler takes shortcuts through.", allow_module_level=True)

from numba.core.compiler import Flags
from numba.core.typed_passes import NativeLowering
from numba.core.types.functions import BaseFunction

from solvers.sokoban.solving.compiling import shortcuts
from tests.solvers.sokoban.solving.compiling.test_decorators import run


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
