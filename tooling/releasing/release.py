"""`dev.py release`: set the version, date the changelog, build the four packages and check them.

All of it happens in a copy of the committed files. Only if everything succeeds are the packages and the changed
files copied back.
"""

from __future__ import annotations

import datetime
import re
import shutil
import subprocess
import tempfile
import tomllib
from pathlib import Path

from tooling.environment import DEV, PYTHON, prepare, set_up
from tooling.folders import ROOT
from tooling.releasing.packages import FOLDERS, SITE
from tooling.terminal import Problem, cause, print_line

# Everything that goes into the packages or contains the version.
FILES = ("pyproject.toml", "LICENSE", "CHANGELOG.md", "CITATION.cff")
TREES = ("solvers", "client", "gym", "contest", "templates", "docs", "extension")
PROJECTS = tuple(f"{folder}/pyproject.toml" for folder in FOLDERS.values())
# Each file with the texts that contain the version.
VERSIONED = {
    **dict.fromkeys(PROJECTS, (r'^version = "{}"$', r'"leitai(?:-solvers(?:\[solving\])?)?=={}"')),
    "solvers/__init__.py": ('^__version__ = "{}"$',),
    "client/leitai/version.py": ('^__version__ = "{}"$',),
    "gym/leitai_gym/__init__.py": ('^__version__ = "{}"$',),
    "extension/manifest.json": ('^  "version": "{}",$',),
    "CITATION.cff": ("^version: {}$",),
}
_SECTION = re.compile(r"^## Unreleased\n\n(?=- )", re.MULTILINE)


def read_options(arguments: list[str]) -> tuple[str, bool] | None:
    """Return the version and whether it is a dry run; None if *arguments* are invalid.

    >>> read_options(["1.2.3", "--dry-run"]), read_options(["1.2.3"]), read_options([])
    (('1.2.3', True), ('1.2.3', False), None)
    """
    words = [word for word in arguments if word != "--dry-run"]
    return (words[0], len(words) < len(arguments)) if len(words) == 1 and words[0][0] != "-" else None


def release(version: str, dry_run: bool) -> int:  # noqa: FBT001 - the pair that read_options returns
    """Build and check the packages of *version*; without *dry_run* also change the checkout."""
    check_version(version)
    obstacles = find_obstacles()
    if obstacles and not dry_run:
        raise Problem(f"Before the release: {'; '.join(obstacles)}.")
    prepare(DEV)
    with tempfile.TemporaryDirectory() as scratch:
        copy, dist = Path(scratch) / "copy", Path(scratch) / "dist"
        copy_sources(copy)
        changed = write_version(copy, version, datetime.datetime.now(datetime.UTC).date())
        packages = build(copy, dist)
        for path in packages:
            print_line(f"{path.name}  {path.stat().st_size:,} bytes")
        if dry_run:
            print_line("Built and checked. Nothing was changed: this was a dry run. The release itself ends with:")
        else:
            shutil.copytree(dist, ROOT / "dist", dirs_exist_ok=True)
            # The file with the present version is the last one: until then the release can be repeated.
            for name in sorted(changed, key=PROJECTS[0].__eq__):
                shutil.copyfile(copy / name, ROOT / name)
    print_line(next_steps(version, [path.name for path in packages], obstacles))
    return 0


def check_version(version: str) -> None:
    """Raise Problem unless *version* is X.Y.Z and later than the present one."""
    if not re.fullmatch(r"(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}", version):
        raise Problem(f"{version} is not a version; write X.Y.Z, such as 1.2.3.")
    present = present_version(ROOT)
    if _as_numbers(version) <= _as_numbers(present):
        raise Problem(f"{version} is not later than the present version {present}.")


def present_version(root: Path) -> str:
    return str(tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"])


def _as_numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def find_obstacles() -> list[str]:
    """Return what must be done before a release: such packages would be wrong."""
    obstacles = []
    if changes := _git("status", "--porcelain").splitlines():
        names = ", ".join(line[3:] for line in changes[:5])
        obstacles.append(f"commit or undo (git restore .) what is not committed ({names})")
    migrations = sorted(file.stem for file in (ROOT / "contest" / "migrations").glob("[0-9]*.py"))
    if unreleased := [name for name in migrations if not re.fullmatch(r"\d{4}_v\d+_\d+_\d+", name)]:
        obstacles.append(f"squash the migrations, see CONTRIBUTING.md ({', '.join(unreleased)})")
    if SITE.endswith(".example"):
        obstacles.append(f"replace the placeholder {SITE} (tooling/releasing/packages.py)")
    if re.search(r"\[contact address|维护者联系地址", (ROOT / "CODE_OF_CONDUCT.md").read_text("utf-8")):
        obstacles.append("write the contact address into both languages of CODE_OF_CONDUCT.md")
    return obstacles


def copy_sources(target: Path) -> None:
    """Copy what the packages are built from: only files that git tracks, no settings or notes of this machine."""
    for name in _git("ls-files", "-z", "--", *FILES, *TREES).strip("\0").split("\0"):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target / name)


def _git(*arguments: str) -> str:
    """Return the output of a git command in the checkout; raise Problem if it fails."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Problem(f"git {arguments[0]}: {cause(done.stderr)}")
    return done.stdout


def write_version(root: Path, version: str, date: datetime.date) -> list[str]:
    """Replace the version in all files and date the changelog; return the names of the changed files."""
    present = present_version(root)
    for name, patterns in VERSIONED.items():
        text = before = (root / name).read_text("utf-8")
        for pattern in patterns:
            found = re.compile(pattern.format(re.escape(present)), re.MULTILINE)
            text = found.sub(lambda match: match[0].replace(present, version), text)
        if text == before:
            raise Problem(f"{name} does not contain the version {present}.")
        (root / name).write_text(text, "utf-8")
    citation = root / "CITATION.cff"
    dated = re.sub(r"(?m)^date-released: .*$", f"date-released: {date:%Y-%m-%d}", citation.read_text("utf-8"))
    citation.write_text(dated, "utf-8")
    changelog = root / "CHANGELOG.md"
    heading = f"## Unreleased\n\n## {version}, {date:%Y-%m-%d}\n\n"
    text, count = _SECTION.subn(heading, changelog.read_text("utf-8"), count=1)
    if not count:
        raise Problem('CHANGELOG.md has no line under "## Unreleased".')
    changelog.write_text(text, "utf-8")
    return [*VERSIONED, changelog.name]


def build(root: Path, dist: Path) -> list[Path]:
    """Build source distribution and wheel of each package, the wheel from the former, and check them with twine."""
    dist.mkdir()
    log = dist.parent / "build.log"
    options = ["--no-build-isolation", "--python", str(PYTHON), "--out-dir", str(dist)]
    for name, folder in FOLDERS.items():
        set_up(f"build {name}", [str(PYTHON.with_name("uv")), "build", *options, str(root / folder)], log)
    packages = sorted([*dist.glob("*.tar.gz"), *dist.glob("*.whl")])
    set_up("check the packages", [str(PYTHON), "-m", "twine", "check", "--strict", *map(str, packages)], log)
    return packages


def next_steps(version: str, packages: list[str], obstacles: list[str]) -> str:
    """Return the commands that only the owner of the project runs, after a dry run with the *obstacles*."""
    lines = [f"Before it: {obstacle}." for obstacle in obstacles]
    backup = f"tests/data/released/{version}.zip"
    if not (ROOT / backup).exists():
        lines.append(f"Before the commit: make {backup}, a backup of the demo (CONTRIBUTING.md).")
    lines += [
        f"git add {backup}",
        f"git commit -a -m 'Release {version}'",
        f"git tag -a v{version} -m 'Leitai {version}'",
        f"git push origin HEAD v{version}",
        f".venv/bin/python -m twine upload {' '.join(f'dist/{name}' for name in packages)}",
    ]
    return "\n".join(lines)
