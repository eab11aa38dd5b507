"""Level import: parse a pasted text or a file, show the level at once, and put it into a round or the library."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from contest import levels, rounds, visibility
from contest.celery import waking
from contest.desk.access import StaffRequest, staff
from contest.desk.forms import LevelForm, UseForm
from contest.desk.levels.bringing import AT_ONCE, BringForm, ShownFile, show_files
from contest.infra import clock
from contest.infra.integers import whole_number
from contest.levels import Examination, pasted
from contest.levels.pasted import PastedLevels
from contest.library import collection_import, packed_files, shelf
from contest.models import IntakeLevel, LibraryLevel, Round, Search, Slot
from contest.organising.acts import add_errors
from contest.rendering.boards import drawing
from contest.staff import track_owners
from contest.vetting import orders
from contest.wording.verdicts import with_label
from solvers.errors import PuzzleError
from solvers.sokoban.formats.single import read_one

_LONGEST_LINK = 50_000
_MOST_TWINS = 6
_TYPED = ("title", "author", "tags", "difficulty", "rights", "unsolved_reason")


@dataclass(frozen=True)
class Twin:
    """A known level with its name, to compare with the new one."""

    name: str
    picture: SafeString
    is_in_library: bool = False  # the level check does not search the library


@dataclass(frozen=True)
class ExaminedForm:
    """Result of the level check for the form's level, prepared for the template."""

    picture: SafeString | str
    errors: list[str]
    warnings: list[str]
    twins: list[Twin]
    counts: tuple[int, int] | None
    # The result of vetting; None for users who may not see it.
    search: Search | None = None

    @property
    def is_solved_by_search(self) -> bool:
        """True if the solver has a solution to offer, and the form has none that solves the level."""
        return self.search is not None and self.search.is_solved and not self.counts

    @property
    def is_remarkable(self) -> bool:
        """True if there are warnings or twins to read before the level is accepted."""
        return bool(self.warnings or self.twins)


def editable_rounds(at: datetime, user: User) -> QuerySet[Round]:
    """Return the rounds with levels that may still change and that *user* may change."""
    found = Round.objects.filter(opens_at__gt=at, cancelled_at=None) | Round.objects.filter(
        announced_at=None, cancelled_at=None
    )
    return track_owners.filter_rows(user, found, "change_round")


@staff("add_librarylevel")
@require_http_methods(["GET", "POST"])
def new_level(request: StaffRequest) -> HttpResponse:
    """Import levels in two steps on one URL: parse a text, then review a single level and choose its place."""
    do = request.POST.get("do", "")
    if do == "read":
        return _read_upload(request)
    if do == "lines":
        return _show_lines(request)
    if request.method == "POST":
        return _handle_action(request, do)
    if "intake" in request.GET:
        return _render_level(request, LevelForm(initial=_initial_from_intake(request)))
    form = BringForm(label_suffix="", initial={"pasted": request.GET.get("level", "")[:_LONGEST_LINK]})
    return render(request, "contest/desk/levels/bring.html", {"form": form, **_upload_limits(), **destination(request)})


def _read_upload(request: StaffRequest) -> HttpResponse:
    """Show a single level at once; store a collection, and leave a large one to a worker."""
    form = BringForm(request.POST, request.FILES, label_suffix="")
    brought = PastedLevels()
    if form.is_valid():
        data, name = form.cleaned_data["data"], form.cleaned_data["name"]
        stored = data if isinstance(data, bytes) else data.encode()
        if packed_files.is_zip(stored):
            return _unpack(request, form, stored, name)
        if len(stored) > AT_ONCE:
            return _start_intake(request, form, stored, name, is_large=True)
        try:
            brought = pasted.read(data, name=name, stated=form.cleaned_data["stated"])
        except PuzzleError:
            form.add_error("file", _("This is not a text file."))
        else:
            if len(brought.found) == 1 and not brought.unread:
                for remark in brought.remarks:
                    messages.info(request, remark)
                return _render_level(request, LevelForm(initial=asdict(brought.found[0])))
            if brought.found:
                return _start_intake(request, form, stored, brought.name or name)
            form.add_error("file" if stored is data else "pasted", _("No readable level was found."))
    return _render_refusal(request, form, brought.unread)


def _show_lines(request: StaffRequest) -> HttpResponse:
    """Show how each line of the upload is read; store nothing."""
    form = BringForm(request.POST, request.FILES, label_suffix="")
    files: list[ShownFile] = []
    if form.is_valid():
        try:
            files = show_files(form.cleaned_data["data"], form.cleaned_data["stated"])
        except PuzzleError:
            form.add_error("file", _("This is not a text file."))
    context = {"form": form, "files": files, **_upload_limits(), **destination(request)}
    return render(request, "contest/desk/levels/bring.html", context, status=422 if form.errors else 200)


def _render_refusal(request: StaffRequest, form: BringForm, unread: tuple[str, ...] = ()) -> HttpResponse:
    context = {"form": form, "unread": unread, **_upload_limits(), **destination(request)}
    return render(request, "contest/desk/levels/bring.html", context, status=422)


def _unpack(request: StaffRequest, form: BringForm, data: bytes, name: str) -> HttpResponse:
    """Treat the files of a ZIP as one collection, named after them."""
    try:
        files = packed_files.unpack(data, collection_import.MOST_BYTES)
    except packed_files.BadZip as bad:
        form.add_error("file", str(bad))
        return _render_refusal(request, form)
    is_large = sum(len(file.data) for file in files) > AT_ONCE
    return _start_intake(request, form, data, packed_files.name_of(name, files), is_large=is_large)


def _start_intake(
    request: StaffRequest, form: BringForm, data: bytes, name: str, *, is_large: bool = False
) -> HttpResponse:
    for replaced in collection_import.find_replaced(request.user):
        message = _("Your collection “%(name)s” was removed from the desk: it keeps the last %(most)s you brought.")
        messages.warning(request, message % {"name": replaced, "most": collection_import.MOST_OF_ONE})
    how = {name: form.cleaned_data[name] for name in ("encoding", "names", "alphabet")}
    if isinstance(form.cleaned_data["data"], str):
        how["encoding"] = "utf-8"
    intake = collection_import.start(data, name, at=clock.now(), by=request.user, **how)
    if is_large:
        waking.wake_intakes()
    else:
        collection_import.work_on(intake)
    return redirect(f"{reverse('desk-intake', args=[intake.pk])}?{request.GET.urlencode()}")


def _upload_limits() -> dict[str, int]:
    """Return the limits that the page checks before it uploads anything."""
    return {"most_bytes": collection_import.MOST_BYTES}


def _initial_from_intake(request: StaffRequest) -> dict[str, str]:
    """Return the level of a collection that the URL names."""
    place, pk = (whole_number(request.GET.get(name, "1")) for name in ("place", "intake"))
    rows = IntakeLevel.objects.filter(intake__in=visibility.intakes(request.user)).exclude(text="")
    row = get_object_or_404(rows, intake=pk, place=place)
    names = ("title", "author", "solution")
    return {"text": str(row.board), **{name: getattr(row, name) for name in names}}


def _handle_action(request: StaffRequest, do: str) -> HttpResponse:
    """Show the level again, or put it into the place of the pressed button if the form is valid."""
    at = clock.now()
    form = LevelForm(request.POST)
    if not form.is_valid() or do == "look":
        return _render_level(request, form)
    if do == "library":
        return _save_and_redirect(request, form, LibraryLevel(), at)
    if not track_owners.may(request.user, "change_round"):
        raise Http404
    use = UseForm(request.POST, drafts=editable_rounds(at, request.user))
    if not use.is_valid():
        return _render_level(request, form, use)
    try:
        with transaction.atomic():
            round_ = use.cleaned_data["round"] or create_round(request.user, at)
            _put_into_round(request, form, round_, use.cleaned_data["slot"], at)
    except ValidationError as error:
        add_errors(form, error)
        return _render_level(request, form, use)
    return redirect("desk-round", round_)


def _put_into_round(request: StaffRequest, form: LevelForm, round_: Round, slot: str, at: datetime) -> None:
    given = form.cleaned_data
    texts = filter(None, (round_.title_zh, round_.title_en, round_.prizes_zh, round_.prizes_en))
    passed = levels.check(
        given["text"],
        given["solution"],
        title=given["title"],
        author=given["author"],
        texts=texts,
        round_id=round_.pk,
        slot=slot,
        known=visibility.levels_known_to(request.user, at),
        unsolved_reason=given["unsolved_reason"],
        is_vetted=visibility.may_see_vetting(request.user),
    )
    twins = visibility.levels_in_library(request.user) & shelf.find_twins(passed.board.key)
    if (passed.warnings or twins.exists()) and not given["confirmed"]:
        raise ValidationError({"confirmed": [_("Read the warnings, then tick this.")]})
    replaced = shelf.save_from(round_, slot, at=at, by=request.user)
    rounds.put_level(round_, slot, passed, title=given["title"], author=given["author"], at=at, by=request.user)
    if replaced:
        messages.info(request, _("The previous level, %(level)s, was moved to the library.") % {"level": replaced})


def create_round(user: User, at: datetime) -> Round:
    """Create a draft with the usual times in the default track of *user*."""
    track = track_owners.default_track(user, "add_round")
    if track is None:
        raise Http404
    round_ = Round(track_id=track, **rounds.suggest_round(at, track))
    rounds.save(round_, at=at, by=user)
    return round_


def _save_and_redirect(request: StaffRequest, form: LevelForm, level: LibraryLevel, at: datetime) -> HttpResponse:
    saved = save_in_library(request, form, level, at)
    if saved is None:
        return _render_level(request, form)
    return redirect("desk-library-level", saved.pk)


def save_in_library(request: StaffRequest, form: LevelForm, level: LibraryLevel, at: datetime) -> LibraryLevel | None:
    """Save the form's level in the library, as a draft if it fails the level check; None if it is invalid."""
    given = form.cleaned_data
    try:
        board = read_one(given["text"]).level
        for name in _TYPED:
            setattr(level, name, given[name])
        level.clean_fields(exclude=[field.name for field in level._meta.fields if field.name not in _TYPED])
        confirmed = bool(given["confirmed"])
        return shelf.store_level(level, board, given["solution"], at=at, by=request.user, is_confirmed=confirmed)
    except PuzzleError:
        return None  # the level check reports the position
    except ValidationError as error:
        add_errors(form, error)
        return None


def _render_level(request: StaffRequest, form: LevelForm, use: UseForm | None = None) -> HttpResponse:
    at = clock.now()
    examined = examine_form(form, request.user)
    initial = {"slot": request.GET.get("slot", Slot.MAIN), "round": _requested_round(request, at)}
    drafts = editable_rounds(at, request.user)
    context = {
        "form": form,
        "looked": examined,
        **questions_to_ask(form, examined),
        "use": use or UseForm(request.POST if "slot" in request.POST else None, initial=initial, drafts=drafts),
        "may_use": track_owners.may(request.user, "change_round"),
        **destination(request),
    }
    return render(request, "contest/desk/levels/level.html", context, status=422 if form.errors else 200)


def examine_form(form: LevelForm, user: User, but: LibraryLevel | None = None) -> ExaminedForm:
    """Check the level in the form, and compare it with the levels that *user* may see."""
    names = ("text", "solution", "title", "author", "unsolved_reason")
    values = {name: str(form[name].value() or "") for name in names}
    known = visibility.levels_known_to(user, clock.now())
    is_vetted = visibility.may_see_vetting(user)
    text, solution, title, author, reason = values.values()
    examined = levels.examine(
        text, solution, title=title, author=author, known=known, unsolved_reason=reason, is_vetted=is_vetted
    )
    board = examined.board
    twins = _twins(examined, user, but)
    played = examined.played
    return ExaminedForm(
        drawing(board, examined.cells, ruler=True) if board else "",
        [error for errors in examined.errors.values() for error in errors],
        [*examined.warnings, *(_("Known: %(name)s.") % {"name": twin.name} for twin in twins if twin.is_in_library)],
        twins,
        (played.moves, played.pushes) if played and played.is_solved else None,
        orders.find_vetting(board.sha256) if board and is_vetted else None,
    )


def questions_to_ask(form: LevelForm, looked: ExaminedForm) -> dict[str, bool]:
    """Return which questions about a level the page asks: those that the check raises, or that have an answer."""
    reason = form["unsolved_reason"]
    is_unsolved = looked.search is not None and looked.search.is_unknown and not looked.counts
    return {
        "asks_reason": is_unsolved or bool(reason.value() or reason.errors),
        "asks_confirmation": looked.is_remarkable or bool(form["confirmed"].errors),
    }


def _twins(examined: Examination, user: User, but: LibraryLevel | None) -> list[Twin]:
    board = examined.board
    key = board.key if board and len(board.players) == 1 else ""
    stored = (visibility.levels_in_library(user) & shelf.find_twins(key, but))[:_MOST_TWINS]
    in_rounds = [Twin(str(level), drawing(level.board)) for level in examined.twins[:_MOST_TWINS]]
    in_library = (Twin(with_label(_("Library"), level), drawing(level.board), is_in_library=True) for level in stored)
    return [*in_rounds, *in_library]


def _requested_round(request: StaffRequest, at: datetime) -> Any:
    """Return the round that the URL names: a draft by its primary key, an announced one by its number."""
    by, name = ("pk", "draft") if "draft" in request.GET else ("number", "round")
    return editable_rounds(at, request.user).filter(**{by: whole_number(request.GET.get(name, "")) or 0}).first()


def destination(request: StaffRequest) -> dict[str, str]:
    """Return the round and slot that the level is meant for, and the query string that passes them on."""
    wanted = {name: request.GET[name] for name in ("round", "draft", "slot") if name in request.GET}
    query = request.GET.copy()
    for name in set(query) - set(wanted):
        del query[name]
    return {"wanted": query.urlencode(), **wanted}
