"""Views of the desk whose form is sent twice at once, or that take a name which another organiser has just taken."""

from collections.abc import Callable
from typing import Any

from django.db import IntegrityError
from django.http import HttpRequest
from django.http.response import HttpResponseBase


def call_again(
    view: Callable[..., HttpResponseBase], request: HttpRequest, *args: Any, **kwargs: Any
) -> HttpResponseBase:
    """Call *view*, and once more if the database refuses a row: the form's own checks then find the other one."""
    try:
        return view(request, *args, **kwargs)
    except IntegrityError:
        for file in request.FILES.values():
            file.seek(0)
        return view(request, *args, **kwargs)
