"""Searches with the oldest numba that pyproject.toml allows and with the newest, each in a separate environment.

The environments are installed from the package index.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UV = shutil.which("uv", path=str(Path(sys.executable).parent)) or "uv"
COMPILED = ["tests/solvers/sokoban/solving", "tests/solvers/sokoban/test_kernels.py", "tests/solvers/klotski"]
# Without the site's conftest, which needs Django.
PYTEST = ["-m", "pytest", "-q", "-c", os.devnull, f"--rootdir={ROOT}", "--noconftest", "--import-mode=importlib"]
PYTEST += ["-o", f"pythonpath={ROOT}", "-p", "no:cacheprovider", "--disable-warnings"]


def run(*words: object, **variables: str) -> None:
    done = subprocess.run([str(word) for word in words], cwd=ROOT, env=os.environ | variables, check=False)
    assert done.returncode == 0


@pytest.mark.exhaustive
@pytest.mark.parametrize("resolution", ["lowest-direct", "highest"])
def test_searches_answer_the_same_with_the_oldest_and_the_newest_numba(tmp_path, resolution):
    python = tmp_path / "environment" / "bin" / "python"
    run(UV, "venv", "--python", sys.executable, tmp_path / "environment")
    installing = UV, "pip", "install", "--python", python
    run(*installing, "--resolution", resolution, "-r", "pyproject.toml", "--extra", "solving")
    run(*installing, "pytest", "hypothesis")
    # Compiled first, because searches are limited by CPU seconds. CI=true turns Hypothesis' deadlines off. Plugins that
    # this run was asked for are not installed there.
    variables = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "CI": "true", "PYTEST_ADDOPTS": ""}
    run(python, "-m", "solvers.sokoban.solving.loading", **variables)
    run(python, *PYTEST, *COMPILED, **variables)
