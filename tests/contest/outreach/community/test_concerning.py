"""The bell and the daily letter report what organisers did about a player to that player alone (rules 15, 27.6)."""

from datetime import timedelta

import pytest
from django.utils import translation

from contest import results, rounds
from contest.infra import clock
from contest.models import Event, Prize, Proposal, ProposalComment, Submission
from contest.outreach import prizes
from contest.outreach.community import bell
from contest.outreach.newsletter import own_news
from contest.results import rulings
from contest.visibility import Viewer
from contest.wording.bilingual import Reason
from tests import cast

pytestmark = pytest.mark.django_db
REASON = Reason(zh="代交。", en="Sent by a friend.")
AT = cast.CLOSES + timedelta(days=2)


@pytest.fixture
def sent():
    round_ = cast.a_round()
    cast.enter_all(round_, [("Bo", 8, 4)])
    with clock.set_to(AT), translation.override("en"):
        yield cast.enter(round_, "Ann", 9, 3, at=cast.DURING)


def news(sent: Submission) -> list[tuple[str, str, str]]:
    viewer = Viewer(frozenset({sent.player_id}))
    concerning = [item for item in bell.list_news(viewer, None, AT + timedelta(hours=1)) if item.kind in bell.OWN]
    return [(item.kind, item.address, own_news._sentence(item)) for item in concerning]


def test_a_void_and_its_end(sent):
    rulings.void(sent, REASON, at=AT, by=None)
    [(kind, address, text)] = news(sent)
    assert (kind, address) == ("void", sent.get_absolute_url())
    assert news(Submission.objects.get(player__nickname="Bo")) == []
    assert f"Your submission {sent.number} to Round 1 is void: it is not ranked." in text
    assert "Sent by a friend." in text
    with translation.override("zh-hans"):
        assert "代交。" in news(sent)[0][2]
    with clock.set_to(AT + timedelta(minutes=1)):
        rulings.unvoid(sent, "Mistaken.", by=None)
    [(kind, _address, text)] = news(sent)
    assert (kind, "Mistaken" in text) == ("restored", False)


def test_a_disqualification_and_its_end(sent):
    ruling = rulings.disqualify(sent.round, sent.player, REASON, at=AT, by=None)
    [(kind, address, text)] = news(sent)
    assert (kind, address) == ("disqualified", sent.round.get_absolute_url())
    assert news(Submission.objects.get(player__nickname="Bo")) == []
    assert "Sent by a friend." in text
    rulings.lift(ruling, Reason(en="Proved."), at=AT + timedelta(minutes=1), by=None)
    [(kind, _address, text)] = news(sent)
    assert (kind, "Proved." in text) == ("lifted", True)


def test_a_void_level_and_a_changed_verdict(sent):
    rounds.void_slot(sent.level, REASON, at=AT, by=None)
    [(kind, address, text)] = news(sent)
    assert (kind, address, "Sent by a friend." in text) == ("void-level", sent.level.get_absolute_url(), True)
    Event.objects.write(Event.Kind.REJUDGED, "1:1", AT, round_id=sent.round_id, submission=sent)
    assert {kind for kind, *_more in news(sent)} == {"void-level", "rejudged"}


def test_a_prize(sent):
    results.finalise(sent.round, at=AT, by=None)
    prize = Prize.objects.create(round=sent.round, what_zh="魔方", what_en="a cube")
    prizes.award(prize, sent.player, by=None)
    [(kind, address, text)] = news(sent)
    assert (kind, address) == ("prize", f"/en/me/{sent.player_id}/prizes/")
    assert "You have won a prize in Round 1, a cube: enter where to send it." in text
    prizes.award(prize, None, by=None)
    assert news(sent) == []


@pytest.mark.parametrize(
    ("state", "kinds"), [("declined", ["declined"]), ("accepted", ["commented", "taken"]), ("review", ["commented"])]
)
def test_an_answer_to_a_proposal(sent, state, kinds):
    facts = {"text": sent.level.text, "width": 6, "height": 3, "boxes": 1, "made_at": cast.OPENS, "sent_at": cast.OPENS}
    proposal = Proposal.objects.create(player=sent.player, state=state, decided_at=AT, **facts)
    ProposalComment.objects.create(proposal=proposal, text="Too easy.", is_by_staff=True, written_at=AT)
    ProposalComment.objects.create(proposal=proposal, text="Is it?", is_by_staff=False, written_at=AT)
    assert [kind for kind, *_more in news(sent)] == kinds
