"""Forged archives: the verifier notices each, or names its kind as undetectable, and a saved checkpoint reveals it."""

import pytest

from contest import results, visibility
from contest.archive import collected, verify
from contest.archive.checks import BadArchive
from contest.archive.collected import CollectedPiece, TrustedFacts
from contest.archive.report import Report
from contest.archive.witnesses import checkpoints
from contest.infra import clock
from contest.models import Round
from contest.rules import signed_notes
from contest.visibility import Viewer
from contest.wording.bilingual import Reason
from tests import sizes
from tests.contest.archive import forger, forgeries
from tests.contest.archive.conftest import build_once, pack
from tests.contest.archive.test_writer import LATER, packed, play, unpacked, void

pytestmark = pytest.mark.django_db
DEPTHS = ("one file alone", "the manifest, too", "tables recomputed", "leaves and links rebuilt")
# Names are not hashed, so that they can be erased (rule 15.6); the report says that no seal reveals changed names.
ERASABLE = "a name changed"


@pytest.fixture
def archive_files(db):
    """Return the files of a round in its second revision, and the checkpoint of that day."""

    def make():
        play()
        with clock.set_to(LATER):
            round_ = visibility.archived_rounds(Viewer(), LATER).get()
            results.finalise(round_, at=LATER, by=None)
            void("=Bo", LATER)
            results.revise(Round.objects.get(), Reason(en="Late ruling."), at=LATER, by=None)
            assert checkpoints.make(LATER)
            return unpacked(packed()) | {"note": checkpoints.newest().note.encode()}

    return build_once("two revisions", make)


def report_on(path, note: bytes = b"") -> Report:
    archive_files = (CollectedPiece("checkpoint.txt", signed_notes.read(note.decode())),) if note else ()
    try:
        return verify.verify(
            path, trusted=TrustedFacts(checkpoints=archive_files) if archive_files else collected.NOTHING
        )
    except BadArchive as error:
        report = Report()
        report.differs("the archive", str(error))
        return report


def test_the_archive_before_the_forgeries_verifies(archive_files, tmp_path):
    files = forger.Forgery(archive_files).files(forger.RELINKED)
    assert files == {name: archive_files[name] for name in files}
    assert report_on(pack(tmp_path, files), archive_files["note"]).differences == []


@pytest.mark.one_database
@pytest.mark.parametrize(
    "name",
    sizes.cases(
        [name for name in forgeries.CHANGES if name not in forgeries.OF_ROWS or name in forgeries.IN_SHORT],
        forgeries.OF_ROWS,
    ),
)
def test_a_forgery_is_detected_by_the_verifier_or_by_a_checkpoint(name, archive_files, tmp_path):
    """Rule 24.2."""
    change, unseen_from = forgeries.CHANGES[name]
    for depth, how in enumerate(DEPTHS):
        forged = forger.Forgery(archive_files)
        change(forged)
        files = forged.files(depth)
        if files == {name: archive_files[name] for name in files}:
            continue  # recomputing the tables has undone the change
        path = pack(tmp_path, files)
        found = [str(difference) for difference in report_on(path).differences]
        assert bool(found) == (depth < unseen_from), (how, found)
        if not found and name != ERASABLE:
            assert report_on(path, archive_files["note"]).differences, how
