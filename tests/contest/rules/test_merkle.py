import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from contest.rules import merkle
from tests.contest.archive.witnesses.tlog_client import tree_hash as slow_root
from tests.sizes import cases

HASHES = [merkle.leaf_hash(bytes([number])) for number in range(70)]


def is_included(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root_: bytes) -> bool:
    """Return whether the proof leads from the leaf's hash to the root (RFC 9162, 2.1.3.2), as a reader finds out."""
    if not 0 <= index < size:
        return False
    here, last, found = index, size - 1, leaf
    for hash_ in proof:
        if last == 0:
            return False
        if here & 1 or here == last:
            found = merkle.node_hash(hash_, found)
            while here and not here & 1:
                here, last = here >> 1, last >> 1
        else:
            found = merkle.node_hash(found, hash_)
        here, last = here >> 1, last >> 1
    return last == 0 and found == root_


def node(height: int, index: int) -> bytes:
    return slow_root(HASHES[index << height : (index + 1) << height])


@pytest.mark.parametrize("size", cases([*range(1, 10), 31, 32, 33, 63, 64, 65], range(1, 70)))
def test_every_leaf_and_every_earlier_tree_is_proved_and_no_other(size):
    root = slow_root(HASHES[:size])
    assert merkle.root(HASHES[:size]) == root
    assert [leaves for leaves, _hash in merkle.peaks(HASHES[:size])] == merkle.sizes(size)
    assert merkle.join(merkle.peaks(HASHES[size:], merkle.peaks(HASHES[:size]))) == slow_root(HASHES)
    for index in range(size):
        proof = merkle.inclusion(node, index, size)
        assert is_included(HASHES[index], index, size, proof, root)
        assert not is_included(HASHES[index + 1], index, size, proof, root)
        assert not is_included(HASHES[index], index, size, [*proof, root], root)
    for old in range(1, size + 1):
        proof = merkle.consistency(node, old, size)
        assert merkle.is_consistent(old, size, slow_root(HASHES[:old]), root, proof)
        assert not merkle.is_consistent(old, size, slow_root(HASHES[1 : old + 1]), root, proof)
        assert not merkle.is_consistent(old, size, slow_root(HASHES[:old]), root, [*proof, root])


def test_the_cases_that_the_browser_is_tested_with():
    for case in json.loads((Path(__file__).parents[2] / "data/inclusion.json").read_text()):
        leaf, proof = merkle.leaf_hash(bytes.fromhex(case["leaf"])), list(map(bytes.fromhex, case["proof"]))
        found = is_included(leaf, case["index"], case["size"], proof, bytes.fromhex(case["root"]))
        assert found == case["is_included"], case["name"]
