from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError

from contest import visibility
from contest.infra import clock
from contest.models import AuditEntry, CollectedLevel, Comment, CommentReport, Level, Round
from contest.outreach.community import comments, subjects
from contest.players import accounts, acts, merging
from contest.visibility import Viewer
from tests import cast
from tests.contest.outreach.community.conftest import person, viewer


def write(subject, nickname: str = "Ann", text: str = "Nice.", **more) -> Comment:
    return comments.write(subject, person(nickname), text, viewer=viewer(nickname), at=clock.now(), **more)


def read(subject, by: Viewer | None = None) -> list[str]:
    return [comment.text for comment in comments.about(subject, by or Viewer(), clock.now())]


def test_comments_are_listed_newest_first(level):
    """Rule 27.2."""
    write(level)
    write(level, "Bo", "Hm.", spoiler="Start with the left box.")
    assert read(level) == ["Hm.", "Nice."]


def test_nobody_writes_before_the_reveal(during_round):
    """Rule 27.2."""
    with pytest.raises(ValidationError, match="results are not out yet"):
        write(during_round.levels.get(slot="main"))


def test_nobody_writes_under_anothers_name(level):
    """Rules 4.11, 27.2."""
    with pytest.raises(ValidationError, match="Only the owner"):
        comments.write(level, person("Ann"), "Nice.", viewer=viewer("Bo"), at=clock.now())


@pytest.mark.parametrize(("text", "spoiler"), [("", ""), (" \n\x00", "\u202e"), ("x" * 1001, ""), ("", "x" * 1001)])
def test_what_says_nothing_or_too_much_is_refused(level, text, spoiler):
    with pytest.raises(ValidationError):
        write(level, text=text, spoiler=spoiler)


def test_ten_comments_an_hour_are_enough(level):
    """Rule 27.2."""
    for number in range(comments.PER_HOUR):
        write(level, text=str(number))
    with pytest.raises(ValidationError, match="10 comments in an hour"):
        write(level)
    with clock.set_to(clock.now() + timedelta(hours=1)):
        write(level)


def an_open_round(text: str) -> Round:
    """One that is open now, with a level of this board."""
    at = clock.now()
    round_ = cast.a_round(9, opens_at=at - timedelta(days=1), closes_at=at + timedelta(days=20))
    round_.levels.all().delete()
    cast.a_level(round_, text=text)
    return round_


TURNED = "######|#.$-@#|######"  # the corridor of the first round, mirrored


@pytest.mark.parametrize("text", [cast.CORRIDOR, TURNED])
def test_talk_rests_while_the_board_stands_in_a_round_that_is_open(level, text):
    """Rules 26.3, 27.3: turned and mirrored too, in rounds and in collections alike."""
    twin = cast.a_collection(boards=[cast.CORRIDOR]).levels.get()
    write(level)
    write(twin, "Bo")
    round_ = an_open_round(text)
    for subject in (level, twin):
        assert read(subject, viewer("Ann", "Bo")) == []
        with pytest.raises(ValidationError, match="results are not out yet"):
            write(subject)
    with clock.set_to(round_.closes_at):
        assert read(level) == read(twin) == ["Nice."]


@pytest.mark.parametrize("announced", [True, False])
def test_a_board_in_a_draft_or_a_scheduled_round_changes_nothing(level, announced):
    """Rules 2.8, 26.3, 27.3: a comment that were refused would tell that the board is to come."""
    twin = cast.a_collection(boards=[cast.CORRIDOR]).levels.get()
    write(twin)
    round_ = an_open_round(TURNED)
    opens_at = clock.now() + timedelta(days=9)
    times = {"opens_at": opens_at, "closes_at": opens_at + timedelta(days=9)}
    Round.objects.filter(pk=round_.pk).update(announced_at=clock.now() if announced else None, **times)
    write(twin, "Bo", "Still here.")
    write(level, "Bo", "Here too.")
    assert (read(twin), read(level)) == (["Still here.", "Nice."], ["Here too."])


def test_an_author_deletes_their_own_comment_and_nobody_elses(level):
    """Rule 27.4."""
    comment = write(level)
    comments.report(comment, "rude", at=clock.now())
    with pytest.raises(ValidationError, match="Only its author"):
        comments.delete(comment, viewer=viewer("Bo"), at=clock.now())
    comments.delete(comment, viewer=viewer("Ann"), at=clock.now())
    comment.refresh_from_db()
    assert (comment.text, read(level), CommentReport.objects.count()) == ("", [], 0)


def test_organisers_hide_a_comment_with_a_reason_and_show_it_again(level):
    """Rules 15.3, 27.4: its author sees it, and why."""
    comment = write(level)
    comments.report(comment, "rude", at=clock.now())
    assert [row.report_count for row in comments.waiting()] == [1]
    with pytest.raises(ValidationError, match="Say why"):
        comments.hide(comment, None, reason=" ", at=clock.now())
    comments.hide(comment, None, reason="Insults.", at=clock.now())
    assert (read(level), read(level, viewer("Ann")), list(comments.waiting())) == ([], ["Nice."], [])
    comments.restore(comment, None, reason="A joke.", at=clock.now())
    assert read(level) == ["Nice."]
    record = AuditEntry.objects.order_by("pk").values_list("act", "target", "reason")
    target = f"comment {comment.pk}"
    assert list(record) == [("hide comment", target, "Insults."), ("restore comment", target, "A joke.")]


def test_a_report_may_be_left_without_consequence(level):
    """Rule 27.4."""
    comment = write(level)
    comments.report(comment, "", at=clock.now())
    comments.leave(comment, None, reason="", at=clock.now())
    assert (read(level), list(comments.waiting())) == (["Nice."], [])


def test_reports_are_bounded(level):
    """Rule 27.4."""
    comment = write(level)
    for _number in range(comments.MOST_REPORTS):
        comments.report(comment, "rude", at=clock.now())
    with pytest.raises(ValidationError, match="already been reported"):
        comments.report(comment, "rude", at=clock.now())


def test_comments_go_with_a_merge_and_back(level):
    """Rules 4.13, 27.5."""
    comment = write(level, "Bo")
    merging.merge(person("Bo"), person("Ann"), None, reason="one person")
    comment.refresh_from_db()
    assert comment.player == person("Ann")
    merging.unmerge(person("Bo"), None, reason="two people")
    comment.refresh_from_db()
    assert comment.player == person("Bo")


def test_nothing_is_left_of_what_an_erased_player_wrote(level):
    """Rules 15.6, 27.5."""
    comment = write(level, spoiler="Left.")
    comments.report(comment, "It says Ann's address.", at=clock.now())
    acts.erase(person("Ann"), None)
    comment.refresh_from_db()
    assert (comment.text, comment.spoiler, read(level), CommentReport.objects.count()) == ("", "", [], 0)


def test_a_renamed_players_comments_carry_the_new_name(level):
    """Rule 27.5."""
    write(level)
    acts.rename(person("Ann"), "Anna", None)
    assert [str(row.player) for row in comments.about(level, Viewer(), clock.now())] == ["Anna"]


def test_an_export_holds_what_one_wrote(level):
    """Rule 27.5."""
    write(level, spoiler="Left.")
    (exported,) = accounts.export(person("Ann"))["comments"]
    assert (exported["level__round__number"], exported["text"], exported["spoiler"]) == (1, "Nice.", "Left.")


def test_what_may_be_talked_about_is_counted_without_what_is_hidden(level):
    comments.hide(write(level), None, reason="Insults.", at=clock.now())
    write(level)
    found = subjects.with_talk(Level.objects.filter(pk=level.pk), Viewer(), clock.now()).get()
    assert (found.has_talk, found.comment_count, found.is_starred) == (True, 1, False)


def test_a_void_level_and_one_taken_from_sight_are_not_talked_about(level, collected):
    """Rules 2.10, 26.1, 27.2."""
    write(level)
    write(collected)
    Level.objects.update(voided_at=clock.now())
    CollectedLevel.objects.update(is_public=False)
    assert not visibility.comments(viewer("Ann"), clock.now()).exists()
