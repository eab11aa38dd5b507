"""My page: streak, progress, places and news of the viewer's own players."""

from datetime import timedelta

import pytest
from django.test import Client

from contest import judging
from contest.infra import clock
from contest.models import Search, SearchKind, SearchState
from contest.vetting.coaching import Coached
from solvers import sokoban
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann(client, during_round):
    client.post("/en/submit/", {"moves": "rlrR", "nickname": "Ann"})
    judging.judge_until_empty()
    return client


def page(client):
    return " ".join(client.get("/en/me/").text.split())


def test_after_the_reveal_my_page_says_how_i_lose_most_moves_where_the_coach_has_looked(ann):
    """Rules 4.9, 20.4: nothing is said before the reveal, and nothing found about a level in play."""
    coached = Coached(sokoban.Level.parse(cast.CORRIDOR), "rlrR", {})
    search = Search.objects.create(
        kind=SearchKind.COACH,
        public_id=coached.key,
        text=cast.CORRIDOR,
        sha256=coached.board.sha256,
        state=SearchState.DONE,
        answer="solved",
        seconds=1,
        megabytes=1,
        asked_at=cast.AFTER,
        given=coached.lurd,
        tried=cast.compared(),
        stretches={"moves": [[0, 2, 0, 0, 2, 0, ""]]},
    )
    lost = "Most moves lost by walking round: 2 of 2."
    assert lost not in page(ann), "before the reveal"
    with clock.set_to(cast.AFTER):
        text = page(ann)
        assert (lost in text, "1 solution analysed, of the last 50 submissions." in text) == (True, True)
        assert lost not in page(Client())
    cast.a_round(2, opens_at=cast.AFTER, closes_at=cast.AFTER + timedelta(days=7))
    with clock.set_to(cast.AFTER + timedelta(hours=1)):
        assert lost not in page(ann), "not compared with a level in play"
    search.delete()
    with clock.set_to(cast.AFTER):
        assert "Where my moves go" not in page(ann)
