"""The request type of the site's views, and how requests are read."""

from typing import Any

from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest

from contest.visibility import Viewer

_LONGEST_TYPE = 1_024


class Request(HttpRequest):
    """A request with the viewer set by the middleware."""

    viewer: Viewer


class ReadAsUTF8(WSGIRequest):
    """A request whose query and forms are read as UTF-8, as browsers send them, whatever charset it names.

    Django would decode them by any codec of Python. "punycode" takes quadratic time, and some raise errors before any
    middleware runs. Older programs' forms are read elsewhere (contest.legacy.bodies). Headers that take quadratic time
    count as absent too: long types, and cookies with a backslash (CVE-2024-7592); the site sets no such cookie.
    """

    def __init__(self, environ: dict[str, Any]) -> None:
        if "\\" in environ.get("HTTP_COOKIE", ""):
            kept = [cookie for cookie in environ["HTTP_COOKIE"].split(";") if "\\" not in cookie]
            environ["HTTP_COOKIE"] = ";".join(kept)
        if len(environ.get("CONTENT_TYPE", "")) > _LONGEST_TYPE:
            environ["CONTENT_TYPE"] = ""
        super().__init__(environ)

    @property
    def encoding(self) -> str:
        return "utf-8"

    @encoding.setter
    def encoding(self, _charset: str | None) -> None:
        pass

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        try:
            super()._set_content_type_params(meta)  # type: ignore[misc]  # its stubs lack it
        except ValueError:  # a parameter in a charset that Python cannot decode (RFC 2231)
            meta["CONTENT_TYPE"] = ""
            super()._set_content_type_params(meta)  # type: ignore[misc]
