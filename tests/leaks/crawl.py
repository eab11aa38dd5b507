"""Fetch every address as every role and look for what that role may not see (docs/rules.md, 7.4)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.test import Client

from contest.admin import NameReportAdmin, PlayerAdmin, RoundAdmin, SubmissionAdmin
from contest.models import FilmKind, Level, Proposal, Submission
from contest.rules.phases import Phase
from contest.web.sharing.feeds import FEEDS
from tests.leaks.addresses import Address, Fillers, addresses
from tests.leaks.scene import NOW, Scene, Secret

ROLES = ("anonymous", "owner", "rival", "bot", "organiser")
LANGUAGES = ("en", "zh-hans")
# What ends a session or is Django's own and shows nothing of ours.
LEFT_OUT = ("admin/logout/", "admin/jsi18n/")
_WITH_ACTS = (PlayerAdmin, NameReportAdmin, RoundAdmin, SubmissionAdmin)
# A season, and the posts of the scene.
_SLUGS = (str(NOW.year), "everything-0", "everything-12", "draft", "nothing")
_PUBLISHED = (Phase.OPEN, Phase.CLOSED, Phase.FINAL)
_REVEALED = (Phase.CLOSED, Phase.FINAL)


@dataclass(frozen=True)
class Leak:
    """Who saw what where."""

    role: str
    address: str
    secret: Secret
    mark: str


def may_see(role: str, secret: Secret) -> bool:
    """Rule 7.4 as a table: written here a second time on purpose, beside `visibility`."""
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
        "claim": False,
        "token": False,
        "private question": owns or organises,
        "proposal": owns or organises,
        "staff note": organises,
        "vetting": organises,
        "study": secret.phase in _REVEALED,
        "question in play": False,
        "comment in play": owns or organises,
        "hidden comment": owns or organises,
        "deleted comment": False,
    }[secret.kind]


def leaks(scene: Scene, among: Sequence[Address] | None = None) -> Iterator[Leak]:
    """Everything that anybody sees and may not; of *among*, or of all addresses."""
    for role in ROLES:
        client = scene.client(role)
        hidden = [secret for secret in scene.secrets if not may_see(role, secret)]
        for address in _filled(scene, role, among):
            text = _answer(client, address)
            yield from (
                Leak(role, address, secret, mark) for secret in hidden for mark in secret.marks if plain(mark) in text
            )


def _filled(scene: Scene, role: str, among: Sequence[Address] | None = None) -> Iterator[str]:
    for address in addresses() if among is None else among:
        if address.pattern in LEFT_OUT:
            continue
        for filled in filter(_is_a_pair, address.filled(_fillers(scene, role, address))):
            if filled.startswith("/zh-hans/"):
                yield from (filled.replace("/zh-hans/", f"/{language}/", 1) for language in LANGUAGES)
            else:
                yield filled


def _is_a_pair(address: str) -> bool:
    """Whether a submission is asked for in its own round: that others answer 404 is tested once, not for each."""
    pair = re.search(r"/(?:rounds|replay)/(\d+)/(?:replays/)?(\d+)(?=[./])", address)
    submission = Submission.objects.filter(pk=pair[2]).select_related("round").first() if pair else None
    return pair is None or submission is None or submission.round.number == int(pair[1])


def _fillers(scene: Scene, role: str, address: Address) -> Fillers:
    """What stands in the places of an address. Receipts are secrets of their owners: nobody else tries them."""
    people = "players/" in address.pattern or "/me/" in address.pattern
    players = [player.pk for player in scene.players.values()]
    organises = role == "organiser"
    proposed = [proposal.pk for proposal in Proposal.objects.all()]
    collections = "collections/" in address.pattern
    return {
        "place": [1, 2, 99],
        "look": ["light", "nothing"],
        "author": [*(f"AuthorOf{phase}" for phase in scene.rounds), "AuthorOfProposal"],
        "number": [*players, 99] if people else [*(round_.number for round_ in scene.rounds.values()), 99],
        "slug": [f"name-of-{name}" for name in scene.players]
        if people
        else ["corridors", "twins", "nothing"]
        if collections
        else list(_SLUGS),
        "one": players[:2],
        "other": players[1:3],
        "slot": ["main"],
        "submission": [*Submission.objects.values_list("pk", flat=True), 99],
        "player": [*players, 99],
        "shape": ["card", "square", "nothing"],
        "section": ["pages", "rounds", "results", "levels", "players", "posts", "nothing"],
        "kind": ["sok", "xsb", "slc", "nothing"] if collections else [*FilmKind.values, "nothing"],
        "receipt_id": [*scene.receipts.get(role, []), "nothing"],
        "feed": [*FEEDS, "nothing"],
        "token": ["nothing"],
        "public_id": ["nothing"],
        "hook": [1],
        "delivery": [1],
        "object_id": list(range(1, 7)) if organises else [1],
        "pk": proposed
        if "propos" in address.pattern
        else list(range(1, 7))
        if organises or "comments/" in address.pattern
        else [1],
        "act": [act.name for act in (*PlayerAdmin.acts, *RoundAdmin.acts, *SubmissionAdmin.acts)]
        if organises
        else ["void"],
        "name": [
            act.name for act in (*PlayerAdmin.acts, *NameReportAdmin.acts, *RoundAdmin.acts, *SubmissionAdmin.acts)
        ]
        if organises
        else ["finalise"],
        "id": [1],
        "search_id": [*scene.questions, "nothing"],
        "metric": ["moves", "pushes", "nothing"],
        "key": [level.pk for level in Level.objects.all()],
        "content_type_id": [1],
        "app_label": ["contest", "auth"],
        "url": ["nothing/"],
        "rest": ["1/1/"],
    }


def _answer(client: Client, address: str) -> str:
    """Head and body of the answer in lower case, with floor in one spelling."""
    answer = client.get(address)
    body = answer.getvalue() if answer.streaming else answer.content
    head = "\n".join(f"{name}: {value}" for name, value in answer.items())
    text = f"{head}\n{body.decode('utf-8', 'replace')}"
    # What a page sends back of its own address, here or in the other language, is no leak of it.
    for language in LANGUAGES:
        text = text.replace(re.sub(r"^/(en|zh-hans)/", f"/{language}/", address), "")
    return plain(text)


def plain(text: str) -> str:
    """Lower case, floor in one spelling, numbers without commas between their digits."""
    return re.sub(r"(?<=\d),(?=\d{3})", "", text.replace(" ", "-").replace("_", "-").lower())
