"""The scripts of a page, with all modules that they import."""

import re
from functools import cache
from pathlib import Path

from django import template
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from contest.infra.bundling import bundle_path

register = template.Library()

_FILES = (Path(__file__).parent.parent / "static").resolve()
_IMPORT = re.compile(r'^(?:import|export)\b[^;"]*"(\.{1,2}/[\w./-]+)";$', re.MULTILINE)


@register.simple_tag
def module(path: str) -> SafeString:
    """Render the script at *path* and preload its imports: a slow network needs one round trip, after the text."""
    bundle = bundle_path(path)
    needed = ((static(name),) for name in ([] if bundle else imports_of(path)))
    links = format_html_join("\n", '<link rel="modulepreload" fetchpriority="low" href="{}">', needed)
    script = format_html('<script type="module" src="{}" fetchpriority="low"></script>', static(bundle or path))
    return format_html("{}\n{}", links, script)


@cache
def imports_of(path: str) -> tuple[str, ...]:
    """Return the paths below static/ of all modules that the one at *path* needs, without itself, nearest first."""
    paths = [path]
    for script in paths:
        folder = (_FILES / script).parent
        files = [(folder / name).resolve() for name in _IMPORT.findall((_FILES / script).read_text())]
        names = dict.fromkeys(file.relative_to(_FILES).as_posix() for file in files)
        paths.extend(name for name in names if name not in paths)
    return tuple(paths[1:])
