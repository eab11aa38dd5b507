"""What runs in tests cannot reach what is not theirs."""

import sys

import pytest

from contest.rendering.share_cards import has_chinese
from tooling import suites
from tooling.folders import ROOT


@pytest.mark.parametrize("words", [["--limit"], ["--limit", "-1"], ["--limit", "--exhaustive"], ["--slow"]])
def test_words_that_mean_nothing_are_refused(words):
    assert suites.read_options(words) is None


def test_tests_cannot_reach_what_a_developers_variables_name(tmp_path, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgres://precious")
    monkeypatch.setenv("DEBUG", "1")
    env = suites.test_environment(tmp_path)
    assert env["DATABASE_URL"].startswith("sqlite:///")
    assert "DEBUG" not in env


def test_what_a_run_compiles_is_kept_for_its_other_processes(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    assert "PYTHONDONTWRITEBYTECODE" not in suites.test_environment(tmp_path)


def test_a_font_is_there_when_it_has_the_letters_that_are_drawn(any_fonts, monkeypatch):
    monkeypatch.setattr(suites, "PYTHON", sys.executable)
    assert suites.draws_chinese() == has_chinese()


def test_no_test_of_the_browser_stands_where_its_run_does_not_look():
    mark = "pytest.mark." + "browser"
    marked = [file for file in (ROOT / "tests").rglob("test_*.py") if mark in file.read_text()]
    assert {file.parent.relative_to(ROOT).as_posix() for file in marked} == {suites.BROWSER_TESTS}


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """A machine that has no browser, and a way to give it one; each answers who asks for its version."""
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))

    def give(name):
        path = tmp_path / name
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)
        return str(path)

    return give


def test_pages_are_shown_by_the_browser_without_windows_where_there_is_one(programs):
    assert suites.browser_of_pages() is None
    whole = programs("chromium")
    assert suites.browser_of_pages() == whole
    light = programs(suites.SHELL)
    assert suites.browser_of_pages() == light
    assert suites.browser() == whole, "extensions need it"


def test_a_browser_that_is_given_shows_pages_too(programs, monkeypatch):
    programs(suites.SHELL)
    monkeypatch.setenv("CHROMIUM", given := programs("my-chromium"))
    assert suites.browser_of_pages() == given
