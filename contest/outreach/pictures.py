"""Pictures of posts: uploaded by organisers, re-encoded before they are stored, every change in the audit log."""

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from contest.models import Picture, SiteIdentity
from contest.rendering.pictures import StoredPicture
from contest.staff import audit_log
from contest.staff.audit_log import Actor

_WORDS = ("alt_zh", "alt_en")


@transaction.atomic
def store_picture(drawn: StoredPicture, *, alt_zh: str, alt_en: str, at: datetime, by: Actor) -> Picture:
    """Store a re-encoded picture with its description in both languages. Raise ValidationError."""
    picture = Picture(
        content=drawn.content, width=drawn.width, height=drawn.height, sha256=drawn.sha256,
        alt_zh=alt_zh, alt_en=alt_en, brought_at=at, brought_by_id=getattr(by, "pk", None),
    )  # fmt: skip
    picture.full_clean(exclude=["brought_by"])
    picture.save()
    after = {"sha256": drawn.sha256, "bytes": len(drawn.content), **_descriptions(picture)}
    audit_log.record(by, "bring picture", picture, after=after)
    return picture


@transaction.atomic
def describe(picture: Picture, *, alt_zh: str, alt_en: str, by: Actor) -> None:
    """Change the picture's descriptions. Raise ValidationError."""
    before = _descriptions(picture)
    picture.alt_zh, picture.alt_en = alt_zh, alt_en
    picture.full_clean(exclude=["brought_by"])
    picture.save(update_fields=_WORDS)
    audit_log.record(by, "change picture", picture, before=before, after=_descriptions(picture))


@transaction.atomic
def remove(picture: Picture, *, by: Actor) -> None:
    """Delete a picture that no post shows. Raise ValidationError."""
    shown = [str(post) for post in picture.posts.defer("html_zh", "html_en")]
    if shown:
        raise ValidationError(_("Posts show this picture: %(posts)s.") % {"posts": ", ".join(shown)})
    if SiteIdentity.objects.filter(logo=picture).exists():
        raise ValidationError(_("This picture is the mark of the site."))
    audit_log.record(by, "remove picture", picture, before={"sha256": picture.sha256, **_descriptions(picture)})
    picture.delete()


def _descriptions(picture: Picture) -> dict[str, Any]:
    return {name: getattr(picture, name) for name in _WORDS}
