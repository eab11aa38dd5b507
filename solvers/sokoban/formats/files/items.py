"""Classify the lines of text around boards: keys, notes, heads, moves and other text."""

import re
from dataclasses import dataclass

from solvers.sokoban.formats.remarks import Notice, Remark
from solvers.sokoban.formats.runs import TextLine
from solvers.sokoban.formats.text import fold_moves, quotes
from solvers.sokoban.reading.movelines import head_of, inline_moves_start, kind_of

_KEY_NAMES = (
    "collection", "title", "authors", "author comment", "author", "comment[-_]end", "comment", "email", "homepage",
    "url", "copyright", "difficulty", "date created", "date of last change", "date", "game", "view", "id",
    "solution name", "own solution", "solution comment end", "solution comment", "solver", "optimizer", "optimality",
    "time", "boxorder", "goalorder", "set", "version", "source", "license", "licence", "size x", "size y", "size",
    "width", "height", "length", "website", "web",
)  # fmt: skip
# Other names of keys, in the languages of collections.
_SAME_KEYS = {
    "authors": "author", "标题": "title", "標題": "title", "名称": "title", "名稱": "title", "关卡名": "title",
    "关卡名称": "title", "關卡名": "title", "關卡名稱": "title", "タイトル": "title", "題名": "title",
    "название": "title",
    "level name": "title", "name": "title", "作者": "author", "автор": "author", "auteur": "author",
    "关卡集": "collection", "關卡集": "collection", "合集": "collection", "备注": "comment", "備註": "comment",
    "注释": "comment", "註釋": "comment", "说明": "comment", "說明": "comment", "日期": "date", "难度": "difficulty",
    "難度": "difficulty", "来源": "source", "來源": "source",
    "名字": "title", "关名": "title", "關名": "title", "题目": "title", "題目": "title", "设计": "author",
    "設計": "author", "设计者": "author", "設計者": "author", "制作": "author", "製作": "author",
    "邮箱": "email", "郵箱": "email", "e-mail": "email",
    "mail": "email",
}  # fmt: skip
_KEY = re.compile(
    rf"[ \t]*({'|'.join(sorted([*_KEY_NAMES, *_SAME_KEYS], key=len, reverse=True))})[ \t]*[:：][ \t]*(.*)",
    re.IGNORECASE,
)
_KEY_IN_NOTE = re.compile(r"(author|copyright|date|email|url|homepage|TITLE|by)[ \t:]+(\S.*)", re.IGNORECASE)
_MAIL = re.compile(r"[<(]?\S{1,100}@\S{1,100}\.\w{2,20}[>)]?")
_ADDRESS = re.compile(rf"(?:{_MAIL.pattern}|(?:https?://|www\.)\S+)")
_COPYRIGHT = re.compile(r"(?:copyright\b|\(c\)|©)[ \t:]*", re.IGNORECASE)
_FRAMED = re.compile(r"([=\-*~#_])\1{2,}[ \t]*([^\s].*?)[ \t]*\1{3,}")
# Lines that part levels, and the lines around rows in the source text of a program.
_SEPARATOR = re.compile(r"([=\-_*~#+.:/\\])\1{2,}|[\[\](){},;]+|[^=]{1,60}=[ \t]*[\[({]+")


@dataclass(slots=True)
class Item:
    """A classified line between two boards: *kind* is blank, text, note (`;`), key, head or a LineKind."""

    kind: str
    number: int
    text: str = ""
    key: str = ""
    quoted: bool = False
    is_note: bool = False  # a key in a `;` line
    last: int = 0  # the last line of a block


def read_items(lines: list[TextLine], remarks: list[Remark]) -> list[Item]:
    """Classify the lines of a gap; a comment block becomes one key with all its lines."""
    lines = _unquote(lines)
    endings = _comment_ends(lines)
    items: list[Item] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        parsed = _parse_line(line)
        if parsed and parsed[0].key == "comment":
            end = endings.get(at)
            if end is None and not parsed[0].text:
                remarks.append(Remark(Notice.OPEN_COMMENT, line.number))
                end = len(lines)
            if end is not None:
                text = "\n".join([parsed[0].text, *(inner_line.text for inner_line in lines[at + 1 : end])])
                at = min(end, len(lines) - 1)
                parsed = [Item("key", line.number, text.strip("\n"), "comment", last=lines[at].number)]
        items += parsed
        at += 1
    return items


def _unquote(lines: list[TextLine]) -> list[TextLine]:
    """Remove mail quotes if every line that is not blank has them."""
    nonblank_lines = [line for line in lines if line.text.strip()]
    if not nonblank_lines or not all(line.text.startswith(">") for line in nonblank_lines):
        return lines
    return [TextLine(line.number, line.text[quotes(line.text) :]) for line in lines]


def _comment_ends(lines: list[TextLine]) -> dict[int, int | None]:
    """Map each line that opens a comment to the line that ends it, or None if another comment begins before."""
    ends: dict[int, int | None] = {}
    end: int | None = None
    for at in range(len(lines) - 1, -1, -1):
        if ":" not in lines[at].text and "：" not in lines[at].text:
            continue
        match = _KEY.match(lines[at].text)
        name = _key_name(match) if match else ""
        if name == "comment-end":
            end = at
        elif name == "comment":
            ends[at] = end
            end = None
    return ends


def _key_name(match: re.Match[str]) -> str:
    name = match[1].lower().replace("_", "-")
    return _SAME_KEYS.get(name, name)


def _parse_note(text: str, number: int) -> Item:
    """Classify the text of a `;` line: a key, an address, a separator or a note."""
    if match := _KEY.fullmatch(text):
        return Item("key", number, match[2].strip(), _key_name(match), is_note=True)
    if match := _KEY_IN_NOTE.fullmatch(text):
        key = match[1].lower()
        name = _MAIL.sub("", match[2]).strip() or match[2] if key in ("author", "by") else match[2]
        return Item("key", number, name, "author" if key == "by" else key, is_note=True)
    if _ADDRESS.fullmatch(text):
        return Item("key", number, text, "email" if "@" in text else "url", is_note=True)
    return Item("blank" if _SEPARATOR.fullmatch(text) else "note", number, text)


def _parse_text(text: str, number: int) -> Item:
    """Classify other text: addresses and copyrights are no names, and ornaments around a name do not belong to it."""
    stripped = text.strip()
    if _ADDRESS.fullmatch(stripped):
        return Item("key", number, stripped, "email" if "@" in stripped else "url")
    if match := _COPYRIGHT.match(stripped):
        return Item("key", number, stripped[match.end() :], "copyright")
    framed = _FRAMED.fullmatch(stripped)
    return Item("text", number, framed[2] if framed else text.rstrip())


def _parse_line(line: TextLine) -> list[Item]:
    """Classify one line: no item for a `::` comment, two items for a head followed by moves."""
    text = line.text
    if not text.strip() or _SEPARATOR.fullmatch(text.strip()):
        return [Item("blank", line.number)]
    if text.lstrip().startswith("::"):
        return []
    if text.lstrip().startswith(";"):
        return [_parse_note(text.strip("; \t"), line.number)]
    if (":" in text or "：" in text) and (match := _KEY.match(text)):
        return [Item("key", line.number, match[2].strip(), _key_name(match))]
    quoted = quotes(text)
    if kind := kind_of(fold_moves(text[quoted:])):
        return [Item(kind, line.number, text[quoted:], quoted=bool(quoted))]
    if head_of(text):
        moves_start = inline_moves_start(text)
        if moves_start is not None and (kind := kind_of(fold_moves(text[moves_start:]))):
            return [
                Item("head", line.number, text[: moves_start - 1].strip()),
                Item(kind, line.number, text[moves_start:]),
            ]
        return [Item("head", line.number, text.strip())]
    return [_parse_text(text, line.number)]
