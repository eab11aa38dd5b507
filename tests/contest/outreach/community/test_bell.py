from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.utils import translation

from contest import results
from contest.infra import clock
from contest.models import Event, LevelResult, Player, Prize, Proposal, ProposalComment, Round, Star, Submission
from contest.outreach import events, prizes
from contest.outreach.community import bell, comments, stars
from contest.outreach.newsletter import own_news
from contest.players import accounts, acts
from contest.players.names import keys
from contest.rankings import collected as rankings
from contest.results import rulings
from contest.rounds import lifecycle
from contest.visibility import Viewer
from contest.wording.bilingual import Reason
from tests import cast
from tests.contest.outreach.community.conftest import person, viewer

HOUR = timedelta(hours=1)


def news_of(*nicknames: str, kind: str = "") -> list[tuple[str, str, str]]:
    news_items = bell.list_news(viewer(*nicknames), AnonymousUser(), clock.now())
    rounds = (bell.ANNOUNCED, bell.OPENED, bell.FINAL)
    wanted = [item for item in news_items if (item.kind == kind if kind else item.kind not in rounds)]
    return [(item.kind, str(item.who or ""), item.level_name or str(item.round or item.title)) for item in wanted]


@pytest.fixture
def running(db):
    with clock.set_to(cast.DURING):
        round_ = cast.a_round()
        cast.enter(round_, "Ann", 9, 3, at=clock.now())
        with clock.set_to(cast.DURING + HOUR):
            yield round_


def test_a_passed_player_is_notified_for_thirty_days_even_during_the_round(running):
    """Rules 7.4, 27.6: the boards are public anyway; several results on one level are one notification."""
    for place, name in enumerate(("Bo", "Cy")):
        cast.enter(running, name, 8 - place, 4, at=clock.now() + place * HOUR)
    with clock.set_to(clock.now() + 2 * HOUR):
        (one,) = [one for one in bell.list_news(viewer("Ann"), AnonymousUser(), clock.now()) if one.kind == bell.PASSED]
        assert (str(one.who), one.others, one.level_name) == ("Cy", 1, "main of 1")
        assert news_of("Cy") == []
        assert bell.list_news(Viewer(), AnonymousUser(), clock.now()) == []
    with clock.set_to(clock.now() + HOUR + timedelta(days=bell.DAYS)):
        assert news_of("Ann") == []


def test_equal_void_and_own_results_or_a_lost_lead_give_no_notification(running):
    """Rules 1.7, 3.9, 27.6."""
    cast.enter(running, "Cy", 9, 3, at=clock.now())
    assert news_of("Ann") == []
    sent = cast.enter(running, "Bo", 8, 3, at=clock.now())
    assert news_of("Ann")
    assert news_of("Ann", "Bo") == []
    results.rulings.void(sent, results.rulings.Reason(zh="", en="Why"), at=clock.now(), by=None)
    assert news_of("Ann") == []
    cast.enter(running, "Bo", 8, 2, at=clock.now() + HOUR)
    cast.enter(running, "Ann", 7, 1, at=clock.now() + 2 * HOUR)
    assert news_of("Ann") == []


def test_a_player_already_ahead_passes_nobody_by_improving(running):
    cast.enter(running, "Bo", 8, 4, at=cast.DURING - HOUR)
    cast.enter(running, "Bo", 7, 2, at=clock.now())
    assert news_of("Ann") == [("passed", "Bo", "main of 1")]  # by pushes: 3 were fewer than Bo's 4
    cast.enter(running, "Cy", 8, 2, at=cast.DURING - HOUR)
    cast.enter(running, "Cy", 7, 1, at=clock.now())
    assert news_of("Ann") == [("passed", "Bo", "main of 1")]


def solve(level, nickname: str, moves: int, pushes: int, at) -> None:
    player = person(nickname)
    number = LevelResult.objects.count()
    sent = {"lurd": "", "sha256": f"{number:064}", "moves": moves, "pushes": pushes, "received_at": at}
    result = LevelResult.objects.create(
        receipt_id=f"collected{number}", level=level, player=player, sent_as=player, **sent
    )
    rankings.enter(result)


def test_followers_of_a_player_or_a_level_are_notified_of_a_lead(running):
    """Rule 27.6; only from public events."""
    cast.enter(running, "Bo", 8, 2, at=clock.now())
    assert news_of("Eve") == []
    stars.follow(person("Bo"), viewer=viewer("Eve"), at=clock.now())
    stars.follow(running.levels.get(slot="main"), viewer=viewer("Fay"), at=clock.now())
    for sent in running.submissions.all():  # the events of verdicts, which `cast.enter` leaves out
        Event.objects.write("accepted", str(sent.pk), sent.received_at, round_id=running.pk, submission=sent)
    events.record_events(clock.now())
    for name in ("Eve", "Fay"):
        assert set(news_of(name)) == {("best", "Bo", "main of 1")}


def test_a_lead_in_a_collection_is_reported_to_followers_only(revealed, collected):
    """Rule 27.6; the passed player is notified, too (rule 26.2)."""
    stars.follow(person("Bo"), viewer=viewer("Eve"), at=clock.now())
    stars.follow(collected, viewer=viewer("Fay"), at=clock.now())
    solve(collected, "Bo", 8, 4, clock.now() - 2 * HOUR)
    solve(collected, "Cy", 9, 3, clock.now() - HOUR)
    solve(collected, "Dee", 9, 4, clock.now() - 3 * HOUR)
    assert news_of("Eve") == [("best", "Bo", "corridors 1")]
    assert sorted(news_of("Fay")) == [("best", "Bo", "corridors 1"), ("best", "Cy", "corridors 1")]
    assert news_of("Gus") == []
    assert news_of("Dee") == [("passed", "Cy", "corridors 1")]


def test_rounds_are_reported_when_they_become_public(revealed):
    """Rules 2.8, 7.10, 27.6: a draft never, nor a cancelled one."""
    at = clock.now()
    coming = cast.a_round(2, opens_at=at + timedelta(days=9), closes_at=at + timedelta(days=30), announced_at=at)
    cast.a_round(3, opens_at=at + timedelta(days=40), closes_at=at + timedelta(days=60), announced_at=None)
    events.record_events(clock.now())
    assert news_of("Ann", kind=bell.ANNOUNCED) == [("announced", "", "Round 2"), ("announced", "", "Round 1")]
    with clock.set_to(coming.opens_at):
        events.record_events(clock.now())
        assert ("opened", "", "Round 2") in news_of("Ann", kind=bell.OPENED)
        Round.objects.update(cancelled_at=clock.now())
        assert news_of("Ann", kind=bell.OPENED) == []


def test_a_reply_is_reported_while_it_is_public(level, collected):
    for subject, name in ((level, "main of 1"), (collected, "corridors 1")):
        shared = {"viewer": viewer("Eve", "Bo"), "at": clock.now()}
        question = comments.write(subject, person("Eve"), "Why?", **shared)
        answer = comments.write(subject, person("Bo"), "So.", answers=question, **shared)
        assert news_of("Eve") == [("answered", "Bo", name)]
        assert bell.ANSWERED not in {kind for kind, *_rest in news_of("Bo")}
        comments.hide(answer, None, reason="Rude.", at=clock.now())
        assert news_of("Eve") == []


def test_two_hundred_newer_names_of_the_same_account_hide_no_news(running):
    """A stranger can enter an account's address for any number of names."""
    cast.enter(running, "Bo", 8, 4, at=clock.now())
    names = [keys(f"Name {number}") | {"nickname": f"Name {number}"} for number in range(bell.MOST)]
    at = clock.now() + HOUR
    many = Player.objects.bulk_create(Player(created_at=at, **name) for name in names)
    reader = Viewer(proved=viewer("Ann").players | {player.pk for player in many})
    assert "passed" in {item.kind for item in bell.list_news(reader, AnonymousUser(), at)}


def follow(target, *nicknames: str) -> None:
    stars.follow(target, viewer=viewer(*nicknames), at=clock.now())


def test_a_player_and_levels_of_rounds_and_collections_are_followed_once_each(level, collected, monkeypatch):
    """Rule 27.6: all names of one reader count together; the stars are in the export (rule 27.5)."""
    for target in (person("Bo"), level, collected) * 2:
        follow(target, "Ann")
    follow(level, "Cy", "Ann")
    assert stars.list_stars(viewer("Ann")).count() == Star.objects.count() == 3
    assert {row["level__slot"] for row in accounts.export(person("Ann"))["follows"]} == {"main", None}
    monkeypatch.setattr(stars, "MOST", 3)
    with pytest.raises(ValidationError, match="already"):
        follow(person("Dee"), "Ann")
    for target in (person("Bo"), level, collected):
        stars.unfollow(target, viewer=viewer("Cy", "Ann"))
    assert not Star.objects.exists()
    with pytest.raises(ValidationError, match="need a nickname"):
        stars.follow(level, viewer=Viewer(), at=clock.now())
    with pytest.raises(ValidationError, match="This is you"):
        follow(person("Ann"), "Ann")


def test_a_merge_moves_stars_without_duplicates(level):
    """Rules 4.13, 27.5."""
    follow(level, "Ann")
    follow(level, "Bo")
    follow(person("Cy"), "Bo")
    cast.merge(person("Bo"), person("Ann"), None, reason="one person")
    assert stars.list_stars(viewer("Ann")).count() == 2
    cast.unmerge(person("Bo"), None, reason="two people")
    assert [stars.list_stars(viewer(name)).count() for name in ("Ann", "Bo")] == [1, 2]
    acts.erase(person("Cy"), None)
    assert stars.list_stars(viewer("Bo")).count() == 1


REVEALED_AT = cast.CLOSES + timedelta(days=2)
REASON = Reason(zh="代交。", en="Sent by a friend.")


@pytest.fixture
def sent(db):
    round_ = cast.a_round()
    cast.enter_all(round_, [("Bo", 8, 4)])
    with clock.set_to(REVEALED_AT), translation.override("en"):
        yield cast.enter(round_, "Ann", 9, 3, at=cast.DURING)


def own_items(sent: Submission) -> list[tuple[str, str, str]]:
    items = bell.list_news(Viewer(frozenset({sent.player_id})), None, REVEALED_AT + timedelta(hours=1))
    return [(item.kind, item.address, own_news._sentence(item)) for item in items if item.kind in bell.OWN]


def test_a_void_and_its_end(sent):
    rulings.void(sent, REASON, at=REVEALED_AT, by=None)
    [(kind, address, text)] = own_items(sent)
    assert (kind, address) == ("void", sent.get_absolute_url())
    assert own_items(Submission.objects.get(player__nickname="Bo")) == []
    assert f"Your submission {sent.number} to Round 1 is void: it is not ranked." in text
    assert "Sent by a friend." in text
    with translation.override("zh-hans"):
        assert "代交。" in own_items(sent)[0][2]
    with clock.set_to(REVEALED_AT + timedelta(minutes=1)):
        rulings.unvoid(sent, "Mistaken.", by=None)
    [(kind, _address, text)] = own_items(sent)
    assert (kind, "Mistaken" in text) == ("restored", False)


def test_a_disqualification_and_its_end(sent):
    ruling = rulings.disqualify(sent.round, sent.player, REASON, at=REVEALED_AT, by=None)
    [(kind, address, text)] = own_items(sent)
    assert (kind, address) == ("disqualified", sent.round.get_absolute_url())
    assert own_items(Submission.objects.get(player__nickname="Bo")) == []
    assert "Sent by a friend." in text
    rulings.lift(ruling, Reason(en="Proved."), at=REVEALED_AT + timedelta(minutes=1), by=None)
    [(kind, _address, text)] = own_items(sent)
    assert (kind, "Proved." in text) == ("lifted", True)


def test_a_void_level_and_a_changed_verdict(sent):
    lifecycle.void_slot(sent.level, REASON, at=REVEALED_AT, by=None)
    [(kind, address, text)] = own_items(sent)
    assert (kind, address, "Sent by a friend." in text) == ("void-level", sent.level.get_absolute_url(), True)
    Event.objects.write(Event.Kind.REJUDGED, "1:1", REVEALED_AT, round_id=sent.round_id, submission=sent)
    assert {kind for kind, *_more in own_items(sent)} == {"void-level", "rejudged"}


def test_a_prize(sent):
    results.finalise(sent.round, at=REVEALED_AT, by=None)
    prize = Prize.objects.create(round=sent.round, what_zh="魔方", what_en="a cube")
    prizes.award(prize, sent.player, by=None)
    [(kind, address, text)] = own_items(sent)
    assert (kind, address) == ("prize", f"/en/me/{sent.player_id}/prizes/")
    assert "You have won a prize in Round 1, a cube: enter where to send it." in text
    prizes.award(prize, None, by=None)
    assert own_items(sent) == []


@pytest.mark.parametrize(
    ("state", "kinds"), [("declined", ["declined"]), ("accepted", ["commented", "taken"]), ("review", ["commented"])]
)
def test_an_answer_to_a_proposal(sent, state, kinds):
    facts = {"text": sent.level.text, "width": 6, "height": 3, "boxes": 1, "made_at": cast.OPENS, "sent_at": cast.OPENS}
    proposal = Proposal.objects.create(player=sent.player, state=state, decided_at=REVEALED_AT, **facts)
    ProposalComment.objects.create(proposal=proposal, text="Too easy.", is_by_staff=True, written_at=REVEALED_AT)
    ProposalComment.objects.create(proposal=proposal, text="Is it?", is_by_staff=False, written_at=REVEALED_AT)
    assert [kind for kind, *_more in own_items(sent)] == kinds
