from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from contest import models, rounds, visibility
from contest.infra import clock
from contest.library import collection_import, shelf
from contest.organising import checklist
from contest.vetting import orders
from solvers import sokoban
from tests import cast

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_opening")]

AT = cast.OPENS
NEW = "/en/desk/levels/new/"
BOARD = sokoban.Level.parse(cast.CORNER)
SOLUTION = cast.SOLUTIONS[models.Slot.EXTRA]
ROWS = str(BOARD)


def answered(answer: str, **fields):
    orders.queue_vetting(BOARD)
    found = {"lurd": SOLUTION, "moves": 5, "pushes": 2}
    fields = {"found": {"pushes": found, "moves": found} if answer == "solved" else {}, **fields}
    models.Search.objects.filter(sha256=BOARD.sha256).update(state=models.SearchState.DONE, answer=answer, **fields)
    return orders.find_vetting(BOARD.sha256)


def form(do: str, **fields) -> dict[str, str]:
    return {"text": ROWS, "solution": "", "title": "Corner", "author": "Ann", "do": do, "confirmed": "on", **fields}


def put(client, reason: str):
    return client.post(NEW, form("round", slot="main", unsolved_reason=reason))


def in_library(**fields) -> models.LibraryLevel:
    level = models.LibraryLevel(title="Corner", author="Ann", **fields)
    return shelf.store_level(level, BOARD, "", at=AT, by=User.objects.get(), is_confirmed=True)


def a_collection() -> models.Intake:
    text = f"{ROWS}\n\nTitle: One\nAuthor: Ann\n".encode()
    intake = collection_import.start(text, "few", at=AT, by=User.objects.get())
    collection_import.work_on(intake)
    return intake


def test_every_kind_of_import_queues_a_vetting(organiser):
    """Rule 2.7: the library, a round, a collection."""
    organiser.post(NEW, form("library"))
    assert orders.find_vetting(BOARD.sha256).state == models.SearchState.QUEUED
    models.Search.objects.all().delete()
    organiser.post(NEW, form("round", slot="main", solution=SOLUTION))
    assert orders.find_vetting(BOARD.sha256)
    models.Search.objects.all().delete()
    intake = a_collection()
    assert not models.Search.objects.exists(), "a level that is only looked through has not come in"
    collection_import.choose(intake, models.IntakeLevel.objects.all(), {}, by=User.objects.get())
    collection_import.work_on(intake)
    assert orders.find_vetting(BOARD.sha256)


def test_an_unsolvable_level_is_never_published(organiser):
    """Rule 2.7."""
    answered("unsolvable", proof="exhausted")
    level = in_library(unsolved_reason="Somebody will find a way")
    assert level.state == models.LibraryLevel.State.DRAFT
    page = organiser.get(f"/en/desk/library/{level.pk}/").text
    assert "The solver has proved that this level cannot be solved." in page
    answer = put(organiser, "All the same")
    assert answer.status_code == 422
    assert not models.Level.objects.exists()


def test_an_undecided_level_is_published_with_a_logged_reason(organiser):
    """Rule 2.7: the settings of its round say so."""
    answered("unknown", limit="cpu_seconds")
    answer = put(organiser, "A host’s puzzle")
    assert answer.status_code == 302, answer.context["form"].errors
    level = models.Level.objects.select_related("round").get()
    assert (level.solution, level.unsolved_reason) == ("", "A host’s puzzle")
    assert level.round.settings["not_known_solvable"] == ["main"]
    assert models.AuditEntry.objects.get(act="put level").after["unsolved_reason"] == "A host’s puzzle"
    step = next(step for step in checklist.steps(level.round, AT) if step.name == checklist.Name.GATE)
    assert step.standing == "done"
    organiser.post(f"/en/desk/rounds/{level.round.number}/publish/")
    assert models.Round.objects.get().announced_at == AT


def test_before_the_opening_a_missing_solution_stays_secret(organiser):
    """Rules 2.7, 2.8: results about a level become public with it."""
    answered("unknown")
    put(organiser, "Why not")
    round_ = rounds.announce(models.Round.objects.get(), at=AT, by=None)
    assert visibility.settings(round_, AT).not_known_solvable == ()
    assert visibility.settings(round_, round_.opens_at).not_known_solvable == ("main",)
    with clock.set_to(round_.opens_at + timedelta(hours=1)):
        assert "Not known to be solvable" in organiser.get(f"/en/rounds/{round_.number}/").text


@pytest.mark.parametrize(
    ("state", "reason", "wrong"),
    [
        (models.SearchState.DONE, "   ", "solution"),
        (models.SearchState.QUEUED, "Why not", "unsolved_reason"),
        (models.SearchState.FAILED, "Why not", "unsolved_reason"),
    ],
)
def test_an_undecided_level_needs_a_reason_and_a_finished_search(organiser, state, reason, wrong):
    """Rule 2.7."""
    answered("unknown")
    models.Search.objects.update(state=state)
    assert wrong in put(organiser, reason).context["form"].errors
    assert not models.Level.objects.exists()


def test_a_level_proved_unsolvable_before_the_opening_holds_the_round_back(organiser):
    """Rule 2.7: a longer search proved it after the level was put into the round."""
    answered("unknown")
    put(organiser, "Why not")
    models.Search.objects.update(answer="unsolvable")
    round_ = models.Round.objects.get()
    for door in (f"/en/desk/rounds/{round_.number}/publish/", f"/admin/contest/round/{round_.pk}/announce/do/"):
        organiser.post(door)
        assert models.Round.objects.get().announced_at is None, door


def test_the_solvers_solution_is_replayed_and_taken_with_a_button(organiser):
    search = answered("solved")
    watched = f"/en/desk/vetting/{search.pk}/"
    assert "solution: moves 5, pushes 2" in organiser.get(watched).text
    assert organiser.get(f"{watched}moves.txt").text == SOLUTION
    level = in_library()
    assert "Use the solver’s solution" in organiser.get(f"/en/desk/library/{level.pk}/").text
    organiser.post(f"/en/desk/library/{level.pk}/", {"do": "take"})
    level.refresh_from_db()
    assert (level.solution, level.state) == (SOLUTION, models.LibraryLevel.State.READY)


def test_an_organiser_sets_the_budget_repeats_a_search_and_cancels_it(organiser):
    organiser.post("/en/desk/vetting/", {"seconds": "300", "megabytes": "512"})
    assert str(models.SearchBudget.objects.get()) == "300 s, 512 MB"
    search = answered("unknown", limit="cpu_seconds")
    assert search.seconds == 300
    address = f"/en/desk/vetting/{search.pk}/"
    organiser.post(address, {"do": "again", "seconds": "600", "megabytes": "2048"})
    search.refresh_from_db()
    assert (search.state, search.seconds, search.megabytes) == (models.SearchState.QUEUED, 600, 2048)
    assert "data-busy" in organiser.get(address, {"part": "progress"}).text
    organiser.post(address, {"do": "cancel"})
    search.refresh_from_db()
    assert search.state == models.SearchState.CANCELLED
    wrong = organiser.post(address, {"do": "again", "seconds": "9000000", "megabytes": "2048"})
    assert wrong.status_code == 422


def test_vetting_of_a_proposal_is_shown_to_organisers_and_not_to_authors(organiser, author):
    """Rule 7.4: the same board may be planned for a round."""
    proposal = models.Proposal(
        text=BOARD.published_text, width=6, height=6, boxes=1, made_at=AT, sent_at=AT, state="sent"
    )
    proposal.save()
    search = answered("unsolvable")
    assert f"/en/desk/vetting/{search.pk}/" in organiser.get(f"/en/desk/proposals/{proposal.pk}/").text
    assert organiser.get(f"/en/desk/vetting/{search.pk}/moves.txt").status_code == 404
    answer = author.post(NEW, form("look"))
    assert (answer.context["looked"].search, "proved" in answer.text) == (None, False)


def test_a_collection_gets_its_solutions(organiser):
    address = f"/en/desk/levels/intake/{a_collection().pk}/"
    assert "Find solutions for all" in organiser.get(address).text
    organiser.post(address, {"do": "solve", "seconds": "5"})
    assert models.Search.objects.get().seconds == 5
    assert "The solver still has 1 level to check." in organiser.get(address).text
    organiser.post(address, {"do": "unsolve"})
    assert models.Search.objects.get().state == models.SearchState.CANCELLED
    answered("solved")
    organiser.get(address)
    level = models.IntakeLevel.objects.get()
    assert (level.standing, level.solution, level.problems) == (models.IntakeLevel.Standing.READY, SOLUTION, [])
