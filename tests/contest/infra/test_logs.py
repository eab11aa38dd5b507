import io
import json
import logging
import re
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import Mock

import pytest
from django.db import DatabaseError
from django.test import Client
from django.utils.module_loading import import_string

from contest.desk import urls as desk_urls
from contest.infra import logs
from contest.models import Submission
from contest.submissions import acceptance
from contest.web import urls

SECRETS = ("ann@example.org", "rrrRRR", "the-claim-of-ann", "the-token")


@contextmanager
def logged(settings, formatter):
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    for name in settings.LOGGING["handlers"]["stderr"]["filters"]:
        handler.addFilter(import_string(settings.LOGGING["filters"][name]["()"])())
    handler.setFormatter(formatter)
    logging.getLogger().addHandler(handler)
    yield written
    logging.getLogger().removeHandler(handler)


@pytest.fixture
def lines(settings):
    with logged(settings, logs.JSON()) as written:
        yield lambda: [json.loads(line) for line in written.getvalue().splitlines()]


def post(client, **headers):
    entry = {"nickname": "ann", "moves": "rrrRRR", "email": "ann@example.org", "claim": "the-claim-of-ann"}
    return client.post("/api/v1/submissions/", entry, content_type="application/json", headers=headers)


def test_every_line_says_which_request_and_submission_it_is_about(client, during_round, lines, settings):
    settings.LOG_REQUESTS = True
    answer = post(client, **{"X-Request-ID": "trace-12345"})
    stored = Submission.objects.get().number
    line = next(line for line in lines() if line["logger"] == "contest.requests")
    assert (line["request"], line["submission"], line["status"]) == ("trace-12345", stored, 202)
    assert (line["method"], line["route"]) == ("POST", "api/v1/submissions/")
    client.get("/api/v1/time/")
    assert "submission" not in lines()[-1], "the next request of this thread is about none"
    assert answer["X-Request-ID"] == "trace-12345"


@pytest.mark.parametrize("sent", ["", "short", "x" * 65, "two words", 'quote"12345', "ünsane-12345", "a\tb\tc\td\te"])
def test_an_id_that_is_not_sane_is_replaced(client, db, sent):
    answer = client.get("/healthz", headers={"X-Request-ID": sent})
    assert answer["X-Request-ID"] != sent
    assert len(answer["X-Request-ID"]) == 16


def test_a_receipts_address_is_in_no_line(client, during_round, lines, settings):
    """Rule 7.5."""
    settings.LOG_REQUESTS = True
    receipt = post(client).json()["id"]
    client.get(f"/api/v1/submissions/{receipt}/")
    client.get(f"/en/s/{receipt}/")
    assert len(lines()) >= 3
    assert receipt not in json.dumps(lines())


TOKEN = "WzEsIjU2-_k:1tQ0aB:2xYz"
LINKS = [
    prefix + address.replace(f"<str:{name}>", TOKEN)
    for prefix, module in (("", urls), ("desk/", desk_urls))
    for file in Path(module.__file__).parent.rglob("urls.py")
    for address, name in re.findall(r'"([^"]*<str:(\w+)>[^"]*)"', file.read_text())
    if name != "slug"
]


def test_a_link_that_is_a_proof_is_in_no_line_even_when_its_form_was_refused(db, lines, settings):
    """The form lacks its CSRF token; Django then logs the whole URL."""
    settings.LOG_REQUESTS = True
    assert LINKS
    for address in LINKS:
        Client(enforce_csrf_checks=True).post(f"/en/{address}")
        assert TOKEN not in logs.without_private(f"Forbidden (CSRF cookie not set.): /en/{address}")
    assert len(lines()) >= len(LINKS)
    assert TOKEN not in json.dumps(lines())


@pytest.mark.parametrize("formatter", [logs.JSON, logs.Line])
def test_an_error_of_ours_tells_no_secret(client, during_round, settings, monkeypatch, formatter):
    error = DatabaseError("value too long\nDETAIL:  Failing row contains ({}).".format(",\n\n".join(SECRETS)))
    monkeypatch.setattr(acceptance, "_store", Mock(side_effect=error))
    client.raise_request_exception = False
    with logged(settings, formatter()) as written:
        assert post(client).status_code == 500
    assert "DatabaseError: value too long" in written.getvalue()
    assert "Traceback" in written.getvalue()
    assert not [secret for secret in SECRETS if secret in written.getvalue()]


def test_a_long_path_without_an_address_is_searched_at_once():
    """A pattern tried to begin an email address at each letter: a path of 60 KB took 18 seconds."""
    path = f"/en/{'a' * 1_000_000}/"
    assert logs.without_private(path) == path


def test_a_line_begins_with_its_time_in_utc_whatever_the_sites_time_zone():
    record = logging.LogRecord("contest", logging.INFO, "", 0, "Judged", None, None)
    record.created = 1_777_636_800.25
    assert logs.Line().format(record) == "2026-05-01 12:00:00.250+00:00 INFO contest: Judged"
