"""Judging again on the desk: previewed, then applied or cancelled as a whole (rule 6.13)."""

import pytest

from contest import judging
from contest.desk import rejudgings
from contest.judging import rejudge
from contest.models import AuditEntry, Rejudging, Submission
from tests import cast

pytestmark = pytest.mark.django_db

DESK = "/en/desk/rejudging/"


@pytest.fixture
def sent(during_round):
    cast.send("Ada", "rlrR")
    cast.send("Bo", "rR")
    judging.judge_until_empty()
    return during_round


def started(client, **given) -> str:
    return client.post(DESK, {"name": "engine 2", **given}).url


def verdicts() -> set[str]:
    return set(Submission.objects.values_list("verdict", flat=True))


def test_what_would_change_is_shown_and_nothing_is_changed(organiser, sent, new_engine):
    page = organiser.get(started(organiser, round=sent.pk))
    assert [(row[0].player.nickname, row[1], row[2]) for row in page.context["changed"]] == [
        ("Bo", "accepted 2/1", "not solved")
    ]
    assert ("Ada", 2, 1) in [(move.player.nickname, move.before, move.after) for move in page.context["moves"]]
    assert verdicts() == {"accepted"}


def test_it_is_applied_once_with_a_reason_and_stands_in_the_record(organiser, sent, new_engine):
    """Rules 6.13, 15.3."""
    address = started(organiser)
    assert organiser.post(f"{address}apply/", {"reason": ""}).status_code == 422
    organiser.post(f"{address}apply/", {"reason": "The engine was wrong.", "do": "apply"})
    assert verdicts() == {"accepted", "not_solved"}
    again = organiser.post(f"{address}apply/", {"reason": "Twice.", "do": "apply"}, follow=True)
    assert "“Apply all changes” is not possible now" in again.text
    assert AuditEntry.objects.get(act="rejudge").reason == "The engine was wrong."


def test_it_is_cancelled_and_leaves_only_its_record(organiser, sent, new_engine):
    address = started(organiser)
    organiser.post(f"{address}cancel/")
    assert not Rejudging.objects.exists()
    assert set(AuditEntry.objects.values_list("act", flat=True)) == {"start rejudging", "cancel rejudging"}
    assert organiser.post(f"{address}cancel/").status_code == 302


def test_a_long_rejudging_continues_where_it_stopped(organiser, sent, new_engine, monkeypatch):
    monkeypatch.setattr(rejudgings, "SLICE_SECONDS", 0.0)
    address = started(organiser)
    with monkeypatch.context() as patch:
        patch.setattr(rejudge, "preview", None)  # it writes and rolls back everything: not while rows will follow
        assert organiser.get(address).context["left"] == 1
    refused = organiser.post(f"{address}apply/", {"reason": "Too soon."})
    assert "Some submissions have not been judged again yet. Continue first." in refused.text
    organiser.post(address)
    shown = organiser.get(address).context
    assert (shown["left"], [row[0].player.nickname for row in shown["changed"]]) == (0, ["Bo"])
