"""Posts of organisers: stored with their HTML, with levels and replays shown as each reader may see them (issue 8)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from contest import visibility
from contest.models import Level, Picture, Post, PostCategory, PostSeries, Submission
from contest.outreach import post_categories
from contest.rendering import post_text
from contest.staff import audit_log
from contest.staff.audit_log import Actor
from contest.visibility import Viewer

NEWS_ON_THE_HOME_PAGE = 3
_LANGS = {"zh": "zh-Hans", "en": "en"}
_FIELDS = (
    "slug", "kind", "series_id", "series_place", "title_zh", "teaser_zh", "text_zh", "title_en", "teaser_en", "text_en",
    "references", "author", "round_id", "is_pinned", "published_at", "note_zh", "note_en",
)  # fmt: skip
# A later change of these is marked with its time.
_READ = tuple(name for name in _FIELDS if name.startswith(("title_", "teaser_", "text_", "note_", "references")))
_KEPT_IN_RECORD = 300


class Behind(Exception):
    """Another organiser has saved the post meanwhile."""


@dataclass(frozen=True)
class Item:
    """A post in one language, for lists and feeds: in the fallback language if necessary."""

    post: Post
    lang: str
    title: str
    summary: str
    is_fallback: bool

    @property
    def path(self) -> str:
        return self.post.get_absolute_url()


# Reading


def list_posts(viewer: Viewer, at: datetime, *, kind: str = "", most: int | None = None) -> list[Item]:
    """Return the posts public at *at*, newest first, in the reader's language or as a fallback in the other.

    With *kind* only posts of that kind.
    """
    posts = visibility.posts(viewer, at).defer("html_zh", "html_en").prefetch_related("categories")
    return [in_language(post) for post in (posts.filter(kind=kind) if kind else posts)[:most]]


def list_news(viewer: Viewer, at: datetime) -> list[Item]:
    """Return the few posts of the home page, pinned ones first."""
    posts = visibility.posts(viewer, at).defer("html_zh", "html_en").order_by("-is_pinned", "-published_at")
    return [in_language(post) for post in posts[:NEWS_ON_THE_HOME_PAGE]]


def in_language(post: Post) -> Item:
    """Return the post in the reader's language, else in the other."""
    wanted = "zh" if (get_language() or "").startswith("zh") else "en"
    other = "en" if wanted == "zh" else "zh"
    code = wanted if is_whole(post, wanted) or not is_whole(post, other) else other
    summary = getattr(post, f"teaser_{code}") or post_text.first_paragraph(getattr(post, f"text_{code}"))
    return Item(post, _LANGS[code], getattr(post, f"title_{code}"), summary, code != wanted)


def is_whole(post: Post, code: str) -> bool:
    """Return whether the post has a title and a text in that language."""
    return bool(getattr(post, f"title_{code}") and getattr(post, f"text_{code}"))


# Return the HTML of a shortcode, in a text of that language.
Filling = Callable[[post_text.Target, str], str]


def render_body(post: Post, lang: str, fill: Filling) -> SafeString:
    """Return the text with levels, replays and pictures filled in by `fill`."""
    html = post.html_en if lang == "en" else post.html_zh
    filled = post_text.fill_shortcodes(html, lambda target: fill(target, lang))
    return mark_safe(filled)  # noqa: S308 - post_text.render_post has sanitised it, the rest comes from our own templates


def empty_shortcodes(post: Post, fill: Filling) -> list[post_text.Target]:
    """Return the shortcodes that are filled with nothing."""
    return [target for target in _targets(post) if not fill(target, "en")]


def make_filler(post: Post, viewer: Viewer, at: datetime, *, picture_at: str = "picture") -> Filling:
    """Show levels and replays as *viewer* may see them at *at*, or nothing if they may not. Three queries.

    Pictures are as public as the post; *picture_at* is the name of their URL, which differs on the organisers' desk.
    """
    named = _targets(post)
    pictures = Picture.objects.defer("content").in_bulk([target.picture for target in named if target.picture])
    levels = _levels([target for target in named if target.slot], viewer, at)
    replays = _replays([target for target in named if target.number], viewer, at)

    def fill(target: post_text.Target, lang: str) -> str:
        if level := levels.get((target.round, target.slot)):
            return render_to_string("contest/posts/_shown_level.html", {"level": level})
        if submission := replays.get((target.round, target.number)):
            return render_to_string("contest/posts/_shown_replay.html", {"submission": submission})
        if picture := pictures.get(target.picture):
            description = picture.alt_en if lang == "en" else picture.alt_zh
            address = reverse(picture_at, args=[picture.pk])
            return render_to_string(
                "contest/posts/_shown_picture.html", {"picture": picture, "words": description, "at": address}
            )
        return ""

    return fill


def _targets(post: Post) -> list[post_text.Target]:
    """Return the shortcodes of both texts, without duplicates."""
    return list(dict.fromkeys([*post_text.list_shortcodes(post.html_zh), *post_text.list_shortcodes(post.html_en)]))


def _levels(named: list[post_text.Target], viewer: Viewer, at: datetime) -> Mapping[tuple[int, str], Level]:
    if not named:
        return {}
    levels = visibility.levels(viewer, at).filter(round__number__in={target.round for target in named})
    return {(level.round.number, level.slot): level for level in levels}


def _replays(named: list[post_text.Target], viewer: Viewer, at: datetime) -> Mapping[tuple[int, int], Submission]:
    if not named:
        return {}
    submissions = visibility.replayable_submissions(viewer, at, {target.number for target in named})
    return {(row.round.number, row.number): row for row in submissions}


@dataclass(frozen=True)
class Part:
    """Position of a post in its series, among the parts that the reader may see."""

    series: PostSeries
    number: int
    of: int
    before: Item | None
    after: Item | None


def find_part(post: Post, viewer: Viewer, at: datetime) -> Part | None:
    """Return the post's position in its series; None if it has none or was withdrawn meanwhile. One query."""
    if post.series is None:
        return None
    items = list_parts(post.series, viewer, at)
    here = next((place for place, item in enumerate(items) if item.post.pk == post.pk), None)
    if here is None:
        return None
    after = items[here + 1] if here + 1 < len(items) else None
    return Part(post.series, here + 1, len(items), items[here - 1] if here else None, after)


def list_parts(series: PostSeries, viewer: Viewer, at: datetime) -> list[Item]:
    """Return the parts of *series* that the reader may see, in order."""
    posts = visibility.posts(viewer, at).filter(series=series).defer("html_zh", "html_en")
    return [in_language(post) for post in posts.in_series()]


# Writing


def render(post: Post) -> dict[str, list[str]]:
    """Render the HTML of both texts; return validation errors by field name."""
    wrong = {}
    for code in _LANGS:
        try:
            setattr(post, f"html_{code}", post_text.render_post(getattr(post, f"text_{code}")))
        except post_text.BadText as error:
            wrong[f"text_{code}"] = error.messages
    return wrong


def render_all() -> tuple[int, list[Post]]:
    """Render the HTML of every post again after the renderer has changed, without marking any post as edited.

    Return how many changed, and the posts that can no longer be rendered and keep their old HTML.
    """
    changed, refused = 0, []
    for pk in list(Post.objects.order_by("pk").values_list("pk", flat=True)):
        with transaction.atomic():
            post = Post.objects.select_for_update().get(pk=pk)
            before = post.html_zh, post.html_en
            if render(post):
                refused.append(post)
            elif (post.html_zh, post.html_en) != before:
                changed += Post.objects.filter(pk=pk).update(html_zh=post.html_zh, html_en=post.html_en)
    return changed, refused


@transaction.atomic
def save(
    post: Post, *, at: datetime, by: Actor, version: int = 0, categories: Sequence[PostCategory] | None = None
) -> Post:
    """Save a draft or a published post. Raise ValidationError, or Behind if *version* is not the latest.

    The slug of a post that was public cannot change; later edits are marked with their time. *categories* are those of
    `post_categories.read`; None keeps the present ones.
    """
    stored = Post.objects.select_for_update().get(pk=post.pk) if post.pk else None
    if stored and stored.version != version:
        raise Behind
    was_public = bool(stored and stored.published_at and stored.published_at <= at)
    if post.series_id and post.series_place is None:
        last = Post.objects.filter(series=post.series_id).aggregate(last=Max("series_place"))["last"]
        post.series_place = (last or 0) + 1
    _refuse(post, stored, was_public=was_public)
    if was_public and stored and any(_differs(post, stored, name) for name in _READ):
        post.edited_at = at
    post.version = version + 1
    post.written_by_id = stored.written_by_id if stored else getattr(by, "pk", None)
    post.save()
    shown = [target.picture for target in _targets(post) if target.picture]
    post.pictures.set(Picture.objects.filter(pk__in=shown).defer("content") if shown else [])
    before, after = _changes(stored, post)
    if categories is not None and {one.typed for one in post.categories.all()} != {one.typed for one in categories}:
        before["categories"], after["categories"] = list_categories(post), _join_typed(categories)
        post_categories.attach(post, categories)
    audit_log.record(by, "write post" if stored is None else "edit post", post, before=before, after=after)
    return post


def list_categories(post: Post) -> str:
    """Return the post's categories as an organiser types them."""
    return _join_typed(post.categories.all()) if post.pk else ""


def _join_typed(categories: Iterable[PostCategory]) -> str:
    return ", ".join(category.typed for category in categories)


def _refuse(post: Post, stored: Post | None, *, was_public: bool) -> None:
    wrong = render(post)
    for code in _LANGS:
        title, text = getattr(post, f"title_{code}").strip(), getattr(post, f"text_{code}").strip()
        if text and not title:
            wrong.setdefault(f"title_{code}", []).append(_("The text has no title."))
        if title and not text and post.published_at:
            wrong.setdefault(f"text_{code}", []).append(_("The title has no text."))
    if post.published_at and not any(is_whole(post, code) for code in _LANGS):
        wrong.setdefault("__all__", []).append(_("Write it in Chinese, in English or in both."))
    if stored and was_public and post.slug != stored.slug:
        wrong["slug"] = [
            _("Readers already know the URL %(slug)s, so it can no longer be changed.") % {"slug": stored.slug}
        ]
    if wrong:
        raise ValidationError(wrong)


def _differs(post: Post, stored: Post, name: str) -> bool:
    return bool(getattr(post, name) != getattr(stored, name))


def _changes(stored: Post | None, post: Post) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the changed fields for the audit log, with long texts cut: the post itself has the full text."""
    names = [name for name in _FIELDS if stored is None or _differs(post, stored, name)]
    before = {name: _short(getattr(stored, name)) for name in names} if stored else {}
    return before, {name: _short(getattr(post, name)) for name in names}


def _short(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return value[:_KEPT_IN_RECORD] if isinstance(value, str) else value
