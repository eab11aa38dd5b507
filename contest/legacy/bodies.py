"""Read form bodies as the older programs send them: GBK, percent-encoded or raw, without a charset.

Django's request.POST decodes only as UTF-8 and raises if the header names another charset. Parsing a Latin-1 view of
the text would split characters whose second byte is an ASCII letter. So this module works on bytes.
"""

import codecs
import re
from urllib.parse import unquote_to_bytes

from solvers.sokoban.formats.files.encodings import is_everyday_chinese

MOST_FIELDS = 100  # the programs send four


def parse_form(body: bytes, charset: str = "") -> dict[str, str]:
    """Return the first MOST_FIELDS fields of a form *body*; the first of a repeated field counts.

    No byte of a GBK character is one of & = % +, so the body can be split before it is decoded.
    """
    found: dict[str, str] = {}
    for part in body.split(b"&", MOST_FIELDS)[:MOST_FIELDS]:
        name, _equals, value = part.partition(b"=")
        found.setdefault(_unescape(name).decode("latin-1"), decode(_unescape(value), charset))
    return found


def _unescape(escaped: bytes) -> bytes:
    return unquote_to_bytes(escaped.replace(b"+", b" "))


def decode(data: bytes, charset: str = "") -> str:
    """Decode *data* by the named *charset*, else as ASCII, UTF-8 or GBK, whichever is certain or most likely.

    >>> decode("油纸成伞".encode("gbk")), decode("油纸成伞".encode()), decode("Иван".encode())
    ('油纸成伞', '油纸成伞', 'Иван')
    """
    if charset and (text := _decode_by_name(data, charset)) is not None:
        return text
    if data.isascii():
        return data.decode("ascii")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return _decode_chinese(data)
    if any(ord(character) >= 0x800 for character in text):  # three or four bytes per character: not by chance
        return text
    # Two-byte sequences are also GBK characters. Only the older programs use this endpoint, so if all of them are
    # everyday Chinese characters, the text is taken as Chinese.
    return _decode_chinese(data) if is_everyday_chinese(data) else text


def charset_of(content_type: str) -> str:
    """Return the charset that a Content-Type header names, or "".

    >>> charset_of('application/x-www-form-urlencoded; charset="GBK"')
    'GBK'
    """
    match = re.search(r"charset\s*=\s*\"?([A-Za-z0-9_.:-]+)", content_type)
    return match[1] if match else ""


# Codecs of charsets that a header may name. Python knows others, and "punycode" takes quadratic time. GB18030
# contains GBK and GB2312, and the extra characters that programs send under those names.
_CODECS = {name: name for name in ("gb18030", "utf-8", "ascii", "iso8859-1", "cp1252", "big5", "cp950", "big5hkscs")}
_CODECS |= {"gbk": "gb18030", "gb2312": "gb18030"}


def _decode_by_name(data: bytes, charset: str) -> str | None:
    try:
        return data.decode(_CODECS[codecs.lookup(charset).name])
    except (LookupError, UnicodeError):
        return None


def _decode_chinese(data: bytes) -> str:
    try:
        return data.decode("gb18030")
    except UnicodeDecodeError:
        return data.decode("latin-1")
