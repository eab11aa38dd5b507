"""Readers find a public reason where the desk says that it will appear (rules 3.7, 15.1 to 15.3)."""

from datetime import timedelta

import pytest
from django.test import Client

from contest import results
from contest.infra import clock
from contest.models import Player, Proposal
from contest.organising.acts import ReasonForm
from contest.organising.round_acts import ACTS
from contest.results import rulings
from contest.wording.bilingual import Reason
from tests import cast
from tests.desk.conftest import BEFORE, DESK

pytestmark = pytest.mark.django_db
PUBLIC = {act.name: act for act in ACTS if issubclass(act.form, ReasonForm)}
AFTER = cast.CLOSES + timedelta(days=1)
WHY = {"reason_zh": "", "reason_en": "So that all is fair.", "do": "apply"}
ON_ROUND_PAGE = "it appears on the round&#x27;s page"


@pytest.fixture
def round_(db):
    made = cast.a_round()
    cast.enter_all(made, [("Ann", 9, 3), ("Bo", 8, 4)])
    return made


def given(round_, name):
    """Return the time of the act *name* and its own fields, after what has to come before it."""
    ann = Player.objects.get(nickname="Ann")
    if name == "extend":
        return cast.DURING, {"closes_at": "2036-01-01 00:00"}
    if name == "make-up":
        round_.reveal_waits_until = AFTER + timedelta(days=1)
        round_.save()
        return AFTER, {"opens_at": AFTER.strftime("%Y-%m-%d 23:00"), "closes_at": AFTER.strftime("%Y-%m-%d 23:30")}
    if name == "lift":
        ruling = rulings.disqualify(round_, ann, Reason(en="Two names."), at=AFTER, by=None)
        return AFTER, {"ruling": ruling.pk}
    if name == "revise":
        results.finalise(round_, at=AFTER, by=None)
    own = {"void-level": {"level": round_.levels.get(slot="extra").pk}, "disqualify": {"player": ann.pk, "note": ""}}
    return AFTER, own.get(name, {})


@pytest.mark.parametrize("name", sorted(PUBLIC.keys() - {"make-up"}))
def test_the_reason_of_an_act_on_a_round_is_on_its_page(organiser, round_, name):
    at, fields = given(round_, name)
    with clock.set_to(at):
        address = f"{DESK}rounds/1/do/{name}/"
        assert ON_ROUND_PAGE in organiser.get(address).text
        assert organiser.post(address, {**fields, **WHY}).status_code == 302
    with clock.set_to(at + timedelta(minutes=1)):
        assert WHY["reason_en"] in Client().get("/en/rounds/1/").text


def test_the_reason_of_a_void_is_beside_the_submission_and_on_its_receipt(organiser, round_):
    sent = round_.submissions.first()
    with clock.set_to(AFTER):
        address = f"{DESK}submissions/{sent.pk}/do/void/"
        shown = organiser.get(address).text
        assert ("in the round&#x27;s list of submissions, and on its receipt" in shown, ON_ROUND_PAGE in shown) == (
            True, False
        )  # fmt: skip
        assert organiser.post(address, {**WHY, "note": ""}).status_code == 302
        for page in ("/en/rounds/1/submissions/", sent.get_absolute_url()):
            assert WHY["reason_en"] in Client().get(page, headers={"Accept-Language": "en"}).text, page
        assert "Everybody will read" not in organiser.get(address.replace("void", "unvoid")).text
        assert "is public" not in organiser.get(address.replace("do/void", "do/unvoid")).text


def test_home_tells_that_proposals_wait(organiser, round_):
    facts = {"text": cast.CORRIDOR, "width": 6, "height": 3, "boxes": 1, "made_at": BEFORE, "sent_at": BEFORE}
    Proposal.objects.create(state="sent", **facts)
    Proposal.objects.create(state="declined", decided_at=BEFORE, **facts)
    shown = organiser.get(DESK).text
    assert ("1 proposed level waits" in shown, f"{DESK}proposals/" in shown) == (True, True)
