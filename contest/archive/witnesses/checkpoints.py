"""The site's own checkpoints: the signed root of the tree over the chain, made once an hour if something changed."""

import hashlib
import hmac
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cache, partial
from urllib.parse import urlsplit

from django.conf import settings

from contest import visibility
from contest.archive import packing, writer
from contest.infra.cache import is_first, remember
from contest.judging import receipt_chain
from contest.models import ChainLink, Checkpoint
from contest.rules import canonical, signed_notes
from contest.rules.signed_notes import Key
from contest.visibility import Viewer

_INTERVAL_SECONDS = 3600  # seconds
_SEALED_FOR = timedelta(days=30)  # checkpoints name a round's seal for this long after its close


def make_hourly(at: datetime) -> bool:
    """Make a checkpoint unless one was made within the hour; return whether there is a new one."""
    if Checkpoint.objects.filter(origin=origin(), made_at__gt=at - timedelta(seconds=_INTERVAL_SECONDS)).exists():
        return False
    return is_first("checkpoint", _INTERVAL_SECONDS // 2) and make(at)


def make(at: datetime) -> bool:
    """Sign the current state of the chain; return whether it is new."""
    seals, time = _seals(at), _complete_until(at)
    link = receipt_chain.newest()
    if link is None:
        return False
    size, name = link.position + 1, origin()
    root, last = receipt_chain.tree_root(size), newest()
    if last and _facts(last) == (size, root, link.link, seals):
        Checkpoint.objects.filter(pk=last.pk).update(made_at=at)
        return False
    body = signed_notes.write(name, size, root, link.link, seals, time)
    note = f"{body}\n{signed_notes.sign(body, name, seed())}"
    Checkpoint.objects.create(origin=name, size=size, root=root.hex(), note=note, made_at=at)
    return True


def _complete_until(at: datetime) -> str:
    """Return *at* if everything received up to then is in the chain; nothing while entries still wait for a gap."""
    receipt_chain.append_all()
    return "" if receipt_chain.is_behind(at) else str(canonical.instant(at))


def _facts(checkpoint: Checkpoint) -> tuple[int, bytes, str, Mapping[int, str]]:
    """Return the facts of a checkpoint besides its time."""
    note = signed_notes.read(checkpoint.note)
    return note.size, note.root, note.link, note.seals


def newest() -> Checkpoint | None:
    return Checkpoint.objects.filter(origin=origin()).first()


def of_size(size: int) -> Checkpoint | None:
    """Return the last checkpoint with *size* leaves."""
    return Checkpoint.objects.filter(origin=origin(), size=size).first()


def consistency(old: int, size: int) -> list[str] | None:
    """Return the proof between two checkpoint sizes; None if there is no checkpoint of one of them."""
    sizes = set(Checkpoint.objects.filter(origin=origin(), size__in=[old, size]).values_list("size", flat=True))
    if not {old, size} <= sizes or old > size:
        return None
    return [hash_.hex() for hash_ in receipt_chain.consistency(old, size)]


def inclusion(link: ChainLink) -> tuple[Checkpoint, list[str]] | None:
    """Return the newest checkpoint and the proof that it includes a link's leaf; None until a checkpoint does."""
    checkpoint = newest()
    if checkpoint is None or checkpoint.size <= link.position:
        return None
    return checkpoint, [hash_.hex() for hash_ in receipt_chain.inclusion(link.position, checkpoint.size)]


def _seals(at: datetime) -> dict[int, str]:
    """Return the current seals of the archives of recent rounds."""
    recent = visibility.archived_rounds(Viewer(), at).filter(
        archive_format__gte=2, is_imported=False, closes_at__gt=at - _SEALED_FOR
    )
    seals = {}
    for round_ in recent:
        contents = writer.of(round_, at)
        key = ("seal", round_.number, contents.etag)
        seals[round_.number] = remember(key, partial(packing.seal, contents))
    return seals


# The signer


def origin() -> str:
    """Return the origin of the checkpoints: CHECKPOINT_ORIGIN, or else the site's host and "/leitai"."""
    return str(settings.CHECKPOINT_ORIGIN or f"{urlsplit(settings.SITE_URL).netloc or 'localhost'}/leitai")


@cache
def _seed(configured: str, secret: str) -> bytes:
    return (
        bytes.fromhex(configured) if configured else hmac.digest(secret.encode(), b"leitai checkpoints", hashlib.sha256)
    )


def seed() -> bytes:
    """Return the secret key: CHECKPOINT_KEY, or one derived from SECRET_KEY."""
    return _seed(settings.CHECKPOINT_KEY, settings.SECRET_KEY)


@cache
def _keys(name: str, secret: bytes) -> tuple[Key, Key]:
    return signed_notes.keys_of(name, secret)


def public_keys() -> tuple[Key, Key]:
    """Return the public keys for this site's own checkpoints and for its countersignatures."""
    return _keys(origin(), seed())
