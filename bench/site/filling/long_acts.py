"""A rejudging of 5,000 verdicts and a merge of a name with 5,000 submissions, while 20 senders a second submit.

`python -m bench.site.filling.long_acts rejudge` (or `merge`) starts the act on the site of its environment.
"""

import sys
from collections.abc import Iterator
from functools import partial

import django

from bench.figures import Figure
from bench.site import contest, services
from bench.site.filling.importing import solve_worker, under_load
from bench.site.sites import Ours, ours, sqlite_site
from tooling.terminal import Problem

CHANGED = 5_000
TITLES = {"rejudge": f"rejudging of {CHANGED:,} verdicts", "merge": f"merge of {CHANGED:,} submissions"}


def measure() -> Iterator[Figure]:
    """Yield the figures of both databases."""
    with services.start_services() as started:
        for site in (sqlite_site(started), ours(started)):
            contest.start_all([site], started)
            site.fill_queue(CHANGED)
            yield from _measure_site(site)


def _measure_site(site: Ours) -> Iterator[Figure]:
    services.wait_until(f"{site.name}: all verdicts", lambda: not site.has_waiting(), 600)
    with solve_worker(site):
        for kind, title in TITLES.items():
            yield from under_load(site, title, [__name__, kind], partial(_is_done, site, kind))


def _is_done(site: Ours, kind: str) -> bool:
    state, report = site.ask(f"SELECT state, report FROM contest_longact WHERE kind = '{kind}'")
    if state in ("failed", "undone"):
        raise Problem(f"{kind}: {state}: {report}")
    return bool(state == "done")


def _rejudge() -> None:
    """Apply a made-up rejudging that rejects the first submissions."""
    from contest.celery import waking
    from contest.infra import clock
    from contest.judging import judge, rejudge
    from contest.models import Rejudged, Rejudging, Submission

    made = Rejudging.objects.create(name="bench", engine_version=judge.ENGINE_VERSION, made_at=clock.now())
    columns = ("verdict", "moves", "pushes", "why")
    rejected = {"verdict": "not_solved", "level": None, "moves": None, "pushes": None, "why": ""}
    Rejudged.objects.bulk_create(
        Rejudged(
            rejudging=made,
            submission=sent,
            levels_digest="bench",
            before={**{name: getattr(sent, name) for name in columns}, "level": sent.level_id},
            after=rejected,
            differs=True,
        )
        for sent in Submission.objects.accepted().order_by("pk")[:CHANGED]
    )
    rejudge.apply(made, None, "bench")
    waking.wake_long_acts()


def _merge() -> None:
    """Give one player many submissions, and merge that name into another."""
    from django.db.models import CharField
    from django.db.models.functions import Cast

    from contest.celery import waking
    from contest.models import Level, Player, Rejudged, Submission
    from contest.players import merging
    from contest.rankings import personal_bests

    source, target = Player.objects.order_by("pk")[:2]
    numbers = list(Rejudged.objects.values_list("submission", flat=True))
    level = Level.objects.get()
    sent = Submission.objects.filter(pk__in=numbers)
    senders = Player.objects.filter(pk__in=set(sent.values_list("player", flat=True)))
    texts = Cast("pk", CharField())  # of one player all are different
    sent.update(player=source, sent_as=source, sha256=texts, verdict="accepted", level=level, moves=300, pushes=50)
    personal_bests.recount([level], {*senders, source})
    merging.merge(source, target, None, reason="bench")
    waking.wake_long_acts()


if __name__ == "__main__":
    django.setup()
    {"rejudge": _rejudge, "merge": _merge}[sys.argv[1]]()
