"""Final rounds with given outcomes, for tests of statistics over them."""

from datetime import UTC, datetime, timedelta

from contest import players
from contest.infra import clock
from contest.models import MAIN, League, Placing, Player, Round, Track
from contest.rounds import lucky_number

# Half points of the first four places: by moves and by pushes.
SCORES = [(40, 39), (38, 37), (36, 35), (34, 33)]


def a_player(nickname: str, *, league: str = League.HUMAN, country: str = "") -> Player:
    known = Player.objects.filter(nickname=nickname).first()
    if known:
        return known
    player, _claim = players.create(nickname, country=country, email="", at=clock.now())
    Player.objects.filter(pk=player.pk).update(league=league)
    player.league = league
    return player


def a_final_round(
    number: int,
    *names: str,
    closes_at: datetime | None = None,
    pointless: tuple[str, ...] = (),
    track: Track | None = None,
) -> Round:
    """Create a final round with *names* in this order, the first two MMC and MPC; *pointless* scored nothing."""
    closes_at = closes_at or datetime(2026, 1, 1, tzinfo=UTC) + timedelta(weeks=4 * number)
    round_ = Round(
        number=number,
        track_id=track.slug if track else MAIN,
        announced_at=closes_at - timedelta(weeks=4),
        # Short, so that rounds may follow each other closely (rule 2.6).
        opens_at=closes_at - timedelta(minutes=1),
        closes_at=closes_at,
        finalised_at=closes_at + timedelta(days=1),
    )
    lucky_number.save_committed(round_)
    for place, name in enumerate(names):
        a_placing(round_, name, *SCORES[place], place=place + 1, is_mmc=place == 0, is_mpc=place == 1)
    for name in pointless:
        a_placing(round_, name)
    return round_


def a_placing(round_: Round, name: str, by_moves: int = 0, by_pushes: int = 0, **fields) -> Placing:
    player = a_player(name)
    scores = {"move_half_points": by_moves, "push_half_points": by_pushes}
    return Placing.objects.create(round=round_, player=player, league=player.league, **scores, **fields)
