import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]


def run(text):
    return subprocess.run([sys.executable, "-c", text], cwd=ROOT, capture_output=True, text=True, check=False)


def test_answers_and_budgets_load_without_numba():
    text = "import sys; sys.modules['numba'] = None; from solvers.sokoban.solving import Budget, Solved; print('fine')"
    assert run(text).stdout == "fine\n"


def test_solving_without_numba_says_what_to_install():
    text = "import sys; sys.modules['numba'] = None; import solvers.sokoban.solving.solver"
    assert "NoCompiler: Solving needs numba and numpy, which are not installed: pip install numba" in run(text).stderr
