"""The request type of the site's views, and how requests are read."""

import codecs
import encodings
from encodings.aliases import aliases
from pkgutil import iter_modules
from typing import Any

from django.core.exceptions import DisallowedHost
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest
from django.utils.http import parse_header_parameters

from contest.visibility import Viewer

_LONGEST_TYPE = 1_024
# The longest name in DNS, and the largest port.
_LONGEST_NAME, _LARGEST_PORT = 253, 65_535


_CODECS = {module.name for module in iter_modules(encodings.__path__)} | aliases.keys()


def find_codec(name: str) -> codecs.CodecInfo | None:
    """Return Python's own codec of this name. Python would store each unknown name for ever, and clients send any."""
    plain = encodings.normalize_encoding(name)
    return encodings.search_function(name) if {plain, plain.replace(".", "_")} & _CODECS else None


codecs.unregister(encodings.search_function)
codecs.register(find_codec)


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

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        """Read the type as Django does, but take no charset from it."""
        try:
            self.content_type, self.content_params = parse_header_parameters(meta.get("CONTENT_TYPE", ""))
        except ValueError:  # a parameter in a charset that Python cannot decode (RFC 2231)
            meta["CONTENT_TYPE"] = ""
            self.content_type, self.content_params = "", {}

    def get_host(self) -> str:
        """Refuse a host that cannot exist. Django lets a port have any number of digits, and a sitemap repeats it."""
        host = super().get_host()
        port = host.rpartition("]")[2].partition(":")[2]
        longest = _LONGEST_NAME + len(f":{_LARGEST_PORT}")
        if len(host) > longest or int(port or 0) > _LARGEST_PORT or port.startswith("0"):
            raise DisallowedHost("Invalid HTTP_HOST header: too long, or its port is no port.")
        return host
