import pytest

from contest import judging
from contest.celery import tasks
from contest.desk import rejudgings
from contest.judging import rejudge
from contest.models import AuditEntry, LongAct, Player, Rejudging, SecondLook, Submission
from contest.organising import long_acts
from tests import cast
from tests.desk.conftest import DESK, member, signed_in

pytestmark = pytest.mark.django_db

REASON = {"reason": "The engine was wrong.", "do": "apply"}


@pytest.fixture
def sent(during_round):
    cast.send("Ada", "rlrR")
    cast.send("Bo", "rR")
    judging.judge_until_empty()
    return during_round


def started(client, **given) -> str:
    return client.post("/en/desk/rejudging/", {"name": "engine 2", **given}).url


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


@pytest.fixture
def judged(during_round, monkeypatch):
    monkeypatch.setattr(long_acts, "SMALL", 0)
    for name in ("Ada", "Bo"):
        cast.send(name, "rR")
    judging.judge_until_empty()


@pytest.fixture
def rejudging(judged, new_engine):
    made = rejudge.start("engine 2")
    rejudge.compute_for(made, 60)
    return made


def test_a_worker_applies_a_large_rejudging_and_the_page_shows_its_progress(organiser, rejudging):
    page = organiser.post(f"{DESK}rejudging/{rejudging.pk}/apply/", REASON, follow=True)
    assert ("Waiting for its turn." in page.text, "data-busy" in page.text, verdicts()) == (True, True, {"accepted"})
    assert "Being carried out: Apply a rejudging: engine 2." in organiser.get(DESK).text
    shown = organiser.get(f"{DESK}rejudging/{rejudging.pk}/").text
    assert ("A worker is writing the verdicts." in shown, "Apply all changes" in shown) == (True, False)
    tasks.carry_out()
    done = organiser.get(f"{DESK}acts/{LongAct.objects.get().pk}/?part=progress").text
    assert ("Done: 2 changes." in done, "data-busy" in done, verdicts()) == (True, False, {"not_solved"})


def test_it_is_cancelled_on_its_page_and_undone_at_once_if_little_is_done(organiser, rejudging):
    """So no round waits for a worker that may not run."""
    page = organiser.post(f"{DESK}rejudging/{rejudging.pk}/apply/", REASON).url
    organiser.post(page, {"do": "cancel"})
    assert LongAct.objects.get().state == LongAct.State.UNDONE
    tasks.carry_out()
    assert "Undone: everything is as it was before." in organiser.get(page).text
    assert "not possible any more" in organiser.post(page, {"do": "cancel"}, follow=True).text
    assert verdicts() == {"accepted"}


def test_a_second_organiser_confirms_a_large_act_without_its_tables(organiser, judged, settings):
    settings.FOUR_EYES = True
    ada, bo = (Player.objects.get(nickname=name) for name in ("Ada", "Bo"))
    form = f"{DESK}people/{ada.pk}/do/merge/"
    assert "1 change. A worker makes it" in organiser.post(form, {"into": bo.pk, **REASON, "do": "look"}).text
    organiser.post(form, {"into": bo.pk, **REASON})
    look = f"{DESK}second-looks/{SecondLook.objects.get().pk}/"
    second = signed_in(member("organiser", "second"))
    assert "1 change. A worker makes it" in second.post(look, {"do": "look"}).text
    assert not LongAct.objects.exists()
    page = second.post(look, {"do": "confirm"}).url
    tasks.carry_out()
    assert "Done: 1 change." in second.get(page).text
    assert set(Submission.objects.values_list("player", flat=True)) == {bo.pk}


def test_only_the_right_of_the_act_cancels_it(judged, settings):
    settings.SECOND_FACTOR_FOR_STAFF = False
    job = LongAct.objects.create(kind="revise", language="en", asked_at=cast.DURING, total=9)
    judge = signed_in(member("judge"))
    page = f"{DESK}acts/{job.pk}/"
    assert '"cancel"' not in judge.get(page).text
    assert judge.post(page, {"do": "cancel"}).status_code == 403
