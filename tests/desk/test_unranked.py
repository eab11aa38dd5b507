"""Players who knew a level before, on the desk (rule 4.15)."""

import pytest

from contest.infra import clock
from contest.models import Proposal, Submission
from tests import cast
from tests.desk.conftest import BEFORE

pytestmark = pytest.mark.django_db


def test_the_round_lists_counted_entries_of_a_proposer(organiser):
    """Rules 4.15, 15.2: organisers decide about names that came to light after the entry."""
    round_ = cast.a_round()
    level = round_.levels.get(slot="main")
    sent = cast.enter(round_, "Ann", 2, 1, at=cast.DURING)
    facts = {"text": level.text, "key": level.key, "width": 6, "height": 3, "boxes": 1, "state": "sent"}
    Proposal.objects.create(player=sent.player, made_at=BEFORE, sent_at=BEFORE, **facts)
    with clock.set_to(cast.DURING):
        assert "Ann proposed “Main”." in organiser.get("/en/desk/rounds/1/", follow=True).text
        Submission.objects.update(is_hors_concours=True)
        assert "proposed “Main”" not in organiser.get("/en/desk/rounds/1/", follow=True).text
