from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from contest import results
from contest.infra import clock
from contest.models import AuditEntry, Banner, Note, Round, Submission
from contest.outreach import announcements
from contest.rules.phases import Phase
from tests import cast
from tests.desk.conftest import BEFORE, DESK, member, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("before_round")]

BEIJING = ZoneInfo("Asia/Shanghai")
EDIT = "/en/desk/rounds/1/edit/"
FINALISE = "/en/desk/rounds/1/do/finalise/"


def form_of(client, **changes):
    page = client.get(EDIT, follow=True)
    form = page.context["form"]
    held = {name: form[name].value() for name in form.fields if name != "rules"}
    held = {name: "" if value is None else value for name, value in held.items()}
    held |= {name: held[name].astimezone(BEIJING).strftime("%Y-%m-%dT%H:%M") for name in ("opens_at", "closes_at")}
    return {**held, "stamp": page.context["stamp"], **changes}


def test_a_draft_is_saved_at_once_and_its_page_says_what_was_changed(organiser):
    """Rule 15.3."""
    cast.a_round(announced_at=None)
    assert organiser.post(EDIT, form_of(organiser, title_en="Better")).status_code == 302
    assert Round.objects.get().title_en == "Better"
    assert "Title in English: from “Round” to “Better”." in organiser.get("/en/desk/rounds/1/", follow=True).text


def test_changes_of_a_public_round_are_previewed_first(organiser):
    """Rule 17.1: settings too, in words."""
    cast.a_round(announced_at=BEFORE)
    form = form_of(organiser, opens_at="2026-11-02T20:00", lucky="False", move_points="3, 2")
    assert organiser.post(EDIT, form).context["changes"] == [
        ("Opens at", "2026-11-01 20:00", "2026-11-02 20:00"),
        ("Points by moves, from rank 1", "20, 19, … 1", "3, 2"),
        ("Lucky draw", "yes", "no"),
    ]
    assert Round.objects.get().opens_at == cast.OPENS
    assert organiser.post(EDIT, form | {"do": "save"}).status_code == 302
    assert Round.objects.get().opens_at == cast.OPENS + timedelta(days=1)


def test_the_second_of_two_organisers_sees_the_conflict_and_loses_nothing(organiser):
    cast.a_round(announced_at=None)
    second = signed_in(member("organiser", "second"))
    form = form_of(second, title_zh="乙", title_en="Second's")
    organiser.post(EDIT, form_of(organiser, title_en="First's"))
    conflict = second.post(EDIT, form)
    assert conflict.status_code == 409
    assert "organiser changed this round after you opened the form" in conflict.text
    assert conflict.context["form"]["title_en"].value() == "Second's"
    assert ("First&#x27;s" in conflict.text, Round.objects.get().title_en) == (True, "First's")
    assert second.post(EDIT, form | {"stamp": conflict.context["stamp"]}).status_code == 302
    assert Round.objects.get().title_en == "Second's"


def test_impossible_times_are_refused_with_a_message(organiser):
    """Rules 2.6, 3.7."""
    cast.a_round(announced_at=cast.OPENS - timedelta(hours=1))
    answer = organiser.post(EDIT, form_of(organiser, opens_at="2026-11-01T18:00", do="save"))
    assert (answer.status_code, "A round is announced before it opens" in answer.text) == (422, True)
    cast.a_round(2, **cast.earlier(-5))
    for opens, closes, message in (
        ("2026-10-01T20:00", "2026-11-20T20:00", "This time has passed."),
        ("2026-12-10T20:00", "2026-12-20T20:00", "Only one round may be open at a time: Round 2 is open from"),
    ):
        answer = organiser.post(EDIT, form_of(organiser, opens_at=opens, closes_at=closes, do="save"))
        assert (answer.status_code, message in answer.text) == (422, True), message
    assert Round.objects.get(number=1).opens_at == cast.OPENS
    with clock.set_to(cast.DURING):
        answer = organiser.post(EDIT, form_of(organiser, closes_at="2026-11-25T20:00", do="save"))
    assert (answer.status_code, "moves its close, with a public note" in answer.text) == (422, True)


def test_a_time_that_nobody_changed_keeps_its_seconds(organiser):
    """The browser's input shows minutes; a round that began with others could not be saved while it is open."""
    late = timedelta(seconds=30, microseconds=5)
    round_ = cast.a_round(opens_at=cast.OPENS + late, closes_at=cast.CLOSES + late)
    with clock.set_to(cast.DURING):
        assert organiser.post(EDIT, form_of(organiser, prizes_en="A cup", do="save")).status_code == 302
    round_.refresh_from_db()
    assert (round_.prizes_en, round_.closes_at, round_.opens_at) == ("A cup", cast.CLOSES + late, cast.OPENS + late)


def test_an_act_that_cannot_be_done_now_is_refused_with_a_message(organiser):
    """It was pressed twice, or another organiser was faster: the round's page shows the current state."""
    cast.a_round(announced_at=BEFORE)
    for answer in (organiser.get(FINALISE, follow=True), organiser.post(FINALISE, {"do": "apply"}, follow=True)):
        assert answer.redirect_chain == [("/en/desk/rounds/1/", 302)]
        assert "“Make the results final” is not possible now." in answer.text
    assert organiser.get("/en/desk/rounds/1/do/nothing/").status_code == 404


def test_a_step_that_only_organisers_can_take_is_not_offered_to_a_judge(organiser):
    cast.a_round(announced_at=BEFORE)
    judge = signed_in(member("judge"))
    with clock.set_to(cast.AFTER):
        assert "Make the results final" in organiser.get(DESK).text
        assert "Make the results final" not in judge.get(DESK).text
        assert "Make the results final (for organisers)" in judge.get(f"{DESK}rounds/1/").text


def test_nothing_on_the_desk_loses_a_submission(organiser):
    """Rule 3.7: a later close, a clone, a cleared slot, a void level, a cancellation."""
    round_ = cast.a_round(announced_at=BEFORE)
    with clock.set_to(cast.DURING):
        cast.send("Ann", "rR")
        reason = {"reason_en": "A fault.", "do": "apply"}
        organiser.post("/en/desk/rounds/1/do/extend/", reason | {"closes_at": "2026-11-25T20:00"})
        assert Note.objects.get().text_en == "A fault."
        organiser.post("/en/desk/rounds/1/clone/")
        organiser.post("/en/desk/rounds/1/clear/main/")
        level = round_.levels.get(slot="main")
        organiser.post("/en/desk/rounds/1/do/void-level/", {"level": level.pk, **reason})
        organiser.post("/en/desk/rounds/1/do/cancel/", reason)
    level.refresh_from_db()
    round_, clone = Round.objects.order_by("number")
    assert (clone.title_en, clone.levels.count(), clone.phase(cast.DURING)) == ("Round", 0, Phase.DRAFT)
    assert (bool(level.voided_at), bool(round_.cancelled_at), round_.levels.count()) == (True, True, 2)
    assert round_.closes_at > cast.CLOSES
    assert Submission.objects.count() == 1


def test_a_banner_is_put_up_and_taken_down(organiser):
    """Rule 25.1."""
    assert organiser.post("/en/desk/banner/", {"text_en": "A", "shown_from": "0001-01-01T00:00"}).status_code == 422
    organiser.post("/en/desk/banner/", {"text_en": "A break.", "shown_from": "2026-10-23T12:00"})
    assert Banner.objects.get().text_en == "A break."
    organiser.post(f"/en/desk/banner/{Banner.objects.get().pk}/end/")
    assert Banner.objects.get().shown_until == BEFORE
    assert list(AuditEntry.objects.values_list("act", flat=True)) == ["end banner", "put banner"]


def texts(at, markup="plain", lang="en") -> str:
    found = announcements.round_texts(Round.objects.get(), at, site="https://example.org")
    return next(text.text for text in found if (text.markup, text.lang) == (markup, lang))


def test_a_text_for_forums_says_no_level_before_the_opening_and_the_champions_in_its_own_markup():
    """Rule 2.8."""
    round_ = cast.a_round(announced_at=BEFORE)
    Round.objects.update(title_en="Ladder")
    before, during = texts(BEFORE), texts(cast.DURING)
    assert "open from 2026-11-01 20:00" in before
    for hidden in ("main of 1", "Ladder"):
        assert (hidden in before, hidden in during) == (False, True), hidden
    cast.enter(round_, "An[n]_", 2, 1, at=cast.DURING)
    with clock.set_to(cast.AFTER):
        results.finalise(round_, at=cast.AFTER, by=None)
        assert "Moves champion: An[n]_" in texts(cast.AFTER)
        assert r"Moves champion: An\[n\]\_" in texts(cast.AFTER, "Markdown")
        assert "[url=https://example.org/en/rounds/1/]Round 1[/url]" in texts(cast.AFTER, "BBCode")
        assert "Moves champion: An［n]_" in texts(cast.AFTER, "BBCode")
