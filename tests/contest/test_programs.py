import runpy
import sys
from contextlib import suppress
from importlib import import_module

import pytest

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
