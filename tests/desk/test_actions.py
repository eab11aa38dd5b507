"""Acts on the desk: each says first what it would change, and changes nothing until it is pressed a second time."""

import pytest
from django.db import connection

from contest import results
from contest.infra import clock
from contest.models import AuditEntry, Disqualification, Level, NameReport, Player, Round, Submission
from contest.organising import impact
from contest.results import rulings
from contest.wording.bilingual import Reason
from tests import cast

pytestmark = pytest.mark.django_db

WHY = {"reason_zh": "原因", "reason_en": "Why."}
SECRET_MOVES = "rrrrllllR"


def said(answer) -> str:
    return answer.content.decode()


def changes(answer) -> set[tuple[str, str, str, str]]:
    return {(str(one.player), one.table, one.before, one.after) for one in answer.context["expected"].changes}


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


def player(name: str) -> Player:
    return Player.objects.get(nickname=name)


def best_of(name: str) -> Submission:
    return Submission.objects.get(player=player(name))


def everything():
    rows = (Round, Level, Submission, Player, Disqualification, NameReport, AuditEntry)
    return [list(row.objects.order_by("pk").values()) for row in rows]


def test_a_void_says_who_moves_up_before_it_is_done(organiser, round_):
    """Rules 8.8, 15.1."""
    address = f"/en/desk/submissions/{best_of('Ann').pk}/do/void/"
    before = everything()
    shown = organiser.post(address, WHY)
    assert ("Bob", "Main by moves", "2", "1") in changes(shown)
    assert ("Ann", "Main by moves", "1", "") in changes(shown)
    assert ("Ann", "points", "39.5", "") in changes(shown)
    assert everything() == before
    organiser.post(address, WHY | {"do": "apply"})
    assert best_of("Ann").void_reason_zh == "原因"


@pytest.fixture
def counted_in(monkeypatch):
    """For each count of the tables, the rounds and how many transactions it was counted in."""
    found, as_before = [], impact._all_tables

    def count(keys, at):
        found.append((list(keys), len(connection.savepoint_ids)))
        return as_before(keys, at)

    monkeypatch.setattr(impact, "_all_tables", count)
    return found


def test_the_tables_before_an_act_are_counted_before_others_are_kept_from_writing(organiser, round_, counted_in):
    organiser.post(f"/en/desk/submissions/{best_of('Ann').pk}/do/void/", WHY)
    (before, outside), (after, inside) = counted_in
    assert before == after == [round_.pk]
    assert outside < inside


def test_an_act_that_moves_no_table_counts_none(organiser, round_, counted_in):
    shown = organiser.post(f"/en/desk/people/{player('Ann').pk}/do/rename/", {"nickname": "Anna", "reason": "Asked."})
    assert [entry.act for entry in shown.context["expected"].entries] == ["rename"]
    assert [keys for keys, _inside in counted_in] == [[], []]


def test_a_void_is_taken_back_on_the_desk(organiser, round_):
    """Rule 15.3."""
    address = f"/en/desk/submissions/{best_of('Ann').pk}/do/"
    organiser.post(address + "void/", WHY | {"do": "apply"})
    assert ("Ann", "Main by moves", "", "1") in changes(organiser.post(address + "unvoid/", WHY))
    organiser.post(address + "unvoid/", WHY | {"do": "apply"})
    assert best_of("Ann").voided_at is None
    assert set(AuditEntry.objects.values_list("act", flat=True)) == {"void", "unvoid"}


def test_an_act_without_a_public_reason_is_asked_for_one_and_keeps_what_was_typed(organiser, round_):
    """Rule 15.1."""
    answer = organiser.post(f"/en/desk/submissions/{best_of('Ann').pk}/do/void/", {"note": "Long thoughts."})
    assert answer.status_code == 422
    assert "Give a reason, in Chinese, in English or in both" in said(answer)
    assert answer.context["form"]["note"].value() == "Long thoughts."


def test_a_disqualification_is_looked_at_done_and_lifted(organiser, round_):
    """Rules 15.2, 15.3."""
    given = WHY | {"player": player("Ann").pk}
    assert ("Bob", "Main by pushes", "2", "1") in changes(organiser.post("/en/desk/rounds/1/do/disqualify/", given))
    assert not Disqualification.objects.exists()
    organiser.post("/en/desk/rounds/1/do/disqualify/", given | {"do": "apply"})
    ruling = Disqualification.objects.get()
    organiser.post("/en/desk/rounds/1/do/lift/", WHY | {"ruling": ruling.pk, "do": "apply"})
    assert Disqualification.objects.get().lifted_at


def test_a_level_made_void_says_that_it_cannot_be_taken_back(organiser, round_):
    """Rule 2.10."""
    given = WHY | {"level": round_.levels.get(slot="main").pk}
    shown = said(organiser.post("/en/desk/rounds/1/do/void-level/", given))
    assert "This cannot be undone." in shown
    assert "Everybody will read" in shown
    assert not Level.objects.exclude(voided_at=None).exists()


def test_a_merge_says_what_it_does_to_every_table(organiser, round_):
    """Rule 4.13."""
    address = f"/en/desk/people/{player('Bob').pk}/do/merge/"
    given = {"into": player("Ann").pk, "reason": "One person."}
    assert ("Bob", "Main by moves", "2", "") in changes(organiser.post(address, given))
    assert player("Bob").merged_into is None
    organiser.post(address, given | {"do": "apply"})
    assert player("Bob").merged_into == player("Ann")
    organiser.post(f"/en/desk/people/{player('Bob').pk}/do/unmerge/", {"reason": "Two after all.", "do": "apply"})
    assert player("Bob").merged_into is None


def test_a_player_is_found_however_the_name_is_spelt_and_renamed(organiser, round_):
    """Rules 4.5, 4.13."""
    found = organiser.get("/en/desk/people/all/?q=ＡＮＮ").context["chosen"]
    assert [one.nickname for one in found] == ["Ann"]
    address = f"/en/desk/people/{found[0].pk}/do/rename/"
    organiser.post(address, {"nickname": "Anna", "reason": "Asked for.", "do": "apply"})
    assert Player.objects.get(pk=found[0].pk).nickname == "Anna"


def test_an_act_on_a_final_round_says_that_a_revision_must_follow(organiser, closed):
    """Rule 14.4."""
    results.finalise(closed, at=cast.AFTER, by=None)
    shown = organiser.post(f"/en/desk/submissions/{best_of('Ann').pk}/do/void/", WHY)
    assert "Round 1 is final: its published results and points stay until you revise them." in said(shown)
    assert not [one for one in shown.context["expected"].changes if one.table == "points"]


def test_a_revision_says_whose_points_and_titles_change(organiser, closed):
    """Rules 14.4, 14.5."""
    results.finalise(closed, at=cast.AFTER, by=None)
    rulings.void(best_of("Ann"), Reason("原因", "Why."), at=cast.AFTER, by=None)
    shown = organiser.post("/en/desk/rounds/1/do/revise/", WHY)
    assert ("Bob", "points", "37.5", "39.5") in changes(shown)
    assert ("Bob", "Moves champion", "", "✓") in changes(shown)
    assert closed.snapshots.count() == 1


def test_finalising_twice_makes_one_snapshot_and_an_answer_in_words(organiser, closed):
    """Rule 14.2."""
    address = "/en/desk/rounds/1/do/finalise/"
    organiser.post(address, {"do": "apply"})
    again = organiser.post(address, {"do": "apply"}, follow=True)
    assert "“Make the results final” cannot be done now." in said(again)
    assert closed.snapshots.count() == 1


def test_publishing_twice_and_going_back_are_answered_in_words(organiser):
    with clock.set_to(cast.OPENS - (cast.AFTER - cast.CLOSES)):
        cast.a_round(announced_at=None)
        organiser.post("/en/desk/rounds/1/publish/")
        again = organiser.post("/en/desk/rounds/1/publish/", follow=True)
    assert "The round is announced already." in said(again)
    assert AuditEntry.objects.filter(act="change round").count() == 1


def test_a_level_taken_out_in_another_tab_keeps_the_round_from_being_published(organiser):
    with clock.set_to(cast.OPENS - (cast.AFTER - cast.CLOSES)):
        cast.a_round(announced_at=None)
        assert organiser.get("/en/desk/rounds/1/preview/", follow=True).status_code == 200
        organiser.post("/en/desk/rounds/1/clear/main/")
        answer = organiser.post("/en/desk/rounds/1/publish/", follow=True)
    assert "There is no main level yet." in said(answer)
    assert Round.objects.get().announced_at is None


def test_moves_of_an_open_round_are_shown_to_no_organiser(organiser, round_):
    """Rule 7.3: an organiser may be a rival."""
    sent = best_of("Ann")
    Submission.objects.filter(pk=sent.pk).update(text=SECRET_MOVES.encode(), sha256="5" * 64)
    page = said(organiser.get(f"/en/desk/submissions/{sent.pk}/"))
    assert SECRET_MOVES not in page
    assert "5" * 64 not in page
    with clock.set_to(cast.AFTER):
        assert SECRET_MOVES in said(organiser.get(f"/en/desk/submissions/{sent.pk}/"))


def test_submissions_are_found_by_name_number_and_state(organiser, round_):
    number = best_of("Bob").pk
    base = "/en/desk/rounds/1/submissions/"
    rulings.void(best_of("Ann"), Reason("原因"), at=cast.DURING, by=None)
    for query, expected in (("?q=bo", ["Bob"]), (f"?q={number}", ["Bob"]), ("?standing=void", ["Ann"])):
        assert [one.player.nickname for one in organiser.get(base + query).context["chosen"]] == expected


def test_names_that_look_alike_wait_in_the_queue_until_somebody_decides(organiser, round_):
    for name in ("Martin", "Martn"):
        cast.enter(round_, name, 6, 1, at=cast.DURING)
    queue = organiser.get("/en/desk/people/").context["queue"]
    assert [{str(one) for one in item.pair} for item in queue] == [{"Martin", "Martn"}]
    organiser.post("/en/desk/people/lookalikes/", {"player": [player("Martin").pk, player("Martn").pk]})
    assert organiser.get("/en/desk/people/").context["queue"] == []
    assert AuditEntry.objects.get().act == "leave look-alikes"


def test_a_report_is_decided_on_the_desk(organiser, round_):
    """Rule 4.11."""
    reported = NameReport.objects.create(player=player("Ann"), kind="offensive", text="Rude.", reported_at=cast.DURING)
    assert "Rude." in said(organiser.get("/en/desk/people/"))
    address = f"/en/desk/people/reports/{reported.pk}/do/decide/"
    organiser.post(address, {"decision": "It is not."})
    assert NameReport.objects.get().decided_at is None
    organiser.post(address, {"decision": "It is not.", "do": "apply"})
    assert NameReport.objects.get().decision == "It is not."


@pytest.mark.parametrize(
    "address",
    ["rounds/1/submissions/", "people/", "people/all/", "rejudging/", "record/", "library/", "series/", "banner/"],
)
def test_lists_of_the_desk_ask_the_database_eight_times_at_most(
    organiser, round_, address, django_assert_max_num_queries
):
    """Besides session, user, rights and banner, which every page asks for."""
    for number in range(5):
        cast.enter(round_, f"Player {number}", 9, 9, at=cast.DURING)
    organiser.get(f"/en/desk/{address}")
    with django_assert_max_num_queries(8):
        assert organiser.get(f"/en/desk/{address}").status_code == 200


def test_the_desk_itself_asks_no_more_for_more_rounds(organiser, round_, django_assert_max_num_queries):
    """Eight, three for the state of the site, and one for what wants a revision."""
    for number in range(2, 9):
        opens_at = cast.OPENS + 40 * number * (cast.AFTER - cast.CLOSES) * 24
        times = {"opens_at": opens_at, "closes_at": opens_at + (cast.AFTER - cast.CLOSES)}
        cast.a_round(number, **times, announced_at=cast.OPENS)
    organiser.get("/en/desk/")
    with django_assert_max_num_queries(12):
        words = organiser.get("/en/desk/").context
    assert (len(words["rounds"]), len(words["coming"])) == (1, 2)
