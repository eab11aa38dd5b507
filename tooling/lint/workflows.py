"""The workflows of GitHub and the development container run commands of dev.py; `python -m tooling.lint.workflows`."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

import dev
from tooling.folders import ROOT
from tooling.terminal import print_line

TEST = "python3 dev.py test"


def find_breaches() -> Iterator[str]:
    """Yield each command that dev.py does not have, each right that no workflow needs, and each untested Python."""
    workflows = {file.stem: yaml.safe_load(file.read_text("utf-8")) for file in (ROOT / ".github/workflows").iterdir()}
    yield from check_commands(workflows)
    yield from check_versions(workflows["tests"])
    for name, workflow in workflows.items():
        if workflow["permissions"] != {"contents": "read"} or not workflow["concurrency"]["cancel-in-progress"]:
            yield f"{name}: a workflow only reads the repository, and ends for a newer run"
        for title, job in workflow["jobs"].items():
            if "permissions" in job and f"{name}: {title}" != "docs: deploy":
                yield f"{name}: {title}: only the deployment may write"
            for step in job["steps"]:
                action = step.get("uses", "actions/none@v1")
                is_checkout = action.startswith("actions/checkout@")
                if not re.fullmatch(r"actions/[\w-]+@v\d+", action):
                    yield f"{name}: {title}: {action} is not pinned, or not GitHub's own"
                if is_checkout and step.get("with") != {"persist-credentials": False}:
                    yield f"{name}: {title}: the checkout keeps its credentials"


def check_commands(workflows: Mapping[str, Any]) -> Iterator[str]:
    """Check that every command is one of dev.py, and that every change is tested by the command of README.md."""
    usage = dict(re.findall(r"^ {4}python3 dev\.py ([\w-]+)(.*)", dev.__doc__ or "", re.MULTILINE))
    jobs = [job for workflow in workflows.values() for job in workflow["jobs"].values()]
    steps = [step.get("run", "") for job in jobs for step in job["steps"]]
    container = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text("utf-8"))["postCreateCommand"]
    texts = [*steps, container, (ROOT / ".ci/run").read_text("utf-8")]
    for line in (line for text in texts for line in text.splitlines() if "dev.py" in line):
        command = re.fullmatch(r"(?:exec )?python3 dev\.py ([\w-]+)((?: --[\w-]+)*)", line)
        act, options = command.groups() if command else ("", "")
        if act not in usage or any(option not in usage[act] for option in options.split()):
            yield f"dev.py has no command {line!r}"
    (job,) = workflows["tests"]["jobs"].values()
    tested = [step["run"] for step in job["steps"] if "dev.py" in step.get("run", "")]
    events = workflows["tests"][True]  # YAML reads the key `on` as true
    if tested != [TEST] or not {"push", "pull_request"} <= events.keys() or f"exec {TEST}\n" not in texts[-1]:
        yield f"a change is tested by another command than {TEST}"
    if f"\n{TEST} " not in (ROOT / "README.md").read_text("utf-8"):
        yield f"README.md: no {TEST}"


def check_versions(tests: Mapping[str, Any]) -> Iterator[str]:
    """Check that every supported version of Python is tested."""
    matrix = tests["jobs"]["tests"]["strategy"]["matrix"]["python"]
    for file in (ROOT / "pyproject.toml", *ROOT.glob("*/pyproject.toml")):
        project = tomllib.loads(file.read_text("utf-8"))["project"]
        named = re.findall(r"Programming Language :: Python :: (3\.\d+)", "\n".join(project.get("classifiers", [])))
        if project["requires-python"] != f">={matrix[0]}" or named not in ([], matrix):
            yield f"{file.relative_to(ROOT)}: the versions of Python are not those of the tests"


if __name__ == "__main__":
    problems = list(find_breaches())
    for line in problems:
        print_line(line)
    sys.exit(1 if problems else 0)
