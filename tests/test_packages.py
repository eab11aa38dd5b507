"""The first examples of the READMEs of the four packages, on every Python."""

import os
import re
import shutil
import socket
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tooling.environment import CONTRACT
from tooling.folders import ROOT
from tooling.processes import Child, answers, stop_children, wait_for
from tooling.releasing import release
from tooling.releasing.packages import FOLDERS, PYTHONS, README_FOLDERS
from tooling.site import Address, is_healthy

PROJECTS = {
    name: tomllib.loads((ROOT / folder / "pyproject.toml").read_text())["project"] for name, folder in FOLDERS.items()
}
READMES = {name: (ROOT / folder / "README.md").read_text() for name, folder in README_FOLDERS.items()}


def first_block(name: str, language: str) -> str:
    return re.findall(rf"```{language}\n(.*?)```", READMES[name], re.DOTALL)[0]


# Each example runs in an environment that contains only its package

SHELL = ("bash", "-euc")
UV = shutil.which("uv", path=str(Path(sys.executable).parent)) or "uv"
LOWEST = "with the oldest dependencies"
ADAPTERS = {"verifiers", "openenv"}  # extras of leitai-gym; each needs another version of the MCP SDK than all others


class Environment:
    """An empty environment of one Python, in which `pip install` takes our packages from a folder."""

    def __init__(self, folder: Path, python: str, dist: Path, port: int) -> None:
        self.folder, self.port = folder, port
        folder.mkdir()
        (folder / "constraints").write_text("".join(f"{name}=={PROJECTS[name]['version']}\n" for name in FOLDERS))
        unwanted = {*CONTRACT, "DJANGO_SETTINGS_MODULE", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE"}
        self.env = {name: value for name, value in os.environ.items() if name not in unwanted} | {
            "PATH": f"{folder}/venv/bin:{os.environ['PATH']}",
            "VIRTUAL_ENV": f"{folder}/venv",
            "UV_FIND_LINKS": str(dist),
            "UV_CONSTRAINT": str(folder / "constraints"),
            "REDIS_URL": "redis://127.0.0.1:1",  # nobody listens there
        }
        self.run(f"{UV} venv -q --python {python} venv")

    def script(self, text: str) -> str:
        return text.replace("pip install", f"{UV} pip install -q").replace("8000", str(self.port))

    def run(self, text: str, *interpreter: str) -> str:
        command = [*(interpreter or SHELL), self.script(text)]
        done = subprocess.run(command, cwd=self.folder, env=self.env, stdout=subprocess.PIPE, check=True)
        return done.stdout.decode()

    def install_lowest(self, name: str) -> None:
        """Install the oldest version of each direct dependency, those of the extras included that go together."""
        extras = " ".join(f"--extra {extra}" for extra in PROJECTS[name]["optional-dependencies"].keys() - ADAPTERS)
        self.run(f"pip install --resolution lowest-direct {extras} -r {ROOT / FOLDERS[name] / 'pyproject.toml'}")


@pytest.fixture(scope="module")
def dist(tmp_path_factory) -> Path:
    """Build all packages, the wheels from the source distributions."""
    folder = tmp_path_factory.mktemp("packages") / "dist"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(release, "PYTHON", Path(sys.executable))
        release.build(ROOT, folder)
    return folder


def find_python(version: str) -> str:
    """Return a Python of this version: from PATH or from pyenv. Skip the test if there is none."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    for program in (shutil.which(f"python{version}"), *pyenv.glob(f"versions/{version}.*/bin/python")):
        if program and answers([str(program), "-c", "import venv"]):  # a shim of pyenv may lead nowhere
            return str(program)
    pytest.skip(f"This machine has no Python {version}.")


@pytest.mark.exhaustive
@pytest.mark.parametrize("version", [*PYTHONS, LOWEST])
def test_the_first_examples_of_the_readmes_run(version, dist, tmp_path):
    python = find_python(PYTHONS[0] if version == LOWEST else version)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    library, client, gym, server = environments = {
        name: Environment(tmp_path / name, python, dist, port) for name in FOLDERS
    }.values()
    if version == LOWEST:
        for name, environment in zip(FOLDERS, environments, strict=True):
            environment.install_lowest(name)
    assert library.run(first_block("leitai-solvers", "sh")) == first_block("leitai-solvers", "text")
    printed = re.findall("  # (.*)", first_block("leitai-solvers", "python"))
    assert library.run(first_block("leitai-solvers", "python"), "python", "-c").splitlines() == printed
    gym.run(first_block("leitai-gym", "sh"))
    assert gym.run(first_block("leitai-gym", "python"), "python", "-c") == first_block("leitai-gym", "text")

    command = [*SHELL, server.script(first_block("leitai-server", "sh"))]
    site = Child("site", command, server.env, server.folder / "log", server.folder)
    site.start()
    try:
        wait_for(
            "The site", site, lambda: is_healthy(Address("127.0.0.1", port), {"ALLOWED_HOSTS": "localhost"}), limit=600
        )
        assert client.run(first_block("leitai", "sh")).splitlines()[-1:] == first_block("leitai", "text").splitlines()
        assert client.run(first_block("leitai", "python"), "python", "-c") == "accepted 15 4\n"
    finally:
        stop_children([site])


@pytest.mark.exhaustive
@pytest.mark.parametrize("extra", sorted(ADAPTERS))
def test_each_adapter_for_language_models_runs_with_its_package(extra, dist, tmp_path):
    environment = Environment(tmp_path / extra, find_python(PYTHONS[0]), dist, 0)
    environment.run(f"pip install 'leitai-gym[{extra}]' pytest")
    test = f"{ROOT}/tests/gym/test_language_models.py -k {extra}"
    printed = environment.run(f"python -m pytest -c /dev/null --noconftest -p no:cacheprovider {test}")
    assert re.search(r" \d+ passed, \d+ deselected", printed), printed
