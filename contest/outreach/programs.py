"""Programs for playing, solving and editing Sokoban: saved with an audit record, listed, and given as open data."""

from typing import Any

from django.db import transaction

from contest.models import Program
from contest.staff import audit_log
from contest.staff.audit_log import Actor

FIELDS = tuple(field.name for field in Program._meta.concrete_fields if not field.primary_key)


@transaction.atomic
def save(row: Program, *, by: Actor) -> None:
    """Save a new or changed program. Raise ValidationError."""
    row.full_clean()
    stored = Program.objects.select_for_update().get(pk=row.pk) if row.pk else None  # never one that was just deleted
    row.save()
    before, after = (_facts(program) if program else {} for program in (stored, row))
    changed = {name: value for name, value in after.items() if before.get(name) != value}
    act = "change program" if stored else "make program"
    audit_log.record(by, act, row, before={name: before[name] for name in changed if name in before}, after=changed)


@transaction.atomic
def delete(row: Program, *, by: Actor) -> None:
    """Delete a program from the list."""
    audit_log.record(by, "delete program", row, before=_facts(row))
    row.delete()


def find(purpose: str = "", system: str = "") -> list[Program]:
    """Return the programs made to *purpose* for *system*, by name; an empty one is no condition."""
    wanted = ((purpose, "purposes"), (system, "systems"))
    return [
        program
        for program in Program.objects.all()
        if all(not value or value in getattr(program, name) for value, name in wanted)
    ]


def as_document(program: Program) -> dict[str, Any]:
    """Return the known facts about a program; *sources* is a list of lines."""
    facts = {**_facts(program), "sources": program.source_lines}
    return {name: value for name, value in facts.items() if value not in ("", None, [])}


def as_rows(programs: list[Program]) -> list[list[Any]]:
    """Return the values of FIELDS for each program; lists are joined by semicolons, and what is not known is empty."""
    rows = [[as_document(program).get(name, "") for name in FIELDS] for program in programs]
    return [["; ".join(value) if isinstance(value, list) else value for value in row] for row in rows]


def _facts(program: Program) -> dict[str, Any]:
    return {name: getattr(program, name) for name in FIELDS}
