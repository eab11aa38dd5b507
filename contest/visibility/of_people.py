"""Access to players, and to their questions and webhooks (rules 7.4, 25.1)."""

from datetime import datetime

from django.db.models import OuterRef, Q, QuerySet

from contest.infra.database.row_by_row import row_exists
from contest.models import LevelResult, Player, Question, Round, Run, Submission, Webhook
from contest.visibility.of_results import placings
from contest.visibility.viewer import Viewer


def players(viewer: Viewer, at: datetime) -> QuerySet[Player]:
    """Players with an accepted submission, a placing (rules 6.14, 7.4), a result on a collection level, or a run."""
    opened_rounds = Round.objects.opened(at)
    has_submission = row_exists(Submission.objects.accepted().filter(player=OuterRef("pk"), round__in=opened_rounds))
    has_placing = row_exists(placings(viewer, at).filter(player=OuterRef("pk")))
    has_level_result = row_exists(LevelResult.objects.filter(player=OuterRef("pk"), level__is_public=True))
    has_run = row_exists(Run.objects.filter(player=OuterRef("pk")))
    known = has_submission | has_placing | has_level_result | has_run
    return Player.objects.filter(known | Q(pk__in=viewer.players))


def own_webhooks(viewer: Viewer) -> QuerySet[Webhook]:
    """Return the viewer's own webhooks."""
    return Webhook.objects.filter(player__in=viewer.players).select_related("player").order_by("pk")


def public_questions(round_: Round, at: datetime) -> QuerySet[Question]:
    """Return publicly answered questions; pages show `public_text`, never the player's text or name (rule 25.1)."""
    return all_public_questions(at).filter(round=round_).order_by("-answered_at")


def all_public_questions(at: datetime) -> QuerySet[Question]:
    """Return the publicly answered questions of every round."""
    return Question.objects.filter(is_public=True, answered_at__lte=at)


def own_questions(viewer: Viewer, round_: Round) -> QuerySet[Question]:
    """Return the viewer's own questions with their answers (rule 25.1)."""
    own = Question.objects.filter(round=round_, player__in=viewer.players).select_related("player")
    return own.order_by("-asked_at", "-pk")
