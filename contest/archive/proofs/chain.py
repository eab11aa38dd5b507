"""Check the receipt chain of an archive, and the opening that its first link binds (rule 24.2)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from contest.archive import format as archived
from contest.archive import reader
from contest.archive.checks import BadArchive
from contest.archive.format import Leaf, Link, Submission
from contest.archive.reader import Archive
from contest.archive.report import Report
from contest.rules import canonical, merkle
from contest.rules import settings as round_settings
from contest.rules.settings import BadSettings


@dataclass
class Chain:
    """The links, the leaf of each (for the older kind, the link), and the places of those that are opened."""

    start: str
    before: int = 0  # number of leaves before the first
    peaks: list[str] = field(default_factory=list)
    leaves: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    places: dict[int, int] = field(default_factory=dict)  # by submission number; 0 is the opening
    times: dict[int, str] = field(default_factory=dict)  # when a submission was received that was not sealed before
    last_closing: int = 0  # leaves up to the round's last closing, if it is bound

    def roots(self, sizes: Iterable[int]) -> dict[int, bytes]:
        """Return the tree's roots at those of *sizes* that lie in the archive's part of the chain."""
        subtrees, wanted = merkle.sizes(self.before), set(sizes)
        if len(subtrees) != len(self.peaks):
            return {}
        stack = [(size, bytes.fromhex(peak)) for size, peak in zip(subtrees, self.peaks, strict=True)]
        roots = {self.before: merkle.join(stack)} if self.before in wanted else {}
        for size, leaf in enumerate(self.leaves, self.before + 1):
            stack = merkle.peaks([merkle.leaf_hash(bytes.fromhex(leaf))], stack)
            if size in wanted:
                roots[size] = merkle.join(stack)
        return roots


def check(archive: Archive, about: Mapping[str, Any], rows: Sequence[Submission], report: Report) -> Chain:
    """Recompute every link, and check that every submission is in its place."""
    tree = about.get("tree") or {"size": 0, "peaks": []}
    chain = Chain(about["chain_start"], tree["size"], tree["peaks"])
    opening = reader.opening_of(archive) if archive.format > 1 else None
    expected = _ExpectedSubmissions(rows)
    if len(expected.of_leaf) < sum(row.leaf is not None for row in rows):
        report.differs(archived.SUBMISSIONS, "two submissions have one leaf")
    previous, last = chain.start, 0
    for place, entry in enumerate(archive.links()):
        where = f"{archived.CHAIN}, line {place + 1}"
        leaf = entry.link if isinstance(entry, Link) else entry.leaf
        number = expected.take(entry, where, report)
        if entry.link != (
            _recompute_link(previous, entry) if isinstance(entry, Link) else canonical.bind(previous, leaf)
        ):
            report.differs(where, "the link does not follow from the one before it")
        if number is not None:
            if number <= last:
                report.differs(where, "numbers do not ascend")
            chain.places[number] = place
        chain.leaves.append(leaf)
        chain.links.append(entry.link)
        previous, last = entry.link, number or last
        report.links += 1
    if len(set(chain.leaves)) < len(chain.leaves):
        report.differs(archived.CHAIN, "one leaf stands there twice")
    for number in expected.left():
        report.differs(archived.CHAIN, f"submission {number} is missing")
    if opening is not None:
        _check_opening(opening, about, chain, report)
    if len(chain.peaks) != chain.before.bit_count():
        report.differs(archived.ROUND, f"a tree of {chain.before} leaves has another number of subtrees")
    if archive.format > 1 and (chain.before == 0) != (chain.start == canonical.START):
        report.differs(archived.ROUND, "the link that the chain stands on does not go with the leaves before it")
    report.bare = len(chain.leaves) - len(chain.places)
    sealed = {answer.submission for answer in archive.sealed_answers()}
    chain.times = {row.number: row.received_at for row in rows if row.number not in sealed}
    return chain


class _ExpectedSubmissions:
    """The submissions that the chain must contain, by leaf; those of the older kind by number."""

    def __init__(self, rows: Sequence[Submission]) -> None:
        self.of_leaf = {row.leaf: row for row in rows if row.leaf}
        self.older = {row.number: row for row in rows if not row.leaf and not row.is_imported}

    def take(self, entry: Link | Leaf, where: str, report: Report) -> int | None:
        """Return the number of the submission that a link binds, if it is known, and check off the submission."""
        if isinstance(entry, Leaf):
            row = self.of_leaf.pop(entry.leaf, None)
            return row.number if row else None
        row = self.older.pop(entry.number, None)
        if row and (row.received_at, row.sha256) != (entry.received_at, entry.sha256):
            report.differs(where, "submissions.jsonl has another time or hash of it")
        return entry.number

    def left(self) -> list[int]:
        return sorted([*self.older, *(row.number for row in self.of_leaf.values())])


def _recompute_link(previous: str, entry: Link) -> str:
    return canonical.link(previous, entry.number, entry.received_at, entry.sha256)


def _check_opening(opening: Mapping[str, Any], about: Mapping[str, Any], chain: Chain, report: Report) -> None:
    """Check that the facts bound when the round opened are those of the archive now."""
    report.is_bound = True
    if not chain.leaves or chain.leaves[0] != canonical.opening_leaf(opening):
        report.differs(archived.OPENING, "is not what the first link binds")
    chain.places[0] = 0
    levels = [{"slot": level["slot"], "sha256": level["sha256"]} for level in about["levels"]]
    pairs = {
        "round": about["number"], "opens_at": about["opens_at"], "commitment": about["commitment"], "levels": levels
    }  # fmt: skip
    if opening.get("track") != about.get("track"):
        report.differs(archived.ROUND, "its track was another at the opening")
    for name, value in pairs.items():
        if opening[name] != value:
            report.differs(archived.ROUND, f"{name} was something else at the opening")
    try:
        same = round_settings.parse(opening["settings"]) == round_settings.parse(about["settings"])
    except BadSettings as error:
        raise BadArchive(archived.OPENING, f"settings cannot be so: {error}") from None
    both = opening["settings"].keys() & about["settings"].keys()
    is_respelled = report.format > 3 and any(opening["settings"][name] != about["settings"][name] for name in both)
    if not same or is_respelled:
        report.differs(archived.ROUND, "settings were others at the opening")
    closes_at = opening["closes_at"]
    for note in about["notes"]:
        if note["kind"] == "extended":
            times = [_parse_note_time(note["values"].get(name)) for name in ("before", "after")]
            if times[0] != closes_at or not times[1] or times[1] <= closes_at:
                report.differs(archived.ROUND, "a note extends the round from a time at which it did not close")
            closes_at = times[1]
    if closes_at != about["closes_at"]:
        report.differs(archived.ROUND, "closes_at was something else at the opening, and no note says why")


def _parse_note_time(text: Any) -> str:
    """Return the time in a note as archives spell it; empty if it is not a time."""
    try:
        return canonical.instant(datetime.fromisoformat(text)) or ""
    except (TypeError, ValueError):
        return ""
