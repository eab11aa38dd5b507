from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.utils import timezone

from contest import models, results
from contest.infra import clock
from contest.library import shelf
from contest.organising.acts import ReasonForm
from contest.organising.round_acts import ACTS
from contest.players import acts
from contest.results import rulings
from contest.wording import times
from contest.wording.bilingual import Reason
from tests import cast
from tests.contest.library.test_series import a_level
from tests.desk.conftest import BEFORE, DESK, signed_in

pytestmark = pytest.mark.django_db

WHY, APPLY = {"reason_zh": "原因", "reason_en": "Why."}, {"do": "apply"}
DAY = timedelta(days=1)
PUBLIC = {act.name: act for act in ACTS if issubclass(act.form, ReasonForm)}
AFTER = cast.CLOSES + timedelta(days=1)
FAIR = {"reason_zh": "", "reason_en": "So that all is fair.", "do": "apply"}
ON_ROUND_PAGE = "it appears on the round&#x27;s page"


def changes(answer) -> set[tuple[str, str, str, str]]:
    return {(str(row.player), row.table, row.before, row.after) for row in answer.context["expected"].changes}


@pytest.fixture
def round_(db):
    with clock.set_to(cast.DURING):
        made = cast.a_round()
        cast.enter(made, "Ann", 2, 1, at=cast.DURING)
        cast.enter(made, "Bob", 4, 1, at=cast.DURING)
        yield made


@pytest.fixture
def closed(round_):
    with clock.set_to(cast.AFTER):
        yield round_


@pytest.fixture
def final(closed):
    results.finalise(closed, at=cast.AFTER, by=None)
    return closed


def player(name: str) -> models.Player:
    return models.Player.objects.get(nickname=name)


def best_of(name: str) -> models.Submission:
    return models.Submission.objects.get(player=player(name))


def all_rows():
    kinds = ("Round", "Level", "Submission", "Player", "Disqualification", "NameReport", "AuditEntry")
    return [list(getattr(models, kind).objects.order_by("pk").values()) for kind in kinds]


def test_a_void_previews_changed_ranks_and_can_be_undone(organiser, round_):
    """Rules 8.8, 15.1, 15.3."""
    address = f"/en/desk/submissions/{best_of('Ann').pk}/do/"
    before = all_rows()
    shown = organiser.post(f"{address}void/", WHY)
    assert ("Bob", "Main by moves", "2", "1") in changes(shown)
    assert ("Ann", "Main by moves", "1", "") in changes(shown)
    assert ("Ann", "points", "39.5", "") in changes(shown)
    assert all_rows() == before
    organiser.post(f"{address}void/", WHY | APPLY)
    assert best_of("Ann").void_reason_zh == "原因"
    assert ("Ann", "Main by moves", "", "1") in changes(organiser.post(f"{address}unvoid/", {"reason": "Why."}))
    organiser.post(f"{address}unvoid/", {"reason": "Why."} | APPLY)
    assert best_of("Ann").voided_at is None
    assert set(models.AuditEntry.objects.values_list("act", flat=True)) == {"void", "unvoid"}


def test_a_disqualification_is_previewed_done_and_lifted(organiser, round_):
    """Rules 15.2, 15.3."""
    given = WHY | {"player": player("Ann").pk}
    assert ("Bob", "Main by pushes", "2", "1") in changes(organiser.post("/en/desk/rounds/1/do/disqualify/", given))
    assert not models.Disqualification.objects.exists()
    organiser.post("/en/desk/rounds/1/do/disqualify/", given | APPLY)
    ruling = models.Disqualification.objects.get()
    organiser.post("/en/desk/rounds/1/do/lift/", WHY | APPLY | {"ruling": ruling.pk})
    assert models.Disqualification.objects.get().lifted_at


def test_a_merge_previews_every_changed_table(organiser, round_):
    """Rule 4.13."""
    address, given = f"/en/desk/people/{player('Bob').pk}/do/", {"into": "ＡＮＮ", "reason": "One person."}
    assert ("Bob", "Main by moves", "2", "") in changes(organiser.post(f"{address}merge/", given))
    assert player("Bob").merged_into is None
    organiser.post(f"{address}merge/", given | APPLY)
    assert player("Bob").merged_into == player("Ann")
    organiser.post(f"{address}unmerge/", {"reason": "Two after all."} | APPLY)
    assert player("Bob").merged_into is None


def test_a_player_is_found_however_the_name_is_spelt_and_renamed(organiser, round_):
    """Rules 4.5, 4.13."""
    (found,) = organiser.get("/en/desk/people/all/?q=ＡＮＮ").context["chosen"]
    address, given = f"/en/desk/people/{found.pk}/do/rename/", {"nickname": "Anna", "reason": "Asked for."}
    assert [entry.act for entry in organiser.post(address, given).context["expected"].entries] == ["rename"]
    assert player("Ann") == found
    organiser.post(address, given | APPLY)
    assert player("Anna") == found


def test_an_act_on_a_final_round_lists_changed_points_and_titles_for_a_revision(organiser, final):
    """Rules 14.4, 14.5."""
    shown = organiser.post(f"/en/desk/submissions/{best_of('Ann').pk}/do/void/", WHY)
    assert "Round 1 is final: its published results and points stay until you revise them." in shown.text
    assert not [change for change in shown.context["expected"].changes if change.table == "points"]
    rulings.void(best_of("Ann"), Reason("原因", "Why."), at=cast.AFTER, by=None)
    shown = organiser.post("/en/desk/rounds/1/do/revise/", WHY)
    assert {("Bob", "points", "37.5", "39.5"), ("Bob", "Moves champion", "", "✓")} <= changes(shown)
    assert final.snapshots.count() == 1


def test_a_verdict_is_one_word_before_the_reveal_and_then_a_sentence(organiser, round_):
    """Rule 7.3: the sentence quotes the moves. A submission without a verdict has none to quote."""
    cast.send("Cy", "rR")

    def shown(name: str) -> str:
        return str(organiser.get(f"/en/desk/submissions/{best_of(name).pk}/").context["verdict"])

    assert shown("Ann") == "accepted"
    with clock.set_to(cast.AFTER):
        assert shown("Ann").startswith("Solves ")
    assert shown("Cy") == "Being judged."
    models.Submission.objects.filter(player=player("Cy")).update(state=models.State.QUARANTINED)
    assert shown("Cy").startswith("Waiting for an organiser")


def test_a_submission_that_is_held_goes_back_to_the_judge(organiser, round_):
    """Rule 6.13."""
    cast.send("Cy", "rR")
    release, given = f"/en/desk/submissions/{best_of('Cy').pk}/do/release/", {"reason": "Mended."} | APPLY
    assert organiser.get(release).status_code == organiser.post(release, given).status_code == 302
    assert not models.AuditEntry.objects.filter(reason="Mended.").exists(), "it is not held"
    models.Submission.objects.filter(player=player("Cy")).update(state=models.State.QUARANTINED)
    organiser.post(release, given)
    assert best_of("Cy").state == models.State.QUEUED
    assert models.AuditEntry.objects.filter(reason="Mended.").exists()


def test_similar_names_wait_in_the_queue_for_a_decision(organiser, round_):
    for name in ("Martin", "Martn"):
        cast.enter(round_, name, 6, 1, at=cast.DURING)
    queue = organiser.get("/en/desk/people/").context["queue"]
    assert [{str(player) for player in item.pair} for item in queue] == [{"Martin", "Martn"}]
    assert organiser.post("/en/desk/people/lookalikes/", {"player": [player("Martin").pk]}).status_code == 404
    organiser.post("/en/desk/people/lookalikes/", {"player": [player("Martin").pk, player("Martn").pk]})
    assert organiser.get("/en/desk/people/").context["queue"] == []
    assert models.AuditEntry.objects.get().act == "leave look-alikes"


def test_a_report_is_decided_on_the_desk(organiser, round_):
    """Rule 4.11."""
    reported = models.NameReport.objects.create(
        player=player("Ann"), kind="offensive", text="Rude.", reported_at=cast.DURING
    )
    assert "Rude." in organiser.get("/en/desk/people/").text
    address, given = f"/en/desk/people/reports/{reported.pk}/do/decide/", {"decision": "It is not."}
    organiser.post(address, given)
    assert models.NameReport.objects.get().decided_at is None
    organiser.post(address, given | APPLY)
    assert models.NameReport.objects.get().decision == "It is not."


@pytest.mark.parametrize(
    ("kind", "page"), [("question", ""), ("namereport", ""), ("namereport", "?answered"), ("player", "{}/")]
)
def test_a_role_of_ones_own_reads_only_the_questions_or_reports_that_it_may_see(round_, kind, page):
    ann, at = player("Ann"), cast.DURING
    models.Question.objects.create(round=round_, player=ann, text="A question.", asked_at=at)
    models.Question.objects.create(round=round_, player=ann, text="An old question.", asked_at=at, answered_at=at)
    models.NameReport.objects.create(player=ann, kind="offensive", text="A namereport.", reported_at=at)
    user = User.objects.create_user("member", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename=f"view_{kind}"))
    text = signed_in(user).get(f"/en/desk/people/{page.format(ann.pk)}").text
    seen = [known for known in ("A question.", "An old question.", "A namereport.") if known in text]
    assert seen == {"question": ["A question."], "namereport": ["A namereport."], "player": []}[kind]


def test_the_desk_finds_a_resting_name_in_any_spelling_and_ends_its_rest(round_, organiser):
    """Rule 15.6."""
    acts.erase(player("Ann"), None)
    page = organiser.get("/en/desk/people/all/?q=ANN").content.decode()
    assert "Nobody can use it before" in page
    url = f"/en/desk/people/resting/{models.RestingName.objects.get().pk}/do/lift_rest/"
    assert url in page
    assert organiser.post(url, {"reason": "", **APPLY}).status_code == 422
    organiser.post(url, {"reason": "The same person."})
    assert models.RestingName.objects.exists()
    organiser.post(url, {"reason": "The same person.", **APPLY})
    assert not models.RestingName.objects.exists()
    assert models.AuditEntry.objects.get(act="lift rest").reason == "The same person."


@pytest.fixture
def weekly(round_):
    return cast.a_series(round_.closes_at + DAY)


def effects(client, round_, act: str, **given) -> list[str]:
    return client.post(f"/en/desk/rounds/{round_.number}/do/{act}/", {**WHY, **given}).context["expected"].effects


def test_final_results_name_champions_the_draw_emails_and_ratings(organiser, round_):
    times_ = {"asked_at": cast.DURING, "confirmed_at": cast.DURING}
    models.Subscriber.objects.create(email="a@b.example", key="k", wants_results=True, **times_)
    with clock.set_to(cast.AFTER):
        titles, *others = effects(organiser, round_, "finalise")
    assert titles == "Titles: Moves champion: Ann, Pushes champion: Ann, Second champion: Bob."
    assert others == [
        "The draw finds no lucky player.",
        "1 email about the results is sent.",
        "The ratings of 2 players change.",
    ]


def test_a_later_close_names_the_rounds_of_series_that_it_blocks(organiser, round_, weekly):
    later = timezone.localtime(round_.closes_at + 2 * DAY)
    opens = times.format_minute(weekly.first_opens_at)
    message = f"Weekly leaves out its round of {opens}: this round is open then."
    assert effects(organiser, round_, "extend", closes_at=f"{later:%Y-%m-%dT%H:%M}") == [message]
    sooner = timezone.localtime(round_.closes_at + DAY / 2)
    assert effects(organiser, round_, "extend", closes_at=f"{sooner:%Y-%m-%dT%H:%M}") == []


def test_a_cancellation_says_where_the_levels_go(organiser, round_):
    assert effects(organiser, round_, "cancel") == [
        "Its levels stay public, with all that is public about them now. No series takes them again."
    ]
    level = a_level(3)
    with clock.set_to(round_.opens_at - DAY):
        shelf.use_level(level, round_, models.Slot.EXTRA, at=round_.opens_at - DAY, by=None)
        messages = effects(organiser, round_, "cancel")
    assert messages == [
        "Its levels stay secret: players never see them in this round. Another round may use them.",
        "1 of them is in the library, where you can add it to another round.",
    ]
    assert models.LibraryLevel.objects.get(pk=level.pk).used_in == round_


def given(round_, name):
    ann = models.Player.objects.get(nickname="Ann")
    if name == "extend":
        return cast.DURING, {"closes_at": "2036-01-01 00:00"}
    if name == "lift":
        ruling = rulings.disqualify(round_, ann, Reason(en="Two names."), at=AFTER, by=None)
        return AFTER, {"ruling": ruling.pk}
    if name == "revise":
        results.finalise(round_, at=AFTER, by=None)
    own = {"void-level": {"level": round_.levels.get(slot="extra").pk}, "disqualify": {"player": ann.pk, "note": ""}}
    return AFTER, own.get(name, {})


@pytest.mark.parametrize("name", sorted(PUBLIC.keys() - {"make-up"}))
def test_the_reason_of_an_act_on_a_round_is_on_its_page(organiser, round_, name):
    at, fields = given(round_, name)
    with clock.set_to(at):
        address = f"{DESK}rounds/1/do/{name}/"
        assert ON_ROUND_PAGE in organiser.get(address).text
        assert organiser.post(address, {**fields, **FAIR}).status_code == 302
    with clock.set_to(at + timedelta(minutes=1)):
        assert FAIR["reason_en"] in Client().get("/en/rounds/1/").text


def test_the_reason_of_a_void_is_beside_the_submission_and_on_its_receipt(organiser, round_):
    sent = round_.submissions.first()
    with clock.set_to(AFTER):
        address = f"{DESK}submissions/{sent.pk}/do/void/"
        shown = organiser.get(address).text
        assert ("in the round&#x27;s list of submissions, and on its receipt" in shown, ON_ROUND_PAGE in shown) == (
            True, False
        )  # fmt: skip
        assert organiser.post(address, {**FAIR, "note": ""}).status_code == 302
        for page in ("/en/rounds/1/submissions/", sent.get_absolute_url()):
            assert FAIR["reason_en"] in Client().get(page, headers={"Accept-Language": "en"}).text, page
        assert "Everybody will read" not in organiser.get(address.replace("void", "unvoid")).text
        assert "is public" not in organiser.get(address.replace("do/void", "do/unvoid")).text


def test_home_tells_that_proposals_wait(organiser, round_):
    facts = {"text": cast.CORRIDOR, "width": 6, "height": 3, "boxes": 1, "made_at": BEFORE, "sent_at": BEFORE}
    models.Proposal.objects.create(state="sent", **facts)
    models.Proposal.objects.create(state="declined", decided_at=BEFORE, **facts)
    shown = organiser.get(DESK).text
    assert ("1 proposed level waits" in shown, f"{DESK}proposals/" in shown) == (True, True)


def test_an_organiser_challenges_and_stops_the_machine(organiser, closed):
    """Rule 20.5."""
    act, given = f"{DESK}rounds/1/do/", {"level": closed.levels.get(slot=models.Slot.MAIN).pk, "seconds": 30}
    assert organiser.post(f"{act}machine/", given | APPLY | {"seconds": 9}).status_code == 422
    organiser.post(f"{act}machine/", given)
    assert not models.Search.objects.exists(), "the first request previews"
    organiser.post(f"{act}machine/", given | APPLY)
    assert models.Search.objects.values_list("seconds", "state").get() == (30, "queued")
    organiser.post(f"{act}stop-machine/", APPLY)
    assert models.Search.objects.get().state == models.SearchState.CANCELLED


def test_the_round_lists_counted_entries_of_a_proposer(organiser, round_):
    """Rules 4.15, 15.2: organisers decide about names that came to light after the entry."""
    level = round_.levels.get(slot=models.Slot.MAIN)
    facts = {"text": level.text, "key": level.key, "width": 6, "height": 3, "boxes": 1, "state": "sent"}
    ann = models.Player.objects.get(nickname="Ann")
    models.Proposal.objects.create(player=ann, made_at=BEFORE, sent_at=BEFORE, **facts)
    assert "Ann proposed “Main”." in organiser.get(f"{DESK}rounds/1/").text
    models.Submission.objects.update(is_hors_concours=True)
    assert "proposed “Main”" not in organiser.get(f"{DESK}rounds/1/").text
