"""Comments under posts: the rules of comments on levels (rule 27)."""

from datetime import timedelta

import pytest

from contest.infra import clock
from contest.models import Comment, Post, Round
from contest.outreach.community import bell, comments
from contest.players import accounts, acts
from contest.visibility import Viewer
from tests.contest.outreach.community.conftest import person
from tests.contest.outreach.test_posts import a_post
from tests.desk.conftest import member, signed_in
from tests.web.community.test_talk import page_text, write

POST, TALK = "/en/posts/hello/", "/en/posts/hello/comments/"


@pytest.fixture
def post(revealed) -> Post:
    return a_post(at=clock.now(), published_at=clock.now(), title_en="On stones", text_en="Text.")


def test_a_comment_under_a_post_is_shown_on_both_its_pages(browser, post):
    """Rule 27.2."""
    assert write(browser("Ann"), "<b>Nice</b>", TALK, spoiler="Left first.").url == TALK
    for address in (POST, TALK):
        text = page_text(browser(), address)
        assert ("&lt;b&gt;Nice&lt;/b&gt;" in text, text.count("Left first."), "<textarea" in text) == (True, 1, False)
    assert f"{TALK}?answer={Comment.objects.get().pk}#write" in page_text(browser("Bo"), POST)
    assert "Vote" not in page_text(browser("Ann"), TALK)
    refused = browser("Bo").post(TALK, {"write": "1", "player": person("Ann").pk, "text": "Me"})
    assert (refused.status_code, browser().get("/en/posts/nothing/comments/").status_code) == (422, 404)


def test_an_answer_under_a_post_rings_the_bell_with_the_posts_title(browser, post):
    """Rule 27.6: several answers of one player are one notification."""
    write(browser("Ann"), "So?", TALK)
    for text in ("So.", "Really."):
        write(browser("Bo"), text, TALK, answers=Comment.objects.get(text="So?").pk)
    ann, at = Viewer(proved=frozenset({person("Ann").pk})), clock.now() + timedelta(1)
    (news,) = [item for item in bell.list_news(ann, None, at) if item.kind == bell.ANSWERED]
    assert (str(news.who), news.level_name, news.address) == ("Bo", "On stones", TALK)
    assert f'<a href="{TALK}">On stones</a>' in page_text(browser("Ann"), "/en/me/news/")


def test_comments_on_a_post_about_a_round_rest_until_its_results_are_public(browser, revealed, post):
    """Rule 27.3."""
    Post.objects.update(round=revealed)
    write(browser("Ann"), "Nice.", TALK)
    Round.objects.update(closes_at=clock.now() + timedelta(days=1))
    for address in (POST, TALK):
        text = page_text(browser("Ann"), address)
        assert ("Nice." in text, "<textarea" in text, "not public yet" in text) == (False, False, True)
    sent = browser("Ann").post(TALK, {"write": "1", "player": person("Ann").pk, "text": "Now"})
    assert (sent.status_code, Comment.objects.count()) == (422, 1)


def test_organisers_moderate_it_and_its_author_deletes_it(browser, post):
    """Rules 27.4, 27.5, 15.6: the desk names the post."""
    write(browser("Ann"), "Rude.", TALK)
    comment = Comment.objects.get()
    assert browser().post(f"/en/comments/{comment.pk}/report/", {"text": "Rude!"}).url == TALK
    assert f'<a href="{POST}">On stones</a>' in signed_in(member("organiser")).get("/en/desk/comments/").text
    comments.hide(comment, None, reason="Insults.", at=clock.now())
    assert ("Rude." in page_text(browser(), POST), "Insults." in page_text(browser("Ann"), POST)) == (False, True)
    (exported,) = accounts.export(person("Ann"))["comments"]
    assert (exported["post__slug"], exported["text"]) == ("hello", "Rude.")
    assert browser("Ann").post(f"/en/comments/{comment.pk}/delete/").url == TALK
    acts.erase(person("Ann"), None)
    assert not Comment.objects.filter(deleted_at=None).exists()


def test_a_withdrawn_post_takes_its_comments_with_it(browser, post):
    write(browser("Ann"), "Nice.", TALK)
    Post.objects.update(published_at=None)
    comment = Comment.objects.get()
    for address in (POST, TALK, f"/en/comments/{comment.pk}/report/"):
        assert browser("Bo").get(address).status_code == 404
