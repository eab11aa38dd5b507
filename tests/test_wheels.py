"""The four wheels: their contents, and that they run without the checkout."""

import shutil
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import leitai
import pytest
from hatchling.builders.wheel import WheelBuilder

import solvers
from tests.wheels import FOLDERS, build_wheels
from tooling.releasing import release

ROOT = Path(__file__).parent.parent
# Folders of the checkout in each wheel, with their paths in the wheel.
CONTENTS = {
    "leitai-solvers": {"solvers": "solvers"},
    "leitai": {"client/leitai": "leitai"},
    "leitai-gym": {"gym/leitai_gym": "leitai_gym"},
    "leitai-server": {"contest": "contest", "templates": "contest/templates", "docs/site": "contest/docs/site"},
}
# Folders with the name of one that git ignores at the top of the repository.
STATIC = {"leitai-server": ("contest/static/contest",)}
# Files that are for the build, or become metadata.
NOT_INSTALLED = {"pyproject.toml", "hatch_build.py", "README.md", "LICENSE"}
COMMANDS = {
    "leitai-solvers": ("sokoban", "klotski", "knights", "games"),
    "leitai": ("leitai",),
    "leitai-gym": (),
    "leitai-server": ("leitai-server",),
}

pytestmark = [pytest.mark.xdist_group("wheels")]


@pytest.fixture(scope="module")
def wheels(tmp_path_factory) -> dict[str, Path]:
    """Build each wheel once per process."""
    return build_wheels(tmp_path_factory.mktemp("wheels"))


@pytest.mark.parametrize("name", FOLDERS)
def test_a_wheel_has_the_whole_package_with_its_types_and_commands(wheels, name):
    names = set(zipfile.ZipFile(wheels[name]).namelist())
    for folder, place in CONTENTS[name].items():
        files = {str(path.relative_to(ROOT / folder)) for path in (ROOT / folder).rglob("*") if path.is_file()}
        wanted = {f"{place}/{file}" for file in files - NOT_INSTALLED if "__pycache__" not in file}
        assert wanted <= names
    assert f"{next(iter(CONTENTS[name].values()))}/py.typed" in names
    (built,) = metadata.distributions(path=[str(wheels[name])])
    assert {command.name for command in built.entry_points if callable(command.load())} == set(COMMANDS[name])


def test_a_wheel_has_manuals_and_completions_of_its_commands(wheels):
    words = {
        "man/man1/{}.1": b".TH",
        "bash-completion/completions/{}": b"\ncomplete -o",
        "zsh/site-functions/_{}": b"#compdef",
        "fish/vendor_completions.d/{}.fish": b"\ncomplete -c",
    }
    for name in ("leitai-solvers", "leitai"):
        wheel = zipfile.ZipFile(wheels[name])
        files = {path.partition(".data/data/share/")[2]: path for path in wheel.namelist()}
        for command in COMMANDS[name]:
            for place, word in words.items():
                assert word in wheel.read(files[place.format(command)])


def test_manuals_do_not_depend_on_the_build_machine(monkeypatch, tmp_path):
    pages = []
    for number, variables in enumerate(({"LEITAI_URL": "https://internal.example"}, {"COLUMNS": "50"})):
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        folder = tmp_path / str(number)
        wheel = Path(next(WheelBuilder(str(ROOT / "client")).build(directory=str(folder), versions=["standard"])))
        assert list(folder.iterdir()) == [wheel]
        pages.append(zipfile.ZipFile(wheel).read(f"leitai-{leitai.__version__}.data/data/share/man/man1/leitai.1"))
    assert pages[0] == pages[1]


def test_a_wheel_built_in_a_checkout_has_no_file_that_git_ignores(tmp_path):
    release.copy_sources(tmp_path)
    shutil.copy(ROOT / ".gitignore", tmp_path)
    for name, folders in CONTENTS.items():
        for folder in (*folders, *STATIC.get(name, ())):
            (tmp_path / folder / ".env").write_text("SECRET_KEY=x")
        wheel = next(WheelBuilder(str(tmp_path / FOLDERS[name])).build(directory=str(tmp_path), versions=["standard"]))
        names = zipfile.ZipFile(wheel).namelist()
        assert [path for path in names if path.endswith(".env")] == []
        assert f"{next(iter(folders.values()))}/py.typed" in names


def test_bash_completes_the_commands_of_a_wheel(wheels, tmp_path):
    zipfile.ZipFile(wheels["leitai-solvers"]).extractall(tmp_path)
    (completions,) = tmp_path.glob("*.data/data/share/bash-completion/completions/sokoban")
    program = 'source "$1"; COMP_WORDS=(sokoban so); COMP_CWORD=1; _shtab_sokoban; echo "${COMPREPLY[@]}"'
    done = subprocess.run(["bash", "-c", program, "bash", completions], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["solve"]


def test_the_server_has_the_pages_that_it_shows(wheels):
    names = zipfile.ZipFile(wheels["leitai-server"]).namelist()
    assert {f"contest/docs/reference/{page}" for page in ("api.md", "rules.md", "rules.zh-hans.md")} <= set(names)
    assert "contest/deploy/Caddyfile" in names  # `leitai-server init` writes one like it


# Run from a folder that contains no checkout


def run(folder: Path, *arguments: str, **env: str) -> str:
    """Return the output of Python for *arguments* with the wheels unpacked in *folder*."""
    done = subprocess.run([sys.executable, *arguments], cwd=folder, env=env, capture_output=True, check=True)
    return done.stdout.decode()


@pytest.fixture
def unpacked(wheels, tmp_path) -> Path:
    for wheel in wheels.values():
        zipfile.ZipFile(wheel).extractall(tmp_path)
    return tmp_path


@pytest.mark.exhaustive
def test_library_and_client_run_alone(unpacked):
    for name in COMMANDS["leitai-solvers"]:
        assert run(unpacked, "-m", f"solvers.{name}", "--version") == f"leitai-solvers {solvers.__version__}\n"
    assert "LEITAI_URL" in run(unpacked, "-m", "leitai", "--help")


LOOK = """
import contest.wsgi
from django.contrib.staticfiles import finders
from django.db.migrations.loader import MigrationLoader
from django.template.loader import get_template
from contest.web.pages.reading import DOCS
get_template("contest/home/home.html")
assert finders.find("contest/player/rules/level.js")
assert (DOCS / "site").is_dir()
assert {"api.md", "rules.md", "rules.zh-hans.md"} <= {path.name for path in (DOCS / "reference").iterdir()}
assert len(MigrationLoader(None).graph.leaf_nodes("contest")) == 1
print(contest.__file__)
"""


@pytest.mark.exhaustive
def test_the_server_runs_alone_with_its_pages_rules_migrations_and_files(unpacked):
    settings = {"SECRET_KEY": "x" * 50, "EMBEDDED": "1", "ALLOWED_HOSTS": "localhost", "DATA_DIR": str(unpacked)}
    assert "no issues" in run(unpacked, "-m", "contest", "check", **settings)
    assert run(unpacked, "-c", LOOK, **settings).splitlines()[-1] == str(unpacked / "contest" / "__init__.py")
