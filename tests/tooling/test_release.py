import datetime
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from tooling.folders import ROOT
from tooling.releasing import release
from tooling.terminal import Problem

DATE = datetime.date(2030, 1, 31)
OBSTACLES = {
    "contest/notes.txt": ("mine", r"not committed \(contest/notes\.txt\)"),
    "contest/migrations/0002_webhook_language.py": ("", r"squash .*\(0002_webhook_language\)"),
    "CODE_OF_CONDUCT.md": ("[contact address of the maintainers]", r"contact address .*CODE_OF_CONDUCT\.md"),
}


@pytest.fixture
def copy(tmp_path):
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
        assert old not in re.findall(r"^.*version\b.*?([\d.]+)\W*$", (copy / name).read_text(), re.MULTILINE)
    assert "\nversion: 98.7.6\ndate-released: 2030-01-31\n" in (copy / "CITATION.cff").read_text()


def test_a_release_dates_the_unreleased_section_and_begins_an_empty_one(copy):
    release.write_version(copy, "98.7.6", DATE)
    expected = "# Changes\n\n## Unreleased\n\n## 98.7.6, 2030-01-31\n\n- New.\n\n## 0.1.0, 2026-01-01\n\n- First.\n"
    assert (copy / "CHANGELOG.md").read_text() == expected
    with pytest.raises(Problem, match="no line under"):
        release.write_version(copy, "98.7.7", DATE)


@pytest.mark.parametrize("version", ["1.2", "01.2.3", "../1.2.3", "0.0.1", "present"])
def test_a_version_must_be_x_y_z_and_later(version):
    present = release.present_version(ROOT)
    with pytest.raises(Problem, match=r"X\.Y\.Z|not later"):
        release.check_version(present if version == "present" else version)


@pytest.fixture
def checkout(copy, monkeypatch):
    """A checkout that is ready for a release, all of it committed; the build is a stub that lists its sources."""
    files = {
        ".gitignore": ".env\n/dist/\n",
        "CODE_OF_CONDUCT.md": "Write to people@leitai.org.\n",
        "contest/migrations/0001_v0_1_0.py": "",
    }
    for name, text in files.items():
        (copy / name).parent.mkdir(exist_ok=True)
        (copy / name).write_text(text)
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):  # a hook of git sets them for the real checkout
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(release, "ROOT", copy)
    monkeypatch.setattr(release, "SITE", "https://leitai.org")
    monkeypatch.setattr(release, "prepare", lambda _lock: None)
    monkeypatch.setattr(release, "build", list_sources)
    git(copy, "init", "--quiet")
    commit(copy)
    return copy


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=Tester", "-c", "user.email=tester@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True)


def commit(folder: Path) -> None:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "All")


def list_sources(root: Path, dist: Path) -> list[Path]:
    """Stand in for `release.build`: write one package, which lists the files it is built from."""
    dist.mkdir()
    package = dist / "leitai.whl"
    package.write_text("\n".join(str(file.relative_to(root)) for file in root.rglob("*") if file.is_file()))
    return [package]


def test_a_release_builds_from_committed_files_only(checkout):
    (checkout / "contest/.env").write_text("SECRET_KEY=secret")
    assert release.release("98.7.6", dry_run=False) == 0
    packaged = (checkout / "dist/leitai.whl").read_text().splitlines()
    assert "contest/.env" not in packaged
    assert "contest/migrations/0001_v0_1_0.py" in packaged
    assert release.present_version(checkout) == "98.7.6"


@pytest.mark.parametrize("name", [*OBSTACLES, "placeholder"])
def test_a_release_is_refused_before_the_build_and_a_dry_run_says_why(name, checkout, monkeypatch, capsys):
    if name == "placeholder":
        monkeypatch.setattr(release, "SITE", "https://leitai.example")
    text, message = OBSTACLES.get(name, ("", r"placeholder https://leitai\.example"))
    if name in OBSTACLES:
        (checkout / name).write_text(text)
        if name != "contest/notes.txt":
            commit(checkout)
    with pytest.raises(Problem, match=message):
        release.release("98.7.6", dry_run=False)
    assert not (checkout / "dist").exists()
    assert release.release("98.7.6", dry_run=True) == 0
    output = capsys.readouterr().out
    assert re.search(f"^Before it: .*{message}", output, re.MULTILINE)
