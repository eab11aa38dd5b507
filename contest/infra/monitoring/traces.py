"""OpenTelemetry traces of requests, tasks and PostgreSQL queries, sent by OTLP over HTTP, without private text."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.instrumentation.celery import CeleryInstrumentor
from opentelemetry.instrumentation.django import DjangoInstrumentor
from opentelemetry.instrumentation.psycopg import PsycopgInstrumentor
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import Event, ReadableSpan, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.trace import Status

import solvers
from contest.infra.monitoring.scrubbing import scrub, scrub_text

INSTRUMENTORS = (DjangoInstrumentor, CeleryInstrumentor, PsycopgInstrumentor)
# Attributes about the client, and the query of a URL, which may hold anything.
_OMITTED = {
    "client.address", "client.port", "http.client_ip", "http.user_agent", "net.peer.ip", "net.peer.port",
    "network.peer.address", "network.peer.port", "url.query", "user_agent.original",
}  # fmt: skip

# Attributes with the path, which may be a secret (rule 7.5): the route is sent in its place.
_WITH_PATH = ("http.url", "http.target", "url.full", "url.path")


def start() -> None:
    """Trace this process, and send its spans in batches to OTEL_EXPORTER_OTLP_ENDPOINT."""
    trace_with(BatchSpanProcessor(ScrubbingExporter(OTLPSpanExporter())))


def trace_with(processor: SpanProcessor) -> None:
    """Trace requests, tasks and queries of this process, and pass their spans to *processor*."""
    about = {"service.name": settings.OTEL_SERVICE_NAME, "service.version": solvers.__version__}
    provider = TracerProvider(resource=Resource.create(about))
    provider.add_span_processor(processor)
    for instrumentor in INSTRUMENTORS:
        instrumentor().instrument(tracer_provider=provider)


class ScrubbingExporter(SpanExporter):
    """Pass spans to *exporter* without private text."""

    def __init__(self, exporter: SpanExporter) -> None:
        self._exporter = exporter

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        return self._exporter.export([_scrub_span(span) for span in spans])

    def shutdown(self) -> None:
        self._exporter.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        return self._exporter.force_flush(timeout_millis)


def _scrub_span(span: ReadableSpan) -> ReadableSpan:
    """Return a copy of *span* without private text: a span that has ended cannot be changed."""
    return ReadableSpan(
        name=span.name,
        context=span.context,
        parent=span.parent,
        resource=span.resource,
        attributes=_scrub_attributes(span.attributes),
        events=[Event(event.name, _scrub_attributes(event.attributes), event.timestamp) for event in span.events],
        links=span.links,
        kind=span.kind,
        status=Status(span.status.status_code, scrub_text(span.status.description or "") or None),
        start_time=span.start_time,
        end_time=span.end_time,
        instrumentation_scope=span.instrumentation_scope,
    )


def _scrub_attributes(attributes: Any) -> dict[str, Any]:
    kept = {name: value for name, value in (attributes or {}).items() if name not in _OMITTED}
    route = f"/{kept.get('http.route', '…')}"
    scrubbed: dict[str, Any] = scrub(kept | {name: route for name in _WITH_PATH if name in kept})
    return scrubbed
