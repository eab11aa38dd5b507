from functools import cache

from celery import shared_task
from django.core.cache import cache as redis
from django.db import transaction

from bench.textbook.models import Level, Submission
from solvers.sokoban import Level as Board
from solvers.sokoban.reading import readers

AT_ONCE = 200
WOKEN, WOKEN_SECONDS = "drain-woken", 30


@shared_task
def judge(submission_id: int) -> None:
    submission = Submission.objects.select_related("level").get(pk=submission_id)
    judgement = readers.judge(Board.parse(submission.level.text), submission.text)
    submission.status = "judged"
    submission.verdict = judgement.outcome.value
    submission.moves = judgement.moves
    submission.pushes = judgement.pushes
    submission.save()


def wake() -> None:
    """Start a drain task, unless one has been requested already."""
    if redis.add(WOKEN, 1, WOKEN_SECONDS):
        drain.delay()


@shared_task
def drain() -> None:
    """Judge the whole queue. Nobody starts another drain meanwhile, so it checks again after clearing the flag."""
    while judge_batch():
        pass
    redis.delete(WOKEN)
    while judge_batch():
        pass


@transaction.atomic
def judge_batch() -> int:
    waiting = Submission.objects.filter(status="queued").order_by("pk").only("level_id", "text")
    batch = list(waiting.select_for_update(skip_locked=True)[:AT_ONCE])
    for submission in batch:
        judgement = readers.judge(board(submission.level_id), submission.text)
        submission.status, submission.verdict = "judged", judgement.outcome.value
        submission.moves, submission.pushes = judgement.moves, judgement.pushes
    if len(batch) == 1:
        batch[0].save(update_fields=["status", "verdict", "moves", "pushes"])
    elif batch:
        Submission.objects.bulk_update(batch, ["status", "verdict", "moves", "pushes"])
    return len(batch)


@cache
def board(level_id: int) -> Board:
    return Board.parse(Level.objects.get(pk=level_id).text)
