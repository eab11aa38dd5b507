"""A comment's way on phones, without a script: written, reported, hidden, and read by its author alone."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.core import signing
from django.test import Client
from playwright.sync_api import expect

from contest.infra import clock
from contest.models import Player
from contest.staff.roles import make_groups
from tests import cast
from tests.desk.conftest import member

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True, "java_script_enabled": False}
TALK = "/en/rounds/1/main/talk/"
SPOILER = "Start with the left box."


def test_a_comment_is_written_reported_and_hidden_on_phones(open_page):
    """Rules 27.2, 27.4."""
    at = clock.now()
    round_ = cast.a_round(opens_at=at - timedelta(days=30), closes_at=at - timedelta(days=9))
    cast.enter(round_, "Ann", 9, 3, at=round_.opens_at)
    ann = Player.objects.get()
    claims = signing.dumps({str(ann.pk): cast.claim_of("Ann")}, salt="claims", compress=True)
    author = a_phone(open_page, {settings.CLAIMS_COOKIE_NAME: claims})
    author.get_by_label("Comment", exact=True).fill("Rude words.")
    author.get_by_text("Add a part that gives a solution away").tap()
    author.get_by_label("Part that gives a solution away").fill(SPOILER)
    author.get_by_role("button", name="Send").tap()

    reader = a_phone(open_page, {})
    expect(reader.get_by_text("Rude words.")).to_be_visible()
    expect(reader.get_by_text(SPOILER)).to_be_hidden()
    reader.get_by_text("This part gives a solution away").tap()
    expect(reader.get_by_text(SPOILER)).to_be_visible()
    reader.get_by_role("link", name="Report", exact=True).tap()
    reader.get_by_label("What is wrong with it?").fill("It insults me.")
    reader.get_by_role("button", name="Report").tap()
    expect(reader.get_by_text("An organiser will decide.")).to_be_visible()

    make_groups()
    staff = Client()
    staff.force_login(member("organiser"))
    organiser = a_phone(open_page, {settings.SESSION_COOKIE_NAME: staff.cookies[settings.SESSION_COOKIE_NAME].value})
    organiser.goto("/en/desk/")
    expect(organiser.get_by_text("1 report about a comment")).to_be_visible()
    organiser.get_by_role("link", name="Look at them").tap()
    expect(organiser.get_by_text("It insults me.")).to_be_visible()
    organiser.get_by_label("Reason").first.fill("Insults.")
    organiser.get_by_role("button", name="Hide").first.tap()
    expect(organiser.get_by_text("The comment is hidden.")).to_be_visible()

    reader.goto(TALK)
    expect(reader.get_by_text("Rude words.")).to_be_hidden()
    author.goto(TALK)
    expect(author.get_by_text("Insults.")).to_be_visible()
    for page in (author, reader, organiser):
        assert page.complaints == []
        assert page.viewport_size["width"] == page.evaluate("document.documentElement.scrollWidth")


def a_phone(open_page, cookies):
    """The page of the talk, in a phone that sends *cookies*."""
    page = open_page(TALK, **PHONE)
    site = page.url.removesuffix(TALK)
    page.context.add_cookies([{"name": name, "value": value, "url": site} for name, value in cookies.items()])
    page.goto(TALK)
    return page
