"""Error messages for puzzles other than Sokoban and for puzzle files, by the error codes of `solvers`."""

from django.utils.translation import gettext_lazy

# Without a full stop: the error's position may follow.
KLOTSKI = {
    "too_long": gettext_lazy("This is %(size_words)s long; the limit is %(limit)s"),
    "wrong_rows": gettext_lazy("A Klotski board has 5 rows of 4 cells; here rows have: %(found)s"),
    "broken_piece": gettext_lazy("The cells of “%(character)s” are not whole pieces: a piece is 1×1, 1×2, 2×1 or 2×2"),
    "wrong_pieces": gettext_lazy(
        "A board has 1 block of 2×2, 5 dominoes, 4 soldiers and 2 empty cells; "
        "this one has %(blocks)s, %(dominoes)s, %(soldiers)s and %(empty)s"
    ),
    "unreadable_move": gettext_lazy(
        "“%(word)s” is not a move: write the square of a piece and the way it goes, as in B4d, C5ur or B4-B5"
    ),
    "without_names": gettext_lazy("To tell pieces apart, both boards must use a different character for every piece"),
    "unknown_name": gettext_lazy("No layout here is called “%(name)s”"),
}
KNIGHTS = {
    "no_squares": gettext_lazy(
        "A board has at least one row and one column, not %(rows)s rows and %(columns)s columns"
    ),
    "board_too_large": gettext_lazy(
        "A board has at most %(limit)s rows and columns, not %(rows)s rows and %(columns)s columns"
    ),
    "not_a_square": gettext_lazy("A square is two whole numbers, its row and its column, not %(shown)s"),
    "off_board": gettext_lazy(
        "Row %(at_row)s, column %(at_column)s (from 0) is not on a board of %(rows)s rows and %(columns)s columns"
    ),
    "bad_leap": gettext_lazy("A leaper goes two numbers from 0 on that are not both 0, not %(a)s and %(b)s"),
    "too_many_squares": gettext_lazy(
        "Leapers other than the knight are searched for, on at most %(limit)s squares; this board has %(size)s"
    ),
}
GAMES = {
    "no_such_game": gettext_lazy("There is no game %(shown)s; the games are %(names)s"),
    "not_a_position": gettext_lazy("%(shown)s is no position of %(game)s"),
    "negative_number": gettext_lazy("A position of %(game)s has no negative numbers, such as %(number)s"),
    "too_large_number": gettext_lazy("%(game)s is computed up to %(limit)s; this is %(number)s"),
    "too_many_parts": gettext_lazy("A position has at most %(limit)s parts, not %(number)s"),
    "too_many_positions": gettext_lazy(
        "This game is too large to be searched: it has more than %(limit)s positions, or too many moves"
    ),
    "endless_game": gettext_lazy("Play can come back to %(shown)s: a game that need not end has no Grundy values"),
    "bad_code": gettext_lazy("The code of an octal game is 0. and 1 to %(limit)s digits from 0 to 7, not %(shown)s"),
    "bad_subtractions": gettext_lazy(
        "A subtraction game has a list of 1 to %(limit)s numbers that may be taken, each from 1 to %(most)s, "
        "not %(shown)s"
    ),
    "bad_line": gettext_lazy("Line %(line_number)s is not a JSON object"),
    "no_field": gettext_lazy("The field %(name)s is missing"),
    "not_whole": gettext_lazy("%(name)s must be a whole number, not %(shown)s"),
}
SOKOBAN = {
    "wrong_size": gettext_lazy(
        "A board of %(width)s columns and %(height)s rows needs %(expected)s cells; the text has %(size)s"
    ),
    "not_text": gettext_lazy("This is not a text file"),
    "bad_markup": gettext_lazy("This XML cannot be read: %(reason)s"),
    "no_push": gettext_lazy("This text has no capital letters: it does not show which steps push a box"),
    "contradiction": gettext_lazy("Step %(step)s (%(letter)s) contradicts the steps before it"),
    "walks_into_box": gettext_lazy("Step %(step)s (%(letter)s) walks into a square where a box must stand"),
    "pushes_nothing": gettext_lazy("Step %(step)s (%(letter)s) pushes, but the square before it must be empty"),
    "pushes_two_boxes": gettext_lazy("Step %(step)s (%(letter)s) pushes a box against another box"),
    "no_such_member": gettext_lazy("This series has members %(first)s to %(last)s, not %(asked)s"),
    "too_much_to_draw": gettext_lazy("The picture would have more than %(limit)s parts; draw something smaller"),
    "no_odd_member": gettext_lazy(
        "This series has even numbers only, not %(asked)s: a search found no solution with 5, 7 or 9 boxes"
    ),
}
LOGIC = {
    "no_formula": gettext_lazy(
        "A formula begins with a line such as “p cnf 3 2”: how many variables, how many clauses"
    ),
    "too_many_variables": gettext_lazy("A formula has at most %(most)s variables"),
    "not_a_literal": gettext_lazy(
        "A line of a formula has whole numbers and ends with 0; %(shown)s is not a whole number"
    ),
    "no_end_of_line": gettext_lazy("A clause, and a line of quantified variables, ends with its only 0"),
    "no_such_variable": gettext_lazy("There is no variable %(variable)s: they are 1 to %(most)s"),
    "quantified_twice": gettext_lazy("Variable %(variable)s is quantified twice"),
    "quantified_late": gettext_lazy("Quantifiers must come before all clauses"),
    "wrong_number_of_clauses": gettext_lazy("%(announced)s clauses are announced, but there are %(found)s"),
    "not_quantified": gettext_lazy("Each variable from 1 on has one quantifier"),
    "bad_edge": gettext_lazy(
        "Edge %(edge)s joins vertices %(one)s and %(other)s with weight %(weight)s; "
        "vertices are 0 to %(last)s, weights 1 and 2"
    ),
    "bad_orientation": gettext_lazy("Each edge points to one of its ends"),
    "too_little_inflow": gettext_lazy("Vertex %(vertex)s has an inflow of %(inflow)s, and needs 2"),
    "too_many_configurations": gettext_lazy("More than %(most)s configurations can be reached: the search gave up"),
    "nothing_to_reduce": gettext_lazy("To become a graph, a formula needs a clause, and each clause needs a literal"),
}
ERRORS = {**LOGIC, **SOKOBAN, **GAMES, **KNIGHTS, **KLOTSKI}
