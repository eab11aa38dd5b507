"""A site full of hidden data, each piece with a mark that occurs nowhere else."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.test import Client

from contest import judging, models
from contest.api.feeds import nightly
from contest.infra import clock
from contest.models.round import default_settings
from contest.outreach import pictures, post_categories, posts, webhooks
from contest.outreach.community import comments, stars
from contest.outreach.newsletter import subscriptions
from contest.players import api_tokens
from contest.rendering import share_cards
from contest.rendering.pictures import reencode
from contest.rendering.post_text import MOST_SHOWN
from contest.rounds import lucky_number
from contest.rules import lucky_draw
from contest.rules.phases import Phase
from contest.staff import members
from contest.submissions import Entry, Receipt, accept, at_once
from contest.submissions.sealed_answers import SealedEntry, seal
from contest.visibility import Viewer
from solvers import sokoban
from tests import cast

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
WEEK = timedelta(weeks=1)
# Opening and close of each round, in weeks from NOW.
TIMES = {
    Phase.FINAL: (-9, -6),
    Phase.CLOSED: (-5, -2),
    Phase.OPEN: (-1, 2),
    Phase.SCHEDULED: (3, 6),
    Phase.DRAFT: (7, 10),
}
# Closed with a waiting reveal, because it may open again (rule 3.10); and a round that has opened again. Both must show
# only what an open round shows.
WAITING, REOPENED = "waiting", "reopened"
WAITED = (-2, -1)
# An operator's backup at a path that the site can read: no URL may serve it.
BACKUP = "leitai-2026-11-21T120000Z.zip"
EMAILS = ("owner.secret@hidden.example", "rival.secret@hidden.example", "reporter.secret@hidden.example")


@dataclass(frozen=True)
class Secret:
    """A hidden piece of data: its kind, the phase of its round, its owner, and the texts that reveal it."""

    kind: str
    marks: tuple[str, ...]
    phase: Phase | None = None
    owner: str = ""


@dataclass
class Scene:
    rounds: dict[str, models.Round] = field(default_factory=dict)
    secrets: list[Secret] = field(default_factory=list)
    receipts: dict[str, list[str]] = field(default_factory=lambda: {"owner": [], "rival": []})
    claims: dict[str, str] = field(default_factory=dict)
    players: dict[str, models.Player] = field(default_factory=dict)
    token: str = ""
    questions: list[str] = field(default_factory=list)
    hooks: list[int] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)

    def hide(self, kind: str, *marks: str, phase: Phase | None = None, owner: str = "") -> None:
        self.secrets.append(Secret(kind, marks, phase, owner))

    def client(self, role: str) -> Client:
        client = Client(raise_request_exception=False)
        if role in self.players:
            claims = {str(self.players[role].pk): self.claims[role]}
            client.cookies["claims"] = signing.dumps(claims, salt="claims", compress=True)
        if role == "bot":
            client.defaults["HTTP_AUTHORIZATION"] = f"Bearer {self.token}"
        if role == "organiser":
            client.force_login(User.objects.get(username="organiser"))
        if role == "club":
            client.force_login(_organiser_of_a_club())
        return client


def _organiser_of_a_club() -> User:
    """Create an organiser of a club's track, which has no round of the scene."""
    track, _new = models.Track.objects.get_or_create(slug="club", defaults={"title_zh": "俱乐部", "title_en": "Club"})
    user, is_new = User.objects.get_or_create(username="club", defaults={"is_staff": True})
    if is_new:
        members.give_role(user, "track-organiser", by=None, tracks=[track.slug])
    return user


@contextmanager
def scene() -> Iterator[Scene]:
    """Create everything; the clock is stopped at NOW meanwhile."""
    with clock.set_to(NOW):
        made = Scene()
        User.objects.create_superuser("organiser", email="", password="x")
        for place, (phase, (opens, closes)) in enumerate(TIMES.items()):
            _plant_round(made, phase, 11 + place, NOW + opens * WEEK, NOW + closes * WEEK)
        for number, name in ((16, WAITING), (18, REOPENED)):
            _plant_round(made, Phase.OPEN, number, NOW + WAITED[0] * WEEK, NOW + WAITED[1] * WEEK, name=name)
            models.Round.objects.filter(number=number).update(reveal_waits_until=NOW + WEEK)
        _plant_searches(made)
        _plant_texts(made)
        _plant_token(made)
        _plant_proposals(made)
        _plant_collection(made)
        _plant_talk(made)
        _plant_tester(made)
        nightly.make_due(NOW)
        settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
        (settings.DATA_DIR / BACKUP).write_text("tables-of-a-backup")
        made.hide("backup", "tables-of-a-backup")
        # Data computed while it waited exists.
        window = {"make_up_opens_at": NOW - timedelta(hours=1), "make_up_closes_at": NOW + timedelta(hours=1)}
        models.Round.objects.filter(number=18).update(**window)
        yield made


def _plant_searches(made: Scene) -> None:
    """Create vetting results of every level, a study after the reveal, and a question about a level in play."""
    levels = list(models.Level.objects.select_related("round").order_by("round__number"))
    phases = {
        round_.pk: Phase.OPEN if name in (WAITING, REOPENED) else Phase(name) for name, round_ in made.rounds.items()
    }
    for kind, code in ((models.SearchKind.VETTING, 2_000), (models.SearchKind.STUDY, 2_100)):
        for level in levels:
            number = code + level.round.number
            lurd, least = _walk(number), 83_000_000 + number
            found = {"lurd": lurd, "moves": 3, "pushes": 3}
            search = models.Search.objects.create(
                kind=kind, text=level.text, sha256=level.sha256,
                level=level if kind == models.SearchKind.STUDY else None,
                seconds=1, megabytes=64, asked_at=NOW, state="done", answer="solved", least_moves=least,
                least_pushes=least, found={"pushes": found, "moves": found},
            )  # fmt: skip
            made.hide(kind.value, lurd, str(least), phase=phases[level.round_id])
            sha256, content = f"{number:x}ce27".ljust(64, "0"), f"CertificateOf{number}".encode()
            models.Certificate.objects.create(
                search=search, kind="pushes", number=least, content=content, size=len(content), sha256=sha256,
                engine="0", made_at=NOW,
            )  # fmt: skip
            made.hide(kind.value, sha256, content.decode(), phase=phases[level.round_id])
    asked = made.rounds[WAITING].levels.get()
    models.Search.objects.create(
        kind=models.SearchKind.ASKED, text=asked.text, sha256=asked.sha256, public_id="QuestionInPlay", seconds=1,
        megabytes=64, asked_at=NOW, state="done", answer="solved", found={"pushes": {"lurd": _walk(2_222)}},
    )  # fmt: skip
    made.questions.append("QuestionInPlay")
    made.hide("question in play", _walk(2_222))


def _plant_collection(made: Scene) -> None:
    """Create two public levels, and the owner's solution of one, with hidden moves and receipt (rule 26.2)."""
    detour = "du" * 11 + "rDldR"
    boards = ("######|#@---#|#-$--#|#--.-#|######", "#######|#@--$.#|#######")
    collection = cast.a_collection(boards=boards, rights="by letter of Secretary Rights", may_download=True)
    made.hide("staff note", "Secretary Rights")
    owner = made.players["owner"]
    entry = Entry(owner.nickname, detour, claim=made.claims["owner"])
    result = at_once.accept_collected(entry, collection.levels.get(place=1)).result
    made.hide("proposal", detour, owner="owner")
    made.hide("receipt", result.receipt_id, owner="owner")
    made.receipts["owner"].append(result.receipt_id)


def _plant_talk(made: Scene) -> None:
    """Create comments on a collection's level that is, mirrored, in the open round; elsewhere hidden, deleted ones."""
    owner, rival = made.players["owner"], made.players["rival"]
    both = Viewer(proved=frozenset({owner.pk, rival.pk}))
    board = models.Level.objects.get(round=made.rounds[Phase.OPEN]).board.transform(4)
    with clock.set_to(made.rounds[Phase.OPEN].opens_at - timedelta(hours=1)):
        collection = cast.a_collection("twins", [board.published_text])
        texts = ("CommentOfYesterday", "SpoilerOfYesterday")
        comments.write(collection.levels.get(), owner, *texts, viewer=both, at=clock.now())
    made.hide("comment in play", *texts, owner="owner")
    known = models.Level.objects.get(round=made.rounds[Phase.FINAL])
    shared = {"viewer": both, "at": NOW}
    hidden = comments.write(known, owner, "CommentThatIsHidden", **shared)
    comments.hide(hidden, None, reason="ReasonToHide", at=NOW)
    made.hide("hidden comment", "CommentThatIsHidden", "ReasonToHide", owner="owner")
    comments.report(comments.write(known, rival, "CommentForAll", **shared), "ReportOfAComment", at=NOW)
    made.hide("staff note", "ReportOfAComment")
    deleted = comments.write(known, rival, "CommentThatIsDeleted", **shared)
    comments.delete(deleted, viewer=both, at=NOW)
    made.hide("deleted comment", "CommentThatIsDeleted")
    stars.follow(known, viewer=Viewer(proved=frozenset({rival.pk})), at=NOW)
    _plant_comments_on_posts(made, owner, both)


def _plant_comments_on_posts(made: Scene, owner: models.Player, viewer: Viewer) -> None:
    """Create a comment on a post whose round opens afterwards, and one on a post that is withdrawn."""
    for slug, text in (("about-play", "CommentOnAnOpenRound"), ("gone", "CommentOnAWithdrawnPost")):
        post = models.Post(slug=slug, title_en="Known", text_en="Known", published_at=NOW - timedelta(hours=1))
        posts.save(post, at=NOW, by=None)
        comments.write(post, owner, text, viewer=viewer, at=NOW)
        made.hide("comment in play", text, owner="owner")
    models.Post.objects.filter(slug="about-play").update(round=made.rounds[Phase.OPEN])
    models.Post.objects.filter(slug="gone").update(published_at=None)


def _plant_round(
    made: Scene, phase: Phase, number: int, opens_at: datetime, closes_at: datetime, *, name: str = ""
) -> None:
    name = name or phase
    announced_at = None if phase is Phase.DRAFT else NOW - 10 * WEEK
    round_ = models.Round(
        number=number,
        announced_at=announced_at,
        opens_at=opens_at,
        closes_at=closes_at,
        settings={**default_settings(), "spectator": True, "sealed_answers": True},
    )
    lucky_number.save_committed(round_)
    made.rounds[name] = round_
    hidden = models.LuckyNumber.objects.get(round=round_)
    models.LuckyNumber.objects.filter(round=round_).update(number=734_000_100 + number)
    models.Round.objects.filter(pk=round_.pk).update(
        commitment=lucky_draw.commitment(number, 734_000_100 + number, hidden.salt)
    )
    made.hide("lucky", str(734_000_100 + number), hidden.salt, phase=phase)
    _plant_level(made, round_, phase, name)
    if opens_at < NOW:
        _plant_submissions(made, round_, phase, name)
    if phase is Phase.FINAL:
        models.Round.objects.filter(pk=round_.pk).update(finalised_at=closes_at + timedelta(days=1))


def _plant_level(made: Scene, round_: models.Round, phase: Phase, name: str) -> None:
    # A corridor with lengths that only this round has.
    width = round_.number + 9
    middle = f"#@{'-' * (round_.number - 5)}${'-' * 5}.#"
    text = f"{'#' * width}|{middle.ljust(width, '#')[:width]}|{'#' * width}"
    level = cast.a_level(round_, text=text, solution="rl" * 9 + "r" * (round_.number - 5) + "R" * 6)
    level.title, level.author = f"TitleOf{name}", f"AuthorOf{name}"
    level.save()
    made.hide("level", level.title, level.author, middle, level.sha256, level.key, phase=phase)
    made.hide("own solution", "rl" * 9 + "rr", phase=phase)


def _walk(code: int) -> str:
    """Return steps to and fro that spell *code* and end at their start."""
    return "".join("rrll" if bit == "1" else "rl" for bit in f"{code:012b}")


def _plant_submissions(made: Scene, round_: models.Round, phase: Phase, name: str) -> None:
    solution = "r" * (round_.number - 5) + "r" * 6
    for place, role in enumerate(("owner", "rival")):
        code = round_.number * 16 + place * 4
        with clock.set_to(round_.opens_at + timedelta(hours=1 + place)):
            for kind, walk, end in (("solution", _walk(code), solution), ("rejected", _walk(code + 1), "u")):
                receipt = _send(made, role, round_, walk + end)
                made.receipts[role].append(receipt.submission.receipt_id)
                made.hide(kind, walk, phase=phase, owner=role)
                made.hide("receipt", receipt.submission.receipt_id, owner=role)
                made.hide("hash", receipt.submission.sha256, phase=phase, owner=role)
            judging.judge_until_empty()
    _plant_sealed(made, round_)
    models.Submission.objects.filter(round=round_, verdict="illegal").update(void_note=f"VoidNoteOf{name}")
    made.hide("staff note", f"VoidNoteOf{name}")


def _plant_sealed(made: Scene, round_: models.Round) -> None:
    """Create the owner's sealed answer: counts that only its own list shows, of moves unknown to the site."""
    moves = 777_000 + round_.number
    digest = f"{round_.number:x}5ea1ed".ljust(64, "0")
    with clock.set_to(round_.opens_at + timedelta(hours=4)):
        entry = SealedEntry(round_.number, "main", moves, 6, digest)
        answer = seal(entry, made.players["owner"], door=models.Door.WEB).answer
    for mark in (str(moves), digest):  # separately: every list must show both
        made.hide("unproved", mark)
    made.answers.append(answer.number)


def _send(made: Scene, role: str, round_: models.Round, moves: str) -> Receipt:
    email = EMAILS[("owner", "rival").index(role)]
    entry = Entry(f"Name of {role}", moves, email=email, round=round_.number, claim=made.claims.get(role, ""))
    receipt = accept(entry, door=models.Door.WEB)
    if receipt.claim:
        made.claims[role] = receipt.claim
        made.players[role] = receipt.submission.player
        made.hide("claim", receipt.claim, receipt.submission.player.claim_sha256, owner=role)
        made.hide("email", email, email.partition("@")[0], owner=role)
    return receipt


def _plant_token(made: Scene) -> None:
    bot, claim = api_tokens.make_program("Name of bot", None, NOW)
    token = api_tokens.make(bot, None, NOW, scopes=models.Scope.values)
    made.token = token.text
    for role, player in (("bot", bot), ("owner", made.players["owner"])):
        hook = webhooks.create_webhook(player, f"https://hook-of-{role}.example/", ["opened"], NOW)
        webhooks.send_test(hook, NOW)
        made.hide("webhook", f"hook-of-{role}.example", owner=role)
        made.hide("token", hook.secret)
        made.hooks.append(hook.pk)
    made.hide("claim", claim or "", api_tokens._sha256(claim or ""), owner="bot")
    made.hide("token", token.text.split("_", 2)[2], token.token.sha256)


def _plant_tester(made: Scene) -> None:
    """Create a tester of the draft: no page shows it to anybody else."""
    draft, account = made.rounds[Phase.DRAFT], User.objects.create_user("tester")
    tester = models.Tester.objects.create(round=draft, account=account, named_at=NOW, agreed_at=NOW)
    tester.names.add(made.players["rival"])
    tester.told.add(made.players["owner"])
    tester.entries.create(slot="main", sha256="0" * 64, verdict="accepted", moves=83_000_777, pushes=1, sent_at=NOW)
    made.hide("staff note", "83000777")


def _plant_texts(made: Scene) -> None:
    open_, owner = made.rounds[Phase.OPEN], made.players["owner"]
    models.Question.objects.create(
        round=open_, player=owner, text="QuestionInPrivate", asked_at=NOW, answer_en="AnswerInPrivate"
    )
    made.hide("private question", "QuestionInPrivate", "AnswerInPrivate", owner="owner")
    models.Disqualification.objects.create(
        round=made.rounds[Phase.FINAL], player=owner, reason_en="PublicReason", note="RulingNote", ruled_at=NOW
    )
    made.hide("staff note", "RulingNote")
    models.NameReport.objects.create(
        kind="offensive", player=owner, text="ReportText", email=EMAILS[2], reported_at=NOW
    )
    made.hide("staff note", "ReportText")
    made.hide("email", EMAILS[2], EMAILS[2].partition("@")[0], owner="nobody")
    _plant_posts(made)
    prize = models.Prize.objects.create(
        round=made.rounds[Phase.FINAL],
        player=owner,
        contact="AddressOfTheWinner",
        contact_at=NOW,
        what_zh="奖",
        what_en="Cup",
    )
    made.hide("prize contact", prize.contact, owner="owner")
    sponsor = models.Sponsor.objects.create(name="NameOfASponsor")
    coming = {"round": made.rounds[Phase.SCHEDULED], "what_zh": "将来之奖", "what_en": "PrizeToCome"}
    models.Prize.objects.create(sponsor=sponsor, **coming)
    made.hide("staff note", "NameOfASponsor", "将来之奖", "PrizeToCome")
    models.Banner.objects.create(text_en="BannerOfTomorrow", shown_from=NOW + WEEK)
    made.hide("staff note", "BannerOfTomorrow")


def _plant_posts(made: Scene) -> None:
    """Create a post that names every level and every submission, and an unpublished one."""
    levels = [f"[[level {number} main]]" for number in models.Round.objects.values_list("number", flat=True)]
    sent = [f"[[replay {row.round.number} {row.number}]]" for row in models.Submission.objects.select_related("round")]
    named = levels + sent
    for place in range(0, len(named), MOST_SHOWN):
        text = " ".join(named[place : place + MOST_SHOWN])
        post = models.Post(slug=f"everything-{place}", title_en="Everything", text_en=text, published_at=NOW)
        posts.save(post, at=NOW, by=None)
    drawn = reencode(share_cards.draw_board("#####\n#@$.#\n#####"))
    picture = pictures.store_picture(drawn, alt_zh="画上所见", alt_en="AltOfAPicture", at=NOW, by=None)
    series = models.PostSeries.objects.create(slug="unread", title_zh="系列之名", title_en="TitleOfASeries")
    draft = models.Post(slug="draft", title_en="TitleOfADraft", text_en=f"TextOfADraft {picture}", series=series)
    categories = post_categories.read("草稿之类 / CategoryOfADraft")
    posts.save(draft, at=NOW, by=None, categories=categories)
    made.hide("staff note", "草稿之类", "CategoryOfADraft", "categoryofadraft")
    made.hide("staff note", "系列之名", "TitleOfASeries")
    made.hide("staff note", "TitleOfADraft", "TextOfADraft")
    made.hide("staff note", "画上所见", "AltOfAPicture", picture.sha256)
    subscriptions.subscribe("reader.secret@hidden.example", ["news"], "en", NOW, is_proved=True)
    made.hide("email", "reader.secret@hidden.example", "reader.secret", owner="nobody")
    made.hide("token", models.Subscriber.objects.get().key)


def _plant_proposals(made: Scene) -> None:
    """Create a pending proposal, and the same level in the library and in a round that has not opened."""
    rows = models.Level.objects.get(round=made.rounds[Phase.SCHEDULED])
    middle = "#@-----------$--.#"
    board = sokoban.Level.parse(f"{'#' * 18}|{middle}|{'#' * 18}")
    sent = {
        "state": models.Proposal.State.SENT,
        "made_at": NOW,
        "sent_at": NOW,
        "licence": models.Proposal.Licence.CONTEST,
    }
    facts = {"width": 18, "height": 3, "boxes": 1, "player": made.players["owner"]}
    texts = {"title": "TitleOfProposal", "author": "AuthorOfProposal", "note": "NoteOfProposal", "solution": "rl" * 11}
    proposal = models.Proposal.objects.create(text=board.published_text, key=board.key, **texts, **sent, **facts)
    models.ProposalComment.objects.create(proposal=proposal, text="CommentOnProposal", is_by_staff=True, written_at=NOW)
    made.hide("proposal", *texts.values(), middle, board.key, "CommentOnProposal", owner="owner")
    # By chance the rival has drawn the mirror image of a level in a future round and the library: no page reveals this.
    mirrored = rows.board.transform(4).published_text
    models.Proposal.objects.create(
        text=mirrored, key=rows.key, width=rows.width, height=3, boxes=1, player=made.players["rival"], made_at=NOW
    )
    models.LibraryLevel.objects.create(
        text=rows.text, key=rows.key, sha256="", title="TitleInLibrary", width=9, height=3, boxes=1, added_at=NOW
    )
    made.hide("staff note", "TitleInLibrary")
