"""The commands for beginners in docs/reference/api.md work as written."""

import io
import json
import re
import shlex
from pathlib import Path

import pytest
from django.core.management import call_command

from contest import judging
from contest.api import schema
from tests.api import contract

TEXT = (Path(__file__).parents[2] / "docs/reference/api.md").read_text()


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", TEXT, flags=re.DOTALL)


@pytest.fixture
def token(during_round):
    *_python, manage, act, name, option = shlex.split(blocks("sh")[0])
    assert manage == "manage"
    printed = io.StringIO()
    call_command(act, name, option, stdout=printed)
    return printed.getvalue().strip()


def send_curl_line(client, line, **variables):
    for name, value in variables.items():
        line = line.replace(f"${name}", value)
    options = shlex.split(line)
    address = next(word for word in options if word.startswith("/api/"))
    header_lines = [options[at + 1] for at, word in enumerate(options) if word == "-H"]
    headers = dict(header.split(": ", 1) for header in header_lines)
    if "-d" not in options:
        answer = client.get(address, headers=headers)
    else:
        answer = client.post(address, options[options.index("-d") + 1], headers.pop("Content-Type"), headers=headers)
    contract.check("post" if "-d" in options else "get", answer)
    return answer


def test_the_shell_commands_lead_to_a_verdict(client, token):
    lines = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("curl")]
    tried, sent, asked = lines
    assert send_curl_line(client, tried, SITE="", TOKEN=token).json()["verdict"] == "accepted"
    receipt = send_curl_line(client, sent, SITE="", TOKEN=token)
    assert receipt.status_code == 202
    judging.judge_until_empty()
    verdict = send_curl_line(client, asked, SITE="", ID=receipt.json()["id"])
    assert verdict.json()["verdict"] == "accepted"


@pytest.mark.django_db(transaction=True)
def test_the_python_example_runs(live_server, transactional_db, token, capsys, judge_immediately):
    program = blocks("python")[0].replace("http://127.0.0.1:8000", live_server.url).replace("leitai_...", token)
    exec(compile(program, "docs/reference/api.md", "exec"), {})
    assert capsys.readouterr().out.startswith("accepted Solves Main")


def test_the_example_of_a_problem_is_valid():
    problem = next(json.loads(block) for block in blocks("json") if '"errors"' in block)
    assert list(contract.validator("Problem").iter_errors(problem)) == []


def test_every_url_is_documented():
    documented = {re.sub(r"<\w+>", "{}", address) for address in re.findall(r"/api/v1/[\w/<>.]*[\w/>]", TEXT)}
    assert {re.sub(r"{\w+}", "{}", path) for path in schema.document()["paths"]} - documented == set()
