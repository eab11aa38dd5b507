"""Posts on the desk: write both languages side by side, preview as readers will see it, publish."""

import copy
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override, pgettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from contest.desk.access import StaffRequest, staff
from contest.desk.writing.forms import PostForm
from contest.infra import clock
from contest.infra.integers import whole_number
from contest.models import AuditEntry, Post, Round, Topic
from contest.organising.acts import add_errors
from contest.outreach import announcements, posts
from contest.outreach.newsletter import digest, subscriptions
from contest.outreach.newsletter.messages import build_preview
from contest.rendering.post_text import Target
from contest.rules.phases import Phase
from contest.visibility import Viewer

PER_PAGE = 30


@staff("view_post")
@require_safe
def all_posts(request: StaffRequest) -> HttpResponse:
    """List all posts, drafts first, each with its missing languages."""
    at = clock.now()
    listed = Post.objects.defer("html_zh", "html_en").order_by("-published_at", "-pk")
    drafts = listed.filter(published_at=None)
    page = Paginator(listed.exclude(published_at=None), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "drafts": [(post, _missing_languages(post)) for post in drafts],
        "listed": [(post, _missing_languages(post)) for post in page],
        "chosen": page,
        "at": at,
    }
    return render(request, "contest/desk/writing/posts.html", context)


def _missing_languages(post: Post) -> list[str]:
    """Return a message for each language that the post lacks."""
    texts = {
        "zh": _("No Chinese text: Chinese readers will see the English, marked as English."),
        "en": _("No English text: English readers will see the Chinese, marked as Chinese."),
    }
    return [text for code, text in texts.items() if not posts.is_whole(post, code)]


@staff("add_post")
@require_http_methods(["GET", "POST"])
def new(request: StaffRequest) -> HttpResponse:
    at = clock.now()
    return _edit(request, Post(), at, initial=_initial(request, at))


@staff("change_post")
@require_http_methods(["GET", "POST"])
def edit(request: StaffRequest, pk: int) -> HttpResponse:
    return _edit(request, get_object_or_404(Post, pk=pk), clock.now())


def _edit(request: StaffRequest, post: Post, at: datetime, initial: dict[str, Any] | None = None) -> HttpResponse:
    """Preview, save, publish or withdraw a post; the form keeps its input throughout."""
    do = request.POST.get("do", "")
    stored = copy.copy(post) if post.pk else None
    form = PostForm(request.POST or None, instance=post, initial=initial)
    is_behind = False
    if form.is_bound and form.is_valid():
        if do == "publish":
            post.published_at = at
        elif do == "withdraw":
            post.published_at = None
        try:
            if do in ("save", "publish", "withdraw"):
                version = whole_number(request.POST.get("stamp", "")) or 0
                posts.save(post, at=at, by=request.user, version=version, categories=form.cleaned_data["categories"])
                messages.success(request, _("Saved."))
                return redirect("desk-post", post.pk)
            form.add_errors(posts.render(post))
        except posts.Behind:
            is_behind = True
        except ValidationError as error:
            add_errors(form, error)
    context = {
        "form": form,
        "post": stored,
        "standing": (standing := _standing(stored, at)),
        "standing_words": _STANDING_LABELS[standing],
        "stamp": stored.version if stored else 0,
        "is_behind": is_behind,
        "last": AuditEntry.objects.filter(target=f"post {stored.pk}").first() if is_behind and stored else None,
        "categories": form.cleaned_data.get("categories", []) if form.is_bound else stored and stored.categories.all(),
        "changes": _changes(stored, form) if is_behind and stored else [],
        "missing": _missing_languages(post) if form.is_bound else [],
        **_preview_context(post, at, is_shown=bool(form.is_bound or stored) and not form.errors),
    }
    status = 409 if is_behind else 422 if form.errors else 200
    return render(request, "contest/desk/writing/post.html", context, status=status)


@staff("view_post")
@require_safe
def message(request: StaffRequest, pk: int) -> HttpResponse:
    """Show a post's texts for forums and chats, once the post is public."""
    post = get_object_or_404(Post.objects.published(clock.now()), pk=pk)
    texts = announcements.post_texts(post, site=f"{request.scheme}://{request.get_host()}")
    return render(request, "contest/desk/shared/message.html", {"post": post, "texts": texts})


@staff("change_post", fresh=True)
@require_http_methods(["GET", "POST"])
def mail(request: StaffRequest, pk: int) -> HttpResponse:
    """Email a post to news subscribers, once; the page first shows how many there are and what they will get."""
    at = clock.now()
    post = get_object_or_404(Post.objects.published(at), pk=pk)
    wrong: list[str] = []
    if request.method == "POST":
        try:
            made = digest.mail_post(post, at, request.user)
        except ValidationError as error:
            wrong = error.messages
        else:
            messages.success(request, _("Emails being sent: %(count)s.") % {"count": made.recipients})
            return redirect("desk-post", pk)
    samples = []
    for language in ("zh-hans", "en"):
        with override(language):
            samples.append((posts.in_language(post).lang, build_preview(post, at)))
    context = {
        "post": post,
        "wrong": wrong,
        "is_configured": subscriptions.is_configured(),
        "sent": digest.find_mailing(post),
        "recipients": digest.count_recipients(Topic.NEWS),
        "minutes": -(-digest.count_recipients(Topic.NEWS) // max(settings.MAIL_PER_MINUTE, 1)),
        "samples": samples,
    }
    return render(request, "contest/desk/writing/post_mail.html", context, status=422 if wrong else 200)


_STANDING_LABELS = {
    "draft": gettext_lazy("draft"),
    "scheduled": gettext_lazy("scheduled"),
    "public": pgettext_lazy("post", "public"),
}


def _standing(post: Post | None, at: datetime) -> str:
    if post is None or post.published_at is None:
        return "draft"
    return "public" if post.published_at <= at else "scheduled"


def _preview_context(post: Post, at: datetime, *, is_shown: bool) -> dict[str, Any]:
    """Return the public page in each language the post has, as strangers will see it, and the shortcodes left empty."""
    shown_at = max(post.published_at or at, at)
    filling = posts.make_filler(post, Viewer(), shown_at, picture_at="desk-picture-file")
    looks = []
    for language, code in (("zh-hans", "zh"), ("en", "en")):
        if is_shown and posts.is_whole(post, code):
            with override(language):
                item = posts.in_language(post)
                looks.append({"item": item, "body": posts.render_body(post, item.lang, filling), "at": shown_at})
    return {"looks": looks, "unseen": [_shortcode(target) for target in posts.empty_shortcodes(post, filling)]}


def _shortcode(target: Target) -> str:
    if target.picture:
        return f"[[picture {target.picture}]]"
    return f"[[level {target.round} {target.slot}]]" if target.slot else f"[[replay {target.round} {target.number}]]"


def _changes(stored: Post, form: PostForm) -> list[tuple[str, str, str]]:
    """Return the fields that differ: label, stored value, submitted value."""
    found = []
    for name, field in form.fields.items():
        if name == "categories":
            stored_value, submitted_value = form.initial[name], form.data.get(name, "")
        else:
            stored_value, submitted_value = getattr(stored, name), getattr(form.instance, name)
        if stored_value != submitted_value:
            found.append((str(field.label), _format_value(stored_value), _format_value(submitted_value)))
    return found


def _format_value(value: Any) -> str:
    if isinstance(value, datetime):
        return date_format(timezone.localtime(value), "Y-m-d H:i")
    return "" if value is None else str(value)


def _initial(request: HttpRequest, at: datetime) -> dict[str, Any]:
    """Return initial values; a post about a round starts with the texts for the forums."""
    round_ = Round.objects.filter(number=whole_number(request.GET.get("round", "")) or 0).first()
    if round_ is None or round_.phase(at) is Phase.DRAFT:
        return {"slug": f"{timezone.localtime(at):%Y-%m-%d}"}
    kind = Post.Kind.REPORT if round_.phase(at) is Phase.FINAL else Post.Kind.ANNOUNCEMENT
    texts = {
        text.lang: text.text for text in announcements.round_texts(round_, at, site="") if text.markup == "Markdown"
    }
    titles = {}
    for language, code in (("zh-hans", "zh"), ("en", "en")):
        with override(language):
            titles[f"title_{code}"] = str(round_)
    return {
        "slug": f"round-{round_.number}-{round_.phase(at)}",
        "kind": kind,
        "round": round_,
        "text_zh": texts["zh-Hans"],
        "text_en": texts["en"],
        **titles,
    }
