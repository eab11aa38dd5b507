import re
from datetime import timedelta
from itertools import product

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.utils.translation import override

from contest import players, visibility
from contest.infra import clock
from contest.models import OWN_POST_SLUGS, AuditEntry, Post, PostCategory
from contest.outreach import own_posts, post_categories, posts, questions
from contest.rendering import post_text
from contest.visibility import Viewer
from tests import cast

STRANGER = Viewer()
AT = cast.DURING
pytestmark = pytest.mark.django_db


def a_post(slug: str = "hello", *, at=AT, published_at=AT, version: int = 0, **fields) -> Post:
    fields = fields or {"title_en": "Hello", "text_en": "Text of it."}
    with clock.set_to(at):
        return posts.save(Post(slug=slug, published_at=published_at, **fields), at=at, by=None, version=version)


def read(post: Post, at=AT) -> str:
    return posts.render_body(post, posts.in_language(post).lang, posts.make_filler(post, STRANGER, at))


def test_posts_are_rendered_again_without_being_marked_as_edited():
    old, bad = a_post(), a_post("bad")
    Post.objects.filter(pk=old.pk).update(html_en="<p>As an older version rendered it.</p>")
    Post.objects.filter(pk=bad.pk).update(text_en="![picture](/x)", html_en="<p>Kept</p>")
    assert posts.render_all() == (1, [bad])
    assert posts.render_all() == (0, [bad])
    now = Post.objects.get(pk=old.pk)
    assert (now.html_en, now.version, now.edited_at) == ("<p>Text of it.</p>\n", old.version, None)
    assert Post.objects.get(pk=bad.pk).html_en == "<p>Kept</p>"


def test_a_post_links_to_a_replay_from_the_close():
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


def test_a_change_after_publication_is_marked_and_recorded_and_the_url_stays():
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


LANGUAGES = ("en", "zh-hans")


def test_each_post_exists_in_each_language_and_can_be_rendered():
    for slug, language in product(OWN_POST_SLUGS, LANGUAGES):
        title, text = own_posts.read(slug, language)
        assert title, (slug, language)
        boards = re.findall("^```(?:board|blocks) ", text, re.MULTILINE)
        assert post_text.render_post(text).count("<figure") == len(boards), (slug, language)


def test_posts_are_published_once_and_overwrite_no_existing_post():
    with clock.set_to(cast.DURING):
        existing = Post(slug=OWN_POST_SLUGS[0], title_en="Mine", text_en="Mine", published_at=cast.DURING)
        own = posts.save(existing, at=cast.DURING, by=None)
        assert own_posts.publish(cast.DURING) == len(OWN_POST_SLUGS) - 1
        assert own_posts.publish(cast.DURING) == 0
    own.refresh_from_db()
    assert own.title_en == "Mine"
    assert len(posts.list_posts(Viewer(), cast.DURING)) == len(OWN_POST_SLUGS)


def test_a_site_in_use_gets_no_articles_with_migrating(settings):
    settings.OWN_LEVELS = True
    cast.a_round()
    call_command("migrate", verbosity=0)
    assert not Post.objects.exists()


@pytest.fixture
def ann(during_round):
    player, secret = players.create("Ann", country="", email="", at=cast.DURING)
    return player, Viewer({player.pk: secret})


@pytest.fixture
def ask(during_round, ann):
    """Let Ann ask a question: `ask("May I?", at=...)`."""

    def ask_question(text="May I use a program?", *, viewer=ann[1], at=cast.DURING):
        return questions.ask_question(during_round, ann[0], text, viewer=viewer, at=at)

    return ask_question


def _answer(question, **more):
    answer = {"zh": "可以。", "en": "Yes.", "at": cast.DURING, "by": None, **more}
    return questions.answer_question(question, **answer)


def test_a_question_and_its_private_answer_are_visible_to_the_asker_only(during_round, ann, ask):
    """Rules 15.3, 25.1: also after the answer; the audit log records the act without the text."""
    question, viewer = ask(), ann[1]
    assert visibility.own_questions(viewer, during_round).count() == 1
    assert not visibility.own_questions(Viewer(), during_round).exists()
    organiser = User.objects.create_user("organiser")
    _answer(question, by=organiser)
    assert visibility.own_questions(viewer, during_round).get().answer_en == "Yes."
    assert not visibility.public_questions(during_round, cast.AFTER).exists()
    entry = AuditEntry.objects.get(act="answer")
    assert (entry.actor, entry.target) == (organiser, f"question {question.pk}")
    assert "Yes" not in str(entry.after)


def test_a_question_needs_an_own_nickname_an_open_round_and_a_valid_text(ask):
    assert "owner" in cast.refusal_of(ask, viewer=Viewer())
    for at in (cast.OPENS - timedelta(seconds=1), cast.CLOSES):
        assert "while the round is open" in cast.refusal_of(ask, at=at)
    for text, message in ((" \n\0", "Write your question"), ("x" * 2_001, "up to 2,000")):
        assert message in cast.refusal_of(ask, text)


def test_questions_are_limited_to_three_an_hour_and_ten_unanswered_and_a_double_click_asks_one(ask):
    for minute in range(3):
        first, again = (ask(at=cast.DURING + timedelta(minutes=minute)) for _click in range(2))
        assert again == first
    assert "Ask again after 21:00" in cast.refusal_of(ask, at=cast.DURING + timedelta(minutes=59))  # 13:00 in UTC
    for hour in range(1, 8):
        ask(at=cast.DURING + timedelta(hours=hour))
    later = cast.DURING + timedelta(days=1)
    assert "waiting for an answer" in cast.refusal_of(ask, at=later)
    _answer(first)
    ask(at=later)
