"""True certificates are accepted with exactly their claim; see test_forgeries for the rest."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from solvers.sokoban import Level, Unknown
from solvers.sokoban.making.series import ladder
from solvers.sokoban.solving.answers import Solved
from solvers.sokoban.solving.budget import Limit
from solvers.sokoban.solving.certificates import check_certificate
from solvers.sokoban.solving.certificates.writing import NoCertificate, certify
from solvers.sokoban.solving.solver import prove
from tests import sizes
from tests.solvers.sokoban.solving.certificates.forgeries import certificate_of, check, claim_of, proved

CHECKER = Path(check_certificate.__file__)
BLOCKS = sizes.cases([range(30)], [range(first, first + 50) for first in range(1_000, 1_500, 50)])


@pytest.mark.parametrize("seeds", BLOCKS)
def test_a_true_certificate_proves_its_claim(seeds, tmp_path):
    for seed in seeds:
        level, answer = proved(seed)
        assert check(tmp_path, certificate_of(seed), level).startswith(claim_of(answer)), str(level)


@pytest.mark.parametrize(
    "board",
    [
        "#######|#@$-#.#|#######",  # a goal out of reach
        "########|#@$.#*-#|########",  # a box on its goal out of reach
        "#####|#@#*#|#####",  # no box in reach
        "####|#@*#|####",  # solved, and no push is possible
        "######|#@*--#|#----#|######",  # solved: only a push away and back is a solution
        "-@$.-",  # open
    ],
)
@pytest.mark.parametrize("aim", ["pushes", "moves"])
def test_certificates_of_odd_levels(board, aim, tmp_path):
    level = Level.parse(board)
    answer = prove(level, aim)
    if "#" in board:
        assert check(tmp_path, certify(level, answer), level).startswith(claim_of(answer))
    else:
        assert "another level" in check(tmp_path, certify(level, answer), level)  # level files have walls


def test_the_checker_needs_nothing_but_python(tmp_path):
    level = ladder(4).level
    prove(level, certificate=tmp_path / "certificate")
    (tmp_path / "levels.sok").write_text(f"; two\n\n#####\n#@$.#\n#####\nTitle: first\n\n{level}\nTitle: second\n")
    (tmp_path / "checker.py").write_bytes(CHECKER.read_bytes())
    command = [sys.executable, "-I", "-S", "checker.py", "certificate", "levels.sok"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    sentence = "PROVED: no solution has fewer than 18 pushes, and the solution in the file has 18"
    assert done.stdout == f"{sentence} (level 2 of the file)\n"


def test_the_checker_is_short_and_imports_only_the_standard_library():
    source = CHECKER.read_text()
    imports = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {getattr(node, "module", None) or node.names[0].name for node in imports}
    assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names
    assert len(source.splitlines()) <= 250


def test_a_certificate_too_large_is_not_written(tmp_path):
    file = tmp_path / "certificate"
    for limits in ({"most_states": 1}, {"most_bytes": 100}, {"cancelled": lambda: True}):
        with pytest.raises(NoCertificate):
            certify(ladder(4).level, prove(ladder(4).level, "moves"), **limits)
    level = Level.parse("|".join(["#" * 41, *["#" + "-" * 39 + "#"] * 25, "#@$." + "#" * 37, "#" * 41]))
    with pytest.raises(NoCertificate) as refusal:
        prove(level, certificate=file)
    assert isinstance(refusal.value.answer, Solved)
    assert not file.exists()


def test_only_proved_answers_have_certificates():
    level = ladder(4).level
    for answer in (Unknown(Limit.NODES), Solved("R", 1, 1)):
        with pytest.raises(ValueError, match="only a proved answer"):
            certify(level, answer)
