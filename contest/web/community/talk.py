"""The votes and comments of a level, the comments of a post, and the forms to vote, comment and report (rule 27)."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from contest import visibility
from contest.infra import client_ip, clock
from contest.infra.attempts import Attempts
from contest.infra.integers import whole_number
from contest.models import Comment, Level, Player
from contest.organising.acts import add_errors
from contest.outreach import posts
from contest.outreach.community import comments, subjects, votes
from contest.outreach.community.subjects import Discussed, Subject
from contest.players import accounts
from contest.web.community.forms import CommentForm, CommentReportForm, SpeakerForm, VoteForm
from contest.web.shell.request import Request

PER_PAGE = 50
_FORM_METHODS = require_http_methods(["GET", "HEAD", "POST"])


@never_cache
@_FORM_METHODS
def round_talk(request: Request, number: int, slot: str) -> HttpResponse:
    at = clock.now()
    return _render_talk(request, visibility.levels(request.viewer, at).filter(round__number=number, slot=slot), at)


@never_cache
@_FORM_METHODS
def collection_talk(request: Request, slug: str, place: int) -> HttpResponse:
    at = clock.now()
    levels = visibility.collected_levels(request.viewer, at).select_related("collection")
    return _render_talk(request, levels.filter(collection__slug=slug, place=place), at)


@never_cache
@_FORM_METHODS
def post_talk(request: Request, slug: str) -> HttpResponse:
    """Show all comments of a post with the form to write one; the post's own page shows the newest."""
    at = clock.now()
    post = get_object_or_404(subjects.with_comments(visibility.posts(request.viewer, at), at), slug=slug)
    speakers = list(accounts.offered_players(request.viewer)) if request.viewer.players else []
    context = _comment_context(request, post, speakers, at)
    form = context["write"]
    if form.is_bound and _write_comment(request, post, form, at):
        return redirect(subjects.discussion_url(post))
    context |= {"item": posts.in_language(post)}
    return render(request, "contest/community/post_talk.html", context, status=422 if form.is_bound else 200)


def _comment_context(request: Request, subject: Any, speakers: Sequence[Player], at: datetime) -> dict[str, Any]:
    """Return a page of comments on *subject*, a row of `subjects.with_comments`, and the form to write one."""
    start = PER_PAGE * (page := min(whole_number(request.GET.get("page", "")) or 0, 1_000))
    found = comments.list_comments(subject, request.viewer, at)
    listed = list(found[start : start + PER_PAGE + 1]) if subject.has_talk else []
    initial = {"answers": whole_number(request.GET.get("answer", ""))}
    form = CommentForm(speakers, request.POST if "write" in request.POST else None, initial=initial)
    return {
        "listed": listed[:PER_PAGE],
        "older": page + 1 if len(listed) > PER_PAGE else None,
        "write": form,
        "answered": _comment_answered(form, listed),
        "speakers": speakers,
    }


def _render_talk(request: Request, levels: QuerySet[Any], at: datetime) -> HttpResponse:
    level = get_object_or_404(subjects.with_talk(levels, request.viewer, at))
    offered = accounts.offered_players(request.viewer).annotate(has_solved=subjects.has_solved(level))
    speakers = list(offered) if request.viewer.players else []
    voters = [player for player in speakers if player.has_solved]
    own_votes = votes.find_own_vote(level, request.viewer) if voters and level.has_talk else {}
    vote_form = VoteForm(voters, own_votes, request.POST if "vote" in request.POST else None)
    comment_context = _comment_context(request, level, speakers, at)
    comment_form = comment_context["write"]
    if (vote_form.is_bound and _cast_vote(request, level, vote_form, at)) or (
        comment_form.is_bound and _write_comment(request, level, comment_form, at)
    ):
        return redirect(subjects.discussion_url(level))
    context = {
        "level": level,
        "is_of_round": isinstance(level, Level),
        "means": votes.mean_votes(level),
        "vote": vote_form,
        "voters": voters,
        "has_voted": bool(own_votes),
        "asks_vote": bool(vote_form.errors) or not own_votes,
        **comment_context,
    }
    status = 422 if vote_form.is_bound or comment_form.is_bound else 200
    return render(request, "contest/community/talk.html", context, status=status)


def _comment_answered(form: CommentForm, listed: Sequence[Comment]) -> Comment | None:
    """Return the comment in *listed* that *form* answers, or None."""
    wanted = whole_number(str(form["answers"].value() or ""))
    return next((comment for comment in listed if comment.pk == wanted), None)


def _cast_vote(request: Request, level: Subject, form: VoteForm, at: datetime) -> bool:
    """Store the vote and return True, or add an error to *form* and return False."""
    if not form.is_valid():
        return False
    if not Attempts(request).is_within("vote", str(level.pk)):
        form.add_error(None, _("Too many votes for this level came from your network today."))
        return False
    given = {scale: form.cleaned_data[scale] for scale in votes.LABELS}
    sent: dict[str, Any] = {"viewer": request.viewer, "at": at, "address": client_ip.sender_of(request)}
    return _try_action(form, lambda: votes.cast_vote(level, form.speaker, given, **sent))


def _write_comment(request: Request, subject: Discussed, form: CommentForm, at: datetime) -> bool:
    """Store the comment and return True, or add an error to *form*, keep its text and return False."""
    if not form.is_valid():
        return False
    if not Attempts(request).is_within("comment"):
        form.add_error(None, _("Too many comments came from your network today. Please continue tomorrow."))
        return False
    given = form.cleaned_data
    readable = visibility.comments(request.viewer, at).filter(**subjects.as_filter(subject))
    answers = readable.filter(pk=given["answers"]).first() if given["answers"] else None
    shared: dict[str, Any] = {"answers": answers, "viewer": request.viewer, "at": at}
    return _try_action(form, lambda: comments.write(subject, form.speaker, given["text"], given["spoiler"], **shared))


def _try_action(form: SpeakerForm | CommentReportForm, action: Any) -> bool:
    try:
        action()
    except ValidationError as error:
        add_errors(form, error)
        return False
    return True


@never_cache
@require_POST
def delete(request: Request, pk: int) -> HttpResponse:
    """Delete one of the viewer's own comments; 404 alike for unknown and foreign ones (rule 7.5)."""
    at = clock.now()
    comment = _get_comment(Comment.objects.filter(player__in=request.viewer.players, deleted_at=None), pk)
    comments.delete(comment, viewer=request.viewer, at=at)
    messages.success(request, _("The comment is deleted."))
    return redirect(subjects.discussion_url(comment.subject))


@never_cache
@_FORM_METHODS
def report(request: Request, pk: int) -> HttpResponse:
    at = clock.now()
    comment = _get_comment(visibility.comments(request.viewer, at), pk)
    form, address = CommentReportForm(request.POST if request.method == "POST" else None), client_ip.sender_of(request)
    if form.is_bound and form.is_valid():
        if not Attempts(request).is_within("report"):
            form.add_error(None, _("Too many reports from your network today. Please continue tomorrow."))
        elif _try_action(form, lambda: comments.report(comment, form.cleaned_data["text"], at=at, address=address)):
            messages.success(request, _("Thank you. An organiser will decide."))
            return redirect(subjects.discussion_url(comment.subject))
    context = {"comment": comment, "form": form, "back": subjects.discussion_url(comment.subject)}
    return render(request, "contest/community/report.html", context, status=422 if form.is_bound else 200)


def _get_comment(comments: QuerySet[Comment], pk: int) -> Comment:
    return get_object_or_404(comments.select_related("player", "level__round", "collected__collection", "post"), pk=pk)
