"""Pages cached for anonymous clients hide what they must, whatever requests came before (rule 7.4)."""

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import Resolver404, resolve
from django.utils import translation

from contest.infra import kept
from tests.leaks import crawl

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("cache_of_its_own"),
    pytest.mark.exhaustive,
    pytest.mark.xdist_group("cluster"),
]


def _cacheable_urls(made):
    return [url for url in crawl.filled(made, "anonymous") if _is_cacheable(url)]


def _match(address):
    """Return which view answers *address*, whatever language the last request left active."""
    with translation.override(translation.get_language_from_path(address)):
        return resolve(address)


def _is_cacheable(address):
    try:
        return hasattr(_match(address).func, "state_function")
    except Resolver404:  # a URL from a regular expression
        return False


@pytest.mark.fast_paths
def test_requests_of_other_roles_reveal_nothing_to_anonymous_clients(planted):
    urls = _cacheable_urls(planted)
    assert len(urls) > 100
    marks = [(secret, crawl.plain(mark)) for secret in planted.secrets for mark in secret.marks]
    staff, owner, stranger = (planted.client(role) for role in ("organiser", "owner", "anonymous"))
    found = []
    for address in urls:
        staff.get(address), owner.get(address)
        texts = crawl._answer(stranger, address), crawl._answer(Client(), address)
        hidden = [mark for secret, mark in marks if not crawl.may_see("anonymous", secret, address)]
        found += [(address, mark) for mark in hidden for text in texts if crawl.contains_mark(mark, text)]
    assert found == []
    # A page is not cached if rows are written while it is rendered, also by parallel tests.
    assert any(kept.store.find(("http", None, address, "", "", (None, None))) for address in urls)


def test_a_guessed_etag_of_a_hidden_page_gets_404(planted):
    stranger = Client()
    for address in _cacheable_urls(planted):
        before = stranger.get(address)
        if before.status_code == 404:
            guessed = stranger.get(address, headers={"If-None-Match": "*"})
            assert (guessed.status_code, guessed.content) == (404, before.content), address


# Request headers that are not part of the cache key; none may change the cached or the sent response.
_OTHER_HEADERS = {
    "Accept": "application/json",
    "Accept-Encoding": "gzip, br",
    "Origin": "https://elsewhere.example",
    "Referer": "https://elsewhere.example/",
    "User-Agent": "Mozilla/5.0 (iPhone)",
    "X-Requested-With": "XMLHttpRequest",
    "X-Forwarded-Host": "elsewhere.example",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-For": "203.0.113.9",
    "X-Original-URL": "/en/desk/",
    "X-HTTP-Method-Override": "POST",
    "HX-Request": "true",
    "Sec-Fetch-Dest": "iframe",
    "Save-Data": "on",
}


def test_cached_responses_depend_on_nothing_outside_their_cache_key(planted):
    found = []
    for address in {_match(url).route: url for url in _cacheable_urls(planted)}.values():
        kept.store.clear()
        plain = _fetch(address)
        kept.store.clear()
        _fetch(address, headers=_OTHER_HEADERS)
        if _fetch(address) != plain:
            found.append(address)
    assert found == []


def _fetch(address, **options):
    answer = Client(**options).get(address)
    head = {name: value for name, value in answer.items() if name != "X-Request-ID"}
    return answer.status_code, head, answer.getvalue() if answer.streaming else answer.content


class Recording(QueryDict):
    """A query that notes the names of the parameters that are read."""

    read = set()

    def __getitem__(self, name):
        self.read.add(name)
        return super().__getitem__(name)

    def __contains__(self, name):
        self.read.add(name)
        return super().__contains__(name)

    def getlist(self, name, default=None):
        self.read.add(name)
        return super().getlist(name, default)


@pytest.mark.fast_paths
def test_pages_declare_every_parameter_that_they_read(planted, monkeypatch):
    monkeypatch.setattr(kept, "QueryDict", Recording)
    undeclared, tried = set(), {}
    for address in _cacheable_urls(planted):
        match = _match(address)
        names = match.func.reads
        tried.setdefault(match.route, set(names))
        for query in ("", "?" + "&".join(f"{name}=1" for name in names)):
            Recording.read = set()
            Client().get(address + query)
            undeclared |= {(match.route, name) for name in Recording.read - names}
            tried[match.route] -= Recording.read
    assert undeclared == set()
    assert {route: names for route, names in tried.items() if names} == {}
