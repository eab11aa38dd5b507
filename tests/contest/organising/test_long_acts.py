import pytest

from contest import results
from contest.infra import clock
from contest.judging import consistency, judge, rejudge, rewriting
from contest.models import Best, Event, LongAct, Player, Rating, Round, Submission, Verification
from contest.organising import long_acts
from contest.players import acts, merging
from contest.rankings import ratings
from contest.results import revisions, rulings
from contest.wording.bilingual import Reason
from tests import cast

pytestmark = pytest.mark.django_db
State = LongAct.State
NAMES = ("Ada", "Bo", "Cem")


@pytest.fixture
def applying(during_round, monkeypatch, request):
    """Three verdicts that a new engine rejects, written one by one."""
    for name in NAMES:
        cast.send(name, "rR")
    judge.judge_until_empty()
    request.getfixturevalue("new_engine")
    monkeypatch.setattr(rewriting, "AT_ONCE", 1)
    made = rejudge.start("engine 2")
    list(rejudge.compute(made, Submission.objects.all()))
    return rejudge.apply(made, None, "wrong")


@pytest.fixture
def merging_names(during_round, monkeypatch):
    monkeypatch.setattr(merging, "AT_ONCE", 1)
    claim = cast.send("Ada", "rR").claim
    for moves in ("rlrR", "rlrlrR"):
        cast.send("Ada", moves, claim=claim)
    cast.send("Bo", "rlrlrlrR")
    judge.judge_until_empty()
    ada, bo = (Player.objects.get(nickname=name) for name in NAMES[:2])
    return merging.merge(ada, bo, None, reason="same")


def facts():
    verdicts = list(Submission.objects.order_by("pk").values("pk", "verdict", "moves", "lurd", "judged_at", "player"))
    bests = sorted(Best.objects.values_list("player", "metric", "submission", "first"))
    return verdicts, bests, Verification.objects.count(), list(Event.objects.values_list("kind", "key"))


def after_batches(job: LongAct, count: int, then) -> LongAct:
    left = iter(range(count - 1))
    long_acts.work_until_empty(lambda: None if next(left, None) is not None else then())
    return LongAct.objects.get(pk=job.pk)


def die() -> None:
    raise KeyboardInterrupt


def test_verdicts_and_boards_agree_after_each_batch(applying):
    seen = []

    def note():
        accepted = set(Submission.objects.accepted().values_list("player", flat=True))
        seen.append((len(accepted), accepted == set(Best.objects.values_list("player", flat=True))))

    long_acts.work_until_empty(note)
    assert seen[:4] == [(2, True), (1, True), (0, True), (0, True)]
    assert LongAct.objects.get().state == State.DONE


def test_another_worker_continues_and_writes_nothing_twice(applying):
    with pytest.raises(KeyboardInterrupt):
        after_batches(applying, 2, die)
    assert Submission.objects.accepted().count() == 1
    with clock.set_to(cast.DURING + 2 * long_acts.LEASE):
        long_acts.work_until_empty()
    assert (LongAct.objects.get().state, LongAct.objects.get().done) == (State.DONE, 3)
    assert Verification.objects.count() == 6
    assert Event.objects.filter(kind="rejudged").count() == 3


def test_cancelling_restores_every_verdict_and_tells_nobody(applying):
    before = facts()
    job = after_batches(applying, 2, lambda: long_acts.cancel(LongAct.objects.get(), None))
    assert (job.state, job.done) == (State.UNDONE, 0)
    assert facts() == before
    assert cast.carry_out(rejudge.apply(applying.rejudging, None, "again")).done == 3


def test_a_verdict_that_changed_has_all_verdicts_restored(applying):
    before = facts()[0]
    third = Submission.objects.order_by("pk").last()
    with pytest.raises(KeyboardInterrupt):
        after_batches(applying, 1, die)
    Submission.objects.filter(pk=third.pk).update(moves=9)
    with clock.set_to(cast.DURING + 2 * long_acts.LEASE):
        long_acts.work_until_empty()
    job = LongAct.objects.get()
    assert (job.state, "has changed since" in job.report[0]) == (State.UNDONE, True)
    assert facts()[0][:2] == before[:2]


def test_a_round_is_not_made_final_or_revised_meanwhile(applying):
    round_ = Round.objects.get()
    assert any("is being carried out" in text for text in results.obstacles(round_, cast.AFTER))
    with pytest.raises(rejudge.NotApplied, match="being applied"):
        rejudge.cancel(applying.rejudging)
    assert list(rejudge.compute(applying.rejudging, Submission.objects.all())) == []
    cast.carry_out(applying)
    assert not any("is being carried out" in text for text in results.obstacles(round_, cast.AFTER))


def test_a_name_moves_in_batches_and_each_board_counts_both(merging_names):
    seen = []
    long_acts.work_until_empty(
        lambda: seen.append({best.player.nickname: best.first for best in Best.objects.filter(metric="moves")})
    )
    assert seen[0] == {"Ada": 4, "Bo": 2}
    assert seen[-1] == {"Bo": 2}
    assert LongAct.objects.get().state == State.DONE


def test_no_other_act_and_no_ruling_on_the_two_names_meanwhile(during_round, merging_names):
    for player in Player.objects.filter(nickname__in=NAMES[:2]):
        assert cast.refusal_of(acts.rename, player, "Other", None)
        assert "being merged" in cast.refusal_of(
            rulings.disqualify, during_round, player, Reason(en="Copied."), at=cast.DURING, by=None
        )
    assert "being merged" in cast.refusal_of(merging.unmerge, merging_names.source, None, reason="")
    cast.carry_out(merging_names)
    acts.rename(merging_names.target, "Other", None)


def test_a_cancelled_merge_gives_everything_back(merging_names):
    job = after_batches(merging_names, 2, lambda: long_acts.cancel(LongAct.objects.get(), None))
    assert (job.state, job.done) == (State.UNDONE, 0)
    assert {best.player.nickname: best.first for best in Best.objects.filter(metric="moves")} == {"Ada": 2, "Bo": 8}
    assert not Player.objects.exclude(merged_into=None).exists()


def test_a_disqualified_name_stays_out_while_it_is_merged_and_after_a_cancelled_merge(during_round, monkeypatch):
    """Rules 4.13, 15.2: also with what is judged meanwhile."""
    monkeypatch.setattr(merging, "AT_ONCE", 1)
    ada, bo = cast.send("Ada", "rR"), cast.send("Bo", "rlrR")
    cast.send("Ada", "rlrlrR", claim=ada.claim)
    judge.judge_until_empty()
    rulings.disqualify(during_round, ada.submission.player, Reason(en="Copied."), at=cast.DURING, by=None)
    merging.merge(ada.submission.player, bo.submission.player, None, reason="same")
    for name, sent in (("Ada", ada), ("Bo", bo)):
        cast.send(name, "rlrlrlrR", claim=sent.claim)
    judge.judge_until_empty()
    seen = []

    def note():
        seen.append(set(Best.objects.values_list("player__nickname", flat=True)))
        if len(seen) == 2:
            long_acts.cancel(LongAct.objects.get(), None)

    long_acts.work_until_empty(note)
    assert seen[:2] == [set(), set()]
    assert set(Best.objects.values_list("player__nickname", flat=True)) == {"Bo"}
    assert not list(consistency.boards(during_round))


def test_an_act_that_fails_again_and_again_waits_for_an_organiser(applying, monkeypatch):
    with monkeypatch.context() as broken:
        broken.setattr(rewriting, "_keep_old", lambda _rows: 1 / 0)
        for attempt in range(long_acts.MOST_ATTEMPTS):
            with clock.set_to(cast.DURING + 2 * attempt * long_acts.LEASE), pytest.raises(ZeroDivisionError):
                long_acts.work_until_empty()
    with clock.set_to(cast.DURING + 8 * long_acts.LEASE):
        long_acts.work_until_empty()
        assert LongAct.objects.get().state == State.FAILED
        assert long_acts.try_again(LongAct.objects.get())
        long_acts.work_until_empty()
    assert LongAct.objects.get().state == State.DONE


def test_a_rejudging_that_fails_while_it_is_recorded_can_only_be_continued(applying, monkeypatch):
    """Its events are public by then."""
    monkeypatch.setattr(rewriting, "_RECORDED_AT_ONCE", 1)
    first = iter([True])
    with monkeypatch.context() as broken:
        broken.setattr(rewriting, "_tell", lambda *_rows: next(first, False) or die())
        with pytest.raises(KeyboardInterrupt):
            long_acts.work_until_empty()
    LongAct.objects.update(state=State.FAILED, claim_token=None, attempts=0)  # as after MOST_ATTEMPTS of these
    job = LongAct.objects.get()
    assert not long_acts.cancel(job, None)
    assert long_acts.try_again(job)
    long_acts.work_until_empty()
    assert (LongAct.objects.get().state, Submission.objects.accepted().count()) == (State.DONE, 0)


def final_rounds(count: int) -> list[Round]:
    made = [cast.a_round(number, **cast.earlier(4 * (count - number))) for number in range(1, count + 1)]
    for round_ in made:
        cast.enter_all(round_, [("Ada", 2, 1), ("Bo", 4, 1)])
        results.finalise(round_, at=cast.AFTER, by=None)
    return made


@pytest.mark.clock(cast.AFTER)
def test_rounds_are_revised_one_by_one_until_cancelled_and_rated_once(db):
    made = final_rounds(3)
    for round_ in made:
        sent = Submission.objects.get(round=round_, player__nickname="Ada")
        rulings.void(sent, Reason(en="Copied."), at=cast.AFTER, by=None)
    job = revisions.revise_all(made, Reason(en="Voided."), at=cast.AFTER, by=None)
    after_batches(job, 2, lambda: long_acts.cancel(LongAct.objects.get(), None))
    long_acts.work_until_empty()
    assert [round_.snapshots.count() for round_ in made] == [2, 2, 1]
    assert (LongAct.objects.get().state, LongAct.objects.get().done) == (State.DONE, 2)


@pytest.mark.clock(cast.AFTER)
def test_rounds_after_the_first_batch_are_rated_by_a_worker(db, monkeypatch):
    final_rounds(4)
    whole = list(Rating.objects.order_by("round", "player").values_list("round__number", "player", "mu"))
    Rating.objects.all().delete()
    monkeypatch.setattr(ratings, "AT_ONCE", 1)
    ratings.update(Round.objects.get(number=2))
    ratings.update(Round.objects.get(number=1))
    assert (LongAct.objects.get().kind, LongAct.objects.get().total) == (LongAct.Kind.RATE, 3)
    long_acts.work_until_empty()
    assert list(Rating.objects.order_by("round", "player").values_list("round__number", "player", "mu")) == whole
    assert (LongAct.objects.get().state, LongAct.objects.get().done) == (State.DONE, 3)
