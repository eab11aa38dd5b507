"""Drafts of guided imports, one per organiser; changed by compare-and-set, as packing takes too long for a lock."""

import json
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from contest.archive.imports import guide, jobs
from contest.models import ImportDraft, RoundImport
from contest.players import BadName, clean_nickname, name_key
from contest.players.claims import has_owner
from contest.players.entering import find_player
from contest.rules.plain_text import first_unwanted

LONGEST_NAME = 200  # bytes of a file's name
_NAME = re.compile(r"[a-z]+/(?!\.{0,2}$)[^/]+")


class Refused(ValueError):
    """A draft was not changed; the message is a sentence in the user's language."""


def open_draft(user: User) -> ImportDraft:
    """Return the draft of *user*, or a new one that is not stored."""
    return ImportDraft.objects.filter(owner=user).first() or ImportDraft(owner=user)


def material_of(draft: ImportDraft) -> guide.Material:
    return guide.Material(guide.unpack(bytes(draft.data)), draft.choices)


def add_files(draft: ImportDraft, files: Mapping[str, bytes], *, at: datetime) -> None:
    """Add *files*, by name with their folder; one of the same name is replaced. Raise Refused."""
    for name in files:
        if first_unwanted(name) or len(name.encode()) > LONGEST_NAME or not _NAME.fullmatch(name):
            raise Refused(_("The name of the file %(name)s cannot be used.") % {"name": repr(name)})
    held = {**guide.unpack(bytes(draft.data)), **files}
    size = sum(map(len, held.values()))
    if len(held) > guide.MOST_FILES or size > guide.MOST_BYTES:
        message = _(
            "With these there are %(count)s files with %(size)s bytes; the limit is %(files)s files and %(most)s bytes."
        )
        values = {"count": len(held), "size": f"{size:,}", "files": guide.MOST_FILES, "most": f"{guide.MOST_BYTES:,}"}
        raise Refused(message % values)
    _store(draft, at, data=guide.pack(held))


def remove_file(draft: ImportDraft, name: str, *, at: datetime) -> None:
    """Remove the file *name*; nothing happens if there is none."""
    held = guide.unpack(bytes(draft.data))
    held.pop(name, None)
    _store(draft, at, data=guide.pack(held))


def choose(draft: ImportDraft, what: str, chosen: Any, *, at: datetime) -> None:
    """Store a choice; see `guide` for their names. A mapping is added to the one before, without its empty keys."""
    if isinstance(chosen, dict):
        chosen = draft.choices.get(what, {}) | chosen
        chosen = {key: value for key, value in chosen.items() if value is not None}
    _store(draft, at, choices={**draft.choices, what: chosen})


def check_name(text: str) -> str:
    """Return a nickname that old results may have. Raise Refused if it cannot be used, or has an owner here."""
    try:
        name = clean_nickname(text)
    except BadName as error:
        raise Refused(f"{text[:40]!r}: {error.message}") from None
    player = find_player(name)
    if player and has_owner(player):
        message = _("%(name)s belongs to a player of this site. Choose another name for its old results.")
        raise Refused(message % {"name": name})
    return player.nickname if player and name_key(player.nickname) == name_key(name) else name


def start_check(draft: ImportDraft, *, at: datetime) -> RoundImport:
    """Have a worker check what the draft contains; the draft remains."""
    files = guide.unpack(bytes(draft.data)) | {guide.CHOICES: json.dumps(draft.choices).encode()}
    return jobs.start(files, at=at, by=draft.owner)


def _store(draft: ImportDraft, at: datetime, **fields: Any) -> None:
    if not draft.pk:
        draft, is_new = ImportDraft.objects.get_or_create(owner=draft.owner, defaults={"changed_at": at, **fields})
        if is_new:
            return
    elif ImportDraft.objects.filter(pk=draft.pk, changed_at=draft.changed_at).update(changed_at=at, **fields):
        return
    raise Refused(_("The import was changed in another window meanwhile. Look at it, and enter this again."))
