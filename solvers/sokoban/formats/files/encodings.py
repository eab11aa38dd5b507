"""Detect the encoding of a level file (docs/reference/formats.md, *Level files*)."""

import codecs
import re
from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

from solvers.errors import NotText

_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16",
    b"<\0": "utf-16-le", b"\0<": "utf-16-be",
}  # fmt: skip
_ARCHIVES = (
    b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!", b"%PDF", b"\x7fELF",
)  # fmt: skip
_CONTROLS = bytes(byte for byte in range(32) if byte not in b"\t\n\v\f\r\x1a")  # 1A ended a file in CP/M and DOS
_DECLARED = re.compile(rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})[\"']")
# Codecs of Python that no file is in: their escapes make NULs and lone surrogates, or they are an error for any text.
_NO_CHARSETS = {"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape", "utf-7"}
_SAMPLE = 262_144  # bytes of lines with characters beyond ASCII: only they tell encodings apart
_FEW = 4  # a file is UTF-8 if it has this many times more characters than broken bytes

# Encodings in which levels circulate, by how many files of collections are in them.
_WEIGHTS = {
    "gb18030": 2.0, "cp1252": 1.6, "big5hkscs": 1.0, "cp932": 1.0, "euc_jis_2004": 1.0, "cp949": 1.0, "cp1251": 1.0,
    "koi8-r": 1.0, "cp1250": 1.0, "cp1253": 0.5, "cp866": 0.5,
}  # fmt: skip
_LEAST = 0.003  # confidence; below, no encoding is likely and each byte becomes a character
_LATIN = frozenset({"cp1252", "cp1250"})
_STRETCH = re.compile(rb"([A-Za-z]?)([\x80-\xff]+)([A-Za-z]?)")
_EVERYDAY_CHINESE = re.compile(rb"(?:[\x00-\x7f]|[\xb0-\xf7][\xa1-\xfe])*")
# Two-byte characters of UTF-8 that no living language writes; common Chinese characters have the same bytes.
_UNUSUAL = re.compile("[\u0180-\u02ff\u0370-\u0373\u0376\u0377\u03cf-\u03ff\u0460-\u048f\u04c0-\u052f\u0700-\u07ff]")
_BROKEN = re.compile("[\ud800-\udfff]")  # bytes that are not UTF-8
_ASCII = dict.fromkeys(range(128))


class Encoding(NamedTuple):
    """The codec of a file, and whether it was guessed from letter frequencies, so that a person may know better."""

    name: str
    is_guess: bool = False


def encoding_of(chunks: Iterable[bytes]) -> Encoding:
    """Detect a file's encoding: by its byte order mark or XML declaration, else UTF-8, else by letter frequencies.

    Raise NotText for archives, pictures and programs. Time O(bytes), memory O(one chunk).
    """
    sample, controls, size, last, declared = bytearray(), 0, 0, b"", ""
    for chunk in chunks:
        if not size:
            if name := next((name for mark, name in _MARKS.items() if chunk.startswith(mark)), ""):
                return Encoding(name)
            if chunk.startswith(_ARCHIVES):
                raise NotText
            match = _DECLARED.search(chunk[:400])
            declared = match[1].decode("ascii") if match else ""
        size += len(chunk)
        controls += len(chunk) - len(chunk.translate(None, _CONTROLS))
        if (last or not chunk.isascii()) and len(sample) < _SAMPLE:
            *lines, last = (last + chunk).splitlines(keepends=True)
            sample += b"".join(line for line in lines if not line.isascii())
            last = b"" if last.isascii() else last[:_SAMPLE]
    if controls > 2 and controls * 100 > size:
        raise NotText
    return _encoding_of_sample(bytes(sample + last)[:_SAMPLE], declared)


def is_charset(name: str) -> bool:
    """Return whether a file that declares the encoding *name* can be read in it.

    >>> is_charset("ISO-8859-1"), is_charset("zip"), is_charset("unicode_escape")
    (True, False, False)
    """
    try:
        return codecs.lookup(name).name not in _NO_CHARSETS and isinstance("".encode(name), bytes)
    except LookupError:  # or no encoding of text
        return False


def _encoding_of_sample(sample: bytes, declared: str) -> Encoding:
    if not sample:
        return Encoding("utf-8")
    if is_charset(declared) and not declared.lower().startswith(("utf-16", "utf16", "ucs")):
        with suppress(UnicodeError):
            sample.decode(declared)
            return Encoding(declared)
    text = sample.decode("utf-8", errors="surrogateescape").translate(_ASCII)
    broken = len(_BROKEN.findall(text))
    if broken * _FEW <= len(text) - broken:
        is_chinese = not broken and _UNUSUAL.search(text) and is_everyday_chinese(sample)
        return Encoding("gb18030", is_guess=True) if is_chinese else Encoding("utf-8")
    return Encoding(_most_likely(sample), is_guess=True)


def is_everyday_chinese(data: bytes) -> bool:
    """Return whether every character beyond ASCII is a hanzi of GB2312 (lead byte B0 to F7, trail byte A1 to FE)."""
    return _EVERYDAY_CHINESE.fullmatch(data) is not None


def _most_likely(sample: bytes) -> str:
    """Return the encoding of the highest score: chardet's confidence, weighted."""
    import chardet  # loads its models, which most files do not need

    found = chardet.detect_all(
        sample, ignore_threshold=True, include_encodings=_WEIGHTS, prefer_superset=True, compat_names=False
    )
    # Accented letters of Latin alphabets are within words; other scripts do not touch ASCII letters.
    stretches = _STRETCH.findall(sample)
    inside = sum(bool(before or after or len(high) == 1) for before, high, after in stretches) / max(1, len(stretches))
    is_paired = not any(len(high) % 2 for _, high, _ in stretches)
    confidences = {guess["encoding"] or "": guess["confidence"] for guess in found if guess["confidence"] >= _LEAST}

    def score(name: str) -> float:
        share = inside if name in _LATIN else 1 - inside
        chinese = 1.6 if name == "gb18030" and is_paired and is_everyday_chinese(sample) else 1
        return confidences[name] * _WEIGHTS[name] * (0.2 + share) * chinese

    return max(filter(_WEIGHTS.__contains__, confidences), key=score, default="cp1252")
