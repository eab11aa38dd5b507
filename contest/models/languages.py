"""Texts that are stored in Chinese and in English; one of the two may be empty."""

from django.utils.translation import get_language


def in_readers_language(zh: str, en: str) -> str:
    """Return the text in the reader's language, or else the other one (`wording.bilingual` also marks which)."""
    chinese_first = (get_language() or "").startswith("zh")
    return (zh or en) if chinese_first else (en or zh)
