"""Concurrent acts of two organisers or judges: the second waits for the first and sees its result."""

import threading
import time
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import connection, transaction

from contest import models, players, results, rounds
from contest.infra import clock
from contest.infra.database.sessions import SessionStore
from contest.judging import claims, judge
from contest.library import series, shelf
from contest.players.acts import Impossible
from contest.rankings import ratings
from contest.results import rulings
from contest.rounds import tracks
from contest.rules.sealed_answers import SealedText
from contest.staff import second_factors
from contest.submissions import sealed_answers
from contest.submissions.sealed_answers import SealedEntry
from contest.wording.bilingual import Reason
from solvers import sokoban
from tests import cast

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
]


def of_a_thread(act: Callable[..., Any]) -> Callable[..., Any]:
    """Return *act* such that it closes the connection of its thread."""

    def run(*arguments: Any) -> Any:
        with closing(connection):
            return act(*arguments)

    return run


def until_somebody_waits(is_over: Callable[[], bool]) -> None:
    """Hold the locks of this transaction until another one of this database waits for a lock, or *is_over*."""
    waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    for _look in range(3_000):
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(waiting)
            if cursor.fetchone() or is_over():
                return
        time.sleep(0.01)


def at_once(first: Callable[[], object], second: Callable[[], object]) -> list[BaseException | None]:
    """Run *first* and keep its transaction open until *second* waits for it; return what each raised."""
    is_done = [threading.Event(), threading.Event()]
    raised: list[BaseException | None] = [None, None]

    def run(place: int, act: Callable[[], object], meanwhile: Callable[[], None]) -> None:
        try:
            with transaction.atomic():
                act()
                is_done[place].set()
                meanwhile()
        except Exception as error:
            raised[place] = error
        finally:
            is_done[place].set()
            connection.close()

    first_thread = threading.Thread(target=run, args=(0, first, lambda: until_somebody_waits(is_done[1].is_set)))
    second_thread = threading.Thread(target=run, args=(1, second, lambda: None))
    first_thread.start()
    is_done[0].wait(60)
    second_thread.start()
    first_thread.join(60)
    second_thread.join(60)
    return raised


def two_closed_rounds() -> tuple[models.Round, models.Round]:
    span = cast.CLOSES - cast.OPENS
    earlier = cast.a_round(1, opens_at=cast.OPENS - 2 * span, closes_at=cast.CLOSES - 2 * span)
    later = cast.a_round(2)
    for round_ in (earlier, later):
        for moves, name in enumerate(("Ann", "Bob", "Cy"), 2):
            cast.enter(round_, name, moves, 1, at=round_.opens_at)
    return earlier, later


def rated() -> list[tuple[int, int, float, float]]:
    return list(models.Rating.objects.order_by("round", "player").values_list("round", "player", "mu", "sigma"))


def test_two_rounds_finalised_concurrently_are_both_rated_in_order():
    """Rule 22.1."""
    earlier, later = two_closed_rounds()
    with clock.set_to(cast.AFTER):
        raised = at_once(
            lambda: results.finalise(later, at=cast.AFTER, by=None),
            lambda: results.finalise(earlier, at=cast.AFTER, by=None),
        )
        made = rated()
        ratings.replay()
    assert raised == [None, None]
    assert len(made) == 6
    assert made == rated()


def turned(*, is_rated: bool) -> models.Track:
    track = models.Track.objects.get()
    track.is_rated = is_rated
    return track


@pytest.mark.parametrize("is_rated", [True, False])
def test_a_round_made_final_while_its_track_is_changed_is_rated_as_the_track_is_then(is_rated):
    earlier, later = two_closed_rounds()
    tracks.save(turned(is_rated=not is_rated), by=None)
    with clock.set_to(cast.AFTER):
        results.finalise(earlier, at=cast.AFTER, by=None)
        raised = at_once(
            lambda: tracks.save(turned(is_rated=is_rated), by=None),
            lambda: results.finalise(later, at=cast.AFTER, by=None),
        )
    assert (raised, len(rated())) == ([None, None], 6 * is_rated)


def test_two_changes_of_a_track_at_once_leave_the_ratings_of_the_second():
    earlier, _later = two_closed_rounds()
    with clock.set_to(cast.AFTER):
        results.finalise(earlier, at=cast.AFTER, by=None)
        ceases, again = turned(is_rated=False), turned(is_rated=True)
        raised = at_once(lambda: tracks.save(ceases, by=None), lambda: tracks.save(again, by=None))
        made = rated()
        ratings.replay()
    assert (raised, made) == ([None, None], rated())


def test_a_merge_undone_twice_concurrently_is_undone_once():
    """Rules 4.13, 15.3."""
    two_closed_rounds()
    ann, bob = (models.Player.objects.get(nickname=name) for name in ("Ann", "Bob"))
    cast.merge(bob, ann, None, reason="same")
    raised = at_once(*[lambda: cast.unmerge(models.Player.objects.get(pk=bob.pk), None, reason="two")] * 2)
    assert [type(error) for error in raised] == [type(None), Impossible]
    assert models.AuditEntry.objects.filter(act="unmerge").count() == 1


def test_two_concurrent_tasks_create_a_single_round_of_a_series():
    """Rule 23.1."""
    weekly = cast.a_series(cast.OPENS)
    board = sokoban.Level.parse(cast.CORRIDOR)
    at = cast.OPENS - timedelta(days=7)
    library_level = shelf.store_level(
        models.LibraryLevel(title="One", author="Ann"), board, "rR", at=at, by=None, is_confirmed=True
    )
    shelf.enqueue(library_level, weekly, "main", by=None)
    assert at_once(lambda: series.advance(at), lambda: series.advance(at)) == [None, None]
    assert models.Round.objects.count() == 1


def test_a_verdict_that_waits_for_a_ruling_counts_as_the_ruling_says():
    """Rules 1.7, 15.2."""
    with clock.set_to(cast.DURING):
        round_ = cast.a_round()
        receipt = cast.send("player", "rR")
        held = claims.claim(10)
        player = receipt.submission.player

        def rule():
            rulings.disqualify(round_, player, Reason(en="because"), at=cast.DURING, by=None)

        assert at_once(rule, lambda: judge.judge_claimed(held)) == [None, None]
    assert cast.judged(receipt).verdict == models.Verdict.ACCEPTED
    assert models.Verification.objects.count() == 1
    assert not models.Best.objects.exists()


def test_concurrent_verdicts_on_the_same_level_are_all_written():
    with clock.set_to(cast.DURING):
        level = cast.a_round().levels.get(slot="main")
        for name in ("player", "rival"):
            cast.send(name, "rR")
        first, second = claims.claim(10)
        assert at_once(lambda: judge.judge_claimed([first]), lambda: judge.judge_claimed([second])) == [None, None]
    level.refresh_from_db()
    assert (models.Best.objects.count(), models.Verification.objects.count(), level.board_version) == (4, 2, 2)


def a_sealed_answer() -> tuple[models.Player, str]:
    cast.with_settings(cast.a_round(), sealed_answers=True)
    ann = players.create("Ann", country="", email="", at=cast.OPENS)[0]
    text = SealedText(1, "main", ann.archive_number, "0" * 32, "rR")
    with clock.set_to(cast.DURING):
        sealed_answers.seal(SealedEntry(1, "main", 2, 1, text.sha256), ann, door=models.Door.API)
    return ann, str(text)


def test_a_hash_sealed_twice_concurrently_belongs_to_the_first_player():
    """Rule 5.11. The refusal is not counted as a failure of the site (rule 3.10)."""
    ann, text = a_sealed_answer()
    models.SealedAnswer.objects.all().delete()
    bo = players.create("Bo", country="", email="", at=cast.OPENS)[0]
    entry = SealedEntry(1, "main", 2, 1, SealedText.parse(text).sha256)

    def seals(player):
        return lambda: sealed_answers.seal(entry, player, door=models.Door.API)

    with clock.set_to(cast.DURING):
        raised = at_once(seals(ann), seals(bo))
    assert [getattr(error, "code", error) for error in raised] == [None, "sealed_already"]
    assert models.SealedAnswer.objects.get().player == ann


def test_an_answer_opened_twice_concurrently_is_a_single_submission():
    _ann, text = a_sealed_answer()

    def opens():
        sealed_answers.open_answer(1, text, door=models.Door.API)

    with clock.set_to(cast.AFTER):
        assert at_once(opens, opens) == [None, None]
    assert models.SealedAnswer.objects.get().submission == models.Submission.objects.get()


@pytest.mark.parametrize("is_merged_first", [True, False])
def test_an_answer_opened_during_a_merge_belongs_to_the_remaining_player(is_merged_first):
    """Rules 4.13, 5.13."""
    ann, text = a_sealed_answer()
    bo = players.create("Bo", country="", email="", at=cast.OPENS)[0]
    both = [
        lambda: cast.merge(ann, bo, None, reason="the same"),
        lambda: sealed_answers.open_answer(1, text, door=models.Door.API),
    ]
    with clock.set_to(cast.AFTER):
        assert at_once(*(both if is_merged_first else both[::-1])) == [None, None]
    assert (models.SealedAnswer.objects.get().player, models.Submission.objects.get().player) == (bo, bo)


def test_a_verdict_does_not_wait_for_the_locked_level_of_another():
    """Neither of the two is lost; the one on the locked level is written as soon as the lock is gone."""
    with clock.set_to(cast.DURING):
        round_ = cast.a_round()
        other = cast.send("Bob", cast.SOLUTIONS["extra"]).submission
        locked = cast.send("Ann", "rR").submission
        main = round_.levels.get(slot="main")

        thread = threading.Thread(target=of_a_thread(judge.judge_until_empty))
        with transaction.atomic():
            list(models.Level.objects.filter(pk=main.pk).select_for_update(of=["self"]).order_by())
            thread.start()
            until_somebody_waits(lambda: not thread.is_alive())
            assert list(models.Submission.objects.filter(verdict=models.Verdict.ACCEPTED)) == [other]
        thread.join(60)
        assert set(models.Submission.objects.filter(verdict=models.Verdict.ACCEPTED)) == {other, locked}


def test_a_cancellation_outlives_an_edit_that_began_before_it():
    """Rule 7.10. The same for final results (rule 14.2): the edited object is older than the act."""
    draft, closed = cast.a_round(2, **cast.earlier(-9)), cast.a_round()
    reason = Reason(en="because")
    edited = models.Round.objects.get(pk=draft.pk), models.Round.objects.get(pk=closed.pk)
    with clock.set_to(cast.AFTER):
        acts = (
            lambda: rounds.cancel(draft, reason, at=cast.AFTER, by=None),
            lambda: results.finalise(closed, at=cast.AFTER, by=None),
        )
        for act, stale in zip(acts, edited, strict=True):
            stale.title_en = "Edited"
            assert at_once(act, partial(rounds.save, stale, at=cast.AFTER, by=None)) == [None, None]
    draft.refresh_from_db()
    closed.refresh_from_db()
    assert (draft.cancelled_at, draft.cancel_reason_en, draft.title_en) == (cast.AFTER, "because", "Edited")
    assert (closed.finalised_at, closed.title_en) == (cast.AFTER, "Edited")


def test_a_round_that_closes_while_its_extension_waits_is_not_extended():
    """Rule 3.7: its solutions are public by then."""
    began = clock.now()
    closes = began + timedelta(seconds=2)
    round_ = cast.a_round(opens_at=began - timedelta(days=1), closes_at=closes)

    def hold_until_the_close():
        models.Round.objects.select_for_update(no_key=True).get(pk=round_.pk)
        while clock.now_at_database() < closes:
            time.sleep(0.01)

    later = closes + timedelta(days=1)
    extend = partial(rounds.extend, round_, later, Reason(zh="原因", en="because"), at=began, by=None)
    raised = at_once(hold_until_the_close, extend)
    round_.refresh_from_db()
    assert (raised[0], type(raised[1]), round_.closes_at) == (None, ValidationError, closes)


def test_two_announced_rounds_do_not_get_the_same_level_at_once():
    """Rule 2.12."""
    models.Track.objects.create(slug="club", title_zh="社", title_en="Club")
    at, board = cast.OPENS, sokoban.Level.parse("#######|#@----#|#-$---#|#--.--#|#######")
    library = [
        shelf.store_level(
            models.LibraryLevel(title=title, author="Ann"), board, "rDldR", at=at, by=None, is_confirmed=True
        )
        for title in ("One", "Two")
    ]
    pair = cast.a_round(2, **cast.earlier(-9)), cast.a_round(3, track_id="club", **cast.earlier(-20))
    uses = [partial(shelf.use_level, *places, "extra", at=at, by=None) for places in zip(library, pair, strict=True)]
    raised = at_once(*uses)
    assert [isinstance(error, ValidationError) for error in raised] == [False, True]


def test_no_submission_waits_while_organisers_hold_its_round():
    with clock.set_to(cast.DURING):
        round_ = cast.a_round()
        cast.enter(round_, "Ann", 2, 1, at=cast.DURING)
        ann, stored = models.Player.objects.get(), threading.Event()

        @of_a_thread
        def send() -> None:
            cast.send("Bob", "rR")
            stored.set()

        thread = threading.Thread(target=send)
        with transaction.atomic():
            rulings.disqualify(round_, ann, Reason(en="because"), at=cast.DURING, by=None)
            thread.start()
            assert stored.wait(10)
        thread.join()


@pytest.mark.parametrize("act", ["reset", "new codes"])
def test_a_recovery_code_that_ends_while_it_is_used_is_refused(act):
    """It was an error of the server."""
    user, used = User.objects.create_user("organiser", is_staff=True), []
    code = second_factors.make_codes(user)[0]
    ends = {
        "reset": lambda: second_factors.reset(user, None, reason="lost"),
        "new codes": lambda: second_factors.make_codes(user),
    }
    raised = at_once(ends[act], lambda: used.append(second_factors.use_code(user, code)))
    assert (raised, used) == ([None, None], [None])


def test_a_reset_waits_for_what_is_being_added_to_the_account_and_removes_it(settings):
    settings.SECOND_FACTOR_FOR_STAFF = True
    user, session = User.objects.create_user("organiser", is_staff=True), SessionStore()
    session.create()
    request: Any = SimpleNamespace(method="POST", user=user, session=session)
    add = second_factors.on_locked_account(
        lambda _request: Authenticator.objects.create(user=user, type=Authenticator.Type.WEBAUTHN, data={"name": "key"})
    )
    assert at_once(lambda: add(request), lambda: second_factors.reset(user, None, reason="lost")) == [None, None]
    assert not Authenticator.objects.exists()
