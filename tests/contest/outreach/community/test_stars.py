import pytest
from django.core.exceptions import ValidationError

from contest.infra import clock
from contest.models import Star
from contest.outreach.community import stars
from contest.players import accounts
from contest.visibility import Viewer
from tests import cast
from tests.contest.outreach.community.conftest import person, viewer


def follow(target, *nicknames: str) -> None:
    stars.follow(target, viewer=viewer(*nicknames), at=clock.now())


def test_a_player_and_levels_of_rounds_and_collections_are_followed_once_each(level, collected, monkeypatch):
    """Rule 27.6: all names of one reader count together; the stars are in the export (rule 27.5)."""
    for target in (person("Bo"), level, collected) * 2:
        follow(target, "Ann")
    follow(level, "Cy", "Ann")
    assert stars.list_stars(viewer("Ann")).count() == Star.objects.count() == 3
    assert {row["level__slot"] for row in accounts.export(person("Ann"))["follows"]} == {"main", None}
    monkeypatch.setattr(stars, "MOST", 3)
    with pytest.raises(ValidationError, match="already"):
        follow(person("Dee"), "Ann")
    for target in (person("Bo"), level, collected):
        stars.unfollow(target, viewer=viewer("Cy", "Ann"))
    assert not Star.objects.exists()


def test_following_needs_a_nickname_and_following_oneself_is_refused(level):
    with pytest.raises(ValidationError, match="need a nickname"):
        stars.follow(level, viewer=Viewer(), at=clock.now())
    with pytest.raises(ValidationError, match="This is you"):
        follow(person("Ann"), "Ann")


def test_a_merge_moves_stars_without_duplicates(level):
    """Rules 4.13, 27.5."""
    follow(level, "Ann")
    follow(level, "Bo")
    follow(person("Cy"), "Bo")
    cast.merge(person("Bo"), person("Ann"), None, reason="one person")
    assert stars.list_stars(viewer("Ann")).count() == 2
    cast.unmerge(person("Bo"), None, reason="two people")
    assert [stars.list_stars(viewer(name)).count() for name in ("Ann", "Bo")] == [1, 2]
