"""Everybody can play the levels that an organiser publishes."""

import pytest
from django.core.exceptions import ValidationError

from contest import visibility
from contest.levels import examine
from contest.library import publishing
from contest.models import AuditEntry, CollectedLevel, Collection
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


def test_a_collection_is_published_in_order_with_titles_and_authors(organiser):
    published = publishing.publish_intake(named(), taken_in(collection(3), organiser), at=AT, by=organiser)
    assert [(level.place, level.title, level.author, level.width) for level in public()] == [
        (1, "1", "Ann", 7),
        (2, "2", "Ann", 8),
        (3, "3", "Ann", 9),
    ]
    assert published.count == 3


def test_an_unsolved_level_is_published_and_a_faulty_one_is_not(organiser):
    faulty = b"\n######\n#@$  #\n######\n\nTitle: no goal\n"
    publishing.publish_intake(named(), taken_in(corridor(4).encode() + faulty, organiser), at=AT, by=organiser)
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
    published = cast.a_collection()
    publishing.withdraw(published, at=AT, by=organiser)
    assert (list(visibility.collections(Viewer(), AT)), public()) == ([], [])
    publishing.show_again(published, by=organiser)
    assert len(public()) == 2
    assert [entry.act for entry in AuditEntry.objects.order_by("pk")] == [
        "publish collection",
        "withdraw collection",
        "show collection again",
    ]


def test_a_level_of_a_public_collection_gives_a_warning_however_it_is_turned(db):
    published = cast.a_collection()
    mirrored = "######|#.$-@#|######"
    warning = "This level is public: Corridors, no. 1."
    assert warning in examine(mirrored, "lL").warnings
    publishing.withdraw(published, at=AT, by=None)
    assert warning not in examine(mirrored, "lL").warnings
