"""Changes of hidden data do not change a single byte of any response to others (docs/reference/rules.md, 7.4).

So no ETag, count, length, order or number reveals it. The crawl searches for words; this finds everything else.
"""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db.models import F

from contest import models
from contest.infra import kept
from contest.models.round import default_settings
from contest.outreach import posts, webhooks
from contest.outreach.community import comments
from contest.outreach.newsletter import subscriptions
from contest.rounds import lucky_number
from contest.rules.phases import Phase
from contest.visibility import Viewer
from solvers import sokoban
from tests.leaks import crawl
from tests.leaks.scene import NOW, WAITING, WEEK

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.exhaustive,
    pytest.mark.one_database,
    pytest.mark.xdist_group("cluster"),
]

# Values that differ each time: CSRF tokens, request IDs, seconds since a process started.
_BY_LOT = re.compile(rb'csrf(?:middlewaretoken" value=|(?:Token|_token)?"?[:=]\s*)"\w+"')
_OF_THE_MOMENT = ("X-Request-ID", "Set-Cookie", "Expires")
# The queue's length is for the operator; desk and admin refuse others; and URLs that never existed reveal nothing.
_LEFT_OUT = re.compile(r"/metrics|/readyz|/admin/|/(en|zh-hans)/desk/|.*/(99|nothing|square\.png)\b")


def read_responses(made, addresses):
    """Return all responses to an anonymous client by URL, with empty caches."""
    kept.store.clear()
    client = made.client("anonymous")
    found = {}
    for address in addresses:
        whole = client.get(address)
        body = whole.getvalue() if whole.streaming else whole.content
        head = {name: value for name, value in whole.items() if name not in _OF_THE_MOMENT}
        found[address] = whole.status_code, head, _BY_LOT.sub(b"", body)
    return found


def compare_responses(before, after):
    return {
        address: _difference(before[address], response)
        for address, response in after.items()
        if before[address] != response
    }


def _difference(before, after):
    fields = [name for name in {*before[1], *after[1]} if before[1].get(name) != after[1].get(name)]
    apart = next((at for at, (left, right) in enumerate(zip(before[2], after[2], strict=False)) if left != right), 0)
    around = slice(max(0, apart - 80), apart + 80)
    return before[0], after[0], fields, before[2][around], after[2][around]


def _change_rounds(made):
    draft = models.Round(
        number=17, announced_at=None, opens_at=NOW + 11 * WEEK, closes_at=NOW + 14 * WEEK, settings=default_settings()
    )
    lucky_number.save_committed(draft)
    board = sokoban.Level.parse("########|#@-$--.#|########")
    facts = {"width": 8, "height": 3, "boxes": 1, "sha256": board.sha256, "key": board.key, "solution": "rRRR"}
    models.Level.objects.create(round=draft, title="OfANewDraft", author="A", text=board.published_text, **facts)
    for phase in (Phase.SCHEDULED, Phase.DRAFT):
        models.Level.objects.filter(round=made.rounds[phase]).update(
            title="AnotherTitleThatIsLonger",
            author="SomebodyElse",
            text=board.published_text,
            **facts,
        )
    draft_of_before = made.rounds[Phase.DRAFT]
    models.Round.objects.filter(pk=draft_of_before.pk).update(opens_at=F("opens_at") + timedelta(days=1))
    tester = models.Tester.objects.create(
        round=draft, account=User.objects.create_user("another"), named_at=NOW, agreed_at=NOW
    )
    tester.entries.create(slot="main", sha256="1" * 64, verdict="accepted", moves=4, pushes=3, sent_at=NOW)
    models.Prize.objects.create(
        round=made.rounds[Phase.SCHEDULED],
        sponsor=models.Sponsor.objects.create(name="Another"),
        what_zh="奖",
        what_en="Two",
    )


def _change_solutions(made):
    """Replace moves by others with the same counts; add vetting and studies of all levels in play."""
    for phase in (Phase.OPEN, WAITING):
        for sent in models.Submission.objects.filter(round=made.rounds[phase]):
            other = (b"ud" * 40 + bytes(sent.text))[: len(bytes(sent.text)) + 20]
            changed = {"text": other, "sha256": f"{sent.pk:064x}"}
            models.Submission.objects.filter(pk=sent.pk).update(void_note="Another note", **changed)
            if sent.lurd:
                models.Submission.objects.filter(pk=sent.pk).update(lurd=sent.lurd[::-1])
    hidden = [made.rounds[phase] for phase in (Phase.OPEN, WAITING, Phase.SCHEDULED, Phase.DRAFT)]
    for level in models.Level.objects.filter(round__in=hidden):
        models.Level.objects.filter(pk=level.pk).update(solution=level.solution + "rl")
        for kind in (models.SearchKind.VETTING, models.SearchKind.STUDY, models.SearchKind.ASKED):
            of_level = models.Search.objects.filter(sha256=level.sha256, kind=kind)
            if of_level.update(least_moves=1, least_pushes=1, seconds=9):
                continue
            models.Search.objects.create(
                kind=kind, text=level.text, sha256=level.sha256,
                level=level if kind == models.SearchKind.STUDY else None,
                seconds=2, megabytes=64, asked_at=NOW, state="done", answer="solved", least_moves=2, least_pushes=2,
                found={"pushes": {"lurd": "rR", "moves": 2, "pushes": 1}}, public_id=f"Q{kind}{level.pk}",
            )  # fmt: skip


def _change_texts(made):
    owner, rival = made.players["owner"], made.players["rival"]
    both = Viewer(proved=frozenset({owner.pk, rival.pk}))
    known = models.Level.objects.get(round=made.rounds[Phase.FINAL])
    hidden = comments.write(known, rival, "AnotherThatIsHidden", viewer=both, at=NOW)
    comments.hide(hidden, None, reason="Why", at=NOW)
    comments.delete(comments.write(known, rival, "AnotherThatIsDeleted", viewer=both, at=NOW), viewer=both, at=NOW)
    models.Comment.objects.filter(text="CommentThatIsHidden").update(text="Another text of another length")
    models.Question.objects.create(
        round=made.rounds[Phase.OPEN], player=rival, text="Another", asked_at=NOW, answer_en="Yes"
    )
    models.NameReport.objects.create(
        kind="offensive", player=owner, text="Another", email="a@hidden.example", reported_at=NOW
    )
    models.Banner.objects.create(text_en="Another", shown_from=NOW + WEEK)
    posts.save(models.Post(slug="another-draft", title_en="Another", text_en="Words"), at=NOW, by=None)
    models.Post.objects.filter(slug="draft").update(title_en="Another title")
    subscriptions.subscribe("another@hidden.example", ["news"], "en", NOW, is_proved=True)
    webhooks.create_webhook(owner, "https://another.example/", ["opened"], NOW)
    models.Proposal.objects.filter(title="TitleOfProposal").update(title="Another title", note="Another note")
    models.Proposal.objects.create(
        text="x",
        key="y",
        width=3,
        height=3,
        boxes=1,
        player=rival,
        made_at=NOW,
        sent_at=NOW,
        state=models.Proposal.State.SENT,
    )
    models.LibraryLevel.objects.create(
        text="x", key="another", sha256="", title="Another", width=9, height=3, boxes=1, added_at=NOW
    )
    models.Player.objects.filter(pk=owner.pk).update(email="another.box@hidden.example")
    models.Subscriber.objects.filter(email__startswith="reader").update(language="zh-hans")


def test_changes_of_hidden_data_change_no_response_to_anonymous_clients(planted):
    """Rule 7.4."""
    asked = [address for address in crawl.filled(planted, "anonymous") if not _LEFT_OUT.match(address)]
    before = read_responses(planted, asked)
    assert sum(status == 200 for status, _head, _body in before.values()) > 200
    for change in (_change_solutions, _change_rounds, _change_texts):
        change(planted)
    assert compare_responses(before, read_responses(planted, asked)) == {}
    models.Level.objects.filter(round=planted.rounds[Phase.OPEN]).update(title="AnotherTitle")
    public = ["/en/rounds/13/", "/api/v1/rounds/13/"]
    assert compare_responses(before, read_responses(planted, public)).keys() == {*public}
