import json
import re
from collections import defaultdict
from contextlib import closing
from unittest.mock import Mock
from urllib.parse import quote

import pytest
from django.db import DatabaseError, connection
from django.urls import get_resolver
from django.utils.translation import override
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from contest.infra.monitoring import error_reports, traces
from contest.infra.monitoring.scrubbing import scrub_text
from contest.web.shell import probes

SECRETS = ("Rq3vK0hZ8tYw", "2(rU)3l2(dR)")
PARAMETER = re.compile(r"<(?:(\w+):)?\w+>")
# Values of converters that take no free text.
HARMLESS = {"int": "7", "round": "rounds/7", "round_name": "weekly-7"}


def walk(patterns, prefix=""):
    """Yield the route of each URL pattern that takes free text."""
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if hasattr(pattern, "url_patterns"):
            yield from walk(pattern.url_patterns, route)
        elif any(kind not in HARMLESS for kind in PARAMETER.findall(route)):
            yield route


def paths(secret):
    """Yield each route that takes free text, and a path of it with *secret*."""
    with override("en"):
        for route in walk(get_resolver().url_patterns):
            texts = defaultdict(lambda: quote(secret), HARMLESS)
            yield (
                route,
                "/" + "".join(texts[part] if at % 2 else part for at, part in enumerate(PARAMETER.split(route))),
            )


@pytest.mark.parametrize("secret", SECRETS)
def test_no_event_holds_what_a_path_or_query_holds(secret):
    urls = set()
    with override("en"):
        for route, path in paths(secret):
            request = {"method": "GET", "url": f"http://testserver{path}?next={path}", "query_string": path}
            event = {"request": request, "transaction": path, "transaction_info": {"source": "url"}}
            sent = error_reports.scrub_event(event, {})
            assert secret not in json.dumps(sent), route
            assert quote(secret) not in json.dumps(sent), route
            urls.add(sent["request"]["url"])
    assert "http://testserver/en/desk/invitation/<str:code>/" in urls


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("is_resolved", [True, False])
def test_no_span_holds_what_a_path_or_query_holds(secret, is_resolved):
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(traces.ScrubbingExporter(exporter)))
    for route, path in paths(secret):
        url = f"http://testserver{path}?next={path}"
        attributes = {"http.url": url, "http.target": f"{path}?next={path}", "url.full": url, "url.path": path}
        named = {"http.route": route} if is_resolved else {}
        provider.get_tracer("test").start_span("GET", attributes=attributes | named | {"url.query": path}).end()
    exported = "".join(span.to_json() for span in exporter.get_finished_spans())
    assert secret not in exported
    assert quote(secret) not in exported
    assert ("/en/desk/invitation/<str:code>/" in exported) is is_resolved


BOARD = "#####\n#@$.#\n#####"
ROW = "value too long\nDETAIL:  Failing row contains (7, ann@example.org, 3rUl\nrR, the-claim)."


@pytest.mark.parametrize(
    "private",
    [
        "rrrRRR", "LLuurRdD", "3r2U4lRD5u", BOARD, BOARD.replace("\n", "|"), repr(BOARD), "6#|#@-$.#|6#",
        "  #####\n ##@$.#\n #######", "ann@example.org", "leitai_play_Rq3vK0hZ8tYw", "/en/s/Rq3vK0hZ8tYw/",
        "desk_0123456789ab_Rq3vK0hZ8tYw", "whsec_Rq3vK0hZ8tYw+/Rq3v=", "/en/desk/invitation/Rq3vK0hZ8tYw/",
        "/zh-hans/collected/Rq3vK0hZ8tYw/", "/api/v1/rebuild/2(rU)3l2(dR)/", "/lurd2xsb/r(uR)4(dL)2u", "rR(lU)4dDl",
        "2(rU)3l2(dR)", "/lurd2xsb/9(rU)",
    ],
)  # fmt: skip
def test_private_text_is_removed(private):
    shown = scrub_text(f"Cannot read {private} now")
    assert shown.startswith("Cannot read ")
    assert shown.endswith(" now")
    for part in ("rR", "#@", "$.", "ann@", "Rq3v", "r2U", "rU", "uR", "lU"):
        assert part not in shown


def test_a_row_quoted_by_postgresql_is_removed_to_its_end():
    assert scrub_text(ROW) == "value too long\nDETAIL: …"


@pytest.mark.parametrize(
    "text",
    [
        "relation \"contest_round\" does not exist\nLINE 1: SELECT * FROM contest_round", "dull", "rule 7.5", "a # b",
        "Issue #12, #13 and #14", "call(1) of (2)(3)", "desk_tokens_user_id", "/en/desk/invitation/<str:code>/",
    ],
)  # fmt: skip
def test_other_text_stays(text):
    assert scrub_text(text) == text


@pytest.fixture
def spans():
    """Trace the test; call it for the finished spans as they are exported."""
    exporter = InMemorySpanExporter()
    traces.trace_with(SimpleSpanProcessor(traces.ScrubbingExporter(exporter)))
    yield exporter.get_finished_spans
    for instrumentor in traces.INSTRUMENTORS:
        instrumentor().uninstrument()


def test_no_span_holds_private_text(client, db, spans, monkeypatch):
    error = DatabaseError("no\nDETAIL:  Failing row contains (rrrRRR, ann@example.org).")
    monkeypatch.setattr(probes.health, "readiness", Mock(side_effect=error))
    client.raise_request_exception = False
    client.get("/readyz?q=the-query", headers={"User-Agent": "the-program"})
    client.get("/en/s/Rq3vK0hZ8tYw/")
    exported = "".join(span.to_json() for span in spans())
    assert "GET readyz" in exported
    assert "DatabaseError" in exported
    private = ("rrrRRR", "ann@", "the-query", "the-program", "127.0.0.1", "Rq3vK0hZ8tYw")
    assert not [text for text in private if text in exported], exported


@pytest.mark.postgres
def test_a_query_is_traced_without_its_values(db, spans):
    traced = connection.copy()  # only new connections are traced
    with closing(traced), traced.cursor() as cursor:
        cursor.execute("SELECT %s", ["rrrRRR"])
    exported = [json.loads(span.to_json()) for span in spans()]
    assert exported[-1]["attributes"]["db.statement"] == "SELECT %s"
    assert "rrrRRR" not in json.dumps(exported)
