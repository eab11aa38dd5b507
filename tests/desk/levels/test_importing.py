"""*Add a level* on the desk: how each line is read, and choices that change the reading."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from contest.models import Intake, IntakeLevel

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_opening")]

NEW = "/en/desk/levels/new/"


def lines_of(shown):
    return [[(line.roles, line.text, line.remarks) for line in file.lines] for file in shown.context["files"]]


def test_the_reading_of_each_line_is_shown_before_anything_is_stored(organiser):
    file = SimpleUploadedFile("levels.txt", ";山月\n#####\n#@$.#  here\n#####\n; 雪\n".encode("cp932"))
    shown = organiser.post(NEW, {"do": "lines", "pasted": "", "file": file, "encoding": "cp932", "names": "below"})
    assert lines_of(shown)[0][:3] == [
        ("note", ";山月", []),
        ("row", "#####", []),
        ("row", "#@$.#  here", ["Text behind a row was left out: here"]),
    ]
    assert not Intake.objects.exists()


def test_choices_may_be_changed_without_choosing_the_file_again(organiser):
    data = b"; x\n\n#####\n#@$.#\n#####\n\n; y\n\n######\n#@ $.#\n######\n\n; z\n"
    page = organiser.post(NEW, {"do": "lines", "file": SimpleUploadedFile("a.txt", data), "names": "above"}).context
    assert page["files"][0].lines[0].roles == "title"
    assert page["form"]["file"].help_text.startswith("The file a.txt is still chosen.")
    held = {"held": page["form"].held, "held_name": page["form"].cleaned_data["name"], "names": "below"}
    assert lines_of(organiser.post(NEW, {"do": "lines", **held}))[0][0] == ("note", "; x", [])
    organiser.post(NEW, {"do": "read", **held})
    assert list(IntakeLevel.objects.values_list("title", flat=True)) == ["y", "z"]
    assert (Intake.objects.get().name, Intake.objects.get().names) == ("a.txt", "below")
