from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command

from contest import results, visibility
from contest.infra import clock
from contest.judging import consistency, judge, pruning, rejudge
from contest.models import Rejudged, Rejudging, Round, State, Submission, Verdict, Verification
from contest.visibility import Viewer
from contest.wording.verdicts import describe_verdict
from tests import cast
from tests.contest.archive.conftest import differences
from tests.contest.archive.test_writer import LATER, bind, packed, play, unpacked

pytestmark = pytest.mark.django_db

LONG = "rl" * 1_000  # solves nothing
TEXTS = {"long": LONG, "wall": LONG + "u", "solves": LONG + "rR", "tied": f"rl{LONG}rR", "short": "lll"}
DUE = LATER + pruning.REST


@pytest.fixture(autouse=True)
def _shorter(monkeypatch):
    """Lower the limit to just below LONG, which is judged at once."""
    assert pruning.LARGEST_WHOLE == 65_536
    monkeypatch.setattr(pruning, "LARGEST_WHOLE", len(LONG) - 2)


def send_all() -> None:
    with clock.set_to(cast.DURING):
        for name, text in TEXTS.items():
            cast.send(name, text)
        cast.send("limit", "rl" * (pruning.LARGEST_WHOLE // 2))
        judge.judge_until_empty()


@pytest.fixture
def final(db):
    round_ = cast.a_round()
    send_all()
    Round.objects.update(finalised_at=LATER)
    return round_


def pruned_names() -> set[str]:
    return set(Submission.objects.pruned().values_list("player__nickname", flat=True))


def test_only_rejected_texts_over_64_kb_are_pruned_and_not_before_30_days(final):
    """Rule 15.8."""
    assert pruning.prune_daily(DUE - timedelta(seconds=1)) == 0
    assert pruning.prune_daily(DUE + timedelta(days=1)) == 2
    assert pruned_names() == {"long", "wall"}
    assert pruning.prune_daily(DUE + timedelta(days=9)) == 0


def test_a_short_text_with_counts_loses_its_long_offer_and_can_be_judged_no_more(final):
    with clock.set_to(cast.DURING):
        turned = cast.submit("turned", "1000(lr)lL")
    assert len(turned.turned["lurd"]) == 2_002
    pruning.prune_daily(DUE)
    row = Submission.objects.get(pk=turned.pk)
    assert (bytes(row.text), row.full_size, row.turned) == (b"1000(lr)lL", 10, None)
    assert "turned" in pruned_names()


def test_practice_is_pruned_30_days_after_its_receipt_which_the_text_sent_again_gets(final):
    """Rule 5.6: the hash tells that it is the same."""
    with clock.set_to(DUE):
        first = cast.send("late", f"{LONG}rl", round=1, practice=True)
        judge.judge_until_empty()
    pruning.prune_daily(DUE + timedelta(days=29))
    assert "late" not in pruned_names()
    pruning.prune_daily(DUE + pruning.REST)
    assert "late" in pruned_names()
    with clock.set_to(DUE + pruning.REST):
        again = cast.send("late", f"{LONG}rl", round=1, practice=True, claim=first.claim)
    assert (again.is_new, again.submission.number) == (False, first.submission.number)


def accepted_once(row):
    Verification.objects.create(
        submission=row, engine_version=99, levels_digest="", outcome={"verdict": "accepted"}, created_at=LATER
    )


def in_a_rejudging(row):
    made = Rejudging.objects.create(name="waits", engine_version=99, made_at=LATER)
    Rejudged.objects.create(rejudging=made, submission=row, levels_digest="", before={}, after={}, differs=False)


ANSWER = {"verdict": Verdict.SPECTATOR, "moves": 1, "pushes": 1}
KEPT = {
    "accepted once": accepted_once,
    "in a rejudging": in_a_rejudging,
    "held": lambda row: Submission.objects.update(state=State.QUARANTINED, verdict="", judged_at=None),
    "a spectator answer": lambda row: Submission.objects.update(**ANSWER, level=row.round.levels.get(slot="main")),
    "of an open decision": lambda row: Round.objects.update(finalised_at=None),
}


@pytest.mark.parametrize("change", KEPT.values(), ids=KEPT)
def test_these_texts_are_not_pruned(final, change):
    change(Submission.objects.get(player__nickname="long"))
    pruning.prune_daily(DUE)
    assert "long" not in pruned_names()


def test_beginning_size_hash_and_verdict_stay(final):
    before = Submission.objects.get(player__nickname="wall")
    sentence = describe_verdict(before)
    assert "(u)" in sentence
    pruning.prune_daily(DUE)
    after = Submission.objects.get(pk=before.pk)
    assert (bytes(after.text), after.full_size) == (LONG[: pruning.HEAD_BYTES].encode(), len(LONG) + 1)
    assert (after.sha256, after.verdict, describe_verdict(after)) == (before.sha256, before.verdict, sentence)


def test_a_pruned_text_is_not_judged_again_and_keeps_its_verdict(final):
    """Rule 6.13."""
    pruning.prune_daily(DUE)
    pruned = Submission.objects.get(player__nickname="wall")
    made = rejudge.start("again")
    assert (rejudge.pruned_count(made), pruned in rejudge.selection(made)) == (2, False)
    output = StringIO()
    call_command("rejudge", "again", stdout=output, stderr=StringIO())
    assert "2 pruned texts cannot be judged again" in output.getvalue()
    assert cast.carry_out(rejudge.apply(made, None, "why not")).done == 0
    assert not Rejudged.objects.filter(submission=pruned).exists()
    assert not [found for _row, found in consistency.verdicts() if found]


def test_a_text_pruned_after_its_rejudging_was_computed_keeps_its_verdict(during_round, request):
    row = cast.send("Bo", "rR").submission
    judge.judge_until_empty()
    request.getfixturevalue("new_engine")
    made = rejudge.start("computed before")
    list(rejudge.compute(made, Submission.objects.all()))
    Submission.objects.filter(pk=row.pk).update(full_size=70_000)
    with pytest.raises(rejudge.NotApplied):
        rejudge.apply(made, None, "too late")


def test_the_archive_is_the_same_to_the_byte_before_and_after(tmp_path):
    play()
    send_all()
    bind()
    with clock.set_to(LATER):
        results.finalise(visibility.archived_rounds(Viewer(), LATER).get(), at=LATER, by=None)
    with clock.set_to(DUE):
        before = packed()
        assert pruning.prune_daily(DUE)
        assert packed() == before
    assert differences(tmp_path, unpacked(before)) == []
