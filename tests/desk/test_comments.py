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
    """A comment that was reported."""
    with clock.set_to(cast.CLOSES + timedelta(days=1)):
        round_ = cast.a_round()
        cast.enter_all(round_, [("Ann", 9, 3)])
        ann = Player.objects.get()
        viewer = Viewer(proved=frozenset({ann.pk}))
        made = comments.write(round_.levels.get(slot="main"), ann, "Rude words.", viewer=viewer, at=clock.now())
        comments.report(made, "It is rude.", at=clock.now())
        yield made


def test_reported_comments_come_first_and_are_hidden_with_a_reason(organiser, comment):
    text = organiser.get(PAGE).text
    assert text.count("Rude words.") == 2
    assert "It is rude." in text
    assert "1 report about a comment" in organiser.get("/en/desk/").text
    organiser.post(f"{PAGE}{comment.pk}/do/hide/", {"reason": "Insults."})
    comment.refresh_from_db()
    assert (comment.hidden_because, organiser.get(PAGE).text.count("Rude words.")) == ("Insults.", 1)
    assert AuditEntry.objects.get().actor_name == "organiser"
    assert "hid a comment" in organiser.get("/en/desk/record/").text
    organiser.post(f"{PAGE}{comment.pk}/do/restore/")
    comment.refresh_from_db()
    assert comment.hidden_at is None


def test_hiding_takes_a_reason_and_leaving_none(organiser, comment):
    answer = organiser.post(f"{PAGE}{comment.pk}/do/hide/", {"reason": ""}, follow=True)
    assert "Say why: the author reads it." in answer.text
    assert "It is rude." in answer.text
    organiser.post(f"{PAGE}{comment.pk}/do/leave/")
    assert "It is rude." not in organiser.get(PAGE).text
    assert not Comment.objects.exclude(hidden_at=None).exists()
    assert organiser.post(f"{PAGE}{comment.pk}/do/praise/").status_code == 404
