from datetime import timedelta

from contest.infra import clock
from contest.models import Player, Star
from tests import cast


def test_the_bell_counts_unread_notifications(browser):
    """Rule 27.6: it is shown to readers with a proved nickname."""
    assert "data-bell" not in browser().get("/en/rounds/").text
    assert browser().get("/en/me/news/count.json").json() == {"count": 0}
    ann = browser("Ann")
    assert 'data-bell="/en/me/news/count.json"' in ann.get("/en/rounds/").text
    count = ann.get("/en/me/news/count.json")
    assert count.json()["count"] >= 1
    assert set(count["Cache-Control"].split(", ")) == {"private", "max-age=60"}
    text = ann.get("/en/me/news/").text
    assert Player.objects.get(nickname="Ann").told_at is None
    assert "passed you on" in text
    assert ann.post("/en/me/news/read/").status_code == 302
    assert ann.get("/en/me/news/count.json").json() == {"count": 0}


def test_pages_have_a_follow_button_and_a_page_lists_followed_subjects(browser):
    """Rule 27.6."""
    bo = Player.objects.get(nickname="Bo")
    ann = browser("Ann")
    pages = {
        f"/en/players/{bo.pk}/star/": bo.get_absolute_url().replace("/zh-hans/", "/en/"),
        "/en/rounds/1/main/star/": "/en/rounds/1/main/",
        "/en/collections/corridors/1/star/": "/en/collections/corridors/1/",
    }
    for star, page in pages.items():
        assert "Stop following" not in ann.get(page).text
        assert ann.post(star, {"follow": "yes"}).url == page
        assert "Stop following" in ann.get(page).text
        assert star not in browser().get(page).text
    listed = ann.get("/en/me/following/").text
    assert listed.count("Stop following") == 3
    for star in pages:
        assert ann.post(star, {"follow": "no", "list": "1"}).url == "/en/me/following/"
    assert not Star.objects.exists()


def test_following_needs_a_visible_subject_and_a_nickname(browser):
    """Rules 2.8, 7.5."""
    coming = cast.a_round(2, opens_at=clock.now() + timedelta(days=9), closes_at=clock.now() + timedelta(days=30))
    assert browser("Ann").post(f"/en/rounds/{coming.number}/main/star/").status_code == 404
    answer = browser().post("/en/rounds/1/main/star/", follow=True)
    assert "You need a nickname in this browser to follow somebody." in answer.content.decode()
