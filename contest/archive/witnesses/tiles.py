"""The tree in tiles of 256 hashes and its leaves in bundles of 256, as C2SP's tlog-tiles specifies.

A tile of level L lists the hashes of subtrees of 256^L leaves: those that the site stores anyway. An entry is the 32
bytes of a leaf, which reveal nothing of the submission without its receipt. Only what the newest checkpoint signs is
published, so a tile never changes.
"""

from contest.archive.witnesses import checkpoints
from contest.judging import receipt_chain
from contest.models import ChainLink
from contest.rules.merkle import WIDTH

_MAX_LEVEL = 63
_ENTRY_LENGTH = (32).to_bytes(2, "big")


def hashes(level: int, index: int, width: int) -> bytes | None:
    """Return the first *width* hashes of a tile; None if the newest checkpoint's tree has fewer."""
    if not _has(level, index, width):
        return None
    return b"".join(receipt_chain.hashes_below(level + 1, index)[:width])


def entries(index: int, width: int) -> bytes | None:
    """Return the first *width* entries of a bundle, each after its length; None if there are fewer."""
    if not _has(0, index, width):
        return None
    start = index * WIDTH
    rows = ChainLink.objects.filter(position__range=(start, start + width - 1)).order_by("position")
    return b"".join(_ENTRY_LENGTH + bytes.fromhex(leaf) for leaf in rows.values_list("leaf", flat=True))


def _has(level: int, index: int, width: int) -> bool:
    newest = checkpoints.newest()
    return newest is not None and level <= _MAX_LEVEL and index * WIDTH + width <= newest.size >> 8 * level
