"""What the scripts of the lab say, in the reader's language."""

from django.utils.translation import gettext as _

from contest.web.lab.knight import CASES


def knight() -> dict[str, str]:
    return {
        "moves": _("Moves: %(moves)s"),
        "none": _("No way"),
        "pickStart": _("Press the square to start from."),
        "pickTarget": _("Press the square to go to."),
        **{f"case-{one.value}": str(words) for one, words in CASES.items()},
    }


def klotski() -> dict[str, str]:
    return {
        "steps": _("Moves: %(moves)s"),
        "best": _("at best %(moves)s"),
        "left": _("%(moves)s more at best"),
        "out": _("Cao Cao is out in %(moves)s moves."),
        "mirrored": _("The mirror image stands in %(moves)s moves."),
        "perfect": _("No way is shorter."),
        "unsolvable": _("From here there is no way."),
        "picked": _("%(piece)s can move to: %(squares)s."),
        "stuck": _("%(piece)s cannot move."),
        "moved": _("%(piece)s moved to %(square)s."),
        "copied": _("The link is in the clipboard."),
        "exit": _("Lead Cao Cao to the middle of the lower edge."),
        "left-right": _("Form the mirror image: left and right exchanged."),
        "upside-down": _("Form the mirror image: top and bottom exchanged."),
        "rotated": _("Form the layout turned by half."),
        "C": _("Cao Cao"),
        "V": _("An upright general"),
        "H": _("A lying general"),
        "o": _("A soldier"),
        "badLayout": _("This is no layout: it takes Cao Cao, five generals, four soldiers and two free cells."),
    }


def games() -> dict[str, str]:
    return {
        "yourTurn": _("Your turn."),
        "youWin": _("You win."),
        "iWin": _("The perfect player wins."),
        "iTook": _("The perfect player moved."),
        "value": _("Value %(value)s"),
        "total": _("All together: %(value)s."),
        "lost": _("Whoever moves now loses against best play."),
        "won": _("Whoever moves now can win."),
        "heap": _("Heap of %(count)s: take down to %(left)s"),
        "bite": _("Bite at row %(row)s, column %(column)s"),
        "poison": _("The poisoned square"),
        "pin": _("Pin %(pin)s of row %(row)s"),
        "pickPin": _("Press a pin, then the same again, or its neighbour to take both."),
        "cross": _("Cross on square %(square)s of board %(board)s"),
        "nim": _("Nim"),
        "chomp": _("Chomp"),
        "kayles": _("Kayles"),
        "notakto": _("Notakto"),
    }
