"""The site runs without the compiler of the searches: only the solve worker needs it."""

import json
import os
import subprocess
import sys
from pathlib import Path

from solvers.sokoban.making.series import ladder

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
SEARCHER = """
import json
from contest.vetting import searcher
questions, easy, hard = json.loads(sys.stdin.read())
searcher._write = lambda line: None
for question in questions:
    print(searcher._answer_question(question | {"text": easy})["found"]["pushes"]["lurd"])
    for other in ({"text": easy, "given": {"any": "RR"}}, {"text": hard}):
        try:
            searcher._answer_question(question | other)
        except searcher.NoCompiler as error:
            print(error)
"""
NO_COMPILER = "Solving needs numba and numpy, which are not installed: pip install numba\n"


def run(program, stdin="", **env):
    here = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    command = [sys.executable, "-c", WITHOUT + program]
    return subprocess.run(command, cwd=ROOT, env=here | env, input=stdin, capture_output=True, text=True, check=False)


def test_the_site_loads_and_answers_without_numba(tmp_path):
    done = run(SITE, SECRET_KEY="x" * 50, EMBEDDED="1", DATA_DIR=str(tmp_path), ALLOWED_HOSTS="localhost")
    assert done.stdout == "the site is there\n", done.stderr


def test_without_numba_an_easy_level_is_solved_and_a_hard_one_names_the_missing_package():
    question = {"act": "solve", "aim": "any", "given": {"any": ""}, "seconds": 2, "megabytes": 256}
    questions = [question | {"kind": kind} for kind in ("vetting", "asked", "hint")]
    done = run(SEARCHER, json.dumps([questions, "######|#@$-.#|######", ladder(14).level.published_text]))
    assert done.stdout == f"RR\n{NO_COMPILER * 2}" * 3, done.stderr
