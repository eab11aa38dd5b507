"""Acts of organisers on the machine's attempts (rule 20.5)."""

import pytest

from contest.models import Search, SearchState, Slot
from tests import cast

pytestmark = [pytest.mark.django_db, pytest.mark.clock(cast.AFTER)]


def test_an_organiser_challenges_and_stops_the_machine_on_the_desk(organiser):
    round_ = cast.a_round()
    desk, level = "/en/desk/rounds/1/do/", round_.levels.get(slot=Slot.MAIN)
    refused = organiser.post(f"{desk}machine/", {"level": level.pk, "seconds": 9, "do": "apply"})
    assert refused.status_code == 422
    organiser.post(f"{desk}machine/", {"level": level.pk, "seconds": 30})
    assert not Search.objects.exists(), "the first request previews"
    organiser.post(f"{desk}machine/", {"level": level.pk, "seconds": 30, "do": "apply"})
    assert [(row.seconds, row.state) for row in Search.objects.all()] == [(30, "queued")]
    organiser.post(f"{desk}stop-machine/", {"do": "apply"})
    assert Search.objects.get().state == SearchState.CANCELLED
