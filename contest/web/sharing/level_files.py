"""Levels as files for Sokoban programs."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from contest import visibility
from contest.infra import clock
from contest.levels.files import entry_of
from contest.models import Level
from contest.web.shell.request import Request
from solvers.sokoban.formats import sok, xsb
from solvers.sokoban.formats.collection import Collection


@require_safe
def level_text(request: Request, number: int, slot: str) -> HttpResponse:
    """Download the level as XSB with title and author, which every program reads."""
    level = _level(request, number, slot)
    return _file(level, xsb.write([entry_of(level)], line_end="\r\n"), "txt")


@require_safe
def level_gbk(request: Request, number: int, slot: str) -> HttpResponse:
    """Download the level as GB18030, for Chinese Windows programs that read only GBK; GB18030 covers all of Unicode."""
    level = _level(request, number, slot)
    return _file(level, xsb.write([entry_of(level)], line_end="\r\n"), "gbk.txt", charset="gb18030")


@require_safe
def level_sok(request: Request, number: int, slot: str) -> HttpResponse:
    level = _level(request, number, slot)
    return _file(level, sok.write(Collection(entries=(entry_of(level),))), "sok")


def _level(request: Request, number: int, slot: str) -> Level:
    return get_object_or_404(visibility.levels(request.viewer, clock.now()), round__number=number, slot=slot)


def _file(level: Level, text: str, suffix: str, *, charset: str = "utf-8") -> HttpResponse:
    name = f"round-{level.round.number}-{level.slot}.{suffix}"
    disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(text, content_type=f"text/plain; charset={charset}", headers=disposition)
