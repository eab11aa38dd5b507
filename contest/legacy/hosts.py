"""Keep the host names that older programs use reachable by plain http."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse


def without_hsts(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Send no Strict-Transport-Security on LEGACY_HOSTS: it would lock out programs that know only http."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.META.get("HTTP_HOST", "").partition(":")[0] in settings.LEGACY_HOSTS:
            response.headers.pop("Strict-Transport-Security", None)
        return response

    return answer
