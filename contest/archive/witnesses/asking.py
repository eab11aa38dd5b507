"""Ask the witnesses in the settings to countersign the newest checkpoint, and store their signatures."""

import base64
import logging

from django.db import transaction

from contest.archive.witnesses import checkpoints, records
from contest.infra import clock, outbound_http
from contest.judging import receipt_chain
from contest.models import Checkpoint, Witnessing
from contest.rules import signed_notes
from contest.rules.signed_notes import BadNote, Key

log = logging.getLogger(__name__)


def ask_all() -> int:
    """Ask every witness that has not signed the newest checkpoint; return how many new signatures were stored."""
    newest = checkpoints.newest()
    if newest is None:
        return 0
    note = signed_notes.read(newest.note)
    unsigned = [(key, url) for key, url in records.witnesses() if url and not signed_notes.is_signed_by(note, key)]
    return sum(_ask(newest, key, url) for key, url in unsigned)


def _ask(checkpoint: Checkpoint, key: Key, url: str) -> bool:
    """Ask one witness; its 409 response contains the size of the checkpoint it saw last."""
    row = Witnessing.objects.filter(log=checkpoint.origin, witness=key.name).first()
    known = min(row.signed_size or 0, checkpoint.size) if row else 0
    reply = _request(checkpoint, url, known)
    if (size := _size_in(reply)) is not None and size != known and size <= checkpoint.size:
        reply = _request(checkpoint, url, size)
    if reply.status == 200 and store_signature(checkpoint, reply.text, key):
        return True
    if reply.status == 422 or _size_in(reply) is not None:
        return _note_refusal(checkpoint, key, reply)
    log.warning("The witness %s did not countersign (%s).", key.name, reply.description)
    _store(checkpoint, key, Witnessing.Outcome.SILENT)
    return False


def _note_refusal(checkpoint: Checkpoint, key: Key, reply: outbound_http.Reply) -> bool:
    """Report that a witness saw another history, unless another process has made and shown a newer checkpoint."""
    newest = checkpoints.newest()
    if newest and checkpoint.size < (_size_in(reply) or 0) <= newest.size:
        return False
    log.error(
        "The witness %s refuses the checkpoint of size %d: it saw another history of this log (%s).",
        key.name, checkpoint.size, reply.description,
    )  # fmt: skip
    _store(checkpoint, key, Witnessing.Outcome.REFUSED)
    return False


def _size_in(reply: outbound_http.Reply) -> int | None:
    """Return the size in a conflict response."""
    try:
        return signed_notes.read_size(reply.text.strip()) if reply.status == 409 else None
    except BadNote:
        return None


def _request(checkpoint: Checkpoint, url: str, old: int) -> outbound_http.Reply:
    proof = receipt_chain.consistency(old, checkpoint.size) if old < checkpoint.size else []
    lines = [f"old {old}", *(base64.b64encode(hash_).decode() for hash_ in proof)]
    body = "\n".join(lines) + "\n\n" + checkpoint.note
    return outbound_http.ask(url, body.encode(), {"Content-Type": "text/plain; charset=utf-8"})


@transaction.atomic
def store_signature(checkpoint: Checkpoint, signature: str, key: Key) -> bool:
    """Append a signature to a checkpoint, once, if it is the witness's; return whether it is."""
    locked = Checkpoint.objects.select_for_update().get(pk=checkpoint.pk)
    body = signed_notes.read(locked.note).body
    try:
        is_valid = signature.endswith("\n") and signed_notes.is_signed_by(
            signed_notes.read(f"{body}\n{signature}"), key
        )
    except BadNote:
        is_valid = False
    if not is_valid:
        log.warning("The witness %s sent a signature that is none.", key.name)
        return False
    if not signed_notes.is_signed_by(signed_notes.read(locked.note), key):
        locked.note += signature
        locked.save(update_fields=["note"])
    _store(checkpoint, key, Witnessing.Outcome.SIGNED)
    return True


def _store(checkpoint: Checkpoint, key: Key, outcome: Witnessing.Outcome) -> None:
    records.store(checkpoint.origin, key.name, outcome, checkpoint.size, clock.now())
