"""Posts of organisers as HTML: Markdown with formulas, and shortcodes that are filled for each reader."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from contest.rendering import math_text as formulas
from contest.rendering import post_boards
from contest.rendering.markdown import clean, make_scrollable, render_formulas

LONGEST = 10_000
LONGEST_FORMULA = 400
MOST_FORMULAS = 40
MOST_SHOWN = 12
_DEEPEST_BRACES = 12
# Content of double square brackets, unless it is a link text.
_SHORTCODE = re.compile(r"\[\[\s*([^\[\]\n]{1,80}?)\s*\]\](?!\()")
_SHOWN = re.compile(r"(?:level (\d{1,6}) (main|extra[23]?)|replay (\d{1,6}) (\d{1,9})|picture (\d{1,9}))", re.ASCII)
_DRAWN = re.compile(r'<span data-show="drawn (\d+)"></span>')
_PLACE = re.compile(r'<span data-show="([a-z0-9 ]{1,40})"></span>')


class BadText(ValidationError):
    """The text cannot be rendered; the messages name the lines."""


@dataclass(frozen=True)
class Target:
    """Object named by a shortcode: a level of a round, the replay of a submission, or a picture."""

    round: int = 0
    slot: str = ""
    number: int = 0
    picture: int = 0

    @classmethod
    def parse(cls, shortcode: str) -> "Target | None":
        """Read the words of a shortcode.

        >>> Target.parse("level 12 main")
        Target(round=12, slot='main', number=0, picture=0)
        >>> Target.parse("replay 12 345")
        Target(round=12, slot='', number=345, picture=0)
        >>> Target.parse("picture 7")
        Target(round=0, slot='', number=0, picture=7)
        """
        match = _SHOWN.fullmatch(shortcode)
        if match is None:
            return None
        level_of, slot, replay_of, number, picture = match.groups()
        if picture:
            return cls(picture=int(picture))
        return cls(int(level_of), slot) if slot else cls(int(replay_of), number=int(number))


def render_post(text: str) -> str:
    """Render an organiser's text for storage. Raise BadText.

    Formulas become MathML, and fenced boards pictures (`post_boards`). A shortcode becomes a placeholder
    that `fill_shortcodes` replaces for each reader.
    """
    if len(text) > LONGEST:
        raise BadText(
            _("This text has %(size)s characters; the limit is %(most)s.")
            % {"size": f"{len(text):,}", "most": f"{LONGEST:,}"}
        )
    reader = _post_reader()
    tokens = reader.parse(text)
    figures = _draw_boards(tokens)
    _check(tokens)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + 1, 6)}"  # h1 is the page's own title
    html = clean(make_scrollable(reader.renderer.render(tokens, reader.options, {})))
    # The figures contain only our own numbers and class names: they are inserted after sanitising.
    return _DRAWN.sub(lambda match: figures[int(match[1])], html)


def list_shortcodes(html: str) -> list[Target]:
    """Return the targets of the shortcodes in a rendered text."""
    return [target for shortcode in _PLACE.findall(html) if (target := Target.parse(shortcode))]


def fill_shortcodes(html: str, filling: Callable[[Target], str]) -> str:
    """Replace each shortcode placeholder by the HTML that *filling* returns for the reader."""

    def put_in(match: re.Match[str]) -> str:
        named = Target.parse(match.group(1))
        return filling(named) if named else ""

    return _PLACE.sub(put_in, html)


def first_paragraph(text: str) -> str:
    """Return the first paragraph without markup, for messages and summaries."""
    for token in _post_reader().parse(text[:LONGEST]):
        if token.type == "inline" and (text := _plain_text(token.children or [])):
            return text
    return ""


def _plain_text(children: Sequence[Token]) -> str:
    return "".join(map(_plain, children)).strip()


def _plain(token: Token) -> str:
    if token.type.endswith("break"):
        return " "
    return formulas.plain_formula(token.content) if token.type.startswith("math_") else token.content


@cache
def _post_reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(["table", "strikethrough"])
    render_formulas(reader)
    reader.inline.ruler.before("link", "shortcode", _read_shortcode)
    reader.add_render_rule("shortcode", _show_place)
    reader.add_render_rule("drawn_board", _show_place)
    return reader


def _read_shortcode(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the signature is markdown-it's
    match = _SHORTCODE.match(state.src, state.pos)
    if match is None:
        return False
    if not silent:
        state.push("shortcode", "", 0).meta = {"words": " ".join(match.group(1).split())}
    state.pos = match.end()
    return True


def _show_place(_self: Any, tokens: Sequence[Token], place: int, _options: Any, _env: Any) -> str:
    return f'<span data-show="{tokens[place].meta["words"]}"></span>'


def _check(tokens: Sequence[Token]) -> None:
    """Raise BadText for elements that cannot be rendered, with the line where their paragraph begins."""
    wrong = []
    formulas = places = 0
    for line, token in _all(tokens):
        if token.type == "image":
            message = _("upload the picture on the desk first; then [[picture 12]] shows it.")
            wrong.append((line, message))
        elif token.type == "shortcode":
            places += 1
            if Target.parse(token.meta["words"]) is None:
                message = _("[[%(words)s]] is unknown; write [[level 12 main]], [[replay 12 345]] or [[picture 12]].")
                wrong.append((line, message % token.meta))
        elif token.type.startswith("math_"):
            formulas += 1
            if message := _formula_error(token.content) if formulas <= MOST_FORMULAS else "":
                wrong.append((line, message))
    if formulas > MOST_FORMULAS:
        wrong.append((0, _("A text has at most %(most)s formulas.") % {"most": MOST_FORMULAS}))
    if places > MOST_SHOWN:
        wrong.append((0, _("A text shows at most %(most)s levels, replays and pictures.") % {"most": MOST_SHOWN}))
    if wrong:
        raise _bad(wrong)


def _bad(wrong: Sequence[tuple[int, str]]) -> BadText:
    return BadText([_("Line %(line)s: %(words)s") % {"line": line, "words": w} if line else w for line, w in wrong])


def _draw_boards(tokens: Sequence[Token]) -> list[str]:
    """Draw fenced boards, and leave a numbered placeholder for each. Raise BadText."""
    figures: list[str] = []
    wrong = []
    for token in tokens:
        if token.type != "fence" or not post_boards.is_board(token.info):
            continue
        try:
            figures.append(post_boards.draw(token.info, token.content))
        except post_boards.BadBoard as error:
            wrong.append((token.map[0] + 1 if token.map else 0, str(error)))
        token.type, token.meta = "drawn_board", {"words": f"drawn {len(figures) - 1}"}
    if len(figures) > post_boards.MOST_BOARDS:
        wrong.append((0, _("A text draws at most %(most)s boards.") % {"most": post_boards.MOST_BOARDS}))
    if wrong:
        raise _bad(wrong)
    return figures


def _all(tokens: Sequence[Token]) -> Iterator[tuple[int, Token]]:
    for token in tokens:
        line = token.map[0] + 1 if token.map else 0
        yield line, token
        for child in token.children or []:
            yield line, child
            yield from ((line, inner) for inner in child.children or [])


def _formula_error(formula: str) -> str:
    if len(formula) > LONGEST_FORMULA:
        return _("a formula has at most %(most)s characters.") % {"most": LONGEST_FORMULA}
    if _depth(formula) > _DEEPEST_BRACES:
        return _("a formula has too many nested brackets.")
    try:
        mathml = convert(formula) if _is_balanced(formula) else ""
    except Exception:  # any exception of latex2mathml for an invalid formula
        mathml = ""
    if not mathml:
        return _("the formula %(formula)s cannot be read.") % {"formula": f"${formula[:60]}$"}
    return ""


def _depth(formula: str) -> int:
    depth = deepest = 0
    for letter in formula:
        depth += (letter in "{[(") - (letter in "}])")
        deepest = max(deepest, depth)
    return deepest + formula.count("\\left") + formula.count("\\begin")


def _is_balanced(formula: str) -> bool:
    """Return whether braces match: latex2mathml closes open ones itself, seldom where intended."""
    braces = re.sub(r"\\.", "", formula)
    return braces.count("{") == braces.count("}")
