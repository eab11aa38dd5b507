"""Everybody can play the levels that an organiser publishes."""

import pytest
from django.core.exceptions import ValidationError

from contest import visibility
from contest.levels import examine
from contest.library import collection_import, publishing
from contest.models import AuditEntry, CollectedLevel, Collection, Intake
from contest.visibility import Viewer
from tests import cast
from tests.contest.library.test_collection_import import collection, corridor, organiser, taken_in

AT = cast.OPENS
__all__ = ["organiser"]
pytestmark = [pytest.mark.django_db, pytest.mark.clock(AT)]


def named(slug: str = "corridors", **fields) -> Collection:
    return Collection(slug=slug, title_en="Corridors", rights="by letter", **fields)


def public() -> list[CollectedLevel]:
    return list(visibility.collected_levels(Viewer(), AT))


def published(data: bytes, by) -> Collection:
    """The collection after the work of the worker."""
    intake = taken_in(data, by)
    made = publishing.publish_intake(named(), intake, at=AT, by=by)
    collection_import.work_on(intake)
    made.refresh_from_db()
    return made


def test_a_collection_is_published_in_order_with_titles_and_authors(organiser, monkeypatch):
    monkeypatch.setattr(publishing, "_AT_ONCE", 2)
    made = published(collection(3), organiser)
    assert [(level.place, level.title, level.author, level.width) for level in public()] == [
        (1, "1", "Ann", 7),
        (2, "2", "Ann", 8),
        (3, "3", "Ann", 9),
    ]
    assert made.count == 3


def test_players_see_nothing_of_it_before_all_is_copied_and_a_stop_deletes_it(organiser, monkeypatch):
    monkeypatch.setattr(publishing, "_AT_ONCE", 2)
    intake = taken_in(collection(3), organiser)
    publishing.publish_intake(named(), intake, at=AT, by=organiser)
    intake.refresh_from_db()
    assert publishing.copy_next(intake)
    assert (publishing.copied(intake), public(), list(visibility.collections(Viewer(), AT))) == (2, [], [])
    collection_import.stop(intake)
    assert (CollectedLevel.objects.count(), Intake.objects.get().state) == (0, "read")


def test_an_unsolved_level_is_published_and_a_faulty_one_is_not(organiser):
    faulty = b"\n######\n#@$  #\n######\n\nTitle: no goal\n"
    published(corridor(4).encode() + faulty, organiser)
    assert [level.title for level in public()] == ["4"]


def test_a_collection_without_playable_levels_or_with_a_used_slug_is_refused(organiser):
    intake = taken_in(b"\n######\n#@$  #\n######\n", organiser)
    with pytest.raises(ValidationError, match="can be played"):
        publishing.publish_intake(named(), intake, at=AT, by=organiser)
    cast.a_collection("taken")
    with pytest.raises(ValidationError):
        publishing.publish_intake(named("taken"), taken_in(collection(1), organiser), at=AT, by=organiser)
    assert [one.slug for one in Collection.objects.all()] == ["taken"]


def test_a_withdrawn_collection_and_its_levels_are_hidden_until_shown_again(organiser):
    made = cast.a_collection()
    publishing.withdraw(made, at=AT, by=organiser)
    assert (list(visibility.collections(Viewer(), AT)), public()) == ([], [])
    publishing.show_again(made, by=organiser)
    assert len(public()) == 2
    assert [entry.act for entry in AuditEntry.objects.order_by("pk")] == [
        "publish collection",
        "withdraw collection",
        "show collection again",
    ]


def test_a_level_of_a_public_collection_gives_a_warning_however_it_is_turned(db):
    made = cast.a_collection()
    mirrored = "######|#.$-@#|######"
    warning = "This level is public: Corridors, no. 1."
    assert warning in examine(mirrored, "lL").warnings
    publishing.withdraw(made, at=AT, by=None)
    assert warning not in examine(mirrored, "lL").warnings
