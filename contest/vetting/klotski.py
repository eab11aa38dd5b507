"""Strict Klotski questions: too slow for a page's script or a request, about a second for a worker.

Only the answer is stored, in the cache for a day: a repeated question is answered at once, and a lost one is asked
again by the page that waits for it.
"""

from collections.abc import Callable

from django.core.cache import cache

from contest.infra import rate_limits
from contest.infra.cache import digest
from solvers.klotski import Layout, solve
from solvers.klotski.errors import WithoutNames

_CACHED_SECONDS = 24 * 3600
_ASKED_SECONDS = 10  # after this time without an answer a worker may be asked again
_VERSION = 1  # raise this by hand when the form of answers changes


def parse_layout(text: str) -> Layout:
    """Return a board with a name on every piece. Raise PuzzleError."""
    layout = Layout.parse(text)
    if not layout.names:
        raise WithoutNames
    return layout


def find_moves(
    start: Layout, target: Layout, *, address: str, ask: Callable[[str, str], object]
) -> tuple[str | None] | None:
    """Return a 1-tuple with a shortest solution as text, or with None if there is none; None while a worker searches.

    On the first call for two layouts, call *ask* with both. Raise WithoutNames if they do not name the same pieces,
    rate_limits.Busy if the network of *address* asks too often.
    """
    if {(piece.name, piece.kind) for piece in start.pieces} != {(piece.name, piece.kind) for piece in target.pieces}:
        raise WithoutNames
    key = _cache_key(start, target)
    found: tuple[str | None] | None = cache.get(key)
    if found is None and not cache.get(f"{key}:asked"):
        rate_limits.pass_door(rate_limits.KLOTSKI, address)
        cache.set(f"{key}:asked", 1, _ASKED_SECONDS)
        ask(_layout_text(start), _layout_text(target))
    return found


def solve_and_cache(start: str, target: str) -> None:
    """Find a shortest solution and cache it: under a CPU second and 100 MB, plus a second to load numba."""
    begin, end = parse_layout(start), parse_layout(target)
    key = _cache_key(begin, end)
    if cache.get(key) is None:
        found = solve(begin, end, is_strict=True)
        cache.set(key, (str(found) if found else None,), _CACHED_SECONDS)


def _cache_key(start: Layout, target: Layout) -> str:
    return f"klotski:{digest((_VERSION, _layout_text(start), _layout_text(target)))}"


def _layout_text(layout: Layout) -> str:
    """Return the name of the piece in each cell, in the format of `Layout.parse`."""
    return layout.named_text.replace("\n", "")
