"""Ask the witnesses in the settings to countersign the newest checkpoint, and store their signatures."""

import base64
import logging

from django.conf import settings
from django.db import transaction

from contest.archive.witnesses import checkpoints
from contest.infra import outbound_http
from contest.judging import receipt_chain
from contest.models import Checkpoint
from contest.rules import signed_notes
from contest.rules.signed_notes import BadNote, Key

log = logging.getLogger(__name__)


def ask_all() -> int:
    """Ask every witness that has not signed the newest checkpoint; return how many new signatures were stored."""
    newest = checkpoints.newest()
    return sum(_ask(newest, witness) for witness in settings.WITNESSES) if newest else 0


def _ask(checkpoint: Checkpoint, witness: str) -> bool:
    """Ask one witness, `key@address`; its 409 response contains the size of the checkpoint it saw last."""
    key_text, _, url = witness.partition("@")
    try:
        key = signed_notes.read_key(key_text)
        if signed_notes.is_signed_by(signed_notes.read(checkpoint.note), key):
            return False
        reply = _request(checkpoint, url, 0)
        if reply.status == 409 and reply.text.strip().isdecimal():
            reply = _request(checkpoint, url, int(reply.text))
        if reply.status != 200:
            log.warning("The witness %s did not countersign (%s).", key.name, reply.description)
            return False
        return _store_signature(checkpoint, reply.text, key)
    except BadNote as error:
        log.warning("A witness did not countersign: %s.", error)
        return False


def _request(checkpoint: Checkpoint, url: str, old: int) -> outbound_http.Reply:
    proof = receipt_chain.consistency(old, checkpoint.size) if old < checkpoint.size else []
    lines = [f"old {old}", *(base64.b64encode(hash_).decode() for hash_ in proof)]
    body = "\n".join(lines) + "\n\n" + checkpoint.note
    return outbound_http.ask(url, body.encode(), {"Content-Type": "text/plain; charset=utf-8"})


@transaction.atomic
def _store_signature(checkpoint: Checkpoint, signature: str, key: Key) -> bool:
    """Append the signature, if it is the witness's."""
    locked = Checkpoint.objects.select_for_update().get(pk=checkpoint.pk)
    note = locked.note + signature
    if not signature.endswith("\n") or not signed_notes.is_signed_by(signed_notes.read(note), key):
        log.warning("The witness %s sent a signature that is none.", key.name)
        return False
    locked.note = note
    locked.save(update_fields=["note"])
    return True
