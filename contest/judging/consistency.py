"""Check all boards against their submissions and all verdicts against a replay. Changes nothing."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from contest.judging import outcomes
from contest.models import Best, Disqualification, Level, Round, State, Submission, Verdict, Verification

Place = tuple[str, str, int]
Key = tuple[int, int, datetime, int]
_READ = ("level", "player", "verdict", "is_practice", "is_hors_concours", "moves", "pushes", "received_at")


@dataclass(frozen=True)
class Difference:
    """A stored value that differs from the computed one, described for the operator."""

    what: str
    stored: object
    computed: object

    def __str__(self) -> str:
        return f"{self.what}: stored {self.stored}, computed {self.computed}"


def board(level: Level) -> Iterator[Difference]:
    """Compare the best rows of *level* with its submissions, read one by one (rules 1.7, 8.4)."""
    yield from _boards(level.round_id, [level])


def boards(round_: Round) -> Iterator[Difference]:
    """Compare the best rows of all levels of *round_*. Four queries."""
    yield from _boards(round_.pk, list(round_.levels.all()))


def _boards(round_id: int, levels: Collection[Level]) -> Iterator[Difference]:
    rulings = Disqualification.objects.filter(round=round_id, lifted_at=None)
    # Rule 4.13: a merged name brings its disqualification along.
    out = {key for pair in rulings.values_list("player", "player__merged_into") for key in pair}
    bests: dict[int, list[Best]] = {level.pk: [] for level in levels}
    rows: dict[int | None, list[Submission]] = {level.pk: [] for level in levels}
    for best in Best.objects.filter(level__in=levels):
        bests[best.level_id].append(best)
    for row in Submission.objects.filter(level__in=levels, voided_at=None).only(*_READ):
        rows[row.level_id].append(row)
    for level in levels:
        yield from _compare(level, bests[level.pk], _obvious(rows[level.pk], out))


def _compare(level: Level, bests: Iterable[Best], computed: Mapping[Place, Key]) -> Iterator[Difference]:
    stored = {
        (best.board, best.metric, best.player_id): (best.first, best.second, best.received_at, best.submission_id)
        for best in bests
    }
    for place in sorted(stored.keys() | computed.keys()):
        if stored.get(place) != computed.get(place):
            name, metric, player = place
            what = f"{level}, {name} board by {metric}, player {player}"
            yield Difference(what, stored.get(place), computed.get(place))


def _obvious(rows: Iterable[Submission], out: Collection[int | None]) -> dict[Place, Key]:
    """Compute the best rows straight from the rules, sharing no code with the module that maintains them.

    Players in *out* are disqualified.
    """
    counted = [row for row in rows if row.is_practice or not (row.is_hors_concours or row.player_id in out)]
    solvers = {row.player_id for row in counted if row.verdict == Verdict.ACCEPTED and not row.is_practice}
    best: dict[Place, Key] = {}
    for row in counted:
        name = _board_of(row, solvers)
        if name is None or row.moves is None or row.pushes is None:
            continue
        by_moves = (row.moves, row.pushes, row.received_at, row.number)
        by_pushes = (row.pushes, row.moves, row.received_at, row.number)
        for metric, key in (("moves", by_moves), ("pushes", by_pushes)):
            place = (name, metric, row.player_id)
            best[place] = min(best.get(place, key), key)
    return best


def _board_of(row: Submission, solvers: set[int]) -> str | None:
    if row.verdict == Verdict.ACCEPTED:
        return "practice" if row.is_practice else "contest"
    # Rule 13.6: solving a level ends the player's spectator results on it.
    is_spectator = row.verdict == Verdict.SPECTATOR and not row.is_practice and row.player_id not in solvers
    return "spectator" if is_spectator else None


def records() -> Iterator[Difference]:
    """Check that every judged submission has a verification record, and that no waiting one does."""
    recorded = Verification.objects.values("submission")
    for number in Submission.objects.filter(state=State.JUDGED).exclude(pk__in=recorded).values_list("pk", flat=True):
        yield Difference(f"submission {number}", "a verdict", "no record of its judging")
    waiting = Submission.objects.exclude(state=State.JUDGED).filter(pk__in=recorded)
    for number in waiting.values_list("pk", flat=True):
        yield Difference(f"submission {number}", "waiting", "a record of its judging")


def verdicts() -> Iterator[tuple[Submission, list[Difference]]]:
    """Replay every judged submission; yield each with its differences from the stored verdict."""
    levels: dict[int, list[Level]] = {}
    judged = (
        Submission.objects.filter(state=State.JUDGED).replayable().select_related("round", "level").order_by("number")
    )
    for submission in judged.iterator(chunk_size=200):
        if submission.round_id not in levels:
            levels[submission.round_id] = outcomes.levels_in_order(submission.round_id)
        fields = outcomes.outcome_of(submission, levels[submission.round_id]).fields
        names = ("verdict", "level", "moves", "pushes", "lurd")
        yield (
            submission,
            [
                Difference(f"submission {submission.number}, {name}", getattr(submission, name), fields[name])
                for name in names
                if getattr(submission, name) != fields[name]
            ],
        )
