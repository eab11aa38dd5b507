from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils.translation import override

from contest.infra import clock
from contest.models import AuditEntry, Post
from contest.outreach import posts
from contest.visibility import Viewer
from tests import cast

STRANGER = Viewer()
AT = cast.DURING


def a_post(slug: str = "hello", *, at=AT, published_at=AT, version: int = 0, **fields) -> Post:
    fields = fields or {"title_en": "Hello", "text_en": "Text of it."}
    with clock.set_to(at):
        return posts.save(Post(slug=slug, published_at=published_at, **fields), at=at, by=None, version=version)


def read(post: Post, at=AT) -> str:
    return posts.render_body(post, posts.in_language(post).lang, posts.make_filler(post, STRANGER, at))


@pytest.mark.django_db
def test_posts_are_rendered_again_without_being_marked_as_edited():
    old, bad = a_post(), a_post("bad")
    Post.objects.filter(pk=old.pk).update(html_en="<p>As an older version rendered it.</p>")
    Post.objects.filter(pk=bad.pk).update(text_en="![picture](/x)", html_en="<p>Kept</p>")
    assert posts.render_all() == (1, [bad])
    assert posts.render_all() == (0, [bad])
    now = Post.objects.get(pk=old.pk)
    assert (now.html_en, now.version, now.edited_at) == ("<p>Text of it.</p>\n", old.version, None)
    assert Post.objects.get(pk=bad.pk).html_en == "<p>Kept</p>"


def test_a_post_appears_at_its_time_among_posts_of_its_kind_and_a_draft_never(db):
    a_post(published_at=AT)
    a_post("draft", published_at=None)
    a_post("report", kind="report", title_en="Report", text_en="x", published_at=AT)
    assert posts.list_posts(STRANGER, AT - timedelta(microseconds=1)) == []
    assert [item.title for item in posts.list_posts(STRANGER, AT + timedelta(days=999))] == ["Report", "Hello"]
    assert [item.title for item in posts.list_posts(STRANGER, AT, kind="report")] == ["Report"]


def test_a_post_is_shown_in_the_readers_language_or_the_other_with_its_teaser(db):
    post = a_post(title_zh="你好", text_zh="正文。")
    item = posts.in_language(post)
    assert (item.title, item.lang, item.is_fallback) == ("你好", "zh-Hans", True)
    post.title_en, post.teaser_en, post.text_en = "Hello", "Why it is so.", "Text of it."
    assert (posts.in_language(post).summary, posts.in_language(post).is_fallback) == ("Why it is so.", False)
    with override("zh-hans"):
        assert posts.in_language(post).summary == "正文。"


def test_a_post_shows_a_level_from_its_opening(db):
    """Rules 2.8, 7.4."""
    cast.a_round(12)
    post = a_post(text_en="See [[level 12 main]].", title_en="Soon", at=cast.OPENS, published_at=None)
    before = read(post, cast.OPENS - timedelta(seconds=1))
    assert before == "<p>See .</p>\n"
    assert "<svg" in read(post, cast.OPENS)
    assert "main of 12" in read(post, cast.OPENS)


def test_a_post_links_to_a_replay_from_the_close(db):
    """Rules 7.2, 7.3, 15.4: a replay of this round that is not withheld."""
    round_ = cast.a_round(12)
    sent = cast.enter(round_, "Li", 97, 30, at=AT)
    assert read(a_post("x", text_en=f"[[replay 13 {sent.number}]]", title_en="Best"), cast.CLOSES) == "<p></p>\n"
    post = a_post(text_en=f"[[replay 12 {sent.number}]]", title_en="Best", published_at=None)
    assert "Li" not in read(post, cast.CLOSES - timedelta(seconds=1))
    assert "Li: 97 moves, 30 pushes" in read(post, cast.CLOSES)
    assert posts.empty_shortcodes(post, posts.make_filler(post, STRANGER, AT))
    assert not posts.empty_shortcodes(post, posts.make_filler(post, STRANGER, cast.CLOSES))
    type(sent).objects.filter(pk=sent.pk).update(is_unpublished=True)
    assert read(post, cast.CLOSES) == "<p></p>\n"


def test_a_change_after_publication_is_marked_and_recorded_and_the_url_stays(db):
    """The second of two organisers is told that another was faster."""
    post = a_post(published_at=AT + timedelta(days=1))
    post.text_en = "Other text."
    assert posts.save(post, at=AT, by=None, version=1).edited_at is None
    with pytest.raises(posts.Behind):
        posts.save(Post.objects.get(pk=post.pk), at=AT, by=None, version=1)
    post.text_en, later = "New text.", AT + timedelta(days=2)
    assert posts.save(post, at=later, by=None, version=2).edited_at == later
    entry = AuditEntry.objects.filter(act="edit post").latest("pk")
    assert (entry.before, entry.after) == ({"text_en": "Other text."}, {"text_en": "New text."})
    post.slug = "other"
    with pytest.raises(ValidationError, match="already know the URL hello,"):
        posts.save(post, at=later, by=None, version=3)
