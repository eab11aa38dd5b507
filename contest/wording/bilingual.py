"""Public texts of organisers: in both languages, or in one and marked with it (rule 15.1)."""

from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.utils.translation import get_language
from django.utils.translation import gettext as _

LONGEST = 500


@dataclass(frozen=True)
class LocalisedText:
    """A text, in the reader's language if available, and its language code."""

    text: str
    lang: str


@dataclass(frozen=True)
class Reason:
    """An organiser's public reason for an act, in at least one language."""

    zh: str = ""
    en: str = ""

    def __post_init__(self) -> None:
        if not (self.zh.strip() or self.en.strip()):
            raise ValidationError(_("Give a reason in Chinese, in English or in both. It will be public."))
        if max(len(self.zh), len(self.en)) > LONGEST:
            raise ValidationError(_("A reason has %(most)s characters at most.") % {"most": LONGEST})

    def __str__(self) -> str:
        return " / ".join(filter(None, (self.zh, self.en)))


def in_language(zh: str, en: str) -> LocalisedText:
    """Return the text in the reader's language, else in the other."""
    chinese_first = (get_language() or "").startswith("zh")
    pairs = [LocalisedText(zh, "zh-Hans"), LocalisedText(en, "en")]
    return next((text for text in (pairs if chinese_first else pairs[::-1]) if text.text), LocalisedText("", ""))
