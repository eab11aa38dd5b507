"""A collection at the desk: brought, watched, chosen from."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from contest.desk.levels import importing
from contest.infra import clock
from contest.library import collection_import
from contest.models import Intake, LibraryLevel
from tests import cast
from tests.contest.library.test_collection_import import collection
from tests.contest.library.test_packed_files import zipped
from tests.desk.conftest import member, signed_in

pytestmark = pytest.mark.django_db

NEW = "/en/desk/levels/new/"
FAULTY = b"\n######\n#@$  #\n######\n\nTitle: no goal\n"


@pytest.fixture(autouse=True)
def _before(db):
    with clock.set_to(cast.OPENS):
        yield


def brought(client, data: bytes, **fields):
    file = SimpleUploadedFile("corridors.sok", data)
    return client.post(NEW, {"do": "read", "pasted": "", "file": file, **fields}, follow=True)


def said(answer) -> str:
    return answer.content.decode()


def test_a_small_collection_is_there_at_once(organiser):
    shown = brought(organiser, collection(3) + FAULTY)
    assert [(label, number) for _value, label, number in shown.context["standings"]] == [("ready", 3), ("faulty", 1)]
    assert "The level has 1 boxes and 0 goals" in said(shown)


def test_a_large_collection_waits_for_a_worker_and_shows_how_far_it_is(organiser, monkeypatch):
    monkeypatch.setattr(importing, "AT_ONCE", 10)
    shown = brought(organiser, collection(30))
    assert "Waiting for its turn." in said(shown)
    monkeypatch.setattr(collection_import, "PIECE", 10)
    monkeypatch.setattr(collection_import, "MOST_LEVELS", 20)
    collection_import.work_until_empty()
    address = shown.redirect_chain[0][0]
    assert "Stopped after 20 levels." in said(organiser.get(f"{address}&part=progress"))


def test_a_zip_of_collections_is_one_called_by_their_names(organiser):
    data = zipped({"a/first.sok": collection(2), "second.xsb": collection(3), "notes.md": b"-"})
    shown = brought(organiser, data)
    assert "corridors.sok: first.sok, second.xsb" in said(shown)
    assert Intake.objects.get().name == "corridors.sok: first.sok, second.xsb"
    assert Intake.objects.get().taken == 5


def test_a_large_zip_waits_for_a_worker(organiser, monkeypatch):
    monkeypatch.setattr(importing, "AT_ONCE", 10)
    assert "Waiting for its turn." in said(brought(organiser, zipped({"first.sok": collection(3)})))
    assert not collection_import.work_until_empty()
    assert Intake.objects.get().state == Intake.State.READ


def test_a_zip_that_unpacks_to_too_much_is_refused(organiser):
    answer = brought(organiser, zipped({"first.sok": bytes(collection_import.MOST_BYTES + 1)}))
    assert (answer.status_code, "more than 10,485,760 bytes" in said(answer)) == (422, True)
    assert not Intake.objects.exists()


def test_a_collection_can_be_stopped(organiser, monkeypatch):
    monkeypatch.setattr(importing, "AT_ONCE", 10)
    address = brought(organiser, collection(30)).redirect_chain[0][0]
    organiser.post(address, {"do": "stop"})
    assert Intake.objects.get().state == Intake.State.STOPPED


def test_the_ticked_levels_go_into_the_library(organiser):
    address = brought(organiser, collection(5)).redirect_chain[0][0]
    organiser.post(address, {"do": "ticked", "place": ["2", "4"], "tags": "corridor", "rights": "Ann"})
    assert sorted(LibraryLevel.objects.values_list("title", "tags")) == [("2", "corridor"), ("4", "corridor")]


def test_all_levels_of_a_filtered_list_go_into_the_library(organiser):
    address = brought(organiser, collection(5) + FAULTY).redirect_chain[0][0]
    organiser.post(f"{address}&standing=ready", {"do": "all"})
    assert LibraryLevel.objects.count() == 5
    again = organiser.post(f"{address}&standing=ready", {"do": "all"}, follow=True)
    assert "All chosen levels are already in the library." in said(again)


def test_a_collection_is_shown_to_nobody_else(organiser):
    address = brought(organiser, collection(3)).redirect_chain[0][0]
    assert signed_in(member("organiser", "other")).get(address).status_code == 404
    assert signed_in(member("author")).post(address, {"do": "all"}).status_code == 404


def test_a_file_too_large_is_refused_and_nothing_typed_beside_it_is_lost(organiser, monkeypatch):
    monkeypatch.setattr(collection_import, "MOST_BYTES", 1_000)
    answer = brought(organiser, b"#" * 1_001, pasted="######\n#@ $.#\n######")
    assert answer.status_code == 422
    assert "The file has 1,001 bytes; the limit is 1,000." in said(answer)
    assert "#@ $.#" in said(answer)


def test_a_file_of_ten_megabytes_is_taken(organiser):
    data = collection(3)
    shown = brought(organiser, data + b"\n" * (collection_import.MOST_BYTES - len(data)))
    assert "Waiting for its turn." in said(shown)


def test_a_flood_is_refused_before_it_is_read(organiser, settings):
    settings.MAX_FILES_BODY = 10_000
    assert brought(organiser, b"#" * 10_001).status_code == 413


def test_a_page_of_a_collection_asks_little(organiser, django_assert_max_num_queries):
    address = brought(organiser, collection(60)).redirect_chain[0][0]
    with django_assert_max_num_queries(8):
        organiser.get(address)


@pytest.mark.parametrize("number", ["9" * 30, "9" * 5000, "x", "²"])
def test_a_number_that_is_none_names_nothing(organiser, number):
    address = brought(organiser, collection(2)).redirect_chain[0][0]
    assert organiser.post(address, {"do": "ticked", "place": ["1", number]}).status_code == 302
    assert LibraryLevel.objects.count() == 1
    assert organiser.get(NEW, {"intake": number}).status_code == 404
    assert organiser.get(NEW, {"intake": Intake.objects.get().pk, "round": number}).status_code == 200
