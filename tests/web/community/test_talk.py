from contest.models import Comment, CommentReport, Player, Round, Vote
from tests import cast

TALK = "/en/rounds/1/main/talk/"
COLLECTED = "/en/collections/corridors/1/talk/"


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
        answer = vote(browser(name), sender=f"198.51.{number % 5}.7", beautiful=4 if number else 5)
        assert answer.status_code == 302
        shown = page_text(browser(), "/en/rounds/1/main/")
        assert ("<strong>4.1</strong>" in shown) == (number == len(names) - 1)
        assert "at least 8 players from 5 networks" in shown
    assert "<strong>4.1</strong>" in page_text(browser())
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
    write(bo, "Elsewhere.", COLLECTED, answers=asked.pk)
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
