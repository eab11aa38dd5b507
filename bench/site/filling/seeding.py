"""Fill the database of a site under test: `python -m bench.site.filling.seeding` with the site's environment."""

import hashlib
import os
import secrets
import sys
from datetime import timedelta

import django
from django.core.management import call_command
from django.db import transaction

from bench.games import pushing_game

SIDE, BOXES, MOVES = 20, 8, 300
PER_PLAYER = 5


def texts(count: int) -> list[str]:
    """Return *count* different solutions of one level: each starts with a different walk to and fro."""
    level, lurd = pushing_game(SIDE, BOXES, MOVES)
    free = [
        there + back
        for there, back in ("lr", "rl", "ud", "du")
        if not level.arena.squares[level.arena.start + level.arena.deltas[there]]
    ]
    digits = len(f"{count:b}")
    return ["".join(free[int(bit)] for bit in f"{number:0{digits}b}") + lurd for number in range(count)]


def seed_ours(number: int = 1) -> None:
    from contest import levels
    from contest.infra import clock
    from contest.models import Level, Round
    from contest.rounds import lucky_number as lucky

    at = clock.now() - (number - 1) * timedelta(days=40)  # so that the rounds do not have the same dates
    times = {
        "announced_at": at - timedelta(days=2),
        "opens_at": at - timedelta(days=1),
        "closes_at": at + timedelta(days=30),
    }
    round_ = Round(number=number, title_en="Bench", **times)
    lucky.save_committed(round_)
    level, lurd = pushing_game(SIDE, BOXES, MOVES)
    levels.fill(Level(round=round_, title="Bench"), levels.check(level.published_text, lurd)).save()


def seed_textbook() -> None:
    from bench.textbook.models import Level

    level, _lurd = pushing_game(SIDE, BOXES, MOVES)
    Level.objects.create(text=level.published_text)


def fill_ours(count: int) -> None:
    """Queue *count* submissions by count / 5 new players, and send one wake-up."""
    from contest import players
    from contest.celery import waking
    from contest.infra import clock
    from contest.models import Door, Reader, Round, Submission

    at, mark, sent = clock.now(), secrets.token_hex(4), texts(PER_PLAYER)
    round_ = Round.objects.get()
    with transaction.atomic():
        crowd = [
            players.create(f"{mark} {number}", country="", email="", at=at)[0] for number in range(count // PER_PLAYER)
        ]
        Submission.objects.bulk_create(
            Submission(
                receipt_id=secrets.token_urlsafe(18),
                round=round_,
                player=player,
                sent_as=player,
                text=text.encode(),
                sha256=hashlib.sha256(text.encode()).hexdigest(),
                door=Door.API,
                reader=Reader.RUN_LENGTH,
                received_at=at,
            )
            for text in sent
            for player in crowd
        )
    waking.wake_judge()


def fill_textbook(count: int) -> None:
    from bench.textbook.celery import app
    from bench.textbook.models import Level, Submission
    from bench.textbook.settings import BATCHED
    from bench.textbook.tasks import judge, wake

    level, sent = Level.objects.get(), texts(PER_PLAYER)
    rows = [Submission(level=level, nickname=f"{number}", text=sent[number % PER_PLAYER]) for number in range(count)]
    app.set_current()
    stored = Submission.objects.bulk_create(rows)
    if BATCHED:
        wake()
        return
    for row in stored:
        judge.delay(row.pk)


def main() -> None:
    """Queue as many submissions as the argument says. Without an argument create the tables and one level."""
    django.setup()
    is_ours = os.environ["DJANGO_SETTINGS_MODULE"] == "contest.settings"
    if len(sys.argv) > 1:
        (fill_ours if is_ours else fill_textbook)(int(sys.argv[1]))
        return
    call_command("migrate", run_syncdb=True, verbosity=0, interactive=False)
    (seed_ours if is_ours else seed_textbook)()


if __name__ == "__main__":
    main()
