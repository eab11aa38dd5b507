import random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from contest.rules import ed25519


@pytest.mark.parametrize("seed", range(4))
def test_signatures_are_the_same_as_another_librarys(seed):
    rng = random.Random(seed)
    secret, message = rng.randbytes(32), rng.randbytes(seed * 20)
    other = Ed25519PrivateKey.from_private_bytes(secret)
    assert ed25519.public_key(secret) == other.public_key().public_bytes_raw()
    assert ed25519.sign(secret, message) == other.sign(message)


def test_nothing_else_is_a_signature():
    seed, message = bytes(range(32)), b"message"
    key, signature = ed25519.public_key(seed), ed25519.sign(seed, message)
    assert ed25519.is_signed(key, message, signature)
    for at in (0, 31, 32, 63):
        changed = bytearray(signature)
        changed[at] ^= 1
        assert not ed25519.is_signed(key, message, bytes(changed))
    assert not ed25519.is_signed(key, message + b"x", signature)
    assert not ed25519.is_signed(ed25519.public_key(bytes(32)), message, signature)
    order = 2**252 + 27742317777372353535851937790883648493
    larger = int.from_bytes(signature[32:], "little") + order
    assert not ed25519.is_signed(key, message, signature[:32] + larger.to_bytes(32, "little"))
    for broken in (b"", signature[:63], bytes(64), b"\xff" * 64):
        assert not ed25519.is_signed(key, message, broken)
    for broken in (b"", b"\xff" * 32, b"\2" + bytes(31)):
        assert not ed25519.is_signed(broken, message, signature)
