"""Two organisers who take the same name, or act on the same row, at the same moment (PostgreSQL)."""

import pytest

from contest.infra import clock
from contest.models import Post, PostCategory, Program, Rejudging, Track
from contest.outreach import post_categories, posts
from tests import cast
from tests.contest import test_at_once
from tests.contest.test_at_once import at_once
from tests.desk.conftest import member, signed_in

pytestmark = test_at_once.pytestmark
DESK = "/en/desk/"
POST = {"slug": "news", "title_en": "News", "text_en": "Soon.", "kind": "news", "do": "save"}
SERIES = {"name_zh": "周赛", "name_en": "Weekly", "first_opens_at": "2027-01-03T08:00", "every_weeks": "1"}
SERIES |= {"length_days": "6", "days_ahead": "7", "is_running": "on", "new_track": "weekly"}


@pytest.mark.parametrize(
    ("path", "given", "model"),
    [("posts/new/", POST, Post), ("series/", SERIES, Track), ("rejudging/", {"name": "June"}, Rejudging)],
)
def test_the_second_gets_the_message_of_the_form(path, given, model):
    before = model.objects.count()
    browsers = [signed_in(member("organiser", name)) for name in ("one", "two")]
    statuses = []
    with clock.set_to(cast.DURING):
        acts = [lambda browser=browser: statuses.append(browser.post(DESK + path, given).status_code)
                for browser in browsers]  # fmt: skip
        assert at_once(*acts) == [None, None]
    assert (sorted(statuses), model.objects.count()) == ([302, 422], before + 1)


@pytest.mark.parametrize("act", ["throw-away/", "publish/", "clear/extra/", "edit/"])
def test_an_act_on_a_draft_that_is_just_thrown_away_finds_no_page(act):
    cast.a_round(announced_at=None)
    first, second = (signed_in(member("organiser", name)) for name in ("one", "two"))
    statuses = []
    with clock.set_to(cast.OPENS):
        assert at_once(
            lambda: first.post(f"{DESK}rounds/1/throw-away/"),
            lambda: statuses.append(second.post(f"{DESK}rounds/1/{act}").status_code),
        ) == [None, None]
    assert statuses == [404]


def test_a_program_that_is_just_deleted_is_not_stored_again():
    kept = Program.objects.create(name="Old", purposes=["play"], sources="Read it.")
    first, second = (signed_in(member("organiser", name)) for name in ("one", "two"))
    page, statuses = f"{DESK}programs/{kept.pk}/", []
    given = {"name": "New", "purposes": ["play"], "sources": "Read it."}
    assert at_once(
        lambda: first.post(page, {"do": "delete"}),
        lambda: statuses.append(second.post(page, given).status_code),
    ) == [None, None]
    assert (statuses, Program.objects.filter(name__in=["Old", "New"]).count()) == ([404], 0)


def test_a_category_that_its_last_post_just_dropped_is_not_stored_again():
    with clock.set_to(cast.DURING):
        new, typed = Post(slug="one", title_en="One"), post_categories.read("Go")
        post = posts.save(new, at=cast.DURING, by=None, categories=typed)
        browser, key, statuses = signed_in(member("organiser")), post.categories.get().pk, []
        given = {"category": key, f"{key}-name_en": "Chess", f"{key}-name_zh": ""}
        assert at_once(
            lambda: posts.save(post, at=cast.DURING, by=None, version=post.version, categories=[]),
            lambda: statuses.append(browser.post(f"{DESK}posts/categories/", given).status_code),
        ) == [None, None]
    assert (statuses, PostCategory.objects.count()) == ([404], 0)
