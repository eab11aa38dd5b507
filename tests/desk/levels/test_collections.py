import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from contest.desk.levels import importing
from contest.library import collection_import
from contest.models import CollectedLevel, Intake, IntakeLevel, LibraryLevel
from tests import cast
from tests.contest.library.test_collection_import import collection
from tests.desk.conftest import member, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_opening")]

NEW = "/en/desk/levels/new/"
GIVEN = {"title_en": "Corridors", "slug": "corridors", "author": "Ann", "rights": "Ann, by letter"}
PUBLIC = "/en/collections/corridors/"
FAULTY = b"\n######\n#@$  #\n######\n\nTitle: no goal\n"


def brought(client, data: bytes, **fields):
    file = SimpleUploadedFile("corridors.sok", data)
    return client.post(NEW, {"do": "read", "pasted": "", "file": file, **fields}, follow=True)


def address_of(answer) -> str:
    return answer.redirect_chain[0][0]


@pytest.fixture
def large(monkeypatch):
    monkeypatch.setattr(importing, "AT_ONCE", 10)


def test_a_small_collection_is_read_in_the_request(organiser):
    shown = brought(organiser, collection(3) + FAULTY)
    assert [(label, number) for _value, label, number in shown.context["standings"]] == [("ready", 3), ("faulty", 1)]
    assert "The level has 1 boxes and 0 goals" in shown.text
    assert organiser.get(f"{address_of(shown)}&standing=ready&new=on").context["matches"] == 3


def test_a_large_collection_is_read_by_a_worker_with_progress_and_can_be_stopped(organiser, large, monkeypatch):
    shown = brought(organiser, collection(30))
    assert "Waiting for its turn." in shown.text
    other = address_of(brought(organiser, collection(30)))
    organiser.post(other, {"do": "stop"})
    assert Intake.objects.latest("pk").state == Intake.State.STOPPED
    monkeypatch.setattr(collection_import, "PIECE", 10)
    monkeypatch.setattr(collection_import, "MOST_LEVELS", 20)
    collection_import.work_until_empty()
    assert "Stopped after 20 levels." in organiser.get(f"{address_of(shown)}&part=progress").text


def test_all_levels_of_a_filtered_list_go_into_the_library(organiser):
    address = f"{address_of(brought(organiser, collection(5) + FAULTY))}&standing=ready"
    organiser.post(address, {"do": "all"})
    assert LibraryLevel.objects.count() == 5
    again = organiser.post(address, {"do": "all"}, follow=True)
    assert "All chosen levels are already in the library." in again.text


def test_a_collection_is_shown_to_nobody_else(organiser):
    address = address_of(brought(organiser, collection(3)))
    assert signed_in(member("organiser", "other")).get(address).status_code == 404
    assert signed_in(member("author")).post(address, {"do": "all"}).status_code == 404


def test_a_file_too_large_is_refused_and_nothing_typed_beside_it_is_lost(organiser, monkeypatch, settings):
    monkeypatch.setattr(collection_import, "MOST_BYTES", 1_000)
    answer = brought(organiser, b"#" * 1_001, pasted="######\n#@ $.#\n######")
    assert answer.status_code == 422
    assert "The file has 1,001 bytes; the limit is 1,000." in answer.text
    assert "#@ $.#" in answer.text
    settings.MAX_FILES_BODY = 10_000
    assert brought(organiser, b"#" * 10_001).status_code == 413, "refused before it is read"
    data = collection(3)
    assert brought(organiser, data + b"\n" * (1_000 - len(data))).status_code == 200


def test_the_ticked_levels_go_into_the_library_and_a_number_that_is_none_names_nothing(organiser):
    address = address_of(brought(organiser, collection(5)))
    given = {"do": "ticked", "place": ["2", "4"], "tags": "corridor", "rights": "Ann"}
    organiser.post(address, given)
    assert sorted(LibraryLevel.objects.values_list("title", "tags")) == [("2", "corridor"), ("4", "corridor")]
    for number in ("9" * 5000, "²"):
        assert organiser.post(address, {"do": "ticked", "place": ["1", number]}).status_code == 302
        assert LibraryLevel.objects.count() == 3
        assert organiser.get(NEW, {"intake": number}).status_code == 404
        assert organiser.get(NEW, {"intake": Intake.objects.get().pk, "round": number}).status_code == 200


@pytest.fixture
def publish(organiser) -> str:
    shown = brought(organiser, collection(3))
    address = f"/en/desk/levels/intake/{Intake.objects.get().pk}/publish/"
    assert address in shown.text
    return address


def test_it_is_published_only_with_permission_and_under_an_unused_slug(organiser, publish, client):
    """Rule 26.1."""
    refused = organiser.post(publish, GIVEN)
    assert (refused.status_code, "only with permission" in refused.text) == (422, True)
    cast.a_collection("taken")
    given = {**GIVEN, "is_allowed": "on", "remarks": "Typed with care"}
    refused = organiser.post(publish, {**given, "slug": "taken"})
    assert (list(refused.context["form"].errors), "Typed with care" in refused.text) == (["slug"], True)
    organiser.post(publish, given)
    assert client.get(PUBLIC).status_code == 200
    assert CollectedLevel.objects.filter(collection__slug="corridors").count() == 3


def test_its_description_is_edited_and_it_is_withdrawn(organiser, client):
    made = cast.a_collection()
    here = f"/en/desk/collections/{made.pk}/"
    given = {**GIVEN, "title_en": "Narrow ways", "slug": "elsewhere", "may_download": "on"}
    assert organiser.post(here, given).status_code == 302
    made.refresh_from_db()
    assert (made.slug, made.title_en, made.may_download) == ("corridors", "Narrow ways", True)
    organiser.post(here, {"do": "withdraw"})
    assert client.get(PUBLIC).status_code == 404
    organiser.post(here, {"do": "show"})
    assert client.get(PUBLIC).status_code == 200
    assert "Narrow ways" in organiser.get("/en/desk/collections/").text


def lines_of(shown):
    return [[(line.roles, line.text, line.remarks) for line in file.lines] for file in shown.context["files"]]


def test_the_reading_of_each_line_is_shown_before_anything_is_stored(organiser):
    file = SimpleUploadedFile("levels.txt", ";山月\n#####\n#@$.#  here\n#####\n; 雪\n".encode("cp932"))
    shown = organiser.post(NEW, {"do": "lines", "pasted": "", "file": file, "encoding": "cp932", "names": "below"})
    remarks = ["Text behind a row was left out: here"]
    assert lines_of(shown)[0][:3] == [("note", ";山月", []), ("row", "#####", []), ("row", "#@$.#  here", remarks)]
    assert not Intake.objects.exists()


def test_choices_may_be_changed_without_choosing_the_file_again(organiser):
    data = b"; x\n\n#####\n#@$.#\n#####\n\n; y\n\n######\n#@ $.#\n######\n\n; z\n"
    page = organiser.post(NEW, {"do": "lines", "file": SimpleUploadedFile("a.txt", data), "names": "above"}).context
    assert page["files"][0].lines[0].roles == "title"
    held = {"held": page["form"].held, "held_name": page["form"].cleaned_data["name"], "names": "below"}
    assert lines_of(organiser.post(NEW, {"do": "lines", **held}))[0][0] == ("note", "; x", [])
    organiser.post(NEW, {"do": "read", **held})
    assert list(IntakeLevel.objects.values_list("title", flat=True)) == ["y", "z"]
    assert (Intake.objects.get().name, Intake.objects.get().names) == ("a.txt", "below")
