from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from contest.judging import judge, rejudge
from contest.models import AuditEntry, Best, Door, Reader, Rejudging, SecondLook, State, Submission, Verification
from solvers.sokoban.reading import masks, readers
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def judged_round(during_round):
    cast.send("Ada", "rlrR")
    cast.send("Bo", "rR")
    cast.send("Cem", "lu")
    judge.judge_until_empty()
    return during_round


def _computed(name="engine 2"):
    made = rejudge.start(name)
    list(rejudge.compute(made, Submission.objects.all()))
    return made


def _applied(made, reason="the engine was wrong"):
    return cast.carry_out(rejudge.apply(made, None, reason))


def _everything():
    return list(Submission.objects.order_by("pk").values()), list(Best.objects.order_by("pk").values())


def test_computing_and_looking_change_nothing(judged_round, new_engine):
    before = _everything()
    shown = rejudge.preview(_computed())
    assert _everything() == before
    assert [row.after["verdict"] for row in shown.changed] == ["not_solved"]
    moves = {(move.metric, move.player.nickname, move.before, move.after) for move in shown.moves}
    assert moves == {
        ("moves", "Bo", 1, None),
        ("moves", "Ada", 2, 1),
        ("pushes", "Bo", 1, None),
        ("pushes", "Ada", 2, 1),
    }


def test_applying_changes_verdicts_and_ranks_and_keeps_times_and_history(judged_round, new_engine):
    """Rules 6.12, 6.13."""
    times = list(Submission.objects.order_by("pk").values_list("received_at", flat=True))
    assert _applied(_computed()).done == 1
    assert list(Submission.objects.order_by("pk").values_list("received_at", flat=True)) == times
    assert Submission.objects.get(player__nickname="Bo").verdict == "not_solved"
    assert set(Best.objects.values_list("player__nickname", flat=True)) == {"Ada"}
    assert Verification.objects.filter(submission__player__nickname="Bo").count() == 2
    assert Verification.objects.count() == 6
    assert AuditEntry.objects.get(act="rejudge").reason == "the engine was wrong"


def test_a_verdict_that_changed_meanwhile_stops_the_whole(judged_round, new_engine):
    made = _computed()
    Submission.objects.filter(player__nickname="Bo").update(moves=9)
    with pytest.raises(rejudge.NotApplied, match="changed since"):
        rejudge.apply(made, None, "x")
    assert Submission.objects.get(player__nickname="Bo").verdict == "accepted"


def test_an_engine_does_not_contradict_itself(judged_round, new_engine, monkeypatch):
    monkeypatch.setattr(judge, "ENGINE_VERSION", judge.ENGINE_VERSION - 1)
    with pytest.raises(rejudge.NotApplied, match="ENGINE_VERSION"):
        rejudge.apply(_computed(), None, "x")


def test_what_was_refused_for_the_counts_beside_it_is_given_back(judged_round, monkeypatch):
    """Rules 6.1, 6.13: with the same engine version; 0.5.0 could not leave out counts in the text."""
    sent = cast.send("Dee", "Moves: 5 Pushes: 2 rDldR", slot="extra", door=Door.WEB)
    Submission.objects.filter(pk=sent.submission.pk).update(reader=Reader.LENIENT)
    with monkeypatch.context() as before:
        before.setitem(readers.READINGS_OF, readers.Reader.LENIENT_0_6, (masks.LINES,))
        judge.judge_until_empty()
    assert cast.judged(sent).verdict == "not_solved"
    assert _applied(_computed(), "counts were taken for moves").done == 1
    assert (cast.judged(sent).verdict, cast.judged(sent).lurd) == ("accepted", "rDldR")


@pytest.mark.parametrize(
    ("reader", "lurd"), [(Reader.PASTED, "rR"), (Reader.LENIENT, "rlrR"), (Reader.LEGACY, "rlrR"), ("rle", "")]
)
def test_a_text_is_judged_again_by_the_reader_of_its_time(during_round, reader, lurd):
    """Rules 6.1, 6.13: of several solutions in a text the one that counted stays."""
    sent = cast.send("Ada", "rlrR-\n1r\nR+\n", door=Door.WEB)
    assert cast.judged(sent).reader == Reader.PASTED
    Submission.objects.update(reader=reader)
    judge.judge_until_empty()
    assert cast.judged(sent).lurd == lurd


def test_moves_that_are_stored_otherwise_differ_too(judged_round):
    Submission.objects.filter(player__nickname="Ada").update(lurd="rR")
    assert [row.lurd for row in _computed().rows.filter(differs=True)] == ["rlrR"]


def test_a_submission_stands_in_a_rejudging_once(judged_round):
    made = _computed()
    assert list(rejudge.compute(made, Submission.objects.all())) == []
    assert made.rows.count() == 3


def test_held_submissions_go_back_to_the_judge_with_all_their_attempts(judged_round):
    held = cast.send("Dee", "rR").submission
    Submission.objects.filter(pk=held.pk).update(state=State.QUARANTINED, attempts=3)
    assert rejudge.release(Submission.objects.all(), None, "repaired") == 1
    judge.judge_until_empty()
    assert Submission.objects.get(pk=held.pk).verdict == "accepted"


def _output_of(*words, **options):
    out = StringIO()
    call_command(*words, stdout=out, stderr=StringIO(), **options)
    return out.getvalue()


def test_the_command_shows_then_applies(judged_round, new_engine):
    output = _output_of("rejudge", "engine-2", "--round", "1")
    assert "Bo: accepted 2/1 -> not_solved 1/0" in output
    assert "3 judged again, 1 would change. Nothing was changed yet." in output
    with pytest.raises(CommandError, match="--reason"):
        _output_of("rejudge", "engine-2", "--apply")
    assert "1 verdicts changed." in _output_of("rejudge", "engine-2", "--apply", "--reason", "wrong")
    with pytest.raises(CommandError, match="already"):
        _output_of("rejudge", "engine-2", "--apply", "--reason", "wrong")
    assert "no difference" in _output_of("audit", "--replay")


def test_with_four_eyes_the_command_asks_a_second_organiser_unless_alone(
    judged_round, new_engine, settings, admin_user
):
    settings.FOUR_EYES = True
    apply = ["rejudge", "engine-2", "--apply", "--reason", "wrong"]
    _output_of("rejudge", "engine-2", "--round", "1")
    with pytest.raises(CommandError, match="--by"):
        _output_of(*apply)
    assert "second organiser" in _output_of(*apply, "--by", admin_user.username)
    request = SecondLook.objects.waiting().get()
    assert (request.act, request.given, request.asked_by) == ("rejudge", {"reason": "wrong"}, admin_user)
    assert Rejudging.objects.get().applied_at is None
    assert "1 verdicts changed." in _output_of(*apply, "--alone")
    assert AuditEntry.objects.filter(act="rejudge", reason="wrong (--alone)").exists()


def test_the_command_cancels_a_rejudging_of_one_slot(judged_round, new_engine):
    assert "\n0 judged again" in f"\n{_output_of('rejudge', 'engine-2', '--slot', 'extra')}"
    assert "Cancelled" in _output_of("rejudge", "engine-2", "--cancel")
    assert not Rejudging.objects.exists()


@pytest.mark.parametrize(
    ("spoil", "options"),
    [
        (lambda: Best.objects.filter(player__nickname="Bo", metric="moves").update(first=1), []),
        (lambda: Submission.objects.filter(player__nickname="Ada").update(lurd="rR"), ["--replay"]),
        (lambda: Verification.objects.filter(submission__player__nickname="Ada").delete(), []),
    ],
    ids=["a board", "a verdict", "a verdict without record"],
)
def test_the_audit_finds_what_is_wrong(judged_round, spoil, options):
    assert "no difference" in _output_of("audit", *options)
    spoil()
    with pytest.raises(CommandError, match="1 differences"):
        _output_of("audit", *options)
