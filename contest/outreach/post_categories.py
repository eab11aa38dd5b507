"""Categories of posts, as organisers type them: `复杂度 / Complexity, Go`. One lasts as long as a post has it."""

import re
from collections.abc import Iterable

from django.core.exceptions import ValidationError
from django.utils.text import slugify
from django.utils.translation import gettext as _

from contest.models import Post, PostCategory

MOST = 6
_CHINESE = re.compile("[\u2e80-\u9fff]")
_BETWEEN = re.compile("[,，、\n]")
_SLASH = re.compile("[/／]")


def read(text: str) -> list[PostCategory]:
    """Return the typed categories: known rows, perhaps with a name added, and new ones, unsaved.

    Raise ValidationError.
    """
    typed = [" ".join(part.split()) for part in _BETWEEN.split(text) if part.strip()]
    if len(typed) > MOST:
        raise ValidationError(_("A post has at most %(most)s categories.") % {"most": MOST})
    known = list(PostCategory.objects.all())
    found: list[PostCategory] = []
    for part in typed:
        category = _find(part, [*known, *found])
        try:
            category.clean_fields(exclude=["slug"])
        except ValidationError as error:
            raise ValidationError(error.messages) from None
        if category not in found:
            found.append(category)
    return found


def _find(part: str, known: Iterable[PostCategory]) -> PostCategory:
    """Return the known category of the typed name or pair of names, else a new one. Raise ValidationError."""
    zh, en = _split(part)
    for category in known:
        pairs = [(zh, category.name_zh), (en, category.name_en)]
        if not any(name and name.casefold() == other.casefold() for name, other in pairs):
            continue
        if any(name and other and name.casefold() != other.casefold() for name, other in pairs):
            raise ValidationError(
                _("There is a category “%(known)s” already. Type that, or rename it on the page Categories.")
                % {"known": category.typed}
            )
        category.name_zh, category.name_en = category.name_zh or zh, category.name_en or en
        return category
    return PostCategory(name_zh=zh, name_en=en)


def _split(part: str) -> tuple[str, str]:
    """Return the Chinese and the English name; a single name is Chinese if it has a Chinese character.

    >>> _split("Go"), _split("围棋"), _split("Go / 围棋")
    (('', 'Go'), ('围棋', ''), ('围棋', 'Go'))
    """
    names = [name.strip() for name in _SLASH.split(part) if name.strip()]
    if len(names) == 1:
        return (names[0], "") if _CHINESE.search(names[0]) else ("", names[0])
    if len(names) != 2:
        raise ValidationError(_("%(part)s: a category has one name in each language.") % {"part": part})
    first, second = names
    return (second, first) if _CHINESE.search(second) and not _CHINESE.search(first) else (first, second)


def attach(post: Post, categories: Iterable[PostCategory]) -> None:
    """Give *post* these categories of `read`, and delete those that no post has any more. Call it in a transaction."""
    for category in categories:
        category.slug = category.slug or _free_slug(category)
        category.validate_constraints()  # another organiser may have added the same one meanwhile
        category.save()
    post.categories.set(categories)
    PostCategory.objects.filter(posts=None).delete()


def _free_slug(category: PostCategory) -> str:
    """Return a slug for the URL: of the English name, with a number if it is taken or there is none."""
    base = slugify(category.name_en)[:50]
    taken = set(PostCategory.objects.filter(slug__startswith=base or "category").values_list("slug", flat=True))
    if base and base not in taken:
        return base
    number = 2 if base else 1
    while (slug := f"{base or 'category'}-{number}") in taken:
        number += 1
    return slug
