"""The hint at /api/, for people and programs that look there for the API."""

from django.http import HttpRequest, JsonResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from contest.api.base import readable_everywhere
from contest.api.schema import PREFIX
from contest.infra import identity
from contest.infra.site_address import absolute_url


@readable_everywhere
@require_safe
def show_hint(request: HttpRequest) -> JsonResponse:
    """Return the site's names, and URLs of the API, its OpenAPI document and its guide; needs no database."""
    version = {
        "root": absolute_url(request, PREFIX),
        "openapi": absolute_url(request, reverse("api-file")),
        "docs": absolute_url(request, reverse("api-docs")),
        "try": absolute_url(request, reverse("api-try")),
    }
    zh, en = identity.names()
    answer = {"site": {"zh-hans": zh, "en": en}, "versions": {"v1": version}}
    return JsonResponse(answer)
