"""Categories of posts, as organisers type them."""

import pytest
from django.core.exceptions import ValidationError
from django.utils.translation import override

from contest.models import AuditEntry, Post, PostCategory
from contest.outreach import post_categories, posts
from tests.contest.outreach.test_posts import AT, a_post

pytestmark = pytest.mark.django_db


def categorise(post: Post, typed: str) -> Post:
    read = post_categories.read(typed)
    return posts.save(Post.objects.get(pk=post.pk), at=AT, by=None, version=post.version, categories=read)


def test_a_typed_name_finds_the_category_and_a_pair_adds_the_other_language():
    first = categorise(a_post(), "Complexity, 围棋、 go of  stones ")
    second = categorise(a_post("second"), "围棋 / Go，complexity")
    assert posts.list_categories(first) == "Complexity, 围棋 / Go, go of stones"
    assert posts.list_categories(second) == "Complexity, 围棋 / Go"
    assert set(PostCategory.objects.values_list("slug", flat=True)) == {"complexity", "category-1", "go-of-stones"}
    with override("zh-hans"):
        assert [str(category) for category in second.categories.all()] == ["Complexity", "围棋"]


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("复杂度 / Hardness", "“复杂度 / Complexity” already"),
        ("a / b / c", "one name in each language"),
        ("x" * 41, "at most 40"),
        ("a\u202eb", "U\\+202E"),
        ("1,2,3,4,5,6,7", "at most 6"),
    ],
)
def test_what_cannot_be_a_category_is_refused(typed, message):
    categorise(a_post(), "复杂度 / Complexity")
    with pytest.raises(ValidationError, match=message):
        post_categories.read(typed)


def test_a_category_disappears_with_its_last_post_and_changes_are_recorded():
    post = categorise(a_post(), "Puzzles, News")
    posts.save(Post.objects.get(pk=post.pk), at=AT, by=None, version=post.version)
    assert posts.list_categories(post) == "News, Puzzles"
    categorise(Post.objects.get(pk=post.pk), "Puzzles")
    assert [category.name_en for category in PostCategory.objects.all()] == ["Puzzles"]
    entry = AuditEntry.objects.filter(act="edit post").latest("pk")
    assert (entry.before, entry.after) == ({"categories": "News, Puzzles"}, {"categories": "Puzzles"})


def test_two_names_with_one_address_get_different_ones():
    categorise(a_post(), "Go!, Go?, 图, 数")
    assert set(PostCategory.objects.values_list("slug", flat=True)) == {"go", "go-2", "category-1", "category-2"}
