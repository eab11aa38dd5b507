import os
import runpy
import subprocess
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = [f"{name}.__main__" for name in ("contest", "contest.front", "contest.verify")]
PROGRAMS += [f"solvers.{name}.__main__" for name in ("games", "klotski", "knights", "sokoban")]


@pytest.mark.parametrize("name", [*PROGRAMS, "contest.rules.lucky_draw"])
@pytest.mark.filterwarnings("ignore:.*found in sys.modules")
def test_a_program_prints_its_usage_when_run_and_nothing_when_imported(name, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [name, "--help"])
    import_module(name)
    assert capsys.readouterr().out == ""
    with suppress(SystemExit):
        runpy.run_module(name, run_name="__main__")
    assert capsys.readouterr().out


# Importing them fails, as if they were not installed.
WITHOUT = """
import sys
from importlib.machinery import PathFinder
find = PathFinder.find_spec
PathFinder.find_spec = lambda name, *more: None if name in {"numba", "numpy", "llvmlite"} else find(name, *more)
"""
SITE = """
import contest.wsgi
from django.test import Client
from django.urls import get_resolver
import contest.celery.tasks
get_resolver().reverse_dict
answer = Client(SERVER_NAME="localhost").get("/healthz")
assert answer.status_code in {200, 503}, answer.status_code
assert not {"numba", "numpy", "llvmlite"} & sys.modules.keys()
from solvers.sokoban import kernels
assert kernels.warm() is False
print("the site is there")
"""


def test_the_site_loads_and_answers_without_numba(tmp_path):
    env = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    env |= {"SECRET_KEY": "x" * 50, "EMBEDDED": "1", "DATA_DIR": str(tmp_path), "ALLOWED_HOSTS": "localhost"}
    command = [sys.executable, "-c", WITHOUT + SITE]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.stdout == "the site is there\n", done.stderr
