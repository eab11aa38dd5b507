"""Four eyes: every act that changes results waits for a second organiser, who answers the first (rule 15.7)."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from contest import models, results
from contest.infra import clock
from contest.judging import rejudge
from contest.organising import second_looks
from contest.organising.round_acts import ACTS as ROUND_ACTS
from contest.players import acts
from contest.wording.bilingual import Reason
from tests import cast
from tests.desk.conftest import DESK, member, owner_of, signed_in

pytestmark = pytest.mark.django_db
REASON = {"reason_zh": "", "reason_en": "Agreed.", "reason": "Agreed.", "note": "Seen.", "do": "apply"}
FINALISE, CONFIRM = f"{DESK}rounds/1/do/finalise/", {"do": "confirm"}
SEND_BACK = {"do": "send-back", "answer": "Ask Ann first."}


@pytest.fixture(autouse=True)
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
    return f"{DESK}second-looks/{models.SecondLook.objects.waiting().get().pk}/"


def is_final() -> int:
    return models.Round.objects.exclude(finalised_at=None).count()


def pk_of(nickname: str) -> int:
    return models.Player.objects.get(nickname=nickname).pk


def unmerge(_round):
    cast.merge(models.Player.objects.get(nickname="Ann"), models.Player.objects.get(nickname="Bo"))
    return f"people/{pk_of('Ann')}/do/unmerge/", {}


def judge_again(_round):
    models.Submission.objects.update(text=b"rR")
    made = rejudge.start("again")
    rejudge.compute_for(made, 60)
    return f"rejudging/{made.pk}/apply/", {}


def revise(round_, address="rounds/1/do/revise/"):
    results.finalise(round_, at=clock.now(), by=None)
    results.rulings.void(models.Submission.objects.first(), Reason(en="Why."), at=clock.now(), by=None)
    return address, {}


# The page of each act and its own fields, after what has to come before it; and how many rows show that it is done.
ACTS = {
    "void": (
        lambda round_: (f"submissions/{round_.submissions.get(player__nickname='Ann').pk}/do/void/", {}),
        lambda: models.Submission.objects.exclude(voided_at=None).count(),
    ),
    "void_level": (
        lambda round_: ("rounds/1/do/void-level/", {"level": round_.levels.get(slot="main").pk}),
        lambda: models.Level.objects.exclude(voided_at=None).count(),
    ),
    "merge": (
        lambda _round: (f"people/{pk_of('Ann')}/do/merge/", {"into": pk_of("Bo")}),
        lambda: models.Player.objects.exclude(merged_into=None).count(),
    ),
    "unmerge": (unmerge, lambda: models.Player.objects.filter(nickname="Ann", merged_into=None).count()),
    "disqualify": (
        lambda _round: ("rounds/1/do/disqualify/", {"player": pk_of("Ann")}),
        models.Disqualification.objects.count,
    ),
    "finalise": (lambda _round: ("rounds/1/do/finalise/", {}), is_final),
    "judge_again": (judge_again, lambda: models.Rejudging.objects.exclude(applied_at=None).count()),
    "revise": (revise, lambda: models.Snapshot.objects.filter(revision=2).count()),
    "revise_all": (
        lambda round_: revise(round_, "rounds/revise/"),
        lambda: models.Snapshot.objects.filter(revision=2).count(),
    ),
}


def ask(client: Client, act: str, round_: models.Round) -> str:
    address, given = ACTS[act][0](round_)
    assert client.post(DESK + address, {**given, **REASON}).status_code == 302
    return waiting()


@pytest.mark.parametrize("act", ACTS)
def test_one_organiser_asks_and_another_does_it(round_, organiser, second, act):
    """Rule 15.7."""
    look = ask(organiser, act, round_)
    assert ACTS[act][1]() == 0
    assert look in second.get(DESK).text
    refused = organiser.post(look, CONFIRM)
    assert (refused.status_code, "another organiser has to confirm it" in refused.text) == (422, True)
    shown = second.post(look, {"do": "look"})
    assert (shown.status_code, "Agreed." in shown.text or act == "finalise", ACTS[act][1]()) == (200, True, 0)
    assert second.post(look, CONFIRM).status_code == 302
    assert ACTS[act][1]() == 1
    assert second.post(look, CONFIRM).status_code == 404
    acts = [(entry.act, entry.actor_name) for entry in models.AuditEntry.objects.order_by("pk")]
    assert acts.index(("ask for a second look", "organiser")) < acts.index(("confirm a second look", "second"))


@pytest.mark.parametrize("act", ["finalise", "revise_all"])
def test_an_organiser_alone_does_it_without_the_setting(round_, organiser, settings, act):
    settings.FOUR_EYES = False
    address, given = ACTS[act][0](round_)
    assert organiser.post(DESK + address, {**given, **REASON}).status_code == 302
    assert (ACTS[act][1](), models.SecondLook.objects.exists()) == (1, False)


def test_other_acts_on_a_round_need_one_organiser():
    assert {act.name for act in ROUND_ACTS if act.takes_two} == {"finalise", "disqualify", "void-level", "revise"}


def test_the_request_keeps_what_the_first_organiser_wrote(round_, organiser, second):
    look = ask(organiser, "disqualify", round_)
    assert "What it would change" in second.post(look, {"do": "look"}).text
    second.post(look, CONFIRM)
    ruling = models.Disqualification.objects.get()
    assert (ruling.player.nickname, ruling.reason_en, ruling.note) == ("Ann", "Agreed.", "Seen.")


@pytest.mark.parametrize("by", ["nickname", "pk"])
def test_a_merge_goes_to_the_player_that_the_first_organiser_meant(round_, organiser, second, by):
    """Other players may later take Cy's number as a nickname, or be given Cy's nickname."""
    ann = models.Player.objects.get(nickname="Ann")
    cy = models.Player.objects.create(nickname="Cy", name_key="cy", created_at=cast.OPENS)
    organiser.post(f"{DESK}people/{ann.pk}/do/merge/", {**REASON, "into": getattr(cy, by)})
    acts.hand_over(cy, None, reason="Two persons.")
    cast.enter_all(round_, [(str(cy.pk), 7, 2)])
    second.post(waiting(), CONFIRM)
    ann.refresh_from_db()
    assert ann.merged_into == cy


def test_a_request_is_made_once_and_withdrawn_or_sent_back(round_, organiser, second):
    for client in (organiser, second):
        assert client.post(ask(organiser, "finalise", round_), SEND_BACK).status_code == 302
        assert not models.SecondLook.objects.waiting().exists()
    assert "Titles: " in second.post(ask(organiser, "finalise", round_), {"do": "look"}).text
    again = organiser.post(FINALISE, REASON)
    assert (again.status_code, "already waiting for a second organiser" in again.text) == (422, True)


def test_what_no_longer_holds_is_refused_and_can_be_sent_back(round_, organiser, second):
    look = ask(organiser, "disqualify", round_)
    models.SecondLook.objects.update(given={**REASON, "player": "999"})
    answer = second.post(look, CONFIRM)
    assert (answer.status_code, "no longer valid" in answer.text) == (422, True)
    assert second.post(look, SEND_BACK).status_code == 302


def test_sending_back_takes_a_reason_that_reaches_the_asker(
    round_, organiser, second, mailoutbox, django_capture_on_commit_callbacks
):
    asker = browser_of("asker")
    look = ask(asker, "void", round_)
    refused = second.post(look, {"do": "send-back", "answer": " "})
    assert (refused.status_code, "Say why you send it back" in refused.text) == (422, True)
    with django_capture_on_commit_callbacks(execute=True):
        second.post(look, SEND_BACK)
    assert [(mail.to, look in mail.body, mail.body.count("Ask Ann first.")) for mail in mailoutbox] == [
        (["asker@s.example"], True, 2)
    ]
    assert "Ask Ann first." in asker.get(DESK).text
    assert "Ask Ann first." not in organiser.get(DESK).text
    assert "Ask Ann first." in asker.get(look).text
    assert organiser.get(look).status_code == 404
    assert asker.post(look, {"do": "seen"}).status_code == 302
    assert "Ask Ann first." not in asker.get(DESK).text
    assert ACTS["void"][1]() == 0


def test_a_request_says_since_when_it_waits_and_is_reminded_once_a_day(round_, organiser, second, mailoutbox):
    look = ask(organiser, "void", round_)
    asked_at = models.SecondLook.objects.get().asked_at
    assert "has waited for a second organiser since 2026-" in second.get(DESK).text
    sent = []
    for hours in (23, 24, 25, 48):
        second_looks.remind(asked_at + timedelta(hours=hours))
        sent.append(len(mailoutbox))
    assert sent == [0, 1, 1, 2]
    assert (mailoutbox[0].to, "/desk/second-looks/" in mailoutbox[0].body) == (["second@s.example"], True)
    second.post(look, CONFIRM)
    assert "has waited for a second organiser" not in second.get(DESK).text
    second_looks.remind(asked_at + timedelta(days=9))
    assert len(mailoutbox) == 2


@pytest.mark.parametrize("act", ["void", "void_level", "merge", "unmerge", "judge_again"])
def test_no_round_becomes_final_while_a_request_about_it_waits(round_, organiser, second, act):
    look = ask(organiser, act, round_)
    refused = organiser.post(FINALISE, {"do": "apply"})
    obstacle = "1 request about this round is waiting for a second organiser"
    assert any(obstacle in message for message in results.obstacles(round_, clock.now()))
    assert obstacle in refused.text
    second.post(look, SEND_BACK)
    assert results.obstacles(round_, clock.now()) == []
    other = cast.a_round(2, **cast.earlier(5))
    assert not models.SecondLook.objects.touching(other).exists()


def test_a_cancelled_rejudging_takes_its_request_with_it(round_, organiser):
    ask(organiser, "judge_again", round_)
    organiser.post(f"{DESK}rejudging/{models.Rejudging.objects.get().pk}/cancel/")
    assert not models.SecondLook.objects.exists()


def test_a_judge_confirms_a_ruling_and_no_publishing(round_, organiser):
    judge = signed_in(member("judge"))
    assert judge.post(ask(organiser, "disqualify", round_), CONFIRM).status_code == 302
    look = ask(organiser, "finalise", round_)
    assert (judge.get(look).status_code, judge.post(look, CONFIRM).status_code) == (404, 404)


def test_owners_of_the_track_confirm_for_each_other_and_owners_of_another_find_nothing(round_):
    owner, partner, other = owner_of("club"), owner_of("club", "partner"), owner_of("school", "other")
    models.Round.objects.update(track="club")
    look = ask(owner, "finalise", round_)
    assert look not in other.get(DESK).text
    assert other.get(look).status_code == 404
    for do in ("look", "confirm", "send-back"):
        assert other.post(look, {"do": do}).status_code == 404
    assert owner.post(look, CONFIRM).status_code == 422
    for page in (DESK, f"{DESK}rounds/1/"):
        assert look in partner.get(page).text, page
    assert not is_final()
    assert partner.post(look, CONFIRM).status_code == 302
    assert is_final()


def test_the_plain_admin_does_not_bypass_the_second_look(round_):
    chief, given = signed_in(User.objects.create_superuser("chief", password="x")), {"player": pk_of("Ann")}
    for act in ("finalise", "disqualify", "void-level"):
        assert chief.post(f"/admin/contest/round/{round_.pk}/{act}/do/", {**REASON, **given}).status_code == 404
    assert "Make the results final" not in chief.get(f"/admin/contest/round/{round_.pk}/change/").text
    assert not is_final()
