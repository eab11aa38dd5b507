"""My page: streak, progress, places and news of the viewer's own players."""

import pytest

from contest import judging
from contest.infra import clock
from contest.models import Player, Star
from contest.outreach import events
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann(client, during_round):
    client.post("/en/submit/", {"moves": "rlrR", "nickname": "Ann"})
    judging.judge_until_empty()
    return client


def page(client):
    return " ".join(client.get("/en/me/").text.split())


def test_my_page_begins_with_my_places_progress_and_streak(ann, during_round, monkeypatch):
    level = during_round.levels.get(slot="main")
    monkeypatch.setattr("contest.web.account.my_page.daily.of_day", lambda _at: level)
    text = page(ann)
    assert "Levels solved" in text
    assert '<span class="mark you">so far</span>' in text
    assert "data-streak" in text
    assert text.index("My places") < text.index("My nicknames") < text.index("My receipts")


def test_my_page_shows_what_the_players_i_follow_did(ann):
    cast.send("Cy", "rR")
    judging.judge_until_empty()
    events.record_events(clock.now())
    me, followed = (Player.objects.get(nickname=name) for name in ("Ann", "Cy"))
    Star.objects.create(player=me, followed=followed, starred_at=clock.now())
    assert "Cy</a> took the lead by moves" in page(ann)


def test_a_stranger_gets_an_invitation_instead_of_empty_tables(client):
    text = page(client)
    assert "No nickname of yours is stored in this browser." in text
    assert "My places" not in text
