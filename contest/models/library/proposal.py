"""Levels proposed by their authors, and the comments of authors and organisers on them."""

from functools import cached_property
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from contest.models.library.level_library import LibraryLevel
from contest.models.player import Player
from solvers import sokoban


class Proposal(models.Model):
    """A level that its author offers to the organisers; only they see it."""

    class State(models.TextChoices):
        DRAFT = "draft", pgettext_lazy("proposal", "draft")
        SENT = "sent", pgettext_lazy("proposal", "sent")
        IN_REVIEW = "review", pgettext_lazy("proposal", "in review")
        ACCEPTED = "accepted", pgettext_lazy("proposal", "accepted")
        DECLINED = "declined", pgettext_lazy("proposal", "declined")
        WITHDRAWN = "withdrawn", pgettext_lazy("proposal", "withdrawn")

    class Licence(models.TextChoices):
        CONTEST = "contest", _("The contest may publish it, with my name, and keep it in its archive.")
        CC_BY = "cc-by", _("Anybody may use it with my name (CC BY 4.0).")
        CC0 = "cc0", _("Anybody may use it freely (CC0).")

    OPEN = (State.SENT, State.IN_REVIEW)

    # At least one of them: the account that proposed it, or a nickname that the author had proved.
    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    player = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="proposals")
    title = models.CharField(_("title"), max_length=200, blank=True)
    author = models.CharField(_("author"), max_length=200, blank=True)
    text = models.TextField(_("level"))
    solution = models.TextField(_("own solution"), blank=True)
    key = models.CharField(max_length=64, blank=True, db_index=True)
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()
    boxes = models.PositiveSmallIntegerField()
    licence = models.CharField(_("rights"), max_length=8, choices=Licence, blank=True)
    note = models.TextField(_("note to the organisers"), max_length=2_000, blank=True)
    language = models.CharField(max_length=12, blank=True)
    state = models.CharField(_("state"), max_length=9, choices=State, default=State.DRAFT)
    # Incremented by every change; an action on an older version is refused with a message.
    version = models.PositiveIntegerField(default=1)
    made_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True)
    decided_at = models.DateTimeField(null=True)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    kept_as = models.OneToOneField(LibraryLevel, models.SET_NULL, null=True, related_name="proposal")

    objects: ClassVar[models.Manager["Proposal"]] = models.Manager()

    class Meta:
        ordering = ["-made_at", "-pk"]
        verbose_name = _("proposed level")
        verbose_name_plural = _("proposed levels")
        constraints = [
            models.CheckConstraint(
                condition=Q(state="draft") | Q(state="withdrawn") | Q(sent_at__isnull=False), name="proposal_sent_at"
            )
        ]
        indexes = [models.Index(fields=["state", "sent_at"], name="proposal_queue")]

    def __str__(self) -> str:
        return self.title or f"{self.width} × {self.height}"

    def get_absolute_url(self) -> str:
        return reverse("proposal", args=[self.pk])

    @cached_property
    def board(self) -> sokoban.Level:
        """The board to draw."""
        return sokoban.Level.parse(self.text)


class ProposalComment(models.Model):
    """A comment by the author or an organiser on a proposal; both sides read it."""

    proposal = models.ForeignKey(Proposal, models.CASCADE, related_name="comments")
    text = models.TextField(max_length=2_000)
    is_by_staff = models.BooleanField()
    written_at = models.DateTimeField()
    written_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    objects: ClassVar[models.Manager["ProposalComment"]] = models.Manager()

    class Meta:
        ordering = ["written_at", "pk"]

    def __str__(self) -> str:
        return self.text[:40]
