"""Health checks and metrics; docs/how-to/operations.md explains each response."""

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
    """Answer 200 if this process is alive. For the proxy: a process accepts submissions even without a judge."""
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
@require_safe
def readyz(_request: HttpRequest) -> HttpResponse:
    """Answer 200 if every part works, else 503. Return only figures: no addresses, names or error texts."""
    parts = health.readiness()
    is_ready = all(part.is_ready for part in parts.values())
    shown = {name: {"ready": part.is_ready, **part.figures} for name, part in parts.items()}
    return JsonResponse({"ready": is_ready, "parts": shown}, status=200 if is_ready else 503)


@never_cache
@require_safe
def metrics_page(request: HttpRequest) -> HttpResponse:
    """Serve metrics to Prometheus; 404 for all other clients."""
    if not _may_see_metrics(request):
        raise Http404
    return HttpResponse(metrics.render_page(), content_type=CONTENT_TYPE_LATEST)


def _may_see_metrics(request: HttpRequest) -> bool:
    """Check METRICS_TOKEN; if unset, allow only clients on this machine."""
    if not settings.METRICS_TOKEN:
        return client_ip.is_local(request)
    sent = request.headers.get("Authorization", "").encode("utf-8", "surrogatepass")
    return hmac.compare_digest(sent, f"Bearer {settings.METRICS_TOKEN}".encode())
