"""Classify the lines of text around boards: keys, notes, heads, moves and other text."""

import re
from dataclasses import dataclass
from itertools import pairwise

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
    is_note: bool = False  # in a `;` line
    last: int = 0  # the last line of a block


def read_items(lines: list[TextLine], remarks: list[Remark]) -> list[Item]:
    """Classify the lines of a gap; a comment block becomes one key with all its lines."""
    texts = [line.text for line in lines if line.text.strip()]
    if texts and all(text.startswith(">") for text in texts):  # a quoted mail
        lines = [TextLine(line.number, line.text[quotes(line.text) :]) for line in lines]
    keys = ((at, _key_name(match)) for at, line in enumerate(lines) if (match := _match_key(line.text)))
    comments = [(at, key) for at, key in keys if key in ("comment", "comment-end")]
    ends = {
        at: end for (at, key), (end, next_key) in pairwise(comments) if (key, next_key) == ("comment", "comment-end")
    }
    items: list[Item] = []
    done = 0
    for at, line in enumerate(lines):
        parsed = _parse_line(line) if at >= done else []
        if parsed and parsed[0].key == "comment":
            end = ends.get(at)
            if end is None and not parsed[0].text:
                remarks.append(Remark(Notice.OPEN_COMMENT, line.number))
                end = len(lines)
            if end is not None:
                text = "\n".join([parsed[0].text, *(inner_line.text for inner_line in lines[at + 1 : end])])
                done = end + 1
                last = lines[min(end, len(lines) - 1)].number
                parsed = [Item("key", line.number, text.strip("\n"), "comment", last=last)]
        items += parsed
    return items


def _match_key(text: str) -> re.Match[str] | None:
    return _KEY.fullmatch(text) if ":" in text or "：" in text else None


def _key_name(match: re.Match[str]) -> str:
    name = match[1].lower().replace("_", "-")
    return _SAME_KEYS.get(name, name)


def _parse_line(line: TextLine) -> list[Item]:
    """Classify one line: no item for a `::` comment, two items for a head followed by moves."""
    number, text = line.number, line.text
    stripped = text.strip()
    if stripped.startswith("::"):
        return []
    is_note = stripped.startswith(";")
    words = text.strip("; \t") if is_note else stripped
    if not stripped or _SEPARATOR.fullmatch(stripped) or _SEPARATOR.fullmatch(words):
        return [Item("blank", number)]
    if match := _match_key(words):
        return [Item("key", number, match[2].strip(), _key_name(match), is_note=is_note)]
    quoted = quotes(text)
    if not is_note and (kind := kind_of(fold_moves(text[quoted:]))):
        return [Item(kind, number, text[quoted:], quoted=bool(quoted))]
    if not is_note and head_of(text):
        moves_start = inline_moves_start(text) or len(text)
        kind = kind_of(fold_moves(text[moves_start:]))
        head = Item("head", number, text[: moves_start - 1].strip() if kind else stripped)
        return [head, Item(kind, number, text[moves_start:])] if kind else [head]
    if _ADDRESS.fullmatch(words):
        return [Item("key", number, words, "email" if "@" in words else "url", is_note=is_note)]
    if is_note and (match := _KEY_IN_NOTE.fullmatch(words)):
        key = match[1].lower().replace("by", "author")
        name = _MAIL.sub("", match[2]).strip() if key == "author" else ""
        return [Item("key", number, name or match[2], key, is_note=True)]
    if not is_note and (match := _COPYRIGHT.match(words)):
        return [Item("key", number, words[match.end() :], "copyright")]
    if is_note:
        return [Item("note", number, words, is_note=True)]
    framed = _FRAMED.fullmatch(words)
    return [Item("text", number, framed[2] if framed else text.rstrip())]
