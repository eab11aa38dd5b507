"""A NUL character in any sent text is refused: PostgreSQL cannot store it, which once caused a server error."""

from html.parser import HTMLParser

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests import sizes
from tests.leaks.addresses import addresses

NUL = "a\0b"
_TEXTS = ("text", "search", "email", "password", "url", "hidden", "number", "datetime-local", "")


@pytest.fixture
def lenient_client():
    return Client(raise_request_exception=False)


@pytest.mark.parametrize("address", ["/en/rounds/7/ma%00in/", "/en/players/?q=a%00b", "/static/%00", "/admin/%00/"])
def test_a_url_with_a_nul_is_refused(lenient_client, db, address):
    assert lenient_client.get(address).status_code == 400


@pytest.mark.parametrize("name", ["session", "claims"])
def test_a_cookie_with_a_nul_is_refused(lenient_client, db, name):
    """Cookies may contain any byte, written as \\000."""
    assert lenient_client.get("/en/me/", headers={"Cookie": f'{name}="a\\000b"'}).status_code == 400


@pytest.mark.parametrize("name", ["proof-name", "proof-password", "proof-code"])
def test_a_proof_with_a_nul_is_refused(lenient_client, db, cache_of_its_own, name):
    given = {"proof-name": "somebody", "proof-password": "x", "proof-code": "1", name: NUL}
    assert lenient_client.post("/en/desk/", given).status_code < 500


@pytest.mark.parametrize("name", ["nickname", "country", "email", "claim", "idempotency_key"])
def test_the_api_refuses_a_nul(lenient_client, running, name):
    entry = {"nickname": "player", "moves": "rR", name: NUL}
    answer = lenient_client.post("/api/v1/submissions/", entry, content_type="application/json")
    assert answer.status_code == 400


class Forms(HTMLParser):
    """Parser that collects the forms of a page: method, action and fields with their values."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "form":
            self.found.append((given.get("method", "get").lower(), given.get("action", ""), {}, []))
        elif self.found and given.get("name") and tag in ("input", "textarea", "select"):
            _method, _action, fields, texts = self.found[-1]
            fields[given["name"]] = given.get("value") or ""
            if tag != "input" or given.get("type", "") in _TEXTS:
                texts.append(given["name"])


def pages(where):
    """Yield every URL that begins with *where* and has no number or name in it."""
    left_out = ("logout", "sign-out", "theme", "i18n", "jsi18n", "metrics")
    for address in addresses():
        url = f"/{address.pattern}".replace("/zh-hans/", "/en/")
        if url.startswith(where) and not address.names and not any(word in url for word in left_out):
            yield url


def form_requests(page, address, *, each_alone):
    """Yield every form of the page, with a NUL in all its texts at once or in each of them alone."""
    for method, action, fields, texts in Forms(page).found:
        where = action.partition("?")[0] or address
        if texts and not any(word in where for word in ("logout", "i18n", "theme")):
            for names in [[name] for name in texts] if each_alone else [texts]:
                yield method, where, fields | dict.fromkeys(names, NUL)


@pytest.mark.postgres
@pytest.mark.parametrize(
    ("role", "each_alone", "where"),
    sizes.cases([("stranger", True, "/"), ("superuser", False, "/en/")], [("superuser", True, "/")]),
)
def test_no_form_fails_on_a_nul(lenient_client, running, cache_of_its_own, role, each_alone, where):
    """The short run leaves out the admin, whose forms are all Django's."""
    if role == "superuser":
        lenient_client.force_login(User.objects.create_superuser("superuser", "superuser@example.org"))
    tried, failed = set(), []
    for address in pages(where):
        page = lenient_client.get(address)
        if page.status_code != 200 or "text/html" not in page.headers.get("Content-Type", ""):
            continue
        for method, action, fields in form_requests(page.getvalue().decode(), address, each_alone=each_alone):
            attempt = (method, action, *(name for name, value in fields.items() if value == NUL))
            if attempt not in tried:
                tried.add(attempt)
                answer = getattr(lenient_client, method)(action, fields)
                failed += [(attempt, answer.status_code)] if answer.status_code >= 500 else []
    assert len(tried) > 20
    assert failed == []
