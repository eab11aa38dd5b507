from datetime import timedelta
from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.translation import override
from PIL import Image

from contest.infra import clock
from contest.models import AuditEntry, Letter, Picture, Post, PostCategory, PostSeries
from contest.outreach.newsletter import subscriptions
from tests import cast
from tests.contest.outreach.test_posts import AT, a_post, categorise
from tests.contest.rendering.test_pictures import a_file

LADDER = {"slug": "the-ladder", "title_zh": "阶梯", "title_en": "The ladder", "about_en": "Why it takes so long."}
NEW = "/en/desk/posts/new/"
SERIES = "/en/desk/posts/series/"
PUBLIC = "/en/posts/series/the-ladder/"
HELLO = {"slug": "hello", "kind": "news", "title_en": "Hello", "text_en": "Text of **it**.", "stamp": "0"}
pytestmark = [pytest.mark.django_db, pytest.mark.clock(AT)]
PAGE = "/en/desk/posts/categories/"
ALT_TEXTS = {"alt_zh": "颁奖台上的三位选手", "alt_en": "Three players on the podium"}
PICTURES = "/en/desk/posts/pictures/"


def test_the_look_and_the_page_are_the_same_and_a_look_keeps_nothing(organiser, client):
    cast.a_round(12)
    cast.a_round(13, opens_at=AT + timedelta(days=40), closes_at=AT + timedelta(days=50))
    given = HELLO | {"text_en": "See [[level 12 main]] and $n^2$.\n\n[[level 13 main]]"}
    look = organiser.post(NEW, given | {"do": "look"}).text
    assert "[[level 13 main]] does not exist or will not be public by then" in look
    assert "main of 13" not in look
    assert not Post.objects.exists()
    organiser.post(NEW, given | {"do": "publish"})
    page = client.get("/en/posts/hello/").text
    body = page[page.index("<p>See") : page.index("</article>")]
    assert body in look


def test_saving_keeps_a_draft_publishing_shows_it_and_taking_back_hides_it_again(organiser, client):
    organiser.post(NEW, HELLO | {"do": "save"})
    page = f"/en/desk/posts/{Post.objects.get().pk}/"
    assert client.get("/en/posts/hello/").status_code == organiser.get(f"{page}message/").status_code == 404
    for stamp, do, status in (("1", "publish", 200), ("2", "withdraw", 404)):
        organiser.post(page, HELLO | {"do": do, "stamp": stamp})
        assert client.get("/en/posts/hello/").status_code == organiser.get(f"{page}message/").status_code == status
    assert [entry.act for entry in AuditEntry.objects.all()] == ["edit post", "edit post", "write post"]


def test_a_time_in_beijing_schedules_it(organiser, client):
    """Rule 3.5."""
    organiser.post(NEW, HELLO | {"do": "save", "published_at": "2026-11-05T20:00", "stamp": "9" * 5000})
    assert Post.objects.get().published_at.isoformat() == "2026-11-05T12:00:00+00:00"
    assert "scheduled" in organiser.get("/en/desk/posts/").text
    with clock.set_to(Post.objects.get().published_at):
        assert client.get("/en/posts/hello/").status_code == 200


def test_text_saved_by_another_in_the_meantime_is_shown_next_to_yours(organiser):
    post = a_post(title_en="Theirs", text_en="Their text.")
    answer = organiser.post(f"/en/desk/posts/{post.pk}/", HELLO | {"do": "save", "stamp": "0"})
    assert answer.status_code == 409
    assert ("Their text." in answer.text, "Text of **it**." in answer.text) == (True, True)
    assert organiser.post(f"/en/desk/posts/{post.pk}/", HELLO | {"do": "save", "stamp": "1"}).status_code == 302


def test_a_faulty_text_comes_back_whole_with_what_is_wrong(organiser):
    answer = organiser.post(NEW, HELLO | {"do": "save", "text_en": "a $\\frac{$ b"})
    late = organiser.post(NEW, HELLO | {"do": "save", "published_at": "9999-12-31T23:59"})
    assert (late.status_code, "is not valid" in late.text) == (422, True)
    assert answer.status_code == 422
    assert ("Line 1: the formula" in answer.text, "a $\\frac{$ b" in answer.text) == (True, True)


def test_the_number_of_recipients_is_shown_before_an_email_is_sent_once(organiser, settings):
    settings.SITE_URL = "https://c.example"
    post = a_post()
    for place in range(2):
        subscriptions.subscribe(f"p{place}@example.org", ["news"], "en", AT, is_proved=True)
    page = organiser.get(f"/en/desk/posts/{post.pk}/mail/").text
    assert "2 subscribers to news will get it." in page
    assert "@example.org" not in page
    organiser.post(f"/en/desk/posts/{post.pk}/mail/")
    assert Letter.objects.count() == 2
    assert AuditEntry.objects.get(act="mail post").after == {"recipients": 2}
    assert organiser.post(f"/en/desk/posts/{post.pk}/mail/").status_code == 422


@pytest.fixture
def ladder() -> PostSeries:
    return PostSeries.objects.create(**LADDER)


def a_part(slug: str, series: PostSeries, **fields) -> Post:
    return a_post(slug, title_en=f"Part {slug}", text_en="Text.", series=series, **fields)


def test_a_series_is_made_on_the_desk_and_posts_become_its_parts_in_their_order(organiser, client):
    assert organiser.post(SERIES, LADDER | {"title_zh": ""}).status_code == 422
    assert organiser.post(SERIES, LADDER).status_code == 302
    series = PostSeries.objects.get()
    for slug in ("one", "two"):
        given = {"slug": slug, "kind": "news", "title_en": slug, "text_en": "Text.", "stamp": "0", "series": series.pk}
        assert organiser.post(NEW, given | {"do": "publish"}).status_code == 302
    assert list(series.posts.in_series().values_list("slug", "series_place")) == [("one", 1), ("two", 2)]
    page = client.get(PUBLIC).text
    assert page.index(">one<") < page.index(">two<")
    assert organiser.post(f"{SERIES}{series.pk}/", LADDER | {"title_en": "The long ladder"}).status_code == 302
    entry = AuditEntry.objects.get(act="change series of posts")
    assert (entry.before, entry.after) == ({"title_en": "The ladder"}, {"title_en": "The long ladder"})
    with override("zh-hans"):
        assert str(series) == "阶梯"


def test_parts_that_are_not_public_yet_are_neither_counted_nor_led_to(client, ladder):
    a_part("b", ladder, published_at=None)
    assert client.get(PUBLIC).status_code == 404
    a_part("a", ladder)
    assert client.get(PUBLIC).status_code == 200
    a_part("c", ladder, published_at=AT + timedelta(days=1))
    page = client.get("/en/posts/a/").text
    assert ("part 1 of 1" in page, "Part b" in page, "Part c" in page) == (True, False, False)


def test_categories_and_references_are_previewed_and_saved(organiser, client):
    given = HELLO | {"categories": "围棋 / Go, Proofs", "references": "Savitch 1970, https://example.org/"}
    organiser.post(NEW, given | {"do": "look"})
    assert not PostCategory.objects.exists()
    organiser.post(NEW, given | {"do": "publish"})
    page = client.get("/en/posts/hello/").text
    assert ('<a href="/en/posts/category/go/">Go</a>' in page, "https://example.org/" in page) == (True, True)


def test_faulty_categories_and_references_are_refused_with_a_message(organiser):
    categorise(a_post("other"), "围棋 / Go")
    for name, value, message in (
        ("categories", "围棋 / Weiqi", "“围棋 / Go” already"),
        ("references", "x\n" * 41, "At most 40 references"),
        ("references", "a\u202eb", "U+202E"),
    ):
        answer = organiser.post(NEW, HELLO | {"do": "save", name: value})
        assert (answer.status_code, message in answer.text) == (422, True)


def test_a_category_is_renamed_everywhere_and_keeps_its_address(organiser, client):
    categorise(a_post(), "Art, Go, Proofs")
    go = PostCategory.objects.get(name_en="Go")
    renamed = {"category": go.pk, f"{go.pk}-name_zh": "围棋", f"{go.pk}-name_en": "Game of Go"}
    assert organiser.post(PAGE, renamed).status_code == 302
    assert '<a href="/en/posts/category/go/">Game of Go</a>' in client.get("/en/posts/hello/").text
    entry = AuditEntry.objects.get(act="rename category of posts")
    assert (entry.before, entry.after) == ({"names": "Go"}, {"names": "围棋 / Game of Go"})
    for typed in ("proofs", " "):
        answer = organiser.post(PAGE, renamed | {f"{go.pk}-name_zh": "", f"{go.pk}-name_en": typed})
        assert answer.status_code == 422
        shown = {form.instance.pk: form["name_en"].value() for form in answer.context["forms"]}
        assert shown == {go.pk - 1: "Art", go.pk: typed, go.pk + 1: "Proofs"}
    assert organiser.post(PAGE, {"category": "9" * 99}).status_code == 404


@pytest.fixture
def picture(organiser) -> Picture:
    file = SimpleUploadedFile("podium.png", a_file(), content_type="text/html")
    assert organiser.post(PICTURES, {"file": file, **ALT_TEXTS}).status_code == 302
    return Picture.objects.get()


def test_a_picture_in_a_post_is_described_in_the_language_of_its_text_and_served_as_what_it_is(picture, client):
    post = a_post(title_zh="赢了", text_zh=f"[[picture {picture.pk}]]")
    page = client.get("/en/posts/hello/").text
    assert (f'src="/pictures/{picture.pk}.webp"' in page, f'alt="{ALT_TEXTS["alt_zh"]}"' in page) == (True, True)
    assert list(post.pictures.all()) == [picture]
    answer = client.get(f"/pictures/{picture.pk}.webp")
    assert (answer["Content-Type"], answer["X-Content-Type-Options"]) == ("image/webp", "nosniff")
    assert Image.open(BytesIO(answer.content)).format == "WEBP"
    again = client.get(f"/pictures/{picture.pk}.webp", headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_nobody_sees_it_before_a_post_that_shows_it_is_public(picture, organiser, client):
    """Rule 2.8: it may show a future level."""
    address, on_the_desk = f"/pictures/{picture.pk}.webp", f"{PICTURES}{picture.pk}/file.webp"
    assert client.get(address).status_code == 404
    a_post(text_en=f"[[picture {picture.pk}]]", title_en="Won", published_at=None)
    assert (client.get(address).status_code, client.get(on_the_desk).status_code) == (404, 403)
    assert organiser.get(on_the_desk)["Content-Type"] == "image/webp"
    for at, status in ((AT, 200), (None, 404)):
        Post.objects.update(published_at=at)
        assert client.get(address).status_code == status


def test_alternative_text_is_edited_and_an_unused_picture_removed(picture, organiser):
    here = f"{PICTURES}{picture.pk}/"
    organiser.post(here, ALT_TEXTS | {"alt_en": "Two players", "do": "save"})
    picture.refresh_from_db()
    assert picture.alt_en == "Two players"
    post = a_post(text_en=f"[[picture {picture.pk}]]", title_en="Won", published_at=None)
    answer = organiser.post(here, ALT_TEXTS | {"do": "remove"})
    assert (answer.status_code, "Posts show this picture: Won." in answer.text) == (422, True)
    post.pictures.clear()
    assert organiser.post(here, {"do": "remove"}).status_code == 302
    assert not Picture.objects.exists()
    acts = [entry.act for entry in AuditEntry.objects.filter(act__contains="picture").order_by("pk")]
    assert acts == ["bring picture", "change picture", "remove picture"]
