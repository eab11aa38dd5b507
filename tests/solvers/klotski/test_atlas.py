import subprocess
import sys

from hypothesis import given, settings

from solvers.klotski import atlas
from solvers.klotski.moves import layout_after, legal_moves
from solvers.klotski.numbering import number
from solvers.klotski.searching.graph import exit_distances
from tests.solvers.klotski.layouts import layouts


def test_the_file_equals_a_new_computation():
    assert atlas.export() == atlas.FILE.read_bytes()


@settings(max_examples=settings.default.max_examples // 4)
@given(layouts)
def test_the_distance_equals_a_search_and_the_best_moves_are_all_that_reduce_it(layout):
    distances = exit_distances()
    distance = distances[number(layout)]
    assert (atlas.distance(layout) if distance >= 0 else -1) == distance
    nearer = [
        move for move in legal_moves(layout) if distances[number(layout_after(layout, move))] == distance - 1 >= 0
    ]
    assert atlas.best_moves(layout) == nearer


def test_looking_up_needs_neither_numpy_nor_numba():
    script = (
        "import sys; sys.modules['numpy'] = sys.modules['numba'] = None\n"
        "from solvers.klotski import Layout, solve\n"
        "print(len(solve(Layout.parse('VCCVVCCVVHHVVooVo..o'))))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "81\n"
