import logging
from datetime import timedelta
from unittest.mock import Mock

import pytest

import solvers
from contest import visibility
from contest.infra import clock
from contest.models import Certificate, CertificateKind, CollectedLevel, Level, Round, Search, SearchKind
from contest.vetting import certificates, orders, searcher, shown, worker
from solvers import sokoban
from solvers.sokoban.solving.certificates import checking
from tests import cast

pytestmark = pytest.mark.django_db
WEEK = timedelta(days=7)


@pytest.fixture
def level(db) -> Level:
    cast.a_round()
    with clock.set_to(cast.AFTER):
        level = Level.objects.select_related("round").get(slot="extra")
        shown._new_study(level, cast.AFTER).save()
        worker.work_until_empty(lambda: None)
    return level


def public(at=cast.AFTER):
    return [(row.kind, row.number) for row in visibility.certificates(at).order_by("-kind")]


def test_a_study_stores_what_it_proved_with_certificates_that_the_checker_accepts(level):
    assert public() == [("pushes", 2), ("moves", 5)]
    for row in Certificate.objects.all():
        message = checking.check_apart(bytes(row.content), level.text, seconds=10)
        assert message.startswith(f"PROVED: no solution has fewer than {row.number} {row.kind}, ")
        assert (row.size, row.engine, row.made_at) == (len(row.content), solvers.__version__, cast.AFTER)


@pytest.mark.clock(cast.OPENS)
def test_vetting_certifies_for_organisers_and_changes_nothing_for_others(level):
    """Rule 7.4: a draft with an old board must not show in what is public of the old level."""
    Search.objects.filter(kind=SearchKind.STUDY).delete()
    never = sokoban.Level.parse("#####|#$--#|#-@.#|#####")
    orders.queue_vettings([level.board, never], seconds=10)
    worker.work_until_empty(lambda: None)
    kinds = Certificate.objects.values_list("search__sha256", "kind")
    assert set(kinds) == {(level.sha256, "pushes"), (level.sha256, "moves"), (never.sha256, "unsolvable")}
    assert public() == []


@pytest.mark.parametrize(
    ("change", "at"),
    [
        (lambda: None, cast.DURING),
        (lambda: Round.objects.update(reveal_waits_until=cast.CLOSES + WEEK), cast.AFTER),
        (lambda: Round.objects.update(cancelled_at=cast.DURING), cast.AFTER),
        (lambda: Round.objects.update(settings={"solutions_public": "never"}), cast.AFTER),
        (lambda: Level.objects.update(voided_at=cast.AFTER), cast.AFTER),
        (lambda: Level.objects.update(sha256="0" * 64), cast.AFTER),
        (lambda: cast.a_round(2, opens_at=cast.AFTER, closes_at=cast.AFTER + WEEK), cast.AFTER + WEEK / 2),
    ],
    ids=["open", "waiting", "cancelled", "solutions hidden", "void", "another board", "in play elsewhere"],
)
def test_a_certificate_is_hidden_like_a_solution_and_like_none(level, client, change, at):
    """Rules 3.10, 7.3, 7.4, 20.4: its address answers like one that never was."""
    change()
    assert public(at) == []
    pages = {}
    for sha256 in (Certificate.objects.values_list("sha256", flat=True)[0], "0" * 64):
        with clock.set_to(at):
            answer = client.get(f"/certificates/{sha256}.xz")
        pages[answer.content.decode().replace(sha256, "")] = answer.status_code
    assert list(pages.values()) == [404]


def test_a_wrong_certificate_is_logged_and_not_stored(level, search_process, caplog):
    right = dict(Certificate.objects.values_list("kind", "content"))
    Certificate.objects.all().delete()
    Search.objects.update(state="queued")
    answer = search_process.answer

    def forged(question, report):
        document = answer(question, report)
        document["certificates"]["pushes"]["number"] = 1
        document["certificates"]["moves"]["packed"] = document["certificates"]["pushes"]["packed"]
        return document

    search_process.answer = forged
    with clock.set_to(cast.AFTER):
        worker.work_until_empty(lambda: None)
    assert (len(right), Certificate.objects.count()) == (2, 0)
    assert len([record for record in caplog.records if "is not accepted" in record.message]) == 2


def test_an_optimum_with_too_large_a_certificate_is_stored_without_it(level, monkeypatch):
    monkeypatch.setattr(searcher, "_CERTIFICATE_SECONDS", -1)
    Certificate.objects.filter(kind="moves").delete()
    Search.objects.update(state="queued")
    with clock.set_to(cast.AFTER):
        worker.work_until_empty(lambda: None)
    sizes = dict(Certificate.objects.values_list("kind", "size"))
    assert sizes["moves"] == 0
    assert sizes["pushes"] > 0, "the one from the earlier attempt"


def test_a_result_that_beats_a_proved_number_raises_an_alarm_and_withdraws_the_certificate(level, caplog):
    Certificate.objects.filter(kind=CertificateKind.MOVES).update(number=6)
    with clock.set_to(cast.AFTER):
        assert ("moves", 6) in public()
        cast.submit("Ann", "rDldR", slot="extra", round=1, practice=True)
        worker.tidy()
    assert public() == [("pushes", 2)]
    assert [record.levelno for record in caplog.records if "impossible" in record.message] == [logging.CRITICAL]


def test_proofs_are_queued_for_proved_levels_of_collections_and_for_older_studies(level, settings):
    collection = cast.a_collection(boards=(cast.CORRIDOR, cast.CORNER))
    collection.levels.filter(place=1).update(least_moves=2, least_pushes=1)
    Certificate.objects.all().delete()
    settings.STUDY_SECONDS = 0
    assert certificates.queue_due(cast.AFTER) == 0
    settings.STUDY_SECONDS = 5
    with clock.set_to(cast.AFTER):
        assert [certificates.queue_due(cast.AFTER) for _ in range(2)] == [2, 0]
        worker.work_until_empty(lambda: None)
    assert sorted(public()) == [("moves", 2), ("moves", 5), ("pushes", 1), ("pushes", 2)]
    CollectedLevel.objects.filter(place=1).update(best_moves=1)
    assert ("moves", 2) not in public(), "beaten, which is impossible"
    CollectedLevel.objects.update(is_public=False)
    Level.objects.update(voided_at=cast.AFTER)
    assert public() == []


def test_a_cancelled_search_ends_its_check(monkeypatch):
    monkeypatch.setattr(checking, "checker", lambda: b"while True: pass")
    with pytest.raises(worker._ClaimLost):
        checking.check_apart(b"", "", seconds=60, meanwhile=Mock(side_effect=worker._ClaimLost))
