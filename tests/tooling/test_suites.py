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


def test_pages_use_the_headless_browser_unless_another_one_is_given(programs, monkeypatch):
    assert suites.browser_of_pages() is None
    whole = programs("chromium")
    assert suites.browser_of_pages() == whole
    light = programs(suites.SHELL)
    assert suites.browser_of_pages() == light
    assert suites.find_browser() == whole, "extensions need it"
    monkeypatch.setenv("CHROMIUM", given := programs("my-chromium"))
    assert suites.browser_of_pages() == given


def test_results_and_logs_of_a_run_are_kept_in_the_folder_that_reports_names(tmp_path):
    for name in ("scratch/sqlite.xml", "scratch/node.tap", "scratch/mypy.log", "scratch/data/db.sqlite3", "kept/old"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    suites.keep_reports(tmp_path / "scratch", tmp_path / "kept")
    assert {file.name for file in (tmp_path / "kept").iterdir()} == {"sqlite.xml", "node.tap", "mypy.log", "old"}
