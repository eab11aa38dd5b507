import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from contest.models import AuditEntry
from tests import cast
from tests.desk.conftest import BEFORE, DESK, with_device

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("factors_wanted", "local_site")]

HERE = {"HTTP_HOST": "localhost:8000", "REMOTE_ADDR": "127.0.0.1"}


def test_the_desk_opens_with_the_password_alone_until_there_is_a_factor(organiser):
    answer = organiser.get(DESK, **HERE)
    assert (answer.status_code, answer.context["factor_waits"]) == (200, True)
    assert "You can do this later, until the site is first opened from another computer." in answer.text
    assert "second_factor organiser --invite" in answer.text
    assert organiser.get(f"{DESK}second-factor/", **HERE).status_code == 200, "it can be set up meanwhile"
    done = organiser.post(f"{DESK}banner/", {"text_en": "Hello", "shown_from": "2026-01-01T00:00"}, **HERE)
    assert "The banner is set." in organiser.get(done.url, **HERE).text
    with_device(User.objects.get())
    assert organiser.get(DESK, **HERE).status_code == 403


def test_an_act_that_needs_a_proof_elsewhere_asks_for_confirmation_but_not_its_preview(organiser):
    address = f"{DESK}rounds/{cast.a_round(announced_at=BEFORE).number}/do/cancel/"
    form = {"reason_zh": "为何", "reason_en": "why", "do": "apply"}
    assert "What it would change" in organiser.post(address, form | {"do": "look"}, **HERE).text
    asked = organiser.post(address, form, **HERE)
    assert (asked.status_code, "the audit log will name you, organiser" in asked.text) == (403, True)
    assert ("reason_zh", "为何") in asked.context["kept"]
    assert not AuditEntry.objects.filter(act="cancel").exists()
    assert organiser.post(address, form | {"proof-read": "1"}, **HERE).status_code == 302
    assert AuditEntry.objects.filter(act="cancel").exists()


def test_account_pages_need_a_factor_and_no_confirmation(organiser):
    assert organiser.get(reverse("desk-recovery"), **HERE).url.startswith(reverse("desk-second-factor"))
    assert organiser.get("/admin/auth/user/", **HERE).status_code == 302
