"""Forgeries of a round with all that can happen to one, and of a cancelled one: noticed, remarked on, or declared."""

import pytest

from contest.archive import report as reported
from contest.archive import verify
from contest.archive.proofs import provenance, randomness
from contest.rules import beacons, tabulation
from tests.contest.archive import kinds
from tests.contest.archive.conftest import build_once, pack
from tests.contest.archive.forger import REHASHED, RELINKED, TABULATED, Forgery

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
TIME, LATER_END = "2026-11-23T12:30:00.000000Z", "2026-11-22T17:00:00.000000Z"


@pytest.fixture(autouse=True)
def _beacon(monkeypatch):
    monkeypatch.setattr(beacons, "is_signed", kinds.is_signed)


def report_on(name, change, depth, tmp_path):
    forgery = Forgery(build_once(f"eventful {name}", kinds.MAKERS[name]))
    change(forgery)
    return verify.verify(pack(tmp_path, forgery.files(depth)))


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


def drop_the_signature(f):
    f.about["lucky"]["beacon"]["signature"] = None


def part(f):
    row = fay(f)
    f.players.append({"number": row["sent_as"], "name": "Fay", "country": "cn", "league": "human"})
    for document in (f.results, f.revisions[-1]):
        document["draw"]["lucky"] = f.revisions[0]["draw"]["lucky"]
    row["player"] = row["sent_as"]


def merge_two(f):
    sender, owner = (f.row(lurd, name)["player"] for lurd, name in (("rR", "=Bo"), ("rR", "阿木")))
    for row in f.rows:
        row["player"] = owner if row["player"] == sender else row["player"]


def drop_a_revision(f):
    f.about["revisions"] = [{**f.about["revisions"][-1], "revision": 1, "made_at": f.about["finalised_at"]}]
    f.revisions, f.results["revision"], f.results["draw"]["kept_from"] = f.revisions[-1:], 1, None


def take_back_the_cancellation(f):
    f.about.pop("cancelled")
    f.about["results"] = "provisional"
    f.tabulate()
    for row in f.results["submissions"]:
        row["lurd"] = None


def cancel(f):
    f.about["cancelled"] = {"at": TIME, "reason_zh": "", "reason_en": "So."}
    f.about |= {"results": "cancelled", "finalised_at": None, "revisions": []}
    f.revisions, f.results["revision"] = [], 0


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
    assert why in " ".join(map(str, report_on("eventful", change, depth, tmp_path).differences))


REMARKED = {
    "without the signature": ("eventful", drop_the_signature, randomness.UNSIGNED),
    "two more players are one": ("final", merge_two, "they are said to be one."),
}


@pytest.mark.parametrize("name", REMARKED)
def test_a_claim_that_the_archive_cannot_prove_is_a_remark(name, tmp_path):
    """Rules 4.13, 11.15, 24.2."""
    archive, change, words = REMARKED[name]
    report = report_on(archive, change, TABULATED, tmp_path)
    assert report.differences == []
    assert words in " ".join(report.remarks)


DECLARED = {
    "no merge": ("eventful", part, TABULATED, "whether several senders are one player"),
    "one revision": ("eventful", drop_a_revision, TABULATED, "whether, when and why results"),
    "not cancelled": ("cancelled", take_back_the_cancellation, REHASHED, "and why the round was cancelled"),
    "cancelled": ("final", cancel, TABULATED, "whether, when and why the round was cancelled"),
}


@pytest.mark.parametrize("name", DECLARED)
def test_what_no_hash_binds_is_in_the_last_words(name, tmp_path):
    """Rules 4.13, 7.10, 14.4, 24.2."""
    archive, change, depth, words = DECLARED[name]
    report = report_on(archive, change, depth, tmp_path)
    assert report.differences == []
    assert any(words in line for line in reported.lines(report))
    assert any(words in sentence for sentence in provenance.last_words())
