"""Boards in organisers' posts: drawn from their text, with alternative text for blind readers."""

import pytest

from contest.rendering import post_text
from contest.rendering.post_boards import MOST_BOARDS

BOARD = "#####\n#@$.#\n#####"


def test_a_board_is_drawn_with_its_caption_as_accessible_name():
    html = post_text.render_post(f"Before\n\n```board One box & <b>\n{BOARD}\n```\n\nAfter [[level 1 main]]")
    assert html.count("<svg") == 1
    assert "<title>One box &amp; &lt;b&gt;</title>" in html
    assert "<figcaption>One box &amp; &lt;b&gt;</figcaption>" in html
    assert [shown.round for shown in post_text.list_shortcodes(html)] == [1]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (f"x\n\n```board\n{BOARD}\n```", "Line 3: after the backticks, say"),
        ("```board Words\nabc\n```", "Line 1: this board cannot be read"),
        (f"```board Words\n{('#' * 60 + chr(10)) * 60}```", "Line 1: this board is too large"),
        (f"```blocks Words\n{BOARD}\n```", "Line 1: write the square of a box after blocks"),
        (f"```blocks ZZ9 Words\n{BOARD}\n```", "Line 1: there is no square ZZ9"),
        (f"```board Words\n{BOARD}\n```\n" * (MOST_BOARDS + 1), f"at most {MOST_BOARDS} boards"),
        ("[[drawn 0]]", "Line 1: [[drawn 0]] is unknown"),
    ],
)
def test_an_invalid_board_is_reported_with_its_line(text, wrong):
    with pytest.raises(post_text.BadText) as refusal:
        post_text.render_post(text)
    assert any(wrong in message for message in refusal.value.messages)
