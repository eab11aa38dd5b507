"""Questions of players to the organisers, and the organisers' banner (rule 25.1)."""

from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from contest import visibility
from contest.infra import identity
from contest.models import Banner, Player, Question, Round
from contest.players.acts import lock
from contest.rules.phases import Phase
from contest.staff import audit_log
from contest.staff.audit_log import Actor
from contest.visibility import Viewer

LONGEST = 2_000
# Limits per hour and of unanswered questions: organisers are few.
PER_HOUR = 3
MOST_OPEN = 10
SENT_AGAIN = timedelta(minutes=1)  # a double click, or a page that is loaded again


@transaction.atomic
def ask_question(round_: Round, player: Player, text: str, *, viewer: Viewer, at: datetime) -> Question:
    """Ask the organisers a question, which nobody else sees (rule 25.1), once if it is sent twice.

    Raise ValidationError with a message.
    """
    if player.pk not in viewer.players:
        raise ValidationError(_("Only the owner of a nickname can ask under it."))
    if round_.phase(at) is not Phase.OPEN:
        raise ValidationError(_("You can ask questions only while the round is open."))
    text = text.replace("\0", "").strip()
    if not text:
        raise ValidationError(_("Write your question."))
    if len(text) > LONGEST:
        raise ValidationError(_("A question has up to %(most)s characters.") % {"most": f"{LONGEST:,}"})
    player = lock(player)
    if twin := player.questions.filter(round=round_, text=text, asked_at__gt=at - SENT_AGAIN).first():
        return twin
    _check_rate(player, at)
    return Question.objects.create(round=round_, player=player, text=text, asked_at=at)


def _check_rate(player: Player, at: datetime) -> None:
    questions = Question.objects.filter(player=player)
    recent = questions.filter(asked_at__gt=at - timedelta(hours=1)).order_by("-asked_at")
    recent_times = list(recent.values_list("asked_at", flat=True)[:PER_HOUR])
    if len(recent_times) == PER_HOUR:
        free_at = timezone.localtime(recent_times[-1] + timedelta(hours=1))
        raise ValidationError(
            _("You have asked %(most)s questions in an hour. Ask again after %(time)s, %(zone)s.")
            % {"most": PER_HOUR, "time": date_format(free_at, "H:i"), "zone": identity.zone_name()}
        )
    if questions.filter(answered_at=None).count() >= MOST_OPEN:
        raise ValidationError(
            _("You have %(most)s questions waiting for an answer. Ask more after the organisers have answered.")
            % {"most": MOST_OPEN}
        )


@transaction.atomic
def answer_question(
    question: Question, *, zh: str, en: str, public_text: str = "", is_public: bool = False, at: datetime, by: Actor
) -> Question:
    """Answer in one language or both; in public only with the question as the public may read it (rule 25.1)."""
    question = Question.objects.select_for_update().get(pk=question.pk)
    before = {"is_public": question.is_public, "answered": question.answered_at is not None}
    check_answer(zh, en, public_text=public_text, is_public=is_public)
    question.answer_zh, question.answer_en = zh.strip(), en.strip()
    question.public_text, question.is_public = public_text.strip(), is_public
    question.answered_at = question.answered_at or at
    question.answered_by = by if by and by.is_authenticated else None
    question.save()
    audit_log.record(by, "answer", question, before=before, after={"is_public": is_public, "answered": True})
    return question


def check_answer(zh: str, en: str, *, public_text: str, is_public: bool) -> None:
    """Raise ValidationError with messages for the fields if an answer is incomplete."""
    if not (zh.strip() or en.strip()):
        raise ValidationError({"answer_zh": _("Write the answer in Chinese, in English or in both.")})
    if is_public and not public_text.strip():
        raise ValidationError({"public_text": _("Write a public version of the question.")})


def find_banner(at: datetime) -> Banner | None:
    """Return the banner shown on every page at *at*; the newest if there are several."""
    return visibility.banners(at).order_by("-shown_from", "-pk").first()
