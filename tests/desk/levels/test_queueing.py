from datetime import UTC, datetime, timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from contest.desk.levels import collections
from contest.library import collection_import, shelf
from contest.models import AuditEntry, LibraryLevel, Series, Slot
from solvers import sokoban
from tests import cast

NOW = datetime(2027, 1, 1, tzinfo=UTC)
LIBRARY = "/en/desk/library/"
pytestmark = [pytest.mark.django_db, pytest.mark.clock(NOW)]
STANDS = "“L1” is already in an announced or past round, perhaps rotated or mirrored (Round 2 · Extra 2)."


@pytest.fixture
def weekly() -> Series:
    return cast.a_series(NOW + timedelta(days=9))


@pytest.fixture
def monthly() -> Series:
    return Series.objects.create(name_zh="月赛", name_en="Monthly", first_opens_at=NOW, every_weeks=4)


def board(number: int) -> tuple[str, str]:
    long, rows = number % 26, number // 26
    wall, floor = "#" * (long + 5), f"#{'-' * (long + 3)}#"
    return "|".join([wall, f"#@{'-' * long}$.#", *[floor] * rows, wall]), "r" * long + "R"


def in_library(count: int) -> list[LibraryLevel]:
    rows = []
    for number in range(count):
        parsed = sokoban.Level.parse(board(number)[0])
        facts = {"text": parsed.published_text, "sha256": parsed.sha256, "key": parsed.key, "boxes": 1, "added_at": NOW}
        facts |= {"width": parsed.width, "height": parsed.height, "solution": board(number)[1], "state": "ready"}
        rows.append(LibraryLevel(title=f"L{number + 1}", author="Ann", **facts))
    return LibraryLevel.objects.bulk_create(rows)


def file_of(count: int) -> SimpleUploadedFile:
    texts = []
    for number in range(count):
        text, solution = board(number)
        rows = text.replace("|", "\n").replace("-", " ")
        texts.append(f"{rows}\n\nTitle: L{number + 1}\nAuthor: Ann\nSolution:\n{solution}\n")
    return SimpleUploadedFile("year.sok", "\n".join(texts).encode())


def brought(client, count: int) -> str:
    given = {"do": "read", "pasted": "", "file": file_of(count)}
    return client.post("/en/desk/levels/new/", given).url


def queue_from(client, page: str, do: str, series: Series, slot: str = "main", **more) -> str:
    return client.post(page, {"do": do, "series": series.pk, "slot": slot, **more}, follow=True).text


def queue(of: Series, slot: str = Slot.MAIN) -> list[str]:
    return [row.level.title for row in of.queue.filter(slot=slot).select_related("level")]


def test_the_ticked_levels_are_queued_in_the_order_of_the_list(organiser, weekly):
    levels = in_library(4)
    ticked = [levels[3].pk, levels[1].pk]
    text = queue_from(organiser, f"{LIBRARY}?by=oldest", "ticked", weekly, "extra", level=ticked)
    assert queue(weekly, "extra") == ["L2", "L4"]
    assert "2 levels were added to the queue of Weekly." in text


@pytest.fixture
def past():
    round_ = cast.a_round(2, **cast.earlier(40))
    round_.levels.all().delete()
    cast.a_level(round_, Slot.EXTRA2, *board(0))


def test_a_level_of_a_past_round_is_reported_with_the_round_when_queued(organiser, weekly, past):
    """Rule 23.2: a copy of a used level cannot bypass this, and is not stored."""
    page = brought(organiser, 2)
    queue_from(organiser, page, "queue-all", weekly, is_confirmed="on")
    assert STANDS in organiser.get(page).text
    assert STANDS.partition(" ")[0] in organiser.get(page.replace("/en/", "/zh-hans/")).text
    weekly.queue.all().delete()
    LibraryLevel.objects.all().delete()
    known, _new = in_library(2)
    assert STANDS in queue_from(organiser, LIBRARY, "all", weekly)
    assert STANDS in queue_from(organiser, f"{LIBRARY}{known.pk}/", "queue", weekly)
    LibraryLevel.objects.filter(title="L1").update(state="used")
    made = cast.a_collection(boards=[board(0)[0]])
    text = queue_from(organiser, f"/en/desk/collections/{made.pk}/", "queue-all", weekly)
    assert STANDS.replace("L1", "corridors 1") in text
    assert (queue(weekly), LibraryLevel.objects.count()) == (["L2"], 2)


def test_authors_queue_nothing(author, weekly):
    in_library(1)
    wanted = {"series": weekly.pk, "slot": "main"}
    assert author.post(LIBRARY, wanted | {"do": "all"}).status_code == 404
    assert author.post(brought(author, 2), wanted | {"do": "queue-all"}).status_code == 404
    assert "Add to queues" not in author.get(LIBRARY).text


def test_further_levels_are_dealt_out_behind_the_waiting_ones(weekly):
    keys = [level.pk for level in in_library(6)]
    slots = ["main", "extra"]
    shelf.enqueue_all(keys[:3], weekly, slots, by=None)
    shelf.enqueue_all(keys[3:], weekly, slots, by=None)
    assert (queue(weekly), queue(weekly, "extra")) == (["L1", "L3", "L4", "L6"], ["L2", "L5"])
    assert AuditEntry.objects.filter(act="queue levels").first().after == {"slots": slots, "levels": 3}


def test_levels_of_a_file_are_queued_once_they_are_in_the_library(organiser, weekly, monkeypatch):
    monkeypatch.setattr(collections, "AT_ONCE", 0)
    page = brought(organiser, 4)
    queue_from(organiser, page, "queue", weekly, "main+extra", place=[2, 3])
    assert not weekly.queue.exists()
    collection_import.work_until_empty()
    assert (queue(weekly), queue(weekly, "extra")) == (["L2"], ["L3"])
    assert "2 of its levels were added to the queue of Weekly." in organiser.get(page).text


def test_levels_of_a_public_collection_are_queued_with_the_solutions_that_are_known(organiser, weekly):
    made = cast.a_collection(boards=[board(number)[0] for number in range(3)])
    brought(organiser, 2)
    page = f"/en/desk/collections/{made.pk}/"
    text = queue_from(organiser, page, "queue-all", weekly, "main+extra")
    assert (queue(weekly), queue(weekly, "extra")) == (["corridors 1"], ["corridors 2"])
    assert LibraryLevel.objects.get(queued=None).state == "draft"
    assert "1 level was skipped" in text
    queue_from(organiser, page, "queue-all", weekly)
    assert LibraryLevel.objects.count() == 3


@pytest.mark.parametrize(
    ("do", "expected"),
    [
        ({"do": "first"}, ["L3", "L4", "L1", "L2", "L5"]),
        ({"do": "earlier"}, ["L1", "L3", "L4", "L2", "L5"]),
        ({"do": "later"}, ["L1", "L2", "L5", "L3", "L4"]),
        ({"do": "out"}, ["L1", "L2", "L5"]),
        ({"do": "move", "to": "main", "place": ""}, ["L1", "L2", "L5", "L6", "L3", "L4"]),
        ({"do": "move", "to": "extra", "place": "1"}, ["L1", "L2", "L5"]),
        ({"do": "move", "to": "nowhere", "place": "0"}, ["L1", "L2", "L3", "L4", "L5"]),
    ],
)
def test_levels_are_moved_in_their_queue(organiser, weekly, do, expected):
    shelf.enqueue_all([level.pk for level in in_library(6)], weekly, ["main"], by=None)
    expected = expected if "L6" in expected else [*expected, "L6"]
    keys = [row.pk for row in weekly.queue.filter(level__title__in=["L3", "L4"])]
    organiser.post(f"/en/desk/series/{weekly.pk}/", {"queued": [*keys, "x", "9" * 5000, ""], **do})
    assert queue(weekly) == expected
    assert queue(weekly, "extra") == (["L3", "L4"] if do.get("to") == "extra" else [])


def test_a_step_moves_levels_within_their_slots_and_their_series(organiser, weekly, monthly):
    shelf.enqueue_all([level.pk for level in in_library(4)], monthly, ["main", "extra"], by=None)
    keys = [row.pk for row in monthly.queue.filter(level__title__in=["L3", "L4"])]
    for do in ({"do": "out"}, {"do": "move", "to": "main"}, {"do": "first"}):
        organiser.post(f"/en/desk/series/{weekly.pk}/", {"queued": keys, **do})
    assert (queue(monthly), queue(monthly, "extra"), queue(weekly)) == (["L1", "L3"], ["L2", "L4"], [])
    organiser.post(f"/en/desk/series/{monthly.pk}/", {"queued": keys, "do": "earlier"})
    assert (queue(monthly), queue(monthly, "extra")) == (["L3", "L1"], ["L4", "L2"])
