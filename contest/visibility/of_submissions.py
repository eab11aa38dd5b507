"""Access to submissions and their moves (rules 6.14, 7.1, 7.3, 7.5)."""

from collections.abc import Collection as Any_Of
from datetime import datetime

from django.db.models import QuerySet

from contest.models import SCORED, Best, Round, SealedAnswer, Submission
from contest.models.sealed_answer import SealedAnswerQuerySet
from contest.visibility.of_rounds import are_solutions_public, is_revealed
from contest.visibility.viewer import Viewer


def solutions(viewer: Viewer, round_: Round, at: datetime) -> QuerySet[Submission]:
    """Return a round's accepted submissions with LURDs once these are public (rules 7.3, 15.4); none before."""
    listed = accepted_submissions(viewer, at).filter(round=round_, is_unpublished=False)
    return listed.defer(None).defer("text", "turned") if are_solutions_public(round_, at) else listed.none()


def replays(viewer: Viewer, round_: Round, at: datetime) -> QuerySet[Submission]:  # noqa: ARG001 - as `rounds`
    """Return a round's public replays: its solutions, spectator answers and practice (rules 7.3, 15.4, 20.1)."""
    shown = Submission.objects.filter(round=round_, verdict__in=SCORED, is_unpublished=False)
    listed = shown.select_related("player", "level__round", "round").defer("text", "turned")
    return listed if are_solutions_public(round_, at) else listed.none()


def withheld_result(viewer: Viewer, at: datetime, number: int, submission: int) -> Submission | None:
    """Return a publicly listed result of round *number* that has its moves withheld (rule 15.4), or None."""
    listed = (
        accepted_submissions(viewer, at).filter(round__number=number, number=submission, is_unpublished=True).first()
    )
    return listed if listed and are_solutions_public(listed.round, at) else None


def replayable_submissions(viewer: Viewer, at: datetime, numbers: Any_Of[int]) -> list[Submission]:
    """Return those submissions of *numbers*, of any rounds, that have public moves (rules 7.3, 15.4)."""
    listed = accepted_submissions(viewer, at).filter(number__in=numbers, is_unpublished=False)
    return [row for row in listed if are_solutions_public(row.round, at)]


def may_see_hashes(round_: Round, at: datetime) -> bool:
    """Return whether the SHA-256 of others' submissions is public: from the reveal (rule 7.4)."""
    return is_revealed(round_, at)


def may_staff_read(submission: Submission, at: datetime) -> bool:
    """Return whether organisers may read submissions: from the reveal, as they may be rivals (rules 6.14, 7.3)."""
    return is_revealed(submission.round, at)


# Lists of submissions


def accepted_submissions(viewer: Viewer, at: datetime) -> QuerySet[Submission]:  # noqa: ARG001
    """Return publicly listed submissions, newest first: accepted ones of rounds that have opened (rules 6.14, 7.1).

    Practice is not included: it is on the all-time boards (rule 20.1).
    """
    return (
        Submission.objects.accepted()
        .entered()
        .without_text()
        .filter(round__in=Round.objects.opened(at))
        .select_related("player", "level__round", "round")
        .order_by("-received_at", "-number")
    )


def counted_submissions(viewer: Viewer, at: datetime) -> QuerySet[Submission]:  # noqa: ARG001
    """Return the public submissions that count (rule 1.7), newest first."""
    return (
        Submission.objects.counted()
        .without_text()
        .filter(round__in=Round.objects.opened(at))
        .select_related("player", "level__round", "round")
        .order_by("-received_at", "-number")
    )


def unranked_submissions(at: datetime) -> QuerySet[Submission]:
    """Return the publicly listed submissions that were sent hors concours (rules 4.10, 4.15), never why."""
    listed = Submission.objects.accepted().entered().filter(is_hors_concours=True, voided_at=None)
    return listed.filter(round__in=Round.objects.opened(at)).order_by()


def sealing_rounds(viewer: Viewer, at: datetime) -> QuerySet[Round]:  # noqa: ARG001
    """Return the opened rounds that take sealed answers; others hide such answers (rules 5.11, 5.12)."""
    return Round.objects.opened(at).filter(settings__sealed_answers=True, is_imported=False)


def sealed_answers(viewer: Viewer, at: datetime) -> SealedAnswerQuerySet:  # noqa: ARG001
    """Return sealed answers: claims backed by a hash, unproved until opened, in a public list of their own (rule 5.12).

    Nothing else shows them: no ranking, front, point, record, event or count.
    """
    opened = SealedAnswer.objects.filter(level__round__in=Round.objects.opened(at))
    return opened.select_related("player", "level__round", "chain_link").defer("level__text", "level__solution")


def own_submissions(viewer: Viewer) -> QuerySet[Submission]:
    """Return the submissions of the viewer's own players, newest first, with receipts, in any phase (rule 7.5)."""
    submissions = Submission.objects.filter(player__in=viewer.players).without_text()
    return submissions.select_related("player", "level__round", "round").order_by("-received_at", "-number")


def own_bests(viewer: Viewer) -> QuerySet[Best]:
    """Return the best results of the viewer's own players on all boards of non-void levels (rules 2.10, 7.5)."""
    bests = Best.objects.filter(player__in=viewer.players, level__voided_at=None)
    return bests.select_related("level__round").defer("level__text", "level__solution", "level__round__settings")


def by_receipt(receipt_id: str) -> Submission:
    """Return the submission with this receipt id, in any phase (rule 7.5); it proves no nickname.

    Raise Submission.DoesNotExist.
    """
    shown = Submission.objects.select_related("player", "sent_as", "level__round", "round", "chain_link")
    return shown.get(receipt_id=receipt_id)
