"""Rule 27.6: notifications of a player, computed from existing rows."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser

from contest import results
from contest.infra import clock
from contest.models import LevelResult, Proposal, Round
from contest.outreach import events
from contest.outreach.community import bell, comments, stars
from contest.players import acts, merging
from contest.rankings import collected as rankings
from contest.visibility import Viewer
from tests import cast
from tests.contest.outreach.community.conftest import person, viewer

HOUR = timedelta(hours=1)


def told(*nicknames: str, kind: str = "") -> list[tuple[str, str, str]]:
    """Return kind, actor and level or round of each notification; rounds only if their kind is given."""
    found = bell.news(viewer(*nicknames), AnonymousUser(), clock.now())
    rounds = (bell.ANNOUNCED, bell.OPENED, bell.FINAL)
    wanted = [one for one in found if (one.kind == kind if kind else one.kind not in rounds)]
    return [(one.kind, str(one.who or ""), one.level_name or str(one.round or one.title)) for one in wanted]


@pytest.fixture
def running(db):
    """An open round that Ann has solved."""
    with clock.set_to(cast.DURING):
        round_ = cast.a_round()
        cast.enter(round_, "Ann", 9, 3, at=clock.now())
        with clock.set_to(cast.DURING + HOUR):
            yield round_


def test_who_is_passed_is_told_even_while_the_round_is_open_for_thirty_days(running):
    """Rules 7.4, 27.6: the boards are public anyway; several results on one level are one notification."""
    for place, name in enumerate(("Bo", "Cy")):
        cast.enter(running, name, 8 - place, 4, at=clock.now() + place * HOUR)
    with clock.set_to(clock.now() + 2 * HOUR):
        (one,) = [one for one in bell.news(viewer("Ann"), AnonymousUser(), clock.now()) if one.kind == bell.PASSED]
        assert (str(one.who), one.others, one.level_name) == ("Cy", 1, "main of 1")
        assert told("Cy") == []
        assert bell.news(Viewer(), AnonymousUser(), clock.now()) == []
    with clock.set_to(clock.now() + HOUR + timedelta(days=bell.DAYS)):
        assert told("Ann") == []


def test_nobody_is_passed_by_an_equal_or_void_result_or_by_themselves_or_who_has_passed_back(running):
    """Rules 1.7, 3.9, 27.6."""
    cast.enter(running, "Cy", 9, 3, at=clock.now())
    assert told("Ann") == []
    sent = cast.enter(running, "Bo", 8, 3, at=clock.now())
    assert told("Ann")
    assert told("Ann", "Bo") == []
    results.rulings.void(sent, results.rulings.Reason(zh="", en="Why"), at=clock.now(), by=None)
    assert told("Ann") == []
    cast.enter(running, "Bo", 8, 2, at=clock.now() + HOUR)
    cast.enter(running, "Ann", 7, 1, at=clock.now() + 2 * HOUR)
    assert told("Ann") == []


def test_who_was_ahead_before_has_passed_nobody_by_getting_better(running):
    """Rule 27.6."""
    cast.enter(running, "Bo", 8, 4, at=cast.DURING - HOUR)
    cast.enter(running, "Bo", 7, 2, at=clock.now())
    assert told("Ann") == [("passed", "Bo", "main of 1")]  # by pushes: 3 were fewer than Bo's 4
    cast.enter(running, "Cy", 8, 2, at=cast.DURING - HOUR)
    cast.enter(running, "Cy", 7, 1, at=clock.now())
    assert told("Ann") == [("passed", "Bo", "main of 1")]


def solve(level, nickname: str, moves: int, pushes: int, at) -> None:
    player = person(nickname)
    number = LevelResult.objects.count()
    sent = {"lurd": "", "sha256": f"{number:064}", "moves": moves, "pushes": pushes, "received_at": at}
    result = LevelResult.objects.create(
        receipt_id=f"collected{number}", level=level, player=player, sent_as=player, **sent
    )
    rankings.enter(result)


def test_a_lead_of_a_player_or_on_a_level_one_follows_is_told(running):
    """Rule 27.6; only from public events."""
    cast.enter(running, "Bo", 8, 2, at=clock.now())
    assert told("Eve") == []
    stars.follow(person("Bo"), viewer=viewer("Eve"), at=clock.now())
    stars.follow(running.levels.get(slot="main"), viewer=viewer("Fay"), at=clock.now())
    tell_of(running)
    for name in ("Eve", "Fay"):
        assert set(told(name)) == {("best", "Bo", "main of 1")}


def tell_of(round_: Round) -> None:
    """Create the events of verdicts, which `cast.enter` leaves out."""
    for sent in round_.submissions.filter(verdict="accepted"):
        events.Event.objects.get_or_create(
            kind="accepted", key=str(sent.pk), defaults={"at": sent.received_at, "round": round_, "submission": sent}
        )
    events.record_events(clock.now())


def test_a_lead_in_a_collection_is_told_to_followers_alone(revealed, collected):
    """Rule 27.6; the passed player is notified, too (rule 26.2)."""
    stars.follow(person("Bo"), viewer=viewer("Eve"), at=clock.now())
    stars.follow(collected, viewer=viewer("Fay"), at=clock.now())
    solve(collected, "Bo", 8, 4, clock.now() - 2 * HOUR)
    solve(collected, "Cy", 9, 3, clock.now() - HOUR)
    solve(collected, "Dee", 9, 4, clock.now() - 3 * HOUR)
    assert told("Eve") == [("best", "Bo", "corridors 1")]
    assert sorted(told("Fay")) == [("best", "Bo", "corridors 1"), ("best", "Cy", "corridors 1")]
    assert told("Gus") == []
    assert told("Dee") == [("passed", "Cy", "corridors 1")]


def test_rounds_are_told_as_they_become_public(revealed):
    """Rules 2.8, 7.10, 27.6: a draft never, nor a cancelled one."""
    at = clock.now()
    coming = cast.a_round(2, opens_at=at + timedelta(days=9), closes_at=at + timedelta(days=30), announced_at=at)
    cast.a_round(3, opens_at=at + timedelta(days=40), closes_at=at + timedelta(days=60), announced_at=None)
    events.record_events(clock.now())
    assert told("Ann", kind=bell.ANNOUNCED) == [("announced", "", "Round 2"), ("announced", "", "Round 1")]
    with clock.set_to(coming.opens_at):
        events.record_events(clock.now())
        assert ("opened", "", "Round 2") in told("Ann", kind=bell.OPENED)
        Round.objects.update(cancelled_at=clock.now())
        assert told("Ann", kind=bell.OPENED) == []


def test_an_author_is_told_that_a_proposal_was_accepted(revealed):
    """Rule 27.6."""
    at = clock.now()
    facts = {"text": "", "width": 5, "height": 3, "boxes": 1, "made_at": at, "sent_at": at, "title": "Long way"}
    Proposal.objects.create(player=person("Eve"), state="accepted", decided_at=at, **facts)
    Proposal.objects.create(player=person("Eve"), state="declined", decided_at=at, **facts)
    assert told("Eve") == [("taken", "", "Long way")]
    assert told("Fay") == []


def test_who_is_answered_is_told_while_the_answer_may_be_read(level, collected):
    """Rule 27.6."""
    for subject, name in ((level, "main of 1"), (collected, "corridors 1")):
        shared = {"viewer": viewer("Eve", "Bo"), "at": clock.now()}
        asked = comments.write(subject, person("Eve"), "Why?", **shared)
        answer = comments.write(subject, person("Bo"), "So.", answers=asked, **shared)
        assert told("Eve") == [("answered", "Bo", name)]
        assert bell.ANSWERED not in {kind for kind, *_words in told("Bo")}
        comments.hide(answer, None, reason="Rude.", at=clock.now())
        assert told("Eve") == []


def test_what_was_read_is_new_no_more(running):
    """Rule 27.6."""
    cast.enter(running, "Bo", 8, 4, at=clock.now())
    later = clock.now() + HOUR
    assert bell.count(viewer("Ann"), AnonymousUser(), later) == 1
    bell.mark_read(viewer("Ann"), later)
    assert bell.count(viewer("Ann"), AnonymousUser(), later) == 0
    assert told("Ann") == [("passed", "Bo", "main of 1")]


def test_following_holds_through_a_merge_and_ends_with_an_erasure(running):
    """Rules 4.13, 15.6, 27.5."""
    stars.follow(person("Bo"), viewer=viewer("Eve"), at=clock.now())
    cast.enter(running, "Cy", 8, 2, at=clock.now())
    merging.merge(person("Bo"), person("Cy"), None, reason="one person")
    tell_of(running)
    assert set(told("Eve")) == {("best", "Cy", "main of 1")}
    assert [star.living for star in stars.of(viewer("Eve"))] == [person("Cy")]
    acts.erase(person("Cy"), None)
    assert not stars.of(viewer("Eve")).exists()
