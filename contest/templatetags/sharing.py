"""Absolute URLs for other sites, and texts to paste into forums."""

import json
import re
from collections.abc import Sequence
from urllib.parse import urlencode

from django import template
from django.template.context import Context
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from contest.infra import site_address
from contest.models import LevelResult, Submission
from contest.rankings.standings import Row

register = template.Library()


@register.simple_tag(takes_context=True)
def absolute(context: Context, name: str, *args: object) -> str:
    """Return the absolute URL of a page or picture."""
    return site_address.absolute_url(context["request"], reverse(name, args=args))


@register.simple_tag(takes_context=True)
def oembed_link(context: Context) -> SafeString:
    """Render the oEmbed discovery link of this page."""
    request = context["request"]
    page = site_address.absolute_url(request, request.path)
    address = f"{absolute(context, 'oembed')}?{urlencode({'url': page})}"
    return format_html('<link rel="alternate" type="application/json+oembed" href="{}">', address)


@register.filter
def brick_facts(result: Submission | LevelResult) -> str:
    """Return what `shell/bricks.js` draws a result of: its counts and the name of its level."""
    return json.dumps({"title": str(result.level), "moves": result.moves, "pushes": result.pushes}, ensure_ascii=False)


@register.filter
def numbers_url(result: Submission | LevelResult) -> str:
    """Return the URL of all counts that a result is compared with: of its contest, its practice or its library."""
    if isinstance(result, LevelResult):
        return reverse("collected-numbers", args=[result.level.collection.slug, result.level.place])
    if result.level is None:
        return ""
    address = reverse("numbers", args=[result.round.number, result.level.slot])
    return f"{address}?practice=1" if result.is_practice else address


@register.simple_tag
def ranking_text(rows: Sequence[Row], markup: str) -> str:
    """Return the first rows of a ranking in *markup*: bbcode, markdown or tsv."""
    heads = [gettext("Rank"), gettext("Player"), gettext("Moves"), gettext("Pushes")]
    table = [[str(row.rank), str(row.player), str(row.moves), str(row.pushes)] for row in rows]
    return _MARKUPS[markup](heads, table)


def _bbcode(heads: list[str], table: list[list[str]]) -> str:
    """Format for Discuz forums. Brackets cannot be escaped there, so replace them by full-width ones."""

    def row(cells: list[str], bold: str = "{}") -> str:
        safe = (cell.replace("[", "［").replace("]", "］") for cell in cells)
        return "[tr]{}[/tr]".format("".join(f"[td]{bold.format(cell)}[/td]" for cell in safe))

    return "\n".join(["[table]", row(heads, "[b]{}[/b]"), *map(row, table), "[/table]"])


def _markdown(heads: list[str], table: list[list[str]]) -> str:
    def row(cells: list[str]) -> str:
        return "| {} |".format(" | ".join(_MARKS.sub(r"\\\g<0>", cell) for cell in cells))

    return "\n".join([row(heads), "|--:|---|--:|--:|", *map(row, table)])


def _tsv(heads: list[str], table: list[list[str]]) -> str:
    """Format for spreadsheets; prevent names from starting a formula (docs/reference/api.md)."""
    safe = ([f"'{cell}" if cell.startswith(tuple("=+-@＝＋－＠\t\r")) else cell for cell in row] for row in table)
    return "\n".join("\t".join(row) for row in (heads, *safe))


_MARKS = re.compile(r"[\\`*_{}\[\]<>()#+!|~-]")
_MARKUPS = {"bbcode": _bbcode, "markdown": _markdown, "tsv": _tsv}
