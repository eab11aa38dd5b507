"""The list over both kinds of levels, filtered and in order."""

from datetime import timedelta

import pytest

from contest.infra import clock
from contest.levels import listing
from contest.levels.catalogue import Wanted
from contest.models import CollectedLevel, Level, Player
from contest.submissions import Entry, collected
from contest.visibility import Viewer
from tests import cast

pytestmark = pytest.mark.django_db
LATER = cast.AFTER


@pytest.fixture
def both(db):
    """A closed round that Ann played, and a collection of which she solved the first level badly, the second well."""
    round_ = cast.a_round()
    cast.enter(round_, "Ann", 10, 5, at=cast.DURING)
    cast.a_collection(boards=(cast.CORRIDOR, cast.CORNER, "#######|#@-$-.#|#######"))
    claim = cast.claim_of("Ann")
    first, second, _third = CollectedLevel.objects.order_by("place")
    with clock.set_to(cast.DURING):
        collected.accept(Entry("Ann", "rlrR", claim=claim), first)
        collected.accept(Entry("Bo", "rR"), first)
        collected.accept(Entry("Ann", cast.SOLUTIONS["extra"], claim=claim), second)


def ann() -> Viewer:
    return Viewer(proved=frozenset({Player.objects.get(nickname="Ann").pk}))


def names(viewer: Viewer, start: int = 0, stop: int = 99, **wanted) -> list[str]:
    of = {listing.ROUND: Level, listing.COLLECTED: CollectedLevel}
    asked = Wanted(**wanted)
    keys = listing.page(viewer, LATER, asked, start, stop)
    assert stop < 99 or listing.count(viewer, LATER, asked) == len(keys)
    return [of[kind].objects.get(pk=pk).title for kind, pk in keys]


@pytest.mark.parametrize(
    ("wanted", "listed"),
    [
        ({}, ["main of 1", "extra of 1", "corridors 1", "corridors 2", "corridors 3"]),
        ({"kind": "rounds"}, ["main of 1", "extra of 1"]),
        ({"kind": "collections"}, ["corridors 1", "corridors 2", "corridors 3"]),
        ({"collection": "corridors"}, ["corridors 1", "corridors 2", "corridors 3"]),
        ({"collection": "other"}, []),
        ({"text": "corridors"}, ["corridors 1", "corridors 2", "corridors 3"]),
        ({"author": "Nobody"}, []),
        ({"is_proved": True}, []),
        ({"by": "size"}, ["main of 1", "corridors 1", "corridors 3", "extra of 1", "corridors 2"]),
        ({"by": "most"}, ["corridors 1", "main of 1", "corridors 2", "extra of 1", "corridors 3"]),
        ({"show": "solved"}, ["main of 1", "corridors 1", "corridors 2"]),
        ({"show": "new"}, ["extra of 1", "corridors 3"]),
        ({"show": "better"}, ["corridors 1"]),
    ],
)
def test_both_kinds_stand_in_one_list(both, wanted, listed):
    assert names(ann(), **wanted) == listed


def test_levels_are_found_by_grade_and_by_proved_optimum(both):
    CollectedLevel.objects.filter(place=2).update(grade=4, least_moves=9, least_pushes=3)
    assert names(ann(), grade=4) == names(ann(), is_proved=True) == ["corridors 2"]
    assert names(ann(), by="hardest")[0] == "corridors 2"
    assert names(ann(), by="easiest")[-1] == "corridors 2"


def test_the_pages_are_parts_of_one_order(both):
    whole = names(ann(), by="boxes")
    assert [name for at in range(5) for name in names(ann(), at, at + 1, by="boxes")] == whole


def test_a_running_round_is_not_in_the_list(both):
    cast.a_round(2, opens_at=cast.CLOSES, closes_at=LATER + timedelta(days=9))
    assert not any(name.endswith("of 2") for name in names(ann()))


def test_progress_counts_the_levels_of_each_collection_that_the_reader_solved(both):
    (collection,) = {level.collection_id for level in CollectedLevel.objects.all()}
    assert listing.progress(ann()) == {collection: 2}
    assert listing.progress(Viewer()) == {}
