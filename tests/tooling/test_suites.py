"""What runs in tests cannot reach what is not theirs."""

from tooling import suites


def test_tests_cannot_reach_what_a_developers_variables_name(tmp_path, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgres://precious")
    monkeypatch.setenv("DEBUG", "1")
    env = suites.test_environment(tmp_path)
    assert env["DATABASE_URL"].startswith("sqlite:///")
    assert "DEBUG" not in env
