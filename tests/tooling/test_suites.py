"""Test runs do not use services or data of the developer."""

import sys

import pytest

from contest.rendering.share_cards import has_chinese
from tooling import suites


@pytest.mark.parametrize("words", [["--limit"], ["--limit", "-1"], ["--limit", "--exhaustive"], ["--slow"]])
def test_words_that_mean_nothing_are_refused(words):
    assert suites.read_options(words) is None


def test_tests_cannot_reach_what_a_developers_variables_name(tmp_path, monkeypatch):
    """And bytecode is cached for the other processes of the run."""
    for name, value in {"DATABASE_URL": "postgres://precious", "DEBUG": "1", "PYTHONDONTWRITEBYTECODE": "1"}.items():
        monkeypatch.setenv(name, value)
    env = suites.test_environment(tmp_path)
    assert env["DATABASE_URL"].startswith("sqlite:///")
    assert not {"DEBUG", "PYTHONDONTWRITEBYTECODE"} & set(env)


@pytest.mark.parametrize(("fonts", "is_there"), [("droid_alone", True), ("no_font", False)])
def test_a_font_is_there_when_it_has_the_letters_that_are_drawn(fonts, is_there, request, monkeypatch):
    request.getfixturevalue(fonts)
    monkeypatch.setattr(suites, "PYTHON", sys.executable)
    assert suites.draws_chinese() == has_chinese() == is_there


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """A machine without a browser, and a function that adds one; each prints its version."""
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))

    def give(name):
        path = tmp_path / name
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)
        return str(path)

    return give


def test_pages_are_shown_by_the_browser_without_windows_where_there_is_one_unless_one_is_given(programs, monkeypatch):
    assert suites.browser_of_pages() is None
    whole = programs("chromium")
    assert suites.browser_of_pages() == whole
    light = programs(suites.SHELL)
    assert suites.browser_of_pages() == light
    assert suites.browser() == whole, "extensions need it"
    monkeypatch.setenv("CHROMIUM", given := programs("my-chromium"))
    assert suites.browser_of_pages() == given
