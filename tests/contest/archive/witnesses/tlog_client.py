"""A client of transparency logs, written from the C2SP specifications and RFC 6962 alone; it imports nothing of ours.

It covers c2sp.org/signed-note, tlog-checkpoint, tlog-cosignature, tlog-witness and tlog-tiles.
"""

import base64
import hashlib
from collections.abc import Callable

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

Fetch = Callable[[str], bytes]


class Violation(AssertionError):
    """The log breaks a rule of the specifications."""


def require(condition: object, rule: str) -> None:
    if not condition:
        raise Violation(rule)


# Signed notes


def open_note(note: str, verifier_key: str) -> str:
    """Return the text of a note that *verifier_key* signed, or countersigned if its type is 4."""
    require(all(char == "\n" or ord(char) >= 32 for char in note), "no control characters")
    text, _, signatures = note.rpartition("\n\n")
    require(text and signatures.endswith("\n"), "text, blank line, signature lines")
    name, key_id, material = verifier_key.split("+", 2)
    kind, public = base64.b64decode(material)[:1], base64.b64decode(material)[1:]
    expected = hashlib.sha256(name.encode() + b"\n" + kind + public).digest()[:4]
    require(expected.hex() == key_id, "the key's id is the start of its hash")
    for line in signatures.removesuffix("\n").split("\n"):
        require(line.startswith("\N{EM DASH} "), "a signature line begins with a dash")
        signer, _, packed = line[2:].partition(" ")
        data = base64.b64decode(packed, validate=True)
        if (signer, data[:4]) == (name, expected):
            _verify(kind, public, f"{text}\n".encode(), data[4:])
            return f"{text}\n"
    raise Violation(f"no signature of {name}")


def _verify(kind: bytes, public: bytes, text: bytes, signature: bytes) -> None:
    if kind == b"\4":
        instant, signature = int.from_bytes(signature[:8], "big"), signature[8:]
        text = f"cosignature/v1\ntime {instant}\n".encode() + text
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, text)
    except InvalidSignature:
        raise Violation("the signature is valid") from None


def read_checkpoint(text: str) -> tuple[str, int, bytes]:
    lines = text.removesuffix("\n").split("\n")
    require(len(lines) >= 3 and all(lines), "at least three non-empty lines")
    require(lines[1] == str(int(lines[1])), "a size without leading zeroes")
    root = base64.b64decode(lines[2], validate=True)
    require(len(root) == 32, "the root has 32 bytes")
    return lines[0], int(lines[1]), root


# Merkle Tree Hash (RFC 6962, section 2.1)


def tree_hash(hashes: list[bytes]) -> bytes:
    """Return MTH of a list whose leaves are hashed already."""
    if not hashes:
        return hashlib.sha256().digest()
    if len(hashes) == 1:
        return hashes[0]
    split = 1
    while split * 2 < len(hashes):
        split *= 2
    return hashlib.sha256(b"\1" + tree_hash(hashes[:split]) + tree_hash(hashes[split:])).digest()


def consistency_proof(old: int, hashes: list[bytes], *, is_whole: bool = True) -> list[bytes]:
    """Return PROOF(old, D) of section 2.1.2; *is_whole* says whether the old tree's hash is known to the verifier."""
    if old == len(hashes):
        return [] if is_whole else [tree_hash(hashes)]
    split = 1
    while split * 2 < len(hashes):
        split *= 2
    if old <= split:
        return [*consistency_proof(old, hashes[:split], is_whole=is_whole), tree_hash(hashes[split:])]
    return [*consistency_proof(old - split, hashes[split:], is_whole=False), tree_hash(hashes[:split])]


def add_checkpoint(old: int, hashes: list[bytes], note: str) -> bytes:
    proof = consistency_proof(old, hashes) if old else []
    lines = [f"old {old}", *(base64.b64encode(node).decode() for node in proof)]
    return ("\n".join(lines) + "\n\n" + note).encode()


def sign_note(text: str, name: str, key: Ed25519PrivateKey) -> tuple[str, str]:
    public = key.public_key().public_bytes_raw()
    key_id = hashlib.sha256(name.encode() + b"\n\1" + public).digest()[:4]
    signature = base64.b64encode(key_id + key.sign(text.encode())).decode()
    verifier_key = f"{name}+{key_id.hex()}+{base64.b64encode(bytes([1]) + public).decode()}"
    return f"{text}\n\N{EM DASH} {name} {signature}\n", verifier_key


# Tiles


def tile_path(level: object, index: int, width: int = 256) -> str:
    """Return the path of a tile below the log's prefix; the level of entry bundles is "entries"."""
    digits = str(index)
    digits = digits.zfill(-(-len(digits) // 3) * 3)
    groups = [digits[start : start + 3] for start in range(0, len(digits), 3)]
    path = "/".join([*(f"x{group}" for group in groups[:-1]), groups[-1]])
    return f"tile/{level}/{path}" + (f".p/{width}" if width < 256 else "")


def read_level(fetch: Fetch, level: int, size: int) -> list[bytes]:
    """Return all hashes of a level of the tree of *size* leaves."""
    count, found = size // 256**level, []
    for start in range(0, count, 256):
        width = min(256, count - start)
        data = fetch(tile_path(level, start // 256, width))
        require(len(data) == 32 * width, "a tile has 32 bytes for each hash")
        found += [data[place : place + 32] for place in range(0, len(data), 32)]
    return found


def read_entries(fetch: Fetch, size: int) -> list[bytes]:
    entries: list[bytes] = []
    for start in range(0, size, 256):
        data = fetch(tile_path("entries", start // 256, min(256, size - start)))
        while data:
            end = 2 + int.from_bytes(data[:2], "big")
            require(end <= len(data), "an entry has the length before it")
            entries.append(data[2:end])
            data = data[end:]
    return entries


def audit(fetch: Fetch, verifier_key: str) -> tuple[int, list[bytes]]:
    """Read the whole log, check every hash against its checkpoint, and return its size and the hashes of its leaves."""
    text = open_note(fetch("checkpoint").decode(), verifier_key)
    _origin, size, root = read_checkpoint(text)
    leaves = read_level(fetch, 0, size)
    require(tree_hash(leaves) == root, "the tiles have the root of the checkpoint")
    entries = read_entries(fetch, size)
    require([hashlib.sha256(b"\0" + entry).digest() for entry in entries] == leaves, "an entry hashes to its leaf")
    below, level = leaves, 1
    while len(below) >= 256:
        hashes = read_level(fetch, level, size)
        full = [tree_hash(below[start : start + 256]) for start in range(0, len(below) - 255, 256)]
        require(hashes == full, "a hash of a level is that of a full tile below")
        below, level = hashes, level + 1
    return size, leaves
