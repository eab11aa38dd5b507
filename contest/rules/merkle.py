"""The Merkle tree of RFC 6962, section 2.1: SHA-256, leaves prefixed with byte 0, inner nodes with byte 1.

A proof is a list of hashes. Pure functions: the site makes proofs with them, and `python -m contest.verify` checks
them; `static/contest/rounds/inclusion.js` is the same in the browser. `node(height, index)` returns the hash of a full
subtree of 2^height leaves starting at index * 2^height, so that a caller with stored nodes reads few leaves.
"""

import hashlib
from collections.abc import Callable, Sequence

WIDTH = 256  # leaves below a stored node, eight levels
Node = Callable[[int, int], bytes]
EMPTY = hashlib.sha256(b"").digest()


def leaf_hash(leaf: bytes) -> bytes:
    return hashlib.sha256(b"\0" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()


def root(hashes: Sequence[bytes]) -> bytes:
    """Return the root over the hashes of leaves, or of subtrees of one size. O(n).

    >>> root([]).hex()[:8], root([leaf_hash(b"")]).hex()[:8]
    ('e3b0c442', '6e340b9c')
    """
    return join(peaks(hashes)) if hashes else EMPTY


def peaks(hashes: Sequence[bytes], before: Sequence[tuple[int, bytes]] = ()) -> list[tuple[int, bytes]]:
    """Return the full subtrees of a tree, largest first, as (leaves, hash); *before* are those to extend."""
    stack = list(before)
    for hash_ in hashes:
        stack.append((1, hash_))
        while len(stack) > 1 and stack[-1][0] == stack[-2][0]:
            (size, right), (_, left) = stack.pop(), stack.pop()
            stack.append((2 * size, node_hash(left, right)))
    return stack


def join(subtrees: Sequence[tuple[int, bytes]]) -> bytes:
    """Return the root over peaks."""
    if not subtrees:
        return EMPTY
    *rest, (_size, result) = subtrees
    for _size, hash_ in reversed(rest):
        result = node_hash(hash_, result)
    return result


def sizes(count: int) -> list[int]:
    """Return the sizes of the peaks of a tree of *count* leaves: its binary digits.

    >>> sizes(13)
    [8, 4, 1]
    """
    return [1 << height for height in range(count.bit_length() - 1, -1, -1) if count >> height & 1]


def range_root(node: Node, start: int, end: int) -> bytes:
    """Return the hash over leaves *start* to *end*, exclusive; *start* must be a multiple of the largest part."""
    subtrees = []
    for size in sizes(end - start):
        subtrees.append((size, node(size.bit_length() - 1, start // size)))
        start += size
    return join(subtrees)


def inclusion(node: Node, index: int, size: int) -> list[bytes]:
    """Return the proof that leaf *index* is in the tree of *size* leaves, PATH(index, D[size]). O(log size) nodes."""
    start, end, proof = 0, size, []
    while end - start > 1:
        middle = start + _half(end - start)
        if index < middle:
            proof.append(range_root(node, middle, end))
            end = middle
        else:
            proof.append(range_root(node, start, middle))
            start = middle
    return proof[::-1]


def consistency(node: Node, old: int, size: int) -> list[bytes]:
    """Return PROOF(old, D[size]): the tree of *size* leaves begins with the tree of *old* leaves. O(log size) nodes."""
    if not 0 < old < size:
        return []
    start, end, proof = 0, size, []
    while end != old:
        middle = start + _half(end - start)
        if old <= middle:
            proof.append(range_root(node, middle, end))
            end = middle
        else:
            proof.append(range_root(node, start, middle))
            start = middle
    if start:
        proof.append(range_root(node, start, end))
    return proof[::-1]


def _half(size: int) -> int:
    """Return the largest power of two smaller than *size*."""
    return 1 << ((size - 1).bit_length() - 1)


def is_consistent(old: int, size: int, old_root: bytes, new_root: bytes, proof: Sequence[bytes]) -> bool:
    """Return True if the proof shows that the smaller tree is a prefix of the larger one (RFC 9162, 2.1.4.2)."""
    if not 0 <= old <= size:
        return False
    if old in (0, size):
        return not proof and (old_root == new_root if old else old_root == EMPTY)
    path = list(proof) if old & (old - 1) else [old_root, *proof]
    if not path:
        return False
    position, last = old - 1, size - 1
    while position & 1:
        position, last = position >> 1, last >> 1
    small = large = path[0]
    for hash_ in path[1:]:
        if last == 0:
            return False
        if position & 1 or position == last:
            small, large = node_hash(hash_, small), node_hash(hash_, large)
            while position and not position & 1:
                position, last = position >> 1, last >> 1
        else:
            large = node_hash(large, hash_)
        position, last = position >> 1, last >> 1
    return last == 0 and (small, large) == (old_root, new_root)
