"""A contest to look at: a finished round with results, an open one to enter, and one that is announced.

Everything goes through the same doors and acts as the real thing, so what it shows is what the site does.
"""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth import get_user_model
from django.db import transaction

from contest import judging, levels, results, rounds
from contest.demo import own_levels
from contest.infra import clock
from contest.models import Door, Level, Round, Slot
from contest.models.round import default_settings
from contest.rounds import lucky_number
from contest.submissions import Entry, accept
from contest.wording.bilingual import Reason
from solvers.sokoban.rebuild import level_of

ORGANISER = "organiser"
LENGTH = timedelta(weeks=3)
_NEW_ROUND = Reason(zh="示例另开一期。", en="The demo opens a new round instead.")
_MARK = {"demo": True}  # in the settings of a round: ours to add to


@dataclass(frozen=True)
class Board:
    """A level of the demo; without a *text*, the level its solution tells."""

    title: str
    solution: str
    author: str = "Leitai"
    text: str = ""


# The seven-box member of the box ladder, as it circulates among players: 306 moves, 102 pushes.
LADDER = Board(
    "七箱 · Seven boxes",
    "ldDDRUldDDRUdddlUluRurrrddLLUdrruulDlddlUluRuuurrDDLUrdrddLLUlldRdrUrruulDuullDDRUdddlUluRurrrddLLUdrruulDlddlUluR"
    "uuuuurrDDLUrdDDLUrdrddLLUlldRdrUrruulDuullDDRUdddlUluRurrrddLLUlldRdrUrruulDuuuullDDRUldDDRUdddlUluRurrrddLLUdrru"
    "ulDlddlUluRuuurrDDLUdrrddLLUlldRdrUrruulDuullDDRUdddlUluRurrrddLLUlldRdrUrruulD",
    author="佚名 · unknown",
)
WELL = Board(
    "水井 · The well",
    "UlURRurDDuluulllDurDDrddllluuR",
    text="-######-|-#----##|##$-#--#|#--*---#|#-#.$#-#|#---@-.#|########",
)
LANE = Board("小巷 · The lane", "lulDrrrurD", text="#########|#---#---#|#-$-@-$-#|#-.-#-.-#|#########")
STEPS = Board("台阶 · The steps", "ululDDuulldRurD", text="######--|#----###|#-$$---#|##-.#@-#|-#-.---#|-#######")
GATE = Board(
    "门 · The gate",
    "LddrruruuulllldDrrRllluurrrrdDllU",
    text="#######-|#--.--#-|#-#$#-##|#-$@$--#|#.-#-.-#|##-----#|-#######",
)
POND = Board(
    "池塘 · The pond", "lluRRluuRurDurrdL", text="-#######|-#-----#|##-$.$-#|#--#.#-#|#-$-.--#|#--@-###|######--"
)

# Who sent what how long after the opening. In The well the fewest moves and the fewest pushes are two solutions.
_SENT = (
    ("山水", "cn", timedelta(hours=2), Slot.MAIN, "rlUlURRurDDuluulllDurDDrddllluuR"),
    ("山水", "cn", timedelta(hours=3), Slot.EXTRA, "lulDrrrurD"),
    ("Ada", "gb", timedelta(hours=5), Slot.MAIN, "UlURR"),
    ("Ada", "gb", timedelta(hours=6), Slot.MAIN, "rruullDldRuuruulllDrDrddRlllluuR"),
    ("推箱客", "cn", timedelta(days=1), Slot.MAIN, "UlURRurDDuluulllDurDDrddllluuR"),
    ("推箱客", "cn", timedelta(days=1, minutes=2), Slot.EXTRA, "rurDlllulD"),
    ("Jürgen", "de", timedelta(days=3), Slot.MAIN, "UUU"),
    ("Jürgen", "de", timedelta(days=3, minutes=9), Slot.EXTRA, "lrlulDrrrurD"),
    ("Ada", "gb", timedelta(days=8), Slot.EXTRA, "lulDrrrurD"),
    ("小舟", "tw", timedelta(days=13), Slot.MAIN, "UlURRurDDuululllDurDDrddllluuR"),
    ("山水", "cn", timedelta(days=20), Slot.MAIN, "rruullDldRuuruulllDrDrddRlllluuR"),
)


@dataclass(frozen=True)
class Loaded:
    """What was done: *password* where the organiser's account is new, *levels* of our own where they are."""

    added: tuple[int, ...] = ()
    levels: int = 0
    password: str = ""


def load(at: datetime) -> Loaded:
    """See to it that a round is open at *at*, unless the rounds are somebody's own. Any number of times."""
    if not _is_wanted(at):
        return Loaded()
    with transaction.atomic():
        rounds.hold_calendar()
        if not _is_wanted(at):  # somebody else was quicker
            return Loaded()
        published = own_levels.publish(at)
        if not Round.objects.exists():
            return Loaded(_first_rounds(at), published, _organiser())
        return Loaded(_more_rounds(at), published)


def _is_wanted(at: datetime) -> bool:
    """Whether all rounds are the demo's and none is open; there may be none at all."""
    known = list(Round.objects.all())
    return all(_MARK.items() <= round_.settings.items() for round_ in known) and not any(
        _is_open(round_, at) for round_ in known
    )


def _is_open(round_: Round, at: datetime) -> bool:
    return rounds.is_opened(round_, at) and not rounds.is_closed(round_, at) and not round_.cancelled_at


def _first_rounds(at: datetime) -> tuple[int, ...]:
    closed = _round(1, at - timedelta(days=30), at - timedelta(days=9), "热身赛", "Warm-up", WELL, LANE)
    _play(closed)
    with clock.set_to(closed.closes_at + timedelta(days=1)):
        results.finalise(closed, at=clock.now(), by=None)
    _open_and_next(2, at - timedelta(days=2), at)
    return 1, 2, 3


def _more_rounds(at: datetime) -> tuple[int, ...]:
    """After the last demo round has closed, or in place of one that waits: there is always an open round."""
    for round_ in Round.objects.filter(opens_at__gt=at, cancelled_at=None):
        rounds.cancel(round_, _NEW_ROUND, at=at, by=None)
    last = Round.objects.order_by("-number")[0].number
    latest = max(round_.closes_at for round_ in Round.objects.all() if round_.closes_at <= at)
    _open_and_next(last + 1, max(latest, at - timedelta(days=2)), at)
    return last + 1, last + 2


def _open_and_next(number: int, opens_at: datetime, at: datetime) -> None:
    """A round that is open at *at* and has no submission, and one that opens when it closes."""
    closes_at = at + LENGTH
    _round(number, opens_at, closes_at, "七个箱子", "Seven boxes", LADDER, STEPS)
    _round(number + 1, closes_at, closes_at + LENGTH, "门与池塘", "Gate and pond", GATE, POND)


def _round(
    number: int, opens_at: datetime, closes_at: datetime, title_zh: str, title_en: str, main: Board, extra: Board
) -> Round:
    round_ = Round(
        number=number,
        title_zh=title_zh,
        title_en=title_en,
        announced_at=opens_at - timedelta(weeks=4),
        opens_at=opens_at,
        closes_at=closes_at,
        settings={**default_settings(), **_MARK},
    )
    lucky_number.save_committed(round_)
    for slot, board in ((Slot.MAIN, main), (Slot.EXTRA, extra)):
        text = board.text or level_of(board.solution).published_text
        passed = levels.check(text, board.solution, title=board.title, author=board.author, round_id=round_.pk)
        levels.fill(Level(round=round_, slot=slot, title=board.title, author=board.author), passed).save()
    return round_


def _play(round_: Round) -> None:
    """Let the demo's players enter and be judged, each at their time."""
    claims: dict[str, str] = {}
    for nickname, country, after, slot, moves in _SENT:
        with clock.set_to(round_.opens_at + after):
            entry = Entry(nickname, moves, country, round=round_.number, slot=slot, claim=claims.get(nickname, ""))
            receipt = accept(entry, door=Door.WEB)
            judging.judge_until_empty()
        claims.setdefault(nickname, receipt.claim or "")


def _organiser() -> str:
    """Make the organiser's account and return its password; an account that is there stays as it is."""
    users = get_user_model().objects
    if users.filter(username=ORGANISER).exists():
        return ""
    password = secrets.token_urlsafe(12)
    users.create_superuser(ORGANISER, password=password)
    return password
