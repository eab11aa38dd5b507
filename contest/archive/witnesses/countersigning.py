"""Countersign another site's checkpoints as C2SP's tlog-witness specifies: only if one extends the last one seen.

WITNESSED_LOGS lists the logs that this site witnesses. A log that shows others a different history gets no
countersignature for it, because this site signs only the history that it has seen. Two trees of one size that a log
signed are a fork: both checkpoints stay as evidence, and the desk raises an alarm.
"""

import logging
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from contest.archive.witnesses import checkpoints, records
from contest.infra.database import locks
from contest.models import Checkpoint, Witnessing
from contest.rules import merkle, signed_notes
from contest.rules.signed_notes import BadNote

log = logging.getLogger(__name__)

_MAX_HASHES = 63


@dataclass(frozen=True)
class Answer:
    """The response to a log: a status, and a signature, the known size or a reason."""

    status: int
    text: str
    content_type: str = "text/plain; charset=utf-8"


def add_checkpoint(body: bytes, at: datetime) -> Answer:
    """Countersign, or respond with 400 unreadable, 403 not signed, 404 not ours, 409 another size, 422 no proof."""
    try:
        old, proof, note = _read(body)
    except BadNote as error:
        return Answer(400, f"{error}\n")
    key = records.witnessed_logs().get(note.origin)
    if key is None or note.origin == checkpoints.origin():
        return Answer(404, "This log is not witnessed here.\n")
    if not signed_notes.is_signed_by(note, key):
        return Answer(403, "The checkpoint is not signed by its log.\n")
    if old > note.size:
        return Answer(400, "The old size is larger than the checkpoint's.\n")
    with transaction.atomic():
        locks.take(locks.Turn.WITNESS)
        return _countersign(note, signed_notes.signed_text(note, key), old, proof, at)


def _countersign(note: signed_notes.Checkpoint, text: str, old: int, proof: list[bytes], at: datetime) -> Answer:
    last = Checkpoint.objects.filter(origin=note.origin).first()
    size, root = (last.size, bytes.fromhex(last.root)) if last else (0, merkle.EMPTY)
    others = Checkpoint.objects.filter(origin=note.origin, size=note.size).exclude(root=note.root.hex())
    if others.exists():
        log.critical("FORK: the log %s signed two different trees of size %d.", note.origin, note.size)
        _store(note, Witnessing.Outcome.REFUSED, at, fork=text)
        return Answer(409, f"{size}\n", "text/x.tlog.size")
    if old != size:
        return Answer(409, f"{size}\n", "text/x.tlog.size")
    if not merkle.is_consistent(old, note.size, root, note.root, proof):
        log.error("The log %s sent no valid proof from size %d to %d: it may be a fork.", note.origin, size, note.size)
        _store(note, Witnessing.Outcome.REFUSED, at)
        return Answer(422, "The proof does not lead from the last checkpoint seen to this one.\n")
    signature = signed_notes.cosign(note.body, checkpoints.origin(), checkpoints.seed(), int(at.timestamp()))
    if last is None or not last.note.startswith(note.body):
        Checkpoint.objects.create(origin=note.origin, size=note.size, root=note.root.hex(), note=text, made_at=at)
    _store(note, Witnessing.Outcome.SIGNED, at)
    return Answer(200, signature)


def _store(note: signed_notes.Checkpoint, outcome: Witnessing.Outcome, at: datetime, fork: str = "") -> None:
    records.store(note.origin, checkpoints.origin(), outcome, note.size, at, fork)


def _read(body: bytes) -> tuple[int, list[bytes], signed_notes.Checkpoint]:
    """Parse `old N`, the proof with one hash a line, a blank line, and the checkpoint. Raise BadNote."""
    try:
        head, blank, note = body.decode().partition("\n\n")
    except UnicodeDecodeError:
        raise BadNote("is no text") from None
    first, *lines = head.split("\n")
    size = first.removeprefix("old ")
    if not blank or size == first or len(lines) > _MAX_HASHES:
        raise BadNote("is no request to add a checkpoint")
    proof = [signed_notes.from_base64(line) for line in lines]
    if any(len(hash_) != 32 for hash_ in proof):
        raise BadNote("has a hash that is none")
    return signed_notes.read_size(size), proof, signed_notes.read(note)
