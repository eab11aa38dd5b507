"""Verify a round's archive without the site: `python -m contest.verify ARCHIVE` (rule 24.1; docs/reference/archive.md).

The verifier recomputes the hashes of the files, the moves from the submitted texts, every verdict by a replay, boards,
points, champions, the draw and its commitment, and the receipt chain. It compares each with the archive byte for byte.
It needs the library `solvers` and Python, no database, no settings, no network.
"""

import argparse
import hashlib
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from contest.archive import checks, packing, proof, reader, sealed
from contest.archive import format as archived
from contest.archive.checks import BadArchive
from contest.archive.collected import NOTHING, TrustedFacts, compare_with_trusted, read_folder
from contest.archive.format import AWAITING, CANCELLED, FINAL, PROVISIONAL, Submission
from contest.archive.proofs import certificates, closings, entries, randomness
from contest.archive.proofs import chain as chain_of
from contest.archive.reader import Archive
from contest.archive.report import Report, lines, print_line
from contest.rules import canonical as records
from contest.rules import settings as round_settings
from contest.rules import tabulation
from contest.rules.move_readers import EntryJudge
from contest.rules.settings import BadSettings, RoundSettings
from contest.rules.signed_notes import BadNote
from solvers.errors import PuzzleError
from solvers.sokoban.commands.meter import Meter
from solvers.sokoban.formats import read_collection
from solvers.sokoban.level import Level
from solvers.sokoban.reading.origin import Origins


@dataclass(frozen=True)
class _Round:
    """The parsed contents of `round.json` and `levels.sok`."""

    about: Mapping[str, Any]
    settings: RoundSettings
    levels: Mapping[str, Level]

    def is_open_at(self, received_at: str) -> bool:
        """Rule 3.2. The times are compared as text, because their format sorts chronologically."""
        about = self.about
        if about["opens_at"] <= received_at < about["closes_at"]:
            return True
        begins, ends = about["make_up_opens_at"], about["make_up_closes_at"]
        return bool(begins and ends and begins <= received_at < ends)


def verify(path: Path, *, is_large: bool = False, trusted: TrustedFacts = NOTHING) -> Report:
    """Verify the archive at *path* and compare it with *trusted*. Raise BadArchive if it is none, OSError from files.

    Time O(bytes + steps), memory O(submissions without their moves + results).
    """
    report = Report()
    with Archive(path, is_large=is_large) as archive:
        if archive.format > 1:
            packing.check(archive)
        _check_files(archive, report)
        round_ = _read_round(archive, report)
        published = _read_results(archive)
        rows = _check_submissions(archive, round_, published, report)
        _check_players(archive, round_, rows, published, report)
        _check_boards(archive, round_, rows, report)
        _check_results(archive, round_, rows, published, report)
        proof.check_draw(round_.about, round_.settings, report)
        chain = chain_of.check(archive, round_.about, rows, report)
        if archive.format > 1:
            proof.check_times(round_.about, rows, report)
            proof.check_revisions(archive, round_.about, rows, report)
            proof.check_last_revision(archive, round_.about, report)
            proof.check_encoding(archive, round_.about, round_.levels, report)
        if archive.format > 2:
            sealed.check_answers(archive, round_.about, round_.is_open_at, chain, report)
        if archive.format > 3:
            closings.check(archive, round_.about, round_.settings, rows, chain, report)
            randomness.check(round_.about, report)
            randomness.check_kept(archive, round_.about, round_.settings, rows, report)
            certificates.check(archive, round_.levels, report)
    compare_with_trusted(report, chain, trusted)
    return report


def _check_files(archive: Archive, report: Report) -> None:
    manifest = archive.manifest
    report.round, report.engine, report.format = manifest["round"], manifest["engine"], manifest["format"]
    report.seal = archive.sha256(archived.MANIFEST)
    for name, sha256 in manifest["files"].items():
        if (digest := archive.sha256(name)) != sha256:
            report.differs(name, f"its SHA-256 is {digest}, the manifest says {sha256}")


def _read_round(archive: Archive, report: Report) -> _Round:
    about = reader.round_of(archive)
    report.state, report.track = about["results"], about.get("track", "")
    if about["number"] != report.round:
        report.differs(archived.ROUND, f"is of round {about['number']}, the manifest of round {report.round}")
    try:
        settings = round_settings.parse(about["settings"])
    except BadSettings as error:
        raise BadArchive(archived.ROUND, f"settings cannot be so: {error}") from None
    levels = levels_of(archive)
    for entry in about["levels"]:
        if (digest := levels[entry["slot"]].sha256) != entry["sha256"]:
            report.differs(f"{archived.LEVELS}, {entry['slot']}", f"the level's SHA-256 is {digest}")
    return _Round(about, settings, levels)


def levels_of(archive: Archive) -> dict[str, Level]:
    """Return the levels of `levels.sok` by the slots that `round.json` names. Raise BadArchive."""
    slots = [level["slot"] for level in reader.round_of(archive)["levels"]]
    try:
        entries = read_collection(archive.read(archived.LEVELS)).entries
    except PuzzleError as error:
        raise BadArchive(archived.LEVELS, f"cannot be read ({error})") from None
    if len(entries) != len(slots) or len(set(slots)) != len(slots):
        raise BadArchive(archived.LEVELS, f"holds {len(entries)} levels; round.json names {', '.join(slots) or 'none'}")
    levels = {slot: entry.level for slot, entry in zip(slots, entries, strict=True)}
    for slot, level in levels.items():
        if level.unjudgeable:
            raise BadArchive(f"{archived.LEVELS}, {slot}", "this level cannot be judged")
    return levels


def _read_results(archive: Archive) -> dict[str, Any]:
    """Read `results.json`, and check only the members that the comparisons need."""
    document = archive.json(archived.RESULTS)
    draw = document.get("draw") if isinstance(document, dict) else None
    row = checks.is_object_with(number=checks.is_number, lurd=checks.or_none(checks.is_lurd))
    is_valid = checks.is_object_with(
        revision=lambda value: type(value) is int and 0 <= value < 2**31,
        engine=checks.is_number,
        submissions=checks.is_list(row),
        draw=checks.or_none(
            checks.is_object_with(kept_from=checks.or_none(checks.is_number), lucky=checks.or_none(checks.is_number))
        ),
    )
    if not is_valid(document) or (draw and draw["kept_from"] and draw["kept_from"] >= document["revision"]):
        raise BadArchive(archived.RESULTS, "holds no results of a round")
    return dict(document)


# Verdicts


def _check_submissions(
    archive: Archive, round_: _Round, published: Mapping[str, Any], report: Report
) -> list[Submission]:
    """Judge every submission again; return them without their moves."""
    meter, rows = Meter("submissions"), []
    published_moves = {row["number"]: row["lurd"] for row in published["submissions"]}
    sealed_keys = {answer.submission for answer in archive.sealed_answers()}  # sealed.check_answers checks their texts
    origins = Origins(tuple(round_.levels.values()), round_.settings.max_moves)
    judge = EntryJudge(round_.levels, round_.settings.max_moves, round_.settings.spectator)
    for number, row in enumerate(archive.submissions(), 1):
        where = f"{archived.SUBMISSIONS}, submission {row.number}"
        faults = list(_faults(row, round_, report))
        if archive.format > 1:
            faults += (proof if archive.format < 4 else entries).leaf_faults(row, round_.about)
        if row.text is not None and not faults and archive.format > 3:
            faults += entries.text_faults(row, judge)
            archive.check_cost(judge.spent, where)
        elif row.text is not None and not faults and row.number not in sealed_keys:
            faults += proof.text_faults(row, round_.levels[row.slot], origins)
            archive.check_cost(origins.spent, where)
        elif row.lurd and row.text is None:
            report.unread += hashlib.sha256(row.lurd.encode()).hexdigest() != row.sha256
        for fault in faults:
            report.differs(where, fault)
        if row.number in published_moves and not _may_have_moves(report.state, published_moves[row.number], row.lurd):
            report.differs(where, "results.json holds other moves of it")
        rows.append(replace(row, lurd=None, text=None))
        meter.show(number)
    meter.end()
    if archive.format > 3:
        entries.check(rows, list(archive.sealed_answers()), report)
    return rows


def _may_have_moves(state: str, in_results: str | None, lurd: str | None) -> bool:
    """Return whether the results may hold these moves: public ones in a revision, none before it (rule 14.3)."""
    if state == PROVISIONAL:
        return in_results is None
    return in_results == lurd or (state == AWAITING and in_results is None)


def _faults(row: Submission, round_: _Round, report: Report) -> Iterator[str]:
    level = round_.levels.get(row.slot)
    if level is None:
        yield f"there is no level {row.slot}"
        return
    if not row.is_imported and not round_.is_open_at(row.received_at):
        yield f"was received at {row.received_at}, when the round was not open"
    if row.pushes > row.moves:
        yield f"has {row.pushes} pushes in {row.moves} moves"
    if row.verdict == "spectator" and not round_.settings.spectator:
        yield "is a spectator answer, and the round takes none"
    if row.lurd:
        report.replayed += 1
        yield from entries.replay_faults(row, row.lurd, level)
    elif row.lurd is None:
        report.not_published += 1
    elif row.is_imported:
        report.never_known += 1
    else:
        yield "has no moves, and was not imported"


# Tables


def _check_players(
    archive: Archive, round_: _Round, rows: Sequence[Submission], published: Mapping[str, Any], report: Report
) -> None:
    """Check which players are named, and the CSV copies. Names are not hashed, so that they can be erased."""
    players = archive.players()
    league_of = {row.player: row.league for row in rows}
    named = league_of.keys() | {entry.player for entry in archive.sealed_answers()}
    named |= {entry["player"] for entry in round_.about["disqualified"]}
    named |= {draw["lucky"]} if (draw := published["draw"]) and draw["lucky"] else set()
    for number in sorted(named - players.keys()):
        report.differs(archived.PLAYERS, f"player {number} is missing")
    for number in sorted(players.keys() - named):
        report.differs(archived.PLAYERS, f"player {number} is in no other file")
    for number, player in players.items():
        if league_of.get(number, player.league) != player.league:
            report.differs(archived.PLAYERS, f"player {number} is in another league in the submissions")
    for row in rows:
        if row.league != league_of[row.player]:
            report.differs(f"{archived.SUBMISSIONS}, submission {row.number}", "its player is in two leagues")
    for name, data in (
        (archived.RANKINGS_CSV, archived.rankings_csv(_boards(round_, rows), players)),
        (archived.SUBMISSIONS_CSV, archived.submissions_csv(rows, players)),
    ):
        _compare(archive, name, data, report)


def _boards(round_: _Round, rows: Iterable[Submission]) -> dict[str, Any]:
    return archived.boards(round_.settings, archived.ranked_submissions(round_.about, rows))


def _check_boards(archive: Archive, round_: _Round, rows: Sequence[Submission], report: Report) -> None:
    boards = _boards(round_, rows)
    _compare(archive, archived.BOARDS, records.json_page(boards).encode(), report)
    report.ranked = len({row.player for row in archived.ranked_submissions(round_.about, rows)})


def _check_results(
    archive: Archive, round_: _Round, rows: Sequence[Submission], published: Mapping[str, Any], report: Report
) -> None:
    """Check points, champions and draw; if a ruling awaits a revision, check only that they are consistent."""
    if report.state == AWAITING:
        try:
            names = tabulation.differences(published)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BadArchive(archived.RESULTS, f"holds no results of a round ({error!r})") from None
        for name in names:
            report.differs(archived.RESULTS, f"{name} is not what its own submissions give")
        # Moves withheld since then are a reason to revise, too; they are no longer in the document.
        is_whole = all(row["lurd"] is not None for row in published["submissions"])
        if archive.format > 3 and is_whole and archived.document(round_.about, rows, published) == published:
            report.differs(
                archived.ROUND, "a revision is said to be due, and the results are what the submissions give"
            )
        return
    recomputed = archived.document(round_.about, rows, published)
    for name in sorted(recomputed.keys() | published.keys()):
        if recomputed.get(name) != published.get(name):
            report.differs(archived.RESULTS, f"{name} is not what the submissions give")
    canonical = tabulation.canonical(recomputed)
    _compare(archive, archived.RESULTS, canonical, report)
    revisions = round_.about["revisions"]
    if report.state == FINAL and (not revisions or revisions[-1]["sha256"] != archive.sha256(archived.RESULTS)):
        report.differs(archived.ROUND, "its last revision has another SHA-256 than results.json")
    if (report.state in (PROVISIONAL, CANCELLED)) != (published["revision"] == 0):
        report.differs(archived.RESULTS, f"revision {published['revision']} cannot be {report.state}")


def _compare(archive: Archive, name: str, expected: bytes, report: Report) -> None:
    stored = archive.read(name)
    if stored != expected:
        offset = next((offset for offset, (a, b) in enumerate(zip(stored, expected, strict=False)) if a != b), None)
        offset = min(len(stored), len(expected)) if offset is None else offset
        line = stored.count(b"\n", 0, offset) + 1
        report.differs(name, f"the computed file differs from byte {offset} on (line {line})")


# The program


def main(arguments: Sequence[str] | None = None, *, prog: str = "python -m contest.verify") -> int:
    """Verify an archive and print the findings; return 0 if everything holds, 1 if not."""
    parser = argparse.ArgumentParser(
        prog=prog,
        description="Verify the archive of a round: replay every solution, compute everything again, compare.",
    )
    parser.add_argument("archive", type=Path, help="the archive, a ZIP file")
    parser.add_argument("--large", action="store_true", help="take much memory and time: for an archive you trust")
    parser.add_argument("--seal", help="the SHA-256 of manifest.json that you kept or trust", metavar="HEX")
    parser.add_argument(
        "--link", action="append", type=_link, default=[], help="a link you kept (0 is the opening)", metavar="N:HEX"
    )
    parser.add_argument("--checkpoints", type=Path, help="a folder of checkpoints you collected", metavar="FOLDER")
    parser.add_argument("--key", action="append", default=[], help="the key of the site, or of a witness")
    options = parser.parse_args(arguments)
    path: Path = options.archive
    try:
        pieces = read_folder(options.checkpoints, options.key) if options.checkpoints else []
        trusted = TrustedFacts((options.seal or "").lower(), tuple(options.link), tuple(pieces))
        report = verify(path, is_large=options.large, trusted=trusted)
    except (BadArchive, BadNote, OSError) as error:
        print_line(f"{path}: not verified.", sys.stderr)
        print_line(f"  {error}", sys.stderr)
        return 1
    for line in lines(report):
        print_line(line, sys.stdout)
    return int(bool(report.differences))


def _link(text: str) -> tuple[int, str]:
    number, _, link = text.partition(":")
    if not number.isdecimal() or not checks.is_sha256(link.lower()):
        raise argparse.ArgumentTypeError(f"{text!r} is no number and link, as 17:{'0' * 64}")
    return int(number), link.lower()


if __name__ == "__main__":
    sys.exit(main())
