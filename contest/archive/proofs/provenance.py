"""The source of each member of an archive of format 4: derived again, bound by a hash, or only declared.

A path names a file, then members; `*` stands for every row or entry, `**` for everything below. The last words of
`verify` are printed from the declared ones. A test mutates every member, and fails if a change is neither noticed nor
declared here (tests/contest/archive/proofs/test_provenance.py).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum


class Source(StrEnum):
    DERIVED = "derived"  # computed again from other members
    BOUND = "bound"  # by a leaf, a link, a seal or a commitment
    DECLARED = "declared"  # nothing shows it but a trusted seal or checkpoint


@dataclass(frozen=True)
class Provenance:
    """The source of a member: the computation, the binding hash, or the topic of the last words."""

    source: Source
    by: str


# The topics of declared members, as the last words of the program name them.
TOPICS: Mapping[str, str] = {
    "names": "names and countries, which are part of no hash, and not even a seal shows them;",
    "titles": "titles and authors, the announcement, the number in the track, and whether the lucky number was typed;",
    "notes": "the organisers' notes, when a make-up window opened, and whether, when and why the round was cancelled;",
    "rulings": "rulings with their times and reasons: disqualifications, void levels and void submissions;",
    "owners": "whether several senders are one player, whether a league was corrected, and that of unopened answers;",
    "withheld": "verdict, level and counts of a submission whose moves are not published;",
    "left out": "what the leaves are that are not opened: rejected, practice, of other rounds, or left out;",
    "openings": "when a sealed answer was opened;",
    "results": "whether, when and why results became final or were revised, what counted before, what is due;",
    "engine": "the version of the engine;",
    "certificates": "certificates of levels, unless a line above names their check;",
}


def _derived(by: str, *paths: str) -> dict[str, Provenance]:
    return dict.fromkeys(paths, Provenance(Source.DERIVED, by))


def _bound(by: str, *paths: str) -> dict[str, Provenance]:
    return dict.fromkeys(paths, Provenance(Source.BOUND, by))


def _declared(topic: str, *paths: str) -> dict[str, Provenance]:
    return dict.fromkeys(paths, Provenance(Source.DECLARED, topic))


# The first path that matches decides, so exceptions stand before the rule.
TABLE: Mapping[str, Provenance] = {
    **_declared("engine", "manifest.json/engine", "results.json/engine", "revisions.jsonl/*/engine"),
    **_derived("the files", "manifest.json/**"),
    **_declared(
        "titles", "round.json/title_zh", "round.json/title_en", "round.json/announced_at", "round.json/number_in_track",
        "round.json/levels/*/title", "round.json/levels/*/author", "round.json/lucky/is_typed",
        "results.json/draw/is_typed", "revisions.jsonl/*/draw/is_typed",
    ),
    **_declared(
        "notes", "round.json/notes", "round.json/notes/**", "round.json/make_up_opens_at", "round.json/cancelled/**"
    ),
    **_declared(
        "rulings", "round.json/disqualified", "round.json/disqualified/**", "round.json/levels/*/void",
        "round.json/levels/*/void/**", "submissions.jsonl/*/void", "submissions.jsonl/*/void/**",
    ),
    **_declared(
        "results", "round.json/finalised_at", "round.json/revisions/*/made_at", "round.json/revisions/*/reason_zh",
        "round.json/revisions/*/reason_en", "round.json/results",
    ),
    **_derived("the documents of revisions.jsonl", "round.json/revisions", "round.json/revisions/**"),
    **_bound(
        "the opening's leaf", "round.json/number", "round.json/track", "round.json/opens_at", "round.json/settings/**",
        "round.json/commitment", "round.json/levels/**", "opening.json/**",
    ),
    **_bound("the closings' leaves", "round.json/closes_at", "round.json/make_up_closes_at", "round.json/opened_until"),
    **_bound("the commitment", "round.json/lucky", "round.json/lucky/number", "round.json/lucky/salt"),
    **_bound("the closing's leaf", "round.json/lucky/beacon/round"),
    **_bound("the beacon's signature", "round.json/lucky/beacon/**"),
    **_bound("the chain's links", "round.json/chain_start", "round.json/tree/**", "chain.jsonl/**"),
    **_bound("the levels' SHA-256 in the opening", "levels.sok"),
    **_declared("withheld", *(f"submissions.jsonl/*/{name}" for name in ("verdict", "slot", "moves", "pushes"))),
    # A league follows from the leaves, but for a correction and for who sent only sealed answers that stay closed.
    **_declared(
        "owners", "submissions.jsonl/*/player", "submissions.jsonl/*/league", "sealed.jsonl/*/player",
        "players.jsonl/*/league",
    ),
    **_declared(
        "left out", "submissions.jsonl", "submissions.jsonl/*/nonce", "submissions.jsonl/*/text",
        "submissions.jsonl/*/sha256", "submissions.jsonl/*/lurd",
    ),
    **_bound("the submission's leaf", "submissions.jsonl/**"),
    **_declared("openings", "sealed.jsonl/*/opened_at"),
    **_bound("the answer's leaf, and the closings", "sealed.jsonl", "sealed.jsonl/**"),
    **_bound("the closing's leaf", "closings.jsonl", "closings.jsonl/**"),
    **_derived("the submissions", "boards.json/**", "results.json/**"),
    **_declared(
        "results", "revisions.jsonl/*/submissions", "revisions.jsonl/*/submissions/**",
        "revisions.jsonl/*/levels/*/void", "revisions.jsonl/*/draw", "revisions.jsonl/*/draw/kept_from",
        "revisions.jsonl/*/draw/lucky",
        "revisions.jsonl/*/draw/beacon", "revisions.jsonl/*/draw/beacon/**",
    ),
    **_derived("its own submissions, and its SHA-256 in round.json", "revisions.jsonl", "revisions.jsonl/**"),
    **_declared("names", "players.jsonl/*/name", "players.jsonl/*/country"),
    **_derived("the other files", "players.jsonl", "players.jsonl/**", "rankings.csv", "submissions.csv"),
    **_declared("certificates", "certificates.jsonl", "certificates.jsonl/**"),
}  # fmt: skip


def of(path: str) -> Provenance | None:
    """Return the provenance of the member at *path*, with `*` for rows and entries; None if the table lacks it."""
    return next((entry for pattern, entry in TABLE.items() if _matches(pattern, path)), None)


def _matches(pattern: str, path: str) -> bool:
    if pattern.endswith("/**"):
        return path.startswith(pattern.removesuffix("**")) or path == pattern.removesuffix("/**")
    return path == pattern


def last_words() -> Iterator[str]:
    """Yield what an archive of format 4 cannot show by itself: the topics of its declared members."""
    topics = {entry.by for entry in TABLE.values() if entry.source is Source.DECLARED}
    yield from (sentence for topic, sentence in TOPICS.items() if topic in topics)
