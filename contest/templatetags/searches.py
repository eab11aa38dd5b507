"""Labels and numbers of solver searches."""

from django import template

from contest.wording import searches

register = template.Library()


@register.filter
def thousands(count: int) -> str:
    """Format a number with thousands separators."""
    return f"{count:,}"


@register.filter
def limit_words(limit: str) -> str:
    return str(searches.LIMIT_WORDS.get(limit, limit))


@register.filter
def proof_words(proof: str) -> str:
    return str(searches.PROOF_WORDS.get(proof, proof))


@register.filter
def part_words(part: str) -> str:
    return searches.describe_part(part)


@register.filter
def band_words(band: int) -> str:
    return str(searches.BAND_WORDS.get(band, ""))
