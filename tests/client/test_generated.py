"""The library has a call for each address of the OpenAPI file; a client made of it by openapi-python-client compiles."""

import compileall
import importlib
import inspect
import json
import os
import re
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from pkgutil import walk_packages

import pytest
from leitai import calls, sealing

from contest.api import schema
from contest.infra import clock
from contest.models import Submission
from tests import cast

# That tool knows no lines of JSON and no packed files: it hands them on as they come. Nothing else may be left out.
CONFIGURATION = {
    "content_type_overrides": {schema.LINES: "application/octet-stream", schema.GZIP: "application/octet-stream"},
    "post_hooks": [],
}


def argument_for(parameter):
    kind = str(parameter.annotation)
    return {} if "Mapping" in kind else [] if "Iterable" in kind else "7"


def test_every_address_of_the_api_has_a_call():
    """But for the desk: the library is for players."""
    asked = {sealing.sealed_answers(7).path, sealing.open_sealed(sealing.sealed_text(7, "main", 1, "rR")).path}
    for name, function in inspect.getmembers(calls, inspect.isfunction):
        signature = inspect.signature(function)
        if not name.startswith("_") and "Call[" in str(signature.return_annotation):
            given = {name: argument_for(parameter) for name, parameter in signature.parameters.items()}
            asked.add(function(**given).path)
    paths = [path.removeprefix(schema.PREFIX) for path in schema.document()["paths"] if "/desk/" not in path]
    # What a program reads by the address alone; the client sends such moves in a body, however long they are.
    paths.remove("rebuild/{moves}/")
    assert {re.sub(r"{\w+}", "7", path) for path in paths} <= asked


def make_client(folder: Path) -> Path:
    """Make the package `made` in *folder* as anybody would, with no way to anywhere but the file."""
    (folder / "openapi.json").write_text(json.dumps(schema.document()))
    (folder / "made.json").write_text(json.dumps(CONFIGURATION))
    words = ["generate", "--path", "openapi.json", "--config", "made.json", "--meta", "none", "--output-path", "made"]
    command = [sys.executable, "-m", "openapi_python_client", *words, "--fail-on-warning"]
    nowhere = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")
    done = subprocess.run(command, cwd=folder, env=os.environ | nowhere, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "made"


@pytest.fixture
def made(tmp_path, monkeypatch):
    """The package, which goes again after the test."""
    folder = make_client(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder
    for name in [name for name in sys.modules if name.partition(".")[0] == "made"]:
        del sys.modules[name]


@pytest.mark.exhaustive
@pytest.mark.django_db(transaction=True)
def test_a_generated_client_compiles_and_reads_a_round(made, live_server):
    now = clock.now()
    cast.a_round(7, opens_at=now - timedelta(days=1), closes_at=now + timedelta(days=1))
    assert compileall.compile_dir(made, quiet=1)
    package = importlib.import_module("made")
    modules = [importlib.import_module(one.name) for one in walk_packages(package.__path__, "made.")]
    acts = [module for module in modules if hasattr(module, "sync_detailed")]
    assert len(acts) == sum(len(methods) for methods in schema.document()["paths"].values())

    models = importlib.import_module("made.models")
    read, send = (
        importlib.import_module(f"made.api.{name}") for name in ("rounds.read_whole_round", "submissions.send_entry")
    )
    with package.Client(base_url=live_server.url) as client:
        whole = read.sync(7, client=client)
        receipt = send.sync(client=client, body=models.Entry(moves="rR", nickname="Ada"))
        nothing = read.sync(8, client=client)
    assert whole.levels[0].board == cast.CORRIDOR.replace("|", "\n")
    assert whole.opens_at == now - timedelta(days=1)
    assert receipt.number == Submission.objects.get().number
    assert (nothing.status, nothing.code) == (404, "not_found")
