"""Publishing a collection, interrupted or beside other acts: nothing is half visible, lost or left behind."""

import pytest

from contest.library import collection_import, publishing, queueing
from contest.models import Collection, Intake, LibraryLevel
from tests import cast
from tests.contest.library.test_collection_import import AT, collection, taken_in
from tests.desk.conftest import member

pytestmark = [pytest.mark.django_db, pytest.mark.clock(AT)]


def test_a_description_sent_beside_a_withdrawal_shows_nothing_again():
    made = cast.a_collection()
    other = Collection.objects.get()
    publishing.withdraw(other, at=AT, by=None)
    made.title_en = "Narrow ways"
    publishing.change(made, by=None)
    stored = Collection.objects.get()
    assert (stored.title_en, stored.withdrawn_at) == ("Narrow ways", AT)


def test_a_worker_killed_before_it_queues_the_levels_leaves_that_to_the_next(monkeypatch):
    by = member("organiser")
    intake = taken_in(collection(2), by)
    plan = queueing.plan(intake.levels.all(), weekly := cast.a_series(AT), ["main"])
    collection_import.choose(intake, intake.levels.all(), {"is_confirmed": True}, by=by, queue=plan)
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(queueing, "carry_out", _killed)
        collection_import.work_on(intake)
    Intake.objects.update(claim_token=None)
    collection_import.work_until_empty()
    assert (LibraryLevel.objects.count(), weekly.queue.count()) == (2, 2)


def _killed(_intake):
    raise KeyboardInterrupt
