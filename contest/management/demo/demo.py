"""A demo contest: finished rounds with results, an open one to enter, and an announced one.

Everything uses the same entry points and acts as a real contest, so the demo shows what the site does.
"""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth import get_user_model
from django.db import transaction

from contest import judging, levels, results, rounds
from contest.infra import clock
from contest.library.own import graded
from contest.management.demo import earlier
from contest.management.demo.earlier import Board, Sent
from contest.models import Door, Level, Round, Slot
from contest.models.round import default_settings
from contest.outreach import own_posts
from contest.rounds import lucky_number
from contest.submissions import Entry, accept
from contest.wording.bilingual import Reason
from solvers.sokoban.making.rebuild import level_of

ORGANISER = "organiser"
LENGTH = timedelta(weeks=3)
_NEW_ROUND = Reason(zh="示例另开一期。", en="The demo opens a new round instead.")
_MARK = {"demo": True}  # in the settings of a round: the round belongs to the demo


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

# The submissions. In The well, the fewest moves and the fewest pushes need two different solutions.
_SENT: tuple[Sent, ...] = (
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
class DemoReport:
    """Result of `load`: *password* if the organiser's account is new, *levels* if own levels were published."""

    added: tuple[int, ...] = ()
    levels: int = 0
    password: str = ""


def load(at: datetime) -> DemoReport:
    """Make sure that a round is open at *at*, unless the site has rounds of its own. May be called repeatedly."""
    if not _is_wanted(at):
        return DemoReport()
    with transaction.atomic():
        rounds.lock_calendar()
        if not _is_wanted(at):  # another process was faster
            return DemoReport()
        published = graded.publish(at)
        own_posts.publish(at)
        if not Round.objects.exists():
            return DemoReport(_first_rounds(at), published, _organiser())
        return DemoReport(_more_rounds(at), published)


def _is_wanted(at: datetime) -> bool:
    """Return True if all rounds are the demo's and none is open; also if there are no rounds."""
    known = list(Round.objects.all())
    return all(_MARK.items() <= round_.settings.items() for round_ in known) and not any(
        _is_open(round_, at) for round_ in known
    )


def _is_open(round_: Round, at: datetime) -> bool:
    return rounds.is_past_opening(round_, at) and not rounds.is_closed(round_, at) and not round_.cancelled_at


def _first_rounds(at: datetime) -> tuple[int, ...]:
    """Create the past rounds: a season's worth, so that hall of fame, seasons and ratings have content."""
    secrets_of: dict[str, str] = {}
    begun = at - timedelta(days=30) - LENGTH * len(earlier.TITLES)
    for number, (zh, en) in enumerate(earlier.TITLES, 1):
        opens_at = begun + LENGTH * (number - 1)
        past = _round(number, opens_at, opens_at + LENGTH, zh, en, *earlier.boards(number))
        _play_to_the_end(past, earlier.entries_of(number), secrets_of)
    last = len(earlier.TITLES) + 1
    warm = _round(last, at - timedelta(days=30), at - timedelta(days=9), "水井与小巷", "Well and lane", WELL, LANE)
    _play_to_the_end(warm, (*_SENT, *earlier.entries_of_others(WELL, LANE)), secrets_of)
    _open_and_next(last + 1, at - timedelta(days=2), at)
    return tuple(range(1, last + 3))


def _more_rounds(at: datetime) -> tuple[int, ...]:
    """Cancel waiting rounds, add an open round and the next one, and return their numbers."""
    for round_ in Round.objects.filter(opens_at__gt=at, cancelled_at=None):
        rounds.cancel(round_, _NEW_ROUND, at=at, by=None)
    last = Round.objects.order_by("-number")[0].number
    latest = max(round_.closes_at for round_ in Round.objects.all() if round_.closes_at <= at)
    _open_and_next(last + 1, max(latest, at - timedelta(days=2)), at)
    return last + 1, last + 2


def _open_and_next(number: int, opens_at: datetime, at: datetime) -> None:
    """Create a round that is open at *at* and has no submission, and one that opens when it closes."""
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


def _play_to_the_end(round_: Round, sent: Iterable[Sent], secrets: dict[str, str]) -> None:
    """Enter the demo's players, each at their time, and finalise the results; *secrets* stores the players' secrets."""
    for nickname, country, after, slot, moves in sorted(sent, key=lambda submission: submission[2]):
        with clock.set_to(round_.opens_at + after):
            entry = Entry(nickname, moves, country, round=round_.number, slot=slot, claim=secrets.get(nickname, ""))
            receipt = accept(entry, door=Door.WEB)
        secrets.setdefault(nickname, receipt.claim or "")
    with clock.set_to(round_.closes_at):
        judging.judge_until_empty()
    with clock.set_to(round_.closes_at + timedelta(days=1)):
        results.finalise(round_, at=clock.now(), by=None)


def _organiser() -> str:
    """Create the organiser's account and return its password; return "" if the account exists."""
    users = get_user_model().objects
    if users.filter(username=ORGANISER).exists():
        return ""
    password = secrets.token_urlsafe(12)
    users.create_superuser(ORGANISER, password=password)
    return password
