"""A site with content on every page, and the list of its pages, from the URL configuration."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cached_property

from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.http import HttpResponseBase
from django.test import Client

from contest import judging, models
from contest.desk.places import Place
from contest.infra import clock
from contest.levels import runs as dealing
from contest.library import collection_import, proposals, shelf
from contest.library.own import graded
from contest.management.demo import demo
from contest.organising import round_acts, second_looks
from contest.outreach import pictures, post_categories, posts, questions
from contest.outreach.community import comments, stars, votes
from contest.outreach.newsletter import subscriptions
from contest.rendering import share_cards
from contest.rendering.pictures import reencode
from contest.staff import members
from contest.submissions import Entry, Receipt, accept, at_once, runs
from contest.submissions.sealed_answers import SealedEntry, seal
from contest.visibility import Viewer
from solvers import sokoban
from tests.leaks.addresses import Address, addresses

# Not visited: read by machines, or only redirects to another page.
MACHINES = {"solution_table.php/?", "healthz", "readyz", "metrics", "favicon.ico", "i18n/setlang/", "desk/", ""}
# Swagger UI's weight and contrast are not ours; our own guide has the same content.
LEFT_OUT = {*MACHINES, "api/docs/try/"}
LONG = "Wolfeschlegelsteinhausenbergerdo"  # as long as a nickname may be, without a break
PLAYERS = {"Noor": "nl", "雪山": "tw", "老王": "cn", "Tomás": "es", "Ωmega": "gr", "深蓝": "cn", LONG: "de"}
HOME = "Noor"  # the player who views their own pages
SHOWN = "山水"  # the public page with the most content
POST = "everything"
QUESTION = "a-question"
STRANGER, PLAYER, ACCOUNT, ORGANISER = "stranger", "player", "account", "organiser"


@dataclass(frozen=True)
class Page:
    path: str
    role: str = STRANGER
    has_language: bool = True

    def address(self, language: str) -> str:
        return f"/{language}/{self.path}" if self.has_language else f"/{self.path}"

    @property
    def name(self) -> str:
        return self.path.strip("/").replace("/", "_")[:60] or "home"


@dataclass
class Site:
    final: int = 0
    open: int = 0
    coming: int = 0
    receipt: str = ""
    level_receipt: str = ""
    run_receipt: str = ""
    invitation: str = ""
    second_look: int = 0
    long_act: int = 0
    secrets: dict[str, str] = field(default_factory=dict)
    _clients: dict[str, Client] = field(default_factory=dict)

    @cached_property
    def values(self) -> Mapping[str, Sequence[object]]:
        """Values of URL parameters, queried once for all URLs; a parameter without values has no page."""
        rounds = [self.final, self.open, self.coming]
        shown = models.Submission.objects.filter(round__number=self.final, verdict="accepted").order_by("number")
        credited = models.Level.objects.filter(round__number=self.final).exclude(author="")
        none = ("round_name", "rest", "look", "feed", "public_id", "hook", "delivery", "key", "shape", "section", "old",
                "size", "level", "tile", "pair", "sha256")  # fmt: skip
        return dict.fromkeys(none, ()) | {
            "number": rounds,
            "where": [str(Place.of(round_)) for round_ in models.Round.objects.filter(number__in=rounds)],
            "slug": [clock.now().year],
            "year": [clock.now().year],
            "month": [clock.now().month],
            "moves": ["drUluRR"],
            "one": [models.Player.objects.get(nickname=SHOWN).pk],
            "other": [models.Player.objects.get(nickname="Ada").pk],
            "slot": ["main"],
            "place": [1, 100],
            "receipt_id": [self.receipt],
            "mode": list(models.RunMode),
            "code": [self.invitation, "a-link-that-is-no-longer-good"],
            "submission": list(shown.values_list("number", flat=True)[:1]),
            "answer": list(models.SealedAnswer.objects.values_list("number", flat=True)[:1]),
            "kind": ["gif"],
            "search_id": [QUESTION],
            "metric": ["moves"],
            "player": list(models.Placing.objects.order_by("place").values_list("player", flat=True)[:1]),
            "pk": [1],
            "author": list(credited.values_list("author", flat=True)[:1]),
            "name": ["extend", "cancel", "finalise", "void"],
        }

    @cached_property
    def own_values(self) -> Sequence[tuple[str, Mapping[str, Sequence[object]]]]:
        """Values for the URLs with a part in their pattern; later ones take precedence."""
        vettings = models.Search.objects.filter(kind="vetting").order_by("pk").values_list("pk", flat=True)
        return (
            ("players/", _of_player(SHOWN)),
            ("/me/", _of_player(HOME)),
            ("collect", {"slug": [models.GRADED_SLUG]}),
            ("collected/", {"receipt_id": [self.level_receipt]}),
            ("ran/", {"receipt_id": [self.run_receipt]}),
            ("tracks/", {"slug": ["main"]}),
            ("rounds/guide/", {"name": ["tables", "levels", "names", "check"]}),
            ("posts/", {"slug": [POST]}),
            ("vetting", {"pk": list(vettings[:1])}),
            ("propos", {"pk": [models.Proposal.objects.get().pk]}),
            ("second-looks/", {"pk": [self.second_look]}),
            ("acts/", {"pk": [self.long_act]}),
            ("staff/", {"pk": [User.objects.get(username="judge").pk], "name": ["role", "link"]}),
        )

    def cookies(self, role: str) -> dict[str, str]:
        if role == PLAYER:
            player = models.Player.objects.get(nickname=HOME)
            return {"claims": signing.dumps({str(player.pk): self.secrets[HOME]}, salt="claims", compress=True)}
        if role in (ORGANISER, ACCOUNT):
            client = Client()
            client.force_login(User.objects.get(username=demo.ORGANISER if role == ORGANISER else HOME))
            return {settings.SESSION_COOKIE_NAME: client.cookies[settings.SESSION_COOKIE_NAME].value}
        return {}

    def client(self, role: str) -> Client:
        """Return the client of a role. It is cached: a new client first looks up all static files."""
        if role not in self._clients:
            client = self._clients[role] = Client()
            for name, value in self.cookies(role).items():
                client.cookies[name] = value
        return self._clients[role]


def _of_player(nickname: str) -> Mapping[str, Sequence[object]]:
    player = models.Player.objects.get(nickname=nickname)
    return {"number": [player.pk], "slug": [player.get_absolute_url().rstrip("/").rpartition("-")[2]]}


def load() -> Site:
    now = clock.now()
    demo.load(now)
    User.objects.create_user(HOME, email="noor@example.org")
    site = Site()
    *_before, site.final, site.open, site.coming = models.Round.objects.order_by("number").values_list(
        "number", flat=True
    )
    running = models.Round.objects.get(number=site.open)
    solution = {level.slot: level.solution for level in running.levels.all()}
    for place, (nickname, country) in enumerate(PLAYERS.items()):
        for slot, moves in solution.items():
            detour = "".join(back + forth for back, forth in ("lr", "rl", "ud", "du"))[: 2 * (place % 4)]
            with clock.set_to(running.opens_at + timedelta(hours=5 * place + 1)):
                receipt = _send(site, nickname, country, running, slot, detour + moves)
        site.receipt = receipt.submission.receipt_id if nickname == HOME else site.receipt
    # As recorded once all is judged and chained.
    models.Round.objects.filter(number=site.final).update(complete_at=now)
    _seal(running)
    _solve(site)
    _run(site)
    _propose()
    _write(site)
    _fill_the_desk(running)
    _member, site.invitation = members.invite("judge", "judge", by=None)
    _request_second_look(site)
    _search(site)
    _talk(site)
    return site


def _request_second_look(site: Site) -> None:
    round_, player = models.Round.objects.get(number=site.final), models.Player.objects.get(nickname=SHOWN)
    given = {"player": str(player.pk), "reason_en": "Two names. " * 9, "reason_zh": "", "note": ""}
    disqualify = next(act for act in round_acts.ACTS if act.name == "disqualify")
    judge = User.objects.get(username="judge")
    site.second_look = second_looks.ask(round_, disqualify.name, given, at=clock.now(), by=judge).pk
    site.long_act = models.LongAct.objects.create(  # as if a worker had given up
        kind="rate", state="failed", language="en", asked_at=clock.now(), done=50, total=219
    ).pk


def _search(site: Site) -> None:
    level = models.Level.objects.get(round__number=site.final, slot="main")
    sent = models.Submission.objects.accepted().filter(level=level).order_by("moves").first()
    assert sent is not None
    assert sent.moves is not None
    solution = {"lurd": sent.lurd, "moves": sent.moves - 2, "pushes": sent.pushes}
    done = {"state": "done", "answer": "solved", "found": {"moves": solution, "pushes": solution}, "band": 2}
    done |= {"least_moves": sent.moves - 9, "least_pushes": sent.pushes, "seconds": 10, "megabytes": 64}
    shared = {**done, "asked_at": clock.now(), "text": level.text, "sha256": level.sha256}
    models.Search.objects.create(**shared, kind="study", level=level)
    models.Search.objects.create(**shared, kind="asked", aim="pushes", public_id=QUESTION)
    first = models.Search.objects.filter(kind="vetting").order_by("pk")[:1]
    board = {"found": {"pushes": {"lurd": "R", "moves": 1, "pushes": 1}}}
    tried = [{"seconds": 10, "megabytes": 64, "answer": "solved", "limit": "", "nodes": 1_234, "cpu_seconds": 0.1}]
    models.Search.objects.filter(pk__in=first).update(
        **done | board | {"tried": tried, "least_pushes": 1, "least_moves": 1}
    )


def _talk(site: Site) -> None:
    at = clock.now()
    sent = models.Submission.objects.accepted().filter(round__number=site.final, level__slot="main").order_by("number")
    speakers = list(dict.fromkeys(row.player for row in sent.select_related("player")))[:5]
    main = models.Level.objects.get(round__number=site.final, slot="main")
    tile = models.CollectedLevel.objects.get(place=1)
    home = models.Player.objects.get(nickname=HOME)
    everybody = Viewer(proved=frozenset({home.pk, *(player.pk for player in speakers)}))
    for place, player in enumerate(speakers):
        votes.cast_vote(main, player, {"beautiful": 5 - place % 2, "hard": place + 1}, viewer=everybody, at=at)
    context = {"viewer": everybody, "at": at}
    first = comments.write(main, home, "Why is the left room there at all?\n\n它有什么用？", **context)
    comments.write(
        main, speakers[0], "It is not.", "Put the third box in first, then walk round.", answers=first, **context
    )
    comments.hide(comments.write(main, home, "!" * 300, **context), None, reason="Too loud. 太吵。", at=at)
    long = comments.write(tile, speakers[1], f"{LONG * 9} & <b>bold</b>", **context)
    comments.report(long, "Nobody can read this. " * 9, at=at)
    for target in (speakers[0], main, tile):
        stars.follow(target, viewer=Viewer(proved=frozenset({home.pk})), at=at)


def _seal(running: models.Round) -> None:
    models.Round.objects.filter(pk=running.pk).update(settings={**running.settings, "sealed_answers": True})
    for place, name in enumerate((HOME, LONG, HOME)):
        entry = SealedEntry(running.number, "main", 123_456, 98_765 + place, f"{place + 10:x}" * 64)
        with clock.set_to(running.opens_at + timedelta(hours=place + 1)):
            seal(entry, models.Player.objects.get(nickname=name), door=models.Door.WEB)


def _solve(site: Site) -> None:
    for place, nickname in enumerate(PLAYERS):
        levels = models.CollectedLevel.objects.filter(collection__slug=models.GRADED_SLUG).order_by("place")
        for entry, level in zip(graded.read()[: 3 + place], levels, strict=False):
            sent = Entry(nickname, entry.solutions[0].lurd, claim=site.secrets.get(nickname, ""))
            result = at_once.accept_collected(sent, level).result
            site.level_receipt = result.receipt_id if nickname == HOME else site.level_receipt


def _run(site: Site) -> None:
    solutions = {entry.level.sha256: entry.solutions[0].lurd for entry in graded.read()}
    for mode in models.RunMode:
        for place, nickname in enumerate(PLAYERS, 2):
            begun = dealing.start(mode, clock.now())
            dealt = dealing.deal(begun)[:place]
            moves = " ".join(f"{level.place}:{solutions[level.sha256]}" for level in dealt)
            sent = Entry(nickname, moves, claim=site.secrets.get(nickname, ""))
            site.run_receipt = runs.accept(sent, begun, clock.now()).run.receipt_id


def _fill_the_desk(running: models.Round) -> None:
    now = clock.now()
    player, organiser = models.Player.objects.get(nickname=HOME), User.objects.get(username=demo.ORGANISER)
    series = models.Series.objects.create(
        name_zh="每周一关", name_en="A level a week", first_opens_at=now + timedelta(weeks=9)
    )
    for length in range(3, 8):
        board = sokoban.Level.parse(f"{'#' * (length + 4)}|#@$.{'-' * (length - 1)}#|{'#' * (length + 4)}")
        level = models.LibraryLevel(title=f"长廊 {length}", author="Leitai", tags="corridor")
        shelf.store_level(level, board, "R", at=now, by=organiser, is_confirmed=True)
    shelf.enqueue(level, series, "main", by=organiser)
    with clock.set_to(running.opens_at + timedelta(days=1)):
        viewer = Viewer(proved=frozenset({player.pk}))
        for asked in ("May the steps be entered in lower case?", "?" * 200):
            question = questions.ask_question(running, player, asked, viewer=viewer, at=clock.now())
    questions.answer_question(question, zh="可以。", en="", public_text="!" * 200, is_public=True, at=now, by=organiser)
    models.Banner.objects.create(text_zh="周日维护。" * 9, shown_from=now - timedelta(hours=1))


def _propose() -> None:
    at, account = clock.now(), User.objects.get(username=HOME)
    text, author = "#######\n#@ $ .#\n#######", proposals.Author(account, None)
    draft = proposals.start(author, text, "rRR", title="Long way", name="Noor", at=at)
    facts = {"solution": "rRR", "title": "Long way", "author": "Noor", "licence": "contest", "note": "Hm."}
    sent = proposals.send(proposals.save(draft, {"text": text, **facts}, 1), Viewer(), at=at, version=2)
    organiser = User.objects.get(username=demo.ORGANISER)
    proposals.comment(sent, "Could it be smaller?", at=at, by=organiser, is_by_staff=True)
    intake = collection_import.start(f"{text}\n\nTitle: One\n\n{text[:-8]}".encode(), "corridors", at=at, by=organiser)
    collection_import.work_on(intake)
    collection_import.choose(intake, intake.levels.filter(place=1), {"tags": "easy"}, by=organiser)
    collection_import.work_on(intake)


def _send(site: Site, nickname: str, country: str, round_: models.Round, slot: str, moves: str) -> Receipt:
    entry = Entry(nickname, moves, country, round=round_.number, slot=slot, claim=site.secrets.get(nickname, ""))
    receipt = accept(entry, door=models.Door.WEB)
    judging.judge_until_empty()
    if receipt.claim:
        site.secrets[nickname] = receipt.claim
    return receipt


def _write(site: Site) -> None:
    number = models.Submission.objects.filter(round__number=site.final, verdict="accepted")[0].number
    drawn = reencode(share_cards.draw_board(models.Level.objects.get(round__number=site.final, slot="main").text))
    picture = pictures.store_picture(drawn, alt_zh="一个盘面", alt_en="A board", at=clock.now(), by=None)
    text = (
        "Twelve people, $2^{12}$ ways, **one** winner:\n\n$$\\sum_{i=1}^{n} \\frac{b_i}{2} \\le p$$\n\n## Levels\n\n"
        f"[[level {site.final} main]] [[replay {site.final} {number}]] {picture}\n\n"
        "| who | moves |\n|---|---|\n| 山水 | 97 |\n\n"
        "> Who pushes least walks most.\n\n- `rDldR` is five steps.\n\n```\n#####\n#@$.#\n#####\n```\n"
    )
    at = clock.now()
    series = models.PostSeries.objects.create(slug=POST, title_zh="全部", title_en="All of it")
    both = {"title_en": "Report", "text_en": text, "title_zh": "战报", "text_zh": text, "note_en": "A slip of the pen."}
    references = f"W. J. Savitch, 1970, https://example.org/{'a' * 90}\n{'Longest ' * 40}"
    facts = {"slug": POST, "kind": models.Post.Kind.REPORT, "author": "Organisers", "published_at": at}
    report = models.Post(**facts, **both, references=references, series=series)
    posts.save(report, at=at, by=None, categories=post_categories.read("全部 / Everything, 只有中文, Only in English"))
    home = models.Player.objects.get(nickname=HOME)
    comments.write(report, home, f"{LONG * 9} 谢谢", "Left first.", viewer=Viewer(proved=frozenset({home.pk})), at=at)
    news = models.Post(slug="xiaoxi", title_zh="消息", text_zh="新的一期下周开始。", published_at=at)
    posts.save(news, at=at, by=None)
    subscriptions.subscribe("noor@example.org", models.Topic.values, "en", at, is_proved=True)
    _give_prizes(site)


def _give_prizes(site: Site) -> None:
    final, sponsor = models.Round.objects.get(number=site.final), models.Sponsor.objects.create(name="Wood & Co")
    winner = models.Placing.objects.filter(round=final).order_by("place")[0].player
    for player in (winner, models.Player.objects.get(nickname=HOME)):
        description = {"what_zh": "木制推箱子一套", "what_en": "A wooden puzzle"}
        models.Prize.objects.create(round=final, player=player, sponsor=sponsor, **description)


def _letters_token(address: Address) -> str:
    purpose = "confirm" if "confirm/" in address.pattern else "end" if "/end/" in address.pattern else "settings"
    return subscriptions.sign_token(models.Subscriber.objects.get(), purpose)


def pages_by_pattern(site: Site, turn: slice) -> Iterator[Iterator[Page]]:
    """Yield the pages of each URL pattern in *turn*: those of several rounds, or for several acts.

    The first page of each is found with few requests. Pages begin at another value for every pattern.
    """
    groups = itertools.groupby(paths(site, None), key=lambda found: found[0].pattern)
    for number, group in enumerate([list(group) for _pattern, group in groups][turn]):
        first = number % len(group)
        yield (page for address, path in group[first:] + group[:first] for page in _page_at(site, address, path))


def _page_at(site: Site, address: Address, path: str) -> Iterator[Page]:
    found = (page for page in candidates(address, path) if is_a_page(site.client(page.role).get(page.address("en"))))
    yield from itertools.islice(found, 1)


def candidates(address: Address, path: str) -> Iterator[Page]:
    return (Page(path.removeprefix("zh-hans/"), role, path.startswith("zh-hans/")) for role in _roles(address))


def urls(site: Site, values: Mapping[str, Sequence[object]]) -> Iterator[str]:
    """Yield every URL below the language or outside it, also for machines, with the site's values or else *values*."""
    for address in addresses():
        fillers = {**values, **_fillers(site, address)}
        if not address.pattern.startswith("__"):
            yield from (filled.replace("/zh-hans/", "/en/", 1) for filled in address.filled(fillers))


def paths(site: Site, desk: bool | None) -> list[tuple[Address, str]]:
    """Return what may be a page, by URL pattern; only *desk* pages, or only others."""
    shown = [address for address in addresses() if desk is None or desk == ("desk/" in address.pattern)]
    return [
        (address, filled.removeprefix("/"))
        for address in shown
        if address.pattern not in LEFT_OUT and not address.pattern.startswith(("admin/", "api/v1", "__"))
        for filled in address.filled(_fillers(site, address))
    ]


def _roles(address: Address) -> tuple[str, ...]:
    if "desk/" in address.pattern:
        return (ORGANISER,)
    if "/talk/" in address.pattern or "/sealed/" in address.pattern:
        return (PLAYER,)  # players who may comment, or seal, see most
    return (PLAYER, ACCOUNT) if "/me/" in address.pattern else (STRANGER, ACCOUNT)


def is_a_page(answer: HttpResponseBase) -> bool:
    return answer.status_code == 200 and answer["Content-Type"].startswith("text/html")


def _fillers(site: Site, address: Address) -> Mapping[str, Sequence[object]]:
    found = {**site.values, "token": [_letters_token(address), "a-link-that-is-no-longer-good"]}
    for part, own in site.own_values:
        if part in address.pattern:
            found |= own
    return found
