"""Four eyes: every act that changes results waits for a second organiser, who answers the first (rule 15.7)."""

from datetime import timedelta

import pytest
from django.test import Client

from contest import results
from contest.infra import clock
from contest.judging import rejudge
from contest.models import Level, Player, Rejudging, Round, SecondLook, Snapshot, Submission
from contest.organising import second_looks
from contest.wording.bilingual import Reason
from tests import cast
from tests.desk.conftest import DESK, member, signed_in

pytestmark = pytest.mark.django_db
REASON = {"reason_zh": "", "reason_en": "Agreed.", "reason": "Agreed.", "note": "", "do": "apply"}


@pytest.fixture
def round_(settings, mailoutbox):
    settings.FOUR_EYES, settings.SITE_URL = True, "https://s.example"
    made = cast.a_round()
    cast.enter_all(made, [("Ann", 9, 3), ("Bo", 8, 4)])
    with clock.set_to(made.closes_at + timedelta(days=1)):
        yield made


def browser_of(name: str) -> Client:
    user = member("organiser", name)
    user.email = f"{name}@s.example"
    user.save()
    return signed_in(user)


@pytest.fixture
def second(db):
    return browser_of("second")


def waiting() -> str:
    return f"{DESK}second-looks/{SecondLook.objects.waiting().get().pk}/"


def void(round_: Round) -> tuple[str, dict[str, object]]:
    return f"submissions/{Submission.objects.get(player__nickname='Ann').pk}/do/void/", {}


def void_level(round_: Round) -> tuple[str, dict[str, object]]:
    return "rounds/1/do/void-level/", {"level": round_.levels.get(slot="main").pk}


def merge(round_: Round) -> tuple[str, dict[str, object]]:
    ann, bo = (Player.objects.get(nickname=name).pk for name in ("Ann", "Bo"))
    return f"people/{ann}/do/merge/", {"into": bo}


def judge_again(round_: Round) -> tuple[str, dict[str, object]]:
    Submission.objects.update(text=b"rR")
    made = rejudge.start("again")
    rejudge.compute_for(made, 60)
    return f"rejudging/{made.pk}/apply/", {}


def revise(round_: Round) -> tuple[str, dict[str, object]]:
    results.finalise(round_, at=clock.now(), by=None)
    return "rounds/1/do/revise/", {}


def revise_all(round_: Round) -> tuple[str, dict[str, object]]:
    results.finalise(round_, at=clock.now(), by=None)
    results.rulings.void(Submission.objects.first(), Reason(en="Why."), at=clock.now(), by=None)
    return "rounds/revise/", {}


ACTS = {
    void: lambda: Submission.objects.exclude(voided_at=None).count(),
    void_level: lambda: Level.objects.exclude(voided_at=None).count(),
    merge: lambda: Player.objects.exclude(merged_into=None).count(),
    judge_again: lambda: Rejudging.objects.exclude(applied_at=None).count(),
    revise: lambda: Snapshot.objects.filter(revision=2).count(),
    revise_all: lambda: Snapshot.objects.filter(revision=2).count(),
}


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.__name__)
def test_one_organiser_asks_and_another_does_it(round_, organiser, second, act):
    address, given = act(round_)
    assert organiser.post(DESK + address, {**given, **REASON}).status_code == 302
    assert ACTS[act]() == 0
    assert waiting() in second.get(DESK).text
    assert organiser.post(waiting(), {"do": "confirm"}).status_code == 422
    shown = second.post(waiting(), {"do": "look"})
    assert (shown.status_code, "Agreed." in shown.text, ACTS[act]()) == (200, True, 0)
    assert second.post(waiting(), {"do": "confirm"}).status_code == 302
    assert ACTS[act]() == 1


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.__name__)
def test_an_organiser_alone_does_it_without_the_setting(round_, organiser, settings, act):
    settings.FOUR_EYES = False
    address, given = act(round_)
    assert organiser.post(DESK + address, {**given, **REASON}).status_code == 302
    assert (ACTS[act](), SecondLook.objects.exists()) == (1, False)


def test_sending_back_takes_a_reason_that_reaches_the_asker(
    round_, organiser, second, mailoutbox, django_capture_on_commit_callbacks
):
    asker = browser_of("asker")
    address, given = void(round_)
    asker.post(DESK + address, {**given, **REASON})
    look = waiting()
    refused = second.post(look, {"do": "send-back", "answer": " "})
    assert (refused.status_code, "Say why you send it back" in refused.text) == (422, True)
    with django_capture_on_commit_callbacks(execute=True):
        second.post(look, {"do": "send-back", "answer": "Ask Ann first."})
    assert [(mail.to, look in mail.body, mail.body.count("Ask Ann first.")) for mail in mailoutbox] == [
        (["asker@s.example"], True, 2)
    ]
    assert "Ask Ann first." in asker.get(DESK).text
    assert "Ask Ann first." not in organiser.get(DESK).text
    assert "Ask Ann first." in asker.get(look).text
    assert organiser.get(look).status_code == 404
    assert asker.post(look, {"do": "seen"}).status_code == 302
    assert "Ask Ann first." not in asker.get(DESK).text
    assert ACTS[void]() == 0


def test_a_request_says_since_when_it_waits_and_is_reminded_once_a_day(round_, organiser, second, mailoutbox):
    address, given = void(round_)
    organiser.post(DESK + address, {**given, **REASON})
    asked_at = SecondLook.objects.get().asked_at
    assert "has waited for a second organiser since 2026-" in second.get(DESK).text
    sent = []
    for hours in (23, 24, 25, 48):
        second_looks.remind(asked_at + timedelta(hours=hours))
        sent.append(len(mailoutbox))
    assert sent == [0, 1, 1, 2]
    assert (mailoutbox[0].to, "/desk/second-looks/" in mailoutbox[0].body) == (["second@s.example"], True)
    second.post(waiting(), {"do": "confirm"})
    second_looks.remind(asked_at + timedelta(days=9))
    assert len(mailoutbox) == 2


@pytest.mark.parametrize("act", [void, void_level, merge, judge_again], ids=lambda act: act.__name__)
def test_no_round_becomes_final_while_a_request_about_it_waits(round_, organiser, second, act):
    address, given = act(round_)
    organiser.post(DESK + address, {**given, **REASON})
    refused = organiser.post(f"{DESK}rounds/1/do/finalise/", {"do": "apply"})
    obstacle = "1 request about this round is waiting for a second organiser"
    assert any(obstacle in message for message in results.obstacles(round_, clock.now()))
    assert obstacle in refused.text
    second.post(waiting(), {"do": "send-back", "answer": "No."})
    assert results.obstacles(round_, clock.now()) == []
    other = cast.a_round(2, **cast.earlier(5))
    assert not SecondLook.objects.touching(other).exists()


def test_a_cancelled_rejudging_takes_its_request_with_it(round_, organiser):
    address, given = judge_again(round_)
    organiser.post(DESK + address, {**given, **REASON})
    organiser.post(f"{DESK}rejudging/{Rejudging.objects.get().pk}/cancel/")
    assert not SecondLook.objects.exists()
