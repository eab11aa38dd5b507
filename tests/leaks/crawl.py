"""Fetch every URL as every role and search for data that the role may not see (docs/reference/rules.md, 7.4)."""

import gzip
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle

import pytest
from django.db import connection
from django.test import Client

from contest.admin import NameReportAdmin, PlayerAdmin, RoundAdmin, SubmissionAdmin
from contest.api.feeds import nightly
from contest.desk import comments as desk_comments
from contest.desk.people import members as desk_members
from contest.models import Certificate, Dump, FilmKind, Level, Picture, Prize, Proposal, Submission
from contest.rendering import share_cards
from contest.rules.phases import Phase
from contest.web.sharing import cards
from contest.web.sharing.feeds import FEEDS
from tests.leaks.addresses import Address, Fillers, addresses
from tests.leaks.scene import BACKUP, NOW, Scene, Secret
from tests.leaks.writes import WRITTEN_BY_PLAYERS, WRITTEN_BY_READING, Writes

ROLES = ("anonymous", "owner", "rival", "bot", "organiser", "club")
LANGUAGES = ("en", "zh-hans")
# URLs that end a session, or are Django's own and show no data of ours.
LEFT_OUT = ("admin/logout/", "admin/jsi18n/")
# Acts by a part of their URL, the most specific part first.
_ACTS = (
    ("report", [act.name for act in NameReportAdmin.acts]),
    ("submission", [act.name for act in SubmissionAdmin.acts]),
    ("comment", list(desk_comments.ACTS)),
    ("people", [act.name for act in PlayerAdmin.acts]),
    ("player", [act.name for act in PlayerAdmin.acts]),
    ("staff/", list(desk_members.ACTS)),
    ("round", [act.name for act in RoundAdmin.acts]),
)
# A season, a track, and the posts of the scene.
_SLUGS = (
    str(NOW.year), "main", "everything-0", "everything-12", "about-play", "gone", "draft", "unread", "categoryofadraft",
    "nothing",
)  # fmt: skip
# The only places that show unproved sealed answers (rules 5.12, 5.13).
_OF_SEALED_ANSWERS = re.compile(r"(?<!desk/)rounds/\d+/sealed/|archive\.zip|me/export\.json")
_PUBLISHED = (Phase.OPEN, Phase.CLOSED, Phase.FINAL)
_REVEALED = (Phase.CLOSED, Phase.FINAL)


@dataclass(frozen=True)
class Leak:
    """Hidden data that a role has seen at a URL."""

    role: str
    address: str
    secret: Secret
    mark: str


@dataclass
class Walk:
    """Results of fetching many URLs: leaks, data that was rightly seen, and other faults."""

    leaks: list[Leak] = field(default_factory=list)
    met: set[Secret] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)


def may_see(role: str, secret: Secret, address: str = "") -> bool:
    """Rule 7.4 as a table: intentionally written a second time here, independent of `visibility`."""
    organises = role == "organiser"
    owns = role == secret.owner
    return {
        "level": organises or secret.phase in _PUBLISHED,
        "own solution": organises,
        "lucky": secret.phase in _REVEALED,
        "solution": owns or secret.phase in _REVEALED,
        "rejected": owns or (organises and secret.phase in _REVEALED),
        "hash": owns or secret.phase in _REVEALED or organises,
        "receipt": owns,
        "email": owns,
        "prize contact": owns,  # organisers read it by an act, never by viewing a page
        "claim": False,
        "token": False,
        "webhook": owns,
        "private question": owns or organises,
        "proposal": owns or organises,
        "staff note": organises,
        "vetting": organises,
        "study": secret.phase in _REVEALED,
        "question in play": False,
        "comment in play": owns or organises,
        "hidden comment": owns or organises,
        "deleted comment": False,
        "backup": False,
        "unproved": bool(_OF_SEALED_ANSWERS.search(address)),
    }[secret.kind]


@contextmanager
def pictures_as_text() -> Iterator[None]:
    """Replace each share picture by its text: marks cannot be found in pixels."""
    with pytest.MonkeyPatch.context() as patch:
        for shape in cards._SHAPES:
            patch.setitem(cards._SHAPES, shape, _render_card_text)
        patch.setattr(share_cards, "draw_board", str.encode)
        yield


def _render_card_text(card: share_cards.Card) -> bytes:
    return "\n".join((card.over, card.title, *card.facts, card.board)).encode()


def walk(scene: Scene, role: str, among: Sequence[Address] | None = None) -> Walk:
    """Fetch each URL as *role* and search for every mark; check that reading changes nothing (rule 7.4)."""
    client, made, writes = scene.client(role), Walk(), Writes()
    permitted_tables = WRITTEN_BY_PLAYERS if role in ("owner", "rival", "bot") else WRITTEN_BY_READING
    marks = [(secret, mark, plain(mark)) for secret in scene.secrets for mark in secret.marks]
    with connection.execute_wrapper(writes):
        for address in filled(scene, role, among):
            text = _answer(client, address)
            for secret, mark, looked_for in marks:
                if not contains_mark(looked_for, text):
                    continue
                if may_see(role, secret, address):
                    made.met.add(secret)
                else:
                    made.leaks.append(Leak(role, address, secret, mark))
            made.faults += [
                f"{role} at {address}: {fault}" for fault in _faults(address, text, writes.tables - permitted_tables)
            ]
            writes.tables = set()
    return made


def contains_mark(mark: str, text: str) -> bool:
    """Return whether a plain *mark* is in a plain *text*; numbers must stand alone, as digests contain any digits."""
    return mark in text and (not mark.isdigit() or bool(re.search(rf"(?<![0-9a-f]){mark}(?![0-9a-f])", text)))


def _faults(address: str, text: str, written: set[str]) -> Iterator[str]:
    """Yield responses that are never correct, and writes that reading must not cause."""
    if text.startswith("status-5") and address != "/readyz":  # a worker's readiness check may fail
        yield text.partition("\n")[0]
    if "\nx-content-type-options:-nosniff\n" not in text:
        yield "lets its type be guessed"
    if written:
        yield f"writes to {sorted(written)}"


def _in_language(address: str, language: str) -> str:
    return re.sub(r"^/(en|zh-hans)/", f"/{language}/", address)


def filled(scene: Scene, role: str, among: Sequence[Address] | None = None) -> Iterator[str]:
    """Yield every URL to fetch. Pages alternate between the languages; every second role starts with the other."""
    rounds, rows, languages = dict(Submission.objects.values_list("pk", "round__number")), Rows(), cycle(LANGUAGES)
    if ROLES.index(role) % 2:
        next(languages)
    for address in addresses() if among is None else among:
        if address.pattern in LEFT_OUT:
            continue
        for url in address.filled(_fillers(scene, role, address, rows)):
            if _is_a_pair(url, rounds):
                yield _in_language(url, next(languages)) if url.startswith("/zh-hans/") else url


def _is_a_pair(address: str, rounds: Mapping[int, int]) -> bool:
    """Return whether the URL names a submission in its own round; *rounds* are by submission.

    One separate test checks that other combinations return 404.
    """
    pair = re.search(r"/(?:rounds|replay)/(\d+)/(?:replays/)?(\d+)(?=[./])", address)
    return pair is None or int(pair[2]) not in rounds or rounds[int(pair[2])] == int(pair[1])


def _acts(address: Address) -> list[str]:
    """Return the acts of organisers at *address*, and one act of another URL: all of those have the same response."""
    names = {part: [*acts] for part, acts in _ACTS}
    own = next((names[part] for part in names if part in address.pattern), [])
    others = [name for acts in names.values() for name in acts if name not in own]
    return [*own, *others[:1]]


class Rows:
    """Primary keys for URL parameters, queried once for all URLs: reading changes nothing."""

    def __init__(self) -> None:
        self.certificates = list(Certificate.objects.order_by("pk").values_list("sha256", flat=True))
        self.levels = [level.pk for level in Level.objects.all()]
        self.nights = [str(dump) for dump in Dump.objects.all()]
        self.pictures = list(Picture.objects.values_list("pk", flat=True))
        self.prizes = list(Prize.objects.values_list("pk", flat=True))
        self.proposals = list(Proposal.objects.values_list("pk", flat=True))
        self.submissions = list(Submission.objects.values_list("pk", flat=True))


def _fillers(scene: Scene, role: str, address: Address, rows: Rows) -> Fillers:
    """Return the values for a URL's parameters. Receipts are secrets of their owners: other roles do not try them."""
    players = [player.pk for player in scene.players.values()]
    organises = role in ("organiser", "club")
    where, first_six = _on_the_desk(scene), list(range(1, 7))
    found: dict[str, Sequence[object]] = {
        "place": [1, 2, 99],
        "look": ["light", "nothing"],
        "mode": ["three-minutes", "nothing"],
        "moves": ["rR", "rl"],
        "author": [*(f"AuthorOf{phase}" for phase in scene.rounds), "AuthorOfProposal"],
        "number": [*(round_.number for round_ in scene.rounds.values()), 99],
        # Users who are not staff are refused before their target is looked up.
        "where": where if organises else where[:1],
        "slug": _SLUGS,
        "year": [NOW.year, 2000],
        "month": [NOW.month, 13],
        "one": players[:2],
        "other": players[1:3],
        "slot": ["main"],
        "level": ["0", "entries", "nothing"],
        "tile": ["000.p/1", "000", "nothing"],
        "old": [1, 2],
        "size": [1, 2, 99],
        "answer": [*scene.answers, 99],
        "submission": [*rows.submissions, 99],
        "player": [*players, 99],
        "shape": ["card", "square", "nothing"],
        "pair": ["a3321c-ff9d7a", "nothing"],
        "section": ["pages", "rounds", "results", "levels", "players", "posts", "post-categories", "nothing"],
        "kind": [*FilmKind.values, "nothing"],
        "receipt_id": [*scene.receipts.get(role, []), "nothing"],
        "feed": [*FEEDS, "nothing"],
        "token": ["nothing"],
        "code": ["nothing"],
        "public_id": ["nothing"],
        "hook": [*scene.hooks, 99],
        "delivery": [1, 2],
        "object_id": first_six if organises else [1],
        "pk": first_six if organises else [1],
        "act": _acts(address) if organises else ["void"],
        "night": [*rows.nights, "2026-01-01"],
        "name": _acts(address) if organises else ["finalise"],
        "id": [1],
        "search_id": [*scene.questions, "nothing"],
        "metric": ["moves", "pushes", "nothing"],
        "key": rows.levels,
        "content_type_id": [1],
        "app_label": ["contest", "auth"],
        "url": ["nothing/"],
        "rest": ["1/1/"],
        "sha256": [*rows.certificates, "nothing"],
        "round_name": ["club-1", "1-1", "nothing"],
    }
    people = {"number": [*players, 99], "slug": [f"name-of-{name}" for name in scene.players]}
    for part, own in (
        ("tracks/", {"slug": ["main", "nothing"]}),
        ("collections/", {"slug": ["corridors", "twins", "nothing"], "kind": ["sok", "xsb", "slc", "nothing"]}),
        ("players/", people),
        ("/me/", people),
        ("dumps/", {"name": [*nightly.FILES, BACKUP, "nothing"]}),
        ("comments/", {"pk": first_six}),
        ("pictures/", {"pk": [*rows.pictures, 99]}),
        ("prizes/", {"pk": [*rows.prizes, 99]}),
        ("propos", {"pk": rows.proposals}),
        ("vetting/", {"kind": ["pushes", "nothing"]}),
    ):
        if part in address.pattern:
            found |= own
    return found


def _on_the_desk(scene: Scene) -> list[str]:
    """Return rounds by number and drafts by id; of the numbered ones also the id of one."""
    drafts = [round_.pk for round_ in scene.rounds.values() if round_.announced_at is None]
    others = [round_ for round_ in scene.rounds.values() if round_.announced_at is not None]
    numbers = [*(round_.number for round_ in scene.rounds.values()), 99]
    return [*(f"drafts/{pk}" for pk in (*drafts, others[0].pk, 99)), *(f"rounds/{number}" for number in numbers)]


def _answer(client: Client, address: str) -> str:
    """Return status, headers and body in lower case, with one spelling of floor; of events in both formats."""
    forms = (None, {"Accept": "text/event-stream"}) if address.endswith("/events/") else (None,)
    return "\n".join(_read(client, address, headers) for headers in forms)


def _read(client: Client, address: str, headers: dict[str, str] | None) -> str:
    # Otherwise the request ID has sixteen random digits, which sometimes contain the digits of a mark.
    answer = client.get(address, headers={"X-Request-ID": "the-crawler", **(headers or {})})
    body = answer.getvalue() if answer.streaming else answer.content
    if answer.get("Content-Type") == "application/gzip":  # compressed files are read, too
        body = gzip.decompress(body)
    head = "\n".join(f"{name}: {value}" for name, value in answer.items())
    text = f"status {answer.status_code}\n{head}\n{body.decode('utf-8', 'replace')}"
    # A page that repeats its own URL, in either language, is not a leak.
    for language in LANGUAGES:
        text = text.replace(_in_language(address, language), "")
    return plain(text)


def plain(text: str) -> str:
    """Return lower case, floor in one spelling, and numbers without thousands separators."""
    return re.sub(r"(?<=\d),(?=\d{3})", "", text.replace(" ", "-").replace("_", "-").lower())
