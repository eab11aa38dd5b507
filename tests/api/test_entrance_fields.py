"""Fields of a head that change no answer at the entrance of submissions: nothing in the site reads them there."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest
from django.conf import settings

from contest.api.entrance import UNREAD, SubmissionEntrance
from contest.infra import client_ip
from contest.stats import visitors
from tests.api.test_entrance import _connection_of_the_test, ask, both, environ_for, site

__all__ = ["_connection_of_the_test", "site"]  # fixtures

# How code asks for a field: as WSGI names it, or as HTTP does.
_ASKED = re.compile(
    r"""HTTP_(?P<wsgi>\w+)|(?:headers|META|environ)\s*(?:\.\w+\(|\[)\s*["'](?P<http>[\w-]+)|["'](?P<told>\w+(?:-\w+)+)["']"""
)
# Read in other places than a post comes by, which the tests below show.
_READ_ELSEWHERE = {
    "HTTP_DNT": ("stats/visitors.py",),
    "HTTP_SEC_GPC": ("stats/visitors.py",),
    "HTTP_FORWARDED": ("infra/client_ip.py",),
    # A comment of allauth says what an operator might name in ALLAUTH_TRUSTED_CLIENT_IP_HEADER.
    "HTTP_X_REAL_IP": ("infra/client_ip.py", "allauth/app_settings.py"),
    "HTTP_CF_CONNECTING_IP": ("allauth/app_settings.py",),
}


def asked_in(text):
    """The fields that code asks for, as WSGI names them.

    >>> sorted(asked_in('request.headers.get("Last-Event-ID"), META["HTTP_DNT"], name = "x-real-ip"'))
    ['HTTP_DNT', 'HTTP_LAST_EVENT_ID', 'HTTP_X_REAL_IP']
    """
    for found in _ASKED.finditer(text):
        name = found["wsgi"] or found["http"] or found["told"]
        yield f"HTTP_{name.upper().replace('-', '_').removeprefix('HTTP_')}"


@pytest.fixture(scope="module")
def readers():
    """By field the files that ask for it, of the site and of all that is installed into it; but who names them here."""
    packages = {name.partition(".")[0] for name in (*settings.MIDDLEWARE, *settings.INSTALLED_APPS)}
    found = {}
    for package in packages:
        for folder in find_spec(package).submodule_search_locations:
            for file in Path(folder).rglob("*.py"):
                for name in asked_in(file.read_text(errors="replace")):
                    found.setdefault(name, set()).add(file.as_posix())
    return found


def test_the_search_finds_what_is_read(readers):
    assert readers.keys() >= {"HTTP_LAST_EVENT_ID", "HTTP_X_FORWARDED_PORT", "HTTP_ORIGIN", "HTTP_IF_NONE_MATCH"}
    assert readers.keys() >= _READ_ELSEWHERE.keys()


@pytest.mark.parametrize("field", sorted(UNREAD))
def test_nothing_reads_a_field_that_is_called_unread(readers, field):
    where = _READ_ELSEWHERE.get(field, ())
    assert [file for file in readers.get(field, ()) if not file.endswith(where)] == []


def test_what_a_get_or_a_local_page_reads_is_not_read_of_a_post(round_, site, monkeypatch):
    assert getattr(settings, "ALLAUTH_TRUSTED_CLIENT_IP_HEADER", None) is None
    for owner, name in ((client_ip, "is_local"), (visitors, "_add")):
        monkeypatch.setattr(owner, name, lambda *_asked, name=name: pytest.fail(f"{name} was asked"))
    monkeypatch.setattr(settings, "COUNT_VISITORS", True)
    told = ask(
        site, environ_for({"nickname": "Ann", "moves": "rR"}, HTTP_ACCEPT="text/html", HTTP_X_REAL_IP="192.0.2.1")
    )
    assert told[0] == "202 Accepted"


@pytest.mark.parametrize("field", sorted(UNREAD))
def test_the_answer_is_the_sites_with_any_of_them(round_, site, field):
    def make():
        return environ_for({"nickname": "New", "moves": "rR"}, **{field: "203.0.113.9;a=1"})

    expected, told = both(site, make)
    assert told == expected


def test_who_comes_by_a_proxy_that_adds_all_of_them_is_answered_at_the_entrance(round_, site):
    application = SubmissionEntrance(site)
    for name in ("Ann", "Bo"):
        ask(application, environ_for({"nickname": name, "moves": "rR"}, **dict.fromkeys(UNREAD, "1")))
    assert site.asked == 1
