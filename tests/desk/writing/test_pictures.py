"""Pictures on the desk, and in posts."""

from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from contest.infra import clock
from contest.models import AuditEntry, Picture, Post
from tests.contest.outreach.test_posts import AT, a_post
from tests.contest.rendering.test_pictures import a_file

pytestmark = pytest.mark.django_db

WORDS = {"alt_zh": "颁奖台上的三位选手", "alt_en": "Three players on the podium"}
PAGE = "/en/desk/posts/pictures/"


@pytest.fixture(autouse=True)
def _now():
    with clock.set_to(AT):
        yield


def a_picture(organiser, **fields) -> Picture:
    file = SimpleUploadedFile("podium.png", a_file(), content_type="text/html")
    assert organiser.post(PAGE, {"file": file, **WORDS, **fields}).status_code == 302
    return Picture.objects.latest("pk")


def test_a_picture_is_brought_and_put_into_a_post(organiser, client):
    picture = a_picture(organiser)
    post = a_post(
        title_en="Won", text_en=f"So: [[picture {picture.pk}]]", title_zh="赢了", text_zh=f"[[picture {picture.pk}]]"
    )
    page = client.get("/en/posts/hello/").content.decode()
    assert f'src="/pictures/{picture.pk}.webp" alt="Three players on the podium" width="40" height="20"' in page
    assert 'alt="颁奖台上的三位选手"' in client.get("/zh-hans/posts/hello/").content.decode()
    assert list(post.pictures.all()) == [picture]


def test_a_text_in_the_other_language_describes_its_pictures_in_that(organiser, client):
    picture = a_picture(organiser)
    a_post(title_zh="赢了", text_zh=f"[[picture {picture.pk}]]")
    assert 'alt="颁奖台上的三位选手"' in client.get("/en/posts/hello/").content.decode()


def test_it_is_served_from_our_own_address_as_what_it_is(organiser, client):
    picture = a_picture(organiser)
    a_post(text_en=f"[[picture {picture.pk}]]", title_en="Won")
    answer = client.get(f"/pictures/{picture.pk}.webp")
    assert (answer["Content-Type"], answer["X-Content-Type-Options"]) == ("image/webp", "nosniff")
    assert Image.open(BytesIO(answer.content)).format == "WEBP"
    again = client.get(f"/pictures/{picture.pk}.webp", headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_nobody_sees_it_before_a_post_that_shows_it_is_public(organiser, client):
    """Rule 2.8: it may show a level to come."""
    picture = a_picture(organiser)
    address = f"/pictures/{picture.pk}.webp"
    assert client.get(address).status_code == 404
    a_post(text_en=f"[[picture {picture.pk}]]", title_en="Won", published_at=None)
    assert client.get(address).status_code == 404
    assert client.get(f"/en/desk/posts/pictures/{picture.pk}/file.webp").status_code in (302, 401, 403)
    assert organiser.get(f"/en/desk/posts/pictures/{picture.pk}/file.webp")["Content-Type"] == "image/webp"
    Post.objects.update(published_at=AT)
    assert client.get(address).status_code == 200
    Post.objects.update(published_at=None)
    assert client.get(address).status_code == 404


def test_the_preview_of_a_draft_shows_it_to_the_organiser(organiser):
    picture = a_picture(organiser)
    given = {"slug": "won", "kind": "news", "title_en": "Won", "text_en": f"[[picture {picture.pk}]]", "stamp": "0"}
    page = organiser.post("/en/desk/posts/new/", given | {"do": "look"}).content.decode()
    assert f'src="/en/desk/posts/pictures/{picture.pk}/file.webp"' in page


def test_a_number_that_no_picture_has_is_named_to_the_organiser(organiser):
    given = {"slug": "won", "kind": "news", "title_en": "Won", "text_en": "[[picture 77]]", "stamp": "0"}
    page = organiser.post("/en/desk/posts/new/", given | {"do": "look"}).content.decode()
    assert "[[picture 77]] does not exist" in page


@pytest.mark.parametrize("missing", ["alt_zh", "alt_en", "file"])
def test_without_words_in_both_languages_it_is_not_taken_and_nothing_typed_is_lost(organiser, missing):
    given = {"file": SimpleUploadedFile("podium.png", a_file()), **WORDS}
    del given[missing]
    answer = organiser.post(PAGE, given)
    assert answer.status_code == 422
    assert all(words in answer.content.decode() for name, words in WORDS.items() if name != missing)
    assert not Picture.objects.exists()


def test_what_is_no_picture_is_refused_beside_its_field(organiser):
    file = SimpleUploadedFile("podium.png", b"<script>", content_type="image/png")
    answer = organiser.post(PAGE, {"file": file, **WORDS})
    assert answer.status_code == 422
    assert "This file cannot be read: it wants a whole picture as PNG or JPEG." in answer.content.decode()


def test_what_no_post_shows_can_be_removed_and_what_one_shows_cannot(organiser):
    picture = a_picture(organiser)
    post = a_post(text_en=f"[[picture {picture.pk}]]", title_en="Won", published_at=None)
    answer = organiser.post(f"{PAGE}{picture.pk}/", WORDS | {"do": "remove"})
    assert (answer.status_code, "Posts show this picture: Won." in answer.content.decode()) == (422, True)
    post.pictures.clear()
    assert organiser.post(f"{PAGE}{picture.pk}/", {"do": "remove"}).status_code == 302
    assert not Picture.objects.exists()


def test_its_words_can_be_mended_and_each_act_is_in_the_record(organiser):
    picture = a_picture(organiser)
    organiser.post(f"{PAGE}{picture.pk}/", WORDS | {"alt_en": "Two players", "do": "save"})
    picture.refresh_from_db()
    assert picture.alt_en == "Two players"
    organiser.post(f"{PAGE}{picture.pk}/", {"do": "remove"})
    acts = [entry.act for entry in AuditEntry.objects.order_by("pk")]
    assert acts == ["bring picture", "change picture", "remove picture"]
    record = organiser.get("/en/desk/record/").content.decode()
    assert "said otherwise what a picture shows" in record


@pytest.mark.parametrize("path", ["", "1/", "1/file.webp"])
def test_pictures_are_the_organisers(author, path):
    assert author.get(f"{PAGE}{path}").status_code == 404
