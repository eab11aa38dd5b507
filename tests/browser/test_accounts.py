import re

from django.core import mail
from playwright.sync_api import expect

from tests.browser.people import add_device


def test_a_passkey_signs_in_without_a_message(open_page, cache_of_its_own):
    """Rule 4.11."""
    page = open_page("/en/account/signup/")
    add_device(page)
    is_in = page.get_by_text("You are signed in as player@example.org.")
    page.get_by_label("Email").fill("player@example.org")
    page.get_by_role("button", name="Send me a code").click()
    expect(page.get_by_role("button", name="Confirm")).to_be_visible()
    code = re.search(r"^([A-Z0-9]{3,}-?[A-Z0-9]*)$", mail.outbox[-1].body, re.MULTILINE)
    page.get_by_label("Code").fill(code[1])
    page.get_by_role("button", name="Confirm").click()
    expect(is_in).to_be_visible()
    page.goto("/en/account/passkeys/add/")
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_role("heading", name="Passkeys")).to_be_visible()
    page.goto("/en/me/")
    with page.expect_navigation():
        page.get_by_role("button", name="Sign out", exact=True).click()
    sent = len(mail.outbox)
    page.goto("/en/account/login/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(is_in).to_be_visible()
    assert len(mail.outbox) == sent
