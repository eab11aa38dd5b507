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


def run_command(*arguments) -> str:
    output = StringIO()
    call_command(*map(str, arguments), stdout=output, stderr=StringIO())
    return output.getvalue()


def test_sweep_judges_waiting_submissions_and_archive_writes_a_finished_round(tmp_path, monkeypatch):
    handlers = {}
    monkeypatch.setattr(signal, "signal", handlers.__setitem__)
    with clock.set_to(cast.DURING):
        cast.a_round()
        cast.send("Ann", "rR")
    file = tmp_path / "round-1.zip"
    with clock.set_to(cast.AFTER):
        with pytest.raises(CommandError, match="waits for its verdict"):
            run_command("archive", 1, file)
        assert "Judged: 1" in run_command("sweep")
        assert set(handlers) == {signal.SIGTERM, signal.SIGINT}
        chain.append_all()
        output = run_command("archive", 1, file)
    assert f"{file}: {file.stat().st_size:,} bytes" in output


def test_render_posts_names_posts_that_can_no_longer_be_rendered():
    a_post()
    assert run_command("render_posts") == "Posts with changed HTML: 0.\n"
    Post.objects.update(text_en="![picture](/x)")
    with pytest.raises(CommandError, match="no longer be rendered: hello"):
        run_command("render_posts")


def test_api_docs_writes_the_tables_of_objects_again(settings, tmp_path):
    page, rewritten = (folder / "docs/reference/api.md" for folder in (settings.TEXTS_DIR, tmp_path))
    rewritten.parent.mkdir(parents=True)
    rewritten.write_text(page.read_text().replace("| member | kind | meaning |", "| member |"))
    settings.TEXTS_DIR = tmp_path
    run_command("api_docs")
    assert rewritten.read_text() == page.read_text()


def test_make_levels_excludes_the_levels_of_other_files(tmp_path, monkeypatch):
    given, file, known = tmp_path / "known.xsb", tmp_path / "own.sok", []
    given.write_text(cast.CORRIDOR)
    monkeypatch.setattr(making, "make", lambda keys, report: known.extend(keys) or report(1) or "made")
    assert "1 known levels" in run_command("make_levels", file, "--not-in", given)
    assert (known, file.read_text()) == ([Level.parse(cast.CORRIDOR).key], "made")
