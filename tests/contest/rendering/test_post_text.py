import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.utils.translation import override
from hypothesis import given, settings
from hypothesis import strategies as st

from contest.rendering import colours, markdown, math_text, post_text, world_map
from contest.rendering.post_boards import MOST_BOARDS

_HOSTILE = [*"$[]()`*_><|\n\\{}^ &a", "$$", "![", "[[", "]]", "level 12 main", "javascript:alert(1)", "<script>"]
_HOSTILE += ["\\frac", "\\left", "\\begin{matrix}", "\\text"]


def test_a_text_with_all_that_it_may_have_is_shown_as_approved(file_regression):
    text = Path(__file__).with_name("post.md").read_text()
    shown = [post_text.render_post(text), post_text.first_paragraph(text)]
    shown += [f"{formula}: {math_text.plain_formula(formula)}" for formula in re.findall(r"\$([^$`]+)\$", text)]
    shade = world_map.Shade(3, "Iceland: <3>")
    shown += [str(world_map.draw_map({"IS": shade, "XX": shade}, name="Players"))[-300:]]
    shown += [colours.style_sheet("a3321c-ff9d7a"), *(str(colours.worst_ground("#a3321c", theme)) for theme in (0, 1))]
    file_regression.check("\n".join(shown).replace("><", ">\n<"), basename="shown")


@pytest.mark.parametrize("text", ["from $5 to $6", "it was 5 $ and now 6 $ more", "原价 5 $ 现价 6 $ 了", "`$ x $`"])
def test_a_price_is_not_a_formula(text):
    html = post_text.render_post(text)
    assert "<math" not in html
    assert html.count("$") == 2


@pytest.mark.parametrize("begin", ["$", "$ x"])
def test_a_dollar_before_many_blanks_is_read_at_once(begin):
    """A pattern took quadratic time: 10,000 blanks took 13 seconds, as many as here take days."""
    state = SimpleNamespace(src=begin + " " * 1_000_000, pos=0)
    assert not markdown._read_spaced_formula(state, silent=True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\n\n$\\frac{a$", "Line 3: the formula $\\frac{a$ cannot be read."),
        (f"${'x' * 500}$", "Line 1: a formula has at most 400 characters."),
        (f"${'{' * 20}x{'}' * 20}$", "Line 1: a formula has too many nested brackets."),
        ("$a$ " * 41, "A text has at most 40 formulas."),
        ("[[replay 1 1]]" * 13, "A text shows at most 12 levels, replays and pictures."),
        ("x" * 10_001, "This text has 10,001 characters; the limit is 10,000."),
    ],
)
def test_text_that_cannot_be_shown_is_reported(text, message):
    with pytest.raises(post_text.BadText) as refused:
        post_text.render_post(text)
    assert refused.value.messages == [message]


@pytest.mark.parametrize(
    "text",
    [
        "[x](javascript:alert(1))",
        "<script>alert(1)</script>",
        '<img src=x onerror="alert(1)">',
        "[x](data:text/html,a)",
        r"$\text{<img src=x onerror=alert(1)>}$",
        r"$\href{javascript:alert(1)}{y}$",
    ],
)
def test_scripts_are_removed(text):
    html = post_text.render_post(text)
    assert not re.search(r"<(script|img)|href=\"?(javascript|data)|<[^>]*onerror", html)


def test_a_shortcode_is_filled_for_each_reader():
    html = post_text.render_post("See [[level 12 main]] and `[[level 12 main]]`.")
    assert post_text.list_shortcodes(html) == [post_text.Target(12, "main")]
    assert post_text.fill_shortcodes(html, lambda _named: "<b>board</b>") == (
        "<p>See <b>board</b> and <code>[[level 12 main]]</code>.</p>\n"
    )


@given(st.lists(st.sampled_from(_HOSTILE), max_size=120).map("".join))
@settings(max_examples=3 * settings.default.max_examples)
def test_any_text_is_rendered_safely_or_refused_with_a_message(text):
    with override("en"):
        try:
            html = post_text.render_post(text)
        except post_text.BadText as refused:
            html = "" if all(refused.messages) else "<script>"
    assert not re.search(r"<(script|img|iframe|style)|\son\w+=|href=\"javascript", html)


BOARD = "#####\n#@$.#\n#####"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("```board Words\nabc\n```", "Line 1: this board cannot be read"),
        (f"```board Words\n{('#' * 60 + chr(10)) * 60}```", "Line 1: this board is too large"),
        (f"```board Words\n{BOARD}\n```\n" * (MOST_BOARDS + 1), f"at most {MOST_BOARDS} boards"),
        ("[[drawn 0]]", "Line 1: [[drawn 0]] is unknown"),
    ],
)
def test_an_invalid_board_is_reported_with_its_line(text, wrong):
    with pytest.raises(post_text.BadText) as refusal:
        post_text.render_post(text)
    assert any(wrong in message for message in refusal.value.messages)


def test_a_rule_can_be_linked_to_by_its_number():
    text = "# R\n\n# P {#p}\n\n## 8. Ranks\n\n### K {#k}\n\n- **8.4** Keys (8.5), 8.5.\n- **8.5** No ties.\n"
    page = markdown.render_page(text, lambda _href: "")
    assert ([heading.id for heading in page.headings], page.rules) == (["8"], frozenset({"8.4", "8.5"}))
    html = page.html
    assert '<li id="8.4">' in html
    assert '<a href="#8.4" rel="noopener">8.4</a>' in html
    assert '(<a href="#8.5" rel="noopener">8.5</a>), 8.5.' in html


def test_markdown_images_are_shown_on_repository_pages_but_not_in_posts():
    html = markdown.render_page("# A\n\n![Two boxes](a.svg)\n", lambda href: f"/static/{href}").html
    assert '<img src="/static/a.svg" alt="Two boxes" ' in html
    assert "<img" not in markdown.clean('<img src="/static/a.svg">')
