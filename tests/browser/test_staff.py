"""Testers, programs, and who organises one track only; with SHOTS=<folder> their pages are kept."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import expect

from contest import players, rounds
from contest.infra import clock
from contest.models import Player, Round, Series, Tester, Track
from contest.rounds.tracks import make_main
from contest.staff.roles import make_groups
from tests import cast
from tests.browser.test_writing import LOOKS, look_at
from tests.desk.conftest import PASSWORD, member

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
TOUCH = {"has_touch": True, "is_mobile": True}
CLIPBOARD = "Title: Longer\nAuthor: Ann\n\n#######\n#@ $ .#\n#######\n\nrRR\n"


@pytest.fixture(autouse=True)
def _staffed(transactional_db, cache_of_its_own):
    make_groups()
    make_main()


@pytest.fixture
def coming():
    """A draft of the main track."""
    opens = clock.now() + timedelta(days=9)
    return cast.a_round(opens_at=opens, closes_at=opens + timedelta(days=21), announced_at=None)


@pytest.fixture(params=[LOOKS[0], pytest.param(LOOKS[1], marks=pytest.mark.exhaustive)], ids=["phone", "wide"])
def screen(request):
    return {**request.param, **(TOUCH if request.param["viewport"]["width"] < 500 else {})}


def sign_in(page, name: str) -> None:
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", name="Desk")).to_be_visible()
    page.complaints.clear()  # the page that asks for the password says that this was forbidden until then


def as_player(page, user: User) -> None:
    """Give the browser the session of a player's account."""
    client = Client()
    client.force_login(user)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    page.context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": page.url}])


def test_a_tester_is_named_agrees_and_sends_what_they_found(open_page, screen, coming):
    member("organiser", "Lin")
    player, _claim = players.create("Tina", country="", email="", at=clock.now())
    Player.objects.filter(pk=player.pk).update(owner=User.objects.create_user("tina"))
    page = open_page("/en/desk/", **screen)
    sign_in(page, "Lin")
    page.get_by_role("heading", name="Round 1").get_by_role("link").click()
    assert page.url.endswith(f"/en/desk/drafts/{coming.pk}/")
    page.get_by_role("link", name="Testers").click()
    page.get_by_label("Nickname of a player with an account").fill("Tina")
    page.get_by_role("button", name="Name as tester").click()
    expect(page.get_by_text("Send them this address")).to_be_visible()
    tester = Tester.objects.get()
    theirs = open_page("/en/", **screen)
    as_player(theirs, User.objects.get(username="tina"))
    theirs.goto(f"/en/me/tests/{tester.pk}/")
    theirs.get_by_label("I do not enter this round").check()
    theirs.get_by_role("button", name="I agree").click()
    expect(theirs.get_by_role("link", name="Main")).to_be_visible()
    theirs.get_by_role("link", name="Main").click()
    expect(theirs.get_by_role("heading", name="Main")).to_be_visible()
    page.reload()
    expect(page.get_by_text("agreed", exact=False).first).to_be_visible()
    look_at(page, [f"desk/drafts/{coming.pk}/", f"desk/drafts/{coming.pk}/testers/"])
    look_at(theirs, [f"me/tests/{tester.pk}/"])
    assert page.complaints + theirs.complaints == []


def test_a_program_gets_a_token_that_is_shown_once_and_ended(open_page, screen):
    member("organiser", "Lin")
    page = open_page("/en/desk/", **screen)
    sign_in(page, "Lin")
    page.goto("/en/desk/health/")
    page.get_by_role("link", name="Tokens of your programs").click()
    page.get_by_label("What it is for").fill("Takes the levels of our club from its own archive every Monday")
    page.get_by_role("button", name="Make a token").click()
    expect(page.locator("code.secret")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    look_at(page, ["desk/tokens/"])
    page.goto("/en/desk/tokens/")
    expect(page.locator("code.secret")).to_have_count(0)
    page.get_by_role("button", name="End").click()
    expect(page.get_by_role("button", name="End")).to_have_count(0)
    assert page.complaints == []


def test_an_invitation_is_accepted_and_other_sites_do_not_read_its_link(open_page):
    User.objects.create_superuser("chief", password=PASSWORD)
    page = open_page("/en/desk/")
    sign_in(page, "chief")
    page.goto("/en/desk/staff/")
    page.get_by_label("User name").fill("Judy")
    page.get_by_label("judge:").check()
    page.get_by_role("button", name="Make the link").click()
    link = page.locator("code.secret").inner_text()
    theirs = open_page(link)
    theirs.route("**/elsewhere.test/**", lambda sent: sent.fulfill(body="Elsewhere"))
    with theirs.expect_request("**/elsewhere.test/") as elsewhere:
        theirs.evaluate("location.assign('http://elsewhere.test/')")
        theirs.wait_for_url("**/elsewhere.test/")
    assert "referer" not in elsewhere.value.all_headers()
    theirs.goto(link)
    theirs.get_by_label("Choose a password").fill(PASSWORD)
    theirs.get_by_role("button", name="Use it").click()
    sign_in(theirs, "Judy")


def test_somebody_is_given_a_track_and_publishes_a_round_of_it(open_page, screen, coming):
    club = Track.objects.create(slug="club", title_zh="上海推箱子俱乐部", title_en="Shanghai Sokoban Club")
    rounds.save(coming, at=clock.now(), by=None)
    Series.objects.create(
        name_zh="俱乐部周赛", name_en="Club weekly", track=club, first_opens_at=clock.now() + timedelta(days=90),
        every_weeks=1, length_days=6,
    )  # fmt: skip
    User.objects.create_superuser("chief", password=PASSWORD)
    olga = member("observer", "Olga")
    page = open_page("/en/desk/", **screen)
    sign_in(page, "chief")
    page.goto("/en/desk/staff/")
    page.get_by_role("link", name="Olga").click()
    page.get_by_role("link", name="Change the role").click()
    page.get_by_label("organiser of tracks:").check()
    page.get_by_label("Shanghai Sokoban Club").check()
    page.get_by_role("button", name="Change the role").click()
    expect(page.get_by_text("organiser of tracks: Shanghai Sokoban Club")).to_be_visible()
    theirs = open_page("/en/desk/", **screen)
    sign_in(theirs, "Olga")
    expect(theirs.get_by_role("heading", name="The queue of Club weekly is short")).to_be_visible()
    expect(theirs.locator(".figures")).to_have_count(0)
    theirs.get_by_role("main").get_by_role("link", name="Add a level").last.click()
    theirs.get_by_label("Level, with its solution if you have one").fill(CLIPBOARD)
    theirs.get_by_role("button", name="Read").click()
    theirs.get_by_role("button", name="Put it into the round").click()
    theirs.get_by_role("link", name="Look at the preview").click()
    theirs.get_by_role("button", name="Publish").click()
    expect(theirs.get_by_text("Round club-1 is published.")).to_be_visible()
    made = Round.objects.get(track="club")
    look_at(page, ["desk/staff/", f"desk/staff/{olga.pk}/", f"desk/staff/{olga.pk}/do/role/", "tracks/club/"])
    look_at(theirs, ["desk/", "desk/rounds/", f"desk/rounds/{made.number}/", "desk/rounds/new/", "desk/series/"])
    assert page.complaints + theirs.complaints == []
