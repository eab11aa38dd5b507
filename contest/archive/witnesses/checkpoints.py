"""The site's own checkpoints: what the tree over the chain comes to, signed, once an hour where something changed."""

import hashlib
import hmac
from datetime import datetime, timedelta
from functools import cache as kept
from urllib.parse import urlsplit

from django.conf import settings

from contest import visibility
from contest.archive import packing, writer
from contest.infra.cache import is_first, remember
from contest.judging import receipt_chain
from contest.models import ChainLink, Checkpoint
from contest.rules import signed_notes
from contest.rules.signed_notes import Key
from contest.visibility import Viewer

_EVERY = 3600  # seconds
_SEALED_FOR = timedelta(days=30)  # how long after its close a round's seal is named


def make_hourly(at: datetime) -> bool:
    """Make a checkpoint unless there was one within the hour; return whether there is a new one."""
    if Checkpoint.objects.filter(origin=origin(), made_at__gt=at - timedelta(seconds=_EVERY)).exists():
        return False
    return is_first("checkpoint", _EVERY // 2) and make(at)


def make(at: datetime) -> bool:
    """Sign what the chain comes to now; return whether that is anything new."""
    link = receipt_chain.newest()
    if link is None:
        return False
    size, name = link.position + 1, origin()
    root = receipt_chain.tree_root(size)
    body = signed_notes.write(name, size, root, link.link, _seals(at))
    last = newest()
    if last and last.note.startswith(f"{body}\n"):
        Checkpoint.objects.filter(pk=last.pk).update(made_at=at)
        return False
    note = f"{body}\n{signed_notes.sign(body, name, seed())}"
    Checkpoint.objects.create(origin=name, size=size, root=root.hex(), note=note, made_at=at)
    return True


def newest() -> Checkpoint | None:
    return Checkpoint.objects.filter(origin=origin()).first()


def of_size(size: int) -> Checkpoint | None:
    """The last checkpoint of so many leaves."""
    return Checkpoint.objects.filter(origin=origin(), size=size).first()


def consistency(old: int, size: int) -> list[str] | None:
    """The proof between two sizes that checkpoints have; None where there is none of one of them."""
    sizes = set(Checkpoint.objects.filter(origin=origin(), size__in=[old, size]).values_list("size", flat=True))
    if not {old, size} <= sizes or old > size:
        return None
    return [hash_.hex() for hash_ in receipt_chain.consistency(old, size)]


def inclusion(link: ChainLink) -> tuple[Checkpoint, list[str]] | None:
    """The proof that a link's leaf is in the newest checkpoint's tree; None until there is one that reaches it."""
    found = newest()
    if found is None or found.size <= link.position:
        return None
    return found, [hash_.hex() for hash_ in receipt_chain.inclusion(link.position, found.size)]


def _seals(at: datetime) -> dict[int, str]:
    """The seals of the archives of late rounds, as they are now."""
    late = visibility.archived_rounds(Viewer(), at).filter(
        archive_format=2, is_imported=False, closes_at__gt=at - _SEALED_FOR
    )
    found = {}
    for round_ in late:
        contents = writer.of(round_, at)
        key = ("seal", round_.number, contents.etag)
        found[round_.number] = remember(key, lambda contents=contents: packing.seal(contents))  # type: ignore[misc]
    return found


# Who signs


def origin() -> str:
    """Whose checkpoints they are: the site's host, unless the settings name it otherwise."""
    return str(settings.CHECKPOINT_ORIGIN or f"{urlsplit(settings.SITE_URL).netloc or 'localhost'}/leitai")


@kept
def _seed(given: str, secret: str) -> bytes:
    return bytes.fromhex(given) if given else hmac.digest(secret.encode(), b"leitai checkpoints", hashlib.sha256)


def seed() -> bytes:
    """The secret key: CHECKPOINT_KEY, or one that follows from SECRET_KEY."""
    return _seed(settings.CHECKPOINT_KEY, settings.SECRET_KEY)


@kept
def _keys(name: str, secret: bytes) -> tuple[Key, Key]:
    return signed_notes.keys_of(name, secret)


def public_keys() -> tuple[Key, Key]:
    """The public keys: of this site's own checkpoints, and of its countersignatures."""
    return _keys(origin(), seed())
