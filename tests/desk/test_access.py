"""Who comes to the desk, and what they must prove."""

import dataclasses
import re
import time
from io import StringIO

import pytest
from allauth.account.internal.flows.login import AUTHENTICATION_METHODS_SESSION_KEY
from allauth.mfa.totp.internal import auth as totp
from django.contrib.auth.models import Permission, User
from django.core import signing
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client

from contest.desk import urls
from contest.infra import attempts, clock
from contest.models import AuditEntry, Level, Round, Series, Token
from contest.staff import second_factors
from tests import cast
from tests.authenticator import SECRET, code
from tests.desk.conftest import PASSWORD, member, signed_in
from tests.desk.test_publishing import BEFORE, LEVEL, NEW

pytestmark = pytest.mark.django_db

DESK = "/en/desk/"
# Every page of the desk that takes no row of its own, and who may see it.
PAGES = {
    "": ("author", "organiser", "operator"),
    "rounds/": ("organiser",),
    "rounds/new/": ("organiser",),
    "levels/new/": ("author", "organiser"),
    "library/": ("author", "organiser"),
    "series/": ("organiser",),
    "people/": ("organiser",),
    "banner/": ("organiser",),
    "health/": ("organiser", "operator"),
    "record/": ("organiser", "operator"),
    "rounds/1/": ("organiser",),
    "rounds/1/edit/": ("organiser",),
    "rounds/1/preview/": ("organiser",),
    "rounds/1/do/cancel/": ("organiser",),
}


@pytest.fixture(autouse=True)
def _forced(settings, counted, codes_stand_still):
    settings.SECOND_FACTOR_FOR_STAFF = True
    with clock.set_to(BEFORE):
        yield


def with_device(user: User) -> User:
    totp.TOTP.activate(user, SECRET)
    return user


def proved(user: User, *, seconds_ago: float = 0) -> Client:
    """A browser in which *user* has proved a second factor so long ago."""
    client = signed_in(user)
    session = client.session
    session[AUTHENTICATION_METHODS_SESSION_KEY] = [{"method": "mfa", "at": time.time() - seconds_ago, "type": "totp"}]
    session["account_authentication_methods_user"] = str(user.pk)
    session.save()
    return client


def said(answer) -> str:
    return answer.content.decode()


@pytest.mark.parametrize("role", ["author", "organiser", "operator"])
def test_each_role_sees_its_own_pages_and_no_others(role, settings):
    settings.SECOND_FACTOR_FOR_STAFF = False
    cast.a_round(announced_at=BEFORE)
    client = signed_in(member(role))
    seen = {page: client.get(DESK + page).status_code for page in PAGES}
    assert seen == {page: 200 if role in roles else 404 for page, roles in PAGES.items()}


def test_a_player_finds_no_desk():
    client = signed_in(User.objects.create_user("player", password=PASSWORD))
    assert {client.get(DESK + page).status_code for page in PAGES} == {404}


def test_a_stranger_is_asked_who_it_is():
    answer = Client().get(DESK)
    assert (answer.status_code, "Confirm your identity" in said(answer)) == (403, True)


def test_staff_without_a_second_factor_is_led_to_one():
    client = signed_in(member("organiser"))
    answer = client.get(DESK)
    assert answer.url == f"{DESK}second-factor/?next={DESK}"
    secret = client.get(answer.url).context["secret"]
    right = code(secret)
    shown = client.post(answer.url, {"code": right})
    assert (len(shown.context["codes"]), shown.context["next"]) == (10, DESK)
    assert client.get(DESK).status_code == 200


def test_a_wrong_code_sets_nothing_up():
    client = signed_in(member("organiser"))
    client.get(f"{DESK}second-factor/")
    assert client.post(f"{DESK}second-factor/", {"code": "000"}).status_code == 422
    assert client.get(DESK).status_code == 302


def test_a_password_alone_opens_neither_desk_nor_admin():
    client = signed_in(with_device(member("organiser")))
    assert client.get(DESK).status_code == 403
    assert client.get("/admin/contest/round/").status_code == 403


def test_a_code_opens_both():
    client = signed_in(with_device(member("organiser")))
    assert client.post(DESK, {"proof-code": code(), "proof-was-get": "1"}).url == DESK
    assert client.get(DESK).status_code == 200
    assert client.get("/admin/contest/round/").status_code == 200


def test_a_code_works_once():
    user = with_device(member("organiser"))
    signed_in(user).post(DESK, {"proof-code": code(), "proof-was-get": "1"})
    again = signed_in(user).post(DESK, {"proof-code": code(), "proof-was-get": "1"})
    assert "or was used already" in said(again)


def test_name_password_and_code_come_in_on_one_page():
    with_device(member("organiser"))
    client = Client()
    given = {"proof-name": "organiser", "proof-password": PASSWORD, "proof-code": code(), "proof-was-get": "1"}
    assert client.post(DESK, given).url == DESK
    assert client.get(DESK).status_code == 200


GUESS = {"proof-name": "organiser", "proof-password": "wrong", "proof-was-get": "1"}
RIGHT = GUESS | {"proof-password": PASSWORD}


def test_guessing_is_stopped_after_ten_attempts():
    with_device(member("organiser"))
    answers = [said(Client().post(DESK, GUESS)) for _time in range(11)]
    assert "Wrong user name or password" in answers[9]
    assert "Too many attempts" in answers[10]


def test_a_strangers_guesses_lock_nobody_out():
    """Not by the name, as ten wrong passwords at closing time once did."""
    with_device(member("organiser"))
    for _time in range(12):
        Client(REMOTE_ADDR="203.0.113.9").post(DESK, GUESS)
    assert "Too many" in said(Client(REMOTE_ADDR="203.0.113.9").post(DESK, RIGHT))
    at_home = Client(REMOTE_ADDR="198.51.100.7")
    assert at_home.post(DESK, RIGHT | {"proof-code": code()}).url == DESK


def test_an_address_tries_the_names_of_all_together_twenty_times():
    guesses = [GUESS | {"proof-name": f"organiser{number // 5}"} for number in range(21)]
    answers = [said(Client().post(DESK, guess)) for guess in guesses]
    assert ["Too many" in answer for answer in answers] == [False] * 20 + [True]


def test_all_strangers_together_are_slowed(monkeypatch):
    with_device(member("organiser"))
    slow = dataclasses.replace(attempts.PASSWORD, everybody="2/600s/key")
    monkeypatch.setattr(attempts, "PASSWORD", slow)
    answers = [Client(REMOTE_ADDR=f"203.0.113.{number}").post(DESK, RIGHT) for number in range(3)]
    assert ["Too many" in said(answer) for answer in answers] == [False, False, True]


def known_browser() -> Client:
    """One in which the organiser has opened the desk before, and signed out."""
    client = Client()
    client.post(DESK, RIGHT | {"proof-code": code()})
    assert client.get(DESK).status_code == 200
    client.post("/admin/logout/")
    assert "_auth_user_id" not in client.session
    return client


def test_a_browser_that_opened_the_desk_before_passes_by_strangers_of_its_network():
    with_device(member("organiser"))
    known = known_browser()
    for _time in range(12):
        Client().post(DESK, GUESS)
    assert "Too many" in said(Client().post(DESK, RIGHT))
    known.post(DESK, RIGHT)
    assert "_auth_user_id" in known.session


def test_a_known_browser_guesses_no_more_often_than_any():
    with_device(member("organiser"))
    known = known_browser()
    answers = [said(known.post(DESK, GUESS)) for _time in range(11)]
    assert ["Too many" in answer for answer in answers] == [False] * 10 + [True]


def test_a_password_alone_makes_no_browser_known(settings):
    with_device(member("organiser"))
    client = Client()
    client.post(DESK, RIGHT)
    assert settings.DEVICE_COOKIE_NAME not in client.cookies


def test_a_cookie_of_ones_own_making_passes_nothing(settings):
    user = with_device(member("organiser"))
    client = Client()
    client.cookies[settings.DEVICE_COOKIE_NAME] = signing.dumps({str(user.pk): "x"}, salt="device", key="another key")
    for _time in range(10):
        Client().post(DESK, GUESS)
    assert "Too many" in said(client.post(DESK, RIGHT))


def test_who_came_by_a_passkey_passes_by_strangers_and_still_gives_the_password():
    user = with_device(member("organiser"))
    for _time in range(10):
        Client().post(DESK, GUESS)
    client = Client()
    client.force_login(user)
    session = client.session
    del session["signed_in_as_staff"]
    session[AUTHENTICATION_METHODS_SESSION_KEY] = [
        {"method": "mfa", "at": time.time(), "type": "webauthn", "passwordless": True}
    ]
    session["account_authentication_methods_user"] = str(user.pk)
    session.save()
    assert "proof-password" in said(client.get(DESK))
    client.post(DESK, RIGHT | {"proof-code": code()})
    assert client.get(DESK).status_code == 200


def test_codes_are_not_guessed_from_many_addresses():
    """It takes the right password to use these attempts up, so they may be counted by the account."""
    with_device(member("organiser"))
    wrong = RIGHT | {"proof-code": "000"}
    answers = [said(Client(REMOTE_ADDR=f"203.0.113.{number}").post(DESK, wrong)) for number in range(11)]
    assert ["Too many" in answer for answer in answers] == [False] * 10 + [True]


def test_the_plain_admin_has_no_door_of_its_own():
    """One way in, where guesses are counted."""
    with_device(member("organiser"))
    asked = Client().post("/admin/login/?next=/admin/", {"username": "organiser", "password": PASSWORD})
    assert asked.status_code == 302
    assert asked.url.endswith("/desk/confirm/?next=%2Fadmin%2F")
    client = Client()
    client.post(asked.url, RIGHT | {"proof-code": code()})
    assert client.get(asked.url).url == "/admin/"
    assert client.get("/admin/").status_code == 200


def test_a_login_that_ended_in_mid_edit_costs_no_word():
    """The form goes on with the proof beside it."""
    with_device(member("organiser"))
    client = Client()
    client.cookies["django_language"] = "en"
    form = {"text": LEVEL, "solution": "rR", "title": "Long work", "author": "Ann", "slot": "main", "do": "round"}
    asked = client.post(NEW, form)
    assert "Nothing is lost" in said(asked)
    kept = dict(asked.context["kept"])
    assert kept == form
    proofs = {"proof-name": "organiser", "proof-password": PASSWORD, "proof-code": code()}
    assert client.post(NEW, kept | proofs).status_code == 302
    assert Level.objects.get().title == "Long work"


@pytest.mark.parametrize(("seconds_ago", "is_public"), [(60, True), (601, False)])
def test_publishing_wants_a_proof_of_the_last_ten_minutes(seconds_ago, is_public):
    user = with_device(member("organiser"))
    client = proved(user, seconds_ago=seconds_ago)
    draft = cast.a_round(announced_at=None)
    client.post(f"{DESK}rounds/{draft.number}/publish/")
    assert bool(Round.objects.get().announced_at) is is_public


def test_a_password_is_proof_enough_to_go_on():
    client = proved(with_device(member("organiser")), seconds_ago=3_600)
    draft = cast.a_round(announced_at=None)
    address = f"{DESK}rounds/{draft.number}/publish/"
    assert client.post(address).status_code == 403
    assert client.post(address, {"proof-password": PASSWORD}).status_code == 302
    assert Round.objects.get().announced_at


def test_the_acts_of_the_plain_admin_want_a_fresh_proof_too():
    """Void, finalise, cancel and the like stand there as well."""
    user = User.objects.create_superuser("chief", password=PASSWORD)
    client = proved(with_device(user), seconds_ago=3_600)
    round_ = cast.a_round()
    address = f"/admin/contest/round/{round_.pk}/cancel/do/"
    given = {"reason_zh": "x", "reason_en": "y"}
    assert client.post(address, given).status_code == 403
    assert client.post(address, given | {"proof-password": PASSWORD}).status_code == 302
    assert Round.objects.get().cancelled_at


def test_an_author_sees_nobody_elses_levels():
    first, second = member("author", "first"), member("author", "second")
    for user in (first, second):
        with_device(user)
    form = {"text": LEVEL, "solution": "rR", "title": "Mine", "author": "Ann", "do": "library"}
    kept = proved(first).post(NEW, form).url
    assert proved(first).get(kept).status_code == 200
    assert proved(second).get(kept).status_code == 404
    assert "Mine" not in said(proved(second).get(f"{DESK}library/"))


def test_an_author_makes_no_round():
    client = proved(with_device(member("author")))
    form = {"text": LEVEL, "solution": "rR", "title": "Mine", "author": "Ann", "slot": "main", "do": "round"}
    assert client.post(NEW, form).status_code == 404
    assert not Round.objects.exists()


def test_nobody_is_led_to_another_site():
    client = signed_in(member("organiser"))
    address = f"{DESK}second-factor/?next=https://elsewhere.example/"
    secret = client.get(address).context["secret"]
    right = code(secret)
    cache.clear()
    assert client.post(address, {"code": right}).context["next"] == DESK


# Recovery codes, and a lost device


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


def test_somebody_of_the_staff_makes_a_token_only_with_a_fresh_proof():
    user = with_device(member("organiser"))
    given = {"nickname": "Robot", "scopes": ["submit"], "days": "30"}
    stale = proved(user, seconds_ago=601)
    assert stale.post("/en/me/tokens/", given).status_code == 403
    assert not Token.objects.exists()
    assert stale.post("/en/me/tokens/", given | {"proof-password": PASSWORD}).status_code == 200
    assert Token.objects.exists()


def test_a_player_makes_a_token_without_a_second_factor():
    client = signed_in(User.objects.create_user("player", password=PASSWORD))
    client.post("/en/me/tokens/", {"nickname": "Robot", "scopes": ["submit"], "days": "30"})
    assert Token.objects.exists()


# Least rights: what each role finds, address by address; everything else is not there for it.

ANYBODY_ON_THE_STAFF = {"desk", "desk-second-factor", "desk-recovery", "mfa_reauthenticate"}
MAY = {
    "author": {"desk-level-new", "desk-intake", "desk-library", "desk-library-level"},
    "operator": {"desk-health", "desk-health-mail", "desk-record"},
}


@pytest.mark.parametrize("role", MAY)
@pytest.mark.parametrize("pattern", urls.urlpatterns, ids=lambda pattern: pattern.name)
def test_a_role_finds_nothing_but_its_own_addresses(role, pattern, settings):
    settings.SECOND_FACTOR_FOR_STAFF = False
    cast.a_round(announced_at=BEFORE)
    fillers = {"number": 1, "pk": 1, "slot": "main", "name": "cancel"}
    known = {name: fillers.get(name, 1) for name in pattern.pattern.converters}
    address = f"{DESK}{pattern.pattern._route}"
    for name, value in known.items():
        address = re.sub(rf"<\w+:{name}>", str(value), address)
    client = signed_in(member(role))
    if pattern.name in ANYBODY_ON_THE_STAFF | MAY[role]:
        return
    assert {client.get(address).status_code, client.post(address).status_code} == {404}, pattern.name


def test_who_may_only_look_at_series_makes_none(settings):
    settings.SECOND_FACTOR_FOR_STAFF = False
    looker = member("operator")
    looker.user_permissions.add(Permission.objects.get(codename="view_series"))
    client = signed_in(looker)
    new = {"name_zh": "周赛", "name_en": "Weekly", "first_opens_at": "2026-12-05T20:00", "every_weeks": 1}
    assert client.get(f"{DESK}series/").status_code == 200
    assert client.post(f"{DESK}series/", new | {"length_days": 6, "is_running": "on"}).status_code == 404
    assert not Series.objects.exists()
