"""Strict Klotski questions: too slow for a page's script or a request, about a second for a worker.

Only the answer is stored, in the cache for a day: a repeated question is answered at once, and a lost one is asked
again by the page that waits for it.
"""

from collections.abc import Callable

from django.core.cache import cache

from contest.infra import rate_limits as gate
from contest.infra.cache import digest
from solvers.klotski import Layout, solve
from solvers.klotski.errors import WithoutNames

_KEPT_SECONDS = 24 * 3600
_ASKED_SECONDS = 20  # after this time without an answer a worker may be asked again
_VERSION = 1  # raise this by hand when the form of answers changes


def read(text: str) -> Layout:
    """Return a board with a name on every piece. Raise PuzzleError."""
    layout = Layout.parse(text)
    if not layout.names:
        raise WithoutNames
    return layout


def moves(
    start: Layout, target: Layout, *, address: str, ask: Callable[[str, str], object]
) -> tuple[str | None] | None:
    """Return a 1-tuple with a shortest solution as text, or with None if there is none; None while a worker searches.

    On the first call for two layouts, call *ask* with both. Raise WithoutNames if they do not name the same pieces,
    gate.Busy if *address* asks too often.
    """
    if {(one.name, one.kind) for one in start.pieces} != {(one.name, one.kind) for one in target.pieces}:
        raise WithoutNames
    key = _key(start, target)
    found: tuple[str | None] | None = cache.get(key)
    if found is None and not cache.get(f"{key}:asked"):
        gate.pass_klotski(address)
        cache.set(f"{key}:asked", 1, _ASKED_SECONDS)
        ask(_write(start), _write(target))
    return found


def answer(start: str, target: str) -> None:
    """Find a shortest solution and cache it: under a CPU second and 100 MB, plus a second to load numba."""
    begin, end = read(start), read(target)
    key = _key(begin, end)
    if cache.get(key) is None:
        found = solve(begin, end, is_strict=True)
        cache.set(key, (str(found) if found else None,), _KEPT_SECONDS)


def _key(start: Layout, target: Layout) -> str:
    return f"klotski:{digest((_VERSION, _write(start), _write(target)))}"


def _write(layout: Layout) -> str:
    """Return the name of the piece in each cell, in the format of `Layout.parse`."""
    return layout.named_text.replace("\n", "")
