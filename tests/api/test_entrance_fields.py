"""Header fields without effect on the entrance's response: no code of the site reads them there."""

import re
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

import pytest
from django.conf import settings

from contest.entrance.keys import UNREAD
from contest.infra import client_ip
from contest.stats import visitors
from tests.api.test_entrance import ask, both, environ_for, site

__all__ = ["site"]  # a fixture

# How code refers to a field: by its name in WSGI or in HTTP.
_FIELD_READ = re.compile(
    r"""HTTP_(?P<wsgi>\w+)|(?:headers|META|environ)\s*(?:\.\w+\(|\[)\s*["'](?P<http>[\w-]+)|["'](?P<told>\w+(?:-\w+)+)["']"""
)

pytestmark = pytest.mark.fast_paths
# Read in places that a POST does not reach, as the tests below show.
_READ_ELSEWHERE = {
    "HTTP_DNT": ("stats/visitors.py",),
    "HTTP_SEC_GPC": ("stats/visitors.py",),
    "HTTP_FORWARDED": ("infra/client_ip.py",),
    # Only in a comment of allauth, as a possible value of ALLAUTH_TRUSTED_CLIENT_IP_HEADER.
    "HTTP_X_REAL_IP": ("infra/client_ip.py", "allauth/app_settings.py"),
    "HTTP_CF_CONNECTING_IP": ("allauth/app_settings.py",),
}


def fields_read_in(text):
    for found in _FIELD_READ.finditer(text):
        name = found["wsgi"] or found["http"] or found["told"]
        yield f"HTTP_{name.upper().replace('-', '_').removeprefix('HTTP_')}"


@pytest.mark.exhaustive
def test_no_code_reads_the_fields_listed_as_unread():
    """Checks the site and its installed packages."""
    packages = {name.partition(".")[0] for name in (*settings.MIDDLEWARE, *settings.INSTALLED_APPS)}
    folders = [Path(folder) for package in packages for folder in find_spec(package).submodule_search_locations]
    readers = {}
    for file in chain.from_iterable(folder.rglob("*.py") for folder in folders):
        for name in fields_read_in(file.read_text(errors="replace")):
            readers.setdefault(name, set()).add(file.as_posix())
    assert readers.keys() >= {"HTTP_LAST_EVENT_ID", "HTTP_X_FORWARDED_PORT", "HTTP_ORIGIN", "HTTP_IF_NONE_MATCH"}
    assert readers.keys() >= _READ_ELSEWHERE.keys()
    found = {name: files for name, files in readers.items() if name in UNREAD}
    assert [file for name in found for file in found[name] if not file.endswith(_READ_ELSEWHERE.get(name, ()))] == []


def test_a_post_reads_no_fields_of_get_requests_or_local_pages(round_, site, monkeypatch):
    assert getattr(settings, "ALLAUTH_TRUSTED_CLIENT_IP_HEADER", None) is None
    for owner, name in ((client_ip, "is_local"), (visitors, "_add")):
        monkeypatch.setattr(owner, name, lambda *_asked, name=name: pytest.fail(f"{name} was asked"))
    monkeypatch.setattr(settings, "COUNT_VISITORS", True)
    environ = environ_for({"nickname": "Ann", "moves": "rR"}, HTTP_ACCEPT="text/html", HTTP_X_REAL_IP="192.0.2.1")
    assert ask(site, environ)[0] == "202 Accepted"


def test_the_entrance_answers_requests_with_all_unread_fields(round_, site):
    added = dict.fromkeys(UNREAD, "203.0.113.9;a=1")
    expected, actual = both(site, lambda: environ_for({"nickname": "New", "moves": "rR"}, **added))
    assert actual == expected
    assert site.asked == 2  # by `both`: before the entrance has learnt the response, and for the comparison
