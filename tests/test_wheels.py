"""The three wheels: built, installed where nothing else is, and doing there what their pages say."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
from importlib import metadata
from pathlib import Path

import leitai
import pytest
from packaging.requirements import Requirement

import solvers
from tests.solvers.test_docs import PAGES, blocks, make_ladder

ROOT = Path(__file__).parent.parent
FOLDERS = {"leitai-solvers": ".", "leitai": "client", "leitai-server": "contest"}
NEEDS_COMPILER = "Solving needs numba and numpy, which are not installed"

pytestmark = [pytest.mark.xdist_group("wheels")]


def run(*words: object, **more) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **more)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def wheels(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("wheels")
    for source in FOLDERS.values():
        run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=ROOT / source)
    return {name: next(folder.glob(f"{name.replace('-', '_')}-*.whl")) for name in FOLDERS}


class Place:
    """An environment with nothing in it but wheels of ours and what they ask for."""

    def __init__(self, folder: Path, *ours: Path) -> None:
        venv.create(folder, with_pip=False)
        self.folder, self.bin = folder, folder / "bin"
        self.packages = next(folder.glob("lib/python3*/site-packages"))
        installer = [shutil.which("uv", path=str(Path(sys.executable).parent)) or "uv", "pip", "install", "--offline"]
        run(*installer, "--no-index", "--no-deps", "--python", self.bin / "python", *ours)
        own = {found.metadata["Name"]: found for found in metadata.distributions(path=[str(self.packages)])}
        self.links = set(own)
        for found in own.values():
            self.link_what_it_requires(found, extras=set())

    def link_what_it_requires(self, package: metadata.Distribution, extras: set[str]) -> None:
        """Make the requirements seen here, from where the tests have them: nothing is fetched."""
        for text in package.requires or []:
            wanted = Requirement(text)
            if wanted.marker and not any(wanted.marker.evaluate({"extra": extra}) for extra in {"", *extras}):
                continue
            if wanted.name in self.links:
                continue
            self.links.add(wanted.name)
            found = metadata.distribution(wanted.name)
            assert wanted.specifier.contains(found.version), f"{text}, and {found.version} is there"
            tops = {file.parts[0] for file in found.files or [] if file.parts[0] not in {"..", "__pycache__"}}
            for top in tops:
                if not (self.packages / top).exists():
                    (self.packages / top).symlink_to(Path(str(found.locate_file(top))))
            self.link_what_it_requires(found, wanted.extras)

    def command(self, text: str, folder: Path) -> str:
        """What a line of a shell says, run in *folder*; no checkout can be seen from there."""
        env = {"PATH": f"{self.bin}:{os.defpath}", "HOME": str(folder), "PYTHONIOENCODING": "utf-8"}
        done = subprocess.run(["sh", "-c", f"{text} 2>&1"], cwd=folder, env=env, capture_output=True, check=False)
        return done.stdout.decode()


@pytest.fixture(scope="module")
def library(wheels, tmp_path_factory) -> Place:
    return Place(tmp_path_factory.mktemp("library"), wheels["leitai-solvers"])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_library_answers_as_its_pages_say(library, tmp_path, page):
    make_ladder(tmp_path)
    told = 0
    for block in blocks(page):
        for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            said = library.command(command, tmp_path)
            told += said == expected
            assert said == expected or NEEDS_COMPILER in said or "No module named 'num" in said, command
    assert told >= 3


@pytest.mark.parametrize("name", ["sokoban", "klotski", "knights", "games"])
def test_each_puzzle_has_a_command(library, tmp_path, name):
    assert "usage:" in library.command(f"{name} --help", tmp_path)
    assert library.command(f"{name} --version", tmp_path) == f"leitai-solvers {solvers.__version__}\n"
    assert (library.folder / f"share/man/man1/{name}.1").read_text().startswith(".TH")
    assert (library.folder / f"share/bash-completion/completions/{name}").exists()
    assert (library.folder / f"share/zsh/site-functions/_{name}").read_text().startswith(f"#compdef {name}\n")
    assert (library.folder / f"share/fish/vendor_completions.d/{name}.fish").exists()


def test_types_go_along(wheels):
    for name, package in (("leitai-solvers", "solvers"), ("leitai", "leitai"), ("leitai-server", "contest")):
        assert f"{package}/py.typed" in run(sys.executable, "-m", "zipfile", "-l", wheels[name]).stdout


def test_the_client_has_its_command(wheels, tmp_path):
    place = Place(tmp_path / "place", wheels["leitai"])
    assert "LEITAI_URL" in place.command("leitai --help", tmp_path)
    assert (place.folder / "share/man/man1/leitai.1").exists()
    shells = (
        "bash-completion/completions/leitai",
        "zsh/site-functions/_leitai",
        "fish/vendor_completions.d/leitai.fish",
    )
    assert all((place.folder / "share" / file).exists() for file in shells)
    assert "True" in place.command("python -c 'import leitai; print(leitai.Client is not None)'", tmp_path)


LOOK = """
import contest.wsgi
from django.contrib.staticfiles import finders
from django.db.migrations.loader import MigrationLoader
from django.template.loader import get_template
from contest.web.pages.reading import DOCS
get_template("contest/home/home.html")
assert finders.find("contest/player/rules/level.js")
assert {"api.md", "rules.md", "rules.zh-hans.md", "site"} <= {path.name for path in DOCS.iterdir()}
assert len(MigrationLoader(None).graph.leaf_nodes("contest")) == 1
print(contest.__file__)
"""


def test_the_server_has_its_pages_rules_migrations_and_files(wheels, tmp_path):
    place = Place(tmp_path / "place", wheels["leitai-solvers"], wheels["leitai-server"])
    settings = f"export SECRET_KEY={'x' * 50} EMBEDDED=1 ALLOWED_HOSTS=localhost DATA_DIR={tmp_path};"
    assert "no issues" in place.command(f"{settings} leitai-server check", tmp_path)
    (tmp_path / "look.py").write_text(LOOK)
    said = place.command(f"{settings} python look.py", tmp_path).splitlines()[-1]
    assert said == str(place.packages / "contest" / "__init__.py")


def test_the_server_asks_for_what_the_site_runs_on():
    project = tomllib.loads((ROOT / "contest" / "pyproject.toml").read_text())["project"]
    listed = [line.split("#")[0].strip() for line in (ROOT / "requirements" / "base.in").read_text().splitlines()]
    assert project["dependencies"][1:] == [line for line in listed if line]


def test_all_three_have_one_version():
    projects = [tomllib.loads((ROOT / folder / "pyproject.toml").read_text())["project"] for folder in FOLDERS.values()]
    assert {project["name"] for project in projects} == set(FOLDERS)
    version = {project["version"] for project in projects}
    version |= {leitai.__version__, solvers.__version__}  # which the client tells the site, and commands who asks
    assert len(version) == 1
    assert f"leitai-solvers=={version.pop()}" in projects[-1]["dependencies"]
