import re
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from contest.models import LibraryLevel, Proposal, Round
from tests import sizes
from tests.authenticator import code
from tests.browser.boards import PHONE
from tests.browser.people import add_device, give_password, take_session
from tests.desk.conftest import member

pytestmark = pytest.mark.usefixtures("codes_stand_still", "staffed")

LEVEL = "#######\n#@-$-.#\n#######"


def follow(page, link):
    """Follow a link to a page with buttons that work only after its script has loaded."""
    with page.expect_navigation():
        page.get_by_role("link", name=link).click()


@pytest.mark.parametrize("address", sizes.cases(["lin@example.org"], [""]))
def test_a_passkey_is_a_second_factor_and_opens_the_desk_without_a_verified_address(open_page, settings, address):
    settings.SECOND_FACTOR_FOR_STAFF = True
    organiser = member("organiser")
    page = open_page("/en/desk/", **PHONE)
    add_device(page)
    give_password(page, "organiser")
    expect(page.get_by_role("heading", name="Two-step verification")).to_be_visible()
    follow(page, "Or use a passkey")
    page.get_by_role("button", name="Add").tap()
    # The passkey just created is the proof; recovery codes are offered at once, and an app beside it.
    expect(page.get_by_role("heading", name="Your two-step verification")).to_be_visible()
    follow(page, "Add an app")
    page.get_by_label("The code that the app shows").fill(code(page.locator("code.secret").inner_text()))
    page.get_by_role("button", name="Use it").tap()
    expect(page.locator(".codes")).to_contain_text(re.compile(r"\d{8}"))
    page.goto("/en/desk/")
    follow(page, "Your two-step verification and recovery codes")
    page.get_by_role("button", name="Create new recovery codes").tap()
    expect(page.locator(".codes")).to_contain_text(re.compile(r"\d{8}"))
    with page.expect_download() as download:
        page.get_by_role("link", name="Save them as a file").tap()
    assert "organiser" in Path(download.value.path()).read_text()
    page.context.clear_cookies()
    User.objects.filter(pk=organiser.pk).update(email=address)
    page.goto("/en/account/login/")
    page.get_by_role("button", name="Sign in with a passkey").tap()
    page.wait_for_url("**/en/desk/")
    expect(page.get_by_role("link", name="Use a passkey")).to_have_count(0)  # here it would be requested too early
    give_password(page, "organiser")
    follow(page, "Use a passkey")
    expect(page.get_by_role("link", name="Use a code instead")).to_be_visible()  # our page, not allauth's
    page.locator("#mfa_webauthn_reauthenticate").tap()
    expect(page.get_by_role("heading", name="Desk")).to_be_visible()


def test_a_level_is_added_to_a_round_from_the_editor(open_page):
    ann = open_page("/en/editor/", **PHONE)
    take_session(ann, User.objects.create_user("ann"))
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
    take_session(desk, member("organiser"))
    desk.goto("/en/desk/proposals/")
    desk.get_by_role("link", name="Long way").click()
    expect(desk.get_by_text("The author's solution solves it: 3 moves, 2 pushes.")).to_be_visible()
    desk.get_by_role("button", name="Accept into the library").click()
    desk.get_by_role("link", name="The level in the library").click()
    desk.get_by_role("button", name="Add it to a round").click()
    expect(desk.get_by_role("heading", name="Round 1")).to_be_visible()
    assert Round.objects.get().levels.get().author == "Ann"
    assert LibraryLevel.objects.get().state == "used"
    ann.reload()
    expect(ann.get_by_text("Accepted: the level waits")).to_be_visible()
    assert Proposal.objects.get().state == "accepted"


@pytest.mark.exhaustive
def test_a_file_that_is_too_large_is_refused_before_the_upload(open_page, tmp_path):
    page = open_page("/en/help/")
    take_session(page, member("organiser"))
    page.goto("/en/desk/levels/new/")
    large = tmp_path / "large.sok"
    large.write_bytes(b"#" * 10_485_761)
    field = page.get_by_label("Level, with its solution")
    field.fill(LEVEL)
    page.get_by_label("Or a file").set_input_files(large)
    page.get_by_role("button", name="Read", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("10,485,761 bytes")
    expect(field).to_have_value(LEVEL)


def test_the_site_takes_its_name_and_colours_from_the_desk(open_page):
    page = open_page("/en/", **PHONE)
    take_session(page, User.objects.create_superuser("chief"))
    page.goto("/en/desk/site/")
    page.get_by_label("Name in English").fill("Club de Lyon")
    page.get_by_label("Accent colour, light").fill("#1d5a9e")
    page.get_by_label("Time zone").select_option("Europe/Paris")
    page.get_by_role("button", name="Preview").tap()
    for time, colour in (("day", "rgb(29, 90, 158)"), ("night", "rgb(255, 157, 122)")):
        expect(page.locator(f".samples .by-{time} a")).to_have_css("color", colour)
    page.get_by_role("button", name="Save").tap()
    expect(page.get_by_text("Saved. Every page")).to_be_visible()
    page.goto("/en/")
    expect(page).to_have_title(re.compile("Club de Lyon"))
    expect(page.locator("footer")).to_contain_text("Europe/Paris")
