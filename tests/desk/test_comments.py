"""Rule 27.4 on the desk."""

from datetime import timedelta

import pytest

from contest.infra import clock
from contest.models import AuditEntry, Comment, Player
from contest.outreach.community import comments
from contest.visibility import Viewer
from tests import cast

PAGE = "/en/desk/comments/"


@pytest.fixture
def comment(db):
    with clock.set_to(cast.CLOSES + timedelta(days=1)):
        round_ = cast.a_round()
        cast.enter_all(round_, [("Ann", 9, 3)])
        ann = Player.objects.get()
        viewer = Viewer(proved=frozenset({ann.pk}))
        yield comments.write(round_.levels.get(slot="main"), ann, "Rude words.", viewer=viewer, at=clock.now())


def words(client):
    return client.get(PAGE).content.decode()


def test_reported_comments_come_first_and_are_hidden_with_a_reason(organiser, comment):
    comments.report(comment, "It is rude.", at=clock.now())
    text = words(organiser)
    assert text.count("Rude words.") == 2
    assert "It is rude." in text
    assert "1 report about a comment" in organiser.get("/en/desk/").content.decode()
    organiser.post(f"{PAGE}{comment.pk}/do/hide/", {"reason": "Insults."})
    comment.refresh_from_db()
    assert (comment.hidden_because, words(organiser).count("Rude words.")) == ("Insults.", 1)
    assert AuditEntry.objects.get().actor_name == "organiser"
    assert "hid a comment" in organiser.get("/en/desk/record/").content.decode()
    organiser.post(f"{PAGE}{comment.pk}/do/restore/")
    comment.refresh_from_db()
    assert comment.hidden_at is None


def test_hiding_takes_a_reason(organiser, comment):
    answer = organiser.post(f"{PAGE}{comment.pk}/do/hide/", {"reason": ""}, follow=True)
    assert "Say why: the author reads it." in answer.content.decode()
    assert not Comment.objects.exclude(hidden_at=None).exists()


def test_a_report_is_closed_without_consequence(organiser, comment):
    comments.report(comment, "It is rude.", at=clock.now())
    organiser.post(f"{PAGE}{comment.pk}/do/leave/")
    assert "It is rude." not in words(organiser)


def test_an_act_that_is_none_is_not_found(organiser, comment):
    assert organiser.post(f"{PAGE}{comment.pk}/do/praise/").status_code == 404


@pytest.mark.parametrize("role", ["author", "operator"])
def test_others_of_the_staff_do_not_moderate(role, comment, request):
    client = request.getfixturevalue(role)
    assert client.get(PAGE).status_code == 404
    assert client.post(f"{PAGE}{comment.pk}/do/hide/", {"reason": "x"}).status_code == 404
