import shutil
import zipfile
from importlib import metadata
from pathlib import Path

import leitai
import pytest
from hatchling.builders.wheel import WheelBuilder

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
    places = (
        "man/man1/{}.1",
        "bash-completion/completions/{}",
        "zsh/site-functions/_{}",
        "fish/vendor_completions.d/{}.fish",
    )
    for name in ("leitai-solvers", "leitai"):
        files = {path.partition(".data/data/share/")[2] for path in zipfile.ZipFile(wheels[name]).namelist()}
        assert {place.format(command) for command in COMMANDS[name] for place in places} <= files


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


def test_the_server_has_the_pages_that_it_shows(wheels):
    names = zipfile.ZipFile(wheels["leitai-server"]).namelist()
    assert {f"contest/docs/reference/{page}" for page in ("api.md", "rules.md", "rules.zh-hans.md")} <= set(names)
    assert "contest/deploy/Caddyfile" in names  # `leitai-server init` writes one like it
