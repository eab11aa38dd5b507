"""Collections to take away, where their author allows it."""

from collections.abc import Iterator

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from contest import visibility
from contest.infra import clock
from contest.models import CollectedLevel, Collection
from contest.web.pages.views import Request
from solvers.sokoban.formats import Collection as LevelFile
from solvers.sokoban.formats import Entry, slc, sok, xsb


@require_safe
def download(request: Request, slug: str, kind: str) -> HttpResponse:
    """The whole collection as .sok, .xsb or .slc: boards, titles and authors, never a solution."""
    open_ones = visibility.collections(request.viewer, clock.now()).filter(may_download=True)
    collection = get_object_or_404(open_ones, slug=slug)
    if kind not in ("sok", "xsb", "slc"):
        raise Http404(kind)
    entries = tuple(_entries(collection))
    file = LevelFile(collection.title_en, collection.author, _notes(collection), {}, entries, (), ())
    text = xsb.write(entries, line_end="\r\n") if kind == "xsb" else (sok if kind == "sok" else slc).write(file)
    kind_ = "application/xml" if kind == "slc" else "text/plain"
    disposition = {"Content-Disposition": f'attachment; filename="{collection.slug}.{kind}"'}
    return HttpResponse(text, content_type=f"{kind_}; charset=utf-8", headers=disposition)


def _entries(collection: Collection) -> Iterator[Entry]:
    for level in CollectedLevel.objects.filter(collection=collection).order_by("place").iterator():
        yield Entry(level.place, 1, level.board, str(level), level.author)


def _notes(collection: Collection) -> str:
    return "\n".join(line for line in (collection.licence, collection.remarks) if line)
