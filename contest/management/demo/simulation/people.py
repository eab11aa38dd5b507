"""Players and programs that enter by the web form and by the API, as real ones do."""

from dataclasses import dataclass, field
from datetime import datetime
from random import Random

from django.conf import settings
from django.test import Client
from django.urls import reverse

from contest import players
from contest.infra import clock
from contest.models import League, Player
from contest.players import acts

_FIRST = ("山", "水", "Ada", "Jürgen", "小舟", "Zíka", "Ravi", "Mei", "Иван", "Noor")
_SECOND = ("客", "石", "Fox", "Stein", "云", "Rook", "Lin", "Quill", "Лес", "Bay")
_COUNTRIES = ("CN", "CN", "CN", "TW", "DE", "GB", "CZ", "IN", "RU", "NL", "")


class UnexpectedAnswer(Exception):
    """The site returned a status that no submission should get."""


@dataclass
class Person:
    """A player with a browser, or a program; *care* (0 to 1) is how carefully it solves."""

    nickname: str
    country: str
    care: float
    is_program: bool
    address: str
    claim: str = field(default="", repr=False)
    client: Client = field(default_factory=lambda: Client(SERVER_NAME=_host()), repr=False)

    def send(self, moves: str, at: datetime, *, round_: int, slot: str = "", practice: bool = False) -> bool:
        """Send *moves* at instant *at*; return whether they were stored. Raise UnexpectedAnswer."""
        with clock.set_to(at):
            send = self._through_the_api if self.is_program else self._through_the_form
            return send(moves, round_, slot, practice=practice)

    def _through_the_form(self, moves: str, round_: int, slot: str, *, practice: bool) -> bool:
        fields = {"nickname": self.nickname, "country": self.country, "moves": moves, "round": round_, "slot": slot}
        if practice:
            fields["practice"] = "1"
        answer = self.client.post(
            reverse("submit"), fields, REMOTE_ADDR=self.address, secure=settings.HTTPS, HTTP_ACCEPT_LANGUAGE="en"
        )
        return self._was_stored(answer.status_code, stored=302)

    def _through_the_api(self, moves: str, round_: int, slot: str, *, practice: bool) -> bool:
        body = {"nickname": self.nickname, "country": self.country, "moves": moves, "claim": self.claim}
        answer = self.client.post(
            reverse("api-submissions"),
            {**body, "round": round_, "slot": slot, "practice": practice},
            content_type="application/json",
            REMOTE_ADDR=self.address,
            secure=settings.HTTPS,
        )
        return self._was_stored(answer.status_code, stored=202)

    def _was_stored(self, status: int, *, stored: int) -> bool:
        if status == stored:
            return True
        if 400 <= status < 500 and status not in (403, 404):
            return False
        raise UnexpectedAnswer(f"{self.nickname}: {status}")


def people(random: Random, count: int, at: datetime) -> list[Person]:
    """Return *count* people with unused nicknames; every twentieth, including the first, is a program."""
    people_: list[Person] = []
    for number in range(count):
        is_program = number % 20 == 0
        person = Person(
            nickname=_free_nickname(random, is_program=is_program),
            country=random.choice(_COUNTRIES),
            care=random.random(),
            is_program=is_program,
            address=f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}",
        )
        people_.append(person)
        if is_program:
            _declare(person, at)
    return people_


def _free_nickname(random: Random, *, is_program: bool) -> str:
    while True:
        base = f"{random.choice(_FIRST)}{random.choice(_SECOND)}{random.randrange(10_000)}"
        nickname = f"bot {base}" if is_program else base
        if not Player.objects.filter(name_key=players.name_key(nickname)).exists():
            return nickname


def _declare(person: Person, at: datetime) -> None:
    """Create a program's player, as organisers do (rule 16.2)."""
    player, secret = players.create(person.nickname, country=person.country, email="", at=at)
    with clock.set_to(at):
        acts.correct_league(player, League.BOT, None, reason="simulated")
    person.claim = secret or ""


def _host() -> str:
    """Return a host name that the site accepts."""
    named = [host.removeprefix(".") for host in settings.ALLOWED_HOSTS if host != "*"]
    return named[0] if named else "localhost"
