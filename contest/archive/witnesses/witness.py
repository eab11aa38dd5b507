"""A witness of a contest site's receipt log, for anybody to run; it needs only Python 3.11 or newer.

    python3 witness.py https://contest.example.org

Every hour it reads the log's signed checkpoint, checks that it continues the one it saw last, stores it, countersigns
it and sends the signature to the site. If the log ever shows another history, it stores the evidence, stops with exit
code 3, and never signs for that log again. The folder holds all of it: your secret key, the checkpoints for
`verify.pyz --checkpoints`, and the evidence. It reads any log of C2SP tlog-tiles whose key you give with --key.
"""

import argparse
import base64
import hashlib
import http.client
import os
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from contest.rules.ed25519 import is_signed, public_key, sign

WELL, NOT_NOW, FORK = 0, 1, 3  # exit codes
_WIDTH = 256
_LARGEST = 65_536
_DASH = "\N{EM DASH} "
_COSIGNS = b"\4"


class Trouble(Exception):
    """A failure that may pass: no network, no valid answer. Nothing was signed."""


class Fork(Exception):
    """The log signed a checkpoint that contradicts the one stored here."""


class Key(NamedTuple):
    """A verifier key, written `name+id+key`."""

    name: str
    kind: bytes
    public: bytes

    @property
    def id(self) -> bytes:
        return hashlib.sha256(self.name.encode() + b"\n" + self.kind + self.public).digest()[:4]

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{base64.b64encode(self.kind + self.public).decode()}"


class Checkpoint(NamedTuple):
    """The size and root that a log signed, with the signed text and the whole note."""

    origin: str
    size: int
    root: bytes
    body: str
    note: str


# Formats: C2SP signed-note, tlog-checkpoint, tlog-cosignature


def read_key(text: str) -> Key:
    try:
        name, id_, packed = text.strip().split("+", 2)
        data = base64.b64decode(packed, validate=True)
    except ValueError:
        raise Trouble(f"This is no key: {text.strip()[:100]}") from None
    key = Key(name, data[:1], data[1:])
    if len(data) != 33 or key.id.hex() != id_:
        raise Trouble(f"This is no key of Ed25519: {text.strip()[:100]}")
    return key


def read_checkpoint(note: str, key: Key) -> Checkpoint:
    """Read a checkpoint that *key* signed."""
    body, blank, signatures = note.rpartition("\n\n")
    body += "\n"
    lines = body.split("\n")
    try:
        origin, size, root = lines[0], int(lines[1]), base64.b64decode(lines[2], validate=True)
    except (ValueError, IndexError):
        raise Trouble("This is no checkpoint.") from None
    if not blank or not note.endswith("\n") or size < 0 or str(size) != lines[1] or len(root) != 32:
        raise Trouble("This is no checkpoint.")
    if not any(_is_by(line, key, body) for line in signatures.split("\n")):
        raise Trouble(f"The checkpoint is not signed by the key {key}.")
    return Checkpoint(origin, size, root, body, note)


def _is_by(line: str, key: Key, body: str) -> bool:
    start = f"{_DASH}{key.name} "
    try:
        data = base64.b64decode(line[len(start) :], validate=True)
    except ValueError:
        return False
    return line.startswith(start) and data[:4] == key.id and is_signed(key.public, body.encode(), data[4:])


def cosign(body: str, name: str, seed: bytes, at: int) -> str:
    """Return the signature line that says: at Unix time *at* this was the largest tree seen."""
    signature = sign(seed, f"cosignature/v1\ntime {at}\n{body}".encode())
    key = Key(name, _COSIGNS, public_key(seed))
    return f"{_DASH}{name} {base64.b64encode(key.id + at.to_bytes(8, 'big') + signature).decode()}\n"


# The tree: RFC 6962 and C2SP tlog-tiles


class Tree:
    """A log's tree of *size* leaves, read from its tiles."""

    def __init__(self, url: str, size: int) -> None:
        self._url, self._size = url, size
        self._tiles: dict[tuple[int, int], bytes] = {}

    def root(self, start: int, end: int, cut: int) -> bytes:
        """Return the hash over leaves *start* to *end*, through subtrees that lie on one side of *cut*."""
        size = end - start
        if size & (size - 1) == 0 and not start < cut < end:
            return self._node(size.bit_length() - 1, start // size)
        middle = start + (1 << ((size - 1).bit_length() - 1))
        return _inner(self.root(start, middle, cut), self.root(middle, end, cut))

    def _node(self, height: int, index: int) -> bytes:
        level, above = divmod(height, 8)
        start, count = index << above, 1 << above
        tile, place = self._tile(level, start // _WIDTH), start % _WIDTH
        hashes = [tile[32 * one : 32 * one + 32] for one in range(place, place + count)]
        while len(hashes) > 1:
            hashes = [_inner(hashes[one], hashes[one + 1]) for one in range(0, len(hashes), 2)]
        return hashes[0]

    def _tile(self, level: int, index: int) -> bytes:
        if (level, index) not in self._tiles:
            width = min(_WIDTH, (self._size >> 8 * level) - index * _WIDTH)
            data = fetch(f"{self._url}/{tile_path(level, index, width)}")
            if len(data) != 32 * width:
                raise Trouble("The log serves a tile of the wrong length.")
            self._tiles[level, index] = data
        return self._tiles[level, index]


def _inner(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()


def tile_path(level: int, index: int, width: int) -> str:
    path = f"{index % 1000:03}"
    while index >= 1000:
        index //= 1000
        path = f"x{index % 1000:03}/{path}"
    return f"tile/{level}/{path}" + (f".p/{width}" if width < _WIDTH else "")


def check(url: str, old: Checkpoint | None, new: Checkpoint) -> None:
    """Raise Fork if the new checkpoint does not continue the old one."""
    if old is None or (new.origin, new.size, new.root) == (old.origin, old.size, old.root):
        return
    if new.origin != old.origin:
        raise Trouble(f"This is another log, {new.origin}; the one seen before is {old.origin}.")
    if new.size == old.size:
        raise Fork(f"two different trees of size {new.size}")
    if new.size < old.size:
        raise Trouble(f"The log shows size {new.size}, but {old.size} before: it was rolled back, or a cache is old.")
    tree = Tree(url, new.size)
    if tree.root(0, new.size, old.size) != new.root:
        raise Trouble("The tiles do not lead to the checkpoint's root.")
    if old.size and tree.root(0, old.size, old.size) != old.root:
        raise Fork(f"the tree of size {new.size} does not begin with the tree of size {old.size}")


# Network and files


def fetch(url: str, body: bytes | None = None) -> bytes:
    """Request *url*, following no redirect; post *body* if there is one."""
    parts = urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    with closing(kind(parts.netloc, timeout=20)) as connection:
        try:
            connection.request("GET" if body is None else "POST", parts.path, body, {"User-Agent": "leitai-witness"})
            answer = connection.getresponse()
            data = answer.read(_LARGEST + 1)
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise Trouble(f"{url}: {error or type(error).__name__}") from None
    if answer.status != 200 or len(data) > _LARGEST:
        raise Trouble(f"{url}: HTTP {answer.status} {answer.reason}, {answer.headers.get('Location', '')}".rstrip(", "))
    return data


def write(path: Path, text: str, mode: int = 0o644) -> None:
    """Replace a file in one step: after a crash it is the old one or the new one."""
    new = path.with_name(path.name + ".new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


class Witness:
    """The key of a witness and its memory of one log, in a folder."""

    def __init__(self, url: str, folder: Path, name: str, key: str) -> None:
        self._url, self._log = url.rstrip("/"), folder / quote(url.rstrip("/"), safe="")
        self._log.mkdir(parents=True, exist_ok=True)
        self._seed = bytes.fromhex(_read_or_make(folder / "secret-key", lambda: os.urandom(32).hex(), 0o600))
        public = public_key(self._seed)
        self.key = Key(_read_or_make(folder / "name", lambda: name or f"witness/{public.hex()[:8]}"), _COSIGNS, public)
        shown = _read_or_make(self._log / "log-key", lambda: key or fetch(f"{self._url}/checkpoint/keys").decode())
        self._log_key = read_key(shown.split("\n")[0])
        if key and read_key(key) != self._log_key:
            raise Trouble(f"The key given is not the one stored at the first run, {self._log_key}.")

    def run(self) -> str:
        """Look once; return a sentence. Raise Trouble or Fork."""
        evidence = sorted(self._log.glob("FORK-*.txt"))
        if evidence:
            raise Fork(f"found earlier; the evidence is {evidence[0]}")
        last = self._log / "last-checkpoint"
        old = read_checkpoint(last.read_text(encoding="utf-8"), self._log_key) if last.exists() else None
        new = read_checkpoint(fetch(f"{self._url}/checkpoint").decode("utf-8", "replace"), self._log_key)
        try:
            check(self._url, old, new)
        except Fork:
            write(self._log / f"FORK-{new.size}-{new.root.hex()[:8]}.txt", new.note)
            raise
        digest = hashlib.sha256(new.body.encode()).hexdigest()[:8]
        signature = cosign(new.body, self.key.name, self._seed, int(time.time()))
        # Stored before the signature leaves this machine: after a crash no other history can be signed.
        write(self._log / f"checkpoint-{new.size}-{digest}.txt", new.note + signature)
        write(last, new.note)
        grown = new.size - (old.size if old else 0)
        return f"{new.origin}: {new.size} entries ({grown} new), continued, {self._send(new.size, signature)}"

    def _send(self, size: int, signature: str) -> str:
        try:
            fetch(f"{self._url}/checkpoints/{size}/signatures", signature.encode())
        except Trouble as error:
            return f"signed, not sent ({error}). To list this witness, the site adds to WITNESSES: {self.key}"
        return "signed and sent."


def _read_or_make(path: Path, make: Callable[[], str], mode: int = 0o644) -> str:
    if not path.exists():
        write(path, make().strip() + "\n", mode)
    return path.read_text(encoding="utf-8").strip()


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="witness.py", description="Witness the receipt log of a contest site.")
    parser.add_argument("url", help="the address of the site")
    parser.add_argument("--once", action="store_true", help="look once, for cron")
    parser.add_argument("--every", type=int, default=3600, metavar="SECONDS", help="time between two looks (3600)")
    parser.add_argument("--folder", type=Path, default=Path("witness"), help="where everything is stored (./witness)")
    parser.add_argument("--name", default="", help="the name of this witness, fixed at the first run")
    parser.add_argument("--key", default="", help="the log's key; otherwise the one shown at the first run is kept")
    options = parser.parse_args(arguments)
    if urlsplit(options.url).scheme not in ("https", "http") or set(options.name) & set("+ \t\n"):
        parser.error("the URL begins with https://, and the name has no space and no plus")
    while True:
        code = _look(options)
        if options.once or code == FORK:
            return code
        time.sleep(options.every)


def _look(options: argparse.Namespace) -> int:
    stamp = time.strftime("%Y-%m-%d %H:%M:%S")
    try:
        sentence = Witness(options.url, options.folder, options.name, options.key).run()
    except (Trouble, OSError, UnicodeDecodeError) as error:
        print(f"{stamp} Nothing signed: {error}", file=sys.stderr, flush=True)
        return NOT_NOW
    except Fork as error:
        print(f"{stamp} FORK of {options.url}: {error}.\nNothing was signed. {_WHAT_NOW}", file=sys.stderr, flush=True)
        return FORK
    print(f"{stamp} {sentence}", flush=True)
    return WELL


_WHAT_NOW = "Keep this folder: its checkpoints, signed by the log, prove that it showed two histories. Tell others."

if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
