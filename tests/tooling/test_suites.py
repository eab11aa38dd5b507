"""What runs in tests cannot reach what is not theirs."""

import pytest

from tooling import suites


@pytest.mark.parametrize("words", [["--limit"], ["--limit", "-1"], ["--limit", "--fast"], ["--slow"]])
def test_words_that_mean_nothing_are_refused(words):
    assert suites.read_options(words) is None


def test_tests_cannot_reach_what_a_developers_variables_name(tmp_path, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgres://precious")
    monkeypatch.setenv("DEBUG", "1")
    env = suites.test_environment(tmp_path)
    assert env["DATABASE_URL"].startswith("sqlite:///")
    assert "DEBUG" not in env
