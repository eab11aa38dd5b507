"""Acts under a nickname while it is merged or erased, and limits under concurrent requests (PostgreSQL)."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.test import override_settings

from contest import models, players, results
from contest.infra import clock
from contest.library import proposals
from contest.organising import desk_tokens
from contest.outreach import prizes, questions, webhooks
from contest.players import accounts, acts, api_tokens, claims, reports
from contest.rankings import ratings
from contest.replays import practice
from contest.results import revisions, rulings
from contest.submissions import Entry, Refused
from contest.submissions import at_once as judged_at_once
from contest.visibility import Viewer
from contest.wording.bilingual import Reason
from tests import cast
from tests.contest import test_at_once
from tests.contest.test_at_once import at_once
from tests.desk.conftest import signed_in

pytestmark = test_at_once.pytestmark


@pytest.fixture
def ann():
    with clock.set_to(cast.DURING):
        yield players.create("Ann", country="", email="ann@example.org", at=cast.OPENS)[0]


@pytest.fixture
def bo():
    return players.create("Bo", country="", email="", at=cast.OPENS)[0]


def everything_of(player: models.Player) -> list[Callable[[], object]]:
    round_, viewer = cast.a_round(), Viewer(proved=frozenset([player.pk]))
    old = cast.a_round(2, **cast.earlier(8), finalised_at=cast.OPENS)
    prize = models.Prize.objects.create(round=round_, what_en="Cup", what_zh="杯", player=player)
    return [
        lambda: questions.ask_question(round_, player, "May I?", viewer=viewer, at=cast.DURING),
        lambda: webhooks.create_webhook(player, "https://ann.example/", ["opened"], cast.DURING),
        lambda: proposals.start(proposals.Author(None, player), cast.CORRIDOR, "rR", at=cast.DURING),
        lambda: prizes.give_contact(prize, player, "Ann, 1 Road", at=cast.DURING, by=None),
        lambda: practice.start(old, player, viewer=viewer, at=cast.DURING),
    ]


@pytest.mark.parametrize("place", range(5))
def test_nothing_is_stored_for_a_player_erased_meanwhile(ann, place):
    """Rule 15.6."""
    act = everything_of(ann)[place]
    raised = at_once(lambda: acts.erase(ann, None), act)
    assert [type(error) for error in raised] == [type(None), acts.Impossible]
    stored = (models.Question, models.Webhook, models.Proposal, models.VirtualStart)
    assert not any(model.objects.exists() for model in stored)
    assert models.Prize.objects.get().contact == ""


@pytest.mark.parametrize("place", [0, 1, 2, 4])
def test_nothing_is_stored_under_a_name_that_is_merged_meanwhile(ann, bo, place):
    """Rule 4.13: nobody would see it afterwards."""
    act = everything_of(ann)[place]
    raised = at_once(lambda: cast.merge(ann, bo, None, reason="same"), act)
    assert [type(error) for error in raised] == [type(None), acts.Impossible]


@pytest.mark.parametrize("is_seen_first", [True, False])
def test_a_virtual_participation_begun_while_a_solution_is_shown_is_marked(ann, is_seen_first):
    """Rule 20.3."""
    round_, viewer = cast.a_round(2, **cast.earlier(8), finalised_at=cast.OPENS), Viewer(proved=frozenset([ann.pk]))
    both = [
        lambda: practice.record_all_seen(viewer, round_, cast.DURING),
        lambda: practice.start(round_, ann, viewer=viewer, at=cast.DURING),
    ]
    assert at_once(*(both if is_seen_first else both[::-1])) == [None, None]
    assert models.VirtualStart.objects.get().has_seen


def test_solutions_seen_under_a_name_that_is_merged_meanwhile_are_seen_by_its_player(ann, bo):
    """Rule 20.3."""
    round_, viewer = cast.a_round(2, **cast.earlier(8), finalised_at=cast.OPENS), Viewer(proved=frozenset([ann.pk]))
    see = partial(practice.record_all_seen, viewer, round_, cast.DURING)
    assert at_once(lambda: cast.merge(ann, bo, None, reason="same"), see) == [None, None]
    assert models.SeenSolutions.objects.get().player == bo


def test_a_stranger_keeps_no_key_to_the_player_that_a_name_is_merged_into_meanwhile(ann, bo):
    """Rule 4.11: the account that proves the address of one name owns both."""
    secret, owner = claims.renew(bo, None).secret, User.objects.create_user("ann")
    own = partial(accounts.own_by_addresses, owner, ["ann@example.org"])
    assert at_once(lambda: cast.merge(ann, bo, None, reason="same"), own) == [None, None]
    assert claims.find_claim(secret) is None


@pytest.mark.parametrize("state", ["sent", "accepted"])
@pytest.mark.parametrize("is_erased_first", [True, False])
def test_no_comment_on_a_proposal_outlasts_its_author_erased_meanwhile(ann, state, is_erased_first):
    """Rule 15.6."""
    proposal = proposals.start(proposals.Author(None, ann), cast.CORRIDOR, "rR", at=cast.DURING)
    models.Proposal.objects.update(state=state, sent_at=cast.DURING)
    write = partial(proposals.comment, proposal, "I am Ann.", at=cast.DURING, by=None, is_by_staff=False)
    both = [lambda: acts.erase(ann, None), write]
    raised = at_once(*(both if is_erased_first else both[::-1]))
    assert {type(error) for error in raised} <= {type(None), proposals.Stale, ValidationError}
    assert not models.ProposalComment.objects.exists()


def test_an_account_does_not_own_a_name_that_is_erased_meanwhile(ann):
    """Rule 15.6."""
    user = User.objects.create_user("ann")
    raised = at_once(lambda: acts.erase(ann, None), lambda: accounts.own_by_addresses(user, ["ann@example.org"]))
    ann.refresh_from_db()
    assert (raised, ann.owner) == ([None, None], None)


@pytest.mark.parametrize("is_closed_first", [True, False])
@pytest.mark.parametrize("by", ["claim", "address"])
def test_a_closed_account_owns_no_name_that_it_takes_over_meanwhile(ann, is_closed_first, by):
    """Rule 4.11: neither request is an error of the server."""
    user = User.objects.create_user("ann")
    own = {
        "claim": lambda: accounts.take_over(ann, user),
        "address": lambda: accounts.own_by_addresses(user, ["ann@example.org"]),
    }
    acts_at_once = [lambda: accounts.close(user), own[by]]
    raised = at_once(*(acts_at_once if is_closed_first else acts_at_once[::-1]))
    is_refused = is_closed_first and by == "claim"
    assert [type(error) for error in raised] == [type(None), acts.Impossible if is_refused else type(None)]
    ann.refresh_from_db()
    assert (ann.owner, User.objects.exists()) == (None, False)


@pytest.mark.parametrize("is_merged_first", [True, False])
def test_a_player_disqualified_during_a_merge_is_ranked_no_more(is_merged_first):
    """Rules 4.13, 15.2: results are computed from the ranked rows."""
    with clock.set_to(cast.DURING):
        round_ = cast.a_round()
        for moves, name in enumerate(("Ann", "Bo"), 2):
            cast.enter(round_, name, moves, 1, at=cast.DURING)
        ann, bo = (models.Player.objects.get(nickname=name) for name in ("Ann", "Bo"))
        both = [
            lambda: cast.merge(ann, bo, None, reason="same"),
            lambda: rulings.disqualify(round_, ann, Reason(en="because"), at=cast.DURING, by=None),
        ]
        assert at_once(*(both if is_merged_first else both[::-1])) == [None, None]
    assert not models.Best.objects.exists()


@pytest.mark.parametrize("is_merged_first", [True, False])
def test_results_made_final_during_a_merge_have_one_player_or_wait_for_a_revision(is_merged_first):
    """Rules 4.13, 14.4, 22.1."""
    earlier, later = test_at_once.two_closed_rounds()
    ann, bob = (models.Player.objects.get(nickname=name) for name in ("Ann", "Bob"))
    with clock.set_to(cast.AFTER):
        results.finalise(earlier, at=cast.AFTER, by=None)
        both = [
            lambda: cast.merge(ann, bob, None, reason="same"),
            lambda: results.finalise(later, at=cast.AFTER, by=None),
        ]
        assert at_once(*(both if is_merged_first else both[::-1])) == [None, None]
        made = test_at_once.rated()
        ratings.replay()
        due = [round_.number for round_ in revisions.find_due(cast.AFTER)]
    assert due == ([1] if is_merged_first else [1, 2])
    assert (made, {player for _round, player, _mu, _sigma in made} & {ann.pk}) == (test_at_once.rated(), set())


@pytest.mark.parametrize("by", ["link", "address"])
def test_a_name_given_to_its_owner_meanwhile_gives_a_stranger_no_token(ann, by):
    """Rule 4.11: both end all tokens of the name."""
    owner, link = User.objects.create_user("ann"), claims.link_token(ann, clock.now())
    give = {
        "link": lambda: claims.take_link(link, clock.now()),
        "address": lambda: accounts.own_by_addresses(owner, ["ann@example.org"]),
    }
    raised = at_once(give[by], lambda: api_tokens.make(ann, None, clock.now()))
    assert [type(error) for error in raised] == [type(None), api_tokens.TokenRefused]
    assert not ann.tokens.exists()


@pytest.mark.parametrize(
    "act",
    ["own", "own by address", "e-mail", "rename", "country", "renew", "revoke", "erase", "contact"],
)
def test_a_stranger_keeps_nothing_of_a_name_given_to_its_owner_meanwhile(ann, act):
    """Rules 4.11, 14.8: the organisers' link takes it from a stranger who knew its secret or held its address."""
    stranger = User.objects.create_user("stranger")
    if act in ("e-mail", "revoke"):
        models.Player.objects.filter(pk=ann.pk).update(owner=stranger)
        ann.refresh_from_db()
    prize = models.Prize.objects.create(round=cast.a_round(), what_en="Cup", what_zh="杯", player=ann)
    tries = {
        "own": lambda: accounts.take_over(ann, stranger),
        "own by address": lambda: accounts.own_by_addresses(stranger, ["ann@example.org"]),
        "e-mail": lambda: acts.set_email(ann, "stranger@example.org", stranger, is_verified=True),
        "rename": lambda: acts.rename_oneself(ann, "Stranger", None),
        "country": lambda: acts.set_country(ann, "TV", None),
        "renew": lambda: accounts.renew_secret(ann, None),
        "revoke": lambda: accounts.revoke_secrets(ann, stranger),
        "erase": lambda: accounts.erase_oneself(ann, None),
        "contact": lambda: prizes.give_contact(prize, ann, "1 Road", at=cast.DURING, by=None),
    }
    taken = []
    link = claims.link_token(ann, clock.now(), forgets=True)
    raised = at_once(lambda: taken.append(claims.take_link(link, clock.now())), tries[act])
    is_silent = act == "own by address"
    assert [type(error) for error in raised] == [type(None), type(None) if is_silent else acts.Impossible]
    claimed = claims.find_claim(taken[0].secret)
    assert claimed
    assert (claimed.player, claimed.player.owner, claimed.player.email) == (ann, None, "")
    assert (claimed.player.nickname, claimed.player.country, models.Prize.objects.get().contact) == ("Ann", "", "")


def test_the_button_of_the_calendars_address_pressed_twice_makes_one():
    browser = signed_in(User.objects.create_superuser("organiser", date_joined=clock.now()))
    press = partial(browser.post, "/en/desk/calendar/address/", {"new": ""})
    with override_settings(SECOND_FACTOR_FOR_STAFF=False):
        assert at_once(press, press) == [None, None]
    assert models.CalendarAddress.objects.count() == 1


def test_an_organiser_has_no_more_tokens_than_allowed():
    user = User.objects.create_user("organiser", is_staff=True)
    for _token in range(desk_tokens.MOST - 1):
        desk_tokens.create_token(user, "", cast.DURING)
    raised = at_once(*[lambda: desk_tokens.create_token(user, "", cast.DURING)] * 2)
    assert [type(error) for error in raised] == [type(None), ValidationError]
    assert models.DeskToken.objects.count() == desk_tokens.MOST


def test_a_name_has_no_more_open_reports_than_allowed(ann):
    def report() -> None:
        reports.report(ann, models.NameReport.Kind.values[0], text="", email="", address="192.0.2.7")

    for _report in range(reports.MOST_A_NAME - 1):
        report()
    raised = at_once(report, report)
    assert [type(error) for error in raised] == [type(None), acts.Impossible]


def test_a_webhook_sends_no_more_tests_than_allowed(ann):
    hook = webhooks.create_webhook(ann, "https://ann.example/", ["opened"], cast.DURING)
    at = cast.DURING + timedelta(seconds=1)
    sent = [webhooks.send_test(hook, at) for _test in range(4)]
    assert all(sent)
    assert at_once(*[lambda: webhooks.send_test(hook, at)] * 2) == [None, None]
    assert models.Delivery.objects.count() == 5


def test_a_tester_sends_no_more_solutions_than_allowed(monkeypatch):
    """Rule 4.14."""
    monkeypatch.setattr(judged_at_once, "MAX_TEST_ENTRIES", 1)
    draft = cast.a_round(announced_at=None)
    tester = models.Tester.objects.create(round=draft, account=User.objects.create_user("tina"), named_at=cast.OPENS)

    def send() -> None:
        judged_at_once.enter_as_tester(tester, draft.levels.get(slot="main"), "rR", at=cast.OPENS, address="")

    raised = at_once(send, send)
    assert [type(error) for error in raised] == [type(None), Refused]
    assert models.TestEntry.objects.count() == 1


def test_a_solution_sent_twice_at_once_under_a_new_name_returns_its_claim_both_times():
    """Rule 5.10: the browser keeps the answer to the second press alone."""
    cast.a_collection()
    entry = Entry("Ann", "rR", idempotency_key="0b5ab7ff-8a5d-4c5e-9f0e-7d1c3a1f8f64")
    level, receipts = models.CollectedLevel.objects.get(place=1), []
    send = partial(judged_at_once.accept_collected, entry, level, address="203.0.113.9")
    assert at_once(*[lambda: receipts.append(send())] * 2) == [None, None]
    assert len({(receipt.result.pk, receipt.claim) for receipt in receipts}) == 1
    assert receipts[0].claim
