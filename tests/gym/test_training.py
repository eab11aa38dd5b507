"""The script of docs/how-to/training.md runs, here and with the wheels in an empty environment."""

import runpy
import subprocess
import sys

import pytest

from tests.wheels import build_wheels
from tooling.folders import ROOT

SCRIPT = ROOT / "docs/how-to/training.py"


def check(printed, folder):
    assert printed.count("proved {'pushes': ") == 10
    assert "random episodes: " in printed
    assert len([*folder.glob("level-*.png")]) == 2


def test_the_script_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(SCRIPT))["main"]()
    check(capsys.readouterr().out, tmp_path)


@pytest.mark.exhaustive
def test_the_script_runs_with_the_wheels_in_an_empty_environment(tmp_path):
    build_wheels(tmp_path / "wheels")
    command = [sys.executable, str(SCRIPT), "--wheels", str(tmp_path / "wheels")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    check(done.stdout, tmp_path)
