import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

# Run the kernels first as plain Python and then, if numba is installed, compiled: the answers must be equal.
TWINS = """
import random
from solvers.sokoban import Level, Moves, kernels, replay
from solvers.sokoban.paths import Fewest, push_paths, reach, walk
from solvers.sokoban.position import Position
from solvers.sokoban.replay import play_compiled
from tests.solvers.sokoban.solving.full_search import random_level

def answers():
    chance = random.Random(7)
    for _ in range(15):
        level = random_level(chance, max_side=12)
        position = Position.start(level)
        steps = "".join(chance.choices("lurdLURD", k=200))
        yield play_compiled(level.arena, steps), replay(level, Moves.parse(steps)), reach(level, position)
        yield [walk(level, position, cell) for cell in range(len(level.cells))]
        for box in position.boxes:
            for fewest in Fewest:
                paths = push_paths(level, position, box, fewest=fewest)
                yield {target: paths.to(target) for target in paths.targets}

plain = list(answers())
assert not kernels.is_warm()
print(kernels.warm(), kernels.is_warm(), list(answers()) == plain)
"""


def python(*arguments):
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=120).stdout.split()


def test_importing_and_using_the_puzzles_does_not_import_the_compiler():
    text = "import sys; from solvers.sokoban import Game; assert 'solvers.sokoban.formats' not in sys.modules\n"
    text += "game = Game('######|#@$-.#|######'); game.push(game.legal_pushes[0]); game.push_to(9, 10)\n"
    text += "print(game.lurd, *sorted({'numba', 'numpy'} & set(sys.modules)))"
    assert python("-c", text) == ["RR"]


@pytest.mark.skipif(not find_spec("numba"), reason="numba is not installed")
def test_compiled_kernels_answer_as_their_plain_twins():
    assert python("-c", TWINS) == ["True", "True", "True"]
