"""Downloads of collections, if their author permits."""

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from contest import visibility
from contest.infra import client_ip, clock
from contest.library import collection_files
from contest.web.shell.request import Request


@require_safe
def download(request: Request, slug: str, kind: str) -> HttpResponse:
    """Download the whole collection as .sok, .xsb or .slc. Raise Busy."""
    downloadable = visibility.collections(request.viewer, clock.now()).filter(may_download=True)
    collection = get_object_or_404(downloadable, slug=slug)
    if kind not in collection_files.KINDS:
        raise Http404(kind)
    collection_files.count(collection, client_ip.sender_of(request))
    media_type = "application/xml" if kind == "slc" else "text/plain"
    disposition = {"Content-Disposition": f'attachment; filename="{collection.slug}.{kind}"'}
    text = collection_files.write(collection, kind)
    return HttpResponse(text, content_type=f"{media_type}; charset=utf-8", headers=disposition)
