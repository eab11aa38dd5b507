"""Error reports to Sentry, without personal data, texts of players or secrets."""

from typing import Any
from urllib.parse import unquote, urlsplit

import sentry_sdk
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.urls import Resolver404, resolve
from sentry_sdk.integrations.celery import CeleryIntegration
from sentry_sdk.integrations.django import DjangoIntegration
from sentry_sdk.utils import BadDsn

import solvers
from contest.infra import logs
from contest.infra.monitoring.scrubbing import scrub

# Fields of an event that are sent: others could hold an argument of a task or a cookie.
_SENT = {
    "environment", "event_id", "fingerprint", "level", "logger", "platform", "release", "sdk", "server_name",
    "timestamp", "transaction_info",
}  # fmt: skip
_SCRUBBED = {"exception", "logentry", "request", "tags", "transaction"}


def start() -> None:
    """Send errors of this process to SENTRY_DSN. Raise ImproperlyConfigured if that is no DSN."""
    try:
        sentry_sdk.init(
            dsn=settings.SENTRY_DSN,
            release=f"leitai@{solvers.__version__}",
            environment=settings.SENTRY_ENVIRONMENT,
            integrations=[DjangoIntegration(), CeleryIntegration()],
            auto_enabling_integrations=False,
            auto_session_tracking=False,
            # Off by default: send_default_pii, which the SDK deprecates even as False.
            include_local_variables=False,
            max_request_body_size="never",
            max_breadcrumbs=0,
            before_send=scrub_event,
        )
    except BadDsn as error:
        raise ImproperlyConfigured(f"SENTRY_DSN is not a DSN such as https://key@host/1: {error}.") from None


def scrub_event(event: Any, _hint: Any) -> Any:
    """Return *event* without private text and with the ids that the log has (Sentry's `before_send`)."""
    private = {name: event[name] for name in _SCRUBBED & event.keys()}
    if entry := private.get("logentry"):  # The parameters are in the text; alone, a receipt's id looks harmless.
        private["logentry"] = {"message": entry.get("message"), "formatted": entry.get("formatted")}
    if request := private.get("request"):
        url = urlsplit(request.get("url", ""))
        route = _route_of(url.path)
        private["request"] = {"method": request.get("method"), "url": f"{url.scheme}://{url.netloc}{route}"}
        private["transaction"] = route  # Before the language is known, the SDK puts the path here.
    ids = {"request": logs.request_id.get(), "trace": logs.trace_id.get(), "submission": logs.submission.get()}
    private["tags"] = {**private.get("tags", {}), **{name: value for name, value in ids.items() if value}}
    return {name: event[name] for name in _SENT & event.keys()} | scrub(private)


def _route_of(path: str) -> str:
    """Return the URL pattern of *path*, which may itself be a secret (rule 7.5); "/…" if there is none."""
    try:
        return f"/{resolve(unquote(path)).route}"
    except Resolver404:
        return "/…"
