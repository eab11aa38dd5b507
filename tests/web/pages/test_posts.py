from datetime import timedelta

import pytest

from contest.infra import clock
from tests import cast
from tests.contest.outreach.test_posts import AT, a_post, categorise

pytestmark = [pytest.mark.django_db, pytest.mark.clock(AT)]


def test_a_post_is_shown_at_its_url(client):
    cast.a_round(12)
    a_post(title_en="Hello", text_en="At most $\\frac{n}{2}$: [[level 12 main]]")
    page = client.get("/en/posts/hello/").content.decode()
    assert "<h1>Hello</h1>" in page
    assert "<mfrac>" in page
    assert "<svg" in page


def test_a_post_in_the_other_language_is_marked_and_a_future_post_is_hidden(client):
    a_post(title_zh="你好", text_zh="正文")
    page = client.get("/en/posts/hello/").content.decode()
    assert '<article class="prose reading post" lang="zh-Hans">' in page
    assert "in Chinese only" in page
    with clock.set_to(AT - timedelta(minutes=1)):
        assert client.get("/en/posts/hello/").status_code == 404


def test_each_kind_of_post_has_a_list_and_a_feed(client):
    a_post("how", kind="report", title_en="How it was", teaser_en="In one sentence.", text_en="At length.")
    a_post("come", kind="announcement", title_en="Come all", text_en="Text")
    page = client.get("/en/posts/?kind=report").content.decode()
    assert ("How it was" in page, "In one sentence." in page, "Come all" in page) == (True, True, False)
    assert "/en/feeds/reports.atom" in page
    feed = client.get("/en/feeds/reports.json").json()
    assert [item["title"] for item in feed["items"]] == ["How it was"]
    for kind in ("nothing", "x" * 300):
        assert "Come all" in client.get(f"/en/posts/?kind={kind}").content.decode()


def test_posts_are_listed_by_category_year_and_month_of_the_sites_calendar(client):
    """The last hours of October in UTC are November in Beijing."""
    evening = AT.replace(month=10, day=31, hour=10)
    times = {"old": AT.replace(year=2025), "october": evening, "night": evening.replace(hour=17)}
    for slug, time in times.items():
        post = a_post(slug, published_at=time, title_en=slug.title(), text_en="x")
        categorise(post, "Past" if slug == "old" else "围棋 / Go")
    found = {
        path: [item.post.slug for item in client.get(f"/en/posts/{path}/").context["items"]]
        for path in ("archive/2025", "archive/2026", "archive/2026/10", "archive/2026/11", "category/go")
    }
    assert list(found.values()) == [["old"], ["night", "october"], ["october"], ["night"], ["night", "october"]]
    for path in ("2024", "2026/9", "2026/13"):
        assert client.get(f"/en/posts/archive/{path}/").status_code == 404


def test_references_stand_at_the_foot_escaped_with_safe_links(client):
    lines = "W. J. Savitch (1970), https://example.org/a?b=1&c=2.\n\n<script>x</script> javascript:alert(1)\n"
    a_post(title_en="Hello", text_en="Text.", references=lines)
    foot = client.get("/en/posts/hello/").text.partition('class="references"')[2].partition("</section>")[0]
    assert foot.count("<li ") == 2
    assert '<a href="https://example.org/a?b=1&amp;c=2" rel="nofollow">https://example.org/a?b=1&amp;c=2</a>.' in foot
    assert "&lt;script&gt;x&lt;/script&gt; javascript:alert(1)" in foot
    assert foot.count("<a ") == 1
