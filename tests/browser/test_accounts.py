"""Accounts in a real browser, under the site's own content security policy."""

import re

import pytest
from django.core import mail
from playwright.sync_api import expect

from tests import sizes
from tests.web.conftest import TWO_PUSHES, a_level, a_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _running_round(transactional_db, cache_of_its_own):
    a_level(a_round(7, opens_in=-1), TWO_PUSHES)


def sign_up(page):
    page.get_by_label("Email").fill("player@example.org")
    page.get_by_role("button", name="Send me a code").click()
    expect(page.get_by_role("button", name="Confirm")).to_be_visible()
    code = re.search(r"^([A-Z0-9]{3,}-?[A-Z0-9]*)$", mail.outbox[-1].body, re.MULTILINE)
    page.get_by_label("Code").fill(code.group(1) if code else "")
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_text("You are signed in as player@example.org.")).to_be_visible()


def with_a_device(page):
    """Give the browser a device that keeps passkeys and whose owner always agrees."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    session.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def test_a_passkey_signs_in_without_a_message(open_page):
    """Rule 4.11."""
    page = open_page("/en/account/signup/")
    with_a_device(page)
    sign_up(page)
    page.goto("/en/account/passkeys/add/")
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_role("heading", name="Passkeys")).to_be_visible()
    page.goto("/en/me/")
    page.get_by_role("button", name="Sign out", exact=True).click()
    sent = len(mail.outbox)
    page.goto("/en/account/login/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_text("You are signed in as player@example.org.")).to_be_visible()
    assert len(mail.outbox) == sent
    assert page.complaints == []


@pytest.mark.parametrize("language", sizes.cases(["zh-hans"], ["en"]))
def test_own_pages_fit_a_phone(open_page, language):
    page = open_page("/en/account/signup/", viewport={"width": 360, "height": 740})
    sign_up(page)
    page.goto("/en/submit/")
    page.get_by_label("Moves", exact=True).fill("RR")
    page.get_by_label("Nickname", exact=True).fill("Nicknames-can-be-32-letters-wide")
    page.locator("main form button.button").last.click()
    page.wait_for_url("**/s/**")
    page.goto("/en/me/")
    own = page.get_by_role("link", name="Nicknames-can-be").get_attribute("href")
    own = own.replace("/en/", f"/{language}/") if own else ""
    paths = ["me/", "claim/", "claim/x/", "me/account/", "help/", "account/email/", "account/passkeys/"]
    for path in [*(f"/{language}/{path}" for path in paths), own, f"{own}erase/"]:
        page.goto(path)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= 360, (path, width)
