"""Recovery codes, and a lost device."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from contest.models import AuditEntry
from contest.staff import second_factors
from tests.desk.conftest import DESK, member, proved, said, signed_in, with_device

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("factors_wanted")]


def test_a_recovery_code_opens_the_desk_once():
    user = with_device(member("organiser"))
    codes = second_factors.make_codes(user)
    given = {"proof-code": f"{codes[3][:4]} {codes[3][4:]}", "proof-was-get": "1"}
    client = signed_in(user)
    assert client.post(DESK, given).url == DESK
    assert client.get(DESK).status_code == 200
    assert "or was used already" in said(signed_in(user).post(DESK, given))
    assert second_factors.factors_of(user).codes_left == 9
    assert list(AuditEntry.objects.values_list("act", flat=True)) == ["use recovery code", "make recovery codes"]


@pytest.mark.parametrize(("seconds_ago", "status"), [(60, 200), (601, 403)])
def test_new_recovery_codes_want_a_fresh_proof_end_the_old_and_are_shown_once(seconds_ago, status):
    user = with_device(member("organiser"))
    old = second_factors.make_codes(user)
    client = proved(user, seconds_ago=seconds_ago)
    shown = client.post(f"{DESK}second-factor/codes/")
    assert shown.status_code == status
    assert old[0] not in said(client.get(f"{DESK}second-factor/codes/"))
    if status == 200:
        new = shown.context["codes"]
        assert all(code in said(shown) for code in new)
        assert new[0] not in said(client.get(f"{DESK}second-factor/codes/"))
        assert second_factors.use_code(user, old[0]) is None


def test_recovery_codes_alone_are_no_second_factor():
    user = member("organiser")
    second_factors.make_codes(user)
    assert signed_in(user).get(DESK).url.startswith(f"{DESK}second-factor/")


def test_the_operator_gives_somebody_who_lost_everything_a_fresh_start():
    user = with_device(member("organiser"))
    second_factors.make_codes(user)
    client = proved(user)
    with pytest.raises(CommandError, match="--reason"):
        call_command("second_factor", "organiser", "--reset")
    call_command("second_factor", "organiser", "--reset", "--reason", "Known by voice.", stdout=StringIO())
    assert client.get(DESK).status_code == 403  # signed out
    assert signed_in(user).get(DESK).url.startswith(f"{DESK}second-factor/")
    assert AuditEntry.objects.get(act="reset second factor").reason == "Known by voice."
