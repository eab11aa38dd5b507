"""Published collection as a file for download: boards, titles and authors, never a solution."""

from django.db.models import Sum
from django.db.models.functions import Length

from contest.infra import rate_limits
from contest.levels.files import collected_entry
from contest.models import CollectedLevel, Collection
from solvers.sokoban.formats import Collection as LevelFile
from solvers.sokoban.formats import slc, sok, xsb

KINDS = ("sok", "xsb", "slc")
LEVELS_PER_PASS, BYTES_PER_PASS = 100, 262_144  # each as long as a page: 0.03 s


def count(collection: Collection, address: str) -> None:
    """Count the levels of a file, which are read for each download, against *address* (rule 5.9). Raise Busy."""
    size = CollectedLevel.objects.filter(collection=collection).aggregate(all=Sum(Length("text")))["all"] or 0
    amount = 1 + collection.count // LEVELS_PER_PASS + size // BYTES_PER_PASS
    rate_limits.pass_door(rate_limits.LISTS, address, amount=amount)


def write(collection: Collection, kind: str) -> str:
    """Return the levels in order, with the author's remarks, in one of the formats KINDS."""
    levels = CollectedLevel.objects.filter(collection=collection).order_by("place")
    entries = tuple(collected_entry(level) for level in levels.iterator())
    if kind == "xsb":
        return xsb.write(entries, line_end="\r\n")
    notes = "\n".join(line for line in (collection.licence, collection.remarks) if line)
    file = LevelFile(collection.title_en, collection.author, notes, entries=entries)
    return str((sok if kind == "sok" else slc).write(file))
