"""The site runs without the compiler of the searches: only the solve worker needs it."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

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


def run(program, stdin="", **env):
    here = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    command = [sys.executable, "-c", WITHOUT + program]
    return subprocess.run(command, cwd=ROOT, env=here | env, input=stdin, capture_output=True, text=True, check=False)


def test_the_site_loads_and_answers_without_numba(tmp_path):
    done = run(SITE, SECRET_KEY="x" * 50, EMBEDDED="1", DATA_DIR=str(tmp_path), ALLOWED_HOSTS="localhost")
    assert done.stdout == "the site is there\n", done.stderr
