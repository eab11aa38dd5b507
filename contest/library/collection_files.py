"""Published collection as a file for download: boards, titles and authors, never a solution."""

from contest.levels.files import collected_entry
from contest.models import CollectedLevel, Collection
from solvers.sokoban.formats import Collection as LevelFile
from solvers.sokoban.formats import slc, sok, xsb

KINDS = ("sok", "xsb", "slc")


def write(collection: Collection, kind: str) -> str:
    """Return the levels in order, with the author's remarks, in one of the formats KINDS."""
    levels = CollectedLevel.objects.filter(collection=collection).order_by("place")
    entries = tuple(collected_entry(level) for level in levels.iterator())
    if kind == "xsb":
        return xsb.write(entries, line_end="\r\n")
    notes = "\n".join(line for line in (collection.licence, collection.remarks) if line)
    file = LevelFile(collection.title_en, collection.author, notes, entries=entries)
    return str((sok if kind == "sok" else slc).write(file))
