"""What machines ask about the site: docs/operations.md says what each answer means."""

import hmac

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST

from contest.infra import client_ip
from contest.ops import health, metrics


@never_cache
@require_safe
def healthz(_request: HttpRequest) -> HttpResponse:
    """Whether this process answers. A proxy asks this one: it goes on taking submissions while a judge is down."""
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
@require_safe
def readyz(_request: HttpRequest) -> HttpResponse:
    """Whether every part does its work. Figures only: no address, no name, no error text."""
    parts = health.readiness()
    is_ready = all(part.is_ready for part in parts.values())
    shown = {name: {"ready": part.is_ready, **part.figures} for name, part in parts.items()}
    return JsonResponse({"ready": is_ready, "parts": shown}, status=200 if is_ready else 503)


@never_cache
@require_safe
def metrics_page(request: HttpRequest) -> HttpResponse:
    """For Prometheus alone; to everybody else there is nothing here."""
    if not _may_see_metrics(request):
        raise Http404
    return HttpResponse(metrics.page(), content_type=CONTENT_TYPE_LATEST)


def _may_see_metrics(request: HttpRequest) -> bool:
    """By the token; where none is set, from this very machine."""
    if not settings.METRICS_TOKEN:
        return client_ip.is_local(request)
    sent = request.headers.get("Authorization", "").encode("utf-8", "surrogatepass")
    return hmac.compare_digest(sent, f"Bearer {settings.METRICS_TOKEN}".encode())
