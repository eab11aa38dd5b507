from datetime import timedelta

import pytest

from contest.infra import clock
from contest.models import Comment, CommentReport, Player, Post, Round, Vote
from contest.outreach.community import bell, comments
from contest.players import accounts, acts
from contest.visibility import Viewer
from tests import cast
from tests.contest.outreach.community.conftest import person
from tests.contest.outreach.test_posts import a_post
from tests.desk.conftest import member, signed_in

TALK = "/en/rounds/1/main/talk/"
POST, POST_TALK = "/en/posts/hello/", "/en/posts/hello/comments/"


def write(client, text="Nice.", address=TALK, **more):
    player = next(iter(client.get(address).context["speakers"]))
    return client.post(address, {"write": "1", "player": player.pk, "text": text, **more})


def vote(client, address=TALK, sender="127.0.0.1", **scales):
    voter = next(iter(client.get(address).context["voters"]))
    given = {f"vote-{scale}": value for scale, value in scales.items()}
    return client.post(address, {"vote": "1", "vote-player": voter.pk, **given}, REMOTE_ADDR=sender)


def page_text(client, address=TALK):
    return client.get(address).content.decode()


def test_solvers_of_a_level_vote_and_its_page_shows_the_mean(browser):
    """Rule 27.1."""
    names = ["Ann", "Bo", "Cy", *(f"Voter {number}" for number in range(5))]
    cast.enter_all(Round.objects.get(), [(name, 9, 3) for name in names[3:]])
    for number, name in enumerate(names):
        shown = page_text(browser(), "/en/rounds/1/main/") if number == 7 else ""
        answer = vote(browser(name), sender=f"198.51.{number % 5}.7", beautiful=4 if number else 5)
        assert answer.status_code == 302
    assert ("<strong>4.1</strong>" in shown, "at least 8 players from 5 networks" in shown) == (False, True)
    for address in ("/en/rounds/1/main/", TALK):
        assert "<strong>4.1</strong>" in page_text(browser(), address)
    assert "no vote" in page_text(browser("Ann"))


def test_a_comment_is_escaped_and_its_spoiler_is_folded(browser):
    """Rule 27.2."""
    assert write(browser("Ann"), "<b>Bold</b>\n\u202eline", spoiler="Left first.").status_code == 302
    text = page_text(browser())
    assert "&lt;b&gt;Bold&lt;/b&gt;\nline" in text
    folded = text.partition("This part gives a solution away")[2]
    assert folded.partition("</details>")[0].count("Left first.") == 1
    assert text.count("Left first.") == 1


def test_writing_needs_a_nickname_of_ones_own(browser):
    """Rules 4.11, 27.2."""
    write(browser("Ann"))
    assert "Nice." in page_text(browser())
    assert "<textarea" not in page_text(browser())
    ann = Player.objects.get(nickname="Ann").pk
    for client in (browser(), browser("Bo")):
        assert client.post(TALK, {"write": "1", "player": ann, "text": "Me too"}).status_code == 422
        assert client.post(TALK, {"vote": "1", "vote-player": ann, "vote-hard": 1}).status_code == 422
    assert (Comment.objects.count(), Vote.objects.count()) == (1, 0)


def test_an_answer_names_the_player_it_answers(browser):
    """Rule 27.2: a comment on another page cannot be answered."""
    write(browser("Ann"))
    asked = Comment.objects.get()
    bo = browser("Bo")
    assert "Answer Ann" in page_text(bo, f"{TALK}?answer={asked.pk}")
    write(bo, "So.", answers=asked.pk)
    write(bo, "Elsewhere.", "/en/collections/corridors/1/talk/", answers=asked.pk)
    assert Comment.objects.get(text="So.").answers == asked
    assert Comment.objects.get(text="Elsewhere.").answers is None
    assert "→ Ann" in " ".join(page_text(browser()).split())


def test_only_the_author_deletes_a_comment_and_any_viewer_reports_it(browser):
    """Rules 7.5, 27.4."""
    write(browser("Ann"))
    address = f"/en/comments/{Comment.objects.get().pk}"
    assert "Nice." in page_text(browser(), f"{address}/report/")
    assert browser().post(f"{address}/report/", {"text": "Rude."}).status_code == 302
    assert CommentReport.objects.get().text == "Rude."
    assert browser("Bo").post(f"{address}/delete/").status_code == 404
    assert browser("Ann").post(f"{address}/delete/").status_code == 302
    assert "Nice." not in page_text(browser())


def test_votes_comments_and_reports_are_limited_per_ip_address(browser, cache_of_its_own, settings):
    """Rules 27.1, 27.2, 27.4."""
    acts = ("vote", "comment", "report")
    settings.ACCOUNT_RATE_LIMITS = {f"contest.{act}.name": "1/86400s/key" for act in acts}
    assert vote(browser("Ann"), hard=1).status_code == 302
    answer = vote(browser("Bo"), hard=5)
    assert answer.status_code == 422
    assert "Too many votes" in answer.content.decode()
    assert write(browser("Ann")).status_code == 302
    assert "Too many comments" in write(browser("Bo")).content.decode()
    address = f"/en/comments/{Comment.objects.get().pk}/report/"
    assert browser().post(address).status_code == 302
    assert "Too many reports" in browser().post(address).content.decode()


@pytest.fixture
def post(revealed) -> Post:
    return a_post(at=clock.now(), published_at=clock.now(), title_en="On stones", text_en="Text.")


def test_a_comment_under_a_post_is_shown_on_both_its_pages(browser, post):
    """Rule 27.2."""
    assert write(browser("Ann"), "<b>Nice</b>", POST_TALK, spoiler="Left first.").url == POST_TALK
    for address in (POST, POST_TALK):
        text = page_text(browser(), address)
        assert ("&lt;b&gt;Nice&lt;/b&gt;" in text, text.count("Left first."), "<textarea" in text) == (True, 1, False)
    assert f"{POST_TALK}?answer={Comment.objects.get().pk}#write" in page_text(browser("Bo"), POST)
    assert "Vote" not in page_text(browser("Ann"), POST_TALK)
    refused = browser("Bo").post(POST_TALK, {"write": "1", "player": person("Ann").pk, "text": "Me"})
    assert (refused.status_code, browser().get("/en/posts/nothing/comments/").status_code) == (422, 404)


def test_an_answer_under_a_post_rings_the_bell_with_the_posts_title(browser, post):
    """Rule 27.6: several answers of one player are one notification."""
    write(browser("Ann"), "So?", POST_TALK)
    for text in ("So.", "Really."):
        write(browser("Bo"), text, POST_TALK, answers=Comment.objects.get(text="So?").pk)
    ann, at = Viewer(proved=frozenset({person("Ann").pk})), clock.now() + timedelta(1)
    (news,) = [item for item in bell.list_news(ann, None, at) if item.kind == bell.ANSWERED]
    assert (str(news.who), news.level_name, news.address) == ("Bo", "On stones", POST_TALK)
    assert f'<a href="{POST_TALK}">On stones</a>' in page_text(browser("Ann"), "/en/me/news/")


def test_comments_on_a_post_about_a_round_rest_until_its_results_are_public(browser, revealed, post):
    """Rule 27.3."""
    Post.objects.update(round=revealed)
    write(browser("Ann"), "Nice.", POST_TALK)
    Round.objects.update(closes_at=clock.now() + timedelta(days=1))
    for address in (POST, POST_TALK):
        text = page_text(browser("Ann"), address)
        assert ("Nice." in text, "<textarea" in text, "not public yet" in text) == (False, False, True)
    sent = browser("Ann").post(POST_TALK, {"write": "1", "player": person("Ann").pk, "text": "Now"})
    assert (sent.status_code, Comment.objects.count()) == (422, 1)


def test_organisers_moderate_it_and_its_author_deletes_it(browser, post):
    """Rules 27.4, 27.5, 15.6: the desk names the post."""
    write(browser("Ann"), "Rude.", POST_TALK)
    comment = Comment.objects.get()
    assert browser().post(f"/en/comments/{comment.pk}/report/", {"text": "Rude!"}).url == POST_TALK
    assert f'<a href="{POST}">On stones</a>' in signed_in(member("organiser")).get("/en/desk/comments/").text
    comments.hide(comment, None, reason="Insults.", at=clock.now())
    assert ("Rude." in page_text(browser(), POST), "Insults." in page_text(browser("Ann"), POST)) == (False, True)
    (exported,) = accounts.export(person("Ann"))["comments"]
    assert (exported["post__slug"], exported["text"]) == ("hello", "Rude.")
    assert browser("Ann").post(f"/en/comments/{comment.pk}/delete/").url == POST_TALK
    acts.erase(person("Ann"), None)
    assert not Comment.objects.filter(deleted_at=None).exists()
