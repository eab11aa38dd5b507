"""Publishing a collection, interrupted or beside other acts: nothing is half visible, lost or left behind."""

import pytest
from django.core.exceptions import ValidationError

from contest.library import collection_import, publishing, queueing
from contest.models import CollectedLevel, Collection, Intake, LibraryLevel
from tests import cast
from tests.contest.library.test_collection_import import AT, begun, collection, named, taken_in
from tests.desk.conftest import member, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.clock(AT)]


@pytest.fixture
def half(monkeypatch) -> Collection:
    """Two of three levels are copied."""
    monkeypatch.setattr(publishing, "_AT_ONCE", 2)
    by = member("organiser")
    made = publishing.publish_intake(named(), taken_in(collection(3), by), at=AT, by=by)
    assert publishing.copy_next(Intake.objects.get())
    return made


def test_a_description_sent_beside_a_withdrawal_shows_nothing_again():
    made = cast.a_collection()
    other = Collection.objects.get()
    publishing.withdraw(other, at=AT, by=None)
    made.title_en = "Narrow ways"
    publishing.change(made, by=None)
    stored = Collection.objects.get()
    assert (stored.title_en, stored.withdrawn_at) == ("Narrow ways", AT)


@pytest.mark.parametrize("do", ["show", "withdraw", "queue-all"])
def test_no_button_works_on_a_collection_before_all_is_copied(half, do):
    browser = signed_in(half.published_by)
    assert browser.post(f"/en/desk/collections/{half.pk}/", {"do": do}).status_code == 404
    assert not CollectedLevel.objects.filter(is_public=True).exists()
    collection_import.work_until_empty()
    assert browser.post(f"/en/desk/collections/{half.pk}/", {"do": "withdraw"}).status_code == 302


def test_a_collection_replaced_while_it_is_published_leaves_no_part(half):
    for _ in range(collection_import.MOST_OF_ONE):
        begun(b"", half.published_by)
    assert not Collection.objects.exists()


def test_of_two_publications_at_once_the_second_is_refused():
    by = member("organiser")
    intake = taken_in(collection(1), by)
    publishing.publish_intake(named(), intake, at=AT, by=by)
    with pytest.raises(ValidationError, match="still being read"):
        publishing.publish_intake(Collection(slug="again", title_en="Again", rights="by letter"), intake, at=AT, by=by)


def test_a_worker_killed_before_it_queues_the_levels_leaves_that_to_the_next(monkeypatch):
    by = member("organiser")
    intake = taken_in(collection(2), by)
    plan = queueing.plan(intake.levels.all(), weekly := cast.a_series(AT), ["main"])
    collection_import.choose(intake, intake.levels.all(), {"is_confirmed": True}, by=by, queue=plan)
    monkeypatch.setattr(queueing, "carry_out", _killed)
    with pytest.raises(KeyboardInterrupt):
        collection_import.work_on(intake)
    monkeypatch.undo()
    Intake.objects.update(claim_token=None)
    collection_import.work_until_empty()
    assert (LibraryLevel.objects.count(), weekly.queue.count()) == (2, 2)


def _killed(_intake):
    raise KeyboardInterrupt
