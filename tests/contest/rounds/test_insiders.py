import pytest
from django.contrib.auth.models import User

from contest import judging, players
from contest.infra import clock
from contest.library import proposals, shelf
from contest.library.proposals import Author
from contest.models import (
    GRADED_SLUG,
    Best,
    Door,
    LevelResult,
    LibraryLevel,
    Player,
    Proposal,
    Round,
    Run,
    RunMode,
    Slot,
)
from contest.players import accounts, acts
from contest.rounds import insiders
from contest.submissions import Entry, accept, sealed_answers
from contest.visibility import Viewer
from solvers import sokoban
from tests import cast
from tests.contest.rounds.conftest import BEFORE, a_player

pytestmark = pytest.mark.django_db
TURNED = "######|#.$-@#|######"
OTHER = "#######|#.$--@#|#######"


@pytest.fixture
def ann(db) -> Player:
    return a_player("Ann")


def proposed(player: Player | None, *, account: User | None = None, text: str = TURNED, **fields) -> Proposal:
    proposal = proposals.start(Author(account, player), text, "", title="Level", name="Somebody", at=BEFORE)
    Proposal.objects.filter(pk=proposal.pk).update(**{"state": "sent", "sent_at": BEFORE, **fields})
    return Proposal.objects.get(pk=proposal.pk)


def a_round(setting: str = "authors", **fields) -> Round:
    return cast.with_settings(cast.a_round(**fields), hors_concours=setting)


def enter(player: Player | str, viewer: Viewer | None = None, moves: str = "rR"):
    nickname = player.nickname if isinstance(player, Player) else player
    viewer = viewer or (Viewer(proved=frozenset([player.pk])) if isinstance(player, Player) else None)
    with clock.set_to(cast.DURING):
        sent = accept(Entry(nickname, moves), door=Door.API, viewer=viewer).submission
        judging.judge_until_empty()
    sent.refresh_from_db()
    return sent


@pytest.mark.parametrize("state", [Proposal.State.SENT, Proposal.State.ACCEPTED, Proposal.State.DECLINED])
def test_a_proposer_is_listed_and_never_ranked(ann, state):
    """Rule 4.15: by default, with the level turned or not, whatever became of the proposal."""
    assert cast.a_round(2, **cast.earlier(9)).settings["hors_concours"] == "authors"
    proposed(ann, state=state)
    a_round()
    sent = enter(ann)
    assert (sent.is_hors_concours, sent.verdict) == (True, "accepted")
    assert not Best.objects.exists()
    assert not enter("Stranger").is_hors_concours
    assert Best.objects.exists()


@pytest.mark.parametrize(
    ("setting", "fields"),
    [("authors", {"state": "draft", "sent_at": None}), ("authors", {"sent_at": cast.OPENS}), ("none", {}), ("", {})],
)
def test_nobody_is_bound_by_a_proposal_not_sent_before_the_opening_or_in_a_round_that_ranks_proposers(
    ann, setting, fields
):
    """Rule 4.15: from the opening on anybody may copy the level."""
    proposed(ann, **fields)
    a_round(setting)
    assert not enter(ann).is_hors_concours


@pytest.mark.parametrize(
    ("first", "text", "solution", "is_bound"),
    [(TURNED, TURNED, "lL", True), (TURNED, OTHER, "llL", False), (OTHER, TURNED, "lL", False)],
)
def test_a_level_that_is_sent_again_after_the_opening_still_binds(ann, first, text, solution, is_bound):
    """Rule 4.15: unless it was changed since."""
    proposal = proposed(ann, text=first, state="withdrawn")
    a_round()
    draft = proposals.take_up_again(proposal, proposal.version)
    given = {"text": text, "title": "A", "author": "A", "licence": "cc0", "note": "", "solution": solution}
    draft = proposals.save(draft, given, draft.version)
    assert proposals.send(draft, Viewer(), at=cast.DURING, version=draft.version).state == "sent"
    assert enter(ann).is_hors_concours is is_bound


def test_a_proposer_is_bound_under_every_name_and_account(ann, account):
    other, alias, claimed = a_player("Other", account), a_player("Alias"), a_player("Claimed")
    cast.merge(alias, other, None, reason="one person")
    proposed(None, account=account)
    a_round()
    for name in (other, "Alias"):
        assert enter(name, Viewer(proved=frozenset([other.pk])), "rrR" if name == "Alias" else "rR").is_hors_concours
    assert enter(claimed, Viewer(proved=frozenset([claimed.pk, other.pk]))).is_hors_concours
    assert enter("Fresh", Viewer(account=account.pk)).is_hors_concours
    assert not enter(ann).is_hors_concours


def test_a_level_that_organisers_changed_is_still_its_proposers(ann):
    proposal = proposed(ann, text=cast.CORNER, state="accepted")
    round_ = a_round()
    round_.levels.filter(slot=Slot.EXTRA).delete()
    level = LibraryLevel(title="Level", author="Somebody")
    board = sokoban.Level.parse(cast.CORRIDOR)
    level = shelf.store_level(level, board, "rR", at=BEFORE, by=None, is_confirmed=True)
    assert not insiders.list_insiders(round_)
    LibraryLevel.objects.filter(pk=level.pk).update(used_in=round_)
    Proposal.objects.filter(pk=proposal.pk).update(kept_as=level)
    assert enter(ann).is_hors_concours


def test_the_named_author_is_bound_if_the_name_belongs_to_an_account(ann, account):
    """Rule 4.15: but not by another person's proposal, which could exclude any rival."""
    author, other = a_player("Author", account), a_player("Second name", account)
    round_ = a_round()
    assert enter(other).is_hors_concours
    assert not enter(ann).is_hors_concours
    assert {str(insider) for insider in insiders.list_insiders(round_)} == {
        "Author is named as the author of “Main”.",
        "Author is named as the author of “Extra”.",
    }
    Player.objects.filter(pk=author.pk).update(owner=None)
    assert not insiders.list_insiders(round_)


def test_an_author_with_an_account_is_bound_after_a_change_of_name(account):
    """The attack: rename before the round, which leaves the old name without an account."""
    author = a_player("Author", account)
    acts.rename(author, "Another", None)
    round_ = a_round()
    assert enter(Player.objects.get(pk=author.pk)).is_hors_concours
    assert {insider.player.nickname for insider in insiders.list_insiders(round_)} == {"Another"}


@pytest.mark.parametrize("is_by_hand", [False, True])
def test_an_accepted_proposal_excludes_no_rival(ann, account, is_by_hand):
    """Rule 4.15: also if organisers copied the level into the round."""
    rival = a_player("Author", account)
    round_ = a_round()
    for level in round_.levels.all():
        stored = shelf.store_level(
            LibraryLevel(title=level.title, author="Author"), level.board, level.solution,
            at=BEFORE, by=None, is_confirmed=True,
        )  # fmt: skip
        LibraryLevel.objects.filter(pk=stored.pk).update(used_in=None if is_by_hand else round_)
        proposed(ann, text=level.text, state="accepted", kept_as=stored)
    assert not enter(rival).is_hors_concours
    assert enter(ann).is_hors_concours


@pytest.mark.parametrize(("setting", "is_bound"), [("authors", False), ("authors and solvers", True)])
def test_earlier_solvers_are_bound_where_the_round_says_so(ann, setting, is_bound):
    """Rule 4.15: in earlier rounds, in practice, in collections and in runs, with the level turned or not."""
    bob, cleo, dan = map(a_player, ("Bob", "Cleo", "Dan"))
    past = cast.a_round(2, **cast.earlier(9))
    cast.enter(past, "Ann", 2, 1, at=past.opens_at)
    level = cast.a_collection(GRADED_SLUG, ["#####|#@$.#|#####", TURNED]).levels.get(place=2)
    counts = {"moves": 2, "pushes": 1, "received_at": BEFORE}
    LevelResult.objects.create(level=level, player=bob, sent_as=bob, lurd="lL", **counts)
    for player, solutions in ((cleo, "1:R 2:lL"), (dan, "1:R 12:lL")):
        Run.objects.create(
            receipt_id=player.nickname, nonce=player.nickname, mode=RunMode.TWENTY, player=player, sent_as=player,
            started_at=BEFORE, day=BEFORE.date(), solved=2, milliseconds=9, solutions=solutions, is_ranked=True,
            **counts,
        )  # fmt: skip
    round_ = a_round(setting)
    for player in (ann, bob, cleo):
        assert enter(player).is_hors_concours is is_bound
    assert not enter(dan).is_hors_concours
    assert len(insiders.list_insiders(round_)) == 3 * is_bound


def test_nobody_excludes_a_rival_by_giving_a_new_name_the_rivals_address(account):
    """Rules 4.11, 4.15: the rival's account owns that name, but a stranger may have proposed the level under it."""
    rival = a_player("Rival", account)
    bait = players.create("Bait", country="", email="rival@example.org", at=BEFORE)[0]
    proposed(bait, state="accepted")
    accounts.own_by_addresses(account, ["rival@example.org"])
    a_round()
    viewer = Viewer(proved=frozenset([rival.pk, bait.pk]), account=account.pk)
    assert not enter(rival, viewer).is_hors_concours
    assert enter("Bait", viewer, "rrR").is_hors_concours
    assert [str(insider.player) for insider in insiders.late_insiders(Round.objects.get())] == ["Rival"]


def test_a_sealed_answer_is_bound_too(ann):
    """Rules 4.15, 5.11."""
    proposed(ann)
    cast.with_settings(a_round(), sealed_answers=True)
    with clock.set_to(cast.DURING):
        answer = sealed_answers.seal(sealed_answers.SealedEntry(1, "main", 2, 1, "0" * 64), ann, door=Door.API).answer
    assert answer.is_hors_concours


def test_practice_is_for_everybody(ann):
    """Rules 4.15, 20.1."""
    proposed(ann)
    a_round()
    with clock.set_to(cast.AFTER):
        sent = accept(Entry("Ann", "rR", round=1, practice=True), door=Door.API, viewer=Viewer(proved={ann.pk}))
    assert not sent.submission.is_hors_concours


@pytest.mark.parametrize("how", ["by a merge", "by an account", "by an address"])
def test_a_name_found_to_be_a_proposers_after_its_entry_is_reported_to_the_organisers(account, how):
    """Rules 4.15, 15.2: the entry stays as its leaf binds it; organisers may disqualify."""
    ann = a_player("Ann", account)
    proposed(ann)
    round_, second = a_round(), a_player("Second")
    assert not enter(second).is_hors_concours
    assert not insiders.late_insiders(round_)
    if how == "by a merge":
        cast.merge(ann, second, None, reason="one person")
    else:
        email = "ann@example.org" if how == "by an address" else ""
        Player.objects.filter(pk=second.pk).update(owner=account, email=email)
    assert [str(insider) for insider in insiders.late_insiders(round_)] == ["Second proposed “Main”."]
