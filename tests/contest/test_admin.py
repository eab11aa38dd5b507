import json
import re
from datetime import datetime, timedelta

import pytest
from django.contrib.contenttypes.models import ContentType
from django.urls import reverse
from django.utils import timezone

from contest.infra import clock
from contest.models import MAIN, AuditEntry, Level, Player, Round, Season, Submission, Track
from contest.rules.phases import Phase
from tests import cast

pytestmark = pytest.mark.django_db

BEFORE = cast.OPENS - timedelta(days=9)
ADD = reverse("admin:contest_round_add")


def shown(at: datetime) -> tuple[str, str]:
    return tuple(timezone.localtime(at).strftime("%Y-%m-%d %H:%M:%S").split(" "))  # type: ignore[return-value]


def round_fields(*, rules=None, **times):
    times = {"announced_at": BEFORE, "opens_at": cast.OPENS, "closes_at": cast.CLOSES, **times}
    fields = {"number": "1", "title_zh": "回合", "title_en": "Round"}
    if rules is not None:
        fields["rules"] = json.dumps(rules)
    for name, at in times.items():
        fields[f"{name}_0"], fields[f"{name}_1"] = shown(at) if at else ("", "")
    return fields


def level_fields(at=0, **fields):
    fields = {"slot": "main", "title": "T", "author": "A", "text": "######\n#@ $.#\n######", "solution": "rR", **fields}
    return {f"levels-{at}-{name}": value for name, value in fields.items()}


def form(*levels, initial=0, **fields):
    form_ = {"levels-TOTAL_FORMS": len(levels), "levels-INITIAL_FORMS": initial, **fields}
    for level in levels:
        form_ |= level
    return form_


def add(organiser, *levels, at=BEFORE, **times):
    with clock.set_to(at):
        return organiser.post(ADD, form(*levels, **round_fields(**times)))


def change(organiser, round_, *levels, at, **fields):
    with clock.set_to(at):
        url = reverse("admin:contest_round_change", args=[round_.pk])
        return organiser.post(url, form(*levels, **{**round_fields(), **fields}))


def errors(answer) -> str:
    assert answer.status_code == 200, "nothing was refused"
    return " ".join(re.findall(r'<ul class="errorlist.*?</ul>', answer.content.decode(), re.DOTALL))


def test_an_organiser_publishes_a_round_with_its_level(organiser):
    """Rules 1.8, 1.9, 2.3, 2.7, 3.5: times are the site's."""
    answer = add(organiser, level_fields())
    assert answer.status_code == 302, errors(answer)
    level = Level.objects.get()
    assert level.text == "######|#@-$.#|######"
    assert (level.round.opens_at, level.round.phase(cast.OPENS)) == (cast.OPENS, Phase.OPEN)
    assert shown(level.round.opens_at)[1] == "20:00:00"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"text": "######\n#@x$.#\n######"}, "line 2, column 3"),
        ({"slot": "extra9"}, "extra9"),
        ({"slot": "extra"}, "needs a main level"),
    ],
)
def test_an_invalid_level_is_refused_with_a_message_and_not_stored(organiser, fields, message):
    assert message in errors(add(organiser, level_fields(**fields)))
    assert not Round.objects.exists()


def test_nothing_changes_in_the_form_once_the_round_is_open(organiser):
    """Rules 2.9, 3.7: the remaining changes have separate buttons, and a public note."""
    round_ = cast.a_round()
    main = round_.levels.get(slot="main")
    later = cast.CLOSES + timedelta(days=1)
    fields = round_fields(opens_at=cast.OPENS + timedelta(days=9), closes_at=later) | {"number": "9"}
    fields |= {"rules": json.dumps({"lucky": False})}
    new = level_fields(0, id=main.pk, text="#######|#@--$.#|#######", solution="rrR")
    answer = change(organiser, round_, new, at=cast.DURING, **fields, **{"levels-INITIAL_FORMS": 1})
    assert answer.status_code == 302, errors(answer)
    changed = Round.objects.get()
    assert (changed.number, changed.opens_at, changed.closes_at) == (1, cast.OPENS, cast.CLOSES)
    assert changed.settings == round_.settings
    assert Level.objects.get(pk=main.pk).text == main.text


def test_the_admin_links_to_no_page_that_may_not_exist_and_cannot_change_submissions(organiser, during_round):
    """Rule 7.5: the address of a receipt is its sender's secret."""
    submission = cast.send("Ann", "rR").submission
    season = Season.objects.create(slug="spring", title_en="Spring", begins_at=cast.OPENS, ends_at=cast.CLOSES)
    for row in (during_round, submission, submission.player, season):
        page = organiser.get(reverse(f"admin:contest_{row._meta.model_name}_change", args=[row.pk]))
        assert page.status_code == 200
        assert "/admin/r/" not in page.text
    pk = Submission.objects.get().pk
    kind = ContentType.objects.get_for_model(Submission).pk
    assert organiser.get(f"/admin/r/{kind}/{pk}/").status_code == 404
    assert organiser.get(reverse("admin:contest_submission_add")).status_code == 403
    assert organiser.post(reverse("admin:contest_submission_change", args=[pk]), {"moves": 1}).status_code == 403
    assert organiser.post(reverse("admin:contest_submission_delete", args=[pk]), {"post": "yes"}).status_code == 403


def test_a_player_is_changed_only_by_audited_actions(organiser, during_round):
    """Rules 4.7, 4.13."""
    cast.send("player", "rR", email="player@example.org")
    before = Player.objects.values().get()
    url = reverse("admin:contest_player_change", args=[before["id"]])
    for page in (organiser.get(url), organiser.get(reverse("admin:contest_player_changelist"))):
        assert "p…@e…" in page.content.decode()
        assert "player@example.org" not in page.content.decode()
    organiser.post(url, {"country": "fr", "league": "bot", "name_key": "other", "nickname": "other"})
    assert Player.objects.values().get() == before


def test_the_admin_edits_a_track_by_the_desks_form_and_leads_there(admin_client):
    Track.objects.create(slug="weekly", title_zh="周赛", title_en="Weekly", order=3)
    for slug in ("weekly", MAIN):
        page = admin_client.get(f"/admin/contest/track/{slug}/change/")
        assert f"/desk/tracks/{slug}/" in page.text
        assert ('name="is_rated"' in page.text) == (slug != MAIN)
    given = {"title_zh": "周赛", "title_en": "Every week", "order": 4, "is_rated": "on"}
    assert admin_client.post("/admin/contest/track/weekly/change/", given).status_code == 302
    assert Track.objects.get(slug="weekly").title_en == "Every week"


def test_a_refused_action_shows_its_reason_and_changes_nothing(organiser):
    """Rule 3.7."""
    url = reverse("admin:contest_round_act", args=[cast.a_round().pk, "extend"])
    fields = dict(zip(("closes_at_0", "closes_at_1"), shown(cast.CLOSES - timedelta(hours=1)), strict=True))
    with clock.set_to(cast.DURING):
        answer = organiser.post(url, {"reason_en": "Storm", **fields})
    assert (answer.status_code, "never earlier" in answer.content.decode()) == (422, True)
    assert Round.objects.get().closes_at == cast.CLOSES
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize(
    ("at", "offered"),
    [
        (BEFORE, {"announce", "lucky"}),
        (cast.OPENS - timedelta(hours=1), {"lucky", "cancel"}),
        (cast.DURING, {"extend", "void-level", "disqualify", "cancel"}),
        (cast.AFTER, {"finalise", "void-level", "disqualify", "cancel", "machine"}),
    ],
)
def test_each_phase_has_its_buttons_and_every_button_its_page(organiser, at, offered):
    round_ = cast.a_round()
    with clock.set_to(at):
        page = organiser.get(reverse("admin:contest_round_change", args=[round_.pk])).content.decode()
        found = set(re.findall(r"/admin/contest/round/\d+/([a-z-]+)/do/", page))
        assert found == offered
        for name in found:
            assert organiser.get(reverse("admin:contest_round_act", args=[round_.pk, name])).status_code == 200


@pytest.mark.parametrize("key", ["x", "\u202e", "9" * 20])
@pytest.mark.parametrize("model", ["user", "season"])
def test_a_selected_key_that_no_row_can_have_is_refused(organiser, model, key):
    """It was an error of the server."""
    url = reverse(f"admin:{'auth' if model == 'user' else 'contest'}_{model}_changelist")
    answer = organiser.post(url, {"action": "delete_selected", "_selected_action": [key], "index": 0})
    assert answer.status_code == 400
