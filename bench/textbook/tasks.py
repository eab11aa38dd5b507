from celery import shared_task

from bench.textbook.models import Submission
from solvers.sokoban import Level, readers


@shared_task
def judge(submission_id: int) -> None:
    submission = Submission.objects.select_related("level").get(pk=submission_id)
    judgement = readers.judge(Level.parse(submission.level.text), submission.text)
    submission.status = "judged"
    submission.verdict = judgement.outcome.value
    submission.moves = judgement.moves
    submission.pushes = judgement.pushes
    submission.save()
