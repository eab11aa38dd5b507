"""Archives of rounds that were open together (rules 2.11, 24.1, 24.2)."""

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command

from contest import judging, visibility
from contest.archive import format as archived
from contest.archive import importer, report, verify
from contest.archive.checks import BadArchive
from contest.archive.incoming import NotImported, read_archive
from contest.infra import clock
from contest.models import Round, Slot, Track
from contest.rounds import lucky_number
from contest.rules import canonical
from contest.visibility import Viewer
from tests import cast
from tests.contest.archive.conftest import pack
from tests.contest.archive.test_writer import LATER, bind, packed, unpacked

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def both():
    """A main round and a weekly one that opens while it is open; what was sent for both by turns."""
    weekly = Track.objects.create(slug="weekly", title_zh="周赛", title_en="Weekly")
    opens_at = cast.OPENS + timedelta(days=1)
    with clock.set_to(cast.OPENS):
        cast.a_round()
        cast.send("Ann", "rR", round=1)
        bind()
    second = Round(number=2, track=weekly, announced_at=opens_at, opens_at=opens_at, closes_at=cast.CLOSES)
    lucky_number.save_committed(second)
    cast.a_level(second, Slot.MAIN, "#####|#-@-#|#-$-#|#-.-#|#####", "D")
    for place, (name, moves) in enumerate([("Bo", "d"), ("Cy", "rDldR"), ("Di", "lrd"), ("Ed", "u")]):
        with clock.set_to(cast.DURING + timedelta(minutes=place)):
            cast.send(name, moves)
            bind()
    judging.judge_until_empty()
    with clock.set_to(LATER):
        yield


def test_archives_of_rounds_that_were_open_together_verify(both, tmp_path):
    """Rules 2.11, 24.2: the chain of one round holds the other's as leaves and links."""
    for number, words in ((1, "Round 1, engine"), (2, "Round 2 of the track weekly, engine")):
        files = unpacked(packed(number))
        found = verify.verify(pack(tmp_path, files))
        assert not found.differences
        assert next(report.lines(found)).startswith(words)
        assert json.loads(files[archived.OPENING])["round"] == number


def test_the_archive_of_a_round_of_the_main_track_says_nothing_of_tracks(both):
    """Rule 24.1: its bytes are as ever."""
    files = unpacked(packed(1))
    assert "track" not in json.loads(files[archived.ROUND])
    assert "track" not in json.loads(files[archived.OPENING])
    assert json.loads(unpacked(packed(2))[archived.ROUND])["track"] == "weekly"


@pytest.mark.parametrize("forged", ["club", None])
def test_another_track_than_at_the_opening_is_noticed(both, tmp_path, forged):
    """Rule 24.2."""
    files = unpacked(packed(2))
    about = json.loads(files[archived.ROUND])
    about["track"] = forged
    if forged is None:
        del about["track"], about["number_in_track"]
    files[archived.ROUND] = canonical.json_page(about).encode()
    found = verify.verify(pack(tmp_path, files))
    assert "its track was another at the opening" in " ".join(map(str, found.differences))


@pytest.mark.parametrize("track", ["main", "Weekly", "", 7, "x" * 31])
def test_a_track_is_spelled_in_one_way(both, tmp_path, track):
    files = unpacked(packed(2))
    files[archived.ROUND] = canonical.json_page(json.loads(files[archived.ROUND]) | {"track": track}).encode()
    with pytest.raises(BadArchive, match="track cannot be"):
        verify.verify(pack(tmp_path, files))


@pytest.fixture
def other():
    """An archive of round 2 that says weekly-7, and nothing else but a round weekly-7 of another number."""
    Round.objects.filter(number=2).update(number_in_track=7)
    files = unpacked(packed(2))
    call_command("flush", interactive=False, verbosity=0, stdout=StringIO())
    weekly = Track.objects.create(slug="weekly", title_zh="周赛", title_en="Weekly")
    cast.a_round(9, opens_at=LATER, closes_at=LATER + timedelta(days=1), track=weekly, number_in_track=7)
    return files


def test_a_round_does_not_come_in_under_a_number_of_its_track_that_is_taken(both, other, tmp_path):
    """Rule 2.1."""
    with pytest.raises(NotImported, match="there is a round weekly-7 already"):
        importer.store(read_archive(pack(tmp_path, other)))


def test_a_round_comes_in_under_the_number_it_has_in_its_track(both, other, tmp_path):
    Round.objects.filter(number=9).update(number_in_track=3)
    importer.store(read_archive(pack(tmp_path, other)))
    assert Round.objects.get(number=2).name == "weekly-7"


def test_an_archive_that_says_no_number_within_the_track_gets_the_next(both, other, tmp_path):
    about = json.loads(other[archived.ROUND])
    del about["number_in_track"]
    other[archived.ROUND] = canonical.json_page(about).encode()
    importer.store(read_archive(pack(tmp_path, other, is_rehashed=True)))
    assert Round.objects.get(number=2).name == "weekly-8"


def test_a_round_comes_in_to_its_track_which_must_be_there(both, tmp_path):
    """Rule 2.11."""
    path = pack(tmp_path, unpacked(packed(2)))
    call_command("flush", interactive=False, verbosity=0, stdout=StringIO())
    incoming = read_archive(path)
    with pytest.raises(NotImported, match="is of the track weekly, which is not here; make it first"):
        importer.store(incoming)
    Track.objects.create(slug="weekly", title_zh="周赛", title_en="Weekly")
    assert importer.store(incoming).is_new
    assert Round.objects.get().name == "weekly-1"
    assert visibility.rounds(Viewer(), LATER).filter(track="weekly").exists()
