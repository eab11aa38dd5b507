"""Read what a browser printed: the words on each page of a PDF. No more of the format than Chromium writes."""

import re
import zlib

_PAIR = re.compile(rb"<([0-9A-F]{4})> <([0-9A-F]{4})>(?: <([0-9A-F]{4,})>)?")


def pages(pdf: bytes) -> list[str]:
    """The text of every page, without its blanks."""
    objects = dict(_objects(pdf))
    fonts = {
        number: _letters(_stream(objects[int(found[1])]))
        for number, body in objects.items()
        if (found := re.search(rb"/ToUnicode (\d+) 0 R", body.partition(b"stream")[0]))
    }
    return [_text(body, objects, fonts) for body in objects.values() if body.startswith(b"<</Type /Page\n")]


def _objects(pdf: bytes) -> list[tuple[int, bytes]]:
    found = re.split(rb"(?:^|\n)(\d+) 0 obj\n", pdf)[1:]
    return [(int(number), body) for number, body in zip(found[::2], found[1::2], strict=True)]


def _stream(body: bytes) -> bytes:
    head, _word, rest = body.partition(b"stream\n")
    content = rest.rpartition(b"\nendstream")[0]
    return zlib.decompress(content) if b"FlateDecode" in head else content


def _letters(cmap: bytes) -> dict[int, str]:
    """The letters of a font by glyph."""
    letters: dict[int, str] = {}
    for kind, block in re.findall(rb"beginbf(char|range)\n(.*?)endbf", cmap, re.DOTALL):
        for first, second, third in _PAIR.findall(block):
            start = int(first, 16)
            if kind == b"char":
                letters[start] = bytes.fromhex(second.decode()).decode("utf-16-be")
            else:
                base = int(third, 16)
                letters |= {glyph: chr(base + glyph - start) for glyph in range(start, int(second, 16) + 1)}
    return letters


def _text(page: bytes, objects: dict[int, bytes], fonts: dict[int, dict[int, str]]) -> str:
    named = {name: int(number) for name, number in re.findall(rb"/(F\d+) (\d+) 0 R", page)}
    found = re.search(rb"/Contents (\d+) 0 R", page)
    content = _stream(objects[int(found[1])]) if found else b""
    text: list[str] = []
    letters: dict[int, str] = {}
    for font, shown in re.findall(rb"/(F\d+) [\d.]+ Tf|<([0-9A-F]+)>", content):
        if font:
            letters = fonts.get(named.get(font, 0), {})
        text += [letters.get(int(shown[at : at + 4], 16), "") for at in range(0, len(shown), 4)]
    return "".join("".join(text).split())
