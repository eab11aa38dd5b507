"""Caching of every URL, derived from the URL configuration; that reading changes nothing is shown by tests/leaks."""

import codecs
import encodings
import importlib
import re
from io import BytesIO
from threading import Thread

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import DisallowedHost
from django.test import RequestFactory
from django.urls import URLPattern

from contest.infra.postgres import waits
from contest.web.shell.request import ReadAsUTF8
from tests.leaks.addresses import Address, routes

# Pages of other packages, and URLs that redirect or ask for a proof with any method.
EXCLUDED = re.compile(
    r"admin/|\S*account/\S*|\S*desk/(second-factor/(codes/)?|confirm/)$|desk/$|.*round_name>|favicon.ico$|i18n/|$"
)
NO_STORE = "max-age=0, no-cache, no-store, must-revalidate, private"
# Exceptions to the usual Cache-Control: NO_STORE for the desk and forms, none for other pages before their lookup.
CACHE_CONTROL = {
    NO_STORE: """
        collected-receipt export following healthz lab-klotski-strict lab-solver-moves me metrics news play readyz
        receipt run-receipt runs sealed-answer
    """,
    "no-cache": "legacy-competition legacy-submissions legacy-submit legacy-table play-worker",
    "private, no-cache": "collected-numbers numbers",
    "private, max-age=30": "search",
    "public, max-age=86400": "app-icon app-manifest",
    "public, max-age=31536000, immutable": "app-accent",
    "": """
        add-checkpoint checkpoint-sign editor editor_picture letslogic-collection letslogic-collections letslogic-level
        letslogic-records rebuilt staff-join theme token-end webhook-again webhook-end webhook-test
    """,
}
IMPOSSIBLE_HOSTS = {
    "zeros": f"testserver:{'0' * 60_000}8000",
    "no port": "testserver:0",
    "high port": "127.0.0.1:99999",
    "long name": f"{'a.' * 200}example",
}


def _expected_cache_control(name: str, pattern: str, methods: str) -> str:
    is_private = "POST" in methods or pattern.startswith("zh-hans/desk/")
    default = "private, no-cache" if pattern.startswith("api/v1/") else NO_STORE if is_private else ""
    return next((row for row, names in CACHE_CONTROL.items() if name in names.split()), default)


def _put_response(pattern: str, route: URLPattern) -> tuple[str, str]:
    request = RequestFactory().put("/")
    request.user = User(is_staff=True, is_superuser=True)
    answer = route.callback(request, **dict.fromkeys(Address(pattern).names, 1) | route.default_args)
    return answer.get("Allow", ""), answer.get("Cache-Control", "")


def test_each_url_refuses_put_and_has_the_expected_cache_control():
    ours = {pattern: route for pattern, route in routes() if not EXCLUDED.match(pattern)}
    answers = {pattern: _put_response(pattern, route) for pattern, route in ours.items()}
    expected = {
        pattern: _expected_cache_control(route.name or pattern, pattern, answers[pattern][0])
        for pattern, route in ours.items()
    }
    assert {pattern: cache_control for pattern, (_methods, cache_control) in answers.items()} == expected
    assert all(methods and "PUT" not in methods for methods, _cache_control in answers.values())
    assert len(answers) > 300


@pytest.mark.parametrize("charset", ["punycode", "idna", "utf-7", "gbk", "utf-8"])
@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/x-www-form-urlencoded", "level=%E6%8E%A8-9"),
        (
            "multipart/form-data; boundary=B",
            '--B\r\nContent-Disposition: form-data; name="level"\r\n\r\n推-9\r\n--B--\r\n',
        ),
    ],
)
def test_a_request_is_read_as_utf_8_whatever_charset_it_names(charset, kind, body):
    """Punycode of 160 KB takes five seconds of CPU, of 2 MB a quarter of an hour; others were errors of the server."""
    sent = {"REQUEST_METHOD": "POST", "QUERY_STRING": "q=%E6%8E%A8-9", "CONTENT_TYPE": f"{kind}; charset={charset}"}
    content = {"wsgi.input": BytesIO(body.encode()), "CONTENT_LENGTH": str(len(body.encode()))}
    request = ReadAsUTF8(RequestFactory()._base_environ(**sent, **content))
    assert (request.GET["q"], request.POST["level"]) == ("推-9", "推-9")


@pytest.mark.parametrize("charset", ["punycode", "idna", "no-such-charset"])
def test_a_type_with_a_parameter_in_an_odd_charset_counts_as_none(charset):
    """RFC 2231. It was an error of the server, with a traceback of each request in the log."""
    sent = {"REQUEST_METHOD": "GET", "CONTENT_TYPE": f"text/plain; name*={charset}''%39%e6"}
    request = ReadAsUTF8(RequestFactory()._base_environ(**sent))
    assert (request.content_type, request.META["CONTENT_TYPE"]) == ("", "")


def test_headers_that_take_quadratic_time_count_as_absent():
    """55 KB of escaped quotes in a cookie took five seconds of CPU at any page, semicolons in a type half of that."""
    sent = {"HTTP_COOKIE": 'a="\\"\\""; csrf=x', "CONTENT_TYPE": f'text/plain; a="{";" * 1_024}'}
    request = ReadAsUTF8(RequestFactory()._base_environ(**sent))
    assert (request.COOKIES, request.content_type) == ({"csrf": "x"}, "")


@pytest.mark.parametrize("host", IMPOSSIBLE_HOSTS.values(), ids=IMPOSSIBLE_HOSTS)
def test_a_host_that_cannot_exist_is_refused(settings, host):
    """A sitemap of seven rounds had 23 MB with the longest; with a port above 65535 the sign-in page failed."""
    settings.ALLOWED_HOSTS = ["testserver", "127.0.0.1", ".example"]
    with pytest.raises(DisallowedHost, match="port"):
        ReadAsUTF8(RequestFactory()._base_environ(HTTP_HOST=host)).get_host()
    allowed = ReadAsUTF8(RequestFactory()._base_environ(HTTP_HOST="a.example:8000"))
    assert allowed.get_host() == "a.example:8000"


def test_names_of_unknown_charsets_are_not_stored():
    """Python stored each for ever: a client could fill the memory."""
    with pytest.raises(LookupError):
        codecs.lookup("nosuchcharset1")
    assert "nosuchcharset1" not in encodings._cache
    known = {"GB18030": "gb18030", "Windows-1252": "cp1252", "latin-1": "iso8859-1"}
    assert {name: codecs.lookup(name).name for name in known} == known


def test_the_site_reads_its_requests_so(db, monkeypatch):
    """Without the heartbeat, and without the pool of connections: the tests after this one would have them too."""
    monkeypatch.setattr(Thread, "start", lambda _thread: None)
    monkeypatch.setattr(waits, "set_timeouts", lambda: None)
    assert importlib.import_module("contest.wsgi")._site.request_class is ReadAsUTF8
