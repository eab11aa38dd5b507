"""Access to the desk, and the required proofs."""

import re

import pytest
from allauth.mfa.totp.internal import auth as totp
from django.contrib.auth.models import User
from django.core.cache import cache
from django.http import Http404
from django.test import Client, RequestFactory
from django.urls import resolve

from contest.desk import access, urls
from contest.models import Level, Round, Token
from tests import cast
from tests.authenticator import code
from tests.contest.test_admin import ADD, form, level_fields, round_fields
from tests.desk.conftest import BEFORE, DESK, PASSWORD, member, proved, signed_in, with_device
from tests.desk.test_publishing import LEVEL, NEW
from tests.leaks.addresses import Address

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("factors_wanted")]

BROUGHT = {"text": LEVEL, "solution": "rR", "title": "Long work", "author": "Ann", "slot": "main", "do": "round"}
# Every page of the desk without an object in its URL, and the roles that may see it.
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
    "day/": ("organiser", "judge", "observer", "operator"),
    "record/": ("organiser", "judge", "observer", "operator"),
    "staff/": (),
    "site/": (),
    "rounds/1/": ("organiser", "judge", "observer"),
    "rounds/1/edit/": ("organiser",),
    "rounds/1/preview/": ("organiser", "judge", "observer"),
    "rounds/1/do/cancel/": ("organiser",),
}
# URLs that answer every role; all others return 404 without the right.
ANYBODY = {"desk", "desk-calendar-file", "desk-second-factor", "desk-recovery", "mfa_reauthenticate", "staff-join"}
OWN = {
    "author": {"desk-level-new", "desk-intake", "desk-library", "desk-library-level"},
    "operator": {"desk-day", "desk-health", "desk-health-mail", "desk-record"},
}
# Acts that require a proof within the last ten minutes.
ACTS = {
    "rounds/revise/", "rounds/bring/", "rounds/1/publish/", "rounds/1/do/cancel/", "rounds/1/testers/",
    "submissions/1/do/void/", "second-looks/1/", "acts/1/", "rejudging/1/apply/", "people/1/do/rename/",
    "people/reports/1/do/decide/", "staff/", "staff/1/do/role/", "posts/1/mail/", "prizes/1/contact/",
    "health/backup/", "tokens/", "site/",
}  # fmt: skip
FILLERS = {
    "where": ["rounds/1"],
    "pk": [1],
    "key": ["x"],
    "slot": ["main"],
    "slug": ["main"],
    "name": ["cancel"],
    "kind": ["moves"],
}


@pytest.mark.parametrize("role", ["author", "organiser", "judge", "observer", "operator"])
def test_each_role_sees_its_own_pages_and_no_others(role, settings):
    settings.SECOND_FACTOR_FOR_STAFF = False
    cast.a_round(announced_at=BEFORE)
    client = signed_in(member(role))
    seen = {page: client.get(DESK + page).status_code for page in PAGES}
    assert seen == {page: 200 if role in roles else 404 for page, roles in PAGES.items()}


@pytest.mark.parametrize("role", OWN)
def test_every_other_url_is_unknown_to_a_role(role, settings, monkeypatch):
    """Each view checks permissions before it queries any row."""
    settings.SECOND_FACTOR_FOR_STAFF = False
    user, rights, may_any = member(role), [], access.may_any
    monkeypatch.setattr(access, "may_any", lambda *asked: rights.append(may_any(*asked)) or rights[-1])
    for pattern in urls.urlpatterns:
        if pattern.name in ANYBODY | OWN[role]:
            continue
        (address,) = Address(f"en/desk/{pattern.pattern._route}").filled(FILLERS)
        view = resolve(address)
        for method in ("get", "post"):
            request = getattr(RequestFactory(), method)(address)
            request.user = user
            with pytest.raises(Http404):
                view.func(request, *view.args, **view.kwargs)
            assert rights.pop() is False, (method, address)


def test_the_desk_is_unknown_to_players_and_asks_strangers_to_sign_in():
    assert signed_in(User.objects.create_user("player")).get(DESK).status_code == 404
    answer = Client().get(DESK)
    assert answer.status_code == 403
    assert re.findall(r"<h1>(.*)</h1>", answer.text) == ["Sign in to the desk"]


def test_staff_without_a_second_factor_must_set_one_up_first():
    user = member("organiser")
    client = signed_in(user)
    asked = client.get(DESK).url
    assert asked == f"{DESK}second-factor/?next={DESK}"
    secret = client.get(asked).context["secret"]
    assert client.post(asked, {"code": "000"}).status_code == 422
    assert client.get(DESK).status_code == 302
    shown = client.post(asked, {"code": code(secret)})
    assert (len(shown.context["codes"]), shown.context["next"]) == (10, DESK)
    assert client.get(DESK).status_code == 200
    again = signed_in(user).post(DESK, {"proof-code": code(secret), "proof-was-get": "1"})
    assert "or was used already" in again.text


def test_a_password_alone_opens_neither_desk_nor_admin_and_a_code_opens_both_once():
    user, pages = with_device(member("organiser")), (DESK, "/admin/contest/round/")
    client, given = signed_in(user), {"proof-code": code(), "proof-was-get": "1"}
    assert [client.get(page).status_code for page in pages] == [403, 403]
    assert client.post(DESK, given).url == DESK
    assert [client.get(page).status_code for page in pages] == [200, 200]
    assert "or was used already" in signed_in(user).post(DESK, given).text


@pytest.mark.parametrize("steps", [-1, 0, 1])
def test_a_code_of_the_step_before_or_after_is_accepted_once(steps, monkeypatch):
    """Clocks differ by seconds. allauth forgets a used code after 30 s, while it is valid for 90 s."""
    user = with_device(member("organiser"))
    given = {"proof-code": code(steps=steps), "proof-was-get": "1"}
    assert signed_in(user).post(DESK, given).url == DESK
    monkeypatch.setattr(totp.TOTP, "_mark_code_used", lambda *_args: True)
    assert "or was used already" in signed_in(user).post(DESK, given).text
    too_late = {**given, "proof-code": code(steps=2)}
    assert signed_in(user).post(DESK, too_late).status_code == 403


def test_a_login_that_ended_during_an_edit_loses_no_input():
    with_device(member("organiser"))
    client = Client()
    client.cookies["django_language"] = "en"
    asked = client.post(NEW, BROUGHT)
    assert "Nothing is lost" in asked.text
    fields = dict(asked.context["kept"])
    assert fields == BROUGHT
    proofs = {"proof-name": "organiser", "proof-password": PASSWORD, "proof-code": code()}
    assert client.post(NEW, fields | proofs).status_code == 302
    assert Level.objects.get().title == "Long work"


@pytest.mark.parametrize(("seconds_ago", "given"), [(600, {}), (601, {"proof-password": PASSWORD})])
def test_publishing_wants_a_proof_of_the_last_ten_minutes_or_the_password_again(seconds_ago, given):
    client = proved(with_device(member("organiser")), seconds_ago=seconds_ago)
    address = f"{DESK}rounds/{cast.a_round(announced_at=None).number}/publish/"
    if given:
        assert client.post(address).status_code == 403
        assert Round.objects.get().announced_at is None
    assert client.post(address, given).status_code == 302
    assert Round.objects.get().announced_at


def test_an_act_with_consequences_for_others_needs_a_fresh_proof():
    client = proved(with_device(User.objects.create_superuser("chief")), seconds_ago=601)
    assert {act for act in ACTS if client.post(DESK + act).status_code == 403} == ACTS


def test_announcements_and_acts_of_the_plain_admin_want_a_fresh_proof_too():
    user = with_device(User.objects.create_superuser("chief", password=PASSWORD))
    announce = form(level_fields(), **round_fields())
    client = proved(user, seconds_ago=3_600)
    assert client.post(ADD, announce).status_code == 403
    assert client.post(ADD, announce | {"proof-password": PASSWORD}).status_code == 302
    assert Round.objects.get().announced_at
    client = proved(user, seconds_ago=3_600)
    address, cancel = f"/admin/contest/round/{Round.objects.get().pk}/cancel/do/", {"reason_zh": "x", "reason_en": "y"}
    assert client.post(address, cancel).status_code == 403
    assert client.post(address, cancel | {"proof-password": PASSWORD}).status_code == 302
    assert Round.objects.get().cancelled_at


def test_an_author_sees_nobody_elses_levels_and_makes_no_round():
    first, second = (proved(with_device(member("author", name))) for name in ("first", "second"))
    level_url = first.post(NEW, BROUGHT | {"do": "library"}).url
    assert [client.get(level_url).status_code for client in (first, second)] == [200, 404]
    assert ["Long work" in client.get(f"{DESK}library/").text for client in (first, second)] == [True, False]
    assert first.post(NEW, BROUGHT | {"confirmed": "on"}).status_code == 404
    assert not Round.objects.exists()


def test_redirects_stay_on_this_site():
    client = signed_in(member("organiser"))
    address = f"{DESK}second-factor/?next=https://elsewhere.example/"
    secret = client.get(address).context["secret"]
    cache.clear()
    assert client.post(address, {"code": code(secret)}).context["next"] == DESK


def test_somebody_of_the_staff_makes_a_token_only_with_a_fresh_proof():
    given = {"nickname": "Robot", "scopes": ["submit"], "days": "30"}
    stale = proved(with_device(member("organiser")), seconds_ago=601)
    assert stale.post("/en/me/tokens/", given).status_code == 403
    assert not Token.objects.exists()
    assert stale.post("/en/me/tokens/", given | {"proof-password": PASSWORD}).status_code == 200
    assert Token.objects.exists()
