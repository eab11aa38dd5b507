"""No span of a request or a query holds private text."""

import json
from contextlib import closing

import pytest
from django.db import DatabaseError, connection
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from contest.infra.monitoring import traces
from contest.web.shell import probes


@pytest.fixture
def spans():
    """Trace the test; call it for the finished spans as they are exported."""
    exporter = InMemorySpanExporter()
    traces.trace_with(SimpleSpanProcessor(traces.ScrubbingExporter(exporter)))
    yield exporter.get_finished_spans
    for instrumentor in traces.INSTRUMENTORS:
        instrumentor().uninstrument()


def test_no_span_holds_private_text(client, db, spans, monkeypatch):
    def broken(*_arguments):
        raise DatabaseError("no\nDETAIL:  Failing row contains (rrrRRR, ann@example.org).")

    monkeypatch.setattr(probes.health, "readiness", broken)
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
