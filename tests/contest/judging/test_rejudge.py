from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from contest.judging import judge, rejudge
from contest.models import AuditEntry, Best, Door, Reader, Rejudging, SecondLook, Submission, Verification
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
    assert cast.carry_out(rejudge.apply(_computed(), None, "counts were taken for moves")).done == 1
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


def test_a_submission_stands_in_a_rejudging_once_and_differs_in_its_moves_too(judged_round):
    Submission.objects.filter(player__nickname="Ada").update(lurd="rR")
    made = _computed()
    assert [row.lurd for row in made.rows.filter(differs=True)] == ["rlrR"]
    assert list(rejudge.compute(made, Submission.objects.all())) == []
    assert made.rows.count() == 3


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
