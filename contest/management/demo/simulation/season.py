"""A season: rounds are announced, played, judged, ruled on, finalised and then practised, one after another."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random

from django.db.models import Min
from django.utils import timezone

from contest import judging, levels, results, rounds
from contest.infra import clock
from contest.judging import receipt_chain
from contest.management.demo.simulation.courses import Course, course
from contest.management.demo.simulation.people import Person, people
from contest.models import Level, Player, Round, Slot, Submission
from contest.models.round import default_settings
from contest.results import rulings
from contest.wording.bilingual import Reason
from solvers import sokoban

WEEK = timedelta(weeks=1)
# Longer seasons get shorter rounds, so that every season fits into a year.
_YEAR = timedelta(weeks=50)
_JUDGED_EVERY = 200
_WHY = Reason(zh="模拟的裁决", en="A simulated ruling")


@dataclass(frozen=True)
class Attempt:
    """A submission to send: its time, sender, moves and slot."""

    at: datetime
    person: Person
    moves: str
    slot: str = ""


@dataclass
class SeasonReport:
    """Counts of what happened in a season."""

    sent: int = 0
    stored: int = 0
    refused: int = 0
    judged: int = 0
    practised: int = 0
    rulings: int = 0
    revisions: int = 0
    numbers: list[int] = field(default_factory=list)


def first_opening(at: datetime) -> datetime:
    """Return an evening early in the latest year that lies before *at* and before every existing round."""
    earliest = Round.objects.aggregate(earliest=Min("opens_at"))["earliest"]
    before = timezone.localtime(min(at, earliest) if earliest else at)
    return before.replace(year=before.year - 1, month=1, day=4, hour=20, minute=0, second=0, microsecond=0)


class Season:
    """A season of *count* rounds from *opens_at* on; each iteration plays one round."""

    def __init__(self, *, opens_at: datetime, count: int, players: int, seed: int) -> None:
        self._random = Random(seed)  # noqa: S311 - a reproducible simulation, not a secret
        self._opens_at, self._count = opens_at, count
        self._length = min(WEEK, _YEAR / count)
        self._first_number = (Round.objects.order_by("-number").values_list("number", flat=True).first() or 0) + 1
        self._people = people(self._random, players, opens_at - 2 * WEEK)
        self._courses: dict[int, dict[str, Course]] = {}
        self.played = SeasonReport()

    def __iter__(self) -> Iterator[Round]:
        for place in range(self._count):
            round_ = self._announce(place)
            self._play(round_)
            self._finalise(round_, place)
            self._practise(place)
            round_.refresh_from_db()
            yield round_

    def _announce(self, place: int) -> Round:
        """Create the round as organisers do: draft, levels that pass the level check, announcement."""
        opens_at = self._opens_at + place * self._length
        at = opens_at - timedelta(days=1)
        number = self._first_number + place
        round_ = Round(
            number=number,
            title_zh=f"模拟第 {number} 期",
            title_en=f"Simulated {number}",
            opens_at=opens_at,
            closes_at=opens_at + self._length,
            settings={**default_settings(), **_settings(place)},
        )
        with clock.set_to(at):
            rounds.save(round_, at=at, by=None)
            self._courses[number] = dict(zip((Slot.MAIN, Slot.EXTRA), self._two(), strict=True))
            for slot, course in self._courses[number].items():
                self._add(round_, slot, course)
            announced = rounds.announce(round_, at=at, by=None)
        self.played.numbers.append(number)
        return announced

    def _two(self) -> tuple[Course, Course]:
        """Return two levels that are not the same when turned or mirrored: a round must not have both."""
        first, second = course(self._random), course(self._random)
        while sokoban.Level.parse(first.text).key == sokoban.Level.parse(second.text).key:
            second = course(self._random)
        return first, second

    def _add(self, round_: Round, slot: str, course: Course) -> None:
        title = f"{course.name} {round_.number}"
        passed = levels.check(course.text, course.solutions[0], title=title, author="Leitai", round_id=round_.pk)
        levels.fill(Level(round=round_, slot=slot, title=title, author="Leitai"), passed).save()

    def _play(self, round_: Round) -> None:
        attempts = sorted(self._attempts(round_), key=lambda attempt: attempt.at)
        for count, attempt in enumerate(attempts, 1):
            self._send(attempt, round_.number)
            if count % _JUDGED_EVERY == 0:
                self._judge(attempt.at)
        self._judge(round_.closes_at)

    def _attempts(self, round_: Round) -> Iterator[Attempt]:
        for person in self._people:
            if self._random.random() < 0.4:
                continue
            for _time in range(self._random.randint(1, 3)):
                slot = self._random.choice((Slot.MAIN, Slot.MAIN, Slot.EXTRA))
                moves = self._courses[round_.number][slot].attempt(self._random, person.care)
                yield Attempt(self._moment(round_), person, self._spoilt(moves), self._random.choice(("", slot)))
        # Too early and too late: both must be refused (rule 3.8).
        yield Attempt(round_.opens_at - timedelta(seconds=1), self._random.choice(self._people), "r")
        yield Attempt(round_.closes_at, self._random.choice(self._people), "r")

    def _moment(self, round_: Round) -> datetime:
        return round_.opens_at + self._random.random() * (round_.closes_at - round_.opens_at)

    def _spoilt(self, moves: str) -> str:
        """Return *moves*, mostly unchanged; some are cut short, run into something, or are no moves at all."""
        chance = self._random.random()
        if chance < 0.03:
            return moves[: len(moves) // 2]
        if chance < 0.05:
            return moves[: len(moves) // 2] + "u" * 40
        return "see attachment!" if chance < 0.06 else moves

    def _send(self, attempt: Attempt, number: int, *, practice: bool = False) -> bool:
        self.played.sent += 1
        stored = attempt.person.send(attempt.moves, attempt.at, round_=number, slot=attempt.slot, practice=practice)
        self.played.stored += stored
        self.played.refused += not stored
        return stored

    def _judge(self, at: datetime) -> None:
        with clock.set_to(at):
            self.played.judged += judging.judge_until_empty()
            receipt_chain.append_all()

    def _finalise(self, round_: Round, place: int) -> None:
        at = round_.closes_at + timedelta(hours=1)
        with clock.set_to(at):
            if place % 5 == 4:
                self._rule(round_, at)
            results.finalise(round_, at=at, by=None)
            if place % 10 == 9:
                self._rule(round_, at)
                results.revise(round_, _WHY, at=at, by=None)
                self.played.revisions += 1

    def _rule(self, round_: Round, at: datetime) -> None:
        """Void a submission and disqualify a player (rule 15)."""
        counted = list(Submission.objects.counted().filter(round=round_).order_by("number")[:50])
        if not counted:
            return
        rulings.void(self._random.choice(counted), _WHY, at=at, by=None)
        entered = Player.objects.filter(submissions__in=counted).exclude(disqualifications__round=round_)
        player = entered.distinct().order_by("pk").first()
        if player:
            rulings.disqualify(round_, player, _WHY, at=at, by=None)
        self.played.rulings += 1 + bool(player)

    def _practise(self, place: int) -> None:
        """Let a few players practise on rounds that are over (rule 20.1)."""
        at = self._opens_at + (place + 1) * self._length + timedelta(hours=2)
        for person in self._random.sample(self._people, min(3, len(self._people))):
            number = self._random.choice(self.played.numbers)
            slot = self._random.choice((Slot.MAIN, Slot.EXTRA))
            moves = self._courses[number][slot].attempt(self._random, person.care)
            self.played.practised += self._send(Attempt(at, person, moves, slot), number, practice=True)
        self._judge(at)


def _settings(place: int) -> dict[str, object]:
    """Return settings that differ between rounds."""
    settings_: dict[str, object] = {}
    if place % 4 == 3:
        settings_["scoring_levels"] = ["main", "extra"]
    if place % 7 == 6:
        settings_["leagues"] = "together"
    if place % 6 == 5:
        settings_["solutions_public"] = "at_final"
    return settings_
