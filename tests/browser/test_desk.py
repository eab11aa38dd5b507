"""From the clipboard to a published round, on a phone, by touch alone."""

import time
from datetime import UTC, datetime

import pytest
from allauth.mfa.totp.internal import auth as totp
from django.core.cache import cache
from playwright.sync_api import expect

from contest.models import Round
from contest.phases import Phase
from contest.roles import make_groups
from tests.desk.conftest import PASSWORD, member

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
CLIPBOARD = "Title: Small\nAuthor: Ann\n\n######\n#@ $.#\n######\n\nrR\n"
MOST_TAPS = 15


def test_a_round_is_published_in_fifteen_taps(open_page, settings):
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    cache.clear()
    settings.SECOND_FACTOR_FOR_STAFF = True
    make_groups()
    totp.TOTP.activate(member("organiser"), SECRET)
    page = open_page("/en/desk/", viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page.get_by_label("User name").fill("organiser")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label("Code of your second factor").fill(
        totp.format_hotp_value(totp.hotp_value(SECRET, int(time.time()) // 30))
    )
    page.get_by_role("button", name="Go on").tap()
    taps, asked, began = 0, [], time.monotonic()
    page.on("request", lambda sent: asked.append(sent.url) if sent.is_navigation_request() else None)

    def tap(place):
        nonlocal taps
        taps += 1
        expect(place).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url
        place.tap()

    tap(page.get_by_role("main").get_by_role("link", name="Bring a level").last)
    field = page.get_by_label("Level, with its solution if you have one")
    tap(field)
    taps += 1  # "Paste" of the keyboard
    page.keyboard.insert_text(CLIPBOARD)
    tap(page.get_by_role("button", name="Read"))
    expect(page.get_by_text("Your solution solves it: 2 moves, 1 pushes.")).to_be_visible()
    tap(page.get_by_role("button", name="Put it into the round"))
    tap(page.get_by_role("link", name="Look at the preview"))
    expect(page.get_by_text("as everybody will see Round 1 when it opens.")).to_be_visible()
    tap(page.get_by_role("button", name="Publish"))
    expect(page.get_by_text("Round 1 is published.")).to_be_visible()
    assert Round.objects.get().phase(datetime.now(UTC)) is Phase.SCHEDULED
    assert taps <= MOST_TAPS
    assert len(asked) <= MOST_TAPS
    assert time.monotonic() - began < 120
