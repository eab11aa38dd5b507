from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group, Permission, User
from django.core import mail
from django.test import Client

from contest.infra import clock
from contest.models import AuditEntry, Disqualification, Submission
from contest.staff import account_acts, members, roles
from tests import cast
from tests.authenticator import code
from tests.desk.conftest import DESK, PASSWORD, member, proved, signed_in, with_device
from tests.desk.test_access import FILLERS
from tests.leaks.addresses import addresses
from tests.leaks.test_permissions import send_and_record

pytestmark = pytest.mark.django_db
STAFF = f"{DESK}staff/"
NEW_PASSWORD = "another long password"


@pytest.fixture
def chief_user(db) -> User:
    return with_device(User.objects.create_superuser("chief", password=PASSWORD))


@pytest.fixture
def chief(chief_user) -> Client:
    return proved(chief_user)


@pytest.fixture
def judy(db) -> User:
    return member("judge", "judy")


def invited(client: Client, name: str = "judy", role: str = "judge") -> str:
    shown = client.post(STAFF, {"username": name, "role": role})
    assert (shown.status_code, "link" in shown.context) == (200, True), shown.context["form"].errors
    return shown.context["link"].removeprefix("http://testserver")


def test_a_link_opens_an_account_once(chief, factors_wanted):
    link = invited(chief)
    assert "Choose a password" in Client().get(link).text
    with clock.set_to(clock.now() + timedelta(days=2)):
        assert Client().post(link, {"password": NEW_PASSWORD}).url == DESK
        judy = User.objects.get(username="judy")
        assert (judy.check_password(NEW_PASSWORD), [group.name for group in judy.groups.all()]) == (True, ["judge"])
        for answer in (Client().get(link), Client().post(link, {"password": "yet another one"})):
            assert (answer.status_code, "This link does not work" in answer.text) == (404, True)
        judy.refresh_from_db()
        assert judy.check_password(NEW_PASSWORD)
        # Their first day starts now: the password is enough to set up the first device.
        client = Client()
        client.post(DESK, {"proof-name": "judy", "proof-password": NEW_PASSWORD, "proof-was-get": "1"})
        secret = client.get(f"{DESK}second-factor/").context["secret"]
        assert client.post(f"{DESK}second-factor/", {"code": code(secret)}).status_code == 200
        assert client.get(DESK).status_code == 200


def test_of_two_requests_that_open_an_invitation_at_once_one_succeeds(chief, monkeypatch):
    invited(chief)
    judy = User.objects.get(username="judy")
    found = iter([judy, None])  # before the lock, and after another request has held it
    monkeypatch.setattr(members, "find_invited_user", lambda _code: next(found))
    assert members.join("code", NEW_PASSWORD) is None
    judy.refresh_from_db()
    assert not judy.check_password(NEW_PASSWORD)


def test_an_easy_password_a_name_that_is_taken_and_a_link_three_days_old_are_refused(chief, monkeypatch):
    link = invited(chief)
    answer = Client().post(link, {"password": "12345678"})
    assert (answer.status_code, members.is_awaited(User.objects.get(username="judy"))) == (422, True)
    again = chief.post(STAFF, {"username": "JUDY", "role": "author"})
    assert again.status_code == 422
    assert again.context["form"].errors["username"] == ["An account with this name already exists."]
    monkeypatch.setattr(members, "INVITED_FOR", timedelta(seconds=-1))
    assert Client().get(link).status_code == 404


def test_a_new_link_revokes_the_old_link_and_all_credentials(chief, judy):
    there = signed_in(with_device(judy))
    assert there.get(DESK).status_code == 200
    act = f"{STAFF}{judy.pk}/do/link/"
    link, newer = (chief.post(act, {"reason": reason}).context["link"] for reason in ("Met her.", "Met her again."))
    assert [Client().get(url).status_code for url in (link, newer)] == [404, 200]
    assert there.get(DESK).status_code == 403
    assert not Authenticator.objects.filter(user=judy).exists()
    judy.refresh_from_db()
    assert not judy.has_usable_password()


def test_a_role_is_given_and_taken(chief, judy):
    client, act = signed_in(judy), f"{STAFF}{judy.pk}/do/role/"
    chief.post(act, {"role": "author"})
    assert [group.name for group in judy.groups.all()] == ["author"]
    assert [client.get(DESK + page).status_code for page in ("library/", "record/")] == [200, 404]
    assert chief.post(act, {"role": ""}).url == STAFF
    judy.refresh_from_db()
    assert (judy.is_staff, list(judy.groups.all())) == (False, [])
    assert client.get(DESK).status_code == 403  # signed out
    assert signed_in(judy).get(DESK).status_code == 404
    entries = AuditEntry.objects.filter(act="give role", actor__username="chief").order_by("pk")
    roles_before_and_after = [(entry.before["roles"], entry.after["roles"]) for entry in entries]
    assert roles_before_and_after == [(["judge"], ["author"]), (["author"], [])]


def test_ending_sessions_notifies_their_owner(chief, judy, django_capture_on_commit_callbacks):
    User.objects.filter(pk=judy.pk).update(email="judy@example.org")
    client = signed_in(judy)
    with django_capture_on_commit_callbacks(execute=True):
        assert chief.post(f"{STAFF}{judy.pk}/do/sessions/").status_code == 302
    assert (client.get(DESK).status_code, chief.get(DESK).status_code) == (403, 200)
    assert "signed you out everywhere" in mail.outbox[0].body
    assert account_acts.recent_acts(judy)[0].act == "end sessions"


def test_a_lost_device_is_replaced_by_an_invitation(chief, judy, factors_wanted):
    with_device(judy)
    User.objects.filter(pk=judy.pk).update(date_joined=clock.now() - timedelta(days=9))
    act, page = f"{STAFF}{judy.pk}/do/factor/", f"{DESK}second-factor/"
    wrong = chief.post(act, {"reason": ""})
    assert (wrong.status_code, Authenticator.objects.filter(user=judy).exists()) == (422, True)
    given = chief.post(act, {"reason": "Met her."}).context["invitation"]
    client = signed_in(judy)
    assert client.get(page).status_code == 403
    client.post(page, {"invitation": given})
    assert "secret" in client.get(page).context


@pytest.mark.parametrize("address", ["", "{pk}/do/link/", "{pk}/do/factor/", "{pk}/do/role/", "{pk}/do/sessions/"])
def test_a_password_alone_changes_no_account(address, chief_user, judy, factors_wanted):
    chief = proved(chief_user, seconds_ago=3_600)
    given = {"username": "new", "role": "judge", "reason": "Met her.", "proof-password": PASSWORD}
    answer = chief.post(f"{STAFF}{address.format(pk=judy.pk)}", given)
    assert (answer.status_code, "proof-code" in answer.text) == (403, True)
    assert (User.objects.count(), AuditEntry.objects.count()) == (2, 0)


def test_nobody_changes_their_own_account_or_a_superusers(chief, chief_user):
    other = User.objects.create_superuser("other", password=PASSWORD)
    helper = User.objects.create_user("helper", password=PASSWORD, is_staff=True)
    helper.user_permissions.add(roles.Permission.objects.get(codename="change_user"))
    assert chief.post(f"{STAFF}{chief_user.pk}/do/factor/", {"reason": "Me."}).status_code == 404
    assert chief.post(f"{STAFF}{other.pk}/do/role/", {"role": "author"}).status_code == 404
    assert signed_in(helper).post(f"{STAFF}{other.pk}/do/link/", {"reason": "Ha."}).status_code == 404
    assert chief.get(f"{STAFF}{other.pk}/do/link/").status_code == 200


def test_a_judge_rules_and_publishes_nothing():
    cast.enter_all(cast.a_round(), [("Ann", 9, 3), ("Bo", 8, 4)])
    judge = signed_in(member("judge"))
    answer = judge.get(f"{DESK}rounds/1/")
    shown = answer.text
    assert (answer.status_code, "Actions" in shown) == (200, True), shown[-5_000:]
    offered = [act for act in ("disqualify", "void-level", "extend", "cancel") if f"/do/{act}/" in shown]
    assert offered == ["disqualify", "void-level"]
    sent = Submission.objects.get(player__nickname="Ann")
    given = {"reason_zh": "", "reason_en": "Copied.", "do": "apply", "note": ""}
    assert judge.post(f"{DESK}submissions/{sent.pk}/do/void/", given).status_code == 302
    assert judge.post(f"{DESK}rounds/1/do/disqualify/", {**given, "player": sent.player_id}).status_code == 302
    assert Disqualification.objects.get().player_id == sent.player_id
    sent.refresh_from_db()
    assert sent.voided_at is not None
    for act in ("finalise", "revise", "extend", "cancel", "announce", "nothing"):
        assert judge.post(f"{DESK}rounds/1/do/{act}/", given).status_code == 404


def test_an_observer_reads_and_changes_nothing_anywhere_on_the_desk():
    round_ = cast.a_round()
    (sent,) = cast.enter_all(round_, [("Ann", 9, 3)])
    observer = signed_in(member("observer"))
    assert observer.get(f"{DESK}submissions/{sent.pk}/").status_code == 200
    fillers = FILLERS | {"number": [1], "pk": [sent.pk], "name": ["void"], "code": ["x"]}
    changed = []
    with clock.set_to(round_.opens_at + timedelta(hours=1)):
        for address in addresses():
            # Nobody else can create their recovery codes.
            if address.pattern.startswith("zh-hans/desk/") and "second-factor/" not in address.pattern:
                status, tables = send_and_record(observer, "POST", next(address.filled(fillers)))
                if status >= 500 or tables - {"django_session"}:
                    changed.append((address.pattern, status, tables))
    assert changed == []


def test_the_right_to_change_accounts_makes_no_superuser_in_the_plain_admin(judy, chief_user):
    """Neither of oneself, nor by the account of a superuser or of an accomplice."""
    other = member("observer", "olga")
    judy.user_permissions.set(Permission.objects.filter(codename__in=("change_user", "delete_user")))
    client = proved(with_device(judy))
    rights = {"username": "olga", "is_staff": "on", "is_superuser": "on", "user_permissions": ["1"], "is_active": "on"}
    times = {"date_joined_0": "2026-01-01", "date_joined_1": "00:00:00"}
    password = {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD, "usable_password": "true"}
    acts = ("password", password), ("change", rights | times), ("delete", {"post": "yes"})
    for user in (judy, chief_user):
        for act, given in acts:
            assert client.post(f"/admin/auth/user/{user.pk}/{act}/", given).status_code == 403, (user, act)
    assert client.post(f"/admin/auth/user/{other.pk}/change/", rights | times).status_code == 302
    assert (User.objects.get(is_superuser=True), other.user_permissions.exists()) == (chief_user, False)
    assert client.post(f"/admin/auth/user/{other.pk}/delete/", {"post": "yes"}).status_code == 302


def test_only_superusers_change_what_a_role_may(judy, chief_user):
    role = Group.objects.get(name="judge")
    judy.user_permissions.set(Permission.objects.filter(content_type__model="group"))
    wider = {"name": "judge", "permissions": [Permission.objects.get(codename="change_user").pk]}
    for client, status in (proved(with_device(judy)), 403), (proved(chief_user), 302):
        for act in "add", f"{role.pk}/change", f"{role.pk}/delete":
            sent = client.post(f"/admin/auth/group/{act}/", wider | {"name": act, "post": "yes"})
            assert sent.status_code == status, act


@pytest.mark.parametrize(
    ("page", "given", "act"),
    [
        ("password", {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD}, "change password"),
        ("change", {"username": "judy", "is_active": "on", "is_staff": "on"}, "change account"),
        ("delete", {"post": "yes"}, "delete account"),
    ],
)
def test_changes_in_the_plain_admin_are_logged_and_reported_to_the_owner(
    chief, judy, page, given, act, django_capture_on_commit_callbacks
):
    """And the first day, on which a password alone sets up a second factor, cannot be given back there."""
    User.objects.filter(pk=judy.pk).update(email="judy@example.org", date_joined=cast.OPENS)
    later = {"date_joined_0": "2099-01-01", "date_joined_1": "00:00:00"}
    with django_capture_on_commit_callbacks(execute=True):
        assert chief.post(f"/admin/auth/user/{judy.pk}/{page}/", given | later).status_code == 302
    assert [(entry.act, entry.actor_name) for entry in account_acts.recent_acts(judy)] == [(act, "chief")]
    assert [letter.to for letter in mail.outbox] == [["judy@example.org"]]
    assert ("sign in" in mail.outbox[0].body) == User.objects.filter(pk=judy.pk).exists()
    assert not User.objects.filter(pk=judy.pk).exclude(date_joined=cast.OPENS).exists()


def test_an_account_that_no_number_names_has_no_password_page(chief):
    assert chief.get("/admin/auth/user/judy/password/").status_code == 404
