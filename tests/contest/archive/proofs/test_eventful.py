"""Forgeries of a round with all that can happen to one: the verifier notices each."""

import pytest

from contest.rules import beacons, tabulation
from tests.contest.archive import kinds
from tests.contest.archive.conftest import build_once, faults
from tests.contest.archive.forger import RELINKED, TABULATED

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
LATER_END = "2026-11-22T17:00:00.000000Z"


@pytest.fixture(autouse=True)
def _beacon(monkeypatch):
    monkeypatch.setattr(beacons, "is_signed", kinds.is_signed)


def fay(f):
    return next(row for row in f.rows if row["sent_as"] != row["player"])


def draw_again(f):
    for document in (f.results, f.revisions[-1]):
        document["draw"]["kept_from"] = None


def draw_by_another_number(f):
    f.revisions[0]["draw"]["number"] += 1
    f.revisions[0] |= tabulation.tables(f.revisions[0])
    f.results["draw"]["lucky"] = f.revisions[0]["draw"]["lucky"]


def keep_the_champion(f):
    f.revisions[0]["draw"]["lucky"] = f.results["draw"]["lucky"] = f.results["champions"]["moves"]


NOTICED = {
    "drawn again": (draw_again, TABULATED, "14.5"),
    "first drawn by another number": (draw_by_another_number, TABULATED, "another lucky number"),
    "kept a champion": (keep_the_champion, TABULATED, "draw is not what its own submissions give"),
    "sent in the window, said to be sent before": (
        lambda f: fay(f).update(received_at="2026-11-22T11:00:00.000000Z"), RELINKED, "entered late",
    ),
    "no window": (
        lambda f: f.about.update(make_up_opens_at=None, make_up_closes_at=None), TABULATED, "each close of the round",
    ),
    "a longer window": (lambda f: f.about.update(make_up_closes_at=LATER_END), TABULATED, "each close of the round"),
    "another value": (
        lambda f: f.about["lucky"]["beacon"].update(value="1" * 64), TABULATED, "not the SHA-256 of its signature",
    ),
    "no value": (
        lambda f: f.about["lucky"]["beacon"].update(value=None, signature=None), TABULATED, "quicknet is missing",
    ),
    "another round of the beacon": (
        lambda f: f.about["lucky"]["beacon"].update(round=f.about["lucky"]["beacon"]["round"] + 1), TABULATED,
        "not the one that the closing binds",
    ),
    "the merged player's row alone": (lambda f: fay(f).update(sent_as=fay(f)["player"]), TABULATED, "other facts"),
}  # fmt: skip


@pytest.mark.parametrize("name", NOTICED)
def test_a_forgery_of_an_eventful_round_is_noticed(name, tmp_path):
    """Rules 3.10, 11.14, 14.5, 24.2."""
    change, depth, why = NOTICED[name]
    assert why in faults(tmp_path, build_once("eventful", kinds.eventful), change, depth)
