"""The four packages share their metadata, and PyPI can show their READMEs; `python -m tooling.lint.packages`."""

import re
import sys
import tomllib
from collections.abc import Iterator

from tooling.folders import ROOT
from tooling.releasing.packages import FOLDERS, PYTHONS, README_FOLDERS, SHARED
from tooling.terminal import print_line

VERSIONED = ("solvers/__init__.py", "client/leitai/version.py", "gym/leitai_gym/__init__.py")
LICENCES = [("MIT", "LICENSE"), ("MIT AND OFL-1.1", "LICENSE")]
PROJECTS = {
    name: tomllib.loads((ROOT / folder / "pyproject.toml").read_text("utf-8"))["project"]
    for name, folder in FOLDERS.items()
}


def find_breaches() -> Iterator[str]:
    for name in FOLDERS:
        yield from check_metadata(name)
        yield from check_readme(name)
    yield from check_requirements()


def check_metadata(name: str) -> Iterator[str]:
    project = PROJECTS[name]
    if {"name": project["name"], **{key: project.get(key) for key in SHARED}} != {"name": name, **SHARED}:
        yield f"{name}: the metadata are not those that the packages share"
    if (project["license"], project["license-files"][0]) not in LICENCES:
        yield f"{name}: the licence is another"
    if (ROOT / FOLDERS[name] / "LICENSE").read_text("utf-8") != (ROOT / "LICENSE").read_text("utf-8"):
        yield f"{name}: LICENSE is another text"
    pythons = [text.rpartition(" ")[2] for text in project["classifiers"] if ":: Python ::" in text]
    if tuple(pythons) != PYTHONS:
        yield f"{name}: the versions of Python are others"


def check_readme(name: str) -> Iterator[str]:
    """Check the links and the first example: PyPI does not show files of the repository."""
    text = (ROOT / README_FOLDERS[name] / "README.md").read_text("utf-8")
    links = set(re.findall(r"\]\(([^)]*)\)", text))
    if not links or links - set(SHARED["urls"].values()):
        yield f"{name}: README.md links to other addresses than those of the project"
    if len(re.findall(r"```sh\n(.*?)```", text, re.DOTALL)[0].splitlines()) > 10:
        yield f"{name}: README.md has a first example of more than ten lines"


def check_requirements() -> Iterator[str]:
    """Check that the server requires the packages of the site, and that all four have one version."""
    server = PROJECTS["leitai-server"]
    if server["dependencies"][1:] != _listed("base"):
        yield "leitai-server: the dependencies are not those of requirements/base.in"
    extras = server["optional-dependencies"]
    if extras["beacon"] + extras["sentry"] + extras["otel"] != _listed("monitoring"):
        yield "leitai-server: the extras are not those of requirements/monitoring.in"
    modules = [(ROOT / file).read_text("utf-8") for file in VERSIONED]
    printed = {version for text in modules for version in re.findall(r'^__version__ = "(.+)"$', text, re.MULTILINE)}
    versions = {project["version"] for project in PROJECTS.values()} | printed
    if len(versions) != 1 or f"leitai-solvers=={versions.pop()}" not in server["dependencies"]:
        yield "the packages, or what they print, have several versions"


def _listed(name: str) -> list[str]:
    lines = (ROOT / "requirements" / f"{name}.in").read_text("utf-8").splitlines()
    return [line.split("#")[0].strip() for line in lines if line and line[0] not in "#-"]


if __name__ == "__main__":
    problems = list(find_breaches())
    for line in problems:
        print_line(line)
    sys.exit(1 if problems else 0)
