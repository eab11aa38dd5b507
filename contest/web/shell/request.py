"""The request as every view of the site gets it."""

from django.http import HttpRequest

from contest.visibility import Viewer


class Request(HttpRequest):
    """A request whose viewer the middleware has named."""

    viewer: Viewer
