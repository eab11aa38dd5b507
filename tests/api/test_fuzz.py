"""For any request the API's response matches its OpenAPI file, and is never a server error.

The short run omits most requests: those at the limit of each member and just beyond. The long form, with more
than 20,000: `python3 dev.py fuzz-api`.
"""

import json
import os
import re
from collections import Counter
from datetime import timedelta
from itertools import count

import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.db import connections
from schemathesis.checks import CHECKS
from schemathesis.config import SchemathesisConfig
from schemathesis.core.parameters import ParameterLocation
from schemathesis.engine import events, from_schema
from schemathesis.engine.context import EngineContext

from contest import judging, results, submissions
from contest.api import schema
from contest.api.feeds import nightly
from contest.infra import clock
from contest.models import Dump, Round, Scope
from contest.organising import desk_tokens
from contest.outreach import webhooks
from contest.players import api_tokens
from contest.submissions import acceptance
from tests import cast
from tests.api import contract
from tests.desk.conftest import member

# Response times depend on the load of the machine. And a valid request may still be refused, because no schema says
# what a board, a name or an address may be.
LEFT_OUT = ("max_response_time", "positive_data_acceptance")
EVERY_CHECK = {check.__name__ for check in CHECKS.get_all()} - {*LEFT_OUT}
FEW, MANY = 110, 300


@pytest.fixture
def site(db, monkeypatch, one_connection):
    monkeypatch.setattr(acceptance, "_POLL_SECONDS", 0)
    monkeypatch.setattr(submissions, "wait_for_verdict", lambda submission, _seconds: submission)
    first = cast.a_round(1)
    with clock.set_to(cast.DURING):
        receipts = [cast.send(name, "rR" if name == "Ann" else "rlrR") for name in ("Ann", "Bob", "Cleo")]
        judging.judge_until_empty()
    with clock.set_to(cast.AFTER):
        results.finalise(first, at=cast.AFTER, by=None)
    opens_at = cast.AFTER + timedelta(days=1)
    cast.a_round(2, opens_at=opens_at, closes_at=opens_at + timedelta(days=9))
    with clock.set_to(opens_at + timedelta(days=1)):
        player, _claim = api_tokens.make_program("Robo", None, clock.now())
        token = api_tokens.make(player, None, clock.now(), scopes=Scope.values).text
        rival, _claim = api_tokens.make_program("Rival", None, clock.now())
        hook = webhooks.create_webhook(player, "https://hook.example/", ["opened"], clock.now())
        nightly.make_due(clock.now())
        yield {
            "receipt_id": receipts[0].submission.receipt_id,
            "slug": "2026",
            "hook": hook.pk,
            "night": str(Dump.objects.get()),
            "name": "solutions.ndjson.gz",
            "slot": "main",
            "token": token,
            "token_of_rival": api_tokens.make(rival, None, clock.now(), scopes=Scope.values).text,
            "token_of_desk": desk_tokens.create_token(member("organiser"), "a program", clock.now()),
        }


@pytest.fixture
def size(request):
    return int(os.environ.get("FUZZ_CASES", MANY if request.config.getoption("exhaustive") else FEW))


def engine(site, folder, size):
    """Schemathesis with the strict file: a response with an undocumented member is a failure.

    It sends the file's examples, values at the limit of each member and just beyond, random requests, and chains
    of requests along the links; as two players, as an organiser's program and anonymously.
    """
    document = contract.without_additional_properties(schema.document())
    for name in set(re.findall(r"#/components/schemas/(\w+)", json.dumps(list(_request_bodies(document))))):
        document["components"]["schemas"][name].pop("additionalProperties", None)  # requests may have more members
    identities = folder / "identities.json"
    tokens = {"robo": site["token"], "rival": site["token_of_rival"], "desk": site["token_of_desk"]}
    headers = {name: {"name": "Authorization", "value": f"Bearer {token}"} for name, token in tokens.items()}
    users = [{"name": name, "fixedHeaders": [header]} for name, header in headers.items()]
    identities.write_text(json.dumps({"auth": users}))
    config = SchemathesisConfig.from_dict({
        "seed": 1,
        "workers": 1,
        "continue-on-failure": True,
        "cache": {"enabled": False},
        "auth": {"wfc": {"path": str(identities), "peers": ["robo", "rival"]}},
        "generation": {"mode": "all", "database": "none", "max-examples": max(1, size // 55)},
        "phases": {
            "coverage": {"enabled": size >= MANY},
            "stateful": {"max-steps": 5, "generation": {"max-examples": max(1, size // 300)}},
        },
        "checks": {"positive_data_acceptance": {"enabled": False}},
    })  # fmt: skip
    loaded = schemathesis.openapi.from_dict(document, config=config)
    loaded.app = _share_transaction()
    return from_schema(loaded)


def _request_bodies(document):
    return (
        method["requestBody"]
        for path in document["paths"].values()
        for method in path.values()
        if "requestBody" in method
    )


def _share_transaction():
    """Return a WSGI application for the threads of the engine; they share the database connection of the test."""
    connection, site = connections["default"], WSGIHandler()
    connection.inc_thread_sharing()

    def answer(environ, start_response):
        connections["default"] = connection
        return site(environ, start_response)

    return answer


@pytest.fixture
def _without_a_network(monkeypatch):
    """Drop the network options that the tool's probes pass on: the site is called without a network."""
    usual = EngineContext.get_transport_kwargs

    def named(context, operation=None):
        given = usual(context, operation)
        return {name: value for name, value in given.items() if name not in ("max_redirects", "verify", "cert")}

    monkeypatch.setattr(EngineContext, "get_transport_kwargs", named)


@pytest.fixture
def _use_existing_objects(site):
    """Point every other request at existing objects, unless it is an invalid one."""
    seen = count(1)

    def before_call(_context, case, _kwargs):
        case.headers["Accept-Encoding"] = "identity"  # the in-process client does not decompress
        number = next(seen)
        if number % 2 and not (case.meta and case.meta.is_negative_at(ParameterLocation.PATH)):
            for name in case.path_parameters or {}:
                case.path_parameters[name] = site.get(name, 1 + number % 3)

    schemathesis.hook(before_call)
    yield
    schemathesis.hooks.unregister(before_call)


def faults_of(scenario):
    """Return failed checks with their requests; in a batch each item has its own status."""
    record = scenario.recorder
    for key, checks in record.checks.items():
        is_batch = record.interactions[key].response.status_code == 207
        for check in checks:
            if check.failure_info and not (is_batch and check.name == "negative_data_rejection"):
                yield f"{check.name}: {check.failure_info.failure.message}\n{check.failure_info.code_sample}"


# The receipt chain waits for every transaction of the cluster, and this one is long: do not run them in parallel.
@pytest.mark.xdist_group("cluster")
@pytest.mark.usefixtures("_use_existing_objects", "_without_a_network")
def test_no_request_gets_a_server_error_or_an_undocumented_answer(site, tmp_path, size):
    statuses, checked, faults = Counter(), Counter(), []
    for event in engine(site, tmp_path, size).execute():
        if isinstance(event, events.NonFatalError):
            faults.append(str(event.value))
        if isinstance(event, events.ScenarioFinished):
            faults += faults_of(event)
            statuses.update(interaction.response.status_code for interaction in event.recorder.interactions.values())
            checked.update(check.name for checks in event.recorder.checks.values() for check in checks)
    print(f"\n{statuses.total()} requests: {dict(sorted(statuses.items()))}")
    assert not faults, "\n\n".join(dict.fromkeys(faults))
    assert statuses.total() >= size
    assert size < MANY or checked.keys() >= EVERY_CHECK
    assert Round.objects.exclude(announced_at=None).count() == 2
