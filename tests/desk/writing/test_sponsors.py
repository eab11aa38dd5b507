import datetime

import pytest
from django.contrib.auth.models import User

from contest.infra import identity
from contest.models import Prize, Sponsor
from tests import cast
from tests.desk.conftest import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("after_round")]
SITE, DESK, PUBLIC = "/en/desk/site/", "/en/desk/sponsors/", "/en/sponsors/"
WOOD = {
    "name": "Wood & Co", "url": "https://wood.example", "is_listed": "on", "gift_en": "the server", "gift_zh": "服务器",
    "since": "2025-01-01", "until": "2026-12-31", "order": "2",
}  # fmt: skip


@pytest.fixture
def switched_on(django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        chief = signed_in(User.objects.create_superuser("chief"))
        texts = {"sponsoring_en": "Write **to us**.", "sponsoring_zh": "请来信。"}
        chief.post(SITE, {"do": "save", "version": "0", **texts})
    yield chief
    identity.use({})


def text(client, url=PUBLIC) -> str:
    return client.get(url).content.decode()


def test_without_a_text_there_is_neither_the_page_nor_a_link(client):
    Sponsor.objects.create(name="Wood & Co", is_listed=True)
    assert client.get(PUBLIC).status_code == 404
    for page in ("/en/", "/en/pages/"):
        assert PUBLIC not in text(client, page)


def test_with_a_text_the_page_lists_sponsors_in_both_languages(client, switched_on, organiser):
    assert organiser.post(DESK, WOOD).status_code == 302
    for page in ("/en/", "/en/pages/"):
        assert PUBLIC in text(client, page)
    assert "Write <strong>to us</strong>." in text(client)
    assert 'href="https://wood.example" rel="noopener nofollow"' in text(client)
    assert "服务器" in text(client, "/zh-hans/sponsors/")


def test_an_anonymous_sponsor_has_no_name_anywhere(client, switched_on):
    round_ = cast.a_round()
    sponsor = Sponsor.objects.create(name="Secretive", url="https://secret.example", is_listed=True, is_anonymous=True)
    Prize.objects.create(round=round_, sponsor=sponsor, what_zh="奖", what_en="A prize")
    for page in (PUBLIC, f"/en/rounds/{round_.number}/prizes/"):
        shown = text(client, page)
        assert "nonymous" in shown
        assert "secret" not in shown.lower()


def test_only_listed_sponsors_are_shown_in_their_order(client, switched_on):
    for name, order, since in (("B", 1, 2024), ("A", 1, 2025), ("C", 0, 2026)):
        Sponsor.objects.create(name=name, order=order, since=datetime.date(since, 1, 1), is_listed=True)
    Sponsor.objects.create(name="Of a coming prize")
    assert [sponsor.name for sponsor in client.get(PUBLIC).context["listed"]] == ["C", "B", "A"]


@pytest.mark.parametrize(
    ("changes", "field"), [({"url": "javascript:alert(1)"}, "url"), ({"until": "2024-12-31"}, "__all__")]
)
def test_unsafe_links_and_a_period_that_ends_before_it_begins_are_refused(organiser, changes, field):
    answer = organiser.post(DESK, WOOD | changes)
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, [field])
    assert not Sponsor.objects.exists()
