"""The request type of the site's views."""

from django.http import HttpRequest

from contest.visibility import Viewer


class Request(HttpRequest):
    """A request with the viewer set by the middleware."""

    viewer: Viewer
