"""Classify the lines of text around boards: keys, notes, heads, moves and other text."""

import re
from dataclasses import dataclass
from itertools import pairwise

from solvers.sokoban.formats.remarks import Notice, Remark
from solvers.sokoban.formats.runs import TextLine
from solvers.sokoban.formats.text import fold_moves, quotes
from solvers.sokoban.reading.movelines import kind_of, split_head

_KEY_NAMES = (
    "collection", "title", "author comment", "author", "comment[-_]end", "comment", "email", "homepage",
    "url", "copyright", "difficulty", "date created", "date of last change", "date", "game", "view", "id",
    "solution name", "own solution", "solution comment end", "solution comment", "solver", "optimizer", "optimality",
    "time", "boxorder", "goalorder", "set", "version", "source", "license", "licence", "size x", "size y", "size",
    "width", "height", "length", "website", "web",
)  # fmt: skip
# Other names of keys, in the languages of collections.
_OTHER_NAMES = {
    "title": "name, level name, 标题, 標題, 名称, 名稱, 名字, 关名, 關名, 关卡名, 关卡名称, 關卡名, 關卡名稱, "
    "题目, 題目, 題名, タイトル, название",
    "author": "authors, auteur, 作者, 设计, 設計, 设计者, 設計者, 制作, 製作, автор",
    "collection": "关卡集, 關卡集, 合集",
    "comment": "备注, 備註, 注释, 註釋, 说明, 說明",
    "date": "日期",
    "difficulty": "难度, 難度",
    "source": "来源, 來源",
    "email": "e-mail, mail, 邮箱, 郵箱",
}
_SAME_KEYS = {name: key for key, names in _OTHER_NAMES.items() for name in names.split(", ")}
_KEY = re.compile(
    rf"[ \t]*({'|'.join(sorted([*_KEY_NAMES, *_SAME_KEYS], key=len, reverse=True))})[ \t]*[:：][ \t]*(.*)",
    re.IGNORECASE,
)
_KEY_IN_NOTE = re.compile(r"(author|copyright|date|email|url|homepage|TITLE|by)[ \t:]+(\S.*)", re.IGNORECASE)
_MAIL = re.compile(r"[<(]?\S{1,100}@\S{1,100}\.\w{2,20}[>)]?")
_ADDRESS = re.compile(rf"(?:{_MAIL.pattern}|(?:https?://|www\.)\S+)")
_COPYRIGHT = re.compile(r"(?:copyright\b|\(c\)|©)[ \t:]*", re.IGNORECASE)
_FRAMES = frozenset("=-*~#_")
# Lines that part levels, and the lines around rows in the source text of a program.
_SEPARATOR = re.compile(r"([=\-_*~#+.:/\\])\1{2,}|[\[\](){},;]+|[^=]{1,60}=[ \t]*[\[({]+")


@dataclass(frozen=True, slots=True)
class Item(TextLine):
    """A classified line between two boards: *kind* is blank, text, note (`;`), key, head or a LineKind."""

    kind: str
    key: str = ""
    quoted: bool = False
    is_note: bool = False  # in a `;` line
    last: int = 0  # the last line of a block


def read_items(lines: list[TextLine], remarks: list[Remark]) -> list[Item]:
    """Classify the lines of a gap; a comment block becomes one key with all its lines."""
    texts = [line.text for line in lines if line.text.strip()]
    if texts and all(text.startswith(">") for text in texts):  # a quoted mail
        lines = [TextLine(line.number, line.text[quotes(line.text) :]) for line in lines]
    keys = [(at, _read_key(line.text)[0]) for at, line in enumerate(lines)]
    comments = pairwise((at, key) for at, key in keys if key in ("comment", "comment-end"))
    ends = {at: end for (at, key), (end, next_key) in comments if (key, next_key) == ("comment", "comment-end")}
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
                done, last = end + 1, lines[at : end + 1][-1].number
                parsed = [Item(line.number, text.strip("\n"), "key", "comment", last=last)]
        items += parsed
    return items


def _read_key(text: str) -> tuple[str, str]:
    """Return the name and the value of a key line; "" for other text."""
    match = _KEY.fullmatch(text) if ":" in text or "：" in text else None
    name = match[1].lower().replace("_", "-") if match else ""
    return _SAME_KEYS.get(name, name), match[2].strip() if match else ""


def _parse_line(line: TextLine) -> list[Item]:
    """Classify one line: no item for a `::` comment, two items for a head followed by moves."""
    number, text = line.number, line.text
    stripped = text.strip()
    if stripped.startswith("::"):
        return []
    is_note = stripped.startswith(";")
    words = text.strip("; \t") if is_note else stripped
    if not stripped or _SEPARATOR.fullmatch(stripped) or _SEPARATOR.fullmatch(words):
        return [Item(number, "", "blank")]
    key, value = _read_key(words)
    if key:
        return [Item(number, value, "key", key, is_note=is_note)]
    quoted = quotes(text)
    if not is_note and (kind := kind_of(fold_moves(text[quoted:]))):
        return [Item(number, text[quoted:], kind, quoted=bool(quoted))]
    if not is_note and (parts := split_head(text)):
        head, moves = parts
        if kind := kind_of(fold_moves(moves)):
            return [Item(number, head.strip(), "head"), Item(number, moves, kind)]
        return [Item(number, stripped, "head")]
    if _ADDRESS.fullmatch(words):
        return [Item(number, words, "key", "email" if "@" in words else "url", is_note=is_note)]
    if is_note and (match := _KEY_IN_NOTE.fullmatch(words)):
        key = match[1].lower().replace("by", "author")
        name = _MAIL.sub("", match[2]).strip() if key == "author" else ""
        return [Item(number, name or match[2], "key", key, is_note=True)]
    if not is_note and (match := _COPYRIGHT.match(words)):
        return [Item(number, words[match.end() :], "key", "copyright")]
    if is_note:
        return [Item(number, words, "note", is_note=True)]
    return [Item(number, _without_frame(words) or text.rstrip(), "text")]


def _without_frame(text: str) -> str:
    """Return the words of a title between two lines of signs; "" for other text.

    A pattern would try each length of both lines: a thousand signs took seconds.

    >>> _without_frame("=== Level 1 ====")
    'Level 1'
    """
    sign, ends = text[:1], 3 * text[:1]
    if sign not in _FRAMES or not (text.startswith(ends) and text.endswith(ends)):
        return ""
    return text.strip(sign).strip(" \t")
