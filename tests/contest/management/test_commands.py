"""Operator commands that only combine other functions."""

import signal
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from contest.infra import clock
from contest.management.demo import making
from contest.models import Post
from solvers.sokoban import Level
from tests import cast, chain
from tests.contest.outreach.test_posts import a_post

pytestmark = pytest.mark.django_db


def carried_out(*words) -> str:
    told = StringIO()
    call_command(*map(str, words), stdout=told, stderr=StringIO())
    return told.getvalue()


def test_sweep_judges_what_waits_and_archive_writes_a_round_that_is_over(tmp_path, monkeypatch):
    monkeypatch.setattr(signal, "signal", lambda *_given: None)
    with clock.set_to(cast.DURING):
        cast.a_round()
        cast.send("Ann", "rR")
    file = tmp_path / "round-1.zip"
    with clock.set_to(cast.AFTER):
        with pytest.raises(CommandError, match="waits for its verdict"):
            carried_out("archive", 1, file)
        assert "Judged: 1" in carried_out("sweep")
        chain.append_all()
        told = carried_out("archive", 1, file)
    assert f"{file}: {file.stat().st_size:,} bytes" in told


def test_render_posts_names_what_cannot_be_shown_any_more():
    a_post()
    assert carried_out("render_posts") == "Posts shown otherwise than before: 0.\n"
    Post.objects.update(text_en="![picture](/x)")
    with pytest.raises(CommandError, match="rendered any more: hello"):
        carried_out("render_posts")


def test_make_levels_leaves_out_the_levels_of_other_files(tmp_path, monkeypatch):
    given, file, known = tmp_path / "known.xsb", tmp_path / "own.sok", []
    given.write_text(cast.CORRIDOR)
    monkeypatch.setattr(making, "make", lambda keys, report: known.extend(keys) or report(1) or "made")
    assert "1 known levels" in carried_out("make_levels", file, "--not-in", given)
    assert (known, file.read_text()) == ([Level.parse(cast.CORRIDOR).key], "made")
