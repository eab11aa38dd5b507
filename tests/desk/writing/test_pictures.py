"""Pictures on the desk, and in posts."""

from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from contest.models import AuditEntry, Picture, Post
from tests.contest.outreach.test_posts import AT, a_post
from tests.contest.rendering.test_pictures import a_file

ALT_TEXTS = {"alt_zh": "颁奖台上的三位选手", "alt_en": "Three players on the podium"}
PAGE = "/en/desk/posts/pictures/"
pytestmark = [pytest.mark.django_db, pytest.mark.clock(AT)]


@pytest.fixture
def picture(organiser) -> Picture:
    file = SimpleUploadedFile("podium.png", a_file(), content_type="text/html")
    assert organiser.post(PAGE, {"file": file, **ALT_TEXTS}).status_code == 302
    return Picture.objects.get()


def test_a_picture_is_put_into_a_post_and_described_in_the_language_of_its_text(picture, client):
    post = a_post(title_zh="赢了", text_zh=f"[[picture {picture.pk}]]")
    for lang in ("en", "zh-hans"):
        assert f'alt="{ALT_TEXTS["alt_zh"]}"' in client.get(f"/{lang}/posts/hello/").text
    Post.objects.all().delete()
    post = a_post(title_en="Won", text_en=f"So: [[picture {picture.pk}]]")
    page = " ".join(client.get("/en/posts/hello/").text.split())
    assert f'src="/pictures/{picture.pk}.webp" alt="Three players on the podium" width="40" height="20"' in page
    assert list(post.pictures.all()) == [picture]


def test_it_is_served_from_our_own_address_as_what_it_is(picture, client):
    a_post(text_en=f"[[picture {picture.pk}]]", title_en="Won")
    answer = client.get(f"/pictures/{picture.pk}.webp")
    assert (answer["Content-Type"], answer["X-Content-Type-Options"]) == ("image/webp", "nosniff")
    assert Image.open(BytesIO(answer.content)).format == "WEBP"
    again = client.get(f"/pictures/{picture.pk}.webp", headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_nobody_sees_it_before_a_post_that_shows_it_is_public(picture, organiser, client):
    """Rule 2.8: it may show a future level."""
    address, on_the_desk = f"/pictures/{picture.pk}.webp", f"{PAGE}{picture.pk}/file.webp"
    assert client.get(address).status_code == 404
    a_post(text_en=f"[[picture {picture.pk}]]", title_en="Won", published_at=None)
    assert (client.get(address).status_code, client.get(on_the_desk).status_code) == (404, 403)
    assert organiser.get(on_the_desk)["Content-Type"] == "image/webp"
    for at, status in ((AT, 200), (None, 404)):
        Post.objects.update(published_at=at)
        assert client.get(address).status_code == status


def test_alternative_text_is_edited_and_an_unused_picture_removed(picture, organiser):
    """Each act is recorded."""
    here = f"{PAGE}{picture.pk}/"
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
