"""A year, or some weeks, of two tracks that two series fill from queues, by the moved clock, beside the oracle."""

import os
from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from contest import judging
from contest.library import collection_import, queueing, series
from contest.models import MAIN, IntakeLevel, LuckyNumber, QueuedLevel, Round, Series, SeriesRound, Slot, Submission
from contest.rules.phases import Phase
from contest.rules.settings import RoundSettings
from solvers import sokoban
from tests.oracle import history, rulebook, texts
from tests.oracle.comparing import Comparison
from tests.oracle.playing import BEGINS, WEEK, Contest, clock_tick

pytestmark = [pytest.mark.django_db, pytest.mark.exhaustive]

DAY = timedelta(days=1)
# A year of 60 rounds is ORACLE_WEEKS=48; by default a quarter.
WEEKS = int(os.environ.get("ORACLE_WEEKS", "12"))
# By track: its rounds, in how many weeks one follows another, days it is open, first week, slots its queue is dealt to.
PLAN = {
    MAIN: (WEEKS // 3 - 1, 3, 14, 1, (Slot.MAIN, Slot.EXTRA)),
    "weekly": (WEEKS - 3, 1, 6, 2, (Slot.MAIN,)),
}
_SENT_IN_A_WEEK = 24


def boards(count: int) -> list[str]:
    """Boards with one box, and each of them again with wider and wider rooms: no two are one another turned."""
    base = [board for board in texts.BOARDS if board.count("$") == 1]
    return [_wider(base[number % len(base)], number // len(base)) for number in range(count)]


def _wider(board: str, columns: int) -> str:
    first, *rows, last = board.split("|")
    return "|".join([first + "#" * columns, *(row[:-1] + "-" * columns + "#" for row in rows), last + "#" * columns])


class Year:
    """Two series with a year's levels, and what the oracle knows of the rounds they made."""

    def __init__(self) -> None:
        self.contest = Contest(seed=7)
        self.compared = Comparison(self.contest.oracle)
        self.by_sha256: dict[str, str] = {}
        self.finished: list[int] = []
        organiser = User.objects.create(username="organiser")
        wanted = boards(sum(count * len(slots) for count, *_rest, slots in PLAN.values()))
        with self.contest.clock(BEGINS):
            for track, (count, weeks, days, first, slots) in PLAN.items():
                made = Series.objects.create(
                    name_zh=track,
                    name_en=track,
                    track_id=track,
                    every_weeks=weeks,
                    length_days=days,
                    days_ahead=3,
                    first_opens_at=BEGINS + first * WEEK,
                )
                own, wanted = wanted[: count * len(slots)], wanted[count * len(slots) :]
                self._queue(own, made, slots, organiser)

    def _queue(self, own: list[str], made: Series, slots: tuple[Slot, ...], by: User) -> None:
        """All levels of a series in one act, from a collection that was brought (rule 23.1)."""
        self.by_sha256 |= {sokoban.Level.parse(board).sha256: board for board in own}
        text = "\n".join(
            f"{board.replace('|', chr(10))}\n\nTitle: {made} {place}\nAuthor: Ann\nSolution:\n{texts.shortest(board)}\n"
            for place, board in enumerate(own, 1)
        )
        intake = collection_import.start(text.encode(), str(made), at=BEGINS, by=by)
        collection_import.work_on(intake)
        rows = IntakeLevel.objects.filter(intake=intake)
        planned = queueing.plan(rows, made, slots)
        collection_import.choose(intake, rows, {"is_confirmed": True}, by=by, queue=planned)
        collection_import.work_on(intake)
        assert QueuedLevel.objects.filter(series=made).count() == len(own)

    def play(self) -> None:
        for week in range(WEEKS):
            begins = BEGINS + week * WEEK
            midnights = [begins + day * DAY for day in range(7)]
            for at in self._times(begins, midnights):
                with self.contest.clock(at):
                    if at in midnights:
                        self._advance(at)
                    self._act(at)
            with self.contest.clock(begins + WEEK - clock_tick()):
                judging.judge_until_empty()
                self._finish()

    def _times(self, begins, midnights):
        """Each midnight, instants at random, and those at which rounds of this week open and close (rule 3.2)."""
        random = self.contest.random
        edges = [at for about in self.contest.oracle.rounds.values() for at in (about.opens_at, about.closes_at)]
        edges = [at + shift for at in edges for shift in (timedelta(), -clock_tick())]
        times = [*midnights, *(begins + random.random() * WEEK for _time in range(_SENT_IN_A_WEEK))]
        return sorted(times + [at for at in edges if begins <= at < begins + WEEK])

    def _advance(self, at) -> None:
        """What a worker does each minute; the oracle hears of the rounds that were made."""
        for one in Series.objects.filter(is_running=True):
            scoring = (["main"], ["main", "extra"], ["extra"]) if one.track_id == MAIN else (["main"],)
            told = self.contest._settings() | {"scoring_levels": self.contest.random.choice(scoring)}
            Series.objects.filter(pk=one.pk).update(settings=RoundSettings().as_json() | told)
        for round_ in series.advance(at):
            drawn = LuckyNumber.objects.get(round=round_)
            assert rulebook.commitment(round_.number, drawn.number, drawn.salt) == round_.commitment
            own = {level.slot: self.by_sha256[level.sha256] for level in round_.levels.all()}
            self.contest.boards[round_.number] = own
            levels = {slot: rulebook.board(board) for slot, board in own.items()}
            self.contest.oracle.rounds[round_.number] = history.Round(
                round_.number,
                round_.opens_at,
                round_.closes_at,
                levels,
                round_.settings,
                drawn.number,
                round_.track_id,
            )
            turns = SeriesRound.objects.filter(series__track=round_.track_id).exclude(round=None).count()
            if turns == PLAN[round_.track_id][0]:
                Series.objects.filter(track=round_.track_id).update(is_running=False)

    def _act(self, at) -> None:
        random = self.contest.random
        near = [about for about in self.contest.oracle.rounds.values() if about.number not in self.finished]
        if not near:
            return
        number = random.choice(near).number
        self.contest._send(Round.objects.get(number=number))
        if random.random() < 0.1:
            judging.judge_until_empty()
            self.contest.rule(number)

    def _finish(self) -> None:
        at = self.contest.at
        for number, about in self.contest.oracle.rounds.items():
            if number not in self.finished and about.closes_at <= at:
                self.compared.round(number, at)
                self.contest.finalise(number)
                self.compared.round(number, at)
                self.finished.append(number)
        if self.finished and self.contest.random.random() < 0.2:
            revised = self.contest.random.choice(self.finished)
            self.contest.rule(revised)
            self.contest.revise(revised)
            self.compared.round(revised, at)


def test_a_year_of_two_tracks_fills_itself_and_agrees_with_the_rulebook():
    """Rules 2.1, 2.6, 2.11, 2.12, 6.8, 9.1 to 14.5, 21.1, 23.1: nothing stands still, and all is what the rules say."""
    year = Year()
    year.play()
    at = BEGINS + WEEKS * WEEK
    with year.contest.clock(at):
        for track, (count, *_rest) in PLAN.items():
            assert [round_.phase(at) for round_ in Round.objects.filter(track=track)] == [Phase.FINAL] * count
        assert not SeriesRound.objects.exclude(troubles={}).exists()
        assert not Series.objects.exclude(fault="").exists()
        assert not QueuedLevel.objects.exists()
        assert not Submission.objects.waiting().exists()
        year.compared.sums(at)
    print(f"{sum(year.compared.made.values())} compared", dict(year.compared.made), dict(year.contest.acts))
