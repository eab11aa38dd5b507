"""The articles that come with the site: complete in both languages, and published once."""

import re
from itertools import product

import pytest
from django.core.management import call_command
from django.urls import resolve
from django.utils.translation import override

from contest.infra import clock
from contest.models import OWN_POST_SLUGS, Post
from contest.outreach import own_posts, posts
from contest.rendering import post_text
from contest.visibility import Viewer
from solvers.sokoban.machines.formula_levels import x_and_not_x
from tests import cast

LANGUAGES = ("en", "zh-hans")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def test_each_post_exists_in_each_language_and_can_be_rendered():
    for slug, language in product(OWN_POST_SLUGS, LANGUAGES):
        title, text = own_posts.read(slug, language)
        assert title, (slug, language)
        boards = re.findall("^```(?:board|blocks) ", text, re.MULTILINE)
        assert post_text.render_post(text).count("<figure") == len(boards), (slug, language)


@pytest.mark.django_db
def test_posts_are_published_once_and_overwrite_no_existing_post():
    with clock.set_to(cast.DURING):
        existing = Post(slug=OWN_POST_SLUGS[0], title_en="Mine", text_en="Mine", published_at=cast.DURING)
        own = posts.save(existing, at=cast.DURING, by=None)
        assert own_posts.publish(cast.DURING) == len(OWN_POST_SLUGS) - 1
        assert own_posts.publish(cast.DURING) == 0
    own.refresh_from_db()
    assert own.title_en == "Mine"
    assert len(posts.list_posts(Viewer(), cast.DURING)) == len(OWN_POST_SLUGS)


@pytest.mark.parametrize("slug", OWN_POST_SLUGS[3:])
def test_articles_about_theory_cite_their_sources_and_link_pages_of_their_language(slug):
    references = own_posts.read_references(slug)
    for language in LANGUAGES:
        _title, text = own_posts.read(slug, language)
        assert {*_YEAR.findall(text)} <= {*_YEAR.findall(references)}, language
        for link in re.findall(r"\]\((/[^)]+)\)", text):
            with override(language):  # so that the link must be of this language
                assert resolve(link), link
    assert all(_YEAR.search(line) for line in references.splitlines())


def test_the_board_of_the_article_is_the_level_that_the_solver_refuted():
    """tests/solvers/sokoban/machines proves it unsolvable."""
    for language in LANGUAGES:
        assert x_and_not_x().strip() in own_posts.read("why-sokoban-is-pspace-complete", language)[1]


@pytest.mark.django_db
def test_a_new_site_gets_the_articles_with_migrating_and_a_site_in_use_does_not(settings):
    settings.OWN_LEVELS = True
    call_command("migrate", verbosity=0)
    assert {*Post.objects.values_list("slug", flat=True)} == {*OWN_POST_SLUGS}
    Post.objects.filter(slug=OWN_POST_SLUGS[0]).update(published_at=None)  # withdrawn
    call_command("migrate", verbosity=0)
    assert Post.objects.exclude(published_at=None).count() == len(OWN_POST_SLUGS) - 1
    Post.objects.all().delete()
    cast.a_round()
    call_command("migrate", verbosity=0)
    assert not Post.objects.exists()
