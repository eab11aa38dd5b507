"""Messages of the lab's scripts, in the reader's language."""

from typing import Any

from django.utils.translation import gettext as _

from contest.web.lab.knight import CASES
from contest.wording import puzzles
from contest.wording.verdicts import error_sentences


def _errors(table: dict[str, Any]) -> dict[str, str]:
    """Return the error messages by code, and the templates that add a position."""
    return {
        **{f"error-{code}": str(message) for code, message in table.items()},
        "plainly": _("%(words)s."),
        "atCharacter": _("%(words)s (character %(index)s)."),
        "atPlace": _("%(words)s (line %(line)s, column %(column)s)."),
    }


def knight() -> dict[str, str]:
    return {
        "moves": _("Moves: %(moves)s"),
        "none": _("Unreachable"),
        "pickStart": _("Press the square to start from."),
        "pickTarget": _("Press the square to go to."),
        **{f"case-{case.value}": str(message) for case, message in CASES.items()},
    }


def klotski() -> dict[str, str]:
    return {
        "steps": _("Moves: %(moves)s"),
        "best": _("at best %(moves)s"),
        "left": _("%(moves)s more at best"),
        "out": _("Cao Cao is out in %(moves)s moves."),
        "mirrored": _("The mirror image is complete in %(moves)s moves."),
        "perfect": _("No solution is shorter."),
        "unsolvable": _("It cannot be reached from here."),
        "picked": _("%(piece)s can move to: %(squares)s."),
        "stuck": _("%(piece)s cannot move."),
        "moved": _("%(piece)s moved to %(square)s."),
        "copied": _("The link was copied to the clipboard."),
        "linkAbove": _("The link is in the address bar."),
        "asking": _("The server is searching …"),
        "needsNetwork": _("Strict games are searched on the server: this needs a network."),
        "solve": _("Solve from here"),
        "stop": _("Stop"),
        "no_piece": _("%(move)s: there is no piece on its square."),
        "blocked": _("%(move)s: something is in its way."),
        "verdict": _("The solver: out in %(moves)s moves at best."),
        "noWayOut": _("The solver: Cao Cao cannot get out."),
        "missing": _("Still missing: Cao Cao %(blocks)s, generals %(dominoes)s, soldiers %(soldiers)s."),
        "noRoom": _("%(piece)s has no room at %(square)s."),
        "free": _("free"),
        "exit": _("Lead Cao Cao to the middle of the lower edge."),
        "mirror": _("Form the mirror image: left and right exchanged."),
        "upside-down": _("Form the mirror image: top and bottom exchanged."),
        "rotated": _("Form the layout turned by 180°."),
        "C": _("Cao Cao"),
        "V": _("An upright general"),
        "H": _("A lying general"),
        "o": _("A soldier"),
        "generals": _("Guan Yu, Zhang Fei, Zhao Yun, Ma Chao, Huang Zhong"),
        "soldier": _("Soldier"),
        **_errors(puzzles.KLOTSKI),
    }


def sokoban() -> dict[str, str]:
    return {
        "member": _("Moves: %(moves)s, pushes: %(pushes)s; boxes: %(boxes)s, squares: %(cells)s."),
        "now": _("Moves so far: %(moves)s, pushes: %(pushes)s."),
        "play": _("Play the solution"),
        "stop": _("Stop"),
        "run": _("Keep asking until it is decided"),
        "place": _("row %(row)s, column %(column)s"),
        "pick": _("Choose"),
        "found": _("Box on %(box)s: %(blocks)s blocks, %(cuts)s cut squares; it can go to %(places)s places."),
        "way": _("Pushes: %(pushes)s, moves: %(moves)s: %(lurd)s."),
        "question": _("From %(first)s to %(last)s in %(steps)s steps? By way of %(middle)s?"),
        "leaf": _("From %(first)s to %(last)s in %(steps)s steps?"),
        "spent": _(
            "Questions: %(asked)s; bits kept: %(bits)s. States: %(states)s; breadth-first search keeps %(search)s bits."
        ),
        "solvable": _("Solvable: some solved state can be reached."),
        "unsolvable": _("Not solvable: no solved state can be reached."),
        "undecided": _("Not decided yet. Only this trail is stored:"),
        **_errors(puzzles.SOKOBAN),
        **error_sentences(),
    }


def logic() -> dict[str, str]:
    return {
        "forAll": _("For all %(name)s: press for “there is”"),
        "exists": _("There is %(name)s: press for “for all”"),
        "literal": _("%(name)s in clause %(number)s: %(shown)s"),
        "dropClause": _("Remove clause %(number)s"),
        "true": _("True. The simple search tried %(nodes)s settings and stored at most %(values)s values."),
        "false": _("False. The simple search tried %(nodes)s settings and stored at most %(values)s values."),
        "edges": _("The graph has %(edges)s edges."),
        "fewest": _("Fewest turns to the goal: %(turns)s."),
        "none": _("The goal cannot be reached: all %(met)s configurations were searched."),
        "many": _("More than %(most)s configurations: the search stopped here."),
        "searching": _("Searching: %(met)s configurations so far."),
        "turns": _("Turns: %(turns)s"),
        "press": _("Press an edge to turn it. The goal is the edge at the star."),
        "held": _("This edge cannot be turned: its vertex needs 2 and would get only %(left)s."),
        "done": _("Solved in %(turns)s turns: the goal edge is turned, so the formula is true."),
        "hint": _("Next on a shortest path: edge %(number)s."),
        "edgeOn": _("Edge %(number)s, weight %(weight)s, points onward"),
        "edgeOff": _("Edge %(number)s, weight %(weight)s, points back"),
        "play": _("Play the turns"),
        "stop": _("Stop"),
        "error-not_drawn": _(
            "The page draws formulas of at most %(variables)s variables and %(literals)s literals; "
            "the library takes more"
        ),
        **_errors(puzzles.LOGIC),
    }


def games() -> dict[str, str]:
    return {
        "yourTurn": _("Your turn."),
        "youWin": _("You win."),
        "iWin": _("The perfect player wins."),
        "iTook": _("The perfect player moved."),
        "value": _("Value %(value)s"),
        "total": _("All together: %(value)s."),
        "lost": _("The player to move loses against perfect play."),
        "won": _("The player to move can win."),
        "heap": _("Heap of %(count)s: take down to %(left)s"),
        "bite": _("Bite at row %(row)s, column %(column)s"),
        "poison": _("The poisoned square"),
        "pin": _("Pin %(pin)s of row %(row)s"),
        "pickPin": _("Press a pin, then press it again to take it, or its neighbour to take both."),
        "cross": _("Cross on square %(square)s of board %(board)s"),
        "nim": _("Nim"),
        "chomp": _("Chomp"),
        "kayles": _("Kayles"),
        "notakto": _("Notakto"),
        "error-not_json": _("This is not JSON"),
        "error-not_shown": _("The page shows at most %(limit)s stones, squares and pins; the library counts more"),
        "error-not_played": _("The page plays Nim, Chomp, Kayles and Notakto; the library plays more"),
        **_errors(puzzles.GAMES),
    }
