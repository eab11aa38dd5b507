import ast
import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core import mail

from contest import models
from contest.desk import health
from contest.desk.health import Light
from contest.infra import clock
from contest.library import series
from contest.ops import health as site_health
from contest.outreach.community import comments
from contest.results import rulings
from contest.staff import audit_log
from contest.templatetags.record import ACT_WORDS
from contest.visibility import Viewer
from contest.wording.bilingual import Reason
from tests import cast

pytestmark = pytest.mark.django_db

HEALTH = "/en/desk/health/"
RECORD = "/en/desk/record/"
COMMENTS = "/en/desk/comments/"
DAY = "/en/desk/day/"


@pytest.fixture
def now(db):
    with clock.set_to(cast.DURING):
        for part in models.Part:
            models.Heartbeat.objects.update_or_create(
                part=part, defaults={"beat_at": cast.DURING - timedelta(seconds=5)}
            )
        yield cast.DURING


def figure(name: str) -> health.Figure:
    return next(figure for figure in health.all_figures(clock.now()) if figure.name == name)


def test_a_solver_that_cannot_search_is_a_red_line(now, cache_of_its_own):
    assert figure("Solver").light == "green"
    site_health.note_no_compiler()
    assert (figure("Solver").light, "solve.txt" in figure("Solver").advice) == ("red", True)


@pytest.mark.parametrize(
    ("part", "ago", "light", "text"),
    [
        (models.Part.JUDGE, timedelta(seconds=5), Light.GREEN, "5 seconds ago"),
        (models.Part.JUDGE, timedelta(minutes=5), Light.RED, "5 minutes ago"),
        (models.Part.BACKUP, timedelta(days=1), Light.GREEN, "24 hours ago"),
        (models.Part.BACKUP, timedelta(days=3), Light.AMBER, "3 days ago"),
        (models.Part.BACKUP, timedelta(days=8), Light.RED, "8 days ago"),
    ],
)
def test_a_missing_heartbeat_is_amber_or_red(now, part, ago, light, text):
    models.Heartbeat.objects.filter(part=part).update(beat_at=now - ago)
    shown = figure({models.Part.JUDGE: "Last worker activity", models.Part.BACKUP: "Last backup"}[part])
    assert (shown.light, shown.value) == (light, text)


def test_the_oldest_waiting_row_and_held_rows_set_a_light(now):
    cast.a_round()
    cast.send("Ann", "rR")
    assert figure("Submissions waiting").value == "1"
    for seconds, light in ((10, Light.GREEN), (60, Light.AMBER), (600, Light.RED)):
        with clock.set_to(now + timedelta(seconds=seconds)):
            assert figure("Oldest waiting").light is light, seconds
    models.Submission.objects.update(state=models.State.QUARANTINED)
    assert (figure("Waiting for an organiser").value, figure("Waiting for an organiser").light) == ("1", Light.AMBER)


def test_a_short_queue_is_amber_and_a_stopped_series_is_red_with_its_reason(now):
    cast.a_series(cast.CLOSES)
    assert series.list_troubles(now)
    assert figure("Level queues").light is Light.AMBER
    models.Series.objects.update(fault="OverflowError: too late")
    assert figure("Level queues").light is Light.RED
    assert "OverflowError: too late" in figure("Level queues").value


def test_a_test_message_goes_to_the_requesting_organiser(organiser, now):
    answer = organiser.post(f"{HEALTH}mail/", follow=True)
    assert "Your account has no email address to send to." in answer.text
    User.objects.update(email="chief@example.org")
    organiser.post(f"{HEALTH}mail/")
    assert [message.to for message in mail.outbox] == [["chief@example.org"]]


@pytest.fixture
def recorded(now):
    round_ = cast.a_round()
    sent = cast.enter(round_, "Ann", 2, 1, at=cast.DURING)
    rulings.void(sent, Reason(en="A slip."), at=now, by=None)
    with clock.set_to(now + timedelta(days=3)):
        audit_log.record(User.objects.create_user("second"), "extend", round_, after={"closes_at": "2026-12-01"})


def test_the_audit_log_is_filtered(organiser, recorded):
    """Rule 15.3."""
    for query, acts in {
        "q=second+extend": ["extend"],
        "q=second+void": [],
        "round=1&act=void&q=slip": ["void"],
        "who=second&since=2026-11-07": ["extend"],
        "until=2026-11-04": ["void"],
        "since=yesterday": ["extend", "void"],
    }.items():
        page = organiser.get(f"{RECORD}?{query}")
        assert [entry.act for entry in page.context["chosen"]] == acts, query
        assert ("Enter a valid date." in page.text) == ("yesterday" in query)
        assert ("<strong>made void</strong> Submission" in " ".join(page.text.split())) == ("void" in acts)
    assert "第 1 期" in organiser.get(RECORD.replace("en", "zh-hans")).text


def test_every_logged_act_has_a_text():
    """The audit log stores short English names; all names are found in the source."""
    writing = ("audit_log.record", "account_acts.log_and_notify", "log_and_notify")
    texts = [file.read_text() for file in Path(audit_log.__file__).parents[1].rglob("*.py")]
    modules = [ast.parse(text) for text in texts if re.search(r"\b(audit_log\.record|log_and_notify)\(", text)]
    calls = [node for module in modules for node in ast.walk(module) if isinstance(node, ast.Call)]
    recorded = [call.args[1] for call in calls if ast.unparse(call.func) in writing and len(call.args) > 2]
    recorded = [act for act in recorded if ast.unparse(act) != "act"]  # `log_and_notify` passes its argument on
    names = [
        {leaf.value for leaf in ast.walk(act) if isinstance(leaf, ast.Constant) and leaf.value} for act in recorded
    ]
    assert all(names)  # each name is a literal
    assert set.union(*names) <= ACT_WORDS.keys()


@pytest.fixture
def comment(db):
    with clock.set_to(cast.CLOSES + timedelta(days=1)):
        round_ = cast.a_round()
        cast.enter_all(round_, [("Ann", 9, 3)])
        ann = models.Player.objects.get()
        viewer = Viewer(proved=frozenset({ann.pk}))
        made = comments.write(round_.levels.get(slot="main"), ann, "Rude words.", viewer=viewer, at=clock.now())
        comments.report(made, "It is rude.", at=clock.now())
        yield made


def test_reported_comments_come_first_and_are_hidden_with_a_reason(organiser, comment):
    text = organiser.get(COMMENTS).text
    assert text.count("Rude words.") == 2
    assert "It is rude." in text
    assert "1 report about a comment" in organiser.get("/en/desk/").text
    organiser.post(f"{COMMENTS}{comment.pk}/do/hide/", {"reason": "Insults."})
    comment.refresh_from_db()
    assert (comment.hidden_because, organiser.get(COMMENTS).text.count("Rude words.")) == ("Insults.", 1)
    assert models.AuditEntry.objects.get().actor_name == "organiser"
    assert "hid a comment" in organiser.get("/en/desk/record/").text
    organiser.post(f"{COMMENTS}{comment.pk}/do/restore/")
    comment.refresh_from_db()
    assert comment.hidden_at is None


def test_hiding_takes_a_reason_and_leaving_none(organiser, comment):
    answer = organiser.post(f"{COMMENTS}{comment.pk}/do/hide/", {"reason": ""}, follow=True)
    assert "Give a reason: the author will read it." in answer.text
    assert "It is rude." in answer.text
    organiser.post(f"{COMMENTS}{comment.pk}/do/leave/")
    assert "It is rude." not in organiser.get(COMMENTS).text
    assert not models.Comment.objects.exclude(hidden_at=None).exists()
    assert organiser.post(f"{COMMENTS}{comment.pk}/do/praise/").status_code == 404
    models.Comment.objects.update(deleted_at=clock.now())
    assert organiser.post(f"{COMMENTS}{comment.pk}/do/leave/").status_code == 404


def page(client, **query):
    with clock.set_to(cast.DURING):
        return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", client.get(DAY, query).content.decode()))


def test_the_page_counts_what_happened_on_the_day(organiser, during_round):
    cast.send("Ada", "rR")
    cast.send("Bao", "l")
    models.VisitorCount.objects.create(day=cast.DURING.date(), country="CN", visitors=41)
    models.Outage.objects.create(
        began_at=cast.DURING - timedelta(minutes=40), ended_at=cast.DURING - timedelta(minutes=30)
    )
    with clock.set_to(cast.DURING):
        audit_log.record(None, "rename", models.Player.objects.get(nickname="Ada"), reason="At her request")
    shown = page(organiser)
    assert "Received 2 · API: 2" in shown
    assert "new nicknames 2" in shown
    assert "visitors 41" in shown
    assert "No submissions were accepted:" in shown
    assert "At her request" in shown


def test_each_day_is_separate_and_none_is_in_the_future(organiser, during_round):
    cast.send("Ada", "rR")
    opened = cast.OPENS.date().isoformat()
    models.VisitorCount.objects.create(day=cast.OPENS.date(), country="CN", visitors=4)
    assert all(part in page(organiser, date=opened) for part in ("Round 1 opened", "visitors &lt;5", "Received 0"))
    for other in ("2999-01-01", "nonsense", cast.DURING.date().isoformat()):
        assert "Received 1" in page(organiser, date=other)
    assert "Received 0" in page(organiser, date="0001-01-01")


def test_a_draft_is_not_shown(organiser):
    cast.a_round(announced_at=None)
    assert "Round 1" not in page(organiser, date=cast.OPENS.date().isoformat())
