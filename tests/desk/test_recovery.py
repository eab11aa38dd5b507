"""Recovery codes, and a lost device."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from contest.models import AuditEntry
from contest.staff import second_factors
from tests.desk.conftest import DESK, member, proved, signed_in, with_device

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("factors_wanted")]
CODES = f"{DESK}second-factor/codes/"


@pytest.fixture
def user(db):
    return with_device(member("organiser"))


def test_a_recovery_code_opens_the_desk_once(user):
    codes = second_factors.make_codes(user)
    given = {"proof-code": f"{codes[3][:4]} {codes[3][4:]}", "proof-was-get": "1"}
    client = signed_in(user)
    assert client.post(DESK, given).url == DESK
    assert client.get(DESK).status_code == 200
    assert "or was used already" in signed_in(user).post(DESK, given).text
    assert second_factors.factors_of(user).codes_left == 9
    assert list(AuditEntry.objects.values_list("act", flat=True)) == ["use recovery code", "make recovery codes"]


def test_new_recovery_codes_want_a_fresh_proof_end_the_old_and_are_shown_once(user):
    old = second_factors.make_codes(user)
    assert proved(user, seconds_ago=601).post(CODES).status_code == 403
    client = proved(user, seconds_ago=600)
    assert old[0] not in client.get(CODES).text
    shown = client.post(CODES)
    new = shown.context["codes"]
    assert all(code in shown.text for code in new)
    assert new[0] not in client.get(CODES).text
    assert second_factors.use_code(user, old[0]) is None


def test_recovery_codes_alone_are_no_second_factor():
    user = member("organiser")
    second_factors.make_codes(user)
    assert signed_in(user).get(DESK).url.startswith(f"{DESK}second-factor/")


def test_the_operator_gives_somebody_who_lost_everything_a_fresh_start(user):
    second_factors.make_codes(user)
    client = proved(user)
    with pytest.raises(CommandError, match="--reason"):
        call_command("second_factor", "organiser", "--reset")
    call_command("second_factor", "organiser", "--reset", "--reason", "Known by voice.", stdout=StringIO())
    assert client.get(DESK).status_code == 403  # signed out
    assert signed_in(user).get(DESK).url.startswith(f"{DESK}second-factor/")
    assert AuditEntry.objects.get(act="reset second factor").reason == "Known by voice."
