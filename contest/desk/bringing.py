"""Bringing levels in: read what was pasted, show it at once, and put it into a round or the library."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from contest import clock, incoming, level_library, levels, rounds, visibility
from contest.admin.acts import add_errors
from contest.desk.forms import BringForm, LevelForm, UseForm
from contest.desk.guard import StaffRequest, staff
from contest.incoming import Brought, Found
from contest.levels import Examined
from contest.models import Intake, LibraryLevel, Round, Slot
from solvers.errors import PuzzleError
from solvers.sokoban import Level as Board
from solvers.sokoban.draw import svg

PER_PAGE = 40
_MOST_TWINS = 6
_TYPED = ("title", "author", "tags", "difficulty", "rights")


@dataclass(frozen=True)
class Twin:
    """A known level with what it is called, to look at beside the new one."""

    name: str
    picture: SafeString


@dataclass(frozen=True)
class Looked:
    """What the gate says of the level in the form, ready to show."""

    picture: SafeString | str
    errors: list[str]
    warnings: list[str]
    twins: list[Twin]
    counts: tuple[int, int] | None

    @property
    def is_clean(self) -> bool:
        return not self.errors


def picture(board: Board, marks: frozenset[int] = frozenset(), *, ruler: bool = False) -> SafeString:
    """The board as SVG: made of numbers and class names, nothing anybody typed."""
    return mark_safe(svg(board, marks=marks, ruler=ruler))  # noqa: S308 - numbers only


def drafts(at: datetime) -> QuerySet[Round]:
    """Rounds whose levels may still change."""
    return Round.objects.filter(opens_at__gt=at, cancelled_at=None) | Round.objects.filter(
        announced_at=None, cancelled_at=None
    )


@staff("add_librarylevel")
@require_http_methods(["GET", "POST"])
def new(request: StaffRequest) -> HttpResponse:
    """Two steps on one address: read a text, then look at the one level found and put it somewhere."""
    do = request.POST.get("do", "")
    if do == "read":
        return _read(request)
    if request.method == "POST":
        return _put(request, do)
    if "intake" in request.GET:
        return _show(request, LevelForm(initial=_picked(request)))
    return render(request, "contest/desk/bring.html", {"form": BringForm(label_suffix=""), **_destination(request)})


def _read(request: StaffRequest) -> HttpResponse:
    form = BringForm(request.POST, request.FILES, label_suffix="")
    brought = Brought()
    if form.is_valid():
        file = form.cleaned_data["file"]
        try:
            brought = incoming.read(
                file.read() if file else form.cleaned_data["pasted"], name=file.name[:200] if file else ""
            )
        except PuzzleError:
            form.add_error("file", _("This file is no text."))
        else:
            if len(brought.found) == 1:
                return _show(request, LevelForm(initial=asdict(brought.found[0])))
            if brought.found:
                return _choose(request, brought)
            form.add_error("file" if file else "pasted", _("There is no level in it that can be read."))
    words = {"form": form, "unread": brought.unread, **_destination(request)}
    return render(request, "contest/desk/bring.html", words, status=422)


def _choose(request: StaffRequest, brought: Brought) -> HttpResponse:
    intake = level_library.remember(
        [asdict(found) for found in brought.found], brought.name, at=clock.now(), by=request.user
    )
    if brought.unread_count:
        messages.warning(
            request,
            _("%(count)s levels could not be read; the first: %(words)s")
            % {"count": brought.unread_count, "words": brought.unread[0]},
        )
    return redirect(f"{reverse('desk-intake', args=[intake.pk])}?{request.GET.urlencode()}")


@staff("add_librarylevel")
@require_safe
def intake(request: StaffRequest, pk: int) -> HttpResponse:
    """The levels of a collection, by pages, to choose one from."""
    kept = get_object_or_404(visibility.intakes(request.user), pk=pk)
    sought = request.GET.get("q", "").strip()
    numbered = incoming.matching((Found(**found) for found in kept.found), sought)
    page = Paginator(numbered, PER_PAGE).get_page(request.GET.get("page"))
    shown = [{"place": place, "found": found, "picture": picture(Board.parse(found.text))} for place, found in page]
    words = {
        "intake": kept,
        "count": len(kept.found),
        "matches": len(numbered),
        "sought": sought,
        "chosen": page,
        "shown": shown,
        **_destination(request),
    }
    return render(request, "contest/desk/intake.html", words)


def _picked(request: StaffRequest) -> dict[str, str]:
    try:
        kept = visibility.intakes(request.user).get(pk=int(request.GET["intake"]))
        found: dict[str, str] = kept.found[int(request.GET.get("place", "1")) - 1]
    except (ValueError, IndexError, Intake.DoesNotExist):
        raise Http404 from None
    return found


def _put(request: StaffRequest, do: str) -> HttpResponse:
    """Show the level again, or, if nothing speaks against it, put it where the button says."""
    at = clock.now()
    form = LevelForm(request.POST)
    if not form.is_valid() or do == "look":
        return _show(request, form)
    if do == "library":
        return _keep(request, form, LibraryLevel(), at)
    if not request.user.has_perm("contest.change_round"):
        raise Http404
    use = UseForm(request.POST, drafts=drafts(at))
    if not use.is_valid():
        return _show(request, form, use)
    try:
        with transaction.atomic():
            round_ = use.cleaned_data["round"] or _new_round(request, at)
            _put_into(request, form, round_, use.cleaned_data["slot"], at)
    except ValidationError as error:
        add_errors(form, error)
        return _show(request, form, use)
    return redirect("desk-round", round_.number)


def _put_into(request: StaffRequest, form: LevelForm, round_: Round, slot: str, at: datetime) -> None:
    given = form.cleaned_data
    texts = filter(None, (round_.title_zh, round_.title_en, round_.prizes_zh, round_.prizes_en))
    passed = levels.check(
        given["text"],
        given["solution"],
        title=given["title"],
        author=given["author"],
        texts=texts,
        round_id=round_.pk,
    )
    if (passed.warnings or level_library.twins(passed.board.key).exists()) and not given["confirmed"]:
        raise ValidationError({"confirmed": [_("Read the warnings, then tick this.")]})
    rounds.put_level(round_, slot, passed, title=given["title"], author=given["author"], at=at, by=request.user)


def _new_round(request: StaffRequest, at: datetime) -> Round:
    round_ = Round(**rounds.suggestion(at))
    rounds.save(round_, at=at, by=request.user)
    return round_


def _keep(request: StaffRequest, form: LevelForm, level: LibraryLevel, at: datetime) -> HttpResponse:
    kept = fill_and_keep(request, form, level, at)
    if kept is None:
        return _show(request, form)
    return redirect("desk-library-level", kept.pk)


def fill_and_keep(request: StaffRequest, form: LevelForm, level: LibraryLevel, at: datetime) -> LibraryLevel | None:
    """Save the form's level in the library, as a draft where it does not pass; None where it is no board."""
    given = form.cleaned_data
    try:
        board = Board.parse(given["text"])
        for name in _TYPED:
            setattr(level, name, given[name])
        level.clean_fields(exclude=[field.name for field in level._meta.fields if field.name not in _TYPED])
        confirmed = bool(given["confirmed"])
        return level_library.keep(level, board, given["solution"], at=at, by=request.user, is_confirmed=confirmed)
    except PuzzleError:
        return None  # the gate says where
    except ValidationError as error:
        add_errors(form, error)
        return None


def _show(request: StaffRequest, form: LevelForm, use: UseForm | None = None) -> HttpResponse:
    at = clock.now()
    initial = {"slot": request.GET.get("slot", Slot.MAIN), "round": _round_asked(request, at)}
    words = {
        "form": form,
        "looked": looked_at(form),
        "use": use or UseForm(request.POST if "slot" in request.POST else None, initial=initial, drafts=drafts(at)),
        "may_use": request.user.has_perm("contest.change_round"),
        **_destination(request),
    }
    return render(request, "contest/desk/level.html", words, status=422 if form.errors else 200)


def looked_at(form: LevelForm, but: LibraryLevel | None = None) -> Looked:
    """What the gate says of the level that the form holds now."""
    held = {name: str(form[name].value() or "") for name in ("text", "solution", "title", "author")}
    examined = levels.examine(held["text"], held["solution"], title=held["title"], author=held["author"])
    board = examined.board
    twins = _twins(examined, but)
    played = examined.played
    return Looked(
        picture(board, examined.cells, ruler=True) if board else "",
        [words for said in examined.errors.values() for words in said],
        [*examined.warnings, *(_("Known: %(name)s.") % {"name": twin.name} for twin in twins if _is_kept(twin))],
        twins,
        (played.moves, played.pushes) if played and played.is_solved else None,
    )


def _is_kept(twin: Twin) -> bool:
    """Whether the gate knows nothing of it: it is in the library, not in a round."""
    return twin.name.startswith(_("Library"))


def _twins(examined: Examined, but: LibraryLevel | None) -> list[Twin]:
    board = examined.board
    key = board.key if board and len(board.players) == 1 else ""
    kept = level_library.twins(key, but)[:_MOST_TWINS]
    in_rounds = [Twin(str(level), picture(level.board)) for level in examined.twins[:_MOST_TWINS]]
    return [*in_rounds, *(Twin(f"{_('Library')}: {level}", picture(level.board)) for level in kept)]


def _round_asked(request: StaffRequest, at: datetime) -> Any:
    number = request.GET.get("round", "")
    return drafts(at).filter(number=number).first() if number.isdecimal() else None


def _destination(request: StaffRequest) -> dict[str, str]:
    """Where a level is wanted, carried along in the address."""
    wanted = {name: request.GET[name] for name in ("round", "slot") if name in request.GET}
    query = request.GET.copy()
    for name in set(query) - set(wanted):
        del query[name]
    return {"wanted": query.urlencode(), **wanted}
