"""The first posts of the site: complete in both languages, and published once."""

import re
from itertools import product

import pytest

from contest.infra import clock
from contest.management.demo import own_posts
from contest.models import Post
from contest.outreach import posts
from contest.rendering import post_text
from contest.visibility import Viewer
from tests import cast

LANGUAGES = ("en", "zh-hans")


def test_each_post_exists_in_each_language_and_can_be_rendered():
    for slug, language in product(own_posts.SLUGS, LANGUAGES):
        title, text = own_posts.read(slug, language)
        assert title, (slug, language)
        boards = re.findall("^```(?:board|blocks) ", text, re.MULTILINE)
        assert post_text.render_post(text).count("<figure") == len(boards), (slug, language)


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
