import json
from datetime import timedelta

import pytest
from django.core.management import call_command

from contest import judging, visibility
from contest.archive import format as archived
from contest.archive import report, verify
from contest.archive.checks import BadArchive
from contest.archive.imports import importer
from contest.archive.imports.incoming import NotImported, read_archive
from contest.infra import clock
from contest.models import Round, Slot, Track
from contest.rounds import lucky_number
from contest.rules import canonical
from contest.visibility import Viewer
from tests import cast
from tests.contest.archive.conftest import build_once, differences, pack
from tests.contest.archive.test_writer import LATER, bind, written

pytestmark = pytest.mark.django_db(transaction=True)
TITLES = {"title_zh": "周赛", "title_en": "Weekly"}


def play() -> None:
    weekly = Track.objects.create(slug="weekly", **TITLES)
    opens_at = cast.OPENS + timedelta(days=1)
    with clock.set_to(cast.OPENS):
        cast.a_round()
        cast.send("Ann", "rR", round=1)
        bind()
    second = Round(number=2, track=weekly, announced_at=opens_at, opens_at=opens_at, closes_at=cast.CLOSES)
    lucky_number.save_committed(second)
    Round.objects.filter(number=2).update(number_in_track=7)
    cast.a_level(second, Slot.MAIN, "#####|#-@-#|#-$-#|#-.-#|#####", "D")
    for place, (name, moves) in enumerate([("Bo", "d"), ("Cy", "rDldR"), ("Di", "lrd"), ("Ed", "u")]):
        with clock.set_to(cast.DURING + timedelta(minutes=place)):
            cast.send(name, moves)
            bind()
    judging.judge_until_empty()


@pytest.fixture
def both():
    def make(number):
        if not Round.objects.exists():
            play()
        return written(number=number)

    return build_once("main", lambda: make(1)), build_once("weekly", lambda: make(2))


@pytest.fixture
def weekly(both):
    call_command("flush", interactive=False, verbosity=0)
    with clock.set_to(LATER):
        yield both[1]


def with_facts(files, **facts) -> dict[str, bytes]:
    about = json.loads(files[archived.ROUND]) | facts
    document = {name: value for name, value in about.items() if name not in facts or value is not None}
    return files | {archived.ROUND: canonical.json_page(document).encode()}


def test_archives_of_overlapping_rounds_verify(both, tmp_path):
    """Rules 2.11, 24.2: each chain holds the other round's entries as leaves and links; a round of the main track
    names no track.
    """
    for files, number, track, heading in zip(
        both, (1, 2), (None, "weekly"), ("Round 1, engine", "Round 2 of the track weekly, engine"), strict=True
    ):
        found = verify.verify(pack(tmp_path, files))
        assert not found.differences
        assert next(report.lines(found)).startswith(heading)
        opening, about = (json.loads(files[name]) for name in (archived.OPENING, archived.ROUND))
        assert (opening["round"], opening.get("track"), about.get("track")) == (number, track, track)


@pytest.mark.parametrize("facts", [{"track": "club"}, {"track": None, "number_in_track": None}])
def test_a_track_changed_after_the_opening_is_detected(both, tmp_path, facts):
    found = differences(tmp_path, with_facts(both[1], **facts))
    assert "its track was another at the opening" in " ".join(found)


@pytest.mark.parametrize("track", ["main", "Weekly", "", 7, "x" * 31])
def test_a_track_has_only_a_canonical_spelling(both, tmp_path, track):
    with pytest.raises(BadArchive, match="track cannot be"):
        verify.verify(pack(tmp_path, with_facts(both[1], track=track)))


def test_a_round_is_imported_into_its_existing_track(weekly, tmp_path):
    """Rule 2.11: under its number in that track."""
    incoming = read_archive(pack(tmp_path, weekly))
    with pytest.raises(NotImported, match="belongs to the track weekly, which does not exist here; create it first"):
        importer.store(incoming)
    Track.objects.create(slug="weekly", **TITLES)
    assert importer.store(incoming).is_new
    assert Round.objects.get().name == "weekly-7"
    assert visibility.rounds(Viewer(), LATER).filter(track="weekly").exists()


def test_a_round_with_a_taken_number_in_its_track_is_not_imported(weekly, tmp_path):
    """Rule 2.1: a round without a number gets the next one."""
    track = Track.objects.create(slug="weekly", **TITLES)
    cast.a_round(9, **cast.earlier(weeks=12), track=track, number_in_track=7)
    with pytest.raises(NotImported, match="round weekly-7 already exists"):
        importer.store(read_archive(pack(tmp_path, weekly)))
    files = with_facts(weekly, number_in_track=None)
    importer.store(read_archive(pack(tmp_path, files, is_rehashed=True)))
    assert Round.objects.get(number=2).name == "weekly-8"
