"""Verification of inclusion proofs, as a reader does it; the site only creates such proofs."""

from collections.abc import Sequence

from contest.rules.merkle import node_hash


def is_included(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root_: bytes) -> bool:
    """Return whether the proof leads from the leaf's hash to the root (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    here, last, found = index, size - 1, leaf
    for hash_ in proof:
        if last == 0:
            return False
        if here & 1 or here == last:
            found = node_hash(hash_, found)
            while here and not here & 1:
                here, last = here >> 1, last >> 1
        else:
            found = node_hash(found, hash_)
        here, last = here >> 1, last >> 1
    return last == 0 and found == root_
