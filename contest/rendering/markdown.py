"""Markdown of the repository's pages. Raw HTML is off; the output is sanitised."""

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import nh3
from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin

_RULE = re.compile(r"\d{1,2}\.\d{1,2}")
_RULE_IN_BRACKETS = re.compile(r"(?<=[(（ 、])(\d{1,2}\.\d{1,2})(?=[)）,、])")
_GIVEN_ID = re.compile(r"\s*\{#([a-z0-9-]+)\}$")
_SECTION = re.compile(r"(\d{1,2})\. ")
# A formula with spaces inside its dollars; with any word other than a command it is text with prices. Each run of
# spaces is read once: tried from each space, ten thousand of them took a quarter of a minute.
_SPACED_FORMULA = re.compile(r"\$[ ]++([^$\n]{1,400}?)(?<! )[ ]++\$(?![\d$])")
_COMMAND = re.compile(r"\\(?:text|mathrm|operatorname)\{[^{}]*\}|\\[A-Za-z]+")
_WORD = re.compile(r"[^\W\d_]{3,}|[\u2e80-\u9fff]")
_TAGS = {
    "p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "em", "strong", "s", "code", "pre", "blockquote", "a", "span",
    "ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td", "div",
}  # fmt: skip
_MATHML = {
    "math", "mrow", "mi", "mn", "mo", "ms", "mtext", "mspace", "mfrac", "msqrt", "mroot", "msub", "msup", "msubsup",
    "munder", "mover", "munderover", "mmultiscripts", "mprescripts", "mtable", "mtr", "mtd", "mstyle", "mpadded",
    "mphantom", "menclose", "none",
}  # fmt: skip
_PICTURE = 440, 170  # pixels
_ATTRIBUTES = {
    "a": {"href", "title"},
    "ol": {"start"},
    "li": {"id"},
    "span": {"data-show"},
    "div": {"tabindex"},
    "img": {"src", "alt", "width", "height", "loading"},
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


@dataclass(frozen=True)
class Heading:
    """A level-2 heading with an id for links."""

    id: str
    words: str


@dataclass(frozen=True)
class Page:
    """A page of the repository: its title, its headings, and the rest as HTML; *rules* are the numbers it defines."""

    title: str
    headings: Sequence[Heading]
    html: str
    rules: frozenset[str] = frozenset()


# Pages of the repository


def render_page(text: str, address_of: Callable[[str], str], rule_addresses: Mapping[str, str] | None = None) -> Page:
    """Render a page; *address_of* returns the site's URL for a link to another file ("" for none).

    Numbers in brackets link to the page's own rules, or to *rule_addresses*.

    Pictures are our own drawings, all of one size; *address_of* returns their URLs.

    Ids for links: rules have their number, sections theirs, other headings an id in braces: `## Words {#words}`.
    """
    reader = _page_reader()
    tokens = reader.parse(text)
    title = tokens[1].content
    tokens = tokens[3:]
    headings = list(_name_headings(tokens))
    rules = frozenset(_name_rules(tokens))
    known = {**(rule_addresses or {}), **{number: f"#{number}" for number in rules}}
    for token in tokens:
        if token.type == "inline":
            token.children = list(_link_rules(_without_dead_links(token.children or [], address_of), known))
            _place_pictures(token.children, address_of)
    return Page(
        title,
        headings,
        _cleaner(has_pictures=True).clean(make_scrollable(reader.renderer.render(tokens, reader.options, {}))),
        rules,
    )


@cache
def _page_reader() -> MarkdownIt:
    return render_formulas(MarkdownIt("commonmark", {"html": False}).enable("table"))


def make_scrollable(html: str) -> str:
    """Make tables, formulas and code, which may be wider than a phone, scrollable, by keyboard too."""
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
    """Set the id of list items that begin with a rule number, and link the number to itself."""
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
    """Replace links to other files of the repository by the site's links to them, or by text if there are none."""
    is_dead = False
    for child in children:
        if child.type == "link_open":
            href = str(child.attrGet("href") or "")
            if href.endswith((".md", ".json")):
                href = address_of(href)
                child.attrSet("href", href)
            is_dead = not href
        if not (is_dead and child.type in ("link_open", "link_close")):
            yield child


def _place_pictures(children: Sequence[Token], address_of: Callable[[str], str]) -> None:
    for child in children:
        if child.type == "image":
            size = dict(zip(("width", "height"), _PICTURE, strict=True))
            child.attrs.update(src=address_of(str(child.attrGet("src"))), loading="lazy", **size)


def _link_rules(children: Iterator[Token], known: Mapping[str, str]) -> Iterator[Token]:
    """Link rule numbers in brackets to their rules."""
    for child in children:
        if child.type != "text":
            yield child
            continue
        for place, part in enumerate(_RULE_IN_BRACKETS.split(child.content)):
            text = Token("text", "", 0, content=part)
            yield from _link(known[part], text) if place % 2 and part in known else [text]


def _link(href: str, text: Token) -> list[Token]:
    return [Token("link_open", "a", 1, attrs={"href": href}), text, Token("link_close", "a", -1)]


def _read_spaced_formula(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the signature is markdown-it's
    """Parse `$ x + 1 $`, a common way to write it; "5 $ and 6 $" stays text, because it contains words."""
    match = _SPACED_FORMULA.match(state.src, state.pos)
    if match is None or _WORD.search(_COMMAND.sub("", match[1])):
        return False
    if not silent:
        formula = state.push("math_inline", "math", 0)
        formula.content, formula.markup = match[1], "$"
    state.pos = match.end()
    return True


def render_formulas(reader: MarkdownIt) -> MarkdownIt:
    """Convert formulas between dollars to MathML."""
    dollarmath_plugin(
        reader, renderer=_formula, allow_labels=False, allow_space=False, allow_digits=False, double_inline=True
    )
    reader.inline.ruler.before("math_inline", "spaced_math", _read_spaced_formula)
    return reader


def _formula(content: str, settings: dict[str, Any]) -> str:
    return convert(content, display="block" if settings["display_mode"] else "inline")


def clean(html: str) -> str:
    return _cleaner(has_pictures=False).clean(html)


@cache
def _cleaner(*, has_pictures: bool) -> nh3.Cleaner:
    return nh3.Cleaner(
        tags=_TAGS | _MATHML | ({"img"} if has_pictures else set()),
        attributes=_ATTRIBUTES,
        allowed_classes={"div": {"scroll", "math"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener",
    )
