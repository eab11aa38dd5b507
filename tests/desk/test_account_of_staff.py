"""The account pages of the staff: as strong as the desk, so a password alone opens neither."""

import time
from datetime import timedelta

import pytest
from allauth.account.internal.flows.login import AUTHENTICATION_METHODS_SESSION_KEY
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.internal.auth import WebAuthn
from django.contrib.auth.models import User
from django.core import mail
from django.core.management import call_command
from django.utils import timezone

from contest.models import AuditEntry
from contest.staff import account_acts
from contest.templatetags.record import ACT_WORDS
from tests.authenticator import code
from tests.desk.conftest import DESK, PASSWORD, member, proved, said, signed_in, with_device

pytestmark = pytest.mark.django_db

ACCOUNT = "/en/account/"
# What shows or changes what opens an account: a factor, an address, a session.
PAGES = [
    f"{ACCOUNT}email/", f"{ACCOUNT}passkeys/", f"{ACCOUNT}passkeys/add/", f"{ACCOUNT}reauthenticate/",
    "/en/me/export.json", "/en/me/account/", "/admin/password_change/",
    "/admin/auth/user/",
]  # fmt: skip


@pytest.fixture(autouse=True)
def _forced(settings, counted, codes_stand_still):
    settings.SECOND_FACTOR_FOR_STAFF = True


@pytest.fixture
def chief(db) -> User:
    """Somebody of the staff with a device and every permission, so that nothing but the proof stands in the way."""
    user = User.objects.create_superuser("chief", "chief@example.org", PASSWORD)
    EmailAddress.objects.create(user=user, email="chief@example.org", verified=True, primary=True)
    return with_device(user)


def asks_for_a_factor(answer) -> bool:
    if answer.status_code == 302:
        return answer.url.startswith(f"{DESK}confirm/")
    return answer.status_code == 403 and "proof-code" in said(answer)


@pytest.mark.parametrize("page", PAGES)
def test_a_password_alone_opens_no_page_of_the_account(chief, page):
    assert asks_for_a_factor(signed_in(chief).get(page))


@pytest.mark.parametrize("page", PAGES)
def test_a_factor_just_proved_opens_it(chief, page):
    assert proved(chief).get(page).status_code in (200, 404, 405)


def test_a_password_alone_adds_no_passkey(chief):
    """The way round: its own passkey, then the desk, the admin and the people."""
    client = signed_in(chief)
    assert asks_for_a_factor(client.get(f"{ACCOUNT}passkeys/add/"))
    assert asks_for_a_factor(client.post(f"{ACCOUNT}passkeys/add/", {"name": "mine", "credential": "{}"}))
    client.post(f"{ACCOUNT}reauthenticate/", {"password": PASSWORD})
    assert asks_for_a_factor(client.get(f"{ACCOUNT}passkeys/add/"))
    for page in (DESK, "/admin/", f"{DESK}people/all/"):
        assert client.get(page).status_code == 403
    assert Authenticator.objects.count() == 1


def test_a_factor_proved_long_ago_and_a_password_now_change_no_factor(chief):
    client = proved(chief, seconds_ago=3_600)
    client.post(f"{DESK}rounds/new/", {"proof-password": PASSWORD})
    assert asks_for_a_factor(client.get(f"{ACCOUNT}passkeys/add/"))
    assert asks_for_a_factor(client.post(f"{DESK}second-factor/codes/"))


def test_a_code_of_the_app_leads_on_to_the_page(chief):
    client = signed_in(chief)
    asked = client.get(f"{ACCOUNT}passkeys/").url
    assert client.post(asked, {"proof-code": code(), "proof-was-get": "1"}).url == asked
    assert client.get(asked).url == f"{ACCOUNT}passkeys/"
    assert client.get(f"{ACCOUNT}passkeys/").status_code == 200


def test_the_code_that_set_an_app_up_opens_nothing_afterwards():
    user = member("organiser")
    client = signed_in(user)
    secret = client.get(f"{DESK}second-factor/").context["secret"]
    right = code(secret)
    assert client.post(f"{DESK}second-factor/", {"code": right}).status_code == 200
    again = signed_in(user).post(DESK, {"proof-code": right, "proof-was-get": "1"})
    assert "or was used already" in said(again)


def test_a_session_that_began_as_a_players_proves_anew():
    """A passkey opened it; the desk wants a password too."""
    player = User.objects.create_user("player", password=PASSWORD)
    client = signed_in(player)
    session = client.session
    session[AUTHENTICATION_METHODS_SESSION_KEY] = [{"method": "mfa", "at": time.time(), "type": "webauthn"}]
    session["account_authentication_methods_user"] = str(player.pk)
    session.save()
    with_device(player)
    User.objects.filter(pk=player.pk).update(is_staff=True, is_superuser=True)
    for page in (DESK, "/admin/", f"{DESK}second-factor/"):
        assert (client.get(page).status_code, "proof-name" in said(client.get(page))) == (403, True)
    assert asks_for_a_factor(client.get(f"{ACCOUNT}passkeys/"))
    given = {"proof-name": "player", "proof-password": PASSWORD, "proof-was-get": "1"}
    client.post(DESK, given)
    assert "proof-code" in said(client.get(DESK))  # the passkey of before counts no more
    client.post(DESK, given | {"proof-code": code()})
    assert client.get(DESK).status_code == 200


# Every such act is in the record, told by email, and on the person's page


def test_what_is_done_to_an_account_is_recorded_told_and_shown(chief, django_capture_on_commit_callbacks):
    client = proved(chief)
    with django_capture_on_commit_callbacks(execute=True):
        client.post(f"{DESK}second-factor/codes/")
    entry = AuditEntry.objects.get()
    assert (entry.act, entry.target, entry.actor) == ("make recovery codes", f"user {chief.pk}", chief)
    assert [message.to for message in mail.outbox] == [["chief@example.org"]]
    assert all(words in mail.outbox[0].body for words in ("New recovery codes were made", "新的恢复码"))
    assert "New recovery codes were made" in said(client.get(f"{DESK}second-factor/codes/"))
    assert "New recovery codes were made" in said(client.get("/en/me/"))


def test_a_new_password_is_told(chief, django_capture_on_commit_callbacks):
    given = {"old_password": PASSWORD, "new_password1": "another long one", "new_password2": "another long one"}
    with django_capture_on_commit_callbacks(execute=True):
        assert proved(chief).post("/admin/password_change/", given).status_code == 302
    assert AuditEntry.objects.get().act == "change password"
    assert "The password was changed" in mail.outbox[0].body


def test_a_removed_passkey_is_told(chief, django_capture_on_commit_callbacks):
    passkey = Authenticator.objects.create(user=chief, type=Authenticator.Type.WEBAUTHN, data={"name": "key"})
    assert WebAuthn(passkey).name == "key"
    with django_capture_on_commit_callbacks(execute=True):
        proved(chief).post(f"{ACCOUNT}passkeys/{passkey.pk}/remove/")
    assert AuditEntry.objects.get().act == "remove passkey"
    assert "A passkey was removed" in mail.outbox[0].body


def test_every_act_has_words_for_the_organisers_too():
    assert set(account_acts.WORDS) <= set(ACT_WORDS)


def test_signing_out_everywhere_ends_every_other_session(chief):
    here, elsewhere = proved(chief), proved(chief)
    stranger = signed_in(member("author"))
    assert here.post("/en/me/sessions/end/").status_code == 302
    assert here.get(DESK).status_code == 200
    assert "proof-name" in said(elsewhere.get(DESK))
    assert "proof-name" not in said(stranger.get(DESK))


# The first factor


def aged(user: User) -> User:
    User.objects.filter(pk=user.pk).update(date_joined=timezone.now() - timedelta(days=1, seconds=1))
    user.refresh_from_db()
    return user


def test_a_password_alone_sets_no_factor_up_after_the_first_day():
    client = signed_in(aged(member("organiser")))
    asked = client.get(f"{DESK}second-factor/")
    assert (asked.status_code, "invitation" in said(asked)) == (403, True)
    assert "secret" not in (asked.context or {})
    client.post(f"{DESK}second-factor/", {"code": "000000"})
    assert asks_for_a_factor(client.get(f"{ACCOUNT}passkeys/add/"))
    assert not Authenticator.objects.exists()


def invitation(name: str, capsys) -> str:
    call_command("second_factor", name, "--invite", "--reason", "Met in person.")
    return capsys.readouterr().out.splitlines()[-1]


def test_an_operators_invitation_does_once(capsys):
    user = aged(member("organiser"))
    given = invitation("organiser", capsys)
    client = signed_in(user)
    client.post(f"{DESK}second-factor/", {"invitation": given})
    secret = client.get(f"{DESK}second-factor/").context["secret"]
    right = code(secret)
    assert client.post(f"{DESK}second-factor/", {"code": right}).status_code == 200
    Authenticator.objects.all().delete()
    again = signed_in(user)
    assert again.post(f"{DESK}second-factor/", {"invitation": given}).status_code == 403


def test_an_invitation_is_for_one_person(capsys):
    aged(member("organiser"))
    other = aged(member("author"))
    client = signed_in(other)
    assert client.post(f"{DESK}second-factor/", {"invitation": invitation("organiser", capsys)}).status_code == 403


def test_the_first_factor_may_be_a_passkey_on_the_first_day():
    assert signed_in(member("organiser")).get(f"{ACCOUNT}passkeys/add/").status_code == 200
