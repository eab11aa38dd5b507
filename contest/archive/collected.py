"""Compare an archive with facts that a person has stored: its seal, links, and checkpoints (rule 24.2).

A folder of checkpoints holds `*.txt` files, as the site published them at any hour, and proofs that one checkpoint
grew out of another (`*.proof`, as `/checkpoints/proof/` returns them). Two checkpoints that cannot belong to one
history are a fork: the site has shown different people different things. Pure functions.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from contest.archive import checks
from contest.archive.format import instant
from contest.archive.proofs.chain import Chain
from contest.archive.report import Report
from contest.rules import canonical, merkle, signed_notes
from contest.rules.phases import SETTLED
from contest.rules.signed_notes import BadNote, Checkpoint

MAX_FILES = 100_000
_LAST_TIME = 2**36  # Unix time: far in the future, and still a date


@dataclass(frozen=True)
class CollectedPiece:
    """A checkpoint from a file, a proof between two checkpoints, or the *fault* of a file that cannot be used."""

    name: str
    checkpoint: Checkpoint | None = None
    time: str = ""  # the latest time that the checkpoint or a witness names
    proof: tuple[int, int, tuple[bytes, ...]] | None = None
    fault: str = ""


@dataclass(frozen=True)
class TrustedFacts:
    """Facts to compare an archive with: a seal, links by submission number, and collected checkpoints."""

    seal: str = ""
    links: tuple[tuple[int, str], ...] = ()
    checkpoints: tuple[CollectedPiece, ...] = ()


NOTHING = TrustedFacts()


def read_folder(folder: Path, keys: Iterable[str]) -> list[CollectedPiece]:
    """Read the collected files. Raise BadNote for a folder without checkpoints or a bad key, OSError from the files."""
    verifier_keys = [signed_notes.read_key(key) for key in keys]
    files = sorted(path for path in folder.iterdir() if path.suffix in (".txt", ".proof"))[:MAX_FILES]
    if not any(path.suffix == ".txt" for path in files):
        raise BadNote(f"{folder} holds no checkpoints (*.txt)")
    return [_read(path, verifier_keys) for path in files]


def _read(path: Path, keys: Sequence[signed_notes.Key]) -> CollectedPiece:
    with path.open("rb") as file:
        data = file.read(signed_notes.LARGEST + 1)
    try:
        if path.suffix == ".proof":
            return CollectedPiece(path.name, proof=_proof(json.loads(data)))
        note = signed_notes.read(data.decode())
    except (BadNote, ValueError, RecursionError, KeyError, TypeError) as error:
        return CollectedPiece(path.name, fault=f"cannot be read ({error})")
    if keys and not any(signed_notes.is_signed_by(note, key) for key in keys):
        return CollectedPiece(path.name, fault="is signed by none of the keys that were given")
    return CollectedPiece(path.name, note, time=_latest_time(note, keys))


def _latest_time(note: Checkpoint, keys: Iterable[signed_notes.Key]) -> str:
    """Return the latest time at which the site or a witness, one of *keys*, signed a checkpoint; empty if unknown."""
    seen = [signed_notes.witnessed_at(note, key) for key in keys]
    times = [str(canonical.instant(datetime.fromtimestamp(at, UTC))) for at in seen if at and at < _LAST_TIME]
    return max([note.time, *times])


def _proof(value: Any) -> tuple[int, int, tuple[bytes, ...]]:
    old, new, hashes = value["old"], value["new"], value["hashes"]
    if not (checks.is_number(old) and checks.is_number(new) and checks.is_list(checks.is_sha256, 128)(hashes)):
        raise ValueError("no proof")
    return old, new, tuple(map(bytes.fromhex, hashes))


def compare_with_trusted(report: Report, chain: Chain, trusted: TrustedFacts) -> None:
    """Compare the archive with the trusted facts, and report each contradiction as a difference."""
    if trusted.seal:
        if trusted.seal == report.seal:
            report.trusted.append("Its seal is the one you gave.")
        else:
            report.differs("the seal", f"is {report.seal}, not {trusted.seal} as you gave")
    for number, link in trusted.links:
        _check_link(report, chain, number, link)
    _check_checkpoints(report, chain, trusted.checkpoints)


def _check_link(report: Report, chain: Chain, number: int, link: str) -> None:
    """Check that a link's place fits the numbers around it; an opened submission's link must be at its own place."""
    where = f"the link of {number}" if number else "the link of the opening"
    if link not in chain.links:
        report.differs(where, "stands nowhere in this archive's part of the chain")
        return
    place, opened_place = chain.links.index(link), chain.places.get(number)
    preceding = max((other for other, at in chain.places.items() if at < place), default=-1)
    following = min((other for other, at in chain.places.items() if at > place), default=number + 1)
    is_free = place not in chain.places.values()
    if opened_place == place or (opened_place is None and is_free and preceding < number < following):
        report.trusted.append(f"The link you gave of {number or 'the opening'} stands in it.")
    else:
        report.differs(where, "stands at another submission's place")


# Checkpoints


def _check_checkpoints(report: Report, chain: Chain, pieces: Sequence[CollectedPiece]) -> None:
    for piece in pieces:
        if piece.fault:
            report.differs(piece.name, piece.fault)
    notes = [(piece.name, piece.checkpoint) for piece in pieces if piece.checkpoint]
    if not notes:
        return
    notes.sort(key=lambda named: named[1].size)
    if len({note.origin for _, note in notes}) > 1:
        report.differs("the checkpoints", "are of more than one site")
        return
    proved = _check_forks(report, notes, [piece for piece in pieces if piece.proof])
    roots, inside = chain.roots(note.size for _, note in notes), 0
    for name, note in notes:
        if note.size not in roots:
            continue
        inside += 1
        place = note.size - chain.before - 1
        link = chain.links[place] if place >= 0 else chain.start
        if note.root != roots[note.size] or (note.link and note.link != link):
            report.differs(name, f"at {note.size} leaves the archive is of another history")
    _check_times(report, chain, [piece for piece in pieces if piece.checkpoint and piece.time])
    sealed = _check_seals(report, notes)
    outside = len(notes) - inside
    report.trusted.append(
        f"Of {len(notes)} checkpoints {inside} are of this archive's part of the chain; {outside} are not"
        + (f", and {proved} proofs between them hold." if proved else ".")
    )
    if not inside and not sealed:
        report.differs("the checkpoints", "none is of this archive's part of the chain, so they show nothing of it")


def _check_times(report: Report, chain: Chain, pieces: Sequence[CollectedPiece]) -> None:
    """Report entries that a checkpoint does not have, though they say they had been received before its time."""
    late: dict[int, CollectedPiece] = {}
    for piece in pieces:
        size, until = piece.checkpoint.size if piece.checkpoint else 0, canonical.instant(instant(piece.time) - SETTLED)
        for number, received_at in chain.times.items():
            if received_at < str(until) and chain.before + chain.places.get(number, 0) >= size:
                late.setdefault(number, piece)
    for number, piece in sorted(late.items()):
        what = f"submission {number} entered late: it says {chain.times[number]}, and is not among the leaves of"
        report.differs(piece.name, f"{what} {piece.time}")
    closed = [piece.time for piece in pieces if piece.checkpoint and piece.checkpoint.size >= chain.last_closing > 0]
    if closed:
        report.trusted.append(f"The closing of the round had been bound by {min(closed)}.")


def _check_forks(report: Report, notes: Sequence[tuple[str, Checkpoint]], proofs: Iterable[CollectedPiece]) -> int:
    """Report equal-sized checkpoints that differ and proofs that fail; return the number of proofs that hold."""
    roots: dict[int, bytes] = {}
    for (name, note), (other, after) in pairwise(notes):
        if note.size == after.size and (note.root, note.link) != (after.root, after.link):
            report.differs(other, f"is a fork: {name} has the same size and another root or link")
    for _, note in notes:
        roots.setdefault(note.size, note.root)
    proved = 0
    for piece in proofs:
        old, new, hashes = piece.proof or (0, 0, ())
        if old not in roots or new not in roots:
            continue
        if merkle.is_consistent(old, new, roots[old], roots[new], hashes):
            proved += 1
        else:
            report.differs(piece.name, f"does not prove that the tree of {new} leaves begins with that of {old}")
    return proved


def _check_seals(report: Report, notes: Sequence[tuple[str, Checkpoint]]) -> bool:
    """Check the seal in the newest checkpoint that names the round; return whether any checkpoint names it."""
    named = [(name, note.seals[report.round]) for name, note in notes if report.round in note.seals]
    if not named:
        return False
    name, seal = named[-1]
    if seal != report.seal:
        earlier = any(other == report.seal for _, other in named)
        report.differs(
            name,
            f"names the seal {seal} for round {report.round}"
            + (", and an earlier checkpoint this archive's: it was changed since" if earlier else ""),
        )
    else:
        report.trusted.append(f"Its seal is the one that {name} names.")
    return True
