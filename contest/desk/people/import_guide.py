"""Guided import of a club's archive: rounds and results, levels, names, and the check; a draft preserves each step.

The check and the import itself are jobs on a page of their own (`moving_in`).
"""

import csv
import io
from collections.abc import Callable, Container, Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from contest.archive.imports import drafts, guide, jobs, names, tables
from contest.archive.imports.drafts import Refused
from contest.archive.imports.guide import FoundLevel, Material
from contest.archive.imports.names import Name
from contest.desk.access import StaffRequest, staff
from contest.desk.people.moving_in import MOST_FILES, ManyFiles, start_work
from contest.infra import clock
from contest.infra.integers import whole_number
from contest.library import packed_files
from contest.models import ImportDraft, Slot
from contest.players import name_key
from contest.rendering.boards import MOST_CELLS_IN_LISTS, drawing

STEPS = {
    "tables": gettext_lazy("1. Rounds and results"),
    "levels": gettext_lazy("2. Levels"),
    "names": gettext_lazy("3. Names"),
    "check": gettext_lazy("4. Check"),
}
_FOLDERS = ("tables", "levels")
_PER_PAGE = 40  # rows with fields; a request may have DATA_UPLOAD_MAX_NUMBER_FIELDS
_SHOWN = 100  # faults
_CHINESE = {
    "number": "期号", "opens_at": "开始时间", "closes_at": "结束时间", "title_zh": "中文标题", "title_en": "英文标题",
    "levels": "关卡文件", "scoring_levels": "计分关卡", "round": "期号", "nickname": "昵称", "slot": "关卡",
    "moves": "移动", "pushes": "推动", "time": "时间", "country": "国家", "league": "组别", "lurd": "答案",
}  # fmt: skip


def _files_field(label: Any, help_text: Any) -> forms.FileField:
    return forms.FileField(label=label, required=False, widget=ManyFiles({"multiple": True}), help_text=help_text)


class TablesForm(forms.Form):
    chosen = _files_field(
        gettext_lazy("Tables (.csv)"),
        gettext_lazy(
            "In a spreadsheet program: Save as, CSV. UTF-8 and GBK, commas and semicolons are all read. A file of the "
            "same name is replaced."
        ),
    )


class LevelsForm(forms.Form):
    chosen = _files_field(
        gettext_lazy("Level files"),
        gettext_lazy(
            "Or a ZIP of them. A file name such as 14.xsb or 14-extra.xsb, or a level's title such as “Round 14 "
            "extra”, names its round."
        ),
    )
    pasted = forms.CharField(
        label=gettext_lazy("Or paste levels"), required=False, strip=False, widget=forms.Textarea({"rows": 6})
    )


@staff("add_round")
@require_http_methods(["GET", "POST"])
def import_guide(request: StaffRequest, name: str) -> HttpResponse:
    """Show a step; a POST changes the draft, and shows the same step or the next one."""
    if name not in STEPS:
        raise Http404
    if template := _COLUMNS.get(request.GET.get("template", "")):
        return _template(request.GET["template"], template)
    draft, error = drafts.open_draft(request.user), ""
    if request.method == "POST":
        try:
            return _change(request, name, draft)
        except Refused as refusal:
            draft, error = drafts.open_draft(request.user), str(refusal)
    material = drafts.material_of(draft)
    context = {"steps": STEPS, "step": name, "draft": draft, "error": error, "days": jobs.DRAFTS_KEPT_FOR.days}
    context |= {"files": _files(material, name), "found": material.tables, "results": material.result_count}
    context |= _SHOW[name](request, material)
    return render(request, f"contest/desk/imports/guide_{name}.html", context, status=422 if error else 200)


def _files(material: Material, step: str) -> list[tuple[str, int]]:
    return [(path.partition("/")[2], len(content)) for path, content in material.files.items() if path.startswith(step)]


# What is shown


def _show_tables(_request: StaffRequest, material: Material) -> dict[str, Any]:
    found = material.tables
    columns = {kind: [(column, ", ".join(others), column in _NEEDED) for column, others in known.items()]
               for kind, known in _COLUMNS.items()}  # fmt: skip
    return {
        "form": TablesForm(label_suffix=""),
        "columns": columns,
        "faults": found.faults[:_SHOWN],
        "more_faults": len(found.faults[_SHOWN:]),
        "notes": found.notes,
        "empty": sorted(set(found.rounds) - set(found.results)),
    }


def _show_levels(request: StaffRequest, material: Material) -> dict[str, Any]:
    plan = material.plan
    levels = [level for slots in plan.levels.values() for level in slots.values()]
    page = Paginator(plan.unused, _PER_PAGE).get_page(request.GET.get("page"))
    return {
        "form": LevelsForm(label_suffix="", initial={"pasted": request.POST.get("pasted", "")}),
        "plan": plan,
        "faults": plan.faults[:_SHOWN],
        "count": sum(map(len, plan.levels.values())),
        "missing": [guide.lack_message(number, slots) for number, slots in plan.missing.items()],
        "leaves_out": material.choices.get("leaves_out"),
        "chosen": page,
        "unused": [(level, _picture(level)) for level in page],
        "levels": levels,
        "solved": sum(bool(level.solution) for level in levels),
        "slots": Slot.choices,
    }


def _picture(level: FoundLevel) -> SafeString:
    board = level.entry.level
    return drawing(board) if board.width * board.height <= MOST_CELLS_IN_LISTS else SafeString("")


def _show_names(request: StaffRequest, material: Material) -> dict[str, Any]:
    all_names = names.compare(material.nicknames)
    unclear = [name for name in all_names if name.needs_look]
    page = Paginator(unclear, _PER_PAGE).get_page(request.GET.get("page"))
    chosen = material.choices.get("names", {})
    spellings = {name.key: name.nickname for name in all_names}
    return {
        "chosen": page,
        "names": [(name, chosen.get(name.key, ""), _options(name, chosen.get(name.key, ""))) for name in page],
        "all_names": all_names,
        "undecided": [name for name in unclear if name.is_owned and name.key not in chosen],
        "joined": [(key, spellings[key], name) for key, name in chosen.items() if key in spellings and name],
    }


def _options(name: Name, chosen: str) -> list[str]:
    return [*dict.fromkeys([*name.similar, *filter(None, [chosen])])]


def _show_check(_request: StaffRequest, material: Material) -> dict[str, Any]:
    found, plan = material.tables, material.plan
    chosen = material.choices.get("names", {})
    owned = [name for name in names.compare(material.nicknames) if name.is_owned and not chosen.get(name.key)]
    lacks = len(plan.missing) if not material.choices.get("leaves_out") else 0
    return {
        "plan": plan,
        "count": sum(map(len, plan.levels.values())),
        "players": len(material.nicknames),
        "faults": len(found.faults),
        "level_faults": len(plan.faults),
        "lacks": lacks,
        "owned": len(owned),
        "left_out": len(plan.missing) - lacks,
        "may_check": bool(found.rounds and not found.faults),
    }


_SHOW: dict[str, Callable[[StaffRequest, Material], dict[str, Any]]] = {
    "tables": _show_tables,
    "levels": _show_levels,
    "names": _show_names,
    "check": _show_check,
}
_COLUMNS = {"rounds": tables.ROUND_COLUMNS, "results": tables.RESULT_COLUMNS}
_NEEDED = {*tables.NEEDED_OF_ROUND, *tables.NEEDED_OF_RESULT}


def _template(name: str, columns: dict[str, tuple[str, ...]]) -> HttpResponse:
    """Return a table with headings alone, which spreadsheet programs open as UTF-8."""
    is_chinese = (get_language() or "").startswith("zh")
    table = io.StringIO()
    csv.writer(table).writerow(_CHINESE[column] if is_chinese else column for column in columns)
    response = HttpResponse("\ufeff" + table.getvalue(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response


# What is changed


def _change(request: StaffRequest, step: str, draft: ImportDraft) -> HttpResponse:
    """Change the draft, or have it checked; redirect to what shows that. Raise Refused."""
    at, post = clock.now(), request.POST
    if "remove" in post:
        drafts.remove_file(draft, f"{step}/{post['remove']}", at=at)
    elif post.get("do") == "delete":
        ImportDraft.objects.filter(owner=request.user).delete()
        messages.success(request, _("Everything that was entered is deleted. Nothing was imported."))
        return redirect("desk-bring-rounds")
    elif post.get("do") == "check":
        job = drafts.start_check(draft, at=at)
        start_work(job)
        return redirect("desk-round-import", job.pk)
    elif post.get("do") == "add" and step in _FOLDERS:
        drafts.add_files(draft, dict(_uploaded(request, step)), at=at)
    elif post.get("do") == "assign":
        _choose(draft, "levels", _assigned(post, drafts.material_of(draft).tables.rounds))
    elif post.get("do") == "leave-out":
        drafts.choose(draft, "leaves_out", "leaves_out" in post, at=at)
    elif post.get("do") == "names":
        _choose(draft, "names", _joined(post, drafts.material_of(draft).nicknames))
    return redirect(request.get_full_path())


def _choose(draft: ImportDraft, what: str, rows: Iterable[tuple[str, str | None] | Refused]) -> None:
    """Store the choices of a form. Raise Refused with the reasons of those that cannot be stored."""
    found = list(rows)
    drafts.choose(draft, what, dict(row for row in found if isinstance(row, tuple)), at=clock.now())
    if refusals := [str(row) for row in found if isinstance(row, Refused)]:
        raise Refused(" ".join(refusals))


def _uploaded(request: StaffRequest, step: str) -> Iterator[tuple[str, bytes]]:
    files = request.FILES.getlist("chosen")
    pasted = request.POST.get("pasted", "")
    if not files and not pasted.strip():
        raise Refused(_("Choose a file."))
    if len(files) > MOST_FILES:
        values = {"count": len(files), "most": MOST_FILES}
        raise Refused(_("You chose %(count)s files; the limit is %(most)s at once.") % values)
    seen: set[str] = set()
    for name, content in _unpacked(files):
        if name in seen:
            raise Refused(_("Two files have the name %(name)s.") % {"name": name})
        if step == "tables" and content.startswith((b"PK\3\4", b"\xd0\xcf\x11\xe0")):
            message = _("%(name)s is a workbook. Save each of its sheets as CSV, and choose those files.")
            raise Refused(message % {"name": name})
        seen.add(name)
        yield f"{step}/{name}", content
    if pasted.strip():
        yield f"{step}/pasted {clock.now():%Y-%m-%d %H%M%S}.txt", pasted.encode()


def _unpacked(files: list[Any]) -> Iterator[tuple[str, bytes]]:
    for file in files:
        name, content = PurePosixPath((file.name or "").replace("\\", "/")).name or "unnamed", file.read()
        if not name.lower().endswith(".zip"):
            yield name, content
            continue
        try:
            for packed in packed_files.unpack(content, guide.MOST_BYTES, guide.MOST_FILES):
                yield packed.name, packed.data
        except packed_files.BadZip as error:
            raise Refused(f"{name}: {error}") from None


def _assigned(post: QueryDict, rounds: Container[int]) -> Iterator[tuple[str, str | None] | Refused]:
    """Yield the rounds and slots entered for levels; an empty round leaves the level as it is."""
    for field in (field for field in post if field.startswith("level-")):
        row = field.removeprefix("level-")
        text = post.get(f"round-{row}", "").strip()
        if text:
            number = whole_number(text)
            if number is None or (number and number not in rounds):
                yield Refused(_("%(text)s is not the number of a round.") % {"text": repr(text[:40])})
            else:
                yield post.get(field, ""), f"{number} {post.get(f'slot-{row}', '')}" if number else ""


def _joined(post: QueryDict, nicknames: Iterable[str]) -> Iterator[tuple[str, str | None] | Refused]:
    """Yield the nicknames chosen for other spellings; None separates one again."""
    known = set(map(name_key, nicknames))
    if "separate" in post:
        yield post.get("separate", ""), None
    for field in (field for field in post if field.startswith("name-")):
        row = field.removeprefix("name-")
        name, other = post.get(field, ""), post.get(f"other-{row}", "").strip() or post.get(f"same-{row}", "")
        if name_key(name) not in known:
            yield Refused(_("No result has the nickname %(name)s.") % {"name": repr(name[:40])})
            continue
        try:
            chosen = drafts.check_name(other) if other else None
            yield name_key(name), chosen if chosen and name_key(chosen) != name_key(name) else None
        except Refused as refusal:
            yield refusal
