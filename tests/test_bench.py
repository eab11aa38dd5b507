"""The measuring tools of the benches."""

import os
import time
from types import SimpleNamespace

import pytest
from django.db import connection

from bench import figures
from bench.games import pushing_game
from bench.site import services
from bench.site.filling import growing
from bench.site.filling.seeding import BOXES, MOVES, SIDE, texts
from contest.models import ChainLink, Placing, Round, Submission, TreeNode
from solvers.sokoban import Moves, replay
from tooling.terminal import Problem


def test_the_texts_differ_and_all_solve_the_level():
    level, _lurd = pushing_game(SIDE, BOXES, MOVES)
    sent = texts(20)
    assert len(set(sent)) == 20
    assert all(replay(level, Moves.parse(text)).is_solved for text in sent)


def test_figures_measured_before_a_failure_are_still_printed(monkeypatch, capsys):
    def measure():
        yield figures.Figure("pages", 3.0, "ms", target="at most 2", is_met=False)
        raise Problem("web: not within 90 s")

    monkeypatch.setattr(figures, "import_module", lambda _name: SimpleNamespace(measure=measure))
    assert figures.run("some", "bench.some") == 2
    output = capsys.readouterr()
    assert ("pages" in output.out, "not within 90 s" in output.err) == (True, True)


def test_the_time_of_a_child_that_has_ended_is_counted():
    before = services.cpu_seconds(os.getpid())
    child = os.fork()
    if child == 0:
        while time.process_time() < 0.1:  # some ticks of the kernel's clock
            pass
        os._exit(0)
    os.waitpid(child, 0)
    assert services.cpu_seconds(os.getpid()) > before


@pytest.mark.postgres
@pytest.mark.skipif(connection.vendor != "postgresql", reason="the rows are made by PostgreSQL")
def test_years_of_rounds_are_created_with_all_related_rows(db):
    growing.fill(rounds=3, submissions=600)
    assert list(Round.objects.order_by("number").values_list("number", flat=True)) == [1, 2, 3]
    assert Submission.objects.count() == ChainLink.objects.count() == 600
    assert TreeNode.objects.count() == 2
    assert set(Placing.objects.values_list("round__number", flat=True)) == {1, 2}
