"""No text in a path or a query reaches Sentry or OpenTelemetry: they get the route of each URL pattern."""

import json
import re
from collections import defaultdict
from urllib.parse import quote

import pytest
from django.urls import get_resolver
from django.utils.translation import override
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from contest.infra.monitoring import error_reports, traces

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
