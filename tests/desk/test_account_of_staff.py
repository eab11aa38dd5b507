"""The account pages of the staff: as protected as the desk, so a password alone opens neither."""

from datetime import timedelta
from io import StringIO

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django.contrib.auth.models import User
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client

from contest.desk import access
from contest.infra import clock
from contest.infra.database.sessions import SessionStore
from contest.models import AuditEntry, DeskToken
from contest.staff import second_factors
from tests.authenticator import SECRET, code
from tests.desk.conftest import DESK, PASSWORD, member, proved, signed_in, with_device

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("factors_wanted")]

ACCOUNT = "/en/account/"
FACTOR = f"{DESK}second-factor/"
# Pages that show or change ways into an account: factors, addresses, sessions.
PAGES = [
    f"{ACCOUNT}email/", f"{ACCOUNT}passkeys/", f"{ACCOUNT}passkeys/add/", f"{ACCOUNT}reauthenticate/",
    "/en/me/export.json", "/en/me/account/", "/admin/password_change/",
    "/admin/auth/user/",
]  # fmt: skip


@pytest.fixture
def chief(db) -> User:
    """A member of the staff with a device and every permission, so that only the proof is missing."""
    user = User.objects.create_superuser("chief", "chief@example.org", PASSWORD)
    EmailAddress.objects.create(user=user, email="chief@example.org", verified=True, primary=True)
    return with_device(user)


def is_factor_page(answer) -> bool:
    if answer.status_code == 302:
        return answer.url.startswith(f"{DESK}confirm/")
    return answer.status_code == 403 and "proof-code" in answer.text


@pytest.mark.parametrize("page", PAGES)
def test_a_page_of_the_account_is_opened_by_a_factor_just_proved_and_by_no_password(chief, page):
    assert is_factor_page(signed_in(chief).get(page))
    assert proved(chief).get(page).status_code in (200, 404, 405)


def test_a_password_adds_no_passkey_alone_or_with_a_factor_proved_long_ago(chief):
    """The attack: add a passkey, then open the desk, the admin and the people."""
    client = signed_in(chief)
    assert is_factor_page(client.post(f"{ACCOUNT}passkeys/add/", {"name": "mine", "credential": "{}"}))
    client.post(f"{ACCOUNT}reauthenticate/", {"password": PASSWORD})
    assert is_factor_page(client.get(f"{ACCOUNT}passkeys/add/"))
    for page in (DESK, "/admin/", f"{DESK}people/all/"):
        assert client.get(page).status_code == 403
    proved_long_ago = proved(chief, seconds_ago=3_600)
    proved_long_ago.post(f"{DESK}rounds/new/", {"proof-password": PASSWORD})
    assert is_factor_page(proved_long_ago.get(f"{ACCOUNT}passkeys/add/"))
    assert is_factor_page(proved_long_ago.post(f"{FACTOR}codes/"))
    assert Authenticator.objects.count() == 1


def test_a_session_from_before_joining_the_staff_must_prove_again():
    """It started with a passkey; the desk requires a password too."""
    player = User.objects.create_user("player", password=PASSWORD)
    client = proved(player, kind="webauthn")
    with_device(player)
    User.objects.filter(pk=player.pk).update(is_staff=True, is_superuser=True)
    for page in (DESK, "/admin/", FACTOR):
        answer = client.get(page)
        assert (answer.status_code, "proof-name" in answer.text) == (403, True)
    assert is_factor_page(client.get(f"{ACCOUNT}passkeys/"))
    given = {"proof-name": "player", "proof-password": PASSWORD, "proof-was-get": "1"}
    client.post(DESK, given)
    assert "proof-code" in client.get(DESK).text  # the earlier passkey no longer counts
    client.post(DESK, given | {"proof-code": code()})
    assert client.get(DESK).status_code == 200


def test_every_act_on_an_account_is_logged_emailed_and_listed(chief, django_capture_on_commit_callbacks):
    passkey = Authenticator.objects.create(user=chief, type=Authenticator.Type.WEBAUTHN, data={"name": "key"})
    assert second_factors.factors_of(chief).passkeys == ["key"]
    client, password = proved(chief), {"old_password": PASSWORD}
    password |= dict.fromkeys(("new_password1", "new_password2"), "another long one")
    for page, given, act, text, chinese in (
        (f"{FACTOR}codes/", {}, "make recovery codes", "New recovery codes were made", "新的恢复码"),
        (f"{ACCOUNT}passkeys/{passkey.pk}/remove/", {}, "remove passkey", "A passkey was removed", "通行密钥"),
        ("/admin/password_change/", password, "change password", "The password was changed", "密码"),
    ):
        with django_capture_on_commit_callbacks(execute=True):
            client.post(page, given)
        entry, message = AuditEntry.objects.first(), mail.outbox[-1]
        assert (entry.act, entry.target, entry.actor) == (act, f"user {chief.pk}", chief)
        assert (message.to, text in message.body, chinese in message.body) == (["chief@example.org"], True, True)
        for shown in (f"{FACTOR}codes/", "/en/me/"):
            assert text in client.get(shown).text
    assert len(mail.outbox) == 3


@pytest.mark.parametrize(
    ("page", "given"),
    [
        (f"{ACCOUNT}passkeys/add/", {"name": "mine", "credential": '{"id": "mine"}'}),
        (f"{FACTOR}?app", {"code": code()}),
        (f"{FACTOR}codes/", {}),
        (f"{DESK}tokens/", {"name": "mine"}),
    ],
    ids=["passkey", "app", "recovery codes", "token"],
)
def test_nothing_that_is_added_to_an_account_during_a_reset_outlasts_it(chief, monkeypatch, page, given):
    """The attack: with a stolen device, add passkeys without end, so that one is on its way when it is reset."""
    load = SessionStore.load

    def load_before_the_reset(store):
        session = load(store)
        second_factors.reset(chief, None, reason="stolen")
        return session

    client = proved(chief)
    Authenticator.objects.filter(user=chief).update(type=Authenticator.Type.WEBAUTHN, data={"name": "stolen"})
    monkeypatch.setattr(AddWebAuthnForm, "clean", lambda form: form.cleaned_data)
    monkeypatch.setattr(access.allauth_internals, "get_totp_secret", lambda **_given: SECRET)
    monkeypatch.setattr(SessionStore, "load", load_before_the_reset)
    assert client.post(page, given).status_code == 400
    assert not Authenticator.objects.exists()
    assert not DeskToken.objects.filter(revoked_at=None).exists()


def aged(user: User) -> User:
    User.objects.filter(pk=user.pk).update(date_joined=clock.now() - timedelta(days=1))
    user.refresh_from_db()
    return user


def test_a_password_alone_sets_a_factor_up_on_the_first_day_alone():
    user = member("organiser")
    client = signed_in(user)
    assert client.get(f"{ACCOUNT}passkeys/add/").status_code == 200
    aged(user)
    asked = client.get(FACTOR)
    assert (asked.status_code, "invitation" in asked.text) == (403, True)
    assert "secret" not in (asked.context or {})
    client.post(FACTOR, {"code": "000000"})
    assert is_factor_page(client.get(f"{ACCOUNT}passkeys/add/"))
    assert not Authenticator.objects.exists()


def test_an_operators_invitation_works_once_for_one_user(capsys):
    user, other = aged(member("organiser")), aged(member("author"))
    call_command("second_factor", "organiser", "--invite", "--reason", "Met in person.")
    given = {"invitation": capsys.readouterr().out.splitlines()[-1]}
    assert signed_in(other).post(FACTOR, given).status_code == 403
    client = signed_in(user)
    client.post(FACTOR, given)
    assert client.post(FACTOR, {"code": code(client.get(FACTOR).context["secret"])}).status_code == 200
    Authenticator.objects.all().delete()
    assert signed_in(user).post(FACTOR, given).status_code == 403


def test_a_recovery_code_opens_the_desk_once_and_is_no_factor_alone(chief):
    user = member("organiser")
    second_factors.make_codes(user)
    assert signed_in(user).get(DESK).url.startswith(FACTOR)
    AuditEntry.objects.all().delete()
    codes = second_factors.make_codes(chief)
    given = {"proof-code": f"{codes[3][:4]} {codes[3][4:]}", "proof-was-get": "1"}
    client = signed_in(chief)
    assert client.post(DESK, given).url == DESK
    assert client.get(DESK).status_code == 200
    assert "or was used already" in signed_in(chief).post(DESK, given).text
    assert second_factors.factors_of(chief).codes_left == 9
    assert list(AuditEntry.objects.values_list("act", flat=True)) == ["use recovery code", "make recovery codes"]


def test_new_recovery_codes_want_a_fresh_proof_end_the_old_and_are_shown_once(chief):
    old = second_factors.make_codes(chief)
    assert proved(chief, seconds_ago=601).post(f"{FACTOR}codes/").status_code == 403
    client = proved(chief, seconds_ago=600)
    assert old[0] not in client.get(f"{FACTOR}codes/").text
    shown = client.post(f"{FACTOR}codes/")
    new = shown.context["codes"]
    assert all(code in shown.text for code in new)
    assert new[0] not in client.get(f"{FACTOR}codes/").text
    assert second_factors.use_code(chief, old[0]) is None


def test_the_operator_resets_an_account_after_a_total_loss(chief):
    second_factors.make_codes(chief)
    client = proved(chief)
    call_command("second_factor", "chief", stdout=(output := StringIO()))
    assert output.getvalue() == "app: yes, passkeys: 0, recovery codes left: 10\n"
    with pytest.raises(CommandError, match="--reason"):
        call_command("second_factor", "chief", "--reset")
    call_command("second_factor", "chief", "--reset", "--reason", "Known by voice.", stdout=StringIO())
    assert client.get(DESK).status_code == 403  # signed out
    assert signed_in(chief).get(DESK).url.startswith(f"{DESK}second-factor/")
    assert AuditEntry.objects.get(act="reset second factor").reason == "Known by voice."


def test_pages_with_passkeys_lead_from_an_address_of_digits_to_localhost():
    """Browsers have no passkeys there, and the button does nothing."""
    client = Client()
    for host, leads in (("127.0.0.1:8000", True), ("localhost:8000", False)):
        page = client.get("/en/account/login/", HTTP_HOST=host).text
        assert ('href="http://localhost:8000/en/account/login/"' in page) == leads
