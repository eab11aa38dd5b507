"""The archive of a club, brought by steps: the files and choices of a draft, which level is whose, the rounds read.

A draft is a mapping of files, `tables/…` and `levels/…`, and *choices*: `names` has nicknames by the key of another
spelling, `levels` has "ROUND SLOT" by `FoundLevel.key`, or "" for none, and `leaves_out` whether rounds without their
levels are left out. A worker reads both from one folder (`jobs`).
"""

import io
import json
import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from contest.archive.imports import csv_import, tables
from contest.archive.imports.csv_import import Boards, Tables
from contest.archive.imports.incoming import Incoming, NotImported
from contest.models import Slot
from contest.players import name_key
from contest.wording.verdicts import describe_counts
from solvers.sokoban.formats import Entry

CHOICES = "guide.json"
TABLES, LEVELS = "tables/", "levels/"
MOST_BYTES = 30 * 2**20  # of all files, unpacked
MOST_FILES = 1_000
MOST_ROUNDS, MOST_RESULTS = 2_000, 30_000  # each page of the guide reads all tables

Files = Mapping[str, bytes]
_SLOT_WORDS = re.compile(r"(?i)(main|主关|主)|(?:extra|ext|附加关?|副关|加关)\s*[-_]?\s*([123]?)(?!\d)")
_ROUND_WORDS = re.compile(r"(?i)第\s*(\d+)\s*[期届]|(?:round|rd|no\.?|#)[\s_-]*(\d+)|(?<![A-Za-z\d])(\d+)")


def pack(files: Files) -> bytes:
    """Return a ZIP of *files*."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def unpack(data: bytes) -> dict[str, bytes]:
    """Return the files of a ZIP from `pack`."""
    if not data:
        return {}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@dataclass(frozen=True)
class FoundLevel:
    """A level of a file, with the round and slot that its file, its title or the organiser names."""

    file: str
    entry: Entry
    round: int | None = None
    slot: str = ""

    @property
    def key(self) -> str:
        return f"{self.file}:{self.entry.number}"

    @property
    def solution(self) -> str:
        """The counts of the solution beside it; empty without one."""
        best = min(((found.moves, found.pushes) for found in self.entry.solutions), default=None)
        return describe_counts(*best) if best else ""

    @property
    def is_unsolved(self) -> bool:
        """True if what is beside it does not solve it."""
        return bool(self.entry.attempts) and not self.entry.solutions


@dataclass
class Plan:
    """The levels of each round by slot, those that fit no round, and the slots that results need and that are empty."""

    levels: dict[int, dict[str, FoundLevel]] = field(default_factory=dict)
    unused: list[FoundLevel] = field(default_factory=list)
    missing: dict[int, list[str]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


class Material:
    """Files and choices, and what they contain."""

    def __init__(self, files: Files, choices: Mapping[str, Any]) -> None:
        self.files, self.choices = files, choices

    @cached_property
    def tables(self) -> Tables:
        """The tables, each recognised by its headings."""
        found = Tables(notes=[])
        results = []
        for path, content in self._below(TABLES):
            name = path.removeprefix(TABLES)
            try:
                headings = tables.first_line(name, content)
                if _OF_ROUNDS & {*tables.meanings(headings, tables.ROUND_COLUMNS)}:
                    found.add_rounds(name, content)
                else:
                    results.append((name, content))
            except NotImported as error:
                found.faults += error.faults
        if results and not (found.rounds or found.faults):
            found.faults.append(_("There is no table of rounds yet, with the columns number, opens_at and closes_at."))
        for name, content in results:
            found.add_results(name, content)
        for count, most in ((len(found.rounds), MOST_ROUNDS), (self._count(found), MOST_RESULTS)):
            if count > most:
                message = _("These are %(count)s rows; the limit is %(most)s. Import the archive in parts.")
                found.faults.append(message % {"count": f"{count:,}", "most": f"{most:,}"})
        return found

    @staticmethod
    def _count(found: Tables) -> int:
        return sum(map(len, found.results.values()))

    @property
    def result_count(self) -> int:
        return self._count(self.tables)

    @property
    def nicknames(self) -> dict[str, int]:
        """The nicknames as the tables spell them first, each with the number of its results."""
        first: dict[str, str] = {}
        counts: Counter[str] = Counter()
        for result in (result for results in self.tables.results.values() for result in results):
            counts[first.setdefault(name_key(result.nickname), result.nickname)] += 1
        return counts

    @cached_property
    def plan(self) -> Plan:
        """The levels, each in its round as far as that is known."""
        plan = Plan()
        rounds = self.tables.rounds
        for path, content in self._below(LEVELS):
            name = path.removeprefix(LEVELS)
            known = len(plan.faults)
            entries = csv_import.read_levels(name, content, plan.faults) or ()
            if not entries and len(plan.faults) == known:
                plan.faults.append(_("%(file)s contains no level.") % {"file": name})
            named = [number for number, document in rounds.items() if document["files"] == name]
            levels = [FoundLevel(name, entry) for entry in entries]
            chosen = [level for level in levels if level.key in self._chosen or not named]
            for number in named:
                _put(plan, [replace(level, round=number) for level in levels if level not in chosen])
            found = [self._find_round(level, len(entries)) for level in chosen]
            for place in dict.fromkeys(level.round for level in found):
                _put(plan, [level for level in found if level.round == place])
        for number in rounds:
            used = {result.submission.slot for result in self.tables.results.get(number, [])} or {Slot.MAIN.value}
            if empty := [slot for slot in Slot.values if slot in used and slot not in plan.levels.get(number, {})]:
                plan.missing[number] = empty
        return plan

    def _find_round(self, level: FoundLevel, count: int) -> FoundLevel:
        chosen, rounds = self._chosen.get(level.key), self.tables.rounds
        if chosen is not None:
            number, _blank, slot = chosen.partition(" ")
            is_known = number.isdigit() and int(number) in rounds
            return replace(level, round=int(number), slot=slot) if is_known else level
        file, title = Path(level.file).stem, level.entry.title
        slot = _slot(title) or (_slot(file) if count == 1 else "")
        numbers = [*(_numbers(file) if count <= len(Slot) else ()), *_numbers(title)]
        found = next((number for number in numbers if number in rounds), None)
        return replace(level, round=found, slot=slot if found else "")

    @property
    def _chosen(self) -> Mapping[str, str]:
        chosen: Mapping[str, str] = self.choices.get("levels", {})
        return chosen

    def incoming(self) -> list[Incoming]:
        """Return the rounds as the importer takes them. Raise NotImported with every fault."""
        found, plan = self.tables, self.plan
        if self.choices.get("leaves_out"):
            for number in plan.missing:
                found.rounds.pop(number)
                found.results.pop(number, None)
        elif plan.missing:
            found.faults += [lack_message(number, slots) for number, slots in plan.missing.items()]
        boards: dict[int, Boards] = {}
        for number, document in found.rounds.items():
            del document["files"]
            levels = plan.levels.get(number, {})
            entries = {slot: levels[slot].entry for slot in Slot.values if slot in levels}
            named = ", ".join(dict.fromkeys(level.file for level in levels.values()))
            boards[number] = found.add_levels(number, named, entries)
        if not found.faults:
            found.names = resolve(self.choices.get("names", {}), self.nicknames)
            found.put_on(boards)
        return [replace(round_, spares_owners=True) for round_ in found.incoming(_("Tables"), boards)]

    def _below(self, folder: str) -> Iterator[tuple[str, bytes]]:
        return ((name, content) for name, content in sorted(self.files.items()) if name.startswith(folder))


_OF_ROUNDS = {"opens_at", "closes_at"}  # no table of results has them


def read(folder: Path) -> list[Incoming]:
    """Read the draft in *folder*. Raise NotImported with every fault."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    return Material(files, json.loads(files.pop(CHOICES))).incoming()


def resolve(names: Mapping[str, str], counts: Mapping[str, int]) -> dict[str, str]:
    """Return the nickname at the end of each chain of spellings; of a circle, that with the most results."""
    ends = {}
    for key in names:
        chain = [names[key]]
        while (following := names.get(name_key(chain[-1]))) and following not in chain:
            chain.append(following)
        circle = chain[chain.index(following) :] if following else chain[-1:]
        ends[key] = max(circle, key=lambda name: (counts.get(name, 0), name))
    return ends


def lack_message(number: int, slots: Iterable[str]) -> str:
    """Return the message that a round lacks levels."""
    labels = ", ".join(str(Slot(slot).label) for slot in slots)
    return _("Round %(number)s has no level: %(slots)s.") % {"number": number, "slots": labels}


def _put(plan: Plan, levels: list[FoundLevel]) -> None:
    """Put the levels of one file and round into its slots: named ones first, the others into the next free ones."""
    for level in sorted(levels, key=lambda level: not level.slot):
        slots = plan.levels.setdefault(level.round, {}) if level.round else {}
        free = next((slot for slot in Slot.values if slot not in slots), "")
        slot = level.slot or free
        if level.round and slot and slot not in slots:
            slots[slot] = replace(level, slot=slot)
        else:
            plan.unused.append(level)


def _numbers(text: str) -> list[int]:
    """Return the numbers in a title or file name that may be a round's, the most probable first.

    >>> _numbers("MF8 第14期 附加2"), _numbers("round-3 extra"), _numbers("2010 Level 7")
    ([14], [3], [2010, 7])
    """
    found = [match.groups() for match in _ROUND_WORDS.finditer(_SLOT_WORDS.sub(" ", text))]
    found.sort(key=lambda groups: not (groups[0] or groups[1]))
    return [int(next(filter(None, groups))[:9]) for groups in found]


def _slot(text: str) -> str:
    """Return the slot that a title or file name names, or an empty string.

    >>> _slot("14-extra2"), _slot("第14期 主关"), _slot("附加"), _slot("Corridor")
    ('extra2', 'main', 'extra', '')
    """
    match = _SLOT_WORDS.search(text)
    if not match:
        return ""
    return "main" if match[1] else "extra" + match[2].replace("1", "")
