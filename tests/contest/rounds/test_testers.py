from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError

from contest import levels, players, rounds, visibility
from contest.infra import clock
from contest.library import shelf
from contest.models import AuditEntry, Door, Player, Round, Tester
from contest.players import accounts, acts
from contest.rounds import testers
from contest.submissions import Entry, accept
from contest.visibility import Viewer
from tests import cast
from tests.contest.rounds.conftest import BEFORE, a_player

pytestmark = pytest.mark.django_db
NOBODY = Viewer()


@pytest.fixture
def tina(account) -> Player:
    return a_player("Tina", account)


@pytest.fixture
def draft(db) -> Round:
    return cast.a_round(announced_at=None)


def agreed(round_: Round, player: Player, *reported: Player, viewer: Viewer = NOBODY) -> Tester:
    tester = testers.invite(round_, player, at=BEFORE, by=None)
    testers.agree(tester, reported, viewer=viewer, at=BEFORE, by=player.owner)
    return Tester.objects.get(pk=tester.pk)


def opened(round_: Round, **settings: str) -> Round:
    round_ = Round.objects.get(pk=round_.pk)
    round_.settings = {**round_.settings, **settings}
    rounds.save(round_, at=BEFORE, by=None)
    return rounds.announce(round_, at=BEFORE, by=None)


def another(**level: str) -> Round:
    round_ = Round(number=9, opens_at=cast.OPENS, closes_at=cast.CLOSES)
    rounds.save(round_, at=BEFORE, by=None)
    cast.a_level(round_, **level)
    return round_


def refusal_of(nickname: str, viewer: Viewer) -> str:
    with clock.set_to(cast.DURING):
        return cast.refused(accept, Entry(nickname, "rR"), door=Door.WEB, viewer=viewer).code


def enter(nickname: str, viewer: Viewer):
    with clock.set_to(cast.DURING):
        return accept(Entry(nickname, "rR"), door=Door.WEB, viewer=viewer).submission


def viewer_with_proof(*proved: Player) -> Viewer:
    return Viewer(proved=frozenset(player.pk for player in proved))


def test_levels_are_seen_after_agreeing_and_until_the_opening(draft, tina):
    tester = testers.invite(draft, tina, at=BEFORE, by=None)
    assert not visibility.tested_levels(tester, BEFORE)
    testers.agree(tester, [], viewer=NOBODY, at=BEFORE, by=tester.account)
    tester = Tester.objects.select_related("round").get()
    assert [level.slot for level in visibility.tested_levels(tester, BEFORE)] == ["main", "extra"]
    assert "solution" in visibility.tested_levels(tester, BEFORE)[0].get_deferred_fields()
    opened(draft)
    tester = Tester.objects.select_related("round").get()
    assert visibility.tested_levels(tester, BEFORE)
    assert not visibility.tested_levels(tester, cast.DURING)
    testers.take_off(tester, at=BEFORE, by=None)
    assert not visibility.tested_levels(Tester.objects.get(), BEFORE)


def test_a_tester_is_refused_under_every_name(draft, tina, account):
    """Rule 4.14: names of the account, and names that a browser proves, now or when a level is viewed."""
    other, claimed, later = a_player("Other", account), a_player("Claimed"), a_player("Later")
    tester = agreed(draft, tina, claimed, viewer=viewer_with_proof(claimed))
    assert not tester.told.exists()
    testers.record_view(tester, draft.levels.first(), viewer=viewer_with_proof(later), at=BEFORE, by=account)
    opened(draft)
    for player in (tina, other, claimed, later):
        assert refusal_of(player.nickname, viewer_with_proof(player)) == "not_allowed"
    assert refusal_of("Brand new", viewer_with_proof(claimed)) == "not_allowed"
    stranger = a_player("Stranger")
    assert not enter("Stranger", viewer_with_proof(stranger)).is_hors_concours


def test_no_tester_bars_a_rival_by_giving_a_name_the_rivals_address(draft, tina):
    """Rules 4.11, 4.14: the rival's account owns the tester's other name."""
    rival = players.create("Rival", country="", email="", at=BEFORE)[0]
    bait = players.create("Bait", country="", email="rival@example.org", at=BEFORE)[0]
    agreed(draft, tina, viewer=viewer_with_proof(bait))
    opened(draft)
    assert not enter("Rival", viewer_with_proof(rival, bait)).is_hors_concours
    assert refusal_of("Bait", viewer_with_proof(bait)) == "not_allowed"


def test_a_reported_name_is_bound_by_an_organiser(draft, tina):
    """Rule 4.14: otherwise a tester could exclude a rival."""
    reported, stranger, rival = a_player("Told"), a_player("Stranger"), a_player("Rival")
    tester = agreed(draft, tina, reported, rival)
    for player in (reported, stranger):
        testers.bind_reported(tester, player, by=None)
    assert AuditEntry.objects.get(act="bind names of tester").after == {"players": [reported.pk]}
    assert list(tester.told.all()) == [rival]
    opened(draft)
    assert refusal_of("Told", viewer_with_proof(reported)) == "not_allowed"
    for player in (stranger, rival):
        assert not enter(player.nickname, viewer_with_proof(player)).is_hors_concours


@pytest.mark.parametrize("when", ["agreed", "opened", "taken off"])
def test_a_withdrawn_invitation_cannot_be_accepted(draft, tina, when):
    """Rule 4.14: nobody can add names to the list of a round that others play."""
    tester = testers.invite(draft, tina, at=BEFORE, by=None) if when == "opened" else agreed(draft, tina)
    if when == "taken off":
        testers.take_off(tester, at=BEFORE, by=None)
    opened(draft)
    rival = a_player("Rival")
    with pytest.raises(ValidationError):
        testers.agree(
            tester,
            [rival],
            viewer=viewer_with_proof(rival),
            at=cast.DURING if when == "opened" else BEFORE,
            by=tina.owner,
        )
    assert not enter("Rival", viewer_with_proof(rival)).is_hors_concours
    if when == "opened":  # and never agreed
        assert not enter("Tina", viewer_with_proof(tina)).is_hors_concours


def test_where_organisers_may_enter_a_tester_is_hors_concours(draft, tina):
    """Rule 4.10."""
    agreed(draft, tina)
    opened(draft, organisers_may_enter="hors concours")
    assert enter("Tina", viewer_with_proof(tina)).is_hors_concours


def test_a_viewed_level_excludes_its_tester_from_every_round_with_it(draft, tina, account):
    """Rule 4.14: also if the draft is deleted, and for any rotation or reflection of the level."""
    tester = agreed(draft, tina)
    key = draft.levels.get(slot="main").key
    testers.record_view(tester, draft.levels.get(slot="main"), viewer=NOBODY, at=BEFORE, by=account)
    shelf.delete_draft(draft, at=BEFORE, by=None)
    later = rounds.announce(another(), at=BEFORE, by=None)
    assert later.levels.get().key == key
    assert refusal_of("Tina", viewer_with_proof(tina)) == "not_allowed"
    assert not visibility.tested_levels(Tester.objects.select_related("round").get(round=later), BEFORE)


def test_a_level_not_viewed_excludes_nobody(draft, tina):
    agreed(draft, tina)
    shelf.delete_draft(draft, at=BEFORE, by=None)
    rounds.announce(another(), at=BEFORE, by=None)
    assert not enter("Tina", viewer_with_proof(tina)).is_hors_concours


def test_a_tester_needs_an_account_is_no_organiser_and_is_invited_before_the_opening(draft, tina):
    organiser = a_player("Olga", User.objects.create_user("staff", is_staff=True))
    testers.invite(draft, tina, at=BEFORE, by=None)
    for player in (None, a_player("Somebody"), organiser, tina):
        assert cast.refusal_of(testers.invite, draft, player, at=BEFORE, by=None)
    assert cast.refusal_of(testers.invite, opened(draft), tina, at=cast.DURING, by=None)


def test_every_action_and_every_view_is_recorded(draft, tina, account):
    """Rule 15.3: at most one view per level and minute, however often the page is requested."""
    tester = agreed(draft, tina)
    for slot, seconds in (("main", 0), ("main", 20), ("extra", 30), ("main", 59), ("main", 60), ("main", 100)):
        at = BEFORE + timedelta(seconds=seconds)
        with clock.set_to(at):
            testers.record_view(tester, draft.levels.get(slot=slot), viewer=NOBODY, at=at, by=account)
    testers.take_off(tester, at=BEFORE, by=None)
    entries = AuditEntry.objects.filter(target="round 1").order_by("pk")
    looks = ["look at test"] * 3
    assert [entry.act for entry in entries] == ["name tester", "agree to test", *looks, "take tester off"]
    assert [entry.after["slot"] for entry in entries.filter(act="look at test")] == ["main", "extra", "main"]


def test_an_erased_player_is_in_no_list_of_names(draft, tina):
    """Rule 15.6."""
    reported = a_player("Told")
    tester = agreed(draft, tina, reported)
    for player in (tina, reported):
        acts.erase(player, None)
    assert not tester.names.exists()
    assert not tester.told.exists()


def test_viewing_a_level_of_another_announced_round_excludes_the_tester_from_that_round(draft, tina, account):
    """Rule 4.14: in either order of view and announcement; no name is listed twice."""
    claimed = a_player("Claimed")
    tester = agreed(draft, tina, viewer=viewer_with_proof(claimed))
    other = rounds.announce(another(text="######|#.$-@#|######", solution="lL"), at=BEFORE, by=None)
    assert not Tester.objects.filter(round=other).exists()
    testers.record_view(tester, draft.levels.get(slot="main"), viewer=NOBODY, at=BEFORE, by=account)
    for player in (tina, claimed):
        assert refusal_of(player.nickname, viewer_with_proof(player)) == "not_allowed"


def test_a_closed_round_with_the_level_excludes_nobody_later(draft, tina, account):
    old = cast.a_round(9, **cast.earlier(9))
    testers.record_view(agreed(draft, tina), draft.levels.get(slot="main"), viewer=NOBODY, at=BEFORE, by=account)
    assert not Tester.objects.filter(round=old).exists()


def test_a_name_reported_later_is_bound_in_the_other_rounds_too(draft, tina, account):
    """Rule 4.14: added by the browser, or by an organiser."""
    later, reported = a_player("Later"), a_player("Told")
    tester = agreed(draft, tina, reported)
    testers.record_view(tester, draft.levels.get(slot="main"), viewer=NOBODY, at=BEFORE, by=account)
    rounds.announce(another(), at=BEFORE, by=None)
    testers.record_view(tester, draft.levels.get(slot="extra"), viewer=viewer_with_proof(later), at=BEFORE, by=account)
    testers.bind_reported(tester, reported, by=None)
    for player in (tina, later, reported):
        assert refusal_of(player.nickname, viewer_with_proof(player)) == "not_allowed"


def test_testers_with_closed_accounts_stay_separate(draft, tina, account):
    """Rule 4.14: however often a round is viewed again, each tester keeps one row and their own names."""
    zoe = a_player("Zoe", User.objects.create_user("zoe"))
    unasked = a_player("Unasked", User.objects.create_user("unasked"))
    for player in (tina, zoe):
        tester = agreed(draft, player)
        testers.record_view(tester, draft.levels.get(slot="main"), viewer=NOBODY, at=BEFORE, by=player.owner)
    other = another()
    testers.invite(other, unasked, at=BEFORE, by=None)
    for player in (tina, zoe, unasked):
        accounts.close(player.owner)
    rounds.announce(other, at=BEFORE, by=None)
    draft.levels.all().delete()
    extra = levels.check(cast.CORNER, cast.SOLUTIONS["extra"], title="", author="", round_id=other.pk, slot="extra")
    rounds.put_level(other, "extra", extra, title="", author="", at=BEFORE, by=None)
    rows = Tester.objects.bound().filter(round=other).order_by("pk")
    assert [list(row.names.all()) for row in rows] == [[tina], [zoe]]
    for player in (tina, zoe):
        assert refusal_of(player.nickname, viewer_with_proof(player)) == "not_allowed"
    assert not enter("Unasked", viewer_with_proof(unasked)).is_hors_concours


@pytest.mark.parametrize("how", ["merged", "released", "closed"])
def test_a_name_merged_with_a_testers_or_released_by_the_account_is_refused(draft, tina, account, how):
    """Rule 4.13."""
    other = a_player("Other", None if how == "merged" else account)
    agreed(draft, tina)
    opened(draft)
    {
        "merged": lambda: cast.merge(tina, other, None, reason="One person."),
        "released": lambda: accounts.release_name(other, account),
        "closed": lambda: accounts.close(account),
    }[how]()
    assert refusal_of("Other", viewer_with_proof(other)) == "not_allowed"
