"""The workflows of GitHub and the development container run commands of dev.py; `dev.py lint` checks their format."""

import json
import re
import tomllib
from typing import Any

import pytest
import yaml

import dev
from tooling.folders import ROOT

WORKFLOWS: dict[str, dict[str, Any]] = {
    file.stem: yaml.safe_load(file.read_text()) for file in (ROOT / ".github/workflows").iterdir()
}
JOBS = {f"{name}: {job}": steps for name, workflow in WORKFLOWS.items() for job, steps in workflow["jobs"].items()}
CONTAINER = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text())
USAGE = dict(re.findall(r"^ {4}python3 dev\.py ([\w-]+)(.*)", dev.__doc__, re.MULTILINE))
PROJECTS = [
    tomllib.loads(file.read_text())["project"] for file in (ROOT / "pyproject.toml", *ROOT.glob("*/pyproject.toml"))
]


def commands() -> list[str]:
    """Return every line that runs dev.py."""
    steps = [step.get("run", "") for job in JOBS.values() for step in job["steps"]]
    texts = [*steps, CONTAINER["postCreateCommand"], (ROOT / ".ci/run").read_text()]
    return [line.removeprefix("exec ") for text in texts for line in text.splitlines() if "dev.py" in line]


def test_every_command_is_one_of_dev_py():
    assert len(commands()) > 4
    for command in commands():
        assert re.fullmatch(r"python3 dev\.py [\w-]+( --[\w-]+)*", command), command
        _python, _file, act, *options = command.split()
        assert act in USAGE
        assert all(option in USAGE[act] for option in options)


def test_every_change_is_tested_by_the_command_of_the_readme_and_of_ci():
    (job,) = WORKFLOWS["tests"]["jobs"].values()
    assert [step["run"] for step in job["steps"] if "dev.py" in step.get("run", "")] == ["python3 dev.py test"]
    assert {"push", "pull_request"} <= WORKFLOWS["tests"][True].keys(), "YAML reads the key `on` as true"
    assert "exec python3 dev.py test\n" in (ROOT / ".ci/run").read_text()
    assert "\npython3 dev.py test " in (ROOT / "README.md").read_text()


def test_every_supported_python_is_tested():
    matrix = WORKFLOWS["tests"]["jobs"]["tests"]["strategy"]["matrix"]["python"]
    for project in PROJECTS:
        assert project["requires-python"] == f">={matrix[0]}"
        named = re.findall(r"Programming Language :: Python :: (3\.\d+)", "\n".join(project.get("classifiers", [])))
        assert named in ([], matrix)


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_workflow_reads_the_repository_only_and_ends_for_a_newer_run(name):
    assert WORKFLOWS[name]["permissions"] == {"contents": "read"}
    assert WORKFLOWS[name]["concurrency"]["cancel-in-progress"] is True


@pytest.mark.parametrize("name", JOBS)
def test_a_job_pins_its_actions_and_only_the_deployment_may_write(name):
    job = JOBS[name]
    assert "permissions" not in job or name == "docs: deploy"
    for step in job["steps"]:
        assert re.fullmatch(r"actions/[\w-]+@v\d+", step.get("uses", "actions/none@v1"))
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"] == {"persist-credentials": False}


def test_the_citation_names_the_version_of_the_packages():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["version"] == PROJECTS[0]["version"]
    assert f"## {citation['version']}, {citation['date-released']}" in (ROOT / "CHANGELOG.md").read_text()
