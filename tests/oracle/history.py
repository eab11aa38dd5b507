"""Results of rounds, submissions, rulings and merges, computed only from the rules."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

from . import rulebook
from .rulebook import SLOTS, Board, Result, Settings, Total

_NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass
class Submission:
    """A stored text (rule 1.6); *name* is the key of the name that sent it."""

    number: int
    round: int
    name: str
    text: str
    named: str
    at: datetime
    judged: rulebook.Judged
    is_void: bool = False
    is_sealed: bool = False


@dataclass(frozen=True)
class Results:
    """A document of results: the tables of rule 14.3, with players by their names at its creation."""

    rankings: Mapping[str, rulebook.Rankings]
    points: list[Total]
    champions: Mapping[str, str | None]
    candidates: list[str]
    lucky: str | None
    kept_from: int | None
    leagues: Mapping[str, str]

    def firsts(self, player: str, metric: str, settings: Settings) -> int:
        """Rule 21.1: first places on the scoring levels, in the ranking that gives points."""
        ranked = self.rankings.get("all" if settings["leagues"] == "together" else "human", {})
        first = [ranked[slot][metric][0].player for slot in settings["scoring_levels"] if slot in ranked]
        return first.count(player)


def numbers_of(rankings: Mapping[str, rulebook.Rankings]) -> dict[str, Any]:
    return {
        league: {slot: {by: [one.number for one in ranked] for by, ranked in both.items()} for slot, both in of.items()}
        for league, of in rankings.items()
    }


@dataclass
class Round:
    number: int
    opens_at: datetime
    closes_at: datetime
    levels: Mapping[str, Board]
    settings: Settings
    lucky: int
    track: str = "main"
    beacon: str | None = None
    void_slots: set[str] = field(default_factory=set)
    rulings: dict[int, str] = field(default_factory=dict)  # active disqualifications, with their names
    is_cancelled: bool = False
    published: list[Results] = field(default_factory=list)


@dataclass(frozen=True)
class Sum:
    """A player's sums over final rounds (rules 9.7, 21)."""

    rounds: int
    points: Fraction
    titles: Mapping[str, int]
    first: int
    last: int


class History:
    """The contest according to the rules. Report events to it in the order in which they happen."""

    def __init__(self) -> None:
        self.rounds: dict[int, Round] = {}
        self.sent: dict[int, Submission] = {}
        self.leads_to: dict[str, str] = {}
        self.league: dict[str, str] = {}
        self.sealed: dict[int, Any] = {}

    def person(self, name: str) -> str:
        """Rule 4.13: the remaining name."""
        while name in self.leads_to:
            name = self.leads_to[name]
        return name

    # Submitting (rules 5, 6.8)

    def refusal(self, round_: int, at: datetime) -> str | None:
        """Rules 3.2, 3.8, 7.10."""
        about = self.rounds[round_]
        if at < about.opens_at:
            return "early"
        return "late" if at >= about.closes_at or about.is_cancelled else None

    def find_round(self, text: str, slot: str, at: datetime) -> int | str:
        """Rule 6.8: the round for a text that names none, or the reason for its refusal."""
        is_open = [about for about in self.rounds.values() if self.refusal(about.number, at) is None]
        if not is_open:
            return "no_round"
        having = [about for about in is_open if not slot or slot in about.levels]
        if not having:
            return "no_level"
        having.sort(key=lambda about: (about.track != "main", about.track))
        for about in having:
            if rulebook.judge(about.levels, text, slot, about.settings).verdict == "accepted":
                return about.number
        return having[0].number

    def same(self, round_: int, name: str, text: str, named: str) -> int | None:
        """Rule 5.6: the first submission of the same text."""
        wanted = (round_, self.person(name), text, named)
        numbers = (s.number for s in self.sent.values() if (s.round, self.person(s.name), s.text, s.named) == wanted)
        return min(numbers, default=None)

    def submit(self, number: int, round_: int, name: str, text: str, named: str, at: datetime) -> None:
        about = self.rounds[round_]
        judged = rulebook.judge(about.levels, text, named, about.settings)
        self.sent[number] = Submission(number, round_, name, text, named, at, judged)
        self.league.setdefault(name, "human")

    # Sealed answers (rules 5.11 to 5.13)

    def seal_refusal(self, round_: int, slot: str, at: datetime) -> str | None:
        about = self.rounds[round_]
        if refusal := self.refusal(round_, at):
            return refusal
        if not about.settings["sealed_answers"]:
            return "no_sealed_answers"
        return "void_level" if slot in about.void_slots else None

    def opening_refusal(self, sealed: Any, text: str, at: datetime) -> str | None:
        """Rule 5.13: within a day after the close, with exactly this text and its counts; again is the same receipt."""
        about = self.rounds[sealed.round]
        if text != sealed.text:
            return "not_sealed"
        if about.is_cancelled:
            return "late"
        if not about.closes_at <= at < about.closes_at + timedelta(days=1):
            return "early" if at < about.closes_at else "late"
        if sealed.submission is not None:
            return None
        if sealed.slot in about.void_slots:
            return "void_level"
        played = rulebook.play(about.levels[sealed.slot], sealed.moves)
        counts = len(played.steps), sum(step.isupper() for step in played.steps)
        return None if counts == sealed.counts else "other_counts"

    def open(self, sealed: Any, number: int) -> None:
        """Rule 5.13: a submission received when it was sealed."""
        about = self.rounds[sealed.round]
        judged = rulebook.judge(about.levels, sealed.moves, sealed.slot, about.settings)
        sealed.submission = number
        self.sent[number] = Submission(
            number, sealed.round, sealed.name, sealed.text, sealed.slot, sealed.at, judged, is_sealed=True
        )
        self.league.setdefault(sealed.name, "human")

    # Counted submissions (rule 1.7)

    def counted(self, round_: int, verdict: str = "accepted") -> Iterable[tuple[Submission, Result]]:
        about = self.rounds[round_]
        disqualified = {self.person(name) for name in about.rulings.values()}
        for submission in self.sent.values():
            player, judged = self.person(submission.name), submission.judged
            if (submission.round, judged.verdict, submission.is_void) != (round_, verdict, False):
                continue
            if judged.slot not in about.void_slots and player not in disqualified:
                yield submission, Result(submission.number, player, judged.moves, judged.pushes, submission.at)

    def on_board(self, round_: int, league: str, slot: str, verdict: str = "accepted") -> list[Result]:
        """Rules 13.5, 13.6, 16.4: the results in a level's rankings."""
        solved: set[str] = set()
        if verdict == "spectator":
            solved = {result.player for sent, result in self.counted(round_) if sent.judged.slot == slot}
        return [
            result
            for sent, result in self.counted(round_, verdict)
            if sent.judged.slot == slot
            and result.player not in solved
            and league in ("all", self.league[result.player])
        ]

    def rankings(self, round_: int, verdict: str = "accepted") -> dict[str, rulebook.Rankings]:
        """Rule 16.4: by league, slot and metric."""
        together = self.rounds[round_].settings["leagues"] == "together"
        by_league: dict[str, rulebook.Rankings] = {}
        for league in ("all",) if together else ("human", "bot"):
            boards = {slot: self.on_board(round_, league, slot, verdict) for slot in SLOTS}
            ranked = {
                slot: {metric: rulebook.ranking(results, order) for metric, order in rulebook.ORDERS.items()}
                for slot, results in boards.items()
                if results
            }
            if ranked:
                by_league[league] = ranked
        return by_league

    # Results (rules 9 to 11, 14)

    def results(self, round_: int) -> Results:
        """Return the published results, or those of the next publication (rules 14.1, 14.5)."""
        about = self.rounds[round_]
        nobody: dict[str, str | None] = {"moves": None, "pushes": None, "second": None}
        if about.is_cancelled:
            return Results({}, [], nobody, [], None, None, {})
        rankings = self.rankings(round_)
        scoring = rankings.get("all" if about.settings["leagues"] == "together" else "human", {})
        totals, champions = rulebook.points(scoring, about.settings), rulebook.champions(scoring, about.settings)
        lucky, kept_from, candidates = None, None, []
        if about.settings["lucky"]:
            seats = set(champions.values())
            candidates = [total.player for total in totals if total.player not in seats]
            retained = self._retained_player(about, seats)
            if retained:
                kept_from, lucky = retained
            elif about.settings.get("lucky_beacon", "none") == "none" or about.beacon:
                lucky = rulebook.draw(rulebook.dividend(about.lucky, about.beacon), candidates)
        ranked = {r.player for of in rankings.values() for both in of.values() for rs in both.values() for r in rs}
        leagues = {player: self.league[player] for player in ranked | ({lucky} if lucky else set())}
        return Results(rankings, totals, champions, candidates, lucky, kept_from, leagues)

    def _retained_player(self, about: Round, seats: set[str | None]) -> tuple[int, str] | None:
        """Rule 14.5: the earliest player ever drawn who is still eligible."""
        if about.settings["lucky_on_revision"] == "redraw":
            return None
        disqualified = {self.person(name) for name in about.rulings.values()}
        for revision, published in enumerate(about.published, 1):
            if published.lucky and published.kept_from is None:
                player = self.person(published.lucky)
                if player not in disqualified | seats:
                    return revision, player
        return None

    def publish(self, round_: int) -> Results:
        """Rules 14.2 to 14.4."""
        results = self.results(round_)
        self.rounds[round_].published.append(results)
        return results

    # Sums (rules 4.13, 9.7, 21)

    def _final(self, belongs: Callable[[Round], bool]) -> Iterator[tuple[Round, Results, dict[str, Fraction]]]:
        """Yield the final rounds, with their last results and each name's points in them."""
        for about in self.rounds.values():
            if about.published and not about.is_cancelled and belongs(about):
                last = about.published[-1]
                yield about, last, {total.player: total.by_moves + total.by_pushes for total in last.points}

    def sums(self, league: str, belongs: Callable[[Round], bool]) -> dict[str, Sum]:
        """Return the hall of fame of a track, or a season, over the rounds that belong to it."""
        scored: dict[str, dict[int, Fraction]] = {}
        titles: dict[str, dict[str, set[int]]] = {}
        for about, last, of in self._final(belongs):
            held = {"mmc": last.champions["moves"], "mpc": last.champions["pushes"], "second": last.champions["second"]}
            for name in (name for name, of_league in last.leagues.items() if of_league == league):
                player = self.person(name)
                rounds = scored.setdefault(player, {})
                rounds[about.number] = max(rounds.get(about.number, Fraction()), of.get(name, Fraction()))
                for title, holder in {**held, "lucky": last.lucky}.items():
                    if holder == name:
                        titles.setdefault(player, {}).setdefault(title, set()).add(about.number)
        counted = {
            player: {title: len(titles.get(player, {}).get(title, ())) for title in ("mmc", "mpc", "second", "lucky")}
            for player in scored
        }
        return {
            player: Sum(len(rounds), sum(rounds.values(), Fraction()), counted[player], min(rounds), max(rounds))
            for player, rounds in scored.items()
        }

    def places(self, league: str, belongs: Callable[[Round], bool]) -> dict[str, int]:
        """Rule 21.1: the places of a season, shared by players equal in everything."""
        keys: dict[str, tuple[Any, ...]] = {}
        for player, total in self.sums(league, belongs).items():
            firsts, first_point = Counter[str](), _NEVER
            for about, last, of in self._final(belongs):
                names = [name for name in last.leagues if self.person(name) == player]
                if names:
                    best = max(of.get(name, Fraction()) for name in names)
                    scorer = next(name for name in names if of.get(name, Fraction()) == best)
                    firsts.update({metric: last.firsts(scorer, metric, about.settings) for metric in rulebook.ORDERS})
                    first_point = min(first_point, about.closes_at) if best else first_point
            keys[player] = (-total.points, -firsts["moves"], -firsts["pushes"], first_point)
        return {player: 1 + sum(other < key for other in keys.values()) for player, key in keys.items()}
