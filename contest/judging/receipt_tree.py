"""The Merkle tree over the leaves of the receipt chain (rule 24.2): its roots and proofs, in few reads.

The hashes of whole subtrees of 256 leaves, of 256 such and so on are kept as rows (TreeNode), for they never change. A
proof reads those and, at its ends, 256 leaves at once.
"""

from collections.abc import Sequence
from functools import cache

from contest.models import ChainLink, TreeNode
from contest.rules import merkle
from contest.rules.merkle import WIDTH

_HEIGHT = WIDTH.bit_length() - 1


def grow(links: Sequence[ChainLink]) -> None:
    """Keep the hashes of the subtrees that *links*, just appended, have filled."""
    if not links:
        return
    before, count, level = links[0].position, links[-1].position + 1, 1
    while count // WIDTH > before // WIDTH:
        first, before, count = before // WIDTH, before // WIDTH, count // WIDTH
        TreeNode.objects.bulk_create(
            TreeNode(level=level, index=index, sha256=merkle.root(_below(level, index)).hex())
            for index in range(first, count)
        )
        level += 1


def root(size: int) -> bytes:
    """The root over the first *size* leaves."""
    return merkle.range_root(_reader(), 0, size)


def peaks(size: int) -> list[bytes]:
    """The hashes of the whole subtrees that the tree of *size* leaves is made of, the largest first."""
    node, start, found = _reader(), 0, []
    for part in merkle.sizes(size):
        found.append(node(part.bit_length() - 1, start // part))
        start += part
    return found


def inclusion(position: int, size: int) -> list[bytes]:
    return merkle.inclusion(_reader(), position, size)


def consistency(old: int, size: int) -> list[bytes]:
    return merkle.consistency(_reader(), old, size)


def _reader() -> merkle.Node:
    """Nodes of the tree, each block of the table read once."""
    blocks = cache(_below)

    def node(height: int, index: int) -> bytes:
        level, above = divmod(height, _HEIGHT)
        start = index << above
        block = blocks(level + 1, start // WIDTH)[start % WIDTH :][: 1 << above]
        return merkle.root(block)

    return node


def _below(level: int, index: int) -> list[bytes]:
    """The hashes below node *index* of a level, as far as they are there: of the leaves where *level* is 1."""
    span = (index * WIDTH, (index + 1) * WIDTH - 1)
    if level == 1:
        leaves = ChainLink.objects.filter(position__range=span).order_by("position").values_list("leaf", flat=True)
        return [merkle.leaf_hash(bytes.fromhex(leaf)) for leaf in leaves]
    nodes = TreeNode.objects.filter(level=level - 1, index__range=span).order_by("index")
    return [bytes.fromhex(sha256) for sha256 in nodes.values_list("sha256", flat=True)]
