from solvers.sokoban.formats.files.roles import line_roles

FILE = """:: written by a program
Collection: All
Author: Ann

; One
######
#@ $.#
######

Solution
rR
=======

Two
#######
#     #
# $.  #
; odd
#  @  #  here
# $.  #
#     #
#######
Author: Ben
Comment: a
b
Comment-End:

###
#q#
###
"""


def test_every_line_of_a_file_has_a_role():
    roles = [role.value for role in line_roles(FILE)]
    assert roles == [
        "left_out", "title", "author", "blank",
        "title", "row", "row", "row", "blank", "moves", "moves", "left_out", "blank",
        "title", "row", "row", "row", "left_out", "row", "row", "row", "row", "author", "note", "note", "note", "blank",
        "faulty_row", "faulty_row", "faulty_row", "blank",
    ]  # fmt: skip


def test_the_roles_follow_a_stated_reading():
    text = "; x\n\n#####\n#@$.#\n#####\n\n; y\n"
    assert [line_roles(text, names_above=above)[0].value for above in (True, False)] == ["title", "note"]


def test_a_text_without_levels_has_only_notes():
    assert [role.value for role in line_roles("Hello\n\nworld")] == ["note", "blank", "note"]
