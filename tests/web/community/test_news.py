from datetime import timedelta

from contest.infra import clock
from contest.models import Player, Star
from tests import cast


def words(client, address):
    return client.get(address).content.decode()


def test_the_bell_counts_what_is_new_until_it_is_read(browser):
    """Rule 27.6: it is shown to readers with a proved nickname."""
    assert "data-bell" not in words(browser(), "/en/rounds/")
    assert browser().get("/en/me/news/count.json").json() == {"count": 0}
    assert "Recover a nickname" in words(browser(), "/en/me/news/")
    ann = browser("Ann")
    assert 'data-bell="/en/me/news/count.json"' in words(ann, "/en/rounds/")
    count = ann.get("/en/me/news/count.json")
    assert count.json()["count"] >= 1
    assert set(count["Cache-Control"].split(", ")) == {"private", "max-age=60"}
    text = words(ann, "/en/me/news/")
    assert Player.objects.get(nickname="Ann").told_at is None
    assert all(shown in text for shown in ("passed you on", "Mark all as read"))
    assert ann.post("/en/me/news/read/").status_code == 302
    assert ann.get("/en/me/news/count.json").json() == {"count": 0}
    text = words(ann, "/en/me/news/")
    assert ("passed you on" in text, "Mark all as read" in text) == (True, False)


def test_one_follows_where_one_looks_and_sees_the_list(browser):
    """Rule 27.6."""
    bo = Player.objects.get(nickname="Bo")
    ann = browser("Ann")
    pages = {
        f"/en/players/{bo.pk}/star/": bo.get_absolute_url().replace("/zh-hans/", "/en/"),
        "/en/rounds/1/main/star/": "/en/rounds/1/main/",
        "/en/collections/corridors/1/star/": "/en/collections/corridors/1/",
    }
    for star, page in pages.items():
        assert "Stop following" not in words(ann, page)
        assert ann.post(star, {"follow": "yes"}).url == page
        assert "Stop following" in words(ann, page)
        assert star not in words(browser(), page)
    listed = words(ann, "/en/me/following/")
    assert listed.count("Stop following") == 3
    for star in pages:
        assert ann.post(star, {"follow": "no", "list": "1"}).url == "/en/me/following/"
    assert not Star.objects.exists()


def test_what_cannot_be_seen_cannot_be_followed_nor_without_a_nickname(browser):
    """Rules 2.8, 7.5."""
    coming = cast.a_round(2, opens_at=clock.now() + timedelta(days=9), closes_at=clock.now() + timedelta(days=30))
    assert browser("Ann").post(f"/en/rounds/{coming.number}/main/star/").status_code == 404
    answer = browser().post("/en/rounds/1/main/star/", follow=True)
    assert "You need a nickname in this browser to follow somebody." in answer.content.decode()
