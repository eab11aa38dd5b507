"""The grace period for the second factor, and the conditions that end it permanently."""

import pytest
from django.test import RequestFactory

from contest.models import Heartbeat, Part
from contest.staff import first_minutes

pytestmark = pytest.mark.django_db


@pytest.fixture
def one_box(settings, monkeypatch):
    """A site as `dev.py run` configures it, but with the tests' own database."""
    settings.EMBEDDED, settings.HTTPS, settings.BEHIND_PROXY = True, False, False
    settings.TRUSTED_PROXIES, settings.CSRF_TRUSTED_ORIGINS, settings.LEGACY_HOSTS = [], [], []
    settings.BOUND_TO, settings.SITE_URL = "127.0.0.1", "http://127.0.0.1:8000"
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
    monkeypatch.setattr(first_minutes, "_is_embedded", lambda: True)
    return settings


def asked(host: str = "127.0.0.1:8000", peer: str = "127.0.0.1", **headers: str):
    return RequestFactory().get("/en/desk/", HTTP_HOST=host, REMOTE_ADDR=peer, **headers)


@pytest.mark.parametrize(
    ("host", "peer"), [("127.0.0.1:8000", "127.0.0.1"), ("localhost:8000", "127.0.0.1"), ("[::1]:8000", "::1")]
)
def test_the_factor_may_wait_on_this_machine_alone(one_box, host, peer):
    assert first_minutes.factor_may_wait(asked(host, peer))


CHANGES = {
    "https": {"HTTPS": True},
    "a proxy": {"BEHIND_PROXY": True},
    "a proxy's address": {"TRUSTED_PROXIES": ["10.0.0.5"]},
    "a public origin": {"CSRF_TRUSTED_ORIGINS": ["https://contest.example"]},
    "a name for old programs": {"LEGACY_HOSTS": ["old.example"]},
    "a public address": {"SITE_URL": "https://contest.example"},
    "a public name": {"ALLOWED_HOSTS": ["127.0.0.1", "contest.example"]},
    "any name": {"ALLOWED_HOSTS": ["*"]},
    "every address": {"BOUND_TO": "0.0.0.0"},
    "an unknown web server": {"BOUND_TO": ""},
}


def seen_at_a_start():
    """The site ends it at its start, without any request."""
    first_minutes.end_where_reached()
    return False


@pytest.mark.parametrize("seen", [seen_at_a_start, lambda: first_minutes.factor_may_wait(asked())])
@pytest.mark.parametrize("change", CHANGES)
def test_whatever_lets_others_in_ends_it_for_good_at_a_start_or_the_first_visit(one_box, change, seen):
    first_minutes.end_where_reached()
    assert not Heartbeat.objects.filter(part=Part.REACHED).exists(), "it was alone until then"
    before = {name: getattr(one_box, name) for name in CHANGES[change]}
    for name, value in CHANGES[change].items():
        setattr(one_box, name, value)
    assert not seen()
    for name, value in before.items():
        setattr(one_box, name, value)
    assert first_minutes.is_alone()
    assert not first_minutes.factor_may_wait(asked())


def test_a_proxy_that_adds_no_header_meets_the_factor_by_the_public_name(one_box):
    one_box.ALLOWED_HOSTS = ["127.0.0.1", "contest.example"]
    assert not first_minutes.factor_may_wait(asked("contest.example"))
    one_box.ALLOWED_HOSTS = ["127.0.0.1"]
    assert not first_minutes.factor_may_wait(asked())


@pytest.mark.parametrize(
    "request_",
    [
        asked(peer="192.0.2.7"),
        asked(HTTP_X_FORWARDED_FOR="127.0.0.1"),
        asked(HTTP_FORWARDED="for=127.0.0.1"),
        asked(HTTP_VIA="1.1 somewhere"),
    ],
)
def test_a_request_from_elsewhere_ends_it_for_good(one_box, request_):
    assert not first_minutes.factor_may_wait(request_)
    assert not first_minutes.factor_may_wait(asked())


def test_another_database_than_the_one_beside_the_data_ends_it(one_box, monkeypatch):
    monkeypatch.undo()
    assert not first_minutes.is_alone()
