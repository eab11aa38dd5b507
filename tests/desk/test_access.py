"""Who comes to the desk, and what they must prove."""

import re

import pytest
from django.contrib.auth.models import Permission, User
from django.core.cache import cache
from django.test import Client

from contest.desk import urls
from contest.models import Level, Round, Series, Token
from tests import cast
from tests.authenticator import code
from tests.contest.test_admin import ADD, form, level_fields, round_fields
from tests.desk.conftest import DESK, PASSWORD, member, proved, said, signed_in, with_device
from tests.desk.test_publishing import BEFORE, LEVEL, NEW

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("factors_wanted")]

# Every page of the desk that takes no row of its own, and who may see it.
PAGES = {
    "": ("author", "organiser", "judge", "observer", "operator"),
    "rounds/": ("organiser", "judge", "observer"),
    "rounds/new/": ("organiser",),
    "levels/new/": ("author", "organiser"),
    "library/": ("author", "organiser"),
    "series/": ("organiser", "observer"),
    "people/": ("organiser", "judge", "observer"),
    "banner/": ("organiser",),
    "health/": ("organiser", "judge", "observer", "operator"),
    "record/": ("organiser", "judge", "observer", "operator"),
    "staff/": (),
    "rounds/1/": ("organiser", "judge", "observer"),
    "rounds/1/edit/": ("organiser",),
    "rounds/1/preview/": ("organiser", "judge", "observer"),
    "rounds/1/do/cancel/": ("organiser",),
}


@pytest.mark.parametrize("role", ["author", "organiser", "judge", "observer", "operator"])
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


def test_announcing_in_the_plain_admins_form_wants_a_fresh_proof_too():
    user = User.objects.create_superuser("chief", password=PASSWORD)
    client = proved(with_device(user), seconds_ago=3_600)
    given = form(level_fields(), **round_fields())
    assert client.post(ADD, given).status_code == 403
    assert client.post(ADD, given | {"proof-password": PASSWORD}).status_code == 302
    assert Round.objects.get().announced_at


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
