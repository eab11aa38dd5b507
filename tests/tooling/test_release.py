"""A release sets every version, dates the changelog, and builds packages that PyPI accepts."""

import datetime
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tooling.folders import ROOT
from tooling.releasing import release
from tooling.terminal import Problem

DATE = datetime.date(2030, 1, 31)


@pytest.fixture
def copy(tmp_path):
    """The files that a release changes."""
    for name in (*release.VERSIONED, "CHANGELOG.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text((ROOT / name).read_text())
    (tmp_path / "CHANGELOG.md").write_text("# Changes\n\n## Unreleased\n\n- New.\n\n## 0.1.0, 2026-01-01\n\n- First.\n")
    return tmp_path


def test_a_release_sets_every_version_and_pin(copy):
    old = release.present_version(ROOT)
    release.write_version(copy, "98.7.6", DATE)
    projects = [tomllib.loads((copy / name).read_text())["project"] for name in release.PROJECTS]
    assert {project["version"] for project in projects} == {"98.7.6"}
    assert projects[-1]["dependencies"][0] == "leitai-solvers==98.7.6"
    assert projects[-1]["optional-dependencies"]["solving"] == ["leitai-solvers[solving]==98.7.6"]
    for name in release.VERSIONED:
        assert f'"{old}"' not in (copy / name).read_text()


def test_a_release_dates_the_unreleased_section_and_begins_an_empty_one(copy):
    release.write_version(copy, "98.7.6", DATE)
    expected = "# Changes\n\n## Unreleased\n\n## 98.7.6, 2030-01-31\n\n- New.\n\n## 0.1.0, 2026-01-01\n\n- First.\n"
    assert (copy / "CHANGELOG.md").read_text() == expected
    with pytest.raises(Problem, match="no line under"):
        release.write_version(copy, "98.7.7", DATE)


@pytest.mark.parametrize("version", ["1.2", "v1.2.3", "1.2.3rc1", "01.2.3", "../1.2.3", "0.0.1", "present"])
def test_a_version_must_be_x_y_z_and_later(version):
    present = release.present_version(ROOT)
    with pytest.raises(Problem, match=r"X\.Y\.Z|not later"):
        release.check_version(present if version == "present" else version)


@pytest.mark.parametrize("arguments", [[], ["--dry-run"], ["1.2.3", "--fast"], ["1.2.3", "1.2.4"]])
def test_unknown_arguments_are_refused(arguments):
    assert release.read_options(arguments) is None


@pytest.mark.exhaustive
def test_a_dry_run_builds_and_checks_all_packages_and_changes_nothing(monkeypatch, capsys):
    monkeypatch.setattr(release, "prepare", lambda _lock: None)
    monkeypatch.setattr(release, "PYTHON", Path(sys.executable))
    before = status()
    assert release.release("98.7.6", dry_run=True) == 0
    output = capsys.readouterr().out
    for name in ("leitai", "leitai_server", "leitai_solvers"):
        assert f"dist/{name}-98.7.6.tar.gz" in output
        assert f"dist/{name}-98.7.6-py3-none-any.whl" in output
    assert "git tag -a v98.7.6" in output
    assert status() == before


def status() -> tuple[str, bool]:
    """Return the changed files of the checkout, and whether it has a folder of packages."""
    done = subprocess.run(["git", "diff", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout, (ROOT / "dist").exists()
