"""The desk on a phone, by touch alone: from the clipboard to a published round, and the ways of coming in."""

import re
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from allauth.mfa.totp.internal import auth as totp
from django.contrib.auth.models import User
from django.core.cache import cache
from playwright.sync_api import expect

from contest.models import Round
from contest.rules.phases import Phase
from contest.staff.roles import make_groups
from tests.authenticator import SECRET, code
from tests.browser.test_accounts import with_a_device
from tests.desk.conftest import PASSWORD, member

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("codes_stand_still"),
]

CLIPBOARD = "Title: Small\nAuthor: Ann\n\n######\n#@ $.#\n######\n\nrR\n"
MOST_TAPS = 15


def test_a_round_is_published_in_fifteen_taps(open_page, settings, cache_of_its_own):
    settings.SECOND_FACTOR_FOR_STAFF = True
    make_groups()
    totp.TOTP.activate(member("organiser"), SECRET)
    page = open_page("/en/desk/", viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page.get_by_label("User name").fill("organiser")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label("Code from your two-step verification").fill(code())
    page.get_by_role("button", name="Continue").tap()
    expect(page.get_by_role("heading", name="Desk")).to_be_visible()
    taps, asked, began = 0, [], time.monotonic()
    page.on("request", lambda sent: asked.append(sent.url) if sent.is_navigation_request() else None)

    def tap(place):
        nonlocal taps
        taps += 1
        expect(place).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url
        place.tap()

    tap(page.get_by_role("main").get_by_role("link", name="Add a level").last)
    field = page.get_by_label("Level, with its solution if you have one")
    tap(field)
    taps += 1  # "Paste" of the keyboard
    page.keyboard.insert_text(CLIPBOARD)
    tap(page.get_by_role("button", name="Read"))
    expect(page.get_by_text("Your solution solves it: 2 moves, 1 pushes.")).to_be_visible()
    tap(page.get_by_role("button", name="Put it into the round"))
    tap(page.get_by_role("link", name="Look at the preview"))
    expect(page.get_by_text("as everybody will see Round 1 when it opens.")).to_be_visible()
    # A stranger's page: nothing of the staff in its head.
    expect(page.get_by_role("banner").get_by_role("link", name="Desk")).to_have_count(0)
    expect(page.get_by_role("heading", name="Small")).to_be_visible()
    tap(page.get_by_role("button", name="Publish"))
    expect(page.get_by_text("Round 1 is published.")).to_be_visible()
    assert Round.objects.get().phase(datetime.now(UTC)) is Phase.SCHEDULED
    assert taps <= MOST_TAPS
    assert len(asked) <= MOST_TAPS
    assert time.monotonic() - began < 120


def test_a_passkey_is_a_second_factor_and_brings_recovery_codes(open_page, settings, cache_of_its_own):
    settings.SECOND_FACTOR_FOR_STAFF = True
    make_groups()
    member("organiser")
    page = open_page("/en/desk/", viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    with_a_device(page)
    page.get_by_label("User name").fill("organiser")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Continue").tap()
    expect(page.get_by_role("heading", name="Two-step verification")).to_be_visible()
    # The buttons do nothing until their page's script is there.
    with page.expect_navigation():
        page.get_by_role("link", name="Or use a passkey").tap()
    page.get_by_role("button", name="Add").tap()
    # The list of passkeys is a page of the account, and asks for the one just made.
    expect(page.get_by_role("heading", name="Confirm your identity")).to_be_visible()
    with page.expect_navigation():
        page.get_by_role("link", name="Use a passkey").tap()
    page.locator("#mfa_webauthn_reauthenticate").tap()
    expect(page.get_by_role("heading", name="Passkeys")).to_be_visible()
    page.goto("/en/desk/")
    expect(page.get_by_role("heading", name="Desk")).to_be_visible()
    page.get_by_role("link", name="Your two-step verification and recovery codes").tap()
    page.get_by_role("button", name="Make new recovery codes").tap()
    expect(page.locator(".codes")).to_contain_text(re.compile(r"\d{8}"))
    with page.expect_download() as kept:
        page.get_by_role("link", name="Save them as a file").tap()
    assert "organiser" in Path(kept.value.path()).read_text()


@pytest.mark.parametrize("address", ["", "lin@example.org"])
def test_a_passkey_at_sign_in_leads_to_the_desk_without_a_proved_address(
    open_page, settings, cache_of_its_own, address
):
    settings.SECOND_FACTOR_FOR_STAFF = True
    make_groups()
    organiser = member("organiser")
    page = open_page("/en/desk/")
    with_a_device(page)
    sign_in(page, given="")
    with page.expect_navigation():
        page.get_by_role("link", name="Or use a passkey").click()
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_role("heading", name="Confirm your identity")).to_be_visible()
    page.context.clear_cookies()
    User.objects.filter(pk=organiser.pk).update(email=address)
    page.goto("/en/account/login/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url("**/en/desk/")
    expect(page.get_by_role("link", name="Use a passkey")).to_have_count(0)  # here it is asked for too early
    sign_in(page, given="")
    with page.expect_navigation():
        page.get_by_role("link", name="Use a passkey").click()
    page.locator("#mfa_webauthn_reauthenticate").click()
    expect(page.get_by_role("heading", name="Desk")).to_be_visible()


def test_what_was_pasted_outlives_a_login_that_ended(open_page, settings, cache_of_its_own):
    """An expired login in mid-edit costs a password and not the work."""
    settings.SECOND_FACTOR_FOR_STAFF = True
    make_groups()
    totp.TOTP.activate(member("organiser"), SECRET)
    page = open_page("/en/desk/levels/new/", viewport={"width": 360, "height": 740})
    sign_in(page)
    page.get_by_label("Level, with its solution if you have one").fill(CLIPBOARD)
    page.context.clear_cookies(name="sessionid")
    page.context.clear_cookies(name="session")
    page.get_by_role("button", name="Read").click()
    expect(page.get_by_text("Nothing is lost")).to_be_visible()
    cache.clear()  # half a minute later: the app shows another code
    sign_in(page)
    expect(page.get_by_text("Your solution solves it: 2 moves, 1 pushes.")).to_be_visible()


def sign_in(page, given=None):
    page.get_by_label("User name").fill("organiser")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label("Code from your two-step verification").fill(code() if given is None else given)
    page.get_by_role("button", name="Continue").click()
