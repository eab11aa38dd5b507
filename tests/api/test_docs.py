"""What docs/api.md tells a newcomer to type works as it stands."""

import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from contest import judging
from contest.api import schema
from contest.infra import clock
from contest.players import api_tokens
from tests import cast
from tests.api import contract

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/api.md").read_text()


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", TEXT, flags=re.DOTALL)


@pytest.fixture
def token(db):
    now = clock.now()
    cast.a_round(7, opens_at=now - timedelta(days=1), closes_at=now + timedelta(days=1))
    player, _claim = api_tokens.make_program("My bot", None, now)
    return api_tokens.make(player, None, now).text


def typed(client, line, **words):
    """Do what a curl line does."""
    for name, value in words.items():
        line = line.replace(f"${name}", value)
    options = shlex.split(line)
    address = next(word for word in options if word.startswith("/api/"))
    given = [options[at + 1] for at, word in enumerate(options) if word == "-H"]
    headers = dict(header.split(": ", 1) for header in given)
    if "-d" not in options:
        answer = client.get(address, headers=headers)
    else:
        answer = client.post(address, options[options.index("-d") + 1], headers.pop("Content-Type"), headers=headers)
    contract.check("post" if "-d" in options else "get", answer)
    return answer


def test_the_lines_for_the_shell_lead_to_a_verdict(client, token):
    lines = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("curl")]
    tried, sent, asked = lines
    assert typed(client, tried, SITE="", TOKEN=token).json()["verdict"] == "accepted"
    receipt = typed(client, sent, SITE="", TOKEN=token)
    assert receipt.status_code == 202
    judging.judge_until_empty()
    verdict = typed(client, asked, SITE="", ID=receipt.json()["id"])
    assert verdict.json()["verdict"] == "accepted"


@pytest.fixture
def running(tmp_path):
    """The address of a site that `dev.py run` has started, and what its commands find in their environment."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    env = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG", "USER")}
    env |= {"PORT": str(port), "DATA_DIR": str(tmp_path / "data")}
    with (tmp_path / "said").open("w+") as said:
        site = subprocess.Popen([sys.executable, "dev.py", "run"], cwd=ROOT, env=env, stdout=said, stderr=said)
        try:
            until = time.monotonic() + 300
            while "Leitai is at" not in (tmp_path / "said").read_text():
                assert site.poll() is None, (tmp_path / "said").read_text()
                assert time.monotonic() < until
                time.sleep(0.2)
            yield f"http://127.0.0.1:{port}", env
        finally:
            site.send_signal(signal.SIGINT)
            site.wait(60)


@pytest.mark.exhaustive
def test_the_first_verdict_takes_less_than_a_minute(running):
    """Everything is typed as it stands there, but for the address, the token and the id, which are one's own."""
    site, env = running

    def type_in(block, **own):
        for placeholder, value in {"SITE=http://127.0.0.1:8000": f"SITE={site}", **own}.items():
            assert placeholder in block or not placeholder.endswith("..."), placeholder
            block = block.replace(placeholder, value)
        done = subprocess.run(["bash", "-euc", block], cwd=ROOT, env=env, capture_output=True, text=True, check=True)
        return done.stdout

    makes, tries, enters, asks = blocks("sh")[:4]
    began = time.monotonic()
    token = type_in(makes).strip()
    assert json.loads(type_in(tries, **{"leitai_...": token}))["verdict"] == "accepted"
    env |= {"SITE": site, "TOKEN": token}
    receipt = json.loads(type_in(enters))
    told = json.loads(type_in(asks, **{"dQ0r...": receipt["id"]}))
    assert time.monotonic() - began < 60
    assert (told["number"], told["state"]) == (receipt["number"], "judged")
    program = blocks("python")[0].replace("http://127.0.0.1:8000", site).replace("leitai_...", token)
    done = subprocess.run([sys.executable, "-I", "-c", program], env=env, capture_output=True, text=True, check=True)
    assert done.stdout == f"{told['verdict']} {told['detail']}\n"


@pytest.mark.django_db(transaction=True)
def test_the_python_of_the_page_runs(live_server, transactional_db, token, capsys, judge_who_waits):
    program = blocks("python")[0].replace("http://127.0.0.1:8000", live_server.url).replace("leitai_...", token)
    exec(compile(program, "docs/api.md", "exec"), {})
    assert capsys.readouterr().out.startswith("accepted Solves Main")


@pytest.mark.django_db(transaction=True)
def test_a_bot_by_who_read_nothing_but_this_plays_a_round_by_events(live_server, judge_who_waits, monkeypatch):
    """Rules 3.2, 5.1, 16.2: it reads what has been, asks before the opening, and enters both levels when they open."""
    monkeypatch.setattr("contest.outreach.events.cache.is_first", lambda *_: True)
    with ExitStack() as clocks:
        clocks.enter_context(clock.set_to(cast.OPENS - timedelta(minutes=1)))
        cast.a_round(6, **cast.earlier(4))
        cast.a_round(7)
        token = api_tokens.make(api_tokens.make_program("Robo", None, clock.now())[0], None, clock.now()).text
        opens = SimpleNamespace(
            monotonic=time.monotonic, sleep=lambda _: clocks.enter_context(clock.set_to(cast.DURING))
        )
        monkeypatch.setattr("contest.api.feeds.events.time", opens)
        command = [sys.executable, "-I", "-S", str(Path(__file__).parent / "stranger.py"), live_server.url, token]
        done = subprocess.run(command, env={}, capture_output=True, text=True, timeout=120, check=False)
    assert done.stderr == ""
    said = done.stdout.splitlines()
    assert said[:6] == [
        f"event {kind}" for kind in ("announced", "opened", "announced", "closed", "revealed", "opened")
    ]
    assert said[6:] == [
        "main rR accepted 2 1",
        "extra rDldR accepted 5 2",
        "event accepted",
        "event accepted",
    ]


def test_the_example_of_a_problem_is_one():
    problem = next(json.loads(block) for block in blocks("json") if '"errors"' in block)
    assert list(contract.validator("Problem").iter_errors(problem)) == []


def test_every_address_is_told():
    told = {re.sub(r"<\w+>", "{}", address) for address in re.findall(r"/api/v1/[\w/<>.]*[\w/>]", TEXT)}
    for path in schema.document()["paths"]:
        assert re.sub(r"{\w+}", "{}", path) in told, path
