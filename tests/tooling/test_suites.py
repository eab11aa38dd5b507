import pytest

from tooling import suites


@pytest.mark.parametrize("arguments", [["--limit"], ["--limit", "-1"], ["--limit", "--exhaustive"], ["--slow"]])
def test_unknown_arguments_are_refused(arguments):
    assert suites.read_options(arguments) is None


def test_the_developers_environment_variables_are_hidden_from_tests(tmp_path, monkeypatch):
    """And bytecode is cached for the other processes of the run."""
    for name, value in {"DATABASE_URL": "postgres://precious", "DEBUG": "1", "PYTHONDONTWRITEBYTECODE": "1"}.items():
        monkeypatch.setenv(name, value)
    env = suites.test_environment(tmp_path)
    assert env["DATABASE_URL"].startswith("sqlite:///")
    assert not {"DEBUG", "PYTHONDONTWRITEBYTECODE"} & set(env)
