"""A round on the desk: edited by several, cloned, called off; its texts for others."""

import re
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from contest import results
from contest.infra import clock
from contest.models import AuditEntry, Banner, Note, Question, Round, Series, Submission
from contest.outreach import announcements
from tests import cast
from tests.desk.conftest import member, signed_in

pytestmark = pytest.mark.django_db

BEFORE = cast.OPENS - timedelta(days=5)
BEIJING = ZoneInfo("Asia/Shanghai")
EDIT = "/en/desk/rounds/1/edit/"
FINALISE = "/en/desk/rounds/1/do/finalise/"


@pytest.fixture(autouse=True)
def _before(db):
    with clock.set_to(BEFORE):
        yield


def said(answer) -> str:
    return answer.content.decode()


def form_of(client, **changes):
    """The form as the browser has it, with *changes*."""
    page = client.get(EDIT, follow=True)
    form = page.context["form"]
    held = {name: form[name].value() or "" for name in form.fields if name != "rules"}
    held |= {name: held[name].astimezone(BEIJING).strftime("%Y-%m-%dT%H:%M") for name in ("opens_at", "closes_at")}
    return {**held, "stamp": page.context["stamp"], **changes}


def test_a_draft_is_saved_at_once(organiser):
    cast.a_round(announced_at=None)
    assert organiser.post(EDIT, form_of(organiser, title_en="Better")).status_code == 302
    assert Round.objects.get().title_en == "Better"


def test_of_a_public_round_is_shown_first_what_changes_for_players(organiser):
    cast.a_round()
    later = (cast.OPENS + timedelta(days=1)).astimezone(BEIJING).strftime("%Y-%m-%dT%H:%M")
    form = form_of(organiser, opens_at=later)
    shown = organiser.post(EDIT, form)
    assert [change[1:] for change in shown.context["changes"]] == [("2026-11-01 20:00", "2026-11-02 20:00")]
    assert Round.objects.get().opens_at == cast.OPENS
    assert organiser.post(EDIT, form | {"do": "save"}).status_code == 302
    assert Round.objects.get().opens_at == cast.OPENS + timedelta(days=1)


def test_changed_settings_are_told_in_words_before_they_are_saved(organiser):
    """Rule 17.1."""
    cast.a_round()
    shown = organiser.post(EDIT, form_of(organiser, lucky="False", move_points="3, 2"))
    assert shown.context["changes"] == [
        ("Points by moves, from rank 1", "20, 19, … 1", "3, 2"),
        ("Lucky draw", "yes", "no"),
    ]
    assert "True" not in said(shown).partition("What changes for the players")[2].partition("</table>")[0]


def test_the_second_of_two_organisers_is_told_and_loses_nothing(organiser):
    cast.a_round(announced_at=None)
    second = signed_in(member("organiser", "second"))
    form = form_of(second, title_zh="乙", title_en="Second's")
    organiser.post(EDIT, form_of(organiser, title_en="First's"))
    told = second.post(EDIT, form)
    assert told.status_code == 409
    assert "organiser changed this round after you opened the form" in said(told)
    assert told.context["form"]["title_en"].value() == "Second's"
    assert ("First&#x27;s" in said(told), Round.objects.get().title_en) == (True, "First's")
    assert second.post(EDIT, form | {"stamp": told.context["stamp"]}).status_code == 302
    assert Round.objects.get().title_en == "Second's"


@pytest.mark.parametrize(
    ("opens", "closes", "words"),
    [
        ("2026-11-01T20:00", "2026-10-31T20:00", "A round closes after it has opened."),
        ("2026-10-01T20:00", "2026-11-20T20:00", "This time has passed."),
        ("2026-12-10T20:00", "2026-12-20T20:00", "Only one round may be open at a time: Round 2 is open from"),
        ("tomorrow", "2026-12-20T20:00", "Enter a valid date/time."),
    ],
)
def test_times_that_cannot_be_are_refused_in_words(organiser, opens, closes, words):
    """Rules 2.6, 3.7."""
    cast.a_round()
    cast.a_round(2, opens_at=cast.OPENS + timedelta(days=35), closes_at=cast.OPENS + timedelta(days=50))
    answer = organiser.post(EDIT, form_of(organiser, opens_at=opens, closes_at=closes, do="save"))
    assert answer.status_code == 422
    assert words in said(answer)


def test_a_round_is_cloned_by_one_press(organiser):
    cast.a_round()
    organiser.post("/en/desk/rounds/1/clone/")
    assert list(Round.objects.order_by("number").values_list("number", "title_en")) == [(1, "Round"), (2, "Round")]


def test_an_open_round_is_extended_with_a_public_note(organiser):
    """Rule 3.7."""
    cast.a_round()
    with clock.set_to(cast.DURING):
        given = {"closes_at": "2026-11-25T20:00", "reason_en": "The network was down.", "do": "apply"}
        assert organiser.post("/en/desk/rounds/1/do/extend/", given).status_code == 302
    assert Note.objects.get().text_en == "The network was down."


def test_an_act_that_cannot_be_done_now_is_answered_in_words(organiser):
    """Pressed twice, or somebody was quicker: the round's page says how things stand."""
    cast.a_round()
    for answer in (organiser.get(FINALISE, follow=True), organiser.post(FINALISE, {"do": "apply"}, follow=True)):
        assert answer.redirect_chain == [("/en/desk/rounds/1/", 302)]
        assert "“Make the results final” cannot be done now." in said(answer)
    assert organiser.get("/en/desk/rounds/1/do/nothing/").status_code == 404


def test_what_stands_in_the_way_of_final_results_is_said(organiser):
    """Rule 14.2."""
    cast.a_round()
    with clock.set_to(cast.DURING):
        cast.send("Ann", "rR")
    with clock.set_to(cast.AFTER):
        answer = organiser.get("/en/desk/rounds/1/do/finalise/")
    assert "1 submission is not judged yet." in said(answer)


def test_nothing_on_the_desk_loses_a_submission(organiser):
    """A clone, a cancellation, a void level: what was sent is still there."""
    round_ = cast.a_round()
    with clock.set_to(cast.DURING):
        cast.send("Ann", "rR")
        reason = {"reason_en": "A fault.", "do": "apply"}
        organiser.post("/en/desk/rounds/1/clear/main/")
        level = round_.levels.get(slot="main")
        organiser.post("/en/desk/rounds/1/do/void-level/", {"level": level.pk, **reason})
        organiser.post("/en/desk/rounds/1/do/cancel/", reason)
    assert Round.objects.get().cancelled_at
    assert Round.objects.get().levels.count() == 2
    assert Submission.objects.count() == 1


def test_the_record_is_searched_by_every_word(organiser):
    """Rule 15.3."""
    cast.a_round(announced_at=None)
    organiser.post(EDIT, form_of(organiser, title_en="Better"))
    found = organiser.get("/en/desk/record/?q=organiser+change").context["chosen"]
    assert [entry.act for entry in found] == ["change round"]
    assert not organiser.get("/en/desk/record/?q=nothing").context["chosen"].object_list


def test_questions_are_answered_on_the_desk(organiser):
    """Rule 25.1."""
    round_ = cast.a_round()
    submission = cast.enter(round_, "Ann", 2, 1, at=cast.DURING)
    question = Question.objects.create(round=round_, player=submission.player, text="Why?", asked_at=cast.DURING)
    assert "Why?" in said(organiser.get("/en/desk/people/"))
    organiser.post(f"/en/desk/people/questions/{question.pk}/", {"answer_en": "Because."})
    assert Question.objects.get().answer_en == "Because."


def test_a_banner_is_put_up_and_taken_down(organiser):
    """Rule 25.1."""
    cast.a_round()
    organiser.post("/en/desk/banner/", {"text_en": "A break.", "shown_from": "2026-10-23T12:00"})
    assert Banner.objects.get().text_en == "A break."
    organiser.post(f"/en/desk/banner/{Banner.objects.get().pk}/end/")
    assert Banner.objects.get().shown_until == BEFORE
    assert list(AuditEntry.objects.values_list("act", flat=True)) == ["end banner", "put banner"]


def texts(at, markup="plain", lang="en") -> str:
    found = announcements.texts(Round.objects.get(), at, site="https://example.org")
    return next(text.text for text in found if (text.markup, text.lang) == (markup, lang))


def test_a_text_for_forums_says_no_level_before_the_opening():
    """Rule 2.8."""
    cast.a_round()
    before, during = texts(BEFORE), texts(cast.DURING)
    assert "open from 2026-11-01 20:00" in before
    assert ("main of 1" in before, "main of 1" in during) == (False, True)


def test_a_text_for_forums_names_the_champions_in_its_own_markup():
    round_ = cast.a_round()
    cast.enter(round_, "An[n]_", 2, 1, at=cast.DURING)
    with clock.set_to(cast.AFTER):
        results.finalise(round_, at=cast.AFTER, by=None)
        assert "Moves champion: An[n]_" in texts(cast.AFTER)
        assert r"Moves champion: An\[n\]\_" in texts(cast.AFTER, "Markdown")
        assert "[url=https://example.org/en/rounds/1/]Round 1[/url]" in texts(cast.AFTER, "BBCode")
        assert "Moves champion: An［n]_" in texts(cast.AFTER, "BBCode")


def test_the_desk_names_the_next_step_of_every_round(organiser):
    draft = cast.a_round(announced_at=None)
    page = said(organiser.get("/en/desk/"))
    assert re.search(rf'class="button"\s+href="/en/desk/drafts/{draft.pk}/preview/"', page)


def test_the_way_to_the_desk_is_shown_to_staff_alone(client, organiser):
    assert 'href="/en/desk/"' in said(organiser.get("/en/"))
    assert 'href="/en/desk/"' not in said(client.get("/en/"))


def test_a_level_of_the_library_waits_in_a_queue_and_comes_to_the_front(organiser):
    """Rule 23.1."""
    organiser.post("/en/desk/series/", {
        "name_zh": "周赛", "name_en": "Weekly",
        "first_opens_at": "2026-12-05T20:00", "every_weeks": 1, "length_days": 6,
        "days_ahead": 7, "is_running": "on",
    })  # fmt: skip
    for title in ("One", "Two"):
        new = {"text": "######\n#@ $.#\n######", "solution": "rR", "title": title, "author": "Ann", "do": "library"}
        kept = organiser.post("/en/desk/levels/new/", new | {"confirmed": "on"}).url
        queue = organiser.post(kept, {"do": "queue", "series": Series.objects.get().pk, "slot": "main"}).url
    queues = dict(organiser.get(queue).context["queues"])
    organiser.post(queue, {"do": "first", "queued": queues["main"][1].pk})
    assert [queued.level.title for queued in dict(organiser.get(queue).context["queues"])["main"]] == ["Two", "One"]
    for number in ("x", "9" * 5000, ""):
        organiser.post(queue, {"do": "first", "queued": number})
    assert [queued.level.title for queued in dict(organiser.get(queue).context["queues"])["main"]] == ["Two", "One"]


def test_the_record_says_in_sentences_what_was_changed(organiser):
    """Rule 15.3."""
    cast.a_round(announced_at=None)
    organiser.post(EDIT, form_of(organiser, title_en="Better", lucky="False"))
    for page in ("/en/desk/record/", "/en/desk/rounds/1/"):
        record = said(organiser.get(page, follow=True))
        assert "Title in English: from “Round” to “Better”." in record
        assert "Lucky draw: from yes to no." in record
        assert "False" not in record
