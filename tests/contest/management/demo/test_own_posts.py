"""The first posts of the site: complete in both languages, and true."""

import re
from itertools import product

import pytest

from contest.infra import clock
from contest.management.demo import own_posts
from contest.models import Post
from contest.outreach import posts
from contest.rendering import post_text
from contest.visibility import Viewer
from solvers.sokoban.level import Level
from solvers.sokoban.making.series import ladder, ladder_moves, ladder_pushes
from solvers.sokoban.playback import Playback
from tests import cast

LANGUAGES = ("en", "zh-hans")
_BOARD = re.compile(r"^```board [^\n]+\n(.*?)\n```$", re.MULTILINE | re.DOTALL)


def test_each_post_exists_in_each_language_and_can_be_rendered():
    for slug, language in product(own_posts.SLUGS, LANGUAGES):
        title, text = own_posts.read(slug, language)
        assert title, (slug, language)
        boards = re.findall("^```(?:board|blocks) ", text, re.MULTILINE)
        assert post_text.render_post(text).count("<figure") == len(boards), (slug, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_boards_and_numbers_of_the_ladder_post_are_correct(language):
    _title, text = own_posts.read("exponential-ladder", language)
    member = ladder(5)
    playback = Playback(member.level, member.solution)
    reached = [playback[moves] for moves in (0, 6, 38, 47, 106)]
    texts = _BOARD.findall(text)
    drawn = [Level.parse(board.replace("\n", "|")) for board in texts]
    assert [(level.player, level.boxes) for level in drawn] == [
        (state.player, tuple(sorted(state.boxes))) for state in reached
    ]
    assert {level.goals for level in drawn} == {member.level.goals}
    assert texts[3].split("\n")[2:] == str(ladder(4).level).split("\n")[1:]
    rows = re.findall(r"^\| (\d+) \| (\d+) \| (\d+) \|$", text, re.MULTILINE)
    assert [tuple(map(int, row)) for row in rows] == [(n, ladder_moves(n), ladder_pushes(n)) for n in range(4, 10)]


@pytest.mark.django_db
def test_posts_are_published_once_and_overwrite_no_existing_post():
    with clock.set_to(cast.DURING):
        existing = Post(slug=own_posts.SLUGS[0], title_en="Mine", text_en="Mine", published_at=cast.DURING)
        own = posts.save(existing, at=cast.DURING, by=None)
        assert own_posts.publish(cast.DURING) == len(own_posts.SLUGS) - 1
        assert own_posts.publish(cast.DURING) == 0
    own.refresh_from_db()
    assert own.title_en == "Mine"
    assert len(posts.list_posts(Viewer(), cast.DURING)) == len(own_posts.SLUGS)
