import time
from contextlib import suppress
from datetime import timedelta
from unittest.mock import Mock

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError

from contest import visibility
from contest.infra import clock
from contest.infra.job_queue import Queue
from contest.levels import examine
from contest.library import collection_import, publishing, queueing
from contest.models import CollectedLevel, Collection, Intake, IntakeLevel, LibraryLevel, Round
from contest.rounds import lucky_number
from contest.visibility import Viewer
from solvers import sokoban
from tests import cast
from tests.desk.conftest import member, signed_in

State, Standing = Intake.State, IntakeLevel.Standing
AT = cast.OPENS
pytestmark = [pytest.mark.django_db, pytest.mark.clock(AT)]


@pytest.fixture
def organiser(db):
    return member("organiser")


@pytest.fixture
def small_pieces(monkeypatch):
    monkeypatch.setattr(collection_import, "PIECE", 3)


def corridor(length: int, extra: str = "") -> str:
    return f"######{'#' * length}\n#@{' ' * length}$.#\n######{'#' * length}\n\nTitle: {length}\nAuthor: Ann\n{extra}\n"


def collection(count: int) -> bytes:
    return "\n".join(corridor(length, f"Solution:\n{'r' * length}R\n") for length in range(1, count + 1)).encode()


def begun(data: bytes, by: User) -> Intake:
    return collection_import.start(data, "corridors", at=AT, by=by)


def taken_in(data: bytes, by: User) -> Intake:
    intake = begun(data, by)
    collection_import.work_on(intake)
    return Intake.objects.get(pk=intake.pk)


def test_a_worker_continues_where_a_killed_one_stopped(organiser, small_pieces, monkeypatch):
    intake = begun(collection(10), organiser)
    claimed = collection_import.QUEUE.claim()
    monkeypatch.setattr(Queue, "prolong", _dies_after(2))
    with pytest.raises(KeyboardInterrupt):
        collection_import.work(claimed, time.monotonic() + 60)
    monkeypatch.undo()
    assert Intake.objects.get().taken == 6
    assert collection_import.work_until_empty() is False, "the killed worker's claim still holds"
    with clock.set_to(AT + timedelta(minutes=2)):
        collection_import.work_until_empty()
    assert list(intake.levels.values_list("place", flat=True)) == list(range(1, 11))


def _dies_after(pieces):
    real, count = Queue.prolong, iter(range(pieces))

    def prolong(*args, **fields):
        if next(count, None) is None:
            raise KeyboardInterrupt
        return real(*args, **fields)

    return prolong


def test_a_stopped_collection_is_not_read_further(organiser, small_pieces):
    intake = begun(collection(10), organiser)
    claimed = collection_import.QUEUE.claim()
    collection_import.stop(intake)
    collection_import.work(claimed, time.monotonic() + 60)
    stopped = Intake.objects.get()
    assert (stopped.state, stopped.levels.count(), bytes(stopped.data)) == (State.STOPPED, 0, b"")


def test_errors_are_reported_by_level_and_a_file_that_is_not_text_as_such(organiser):
    assert taken_in(b"PK\3\4\0\0\0\xff\xfe\0" * 100, organiser).state == State.FAILED
    intake = taken_in(corridor(2).encode() + b"\n####\n#@Q#\n####\n", organiser)
    assert intake.levels.get(place=1).standing == Standing.UNSOLVED


def test_a_turned_level_of_a_round_is_recognised(organiser):
    round_ = Round(number=1, opens_at=AT + timedelta(days=9), closes_at=AT + timedelta(days=30))
    lucky_number.save_committed(round_)
    cast.a_level(round_, text="######|#@-$.#|######")
    turned = b"###\n#.#\n#$#\n# #\n#@#\n###\n"
    assert taken_in(turned, organiser).levels.get().is_known


def test_an_author_does_not_learn_of_a_level_that_has_not_opened():
    author = member("author")
    round_ = cast.a_round(opens_at=AT + timedelta(days=9))
    text = str(round_.levels.first().board).encode()
    assert not taken_in(text, author).levels.get().is_known
    with clock.set_to(round_.opens_at + timedelta(hours=1)):
        assert taken_in(text, author).levels.get().is_known


@pytest.mark.parametrize(("role", "state"), [("author", "ready"), ("organiser", "draft")])
def test_an_import_reveals_a_twin_only_to_organisers_with_access_to_it(role, state):
    """Rules 2.7, 7.4."""
    user = member(role)
    board = sokoban.Level.parse("#######|#@--$.#|#######")
    facts = {"text": board.published_text, "width": 7, "height": 3, "boxes": 1, "added_at": AT}
    LibraryLevel.objects.create(title="hidden", sha256=board.sha256, key=board.key, **facts)
    intake = taken_in(corridor(2, "Solution:\nrrR\n").encode(), user)
    collection_import.choose(intake, intake.levels.all(), {}, by=user)
    collection_import.work_on(intake)
    assert intake.levels.get().is_known == (role == "organiser")
    assert LibraryLevel.objects.get(title="2").state == state


def test_the_second_copy_of_a_level_in_a_collection_is_recognised(organiser):
    intake = taken_in(collection(1) + b"\n" + collection(1), organiser)
    assert list(intake.levels.values_list("is_known", flat=True)) == [False, True]


def test_a_known_or_doubtful_level_becomes_ready_only_if_its_warnings_are_confirmed(organiser):
    for length, standing, is_confirmed, state in (
        *((1, Standing.READY, False, "ready"), (1, Standing.READY, False, "draft"), (1, Standing.READY, True, "ready")),
        *((2, Standing.WARNED, False, "draft"), (3, Standing.WARNED, True, "ready")),
    ):
        intake = taken_in(corridor(length, f"Solution:\n{'r' * length}R\n").encode(), organiser)
        intake.levels.update(standing=standing)
        collection_import.choose(intake, intake.levels.all(), {"is_confirmed": is_confirmed}, by=organiser)
        collection_import.work_on(intake)
        assert LibraryLevel.objects.latest("pk").state == state


def test_a_draft_becomes_ready_once_the_solver_has_solved_its_level(organiser):
    """On the day of an install the solver is slower than an organiser."""
    intake = taken_in(corridor(2).encode(), organiser)
    for found, standing, state in (("", Standing.UNSOLVED, "draft"), ("rrR", Standing.READY, "ready")):
        intake.levels.update(solution=found, standing=standing)
        assert collection_import.choose(intake, intake.levels.all(), {}, by=organiser) == 1
        collection_import.work_on(intake)
        assert LibraryLevel.objects.get().state == state
    assert LibraryLevel.objects.get().solution == "rrR"
    assert collection_import.choose(intake, intake.levels.all(), {}, by=organiser) == 0


def test_an_organiser_has_a_limited_number_of_collections(organiser):
    for _ in range(collection_import.MOST_OF_ONE + 2):
        newest = begun(b"", organiser)
    assert Intake.objects.count() == collection_import.MOST_OF_ONE
    assert Intake.objects.filter(pk=newest.pk).exists()


def test_every_level_is_read_in_batches(organiser, small_pieces):
    begun(collection(7), organiser)
    collection_import.work(collection_import.QUEUE.claim(), time.monotonic() - 1)
    assert (Intake.objects.get().taken, collection_import.is_any_waiting()) == (0, True), "its time was over"
    assert not collection_import.work_until_empty()
    intake = Intake.objects.get()
    assert (intake.state, intake.percent, bytes(intake.data)) == (State.READ, 100, b"")
    assert [level.title for level in intake.levels.all()] == [str(length) for length in range(1, 8)]
    assert {level.standing for level in intake.levels.all()} == {Standing.READY}


def named() -> Collection:
    return Collection(slug="corridors", title_en="Corridors", rights="by letter")


def public() -> list[CollectedLevel]:
    return list(visibility.collected_levels(Viewer(), AT))


def test_a_collection_is_published_in_order_with_unsolved_levels_and_without_faulty_ones(organiser, monkeypatch):
    monkeypatch.setattr(publishing, "_AT_ONCE", 2)
    faulty = b"\n######\n#@$  #\n######\n\nTitle: no goal\n"
    intake = taken_in(collection(2) + b"\n" + corridor(3).encode() + faulty, organiser)
    made = publishing.publish_intake(named(), intake, at=AT, by=organiser)
    collection_import.work_on(intake)
    shown = [(level.place, level.title, level.author, level.width) for level in public()]
    assert shown == [(1, "1", "Ann", 7), (2, "2", "Ann", 8), (3, "3", "Ann", 9)]
    made.refresh_from_db()
    assert made.count == 3


def test_a_collection_without_playable_levels_is_refused(organiser):
    intake = taken_in(b"\n######\n#@$  #\n######\n", organiser)
    with pytest.raises(ValidationError, match="can be played"):
        publishing.publish_intake(named(), intake, at=AT, by=organiser)
    assert not Collection.objects.exists()


def test_a_level_of_a_public_collection_gives_a_warning_however_it_is_turned(db):
    made = cast.a_collection()
    mirrored = "######|#.$-@#|######"
    warning = "This level is public: Corridors, no. 1."
    assert warning in examine(mirrored, "lL").warnings
    publishing.withdraw(made, at=AT, by=None)
    assert warning not in examine(mirrored, "lL").warnings


@pytest.fixture
def half(organiser, monkeypatch) -> Collection:
    """Two of three levels are copied."""
    monkeypatch.setattr(publishing, "_AT_ONCE", 2)
    made = publishing.publish_intake(named(), taken_in(collection(3), organiser), at=AT, by=organiser)
    assert publishing.copy_next(Intake.objects.get())
    return made


def test_players_see_nothing_of_it_before_all_is_copied_and_a_stop_deletes_it(half):
    intake = Intake.objects.get()
    assert (publishing.copied(intake), public(), list(visibility.collections(Viewer(), AT))) == (2, [], [])
    collection_import.stop(intake)
    assert (CollectedLevel.objects.count(), Intake.objects.get().state) == (0, "read")


def test_a_description_sent_beside_a_withdrawal_shows_nothing_again():
    made = cast.a_collection()
    other = Collection.objects.get()
    publishing.withdraw(other, at=AT, by=None)
    made.title_en = "Narrow ways"
    publishing.change(made, by=None)
    stored = Collection.objects.get()
    assert (stored.title_en, stored.withdrawn_at) == ("Narrow ways", AT)


@pytest.mark.parametrize("do", ["show", "withdraw", "queue-all"])
def test_no_button_works_on_a_collection_before_all_is_copied(half, do):
    browser = signed_in(half.published_by)
    assert browser.post(f"/en/desk/collections/{half.pk}/", {"do": do}).status_code == 404
    assert not CollectedLevel.objects.filter(is_public=True).exists()
    collection_import.work_until_empty()
    assert browser.post(f"/en/desk/collections/{half.pk}/", {"do": "withdraw"}).status_code == 302


def test_a_collection_replaced_while_it_is_published_leaves_no_part(half):
    for _ in range(collection_import.MOST_OF_ONE):
        begun(b"", half.published_by)
    assert not Collection.objects.exists()


def test_a_publication_that_fails_for_good_leaves_no_part_says_so_and_can_begin_again(half, organiser, monkeypatch):
    intake, browser = Intake.objects.get(), signed_in(organiser)
    monkeypatch.setattr(publishing, "copy_next", Mock(side_effect=ZeroDivisionError))
    for attempt in range(collection_import.MOST_ATTEMPTS + 1):
        with clock.set_to(AT + 2 * attempt * collection_import.LEASE), suppress(ZeroDivisionError):
            collection_import.work_until_empty()
    assert not Collection.objects.exists()
    page = f"/en/desk/levels/intake/{intake.pk}/"
    assert "nothing was published" in browser.get(page).text
    monkeypatch.undo()
    publishing.publish_intake(named(), intake, at=AT, by=organiser)
    collection_import.work_until_empty()
    assert (CollectedLevel.objects.filter(is_public=True).count(), "failed" in browser.get(page).text) == (3, False)


def test_of_two_publications_at_once_the_second_is_refused(organiser):
    intake = taken_in(collection(1), organiser)
    publishing.publish_intake(named(), intake, at=AT, by=organiser)
    again = Collection(slug="again", title_en="Again", rights="by letter")
    with pytest.raises(ValidationError, match="still being read"):
        publishing.publish_intake(again, intake, at=AT, by=organiser)


def test_a_worker_killed_before_it_queues_the_levels_leaves_that_to_the_next(organiser, monkeypatch):
    intake = taken_in(collection(2), organiser)
    plan = queueing.plan(intake.levels.all(), weekly := cast.a_series(AT), ["main"])
    collection_import.choose(intake, intake.levels.all(), {"is_confirmed": True}, by=organiser, queue=plan)
    monkeypatch.setattr(queueing, "carry_out", Mock(side_effect=KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        collection_import.work_on(intake)
    monkeypatch.undo()
    Intake.objects.update(claim_token=None)
    collection_import.work_until_empty()
    assert (LibraryLevel.objects.count(), weekly.queue.count()) == (2, 2)
