"""Pictures that teach: trees of a floor, of a box's pushes and of a small game, for the reader's level or position.

Both forms are GET forms, so a picture has a link. The library bounds the pictures (solvers.tree_drawing).
"""

from collections.abc import Callable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from contest.infra.rate_limits import BOARD, costs
from contest.web.lab.views import theory_of
from contest.wording.verdicts import describe_error
from solvers.errors import PuzzleError
from solvers.games.errors import NotAPosition
from solvers.games.game_tree import grow_game_tree
from solvers.sokoban import Level
from solvers.sokoban.drawing.draw import find_square, square_name
from solvers.sokoban.formats.single import read_one
from solvers.sokoban.position import Position
from solvers.sokoban.teaching import Low, draw_floor, draw_floor_tree, draw_push_tree, grow_floor_tree, grow_push_tree
from solvers.tree_drawing import Text, draw_tree

EXAMPLE = "-####-----\n##--####--\n#----$-##-\n#--#.#@-##\n#--###-$-#\n####-#.--#\n-----#####"
LONGEST_TEXT = 20_000
_PICTURES = {
    "floor-number": gettext_lazy("floor, depth first, numbers"),
    "floor-depth": gettext_lazy("floor, depth first, depths"),
    "tree-number": gettext_lazy("the same as a tree, numbers"),
    "tree-depth": gettext_lazy("the same as a tree, depths"),
    "pushes": gettext_lazy("pushes of one box, breadth first"),
}
_GAMES = {
    "nim": gettext_lazy("Nim"),
    "chomp": gettext_lazy("Chomp"),
    "kayles": gettext_lazy("Kayles"),
    "wythoff": gettext_lazy("Wythoff’s game"),
}
# The games whose positions obey more than that they are numbers.
_NO_POSITION = {
    "chomp": gettext_lazy("In Chomp no row is longer than the one before."),
    "wythoff": gettext_lazy("Wythoff’s game has two heaps."),
}
_BOARD = {"class": "moves", "spellcheck": "false", "autocapitalize": "off", "autocomplete": "off", "rows": 8}
DEFAULTS = {"level": EXAMPLE, "picture": "floor-number", "box": "", "game": "nim", "position": "2 1"}


class LevelForm(forms.Form):
    """A level, the picture, and the box for it."""

    level = forms.CharField(
        label=gettext_lazy("Level (XSB)"), strip=False, max_length=LONGEST_TEXT, widget=forms.Textarea(_BOARD)
    )
    picture = forms.ChoiceField(label=gettext_lazy("Picture"), choices=list(_PICTURES.items()))
    box = forms.CharField(
        label=gettext_lazy("Box"),
        required=False,
        max_length=6,
        help_text=gettext_lazy(
            "Its square, such as D3. On a floor it is lifted and the others are walls; empty: all are lifted."
        ),
    )


class GameForm(forms.Form):
    """A game and a position of it."""

    game = forms.ChoiceField(label=gettext_lazy("Game"), choices=list(_GAMES.items()))
    position = forms.RegexField(
        r"^\s*[0-9]{1,6}(?:\s+[0-9]{1,6}){0,19}\s*$",
        label=gettext_lazy("Position"),
        max_length=100,
        error_messages={"invalid": gettext_lazy("Write numbers with spaces, such as 3 2.")},
        help_text=gettext_lazy("Numbers with spaces: heaps, pins in each row, or row lengths of Chomp."),
    )


@costs(BOARD, is_read=True)
@require_safe
def pictures(request: HttpRequest) -> HttpResponse:
    """Draw the pictures of the level and of the game in the query, or of the examples."""
    query = {**DEFAULTS, **request.GET.dict()}
    level_form, game_form = LevelForm(query, label_suffix=""), GameForm(query, label_suffix="")
    context = {
        "level_form": level_form,
        "game_form": game_form,
        "level_picture": _drawn(level_form, "level", _draw_level),
        "game_picture": _drawn(game_form, "position", _draw_game),
        "fits": query["picture"].startswith("floor"),
        "shown": query["picture"],
        "theory": theory_of("pictures"),
    }
    return render(request, "contest/lab/pictures.html", context)


def _drawn(form: forms.Form, field: str, draw: Callable[[Any], str]) -> SafeString | None:
    """Return the picture of a valid form; add an error of the library to *field*."""
    if not form.is_valid():
        return None
    try:
        return mark_safe(draw(form.cleaned_data))  # noqa: S308 - numbers, names of squares and escaped text
    except NotAPosition as error:
        form.add_error(field, _NO_POSITION.get(form.cleaned_data["game"]) or describe_error(error))
    except PuzzleError as error:
        form.add_error(field, describe_error(error))
    except ValidationError as error:
        form.add_error(None, error)
    return None


def _draw_level(given: dict[str, str]) -> str:
    level = read_one(given["level"]).level
    if len(level.players) != 1:
        raise ValidationError({"level": _("The picture needs a level with one player.")})
    box = _read_box(level, given["box"].strip())
    kind, _dash, by = given["picture"].partition("-")
    if kind == "pushes":
        return _draw_pushes(level, box)
    tree = grow_floor_tree(level, box=box)
    cuts = ", ".join(square_name(level, cell) for cell in tree.cut_cells()) or "–"
    values = {"squares": len(tree.cells), "edges": len(tree.back_edges), "blocks": len(tree.blocks()), "cuts": cuts}
    words = _("%(squares)s squares, %(edges)s back edges, %(blocks)s blocks. Cut squares: %(cuts)s.") % values
    draw = draw_floor if kind == "floor" else draw_floor_tree
    text = Text(_("Depth-first tree of the floor"), words)
    return draw(level, box=box, by=Low(by), text=text)


def _draw_pushes(level: Level, box: int | None) -> str:
    start = Position.start(level)
    if box is None:
        if not start.boxes:
            raise ValidationError({"box": _("This level has no box.")})
        box = min(start.boxes)
    tree = grow_push_tree(level, start, box)
    values = {"states": len(tree) - 1, "squares": len({push.cell for push in tree[1:]}), "pushes": tree[-1].pushes}
    words = _("%(states)s states on %(squares)s squares, at most %(pushes)s pushes.") % values
    return draw_push_tree(level, start, box, text=Text(_("Breadth-first tree of one box’s pushes"), words))


def _read_box(level: Level, name: str) -> int | None:
    """Return the cell of the box on the named square, or None for an empty name. Raise ValidationError."""
    if not name:
        return None
    cell = find_square(level, name)
    if cell not in level.boxes:
        raise ValidationError({"box": _("There is no box on %(square)s.") % {"square": name}})
    return cell


def _draw_game(given: dict[str, str]) -> str:
    numbers = [int(number) for number in given["position"].split()]
    root, value = grow_game_tree({"game": given["game"], "position": numbers})
    words = _("Grundy value of the first position: %(value)s.") % {"value": value}
    return draw_tree(root, Text(_("Tree of the game"), words))
