from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError

from contest import visibility
from contest.infra import clock
from contest.models import CollectedLevel, Comment, CommentReport, Level, Round
from contest.outreach.community import comments, subjects
from contest.players import accounts, acts
from contest.visibility import Viewer
from tests import cast
from tests.contest.outreach.community.conftest import person, viewer


def write(subject, nickname: str = "Ann", text: str = "Nice.", **more) -> Comment:
    return comments.write(subject, person(nickname), text, viewer=viewer(nickname), at=clock.now(), **more)


def read(subject, by: Viewer | None = None) -> list[str]:
    return [comment.text for comment in comments.list_comments(subject, by or Viewer(), clock.now())]


def test_only_the_owner_of_a_nickname_comments_and_only_after_the_reveal(during_round, collected):
    """Rules 4.11, 27.2."""
    with pytest.raises(ValidationError, match="results are not public yet"):
        write(during_round.levels.get(slot="main"))
    with pytest.raises(ValidationError, match="Only the owner"):
        comments.write(collected, person("Ann"), "Nice.", viewer=viewer("Bo"), at=clock.now())
    for text, spoiler in (("", ""), (" \n\x00", "\u202e"), ("x" * 1001, ""), ("", "x" * 1001)):
        with pytest.raises(ValidationError):
            write(collected, text=text, spoiler=spoiler)
    write(collected)
    write(collected, "Bo", "Hm.", spoiler="Start with the left box.")
    assert read(collected) == ["Hm.", "Nice."]


def test_a_player_writes_at_most_ten_comments_an_hour(level):
    for number in range(comments.PER_HOUR):
        write(level, text=str(number))
    with pytest.raises(ValidationError, match="10 comments in an hour"):
        write(level)
    with clock.set_to(clock.now() + timedelta(hours=1)):
        write(level)


def test_a_comment_sent_twice_by_a_double_click_is_one(level):
    assert write(level) == write(level)
    assert write(level, text="Hm.") != write(level)
    with clock.set_to(clock.now() + comments.SENT_AGAIN):
        write(level)
    assert read(level) == ["Nice.", "Hm.", "Nice."]


def an_open_round(text: str) -> Round:
    at = clock.now()
    round_ = cast.a_round(9, opens_at=at - timedelta(days=1), closes_at=at + timedelta(days=20))
    round_.levels.all().delete()
    cast.a_level(round_, text=text)
    return round_


TURNED = "######|#.$-@#|######"  # the corridor of the first round, mirrored


@pytest.mark.parametrize("text", [cast.CORRIDOR, TURNED])
def test_comments_are_closed_while_the_board_is_in_an_open_round(level, text):
    """Rules 26.3, 27.3: turned and mirrored too, in rounds and in collections alike."""
    twin = cast.a_collection(boards=[cast.CORRIDOR]).levels.get()
    write(level)
    write(twin, "Bo")
    round_ = an_open_round(text)
    for subject in (level, twin):
        assert read(subject, viewer("Ann", "Bo")) == []
        with pytest.raises(ValidationError, match="results are not public yet"):
            write(subject)
    with clock.set_to(round_.closes_at):
        assert read(level) == read(twin) == ["Nice."]


@pytest.mark.parametrize("announced", [True, False])
def test_a_board_in_a_draft_or_a_scheduled_round_changes_nothing(level, announced):
    """Rules 2.8, 26.3, 27.3: refusing a comment would reveal that the board is planned."""
    twin = cast.a_collection(boards=[cast.CORRIDOR]).levels.get()
    write(twin)
    round_ = an_open_round(TURNED)
    opens_at = clock.now() + timedelta(days=9)
    times = {"opens_at": opens_at, "closes_at": opens_at + timedelta(days=9)}
    Round.objects.filter(pk=round_.pk).update(announced_at=clock.now() if announced else None, **times)
    write(twin, "Bo", "Still here.")
    write(level, "Bo", "Here too.")
    assert (read(twin), read(level)) == (["Still here.", "Nice."], ["Here too."])


def test_reports_of_one_comment_are_limited(level):
    comment = write(level)
    for _number in range(comments.MOST_REPORTS):
        comments.report(comment, "rude", at=clock.now())
    with pytest.raises(ValidationError, match="already been reported"):
        comments.report(comment, "rude", at=clock.now())
    assert [row.report_count for row in comments.list_reported()] == [comments.MOST_REPORTS]


@pytest.mark.parametrize("limit", ["MOST_REPORTS_IN_ALL", "MOST_REPORTS_OF_NETWORK"])
def test_the_reports_that_wait_are_limited_but_not_for_a_network_that_has_none(level, monkeypatch, limit):
    monkeypatch.setattr(comments, limit, 2)
    first, second, third = (write(level, text=text) for text in "123")
    for comment in (first, second):
        comments.report(comment, "rude", at=clock.now(), address="203.0.113.1")
    with pytest.raises(ValidationError, match="many reports waiting"):
        comments.report(third, "rude", at=clock.now(), address="203.0.113.2")
    comments.report(third, "rude", at=clock.now(), address="198.51.100.1")
    for comment in (first, third):
        comments.dismiss_reports(comment, None, reason="", at=clock.now())
    assert CommentReport.objects.exclude(network="").count() == 1
    comments.report(third, "rude", at=clock.now(), address="203.0.113.2")


def test_the_comments_of_an_erased_player_are_erased(level):
    """Rules 4.13, 15.6, 27.5: before that, it follows a merge and its undoing, and is in the export."""
    comment = write(level, spoiler="Left.")
    comments.report(comment, "It says Ann's address.", at=clock.now())
    cast.merge(person("Ann"), person("Bo"), None, reason="one person")
    (exported,) = accounts.export(person("Bo"))["comments"]
    assert (exported["level__round__number"], exported["text"], exported["spoiler"]) == (1, "Nice.", "Left.")
    cast.unmerge(person("Ann"), None, reason="two people")
    acts.erase(person("Ann"), None)
    comment.refresh_from_db()
    assert (comment.text, comment.spoiler, read(level), CommentReport.objects.count()) == ("", "", [], 0)


def test_hidden_comments_are_not_counted(level, collected):
    """Rules 2.10, 26.1, 27.2: neither a void level nor a hidden one."""
    comments.hide(write(level), None, reason="Insults.", at=clock.now())
    write(level)
    annotated = subjects.with_talk(Level.objects.filter(pk=level.pk), Viewer(), clock.now()).get()
    assert (annotated.has_talk, annotated.comment_count, annotated.is_starred) == (True, 1, False)
    write(collected)
    Level.objects.update(voided_at=clock.now())
    CollectedLevel.objects.update(is_public=False)
    assert not visibility.comments(viewer("Ann"), clock.now()).exists()
