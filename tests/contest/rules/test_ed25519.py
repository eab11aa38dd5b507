import random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from contest.rules import ed25519

# RFC 8032, section 7.1: seed, public key, message, signature.
VECTORS = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        (
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
            "d25bf5f0595bbe24655141438e7a100b"
        ),
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        (
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
            "387b2eaeb4302aeeb00d291612bb0c00"
        ),
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        (
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
            "4a7c15e9716ed28dc027beceea1ec40a"
        ),
    ),
]


@pytest.mark.parametrize(("seed", "key", "message", "signature"), VECTORS)
def test_the_vectors_of_the_rfc(seed, key, message, signature):
    seed, key, message, signature = map(bytes.fromhex, (seed, key, message, signature))
    assert ed25519.public_key(seed) == key
    assert ed25519.sign(seed, message) == signature
    assert ed25519.is_signed(key, message, signature)


@pytest.mark.parametrize("seed", range(8))
def test_it_signs_as_another_library_does(seed):
    rng = random.Random(seed)
    secret, message = rng.randbytes(32), rng.randbytes(seed * 20)
    other = Ed25519PrivateKey.from_private_bytes(secret)
    assert ed25519.public_key(secret) == other.public_key().public_bytes_raw()
    assert ed25519.sign(secret, message) == other.sign(message)


def test_nothing_else_is_a_signature():
    _seed, key, message, signature = map(bytes.fromhex, VECTORS[2])
    for at in (0, 31, 32, 63):
        changed = bytearray(signature)
        changed[at] ^= 1
        assert not ed25519.is_signed(key, message, bytes(changed))
    assert not ed25519.is_signed(key, message + b"x", signature)
    assert not ed25519.is_signed(bytes.fromhex(VECTORS[1][1]), message, signature)
    order = 2**252 + 27742317777372353535851937790883648493
    larger = int.from_bytes(signature[32:], "little") + order
    assert not ed25519.is_signed(key, message, signature[:32] + larger.to_bytes(32, "little"))
    for broken in (b"", signature[:63], bytes(64), b"\xff" * 64):
        assert not ed25519.is_signed(key, message, broken)
    for broken in (b"", b"\xff" * 32, b"\2" + bytes(31)):
        assert not ed25519.is_signed(broken, message, signature)
