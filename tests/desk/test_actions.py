"""Acts on the desk: each first shows its effects, and changes nothing until it is confirmed."""

import pytest

from contest import results
from contest.infra import clock
from contest.models import (
    AuditEntry,
    Disqualification,
    Level,
    NameReport,
    Player,
    RestingName,
    Round,
    State,
    Submission,
)
from contest.players import acts
from contest.results import rulings
from contest.wording.bilingual import Reason
from tests import cast

pytestmark = pytest.mark.django_db

WHY, APPLY = {"reason_zh": "原因", "reason_en": "Why."}, {"do": "apply"}
SECRET_MOVES = "rrrrllllR"


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


def player(name: str) -> Player:
    return Player.objects.get(nickname=name)


def best_of(name: str) -> Submission:
    return Submission.objects.get(player=player(name))


def all_rows():
    rows = (Round, Level, Submission, Player, Disqualification, NameReport, AuditEntry)
    return [list(row.objects.order_by("pk").values()) for row in rows]


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
    assert set(AuditEntry.objects.values_list("act", flat=True)) == {"void", "unvoid"}


def test_a_disqualification_is_previewed_done_and_lifted(organiser, round_):
    """Rules 15.2, 15.3."""
    given = WHY | {"player": player("Ann").pk}
    assert ("Bob", "Main by pushes", "2", "1") in changes(organiser.post("/en/desk/rounds/1/do/disqualify/", given))
    assert not Disqualification.objects.exists()
    organiser.post("/en/desk/rounds/1/do/disqualify/", given | APPLY)
    ruling = Disqualification.objects.get()
    organiser.post("/en/desk/rounds/1/do/lift/", WHY | APPLY | {"ruling": ruling.pk})
    assert Disqualification.objects.get().lifted_at


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


def test_moves_of_an_open_round_are_shown_to_no_organiser(organiser, round_):
    """Rule 7.3: an organiser may also be a rival."""
    sent = best_of("Ann")
    Submission.objects.filter(pk=sent.pk).update(text=SECRET_MOVES.encode(), sha256="5" * 64)
    page = organiser.get(f"/en/desk/submissions/{sent.pk}/").text
    assert SECRET_MOVES not in page
    assert "5" * 64 not in page
    with clock.set_to(cast.AFTER):
        assert SECRET_MOVES in organiser.get(f"/en/desk/submissions/{sent.pk}/").text


def test_a_verdict_is_one_word_before_the_reveal_and_then_a_sentence(organiser, round_):
    """Rule 7.3: the sentence quotes the moves. A submission without a verdict has none to quote."""
    cast.send("Cy", "rR")

    def shown(name: str) -> str:
        return str(organiser.get(f"/en/desk/submissions/{best_of(name).pk}/").context["verdict"])

    assert shown("Ann") == "accepted"
    with clock.set_to(cast.AFTER):
        assert shown("Ann").startswith("Solves ")
    assert shown("Cy") == "Being judged."
    Submission.objects.filter(player=player("Cy")).update(state=State.QUARANTINED)
    assert shown("Cy").startswith("Waiting for an organiser")


def test_a_submission_that_is_held_goes_back_to_the_judge(organiser, round_):
    """Rule 6.13."""
    cast.send("Cy", "rR")
    release, given = f"/en/desk/submissions/{best_of('Cy').pk}/do/release/", {"reason": "Mended."} | APPLY
    assert organiser.get(release).status_code == organiser.post(release, given).status_code == 302
    assert not AuditEntry.objects.filter(reason="Mended.").exists(), "it is not held"
    Submission.objects.filter(player=player("Cy")).update(state=State.QUARANTINED)
    organiser.post(release, given)
    assert best_of("Cy").state == State.QUEUED
    assert AuditEntry.objects.filter(reason="Mended.").exists()


def test_similar_names_wait_in_the_queue_for_a_decision(organiser, round_):
    for name in ("Martin", "Martn"):
        cast.enter(round_, name, 6, 1, at=cast.DURING)
    queue = organiser.get("/en/desk/people/").context["queue"]
    assert [{str(player) for player in item.pair} for item in queue] == [{"Martin", "Martn"}]
    assert organiser.post("/en/desk/people/lookalikes/", {"player": [player("Martin").pk]}).status_code == 404
    organiser.post("/en/desk/people/lookalikes/", {"player": [player("Martin").pk, player("Martn").pk]})
    assert organiser.get("/en/desk/people/").context["queue"] == []
    assert AuditEntry.objects.get().act == "leave look-alikes"


def test_a_report_is_decided_on_the_desk(organiser, round_):
    """Rule 4.11."""
    reported = NameReport.objects.create(player=player("Ann"), kind="offensive", text="Rude.", reported_at=cast.DURING)
    assert "Rude." in organiser.get("/en/desk/people/").text
    address, given = f"/en/desk/people/reports/{reported.pk}/do/decide/", {"decision": "It is not."}
    organiser.post(address, given)
    assert NameReport.objects.get().decided_at is None
    organiser.post(address, given | APPLY)
    assert NameReport.objects.get().decision == "It is not."


def test_the_desk_finds_a_resting_name_in_any_spelling_and_ends_its_rest(round_, organiser):
    """Rule 15.6."""
    acts.erase(player("Ann"), None)
    page = organiser.get("/en/desk/people/all/?q=ANN").content.decode()
    assert "Nobody can use it before" in page
    url = f"/en/desk/people/resting/{RestingName.objects.get().pk}/do/lift_rest/"
    assert url in page
    assert organiser.post(url, {"reason": "", **APPLY}).status_code == 422
    organiser.post(url, {"reason": "The same person."})
    assert RestingName.objects.exists()
    organiser.post(url, {"reason": "The same person.", **APPLY})
    assert not RestingName.objects.exists()
    assert AuditEntry.objects.get(act="lift rest").reason == "The same person."
