"""Notifications of a player (rule 27.6): derived from events and other rows on each request, never stored.

All of them are one query: each kind of news selects the same few columns, and the database merges them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import CharField, Exists, F, IntegerField, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Coalesce
from django.urls import reverse

from contest import visibility
from contest.models import (
    Best,
    CollectedLevel,
    Collection,
    Event,
    Level,
    LevelResult,
    Metric,
    Player,
    Post,
    Round,
    Star,
    Submission,
)
from contest.outreach.community import concerning, subjects
from contest.rankings import sort_keys, standings
from contest.rankings.sort_keys import KEYS
from contest.visibility import Viewer

DAYS = 30
MOST = 200
PASSED, BEST, ANSWERED = "passed", "best", "answered"
READ = "read"  # not news: until when a player has read it
OWN = concerning.KINDS
ANNOUNCED, OPENED, FINAL = Event.Kind.ANNOUNCED, Event.Kind.OPENED, Event.Kind.FINAL
_COLUMNS = ("kind", "at", "who", "round_number", "slot", "slug", "place", "title", "by", "reason")
_NO_WORD, _NO_NUMBER = Value("", output_field=CharField()), Value(0, output_field=IntegerField())


@dataclass(frozen=True)
class News:
    """One notification: *who* did it, with how many *others*, on which *level* or in which *round*."""

    kind: str
    at: datetime
    is_new: bool
    who: Player | int | None = None
    others: int = 0
    level: Level | CollectedLevel | None = None
    round: Round | None = None
    title: str = ""
    number: int = 0  # of a proposal, a submission or a player
    by: str = ""
    reason: str = ""

    @property
    def level_name(self) -> str:
        return (self.level.title or str(self.level)) if self.level else self.title

    @property
    def address(self) -> str:
        """Return the URL of the page about it."""
        if self.kind in concerning.ON_PROPOSALS:
            return reverse("proposal", args=[self.number])
        if self.kind in concerning.ON_SUBMISSIONS:
            return reverse("receipt", args=[self.by])
        if self.kind == concerning.PRIZE:
            return reverse("my_prizes", args=[self.number])
        target = self.talk if self.kind == ANSWERED else (self.level or self.round)
        return target if isinstance(target, str) else target.get_absolute_url() if target else ""

    @property
    def talk(self) -> str:
        """Return the URL of the discussion of the level or post."""
        return subjects.discussion_url(self.level or Post(slug=self.by))


def list_news(viewer: Viewer, user: object, at: datetime) -> list[News]:
    """Return the news of the viewer's own players, newest first; of the last 30 days, and each level once a kind."""
    news_items = _query_news(viewer, user, at)
    people = Player.objects.in_bulk({item.who for item in news_items if isinstance(item.who, int) and item.who})
    return [replace(item, who=people.get(item.who) if isinstance(item.who, int) else None) for item in news_items]


def count_unread(viewer: Viewer, user: object, at: datetime) -> int:
    """Return the number of unread notifications."""
    return sum(item.is_new for item in _query_news(viewer, user, at))


def mark_read(viewer: Viewer, at: datetime) -> None:
    """Mark everything before *at* as read."""
    Player.objects.filter(pk__in=viewer.players).exclude(told_at__gte=at).update(told_at=at)


def _query_news(viewer: Viewer, user: object, at: datetime) -> list[News]:
    if not viewer.players:
        return []
    first, *more = _sources(viewer, user, at)
    ordered = first.union(*more, all=True).order_by("-news_at", "news_kind", "news_who")[:MOST]
    rows = [dict(zip(_COLUMNS, row, strict=True)) for row in ordered]
    # Without such a row, everything that fits into the list is newer.
    since = max((row["at"] for row in rows if row["kind"] == READ), default=datetime.min.replace(tzinfo=UTC))
    return _merge_same(_build_news(row, since) for row in rows if row["kind"] != READ)


def _merge_same(rows: Iterable[News]) -> list[News]:
    """Merge the news of several players who passed the same player on one level into one, dated by the latest."""
    merged: dict[Any, list[News]] = {}
    for number, item in enumerate(rows):
        is_merged = item.level or item.kind == ANSWERED
        place = (item.address, item.who if item.kind != PASSED else "") if is_merged else number
        merged.setdefault((item.kind, place), []).append(item)
    return [replace(same[0], others=len({item.who for item in same}) - 1) for same in merged.values()]


def _build_news(row: dict[str, Any], since: datetime) -> News:
    round_ = Round(number=row["round_number"]) if row["round_number"] else None
    level: Level | CollectedLevel | None = None
    if row["slot"]:
        level = Level(round=round_, slot=row["slot"], title=row["title"])
    elif row["slug"]:
        collection = Collection(slug=row["slug"])
        level = CollectedLevel(collection=collection, place=row["place"], title=row["title"])
    shared = {"title": row["title"], "number": row["place"], "by": row["by"], "reason": row["reason"]}
    return News(row["kind"], row["at"], row["at"] > since, row["who"], 0, level, round_, **shared)


# Queries


def _sources(viewer: Viewer, user: object, at: datetime) -> Iterable[QuerySet[Any]]:
    """Yield one query for each kind of news, all with the same columns."""
    since = at - timedelta(days=DAYS)
    players = Player.objects.annotate(read_at=Coalesce("told_at", "created_at"))
    last_read = players.filter(pk__in=viewer.players).order_by("-read_at").values("pk")[:1]
    yield _rows(players.filter(pk__in=last_read), READ, at="read_at")
    stars = Star.objects.filter(player__in=viewer.players)
    people = stars.exclude(followed=None).values(living=Coalesce("followed__merged_into", "followed"))
    yield _rows(_rounds(viewer, at).filter(at__gt=since), F("kind"), at="at", round_="round")
    followed = Q(submission__player__in=people) | Q(submission__level__in=stars.exclude(level=None).values("level"))
    leads = _leads(viewer, at).filter(followed, at__gt=since)
    yield _rows(leads, BEST, at="at", player="submission__player", level="submission__level", by=F("by"))
    followed = Q(player__in=people) | Q(level__in=stars.exclude(collected=None).values("collected"))
    for metric in Metric:
        bests = _passed_in_rounds(viewer, metric, at).filter(received_at__gt=since)
        yield _rows(bests, PASSED, at="received_at", player="player", level="level")
        results = LevelResult.objects.filter(level__is_public=True, received_at__gt=since)
        results = results.filter(**{f"is_best_by_{metric}": True}).exclude(player__in=viewer.players)
        shared = {"at": "received_at", "player": "player", "collected": "level"}
        yield _rows(_passed_in_collections(results, viewer, metric), PASSED, **shared)
        firsts = results.filter(followed).exclude(Exists(_ahead(metric)))
        yield _rows(firsts, BEST, **shared, by=Value(metric.value, output_field=CharField()))
    for rows, kind, columns in concerning.sources(viewer, user, since):
        yield _rows(rows, kind, **columns)
    answers = visibility.comments(Viewer(), at).filter(answers__player__in=viewer.players, written_at__gt=since)
    answers = answers.exclude(player__in=viewer.players)
    for name in ("level", "collected"):
        rows = answers.exclude(**{name: None})
        yield _rows(rows, ANSWERED, at="written_at", player="player", **{name: name})
    title, under_posts = concerning.localised("post__title"), answers.exclude(post=None)
    yield _rows(under_posts, ANSWERED, at="written_at", player="player", by=F("post__slug"), title=title)


def _rows(
    queryset: QuerySet[Any],
    kind: Any,
    *,
    at: str,
    player: str = "",
    level: str = "",
    collected: str = "",
    round_: str = "",
    **more: Any,
) -> QuerySet[Any]:
    """Return *queryset* with the columns that all news has; the arguments name the fields to read them from."""
    number = f"{level}__round__number" if level else f"{round_}__number" if round_ else ""
    columns: dict[str, Any] = {
        "kind": Value(kind, output_field=CharField()) if isinstance(kind, str) else kind,
        "at": F(at),
        "who": F(f"{player}__pk") if player else _NO_NUMBER,
        "round_number": F(number) if number else _NO_NUMBER,
        "slot": F(f"{level}__slot") if level else _NO_WORD,
        "slug": F(f"{collected}__collection__slug") if collected else _NO_WORD,
        "place": F(f"{collected}__place") if collected else _NO_NUMBER,
        "title": F(f"{level or collected}__title") if level or collected else _NO_WORD,
        "by": _NO_WORD,
        "reason": _NO_WORD,
        **more,
    }
    annotated = queryset.order_by().annotate(**{f"news_{name}": columns[name] for name in _COLUMNS})
    rows: QuerySet[Any] = annotated.values_list(*(f"news_{name}" for name in _COLUMNS))
    return rows


def _rounds(viewer: Viewer, at: datetime) -> QuerySet[Event]:
    standing = visibility.rounds(viewer, at).exclude(cancelled_at__lte=at).order_by()
    return Event.objects.filter(kind__in=(ANNOUNCED, OPENED, FINAL), at__lte=at, round__in=standing.values("pk"))


def _leads(viewer: Viewer, at: datetime) -> QuerySet[Event]:
    """Return events of other players taking the lead of a ranking, by submissions that still count."""
    counted = visibility.counted_submissions(viewer, at).order_by().values("pk")
    leads = Event.objects.filter(kind=Event.Kind.BEST, submission__in=counted)
    return leads.exclude(submission__player__in=viewer.players)


def _passed_in_rounds(viewer: Viewer, metric: Metric, at: datetime) -> QuerySet[Best]:
    """Bests that passed the viewer's: boards are public once open (rule 7.4); programs pass programs (rule 16.4)."""
    public = visibility.levels(viewer, at).filter(voided_at=None).order_by()
    bests = Best.objects.filter(board__in=standings.SOLVED_ON, metric=metric)
    own_bests = bests.filter(player__in=viewer.players)
    other_bests = bests.filter(level__in=public.values("pk")).exclude(player__in=viewer.players)
    earlier = Submission.objects.accepted().filter(voided_at=None)
    own_in_league = own_bests.filter(league=OuterRef("league"))
    return _filter_passing(
        other_bests.filter(level__in=own_bests.values("level")), own_in_league, earlier, ("first", "second"), metric
    )


def _passed_in_collections(results: QuerySet[LevelResult], viewer: Viewer, metric: Metric) -> QuerySet[LevelResult]:
    own_results = LevelResult.objects.filter(player__in=viewer.players, **{f"is_best_by_{metric}": True})
    other_results = results.filter(level__in=own_results.values("level"))
    return _filter_passing(other_results, own_results, LevelResult.objects.all(), KEYS[metric][:2], metric)


def _filter_passing(
    others: QuerySet[Any], own: QuerySet[Any], earlier: QuerySet[Any], names: Sequence[str], metric: Metric
) -> QuerySet[Any]:
    """Return the rows of *others* that came after a row of *own* and beat it, and beat every other row of *own*.

    A player who already had a better result, among *earlier*, when the own row came has passed nobody.
    """
    own = own.filter(level=OuterRef("level")).order_by()
    is_beaten = sort_keys.behind(names, OuterRef)
    counts = KEYS[metric][:2]
    own_counts = dict(zip(counts, map(OuterRef, names), strict=True))
    before = earlier.filter(
        sort_keys.ahead(counts, own_counts.__getitem__),
        level=OuterRef("level"),
        player=OuterRef(OuterRef("player")),
        received_at__lt=OuterRef("received_at"),
    )
    beaten = own.filter(is_beaten, ~Exists(before.order_by()), received_at__lt=OuterRef("received_at"))
    return others.filter(Exists(beaten)).exclude(Exists(own.filter(~is_beaten)))


def _ahead(metric: Metric) -> QuerySet[LevelResult]:
    """Return results ranked ahead of the outer query's (rule 8.4)."""
    bests = LevelResult.objects.filter(level=OuterRef("level"), **{f"is_best_by_{metric}": True})
    return bests.filter(sort_keys.ahead(KEYS[metric], OuterRef)).order_by()
