"""Strict questions of Klotski: too long for a page's script, too long for a request, a second for a worker.

Nothing is stored but the answer, for a day, in the cache: who asks again gets it at once, and a question that was lost
is asked again by the page that waits for it.
"""

from collections.abc import Callable

from django.core.cache import cache

from contest.infra import rate_limits as gate
from contest.infra.cache import digest
from solvers.klotski import Layout, solve
from solvers.klotski.errors import WithoutNames

_KEPT_SECONDS = 24 * 3600
_ASKED_SECONDS = 20  # a worker that has not answered by then may be asked again
_VERSION = 1  # raised by hand when answers come to look different


def read(text: str) -> Layout:
    """A board with a name on every piece. Raise PuzzleError."""
    layout = Layout.parse(text)
    if not layout.names:
        raise WithoutNames
    return layout


def moves(
    start: Layout, target: Layout, *, address: str, ask: Callable[[str, str], object]
) -> tuple[str | None] | None:
    """A shortest way as text, None in the tuple where there is none; without a tuple a worker is at it.

    The first who wants to know calls *ask* with both layouts. Raise WithoutNames where the two do not name the same
    pieces, gate.Busy where *address* asks for many.
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
    """Find a shortest way and keep it: less than a CPU second and 100 MB once numba is loaded, which takes another."""
    begin, end = read(start), read(target)
    key = _key(begin, end)
    if cache.get(key) is None:
        found = solve(begin, end, is_strict=True)
        cache.set(key, (str(found) if found else None,), _KEPT_SECONDS)


def _key(start: Layout, target: Layout) -> str:
    return f"klotski:{digest((_VERSION, _write(start), _write(target)))}"


def _write(layout: Layout) -> str:
    """The name of its piece in each cell: what `Layout.parse` reads."""
    return layout.named_text.replace("\n", "")
