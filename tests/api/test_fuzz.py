"""Whatever is sent, the API answers as its OpenAPI file says, and never with a fault of its own.

The long form, with more than 20,000 requests: `python3 dev.py fuzz-api`.
"""

import os
from collections import Counter
from datetime import timedelta

import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

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

CASES = int(os.environ.get("FUZZ_CASES", "300"))
# What Schemathesis knows besides, and why it is not asked here:
# - negative_data_rejection: the feed of events cuts a `wait` that is too long and passes over a Last-Event-ID that is
#   no number, instead of refusing them.
# - positive_data_acceptance: whether a whole request is taken hangs on rounds, nicknames and what the moves solve.
# - ignored_auth: it takes the token that `call` adds for one that was made up; test_tokens asks with bad ones.
# - missing_required_header, unsupported_method: they look at requests of the coverage phase alone, which is not run.
# - allow_header_conformance: it looks at OPTIONS alone, which is in no operation.
# - use_after_free, ensure_resource_availability, object_level_authorization: they need chains of requests; who may read
#   what is asked of every address in tests/leaks.
# - max_response_time: no test hangs on time.
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


@pytest.fixture
def _one_connection():
    """Keep the test's transaction open from request to request, as Django's own test client does."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def site(db, monkeypatch, _one_connection):
    """A final round and an open one, players, and a program's token."""
    monkeypatch.setattr(acceptance, "_POLL_SECONDS", 0)
    monkeypatch.setattr(submissions, "verdict_soon", lambda submission, _seconds: submission)
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
        hook = webhooks.make(player, "https://hook.example/", ["opened"], clock.now())
        nightly.make_due(clock.now())
        yield {
            "receipt_id": receipts[0].submission.receipt_id,
            "slug": "2026",
            "hook": hook.pk,
            "night": str(Dump.objects.get()),
            "name": "solutions.ndjson.gz",
            "slot": "main",
            "token": token,
            "token_of_desk": desk_tokens.make(member("organiser"), "a program", clock.now()),
            "answers": Counter(),
        }


def operations():
    """The file, closed: an answer's member that it does not name is a fault."""
    document = contract.strict(schema.document())
    for name in ("Entry", "Batch", "Trial"):  # what is sent may hold more
        document["components"]["schemas"][name].pop("additionalProperties")
    loaded = schemathesis.openapi.from_dict(document)
    loaded.app = WSGIHandler()
    return [operation.ok() for operation in loaded.get_all_operations()]


def calls(operation, site, seen, mode):
    """A test of *operation* with made-up requests; of two one is led to what is there."""

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=-(-CASES // (2 * len(site["operations"]))),
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def call(case):
        seen.append(case)
        if len(seen) % 2:
            for name in case.path_parameters or {}:
                case.path_parameters[name] = site.get(name, 1 + len(seen) % 3)
        headers = {"Accept-Encoding": "identity"}  # what calls the site here unpacks nothing
        if len(seen) % 3:
            token = site["token_of_desk" if "/desk/" in operation.path else "token"]
            headers["Authorization"] = f"Bearer {token}"
        answer = case.call(headers=headers)
        site["answers"][operation.label, answer.status_code] += 1
        case.validate_response(answer, checks=CHECKS)
        assert mode is GenerationMode.NEGATIVE or answer.status_code != 405

    return call


@pytest.mark.slow
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["good", "bad"])
def test_no_request_meets_a_fault_or_an_undocumented_answer(site, mode, record_property):
    seen = []
    site["operations"] = operations()
    for operation in site["operations"]:
        if mode is GenerationMode.POSITIVE or _can_be_wrong(operation):
            calls(operation, site, seen, mode)()
    record_property("cases", len(seen))
    print(f"\n{len(seen)} requests: {dict(sorted(_statuses(site).items()))}")
    assert len(seen) >= CASES // 4
    assert Round.objects.exclude(announced_at=None).count() == 2


def _statuses(site):
    found = Counter()
    for (_label, status), count in site["answers"].items():
        found[status] += count
    return found


def _can_be_wrong(operation):
    return bool(list(operation.query) or operation.body)
