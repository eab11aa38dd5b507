"""From a level on the clipboard to a published round."""

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection

from contest import rounds
from contest.infra import clock
from contest.models import AuditEntry, Intake, Level, LibraryLevel, Round
from contest.rules.phases import Phase
from tests import cast
from tests.desk.conftest import member, signed_in

pytestmark = pytest.mark.django_db

LEVEL = "######\n#@ $.#\n######"
PASTED = f"Title: Small\nAuthor: Ann\n\n{LEVEL}\n\nSolution:\nrR\n"
NEW = "/en/desk/levels/new/"
BEFORE = cast.OPENS - timedelta(days=9)


@pytest.fixture(autouse=True)
def _before(db):
    with clock.set_to(BEFORE):
        yield


def read(client, pasted="", **more):
    return client.post(NEW, {"do": "read", "pasted": pasted, **more})


def put(client, do="round", **fields):
    given = {"text": LEVEL, "solution": "rR", "title": "Small", "author": "Ann", "slot": "main", "do": do, **fields}
    return client.post(NEW, given)


def said(answer) -> str:
    return answer.content.decode()


def a_draft(client) -> Round:
    assert put(client).status_code == 302
    return Round.objects.get()


def test_level_and_solution_in_one_text_are_both_read(organiser):
    shown = read(organiser, PASTED)
    assert {name: shown.context["form"][name].value() for name in ("solution", "title", "author")} == {
        "solution": "rR",
        "title": "Small",
        "author": "Ann",
    }
    assert "Your solution solves it: 2 moves, 1 pushes." in said(shown)


def test_a_level_becomes_a_draft_with_the_usual_times(organiser):
    round_ = a_draft(organiser)
    assert (round_.number, round_.phase(clock.now())) == (1, Phase.DRAFT)
    assert round_.levels.get().solution == "rR"


def test_a_draft_is_previewed_and_published(organiser):
    """Rules 2.8, 3.6."""
    round_ = a_draft(organiser)
    preview = organiser.get(f"/en/desk/drafts/{round_.pk}/preview/")
    assert "Small" in said(preview)
    assert Round.objects.get().announced_at is None
    organiser.post(f"/en/desk/rounds/{round_.number}/publish/")
    assert Round.objects.get().phase(clock.now()) is Phase.SCHEDULED


def test_the_preview_shows_the_level_as_a_stranger_sees_it(organiser):
    round_ = a_draft(organiser)
    page = organiser.get(f"/en/desk/drafts/{round_.pk}/preview/main/")
    assert "SHA-256" in said(page)
    assert "Desk</a>" not in said(page).split('<main id="main">')[0]


def test_nothing_of_a_preview_is_kept(organiser):
    round_ = a_draft(organiser)
    stamp = rounds.stamp(round_)
    organiser.get(f"/en/desk/drafts/{round_.pk}/preview/")
    assert rounds.stamp(Round.objects.get()) == stamp
    assert signed_in(member("operator")).get(f"/en/rounds/{round_.number}/").status_code == 404


def test_a_draft_whose_times_have_passed_is_not_previewed_but_explained(organiser):
    round_ = a_draft(organiser)
    with clock.set_to(round_.closes_at + timedelta(hours=1)):
        answer = organiser.get(f"/en/desk/rounds/{round_.number}/preview/", follow=True)
    assert answer.status_code == 200
    assert "The opening has passed. Choose a later one." in [str(one) for one in answer.context["messages"]]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no exclusion constraints")
def test_a_draft_in_the_way_of_another_round_is_not_previewed_but_explained(organiser):
    """Rule 2.6."""
    first = a_draft(organiser)
    organiser.post(f"/en/desk/rounds/{first.number}/publish/")
    second = rounds.clone(first, at=clock.now(), by=None)
    Round.objects.filter(pk=second.pk).update(opens_at=first.opens_at, closes_at=first.closes_at)
    answer = organiser.get(f"/en/desk/rounds/{second.number}/preview/", follow=True)
    assert "Round 1 is open at that time, and only one round may be." in said(answer)


@pytest.mark.parametrize(
    ("pasted", "words"),
    [
        ("", "Paste a level, or choose a file."),
        ("Good evening!", "No readable level was found in it."),
        ("######\n#@x$.#\n######", "is not a character of this text (line 2, column 3)."),
    ],
)
def test_what_holds_no_level_is_said_and_kept(organiser, pasted, words):
    answer = read(organiser, pasted)
    assert answer.status_code == 422
    assert words in said(answer)
    assert answer.context["form"]["pasted"].value() == pasted


@pytest.mark.parametrize(
    ("board", "words"),
    [
        ("######\n#@ $. \n######", "the pusher can walk to the edge of the board. (F2)"),
        ("######\n#@@$.#\n######", "The level has 2 pushers; it needs exactly one. (B2, C2)"),
        ("#######\n#@ $ .#\n#######", "The organiser&#x27;s own solution does not solve the level."),
    ],
)
def test_a_fault_is_drawn_on_its_cells_and_keeps_the_level_out(organiser, board, words):
    """Rule 2.7."""
    answer = put(organiser, text=board)
    assert answer.status_code == 422
    assert words in said(answer)
    assert not Level.objects.exists()
    assert ('class="fault"' in said(answer)) == ("(" in words)


def test_warnings_are_confirmed_before_a_level_goes_on(organiser):
    """Rule 2.7."""
    answer = put(organiser, author="")
    assert "Read the warnings, then tick this." in said(answer)
    assert put(organiser, author="", confirmed="on").status_code == 302


def test_a_known_level_is_shown_beside_the_new_one_even_when_turned(organiser):
    """Rule 2.7."""
    put(organiser)
    answer = read(organiser, "######\n#.$ @#\n######\nlL")
    assert [twin.name for twin in answer.context["looked"].twins] == ["Round 1 · Main"]


def test_a_level_of_the_library_is_known_too(organiser):
    put(organiser, do="library")
    assert [twin.name for twin in read(organiser, LEVEL).context["looked"].twins] == ["Library: Small"]


def test_a_collection_is_chosen_from_by_pages_and_words(organiser):
    many = "\n".join(f"Level {number}\n\n{LEVEL}\n" for number in range(1, 101))
    chosen = organiser.post(NEW, {"do": "read", "pasted": many}, follow=True)
    assert len(chosen.context["shown"]) == 40
    page = organiser.get(chosen.redirect_chain[0][0] + "&q=level 77")
    assert [one.level.place for one in page.context["shown"]] == [77]
    picked = organiser.get(f"{NEW}?intake={Intake.objects.get().pk}&place=77")
    assert picked.context["form"]["title"].value() == "Level 77"


def test_a_file_is_read_like_a_text(organiser):
    file = SimpleUploadedFile("small.sok", PASTED.encode())
    assert read(organiser, file=file).context["form"]["title"].value() == "Small"


def test_a_file_that_is_no_text_is_refused(organiser):
    assert "This is not a text file." in said(
        read(organiser, file=SimpleUploadedFile("a.png", b"\x89PNG\0\0\0\xff\xfe\0"))
    )


def test_a_round_is_not_published_with_a_fault(organiser):
    """Rule 2.7."""
    round_ = a_draft(organiser)
    Level.objects.update(solution="")
    answer = organiser.post(f"/en/desk/rounds/{round_.number}/publish/", follow=True)
    assert "The organiser&#x27;s own solution is missing." in said(answer)
    assert Round.objects.get().announced_at is None


def test_a_round_whose_opening_has_passed_is_not_published(organiser):
    round_ = a_draft(organiser)
    with clock.set_to(round_.opens_at + timedelta(hours=1)):
        answer = organiser.post(f"/en/desk/rounds/{round_.number}/publish/", follow=True)
    assert "The opening has passed. Choose a later one." in said(answer)


def test_overlapping_rounds_are_not_published(organiser):
    """Rule 2.6."""
    first = a_draft(organiser)
    organiser.post(f"/en/desk/rounds/{first.number}/publish/")
    second = rounds.clone(first, at=clock.now(), by=None)
    cast.a_level(second)
    Round.objects.filter(pk=second.pk).update(opens_at=first.opens_at, closes_at=first.closes_at)
    answer = organiser.post(f"/en/desk/rounds/{second.number}/publish/", follow=True)
    assert "Round 1 is open at that time, and only one round may be." in said(answer)


def test_a_level_can_wait_in_the_library_as_a_draft(organiser):
    put(organiser, do="library", solution="")
    assert LibraryLevel.objects.get().state == "draft"


def test_every_step_is_in_the_record(organiser):
    """Rule 15.3."""
    round_ = a_draft(organiser)
    organiser.post(f"/en/desk/rounds/{round_.number}/publish/")
    acts = list(AuditEntry.objects.order_by("pk").values_list("act", flat=True))
    assert acts == ["make round", "put level", "change round"]


def test_a_level_that_is_taken_out_waits_in_the_library(organiser):
    round_ = a_draft(organiser)
    answer = organiser.post(f"/en/desk/rounds/{round_.number}/clear/main/", follow=True)
    assert "Small was taken out; it is in the library." in said(answer)
    assert not Level.objects.exists()
    kept = LibraryLevel.objects.get()
    assert (kept.title, kept.solution, kept.state) == ("Small", "rR", "ready")


def test_the_level_of_another_organiser_is_not_lost_when_one_takes_its_place(organiser):
    """Two tabs, one slot: the second is told what stood there."""
    round_ = a_draft(organiser)
    second = signed_in(member("organiser", "second"))
    other = {"text": "#######\n#@ $ .#\n#######", "solution": "rRR", "title": "Longer", "round": round_.pk}
    answer = second.post(NEW, {"slot": "main", "do": "round", "author": "Bo", **other}, follow=True)
    assert "The level that was there, Small, is in the library now." in said(answer)
    assert (Level.objects.get().title, LibraryLevel.objects.get().title) == ("Longer", "Small")


def test_a_level_of_the_library_goes_back_to_it(organiser):
    kept = put(organiser, do="library", confirmed="on").url
    organiser.post(kept, {"do": "use", "slot": "main"})
    assert LibraryLevel.objects.get().state == "used"
    organiser.post("/en/desk/rounds/1/clear/main/")
    assert (LibraryLevel.objects.get().state, LibraryLevel.objects.get().used_in) == ("ready", None)


def test_authors_are_told_of_what_they_may_see_alone(organiser, author):
    """Rule 7.4."""
    a_draft(organiser)
    put(organiser, "library", title="Secret", confirmed="on")
    assert {twin.name for twin in put(author, "look").context["looked"].twins} == set()
    assert len(put(organiser, "look").context["looked"].twins) == 2
    put(author, "library", title="Own", confirmed="on")
    assert [twin.name for twin in put(author, "look").context["looked"].twins] == ["Library: Own"]


def test_a_draft_has_an_address_of_its_own_until_its_number_is_given(organiser):
    """Rule 2.1: the number that a draft would get now is not its own, so no address of the desk bears it."""
    round_ = a_draft(organiser)
    draft, numbered = f"/en/desk/drafts/{round_.pk}/", f"/en/desk/rounds/{round_.number}/"
    for page in ("", "edit/?track=main", "preview/", "preview/main/", "testers/", "submissions/"):
        assert organiser.get(draft + page).status_code == 200, page
        assert organiser.get(numbered + page).url == draft + page
    assert numbered not in said(organiser.get(draft)) + said(organiser.get("/en/desk/"))
    assert organiser.post(f"{draft}publish/").url == numbered
    for page in ("", "edit/", "preview/", "testers/", "message/"):
        assert organiser.get(numbered + page).status_code == 200, page
        assert organiser.get(draft + page).url == numbered + page


def test_a_draft_keeps_its_address_when_another_takes_the_number_that_it_would_have_got(organiser):
    announced = cast.a_round()
    kept, quicker = (rounds.clone(announced, at=clock.now(), by=None) for _count in range(2))
    longer = {"text": "#######\n#@ $ .#\n#######", "solution": "rRR"}
    assert put(organiser, round=quicker.pk, confirmed="on", **longer).status_code == 302
    assert organiser.post(f"/en/desk/drafts/{quicker.pk}/publish/").url == "/en/desk/rounds/2/"
    shown = organiser.get(f"/en/desk/drafts/{kept.pk}/").context["round"]
    assert (shown.pk, kept.number, shown.number) == (kept.pk, 2, 3)


def test_a_level_is_brought_into_the_draft_that_the_address_names(organiser):
    round_ = a_draft(organiser)
    page = said(organiser.get(f"/en/desk/drafts/{round_.pk}/"))
    assert f"/en/desk/levels/new/?draft={round_.pk}&amp;slot=extra" in page
    shown = organiser.post(f"/en/desk/levels/new/?draft={round_.pk}&slot=extra", {"do": "read", "pasted": LEVEL})
    assert shown.context["use"].initial == {"slot": "extra", "round": round_}


@pytest.mark.parametrize("address", ["drafts/99/", "rounds/99/", "drafts/9999999999/", "rounds/0/"])
def test_what_does_not_exist_has_no_address(organiser, address):
    assert organiser.get(f"/en/desk/{address}").status_code == 404
