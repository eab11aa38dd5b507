from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from contest import judging, rounds
from contest.infra import clock
from contest.models import Player, Proposal, Round, Submission, Tester
from contest.rankings import personal_bests
from contest.results import rulings
from contest.wording.bilingual import Reason
from tests import cast

pytestmark = pytest.mark.django_db
BEFORE = cast.OPENS - timedelta(days=9)
REASON = Reason(en="Sent by a friend.")
BETTER = "You have a better result already"


@pytest.fixture
def proposer():
    client = Client()
    with clock.set_to(cast.DURING - timedelta(weeks=8)):
        cast.a_round(1, **cast.earlier(8))
        client.post("/en/submit/", {"nickname": "Ann", "moves": "rrrR", "round": "1"})
        player = Submission.objects.get().player
    with clock.set_to(cast.DURING):
        level = cast.a_round(2, **cast.earlier(0)).levels.get(slot="main")
        Proposal.objects.create(
            player=player, title="Cave", author="Somebody", text=level.text, key=level.key, width=6, height=3,
            boxes=1, state="accepted", made_at=BEFORE, sent_at=BEFORE,
        )  # fmt: skip
        client.post("/en/submit/", {"nickname": "Ann", "moves": "rR", "round": "2"})
        judging.judge_until_empty()
    return client


def test_the_sender_reads_why_on_the_receipt_and_on_the_own_page(proposer):
    """Rule 4.15: but not those to whom the receipt's link was given."""
    page = f"/en/s/{Submission.objects.get(round__number=2).receipt_id}/"
    with clock.set_to(cast.DURING):
        own, shared = (client.get(page).text for client in (proposer, Client()))
        assert "You proposed “Main”." in own
        assert "Unranked: this result is listed, but gets no rank" in shared
        assert "proposed" not in shared
        assert ">unranked</a>" in proposer.get("/en/me/").text


@pytest.mark.parametrize("at", [cast.DURING, cast.AFTER])
def test_lists_name_the_player_as_unranked_and_never_say_why(proposer, at):
    """Rules 4.15, 7.1: a proposer may have wanted another name on the level."""
    with clock.set_to(at):
        pages = {name: Client().get(f"/en/rounds/2/{name}").text for name in ("", "submissions/", "results/", "main/")}
        pages["api"] = Client().get("/api/v1/rounds/2/submissions/").text
    assert all("proposed" not in page for page in pages.values())
    assert "unranked" in pages["submissions/"]
    assert '"hors_concours": true' in pages["api"].replace('":true', '": true')
    if at == cast.AFTER:
        assert "Entered unranked (rules 4.10, 4.15)" in pages["results/"]


@pytest.fixture
def sent(client):
    with clock.set_to(cast.DURING):
        cast.a_round()
        client.post("/en/submit/", {"nickname": "Ann", "moves": "rR", "round": "1"})
        judging.judge_until_empty()
        yield Submission.objects.get()


def void(sent: Submission) -> None:
    rulings.void(sent, REASON, at=clock.now(), by=None)


def disqualify(sent: Submission) -> None:
    rulings.disqualify(sent.round, sent.player, REASON, at=clock.now(), by=None)


def void_level(sent: Submission) -> None:
    rounds.void_slot(sent.level, REASON, at=clock.now(), by=None)


RULINGS = {
    void: ("This submission is void: it is not ranked.", "void"),
    disqualify: ("The player is disqualified from this round", "disqualified"),
    void_level: ("This level is void: it is not ranked and scores nothing.", "level void"),
}


@pytest.mark.parametrize("rule", RULINGS, ids=lambda rule: rule.__name__)
def test_the_receipt_and_my_page_name_the_ruling_and_its_reason(client, sent, rule):
    sentence, mark = RULINGS[rule]
    address = f"/en/s/{sent.receipt_id}/"
    assert sentence not in client.get(address).text
    rule(sent)
    receipt = client.get(address).text
    assert (sentence in receipt, REASON.en in receipt) == (True, True)
    assert (BETTER in receipt, "✓" in receipt, 'class="verdict accepted"' in receipt) == (False, False, False)
    assert f">{mark}</a>" in client.get("/en/me/").text
    assert f">{mark}</a>" in client.get(f"/en/me/{sent.player.pk}/").text
    message = client.get(address, headers={"Accept": "application/json"}).json()["unranked"]
    assert (sentence in message, REASON.en in message) == (True, True)


def test_a_worse_result_still_names_the_better_one(client, sent):
    client.post("/en/submit/", {"nickname": "Ann", "moves": "rlrR", "round": "1"})
    judging.judge_until_empty()
    worse = Submission.objects.latest("number")
    assert BETTER in client.get(f"/en/s/{worse.receipt_id}/").text


@pytest.mark.parametrize(
    ("role", "because"), [("organiser", "You are an organiser."), ("tester", "You tested this round before it opened.")]
)
def test_an_organiser_and_a_tester_read_their_own_reason(client, sent, role, because):
    """Rules 4.10, 4.14."""
    Submission.objects.update(is_hors_concours=True)
    personal_bests.recount([sent.level], [sent.player])
    account = User.objects.create_user("ann", is_staff=role == "organiser")
    Player.objects.update(owner=account)
    if role == "tester":
        Tester.objects.create(round=Round.objects.get(), account=account, named_at=cast.OPENS, agreed_at=cast.OPENS)
    assert because in client.get(f"/en/s/{sent.receipt_id}/").text
