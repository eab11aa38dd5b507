"""The three wheels: what is in them, and that it does what their pages say where nothing else is installed."""

import os
import subprocess
import sys
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path

import leitai
import pytest
from hatchling.builders.wheel import WheelBuilder
from packaging.requirements import Requirement

import solvers

ROOT = Path(__file__).parent.parent
FOLDERS = {"leitai-solvers": ".", "leitai": "client", "leitai-server": "contest"}
# What of the checkout is in each wheel, and where.
CONTENTS = {
    "leitai-solvers": {"solvers": "solvers"},
    "leitai": {"client/leitai": "leitai"},
    "leitai-server": {"contest": "contest", "templates": "contest/templates", "docs/site": "contest/docs/site"},
}
COMMANDS = {
    "leitai-solvers": ("sokoban", "klotski", "knights", "games"),
    "leitai": ("leitai",),
    "leitai-server": ("leitai-server",),
}

pytestmark = [pytest.mark.xdist_group("wheels")]


@pytest.fixture(scope="module")
def wheels(tmp_path_factory) -> dict[str, Path]:
    """Each wheel, built once in this process."""
    folder = str(tmp_path_factory.mktemp("wheels"))
    builders = {name: WheelBuilder(str(ROOT / source)) for name, source in FOLDERS.items()}
    return {
        name: Path(next(builder.build(directory=folder, versions=["standard"]))) for name, builder in builders.items()
    }


@pytest.mark.parametrize("name", FOLDERS)
def test_a_wheel_has_the_whole_package_with_its_types_and_commands(wheels, name):
    names = set(zipfile.ZipFile(wheels[name]).namelist())
    for folder, place in CONTENTS[name].items():
        files = {str(path.relative_to(ROOT / folder)) for path in (ROOT / folder).rglob("*") if path.is_file()}
        wanted = {f"{place}/{file}" for file in files - {"pyproject.toml"} if "__pycache__" not in file}
        assert wanted <= names
    assert f"{next(iter(CONTENTS[name].values()))}/py.typed" in names
    (built,) = metadata.distributions(path=[str(wheels[name])])
    assert {command.name for command in built.entry_points if callable(command.load())} == set(COMMANDS[name])


def test_a_wheel_has_manuals_and_completions_of_its_commands(wheels):
    for name in ("leitai-solvers", "leitai"):
        names = {one.partition(".data/data/share/")[2] for one in zipfile.ZipFile(wheels[name]).namelist()}
        for command in COMMANDS[name]:
            assert f"man/man1/{command}.1" in names
            assert f"bash-completion/completions/{command}" in names
            assert f"zsh/site-functions/_{command}" in names
            assert f"fish/vendor_completions.d/{command}.fish" in names


def test_the_server_has_the_pages_that_it_shows(wheels):
    names = zipfile.ZipFile(wheels["leitai-server"]).namelist()
    assert {f"contest/docs/{page}" for page in ("api.md", "rules.md", "rules.zh-hans.md")} <= set(names)


# Run where nothing else can be imported


class Place:
    """A folder with nothing in it but wheels of ours and what they ask for; no checkout can be seen from there."""

    def __init__(self, folder: Path, *ours: Path) -> None:
        self.folder, self.packages = folder, folder / "packages"
        for wheel in ours:
            zipfile.ZipFile(wheel).extractall(self.packages)
        own = {found.metadata["Name"]: found for found in metadata.distributions(path=[str(self.packages)])}
        self.links = set(own)
        for found in own.values():
            self.link_what_it_requires(found, extras=set())

    def link_what_it_requires(self, package: metadata.Distribution, extras: set[str]) -> None:
        """Make the requirements seen here, from where the tests have them: nothing is fetched."""
        for wanted in map(Requirement, package.requires or []):
            is_needed = not wanted.marker or any(wanted.marker.evaluate({"extra": extra}) for extra in {"", *extras})
            if not is_needed or wanted.name in self.links:
                continue
            self.links.add(wanted.name)
            found = metadata.distribution(wanted.name)
            assert wanted.specifier.contains(found.version), f"{wanted}, and {found.version} is there"
            tops = {file.parts[0] for file in found.files or [] if file.parts[0] not in {"..", "__pycache__"}}
            for top in tops:
                if not (self.packages / top).exists():
                    (self.packages / top).symlink_to(Path(str(found.locate_file(top))))
            self.link_what_it_requires(found, wanted.extras)

    def run(self, *words: str, **env: str) -> str:
        """What Python says to *words* there, without the packages of this environment."""
        env = {"PYTHONPATH": str(self.packages), "HOME": str(self.folder), "PATH": os.defpath, **env}
        done = subprocess.run([sys.executable, "-S", *words], cwd=self.folder, env=env, capture_output=True, check=True)
        return done.stdout.decode()


@pytest.mark.exhaustive
def test_library_and_client_run_alone(wheels, tmp_path):
    place = Place(tmp_path, wheels["leitai-solvers"], wheels["leitai"])
    for name in COMMANDS["leitai-solvers"]:
        assert place.run("-m", f"solvers.{name}", "--version") == f"leitai-solvers {solvers.__version__}\n"
    assert "LEITAI_URL" in place.run("-m", "leitai", "--help")
    assert place.run("-c", "import leitai; print(leitai.Client is not None)") == "True\n"


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


@pytest.mark.exhaustive
def test_the_server_runs_alone_with_its_pages_rules_migrations_and_files(wheels, tmp_path):
    place = Place(tmp_path, wheels["leitai-solvers"], wheels["leitai-server"])
    settings = {"SECRET_KEY": "x" * 50, "EMBEDDED": "1", "ALLOWED_HOSTS": "localhost", "DATA_DIR": str(tmp_path)}
    assert "no issues" in place.run("-m", "contest", "check", **settings)
    assert place.run("-c", LOOK, **settings).splitlines()[-1] == str(place.packages / "contest" / "__init__.py")


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
