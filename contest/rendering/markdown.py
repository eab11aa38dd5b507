"""Markdown: the pages of the repository, and what organisers write. Raw HTML is off; what comes out is sanitised."""

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import nh3
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin

from contest.rendering import math_text as formulas

LONGEST = 10_000
LONGEST_FORMULA = 400
MOST_FORMULAS = 40
MOST_SHOWN = 12
_DEEPEST_BRACES = 12

_RULE = re.compile(r"\d{1,2}\.\d{1,2}")
_RULE_IN_BRACKETS = re.compile(r"(?<=[(（])(\d{1,2}\.\d{1,2})(?=[)）])")
_GIVEN_ID = re.compile(r"\s*\{#([a-z0-9-]+)\}$")
_SECTION = re.compile(r"(\d{1,2})\. ")
# What stands in double square brackets, unless it is the text of a link.
_SHORTCODE = re.compile(r"\[\[\s*([^\[\]\n]{1,80}?)\s*\]\](?!\()")
# A formula with blanks inside its dollars; a word in it, other than a command, makes it a text with prices.
_SPACED_FORMULA = re.compile(r"\$[ ]+([^$\n]{1,400}?)[ ]+\$(?![\d$])")
_COMMAND = re.compile(r"\\(?:text|mathrm|operatorname)\{[^{}]*\}|\\[A-Za-z]+")
_WORD = re.compile(r"[^\W\d_]{3,}|[\u2e80-\u9fff]")
_SHOWN = re.compile(r"(?:level (\d{1,6}) (main|extra[23]?)|replay (\d{1,6}) (\d{1,9}))", re.ASCII)
_PLACE = re.compile(r'<span data-show="([a-z0-9 ]{1,40})"></span>')

_TAGS = {
    "p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "em", "strong", "s", "code", "pre", "blockquote", "a", "span",
    "ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td", "div",
}  # fmt: skip
_MATHML = {
    "math", "mrow", "mi", "mn", "mo", "ms", "mtext", "mspace", "mfrac", "msqrt", "mroot", "msub", "msup", "msubsup",
    "munder", "mover", "munderover", "mmultiscripts", "mprescripts", "mtable", "mtr", "mtd", "mstyle", "mpadded",
    "mphantom", "menclose", "none",
}  # fmt: skip
_ATTRIBUTES = {
    "a": {"href", "title"},
    "ol": {"start"},
    "li": {"id"},
    "span": {"data-show"},
    "div": {"tabindex"},
    "pre": {"tabindex"},
    "math": {"display", "alttext"},
    "mo": {"stretchy", "fence", "separator", "form", "lspace", "rspace", "minsize", "maxsize"},
    "mspace": {"width"},
    "mfrac": {"linethickness"},
    "mtable": {"columnalign", "rowspacing", "columnspacing"},
    "mstyle": {"displaystyle", "scriptlevel"},
    "mi": {"mathvariant"},
    **{f"h{size}": {"id"} for size in range(1, 7)},
}


class BadText(ValidationError):
    """A text that cannot be shown; says what is wrong in which line."""


@dataclass(frozen=True)
class Heading:
    """A heading of the second size, which can be linked to."""

    id: str
    words: str


@dataclass(frozen=True)
class Page:
    """A page of the repository: its title, its headings, and the rest as HTML."""

    title: str
    headings: Sequence[Heading]
    html: str


@dataclass(frozen=True)
class Shown:
    """What a shortcode names: a level of a round, or the replay of a submission."""

    round: int
    slot: str = ""
    number: int = 0

    @classmethod
    def parse(cls, words: str) -> "Shown | None":
        """Read the words of a shortcode.

        >>> Shown.parse("level 12 main")
        Shown(round=12, slot='main', number=0)
        >>> Shown.parse("replay 12 345")
        Shown(round=12, slot='', number=345)
        """
        found = _SHOWN.fullmatch(words)
        if found is None:
            return None
        level_of, slot, replay_of, number = found.groups()
        return cls(int(level_of), slot) if slot else cls(int(replay_of), number=int(number))


# Pages of the repository


def page(text: str, address_of: Callable[[str], str]) -> Page:
    """Render a page; *address_of* says where a link to another file leads on the site ("" for nowhere).

    Rules are linked to by their number, sections by theirs, other headings by an id in braces: `## Words {#words}`.
    """
    reader = _page_reader()
    tokens = reader.parse(text)
    title = tokens[1].content
    tokens = tokens[3:]
    headings = list(_name_headings(tokens))
    known = set(_name_rules(tokens))
    for token in tokens:
        if token.type == "inline":
            token.children = list(_linked(_without_dead_links(token.children or [], address_of), known))
    return Page(title, headings, _clean(_scrolling(reader.renderer.render(tokens, reader.options, {}))))


@cache
def _page_reader() -> MarkdownIt:
    return _with_formulas(MarkdownIt("commonmark", {"html": False}).enable("table"))


def _scrolling(html: str) -> str:
    """Tables, formulas and code may be wider than a phone: they scroll by themselves, by keys too."""
    framed = html.replace("<table>", '<div class="scroll" tabindex="0"><table>').replace("</table>", "</table></div>")
    framed = framed.replace('<div class="math block">', '<div class="math" tabindex="0">')
    return framed.replace("<pre>", '<pre tabindex="0">')


def _name_headings(tokens: Sequence[Token]) -> Iterator[Heading]:
    for token, inline in itertools.pairwise(tokens):
        if token.type != "heading_open":
            continue
        last = (inline.children or [])[-1]
        if given := _GIVEN_ID.search(last.content):
            last.content = last.content[: given.start()]
        section = _SECTION.match(inline.content)
        name = given.group(1) if given else section.group(1) if section else ""
        if name:
            token.attrSet("id", name)
            if token.tag == "h2":
                yield Heading(name, "".join(child.content for child in inline.children or []))


def _name_rules(tokens: Sequence[Token]) -> Iterator[str]:
    """Name the list items that begin with a rule's number, and let the number lead to itself."""
    for place, token in enumerate(tokens):
        if token.type != "list_item_open":
            continue
        begin = tokens[place + 2].children or []
        if len(begin) > 3 and begin[1].type == "strong_open" and _RULE.fullmatch(begin[2].content):
            number = begin[2].content
            token.attrSet("id", number)
            begin[2:3] = _link(f"#{number}", begin[2])
            yield number


def _without_dead_links(children: Sequence[Token], address_of: Callable[[str], str]) -> Iterator[Token]:
    """Links to other files of the repository lead to their pages, and where there is none they are words."""
    is_dead = False
    for child in children:
        if child.type == "link_open":
            href = str(child.attrGet("href") or "")
            if href.endswith(".md"):
                href = address_of(href)
                child.attrSet("href", href)
            is_dead = not href
        if not (is_dead and child.type in ("link_open", "link_close")):
            yield child


def _linked(children: Iterator[Token], known: set[str]) -> Iterator[Token]:
    """Lead from rules named in brackets to where they stand."""
    for child in children:
        if child.type != "text":
            yield child
            continue
        for place, part in enumerate(_RULE_IN_BRACKETS.split(child.content)):
            words = Token("text", "", 0, content=part)
            yield from _link(f"#{part}", words) if place % 2 and part in known else [words]


def _link(href: str, words: Token) -> list[Token]:
    return [Token("link_open", "a", 1, attrs={"href": href}), words, Token("link_close", "a", -1)]


# What organisers write


def post(text: str) -> str:
    """Render what an organiser wrote, for keeping. Raise BadText.

    Formulas become MathML. A shortcode leaves a place that `fill` fills for each reader anew.
    """
    if len(text) > LONGEST:
        raise BadText(
            _("This text has %(size)s characters; at most %(most)s can be taken.")
            % {"size": f"{len(text):,}", "most": f"{LONGEST:,}"}
        )
    reader = _post_reader()
    tokens = reader.parse(text)
    _check(tokens)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + 1, 6)}"  # the page's own title is the first
    return _clean(_scrolling(reader.renderer.render(tokens, reader.options, {})))


def shown(html: str) -> list[Shown]:
    """What the shortcodes of a rendered text name."""
    return [found for words in _PLACE.findall(html) if (found := Shown.parse(words))]


def fill(html: str, filling: Callable[[Shown], str]) -> str:
    """Put into each place of a shortcode the HTML that *filling* makes for the reader."""

    def filled(found: re.Match[str]) -> str:
        named = Shown.parse(found.group(1))
        return filling(named) if named else ""

    return _PLACE.sub(filled, html)


def plain(text: str) -> str:
    """The words of the first paragraph, without markup: for messages and summaries."""
    for token in _post_reader().parse(text[:LONGEST]):
        if token.type == "inline" and (words := _words(token.children or [])):
            return words
    return ""


def _words(children: Sequence[Token]) -> str:
    return "".join(map(_plain, children)).strip()


def _plain(token: Token) -> str:
    if token.type.endswith("break"):
        return " "
    return formulas.plain(token.content) if token.type.startswith("math_") else token.content


@cache
def _post_reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(["table", "strikethrough"])
    _with_formulas(reader)
    reader.inline.ruler.before("link", "shortcode", _read_shortcode)
    reader.add_render_rule("shortcode", _show_place)
    return reader


def _read_spaced_formula(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the signature is markdown-it's
    """`$ x + 1 $`, as many write it; "5 $ and 6 $" stay prices: they hold words."""
    found = _SPACED_FORMULA.match(state.src, state.pos)
    if found is None or _WORD.search(_COMMAND.sub("", found[1])):
        return False
    if not silent:
        formula = state.push("math_inline", "math", 0)
        formula.content, formula.markup = found[1], "$"
    state.pos = found.end()
    return True


def _read_shortcode(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the signature is markdown-it's
    found = _SHORTCODE.match(state.src, state.pos)
    if found is None:
        return False
    if not silent:
        state.push("shortcode", "", 0).meta = {"words": " ".join(found.group(1).split())}
    state.pos = found.end()
    return True


def _show_place(_self: Any, tokens: Sequence[Token], place: int, _options: Any, _env: Any) -> str:
    return f'<span data-show="{tokens[place].meta["words"]}"></span>'


def _with_formulas(reader: MarkdownIt) -> MarkdownIt:
    """Formulas between dollars become MathML."""
    dollarmath_plugin(
        reader, renderer=_formula, allow_labels=False, allow_space=False, allow_digits=False, double_inline=True
    )
    reader.inline.ruler.before("math_inline", "spaced_math", _read_spaced_formula)
    return reader


def _formula(content: str, settings: dict[str, Any]) -> str:
    return convert(content, display="block" if settings["display_mode"] else "inline")


def _check(tokens: Sequence[Token]) -> None:
    """Raise BadText for what cannot be shown, with the line where its paragraph begins."""
    wrong = []
    formulas = places = 0
    for line, token in _all(tokens):
        if token.type == "image":
            words = _("pictures cannot be put in; [[level 12 main]] shows a level.")
            wrong.append((line, words))
        elif token.type == "shortcode":
            places += 1
            if Shown.parse(token.meta["words"]) is None:
                words = _("[[%(words)s]] is unknown; write [[level 12 main]] or [[replay 12 345]].")
                wrong.append((line, words % token.meta))
        elif token.type.startswith("math_"):
            formulas += 1
            if words := _what_is_wrong_with(token.content) if formulas <= MOST_FORMULAS else "":
                wrong.append((line, words))
    if formulas > MOST_FORMULAS:
        wrong.append((0, _("A text has at most %(most)s formulas.") % {"most": MOST_FORMULAS}))
    if places > MOST_SHOWN:
        wrong.append((0, _("A text shows at most %(most)s levels and replays.") % {"most": MOST_SHOWN}))
    if wrong:
        raise BadText([_("Line %(line)s: %(words)s") % {"line": line, "words": w} if line else w for line, w in wrong])


def _all(tokens: Sequence[Token]) -> Iterator[tuple[int, Token]]:
    for token in tokens:
        line = token.map[0] + 1 if token.map else 0
        yield line, token
        for child in token.children or []:
            yield line, child
            yield from ((line, inner) for inner in child.children or [])


def _what_is_wrong_with(formula: str) -> str:
    if len(formula) > LONGEST_FORMULA:
        return _("a formula has at most %(most)s characters.") % {"most": LONGEST_FORMULA}
    if _depth(formula) > _DEEPEST_BRACES:
        return _("a formula has too many brackets inside each other.")
    try:
        made = convert(formula) if _is_balanced(formula) else ""
    except Exception:  # whatever latex2mathml raises for a text that is no formula
        made = ""
    if not made:
        return _("the formula %(formula)s cannot be read.") % {"formula": f"${formula[:60]}$"}
    return ""


def _depth(formula: str) -> int:
    depth = deepest = 0
    for letter in formula:
        depth += (letter in "{[(") - (letter in "}])")
        deepest = max(deepest, depth)
    return deepest + formula.count("\\left") + formula.count("\\begin")


def _is_balanced(formula: str) -> bool:
    """latex2mathml closes by itself what was left open, seldom where it was meant."""
    braces = re.sub(r"\\.", "", formula)
    return braces.count("{") == braces.count("}")


def _clean(html: str) -> str:
    return _cleaner().clean(html)


@cache
def _cleaner() -> nh3.Cleaner:
    return nh3.Cleaner(
        tags=_TAGS | _MATHML,
        attributes=_ATTRIBUTES,
        allowed_classes={"div": {"scroll", "math"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener",
    )
