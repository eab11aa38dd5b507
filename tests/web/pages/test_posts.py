"""Public pages of posts."""

from datetime import timedelta

import pytest

from contest.infra import clock
from tests import cast
from tests.contest.outreach.test_posts import AT, a_post

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
