"""An entry hors concours: listed as unranked, and its reason is shown to its sender alone (rules 4.10, 4.15)."""

from datetime import timedelta

import pytest
from django.test import Client

from contest import judging
from contest.infra import clock
from contest.models import Proposal, Submission
from tests import cast

pytestmark = pytest.mark.django_db
BEFORE = cast.OPENS - timedelta(days=9)
REASON = "You proposed “Main”."


@pytest.fixture
def proposer():
    """Browser of a proposer after an entry in the round of the proposed level."""
    client = Client()
    with clock.set_to(cast.DURING - timedelta(weeks=8)):
        cast.a_round(1, **cast.earlier(8))
        client.post("/en/submit/", {"nickname": "Ann", "moves": "rrrR", "round": "1"})
        player = Submission.objects.get().player
    with clock.set_to(cast.DURING):
        level = cast.a_round(2, **cast.earlier(0)).levels.get(slot="main")
        Proposal.objects.create(
            player=player, title="Cave", author="Somebody", text=level.text, key=level.key, width=6, height=3,
            boxes=1, state="accepted", made_at=BEFORE, sent_at=BEFORE,
        )  # fmt: skip
        client.post("/en/submit/", {"nickname": "Ann", "moves": "rR", "round": "2"})
        judging.judge_until_empty()
    return client


def test_the_sender_reads_why_on_the_receipt_and_on_the_own_page(proposer):
    """Rule 4.15: but not those to whom the receipt's link was given."""
    page = f"/en/s/{Submission.objects.get(round__number=2).receipt_id}/"
    with clock.set_to(cast.DURING):
        own, shared = (client.get(page).text for client in (proposer, Client()))
        assert REASON in own
        assert "Unranked: this result is listed, but gets no rank" in shared
        assert "proposed" not in shared
        assert ">unranked</a>" in proposer.get("/en/me/").text


@pytest.mark.parametrize("at", [cast.DURING, cast.AFTER])
def test_lists_name_the_player_as_unranked_and_never_say_why(proposer, at):
    """Rules 4.15, 7.1: a proposer may have wanted another name on the level."""
    with clock.set_to(at):
        pages = {name: Client().get(f"/en/rounds/2/{name}").text for name in ("", "submissions/", "results/", "main/")}
        pages["api"] = Client().get("/api/v1/rounds/2/submissions/").text
    assert all("proposed" not in page for page in pages.values())
    assert "unranked" in pages["submissions/"]
    assert '"hors_concours": true' in pages["api"].replace('":true', '": true')
    if at == cast.AFTER:
        assert "Entered unranked (rules 4.10, 4.15)" in pages["results/"]
