"""Fill the database of a site under test: `python -m bench.seeding` with the site's environment."""

import os
from datetime import timedelta

import django

from bench.games import pushing_game

SIDE, BOXES, MOVES = 20, 8, 300


def texts(count: int) -> list[str]:
    """As many different solutions of the same level: each walks to and fro in its own way before it begins."""
    level, lurd = pushing_game(SIDE, BOXES, MOVES)
    free = [
        there + back
        for there, back in ("lr", "rl", "ud", "du")
        if not level.arena.squares[level.arena.start + level.arena.deltas[there]]
    ]
    digits = len(f"{count:b}")
    return ["".join(free[int(bit)] for bit in f"{number:0{digits}b}") + lurd for number in range(count)]


def seed_ours() -> None:
    from contest import clock, levels, lucky
    from contest.models import Level, Round

    at = clock.now()
    times = {
        "announced_at": at - timedelta(days=2),
        "opens_at": at - timedelta(days=1),
        "closes_at": at + timedelta(days=30),
    }
    round_ = Round(number=1, title_en="Bench", **times)
    lucky.save_committed(round_)
    level, lurd = pushing_game(SIDE, BOXES, MOVES)
    levels.fill(Level(round=round_, title="Bench"), levels.check(level.published_text, lurd)).save()


def seed_textbook() -> None:
    from bench.textbook.models import Level

    level, _lurd = pushing_game(SIDE, BOXES, MOVES)
    Level.objects.create(text=level.published_text)


def main() -> None:
    from django.core.management import call_command

    django.setup()
    call_command("migrate", run_syncdb=True, verbosity=0, interactive=False)
    is_ours = os.environ["DJANGO_SETTINGS_MODULE"] == "contest.settings"
    (seed_ours if is_ours else seed_textbook)()


if __name__ == "__main__":
    main()
