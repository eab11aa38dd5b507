"""Cache keys of the fast paths: everything in a request on which a response depends; None if Django must answer."""

from collections.abc import Hashable, Mapping
from typing import Any

from django.conf import settings
from django.http import parse_cookie

from contest.api import json_texts
from contest.front.answers import choose_api_language
from contest.infra import kept
from contest.infra.site_address import scheme_of

Environ = Mapping[str, Any]

# Cookies that do not identify a person; their values are part of the cache key.
_HARMLESS = dict.fromkeys(("theme", settings.LANGUAGE_COOKIE_NAME))
# A longer query or cookie takes milliseconds to parse, and page_key runs in the event loop, where all requests wait.
# Keys are stored with the pages, and the limit of their memory counts the bodies alone: no part of a key is longer.
_LONGEST = 1_024
_PARTS = ("HTTP_COOKIE", "QUERY_STRING", "PATH_INFO", "HTTP_ACCEPT_LANGUAGE", "HTTP_HOST")
_LANGUAGES = tuple(f"/{code}/" for code, _name in settings.LANGUAGES)
_CONDITIONS = ("HTTP_AUTHORIZATION", "HTTP_IF_MATCH", "HTTP_IF_UNMODIFIED_SINCE", "HTTP_RANGE")
# Headers that a fast post may have; any other header may matter to some part of the site.
_USUAL = {
    f"HTTP_{name}"
    for name in (
        "ACCEPT", "ACCEPT_ENCODING", "ACCEPT_LANGUAGE", "AUTHORIZATION", "CONNECTION", "HOST", "IDEMPOTENCY_KEY",
        "TRACEPARENT", "USER_AGENT", "VIA", "X_FORWARDED_FOR", "X_FORWARDED_HOST", "X_FORWARDED_PORT",
        "X_FORWARDED_PROTO", "X_REQUEST_ID",
    )
}  # fmt: skip
# Headers added by proxies, CDNs and clients, which no code reads that answers a post to this URL.
UNREAD = {
    f"HTTP_{name}"
    for name in (
        "BAGGAGE", "CDN_LOOP", "CF_CONNECTING_IP", "CF_IPCOUNTRY", "CF_RAY", "CF_VISITOR", "DNT", "EXPECT", "FORWARDED",
        "KEEP_ALIVE", "PRIORITY", "SEC_CH_UA", "SEC_CH_UA_MOBILE", "SEC_CH_UA_PLATFORM", "SEC_FETCH_DEST",
        "SEC_FETCH_MODE", "SEC_FETCH_SITE", "SEC_FETCH_USER", "SEC_GPC", "TE", "TRACESTATE", "TRUE_CLIENT_IP",
        "X_AMZN_TRACE_ID", "X_AMZ_CF_ID", "X_CLOUD_TRACE_CONTEXT", "X_FORWARDED_SERVER", "X_REAL_IP",
    )
}  # fmt: skip
_PLAIN = (json_texts.MEDIA_TYPE, f"{json_texts.MEDIA_TYPE}; charset=utf-8", f"{json_texts.MEDIA_TYPE};charset=utf-8")


def page_key(environ: Environ) -> Hashable:
    """Return the cache key of a page; None for a request with a session cookie, a token, a condition or a long part."""
    if environ["REQUEST_METHOD"] != "GET" or environ.get("SCRIPT_NAME") or not environ.keys().isdisjoint(_CONDITIONS):
        return None
    sent = environ.get("HTTP_COOKIE", "")
    if "\\" in sent or any(len(environ.get(name, "")) > _LONGEST for name in _PARTS):
        return None
    cookies = parse_cookie(sent) if sent else {}
    if not cookies.keys() <= _HARMLESS.keys():
        return None
    path = environ["PATH_INFO"]
    languages = "" if path.startswith(_LANGUAGES) else environ.get("HTTP_ACCEPT_LANGUAGE", "")
    if path.startswith("/api/v1/"):  # The language alone: else each spelling of the header makes another response.
        languages = choose_api_language(languages)
    chosen = tuple(cookies.get(name) for name in _HARMLESS)
    return scheme_of(environ), environ.get("HTTP_HOST"), path, kept.parameters.known_part(environ), languages, chosen


def post_key(environ: Environ) -> Hashable:
    """Return the key of a receipt's response headers; None for a post that Django must handle."""
    if environ["REQUEST_METHOD"] != "POST" or environ.get("SCRIPT_NAME") or environ.get("QUERY_STRING"):
        return None
    if settings.DEBUG or environ.get("CONTENT_TYPE") not in _PLAIN or not 0 < body_size(environ) <= _most_bytes():
        return None
    sent = {name for name in environ if name.startswith("HTTP_")}
    if "HTTP_HOST" not in sent or not sent <= _USUAL | UNREAD:
        return None
    return (
        scheme_of(environ),
        environ["HTTP_HOST"],
        environ.get("HTTP_X_FORWARDED_HOST"),
        environ.get("HTTP_X_FORWARDED_PORT"),
        choose_api_language(environ.get("HTTP_ACCEPT_LANGUAGE", "")),
        "HTTP_AUTHORIZATION" in environ,
    )


def body_size(environ: Environ) -> int:
    try:
        return int(environ.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0


def _most_bytes() -> int:
    most: int = settings.MAX_SUBMISSION_BODY
    return most
