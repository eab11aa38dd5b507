"""Series of posts: on the desk, and as readers go through them."""

from datetime import timedelta

import pytest

from contest.infra import clock
from contest.models import AuditEntry, Post, PostSeries
from tests.contest.outreach.test_posts import AT, a_post

pytestmark = pytest.mark.django_db

GIVEN = {"slug": "the-ladder", "title_zh": "阶梯", "title_en": "The ladder", "about_en": "Why it takes so long."}
DESK = "/en/desk/posts/series/"
PAGE = "/en/posts/series/the-ladder/"


@pytest.fixture(autouse=True)
def _now():
    with clock.set_to(AT):
        yield


@pytest.fixture
def ladder() -> PostSeries:
    return PostSeries.objects.create(**GIVEN)


def a_part(slug: str, series: PostSeries, **fields) -> Post:
    return a_post(slug, title_en=f"Part {slug}", text_en="Text.", series=series, **fields)


def test_a_series_is_made_on_the_desk_and_posts_become_its_parts_in_their_order(organiser, client):
    assert organiser.post(DESK, GIVEN).status_code == 302
    series = PostSeries.objects.get()
    for slug in ("one", "two"):
        given = {"slug": slug, "kind": "news", "title_en": slug, "text_en": "Text.", "stamp": "0", "series": series.pk}
        assert organiser.post("/en/desk/posts/new/", given | {"do": "publish"}).status_code == 302
    assert list(series.posts.in_series().values_list("slug", "series_place")) == [("one", 1), ("two", 2)]
    page = client.get(PAGE).text
    assert page.index("1 · ") < page.index(">one<") < page.index("2 · ") < page.index(">two<")
    assert "Why it takes so long." in page


def test_a_part_says_which_it_is_and_leads_to_those_beside_it(client, ladder):
    for slug in ("a", "b", "c"):
        a_part(slug, ladder)
    first, page, last = (client.get(f"/en/posts/{slug}/").text for slug in ("a", "b", "c"))
    assert "part 2 of 3" in page
    assert f'href="{PAGE}"' in page
    assert page.index('rel="prev"') < page.index("← Part a") < page.index('rel="next"') < page.index("Part c →")
    assert ('rel="prev"' in first, 'rel="next"' in last) == (False, False)


def test_parts_that_are_not_public_yet_are_neither_counted_nor_led_to(client, ladder):
    a_part("a", ladder)
    a_part("b", ladder, published_at=None)
    a_part("c", ladder, published_at=AT + timedelta(days=1))
    page = client.get("/en/posts/a/").text
    assert ("part 1 of 1" in page, "Part b" in page, "Part c" in page) == (True, False, False)


def test_before_its_first_public_part_there_is_no_series(client, ladder):
    a_part("a", ladder, published_at=None)
    assert client.get(PAGE).status_code == 404
    Post.objects.update(published_at=AT)
    assert client.get(PAGE).status_code == 200


def test_its_place_can_be_said(ladder):
    late, _early = a_part("late", ladder, series_place=7), a_part("early", ladder, series_place=2)
    assert a_part("last", ladder).series_place == 8
    assert [post.slug for post in ladder.posts.in_series()] == ["early", "late", "last"]
    assert late.series_place == 7


def test_its_name_is_changed_with_a_line_in_the_record(organiser, ladder):
    assert organiser.post(f"{DESK}{ladder.pk}/", GIVEN | {"title_en": "The long ladder"}).status_code == 302
    entry = AuditEntry.objects.get(act="change series of posts")
    assert (entry.before, entry.after) == ({"title_en": "The ladder"}, {"title_en": "The long ladder"})


def test_without_a_name_in_both_languages_it_is_not_made(organiser):
    answer = organiser.post(DESK, GIVEN | {"title_zh": ""})
    assert (answer.status_code, "Why it takes so long." in answer.text) == (422, True)
    assert not PostSeries.objects.exists()


def test_the_newest_series_stands_first_on_the_desk(organiser, ladder):
    PostSeries.objects.create(**GIVEN | {"slug": "the-stairs", "title_en": "The stairs"})
    page = organiser.get(DESK).text
    assert page.index("The stairs") < page.index("The ladder")
