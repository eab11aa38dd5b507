"""The desk of a site that only its own machine reaches: no second factor yet, one sentence before an act."""

import pytest
from django.core.cache import cache
from django.urls import reverse

from contest.infra import clock
from contest.models import AuditEntry, Banner, Heartbeat, Part
from contest.staff import first_minutes
from tests import cast
from tests.desk.conftest import member, signed_in, with_device
from tests.desk.test_publishing import BEFORE

pytestmark = pytest.mark.django_db

DESK = "/en/desk/"
HERE = {"HTTP_HOST": "localhost:8000", "REMOTE_ADDR": "127.0.0.1"}


@pytest.fixture(autouse=True)
def _one_box(settings, counted, monkeypatch):
    settings.SECOND_FACTOR_FOR_STAFF = True
    settings.EMBEDDED, settings.HTTPS, settings.BEHIND_PROXY = True, False, False
    settings.TRUSTED_PROXIES, settings.CSRF_TRUSTED_ORIGINS, settings.LEGACY_HOSTS = [], [], []
    settings.BOUND_TO, settings.SITE_URL = "127.0.0.1", "http://127.0.0.1:8000"
    settings.ALLOWED_HOSTS = ["localhost"]
    monkeypatch.setattr(first_minutes, "_is_embedded", lambda: True)
    cache.clear()


@pytest.fixture
def client():
    return signed_in(member("organiser"))


def test_the_desk_opens_with_the_password_alone_and_says_so(client):
    answer = client.get(DESK, **HERE)
    assert (answer.status_code, answer.context["factor_waits"]) == (200, True)


def test_who_has_a_factor_proves_it(settings):
    client = signed_in(with_device(member("organiser")))
    assert client.get(DESK, **HERE).status_code == 403


def test_by_a_public_name_the_factor_is_asked_for_and_from_then_on_by_any(client, settings):
    settings.ALLOWED_HOSTS = ["localhost", "contest.example"]
    through_a_proxy = client.get(DESK, **HERE | {"HTTP_HOST": "contest.example"})
    assert through_a_proxy.url.startswith(f"{DESK}second-factor/")
    settings.ALLOWED_HOSTS = ["localhost"]
    assert client.get(DESK, **HERE).status_code == 302
    assert Heartbeat.objects.filter(part=Part.REACHED).exists()


def test_a_sentence_stands_before_an_act_that_elsewhere_wants_a_proof(client):
    round_ = cast.a_round(announced_at=BEFORE)
    address = f"{DESK}rounds/{round_.number}/do/cancel/"
    form = {"reason_zh": "为何", "reason_en": "why"}
    with clock.set_to(BEFORE):
        asked = client.post(address, form, **HERE)
    assert (asked.status_code, "the record will name you, organiser" in asked.content.decode()) == (403, True)
    assert ("reason_zh", "为何") in asked.context["kept"]
    assert not AuditEntry.objects.filter(act="cancel").exists()
    done = client.post(address, form | {"proof-read": "1", "stamp": ""}, **HERE)
    assert done.status_code != 403


def test_what_opens_the_account_waits_for_no_sentence(client):
    assert client.get(reverse("desk-recovery"), **HERE).url.startswith(reverse("desk-second-factor"))
    assert client.get("/admin/auth/user/", **HERE).status_code == 302


def test_the_factor_can_be_set_up_while_it_may_wait(client):
    assert client.get(f"{DESK}second-factor/", **HERE).status_code == 200


def test_every_act_is_confirmed_by_a_sentence(client):
    answer = client.post(
        f"{DESK}banner/", {"text_en": "Hello", "text_zh": "", "shown_from": "2026-01-01T00:00"}, **HERE
    )
    assert (answer.status_code, Banner.objects.count()) == (302, 1)
    assert "The banner is set." in client.get(answer.url, **HERE).content.decode()
