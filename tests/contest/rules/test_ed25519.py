import random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from contest.rules import ed25519

# RFC 8032, section 7.1, test 3: seed, public key, message, signature.
SEED = bytes.fromhex("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7")
KEY = bytes.fromhex("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025")
MESSAGE = bytes.fromhex("af82")
SIGNATURE = bytes.fromhex(
    "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28d"
    "c027beceea1ec40a"
)


def test_the_vector_of_the_rfc():
    assert ed25519.public_key(SEED) == KEY
    assert ed25519.sign(SEED, MESSAGE) == SIGNATURE
    assert ed25519.is_signed(KEY, MESSAGE, SIGNATURE)


@pytest.mark.parametrize("seed", range(4))
def test_signatures_are_the_same_as_another_librarys(seed):
    rng = random.Random(seed)
    secret, message = rng.randbytes(32), rng.randbytes(seed * 20)
    other = Ed25519PrivateKey.from_private_bytes(secret)
    assert ed25519.public_key(secret) == other.public_key().public_bytes_raw()
    assert ed25519.sign(secret, message) == other.sign(message)


def test_nothing_else_is_a_signature():
    key, message, signature = KEY, MESSAGE, SIGNATURE
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
