import re
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from contest.infra import clock
from contest.models import Round, Track
from tests import cast
from tests.browser.boards import PHONE
from tests.browser.hands import finger
from tests.browser.people import take_session
from tests.desk.conftest import member

DESKTOP = {"viewport": {"width": 1280, "height": 900}}
# Wednesday noon UTC of a week, so that a move of a week stays on the same day in every zone.
NOW = cast.OPENS + timedelta(days=3)
OPENS = NOW + timedelta(days=14)


@pytest.fixture
def page(open_page, staffed, request):
    with clock.set_to(NOW):
        Track.objects.create(slug="weekly", title_zh="周赛", title_en="Weekly contest")
        cast.a_round(1, opens_at=OPENS, closes_at=OPENS + timedelta(days=5), announced_at=None)
        page = open_page("/en/help/", **request.param)
        take_session(page, member("organiser"))
        page.goto("/en/desk/calendar/")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        yield page


def save(page, opening):
    expect(page.locator(".planned.moved")).to_contain_text(opening)
    page.get_by_role("button", name="Save this version").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    expect(page.locator(".planned")).to_contain_text(opening)


@pytest.mark.parametrize("page", [DESKTOP], indirect=True, ids=["desktop"])
def test_three_months_are_printed_on_one_sheet_and_a_round_is_moved_by_typing_a_date(page):
    printed = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type /Page\b(?!s)", printed)) == 1
    width, height = re.search(rb"/MediaBox \[0 0 (\d+)[.\d]* (\d+)", printed).groups()
    assert int(width) > int(height)
    page.get_by_role("link", name="Move", exact=True).click()
    page.get_by_label("Opens at").fill("2026-11-20T19:30")
    page.get_by_role("button", name="See what changes").click()
    save(page, "11-20 19:30")
    moved = Round.objects.get()
    assert moved.closes_at - moved.opens_at == timedelta(days=5)


@pytest.mark.parametrize("page", [PHONE, DESKTOP], indirect=True, ids=["phone", "desktop"])
def test_a_round_is_dragged_to_another_week(page):
    week, handle = page.locator("[data-week='2026-11-23']"), page.locator(".planned .handle")
    handle.evaluate("handle => handle.scrollIntoView({ block: 'center' })")
    at, to = handle.bounding_box(), week.bounding_box()
    start, end = (at["x"] + 9, at["y"] + 9), (to["x"] + 30, to["y"] + 12)
    if page.evaluate("matchMedia('(pointer: coarse)').matches"):
        touch = finger(page)
        touch("touchStart", start)
        touch("touchMove", end)
        touch("touchEnd")
    else:
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move(*end)
        page.mouse.up()
    save(page, "11-25 20:00")
    assert Round.objects.get().opens_at == OPENS + timedelta(days=7)
