"""A level drawn, proposed, accepted, and put into a round: two people, two browsers."""

import pytest
from django.conf import settings as django_settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import expect

from contest.models import LibraryLevel, Proposal, Round
from contest.staff.roles import make_groups
from tests.desk.conftest import member

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LEVEL = "#######\n#@-$-.#\n#######"


@pytest.fixture(autouse=True)
def _without_second_factor(settings, cache_of_its_own):
    settings.SECOND_FACTOR_FOR_STAFF = False
    make_groups()


def sign_in(page, user):
    client = Client()
    client.force_login(user)
    name = django_settings.SESSION_COOKIE_NAME
    page.context.add_cookies(
        [{"name": name, "value": client.cookies[name].value, "url": page.url.partition("/en/")[0]}]
    )


def test_a_level_goes_from_the_editor_into_a_round(open_page):
    ann = open_page("/en/editor/", viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    sign_in(ann, User.objects.create_user("ann"))
    ann.get_by_label("The level as text (XSB)").fill(LEVEL)
    ann.get_by_role("button", name="Propose this level").tap()
    expect(ann.get_by_text("Your own solution is missing.")).to_be_visible()
    ann.get_by_label("Title").fill("Long way")
    ann.get_by_label("Author's name").fill("Ann")
    ann.get_by_label("Your own solution (LURD)").fill("rRR")
    ann.get_by_label("The contest may publish it").check()
    ann.get_by_role("button", name="Send it to the organisers").tap()
    expect(ann.get_by_text("The organisers have it.")).to_be_visible()

    desk = open_page("/en/help/")
    sign_in(desk, member("organiser"))
    desk.goto("/en/desk/proposals/")
    desk.get_by_role("link", name="Long way").click()
    expect(desk.get_by_text("The author's solution solves it: 3 moves, 2 pushes.")).to_be_visible()
    desk.get_by_role("button", name="Accept into the library").click()
    desk.get_by_role("link", name="The level in the library").click()
    desk.get_by_role("button", name="Put it into the round").click()
    expect(desk.get_by_role("heading", name="Round 1")).to_be_visible()

    assert Round.objects.get().levels.get().author == "Ann"
    assert LibraryLevel.objects.get().state == "used"
    ann.reload()
    expect(ann.get_by_text("Accepted: the level waits")).to_be_visible()
    assert Proposal.objects.get().state == "accepted"
    assert [*ann.complaints, *desk.complaints] == []


def test_a_file_too_large_is_not_carried_up_in_vain(open_page, tmp_path):
    desk = open_page("/en/help/")
    sign_in(desk, member("organiser"))
    desk.goto("/en/desk/levels/new/")
    large = tmp_path / "large.sok"
    large.write_bytes(b"#" * 10_485_761)
    desk.get_by_label("Level, with its solution").fill(LEVEL)
    desk.get_by_label("Or a file").set_input_files(large)
    desk.get_by_role("button", name="Read").click()
    expect(desk.get_by_role("alert")).to_contain_text("10,485,761 bytes")
    assert desk.get_by_label("Level, with its solution").input_value() == LEVEL
