"""A post with a picture, in a series, and a prize: written on a phone; with SHOTS=<folder> its pages are kept."""

import os
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import expect

from contest import results
from contest.infra import clock
from contest.models import Picture, PostSeries, Prize
from contest.rendering import share_cards
from contest.staff.roles import make_groups
from tests import cast
from tests.desk.conftest import PASSWORD, member

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LOOKS = (
    {"viewport": {"width": 360, "height": 740}, "color_scheme": "light"},
    {"viewport": {"width": 1280, "height": 800}, "color_scheme": "dark"},
)


@pytest.fixture(autouse=True)
def _staffed(transactional_db, cache_of_its_own):
    make_groups()


@pytest.fixture
def final_round():
    now = clock.now()
    round_ = cast.a_round(opens_at=now - timedelta(days=30), closes_at=now - timedelta(days=9))
    cast.enter(round_, "Ann", 9, 3, at=now - timedelta(days=12))
    results.finalise(round_, at=now, by=None)
    return round_


def look_at(page, addresses) -> None:
    """Each on a phone and on a wide screen, in both languages, light and dark; no page is wider than its window."""
    for look in LOOKS:
        page.set_viewport_size(look["viewport"])
        page.emulate_media(color_scheme=look["color_scheme"])
        for address in addresses:
            for language in ("en", "zh-hans"):
                page.goto(f"/{language}/{address}")
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url
                if folder := os.environ.get("SHOTS"):
                    name = f"{look['viewport']['width']}-{language}-{address.strip('/').replace('/', '_')}.png"
                    page.screenshot(path=Path(folder) / name, full_page=True)


def test_a_picture_goes_from_the_phone_into_a_post_of_a_series(open_page, final_round, tmp_path):
    """And a prize from the desk to its winner (rule 14.8)."""
    member("organiser", "Lin")
    page = open_page("/en/desk/posts/", **LOOKS[0], has_touch=True, is_mobile=True)
    page.get_by_label("User name").fill("Lin")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Continue").tap()
    expect(page.get_by_role("heading", name="Posts")).to_be_visible()
    page.complaints.clear()  # the page that asks for the password says that this was forbidden until then
    file = tmp_path / "board.png"
    file.write_bytes(share_cards.board("#######\n#@-$.-#\n#-*---#\n#######"))
    page.get_by_role("link", name="Pictures").tap()
    page.get_by_label("Picture (PNG or JPEG)").set_input_files(file)
    page.get_by_label("What it shows, in Chinese").fill("一个盘面")
    page.get_by_label("What it shows, in English").fill("A board with two boxes")
    page.get_by_role("button", name="Bring the picture").tap()
    expect(page.get_by_role("img", name="A board with two boxes")).to_be_visible()
    code = str(Picture.objects.get())
    expect(page.get_by_text(f"Put {code} into a text")).to_be_visible()

    series = PostSeries.objects.create(slug="stories", title_zh="赛事纪实", title_en="Stories of the contest")
    page.goto("/en/desk/posts/new/")
    page.get_by_label("Title in English").fill("How it was won")
    page.get_by_label("Text in English").fill(f"It ended like this:\n\n{code}\n\nNine moves.")
    page.get_by_label("Title in Chinese").fill("胜负之间")
    page.get_by_label("Text in Chinese").fill(f"最后的盘面：\n\n{code}\n\n九步。")
    page.get_by_label("Address").fill("how-it-was-won")
    page.get_by_label("Part of the series").select_option(str(series.pk))
    page.get_by_role("button", name="Preview").tap()
    shown = page.locator(".look img.shown-picture").first
    expect(shown).to_be_visible()
    page.get_by_role("button", name="Publish now").tap()
    page.get_by_role("link", name="The public page").tap()
    shown = page.get_by_role("img", name="A board with two boxes")
    shown.scroll_into_view_if_needed()
    page.wait_for_function("() => document.querySelector('img.shown-picture').naturalWidth === 400")
    expect(page.get_by_text("part 1 of 1")).to_be_visible()

    page.goto("/en/desk/prizes/?round=1")
    page.get_by_label("Prize in Chinese").fill("木制推箱子一套")
    page.get_by_label("Prize in English").fill("A wooden puzzle")
    page.get_by_role("button", name="Write it down").tap()
    page.get_by_role("link", name="A wooden puzzle").tap()
    page.get_by_label("Winner").select_option(label="Ann")
    page.get_by_role("button", name="Save the winner").tap()
    expect(page.get_by_text("The winner has not said yet.")).to_be_visible()
    prize = Prize.objects.get()

    desk = [f"desk/posts/pictures/{Picture.objects.get().pk}/", "desk/posts/pictures/", "desk/posts/series/"]
    desk += [f"desk/posts/series/{series.pk}/", f"desk/posts/{series.posts.get().pk}/", "desk/sponsors/"]
    public = ["posts/how-it-was-won/", "posts/series/stories/", "rounds/1/prizes/"]
    look_at(page, [*desk, "desk/prizes/", f"desk/prizes/{prize.pk}/", *public])
    theirs = open_page("/en/claim/", **LOOKS[0])
    theirs.get_by_label("Claim secret").fill(cast.claim_of("Ann"))
    theirs.get_by_label("Claim secret").press("Enter")
    expect(theirs.get_by_label("Claim secret")).to_have_attribute("readonly", "")
    theirs.goto("/en/me/")
    theirs.get_by_role("link", name="You have won a prize").click()
    theirs.get_by_label("Where it shall go").fill("Ann Example\n12 Goal Street")
    theirs.get_by_role("button", name="Save").click()
    expect(theirs.get_by_label("Where it shall go")).to_have_value("Ann Example\n12 Goal Street")
    look_at(theirs, [f"me/{prize.player_id}/prizes/"])
    assert page.complaints + theirs.complaints == []
