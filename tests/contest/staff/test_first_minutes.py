import pytest
from django.test import RequestFactory

from contest.models import Heartbeat, Part
from contest.staff import first_minutes

pytestmark = pytest.mark.django_db


def make_request(host: str = "127.0.0.1:8000", peer: str = "127.0.0.1", **headers: str):
    return RequestFactory().get("/en/desk/", HTTP_HOST=host, REMOTE_ADDR=peer, **headers)


@pytest.mark.parametrize(
    ("host", "peer"), [("127.0.0.1:8000", "127.0.0.1"), ("localhost:8000", "127.0.0.1"), ("[::1]:8000", "::1")]
)
def test_no_second_factor_is_required_on_this_machine(local_site, host, peer):
    assert first_minutes.factor_may_wait(make_request(host, peer))


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


@pytest.mark.parametrize(
    "passes", [first_minutes.end_if_reachable, lambda: first_minutes.factor_may_wait(make_request())]
)
@pytest.mark.parametrize("change", CHANGES)
def test_a_public_setting_ends_the_exception_at_startup_or_the_first_request(local_site, change, passes):
    first_minutes.end_if_reachable()
    assert not Heartbeat.objects.filter(part=Part.REACHED).exists(), "it was alone until then"
    before = {name: getattr(local_site, name) for name in CHANGES[change]}
    for name, value in CHANGES[change].items():
        setattr(local_site, name, value)
    assert not passes()
    for name, value in before.items():
        setattr(local_site, name, value)
    assert first_minutes.is_local_only()
    assert not first_minutes.factor_may_wait(make_request())


@pytest.mark.parametrize(
    "request_",
    [
        make_request(peer="192.0.2.7"),
        make_request(HTTP_X_FORWARDED_FOR="127.0.0.1"),
        make_request(HTTP_FORWARDED="for=127.0.0.1"),
        make_request(HTTP_VIA="1.1 somewhere"),
    ],
)
def test_a_request_from_elsewhere_ends_the_exception_permanently(local_site, request_):
    assert not first_minutes.factor_may_wait(request_)
    assert not first_minutes.factor_may_wait(make_request())


def test_a_database_outside_the_data_directory_ends_the_exception(local_site, monkeypatch):
    monkeypatch.undo()
    assert not first_minutes.is_local_only()
