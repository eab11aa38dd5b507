"""Checkpoints of the tree as text, in the formats of public transparency logs (C2SP signed-note, tlog-checkpoint,
tlog-cosignature): pure functions that write, sign and read them.

    example.org/leitai
    1207
    CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=
    link 5d0c…
    time 2026-11-21T12:00:00.000000Z
    seal 219 9a41…

    — example.org/leitai Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=

Size and root are followed by the chain's newest link, the time up to which the tree has everything received, and, for
recent rounds, the SHA-256 of the archive's manifest.
"""

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from contest.rules import ed25519

LARGEST = 2**16  # bytes of a note
SIGNED, COSIGNED = 1, 4
_DASH = "— "
_NAME = re.compile(r"[^\s+]{1,255}")
_SIZE = re.compile(r"0|[1-9][0-9]{0,17}")
_LINK = re.compile(r"link ([0-9a-f]{64})")
_TIME = re.compile(r"time ([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z)")
_SEAL = re.compile(r"seal ([1-9][0-9]{0,9}) ([0-9a-f]{64})")
_MAX_SIGNATURES = 100


class BadNote(ValueError):
    """The reason why a text is no checkpoint or no key."""


@dataclass(frozen=True)
class Checkpoint:
    """The content of a note, with its signatures as written: name, key id and the rest."""

    origin: str
    size: int
    root: bytes
    link: str = ""
    seals: Mapping[int, str] = field(default_factory=dict)
    time: str = ""
    body: str = ""
    signatures: Sequence[tuple[str, bytes, bytes]] = ()


@dataclass(frozen=True)
class Key:
    """A verifier key: owner, kind (1 signs, 4 countersigns), and the 32 bytes."""

    name: str
    kind: int
    public: bytes

    @property
    def id(self) -> bytes:
        return hashlib.sha256(self.name.encode() + b"\n" + bytes([self.kind]) + self.public).digest()[:4]

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{_base64(bytes([self.kind]) + self.public)}"


def read_key(text: str) -> Key:
    """Read `name+id+key`. Raise BadNote."""
    parts = text.strip().split("+", 2)  # names have no plus; Base64 may
    if len(parts) != 3 or not _NAME.fullmatch(parts[0]):
        raise BadNote(f"{text[:100]!a} is no key as name+id+key")
    data = from_base64(parts[2])
    if len(data) != 33 or data[0] not in (SIGNED, COSIGNED):
        raise BadNote(f"{text[:100]!a} is no key of Ed25519")
    key = Key(parts[0], data[0], data[1:])
    if key.id.hex() != parts[1]:
        raise BadNote(f"{text[:100]!a}: the id belongs to another key")
    return key


def keys_of(name: str, seed: bytes) -> tuple[Key, Key]:
    """Return the key that signs *name*'s checkpoints, and the key that countersigns others'."""
    public = ed25519.public_key(seed)
    return Key(name, SIGNED, public), Key(name, COSIGNED, public)


def write(origin: str, size: int, root: bytes, link: str, seals: Mapping[int, str], time: str = "") -> str:
    """Return the body of a checkpoint, which is the signed text."""
    lines = [origin, str(size), _base64(root)]
    lines += [f"link {link}"] if link else []
    lines += [f"time {time}"] if time else []
    lines += [f"seal {number} {seal}" for number, seal in sorted(seals.items())]
    return "\n".join(lines) + "\n"


def sign(body: str, name: str, seed: bytes) -> str:
    """Return the signature line for a body."""
    key, _ = keys_of(name, seed)
    return f"{_DASH}{name} {_base64(key.id + ed25519.sign(seed, body.encode()))}\n"


def cosign(body: str, name: str, seed: bytes, at: int) -> str:
    """Return a witness's signature line: it saw this at Unix time *at*, and nothing that contradicts it."""
    _, key = keys_of(name, seed)
    signature = ed25519.sign(seed, _cosigned_bytes(body, at))
    return f"{_DASH}{name} {_base64(key.id + at.to_bytes(8, 'big') + signature)}\n"


def _cosigned_bytes(body: str, at: int) -> bytes:
    return f"cosignature/v1\ntime {at}\n{body}".encode()


def read(text: str) -> Checkpoint:
    """Parse a note without checking its signatures. Raise BadNote."""
    body, blank, signed = text.partition("\n\n")
    lines = body.split("\n")
    if len(text.encode()) > LARGEST or not blank or len(lines) < 3 or any(not line.isprintable() for line in lines):
        raise BadNote("is no checkpoint")
    origin, size, root = lines[:3]
    if not origin:
        raise BadNote("names no origin")
    if len(from_base64(root)) != 32:
        raise BadNote("has no root")
    links = [match[1] for line in lines[3:] if (match := _LINK.fullmatch(line))]
    seals = {int(match[1]): match[2] for line in lines[3:] if (match := _SEAL.fullmatch(line))}
    times = [match[1] for line in lines[3:] if (match := _TIME.fullmatch(line))]
    link, time = links[0] if links else "", times[0] if times else ""
    return Checkpoint(origin, read_size(size), from_base64(root), link, seals, time, body + "\n", _signatures(signed))


def _signatures(text: str) -> list[tuple[str, bytes, bytes]]:
    if not text.endswith("\n"):
        raise BadNote("does not end with a signature")
    signatures = []
    for line in text[:-1].split("\n"):
        name, blank, packed = line.removeprefix(_DASH).partition(" ")
        data = from_base64(packed)
        if not line.startswith(_DASH) or not blank or not _NAME.fullmatch(name) or len(data) < 5:
            raise BadNote("has a line that is no signature")
        signatures.append((name, data[:4], data[4:]))
    if len(signatures) > _MAX_SIGNATURES:
        raise BadNote("has too many signatures")
    return signatures


def is_signed_by(note: Checkpoint, key: Key) -> bool:
    """Return True if the note has a valid signature of *key*."""
    for name, id_, rest in note.signatures:
        if (name, id_) != (key.name, key.id):
            continue
        if key.kind == SIGNED:
            return ed25519.is_signed(key.public, note.body.encode(), rest)
        if len(rest) == 72:
            return ed25519.is_signed(key.public, _cosigned_bytes(note.body, int.from_bytes(rest[:8], "big")), rest[8:])
        return False
    return False


def signed_text(note: Checkpoint, key: Key) -> str:
    """Return the note with the signature of *key* alone."""
    packed = next(_base64(id_ + rest) for name, id_, rest in note.signatures if (name, id_) == (key.name, key.id))
    return f"{note.body}\n{_DASH}{key.name} {packed}\n"


def witnessed_at(note: Checkpoint, key: Key) -> int | None:
    """Return the Unix time at which the witness of *key* saw the note; None without a valid signature of it."""
    if key.kind != COSIGNED or not is_signed_by(note, key):
        return None
    rest = next(rest for name, id_, rest in note.signatures if (name, id_) == (key.name, key.id))
    return int.from_bytes(rest[:8], "big")


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def read_size(text: str) -> int:
    """Read the size of a tree, in ASCII digits without leading zeros. Raise BadNote."""
    if not _SIZE.fullmatch(text):
        raise BadNote(f"{text[:60]!a} is no size")
    return int(text)


def from_base64(text: str) -> bytes:
    """Decode a Base64 text. Raise BadNote."""
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        raise BadNote(f"{text[:60]!a} is no Base64") from None
