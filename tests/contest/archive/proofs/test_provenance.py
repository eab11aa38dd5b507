"""Each member of an archive of format 4 is derived, bound or declared; a change is noticed, or its topic is printed."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from contest.archive import format as archived
from contest.archive import report as reported
from contest.archive import verify
from contest.archive.checks import BadArchive
from contest.archive.proofs import provenance, randomness
from contest.archive.proofs.provenance import Source
from contest.rules import beacons, tabulation
from tests import sizes
from tests.contest.archive import kinds
from tests.contest.archive.conftest import build_once, faults, pack
from tests.contest.archive.forger import REHASHED, RELINKED, TABULATED, Forgery

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
PARTS = {
    archived.MANIFEST: "manifest", archived.ROUND: "about", archived.OPENING: "opening", archived.BOARDS: "boards",
    archived.RESULTS: "results", archived.SUBMISSIONS: "rows", archived.CHAIN: "links", archived.PLAYERS: "players",
    archived.REVISIONS: "revisions", archived.CLOSINGS: "closings", archived.SEALED: "answers",
    archived.CERTIFICATES: "certificates",
}  # fmt: skip
TIME, OTHER_TIME = "2026-11-23T13:00:00.000000Z", "2026-11-04T11:59:59.000000Z"
RULING = {"at": TIME, "reason_zh": "", "reason_en": "So."}
Path = tuple[str | int, ...]


@pytest.fixture
def archives(monkeypatch):
    monkeypatch.setattr(beacons, "is_signed", kinds.is_signed)
    return lambda name: build_once(f"provenance {name}", kinds.MAKERS[name])


def members(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    yield path, value
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from members(value[key], (*path, key))


def pattern(name: str, path: Path) -> str:
    return "/".join([name, *("*" if isinstance(key, int) else key for key in path)])


def others(value: Any) -> list[Any]:
    """Return other values of the same kind, and for a missing one values of several kinds."""
    match value:
        case bool():
            return [not value]
        case int() | float():
            return [value + 1, value - 1, None]
        case None:
            return [TIME, 1, "a" * 64, RULING]
        case str() if len(value) == 27:
            return [TIME, OTHER_TIME]
        case str() if value in ("human", "bot"):
            return ["bot" if value == "human" else "human"]
        case str():
            return [value[:-1] + ("0" if value[-1:] != "0" else "1"), "", "main", "rle", "accepted", None]
        case dict():
            return [None]
    return [value[1:], [*value, value[-1]]] if value else []


def changed(files: dict[str, bytes], name: str, path: Path, new: Any, depth: int) -> dict[str, bytes]:
    forgery = Forgery(files)
    part = getattr(forgery, PARTS[name])
    if not path:
        setattr(forgery, PARTS[name], new)
        return forgery.files(depth)
    holder = part
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = copy.deepcopy(new)
    return forgery.files(depth)


def is_noticed(files: dict[str, bytes], tmp_path) -> bool:
    try:
        report = verify.verify(pack(tmp_path, files))
        return bool(report.differences) or randomness.UNSIGNED in report.remarks
    except BadArchive:
        return True


def is_found_or_declared(files, name: str, path: Path, new: Any, tmp_path) -> bool:
    entry = provenance.of(pattern(name, path))
    for depth in (REHASHED, TABULATED):
        try:
            forged = changed(files, name, path, new, depth)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError):
            continue  # the forger's own functions refuse it
        if all(forged[one] == files[one] for one in forged) or is_noticed(forged, tmp_path):
            continue
        if entry is None or entry.source is not Source.DECLARED:
            return False
    return True


@pytest.mark.parametrize(
    ("archive", "name", "every"),
    sizes.cases(
        [
            ("sealed", archived.SUBMISSIONS, "kind"),
            ("sealed", archived.SEALED, "kind"),
            ("sealed", archived.CLOSINGS, "kind"),
        ],
        [(archive, name, "value") for archive in kinds.MAKERS for name in PARTS],
    ),
)
def test_a_changed_member_is_noticed_or_declared(archive, name, every, archives, tmp_path):
    """Rule 24.1: at every depth, with tables recomputed or not; rows dropped and doubled, too.

    The short run changes one value of each member and kind (text, number, missing), the exhaustive one every value.
    """
    files = archives(archive)
    unnoticed, seen = [], set()
    for path, value in members(getattr(Forgery(files), PARTS[name])):
        for place, new in enumerate(others(value)):
            change = (type(value).__name__, place) if every == "kind" else json.dumps([value, new])
            key = pattern(name, path), change
            if new == value or key in seen:
                continue
            seen.add(key)
            if not is_found_or_declared(files, name, path, new, tmp_path):
                unnoticed.append((path, value, new))
    assert unnoticed == []


@pytest.mark.parametrize("archive", kinds.MAKERS)
def test_every_member_is_in_the_table(archive, archives, tmp_path):
    files = archives(archive)
    assert Forgery(files).files(TABULATED) == files
    assert verify.verify(pack(tmp_path, files)).differences == []
    found = {pattern(name, path) for name in PARTS for path, _ in members(getattr(Forgery(files), PARTS[name]))}
    names = {path for path in found if path not in PARTS}
    assert {path for path in names if provenance.of(path) is None} == set()


def test_the_table_gives_the_last_words(archives, tmp_path):
    report = verify.verify(pack(tmp_path, archives("final")))
    printed = "\n".join(reported.lines(report))
    declared = {entry.by for entry in provenance.TABLE.values() if entry.source is Source.DECLARED}
    assert declared == set(provenance.TOPICS)
    assert all(sentence in printed for sentence in provenance.last_words())


LATER_END = "2026-11-22T17:00:00.000000Z"


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
def test_a_forgery_of_an_eventful_round_is_noticed(name, archives, tmp_path):
    """Rules 3.10, 11.14, 14.5, 24.2."""
    change, depth, why = NOTICED[name]
    assert why in faults(tmp_path, archives("eventful"), change, depth)
