"""The knight page's form, and the shortest path as a drawing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from solvers.knights import Board, Case, Square, case, distance, path

MOST = 10**15  # the page's script computes exactly up to here
DRAWN = 24  # rows and columns of the largest board that is drawn
LISTED = 200
DEFAULT = {"rows": 8, "columns": 8, "start_row": 1, "start_column": 1, "target_row": 8, "target_column": 8}

CASES = {
    Case.SAME: gettext_lazy("Start and target are one square."),
    Case.SLANTED: gettext_lazy(
        "Near the diagonal: a move covers at most 3 squares, counted in both directions together."
    ),
    Case.STRAIGHT: gettext_lazy("Near an axis: a move covers at most 2 squares in the longer direction."),
    Case.BESIDE: gettext_lazy("Side by side: three moves."),
    Case.TWO_DIAGONAL: gettext_lazy("Two squares apart along a diagonal: four moves."),
    Case.CORNER: gettext_lazy("A corner and the square diagonally beside it: four moves, the border is in the way."),
    Case.CORNERS: gettext_lazy("Two corners three squares apart: five moves, the border is in the way."),
    Case.MIDDLE_ROW: gettext_lazy("Two squares apart in the middle of three rows: four moves."),
    Case.INNER_PAIR: gettext_lazy("The two inner squares of a board of 3 × 4: five moves."),
    Case.TWO_ROWS: gettext_lazy("Two rows: every move covers two columns and changes the row."),
    Case.UNREACHABLE: gettext_lazy("No knight gets there on this board."),
}


class KnightForm(forms.Form):
    """Board size, start and target; rows and columns are counted from 1."""

    rows = forms.IntegerField(label=gettext_lazy("Rows"), min_value=1, max_value=MOST)
    columns = forms.IntegerField(label=gettext_lazy("Columns"), min_value=1, max_value=MOST)
    start_row = forms.IntegerField(label=gettext_lazy("From row"), min_value=1, max_value=MOST)
    start_column = forms.IntegerField(label=gettext_lazy("From column"), min_value=1, max_value=MOST)
    target_row = forms.IntegerField(label=gettext_lazy("To row"), min_value=1, max_value=MOST)
    target_column = forms.IntegerField(label=gettext_lazy("To column"), min_value=1, max_value=MOST)

    def clean(self) -> dict[str, int]:
        given = dict(self.cleaned_data)
        for name in ("start", "target"):
            for side, most in (("row", given.get("rows")), ("column", given.get("columns"))):
                if most is not None and given.get(f"{name}_{side}", 0) > most:
                    self.add_error(f"{name}_{side}", _("The board ends at %(most)s.") % {"most": most})
        return given


@dataclass(frozen=True)
class Crossing:
    """A knight's shortest path between two squares; the fields count from 1."""

    rows: int
    columns: int
    start_row: int
    start_column: int
    target_row: int
    target_column: int

    @property
    def board(self) -> Board:
        return Board(self.rows, self.columns)

    @property
    def start(self) -> Square:
        return self.start_row - 1, self.start_column - 1

    @property
    def target(self) -> Square:
        return self.target_row - 1, self.target_column - 1

    @property
    def moves(self) -> int | None:
        return distance(self.board, self.start, self.target)

    @property
    def why(self) -> str:
        return str(CASES[case(self.board, self.start, self.target)])

    @property
    def squares(self) -> Sequence[Square]:
        """Return the path, or [] if it is too long to list."""
        if self.moves is None or self.moves > LISTED:
            return []
        return list(path(self.board, self.start, self.target) or ())

    @property
    def is_drawn(self) -> bool:
        return max(self.rows, self.columns) <= DRAWN

    @property
    def cells(self) -> Iterator[tuple[int, int, str]]:
        """Yield row, column and colour of every square, for the picture."""
        for row in range(self.rows):
            for column in range(self.columns):
                yield row, column, "dark" if (row + column) % 2 else "light"

    @property
    def line(self) -> str:
        """Return the path through the centres of its squares, as an SVG `points` attribute."""
        return " ".join(f"{column + 0.5},{row + 0.5}" for row, column in self.squares)
