"""Output and drawings of the commands, compared with those that somebody has approved."""

import shlex
from pathlib import Path

import pytest

from contest.rendering import charts
from contest.rendering.math_text import plain_formula
from contest.templatetags import collections
from solvers.games.__main__ import main as games
from solvers.klotski.__main__ import main as klotski
from solvers.knights.__main__ import main as knights
from solvers.logic import Formula, landscape, reduce_formula
from solvers.logic import draw as logic_drawing
from solvers.sokoban.__main__ import main as sokoban
from solvers.sokoban.formats import read_collection
from solvers.sokoban.machines.hunting import hunt
from solvers.sokoban.machines.proofs import joint
from solvers.sokoban.solving.board import make_board
from solvers.sokoban.solving.budget import Budget, Meter
from solvers.sokoban.solving.deadlocks.corral_search import corral_memory_for
from solvers.sokoban.solving.deadlocks.dead_ends import dead_ends_for
from solvers.sokoban.solving.floor.hotspots import hotspots_for
from solvers.sokoban.solving.floor.rooms import find_rooms
from solvers.sokoban.solving.portfolio import PARTS, solve_any
from solvers.sokoban.solving.search_picture import search_svg
from solvers.sokoban.solving.searching.feature_runs import FeatureRun
from solvers.sokoban.solving.searching.guides import make_guide
from solvers.sokoban.solving.searching.scoring import PICTURE, PLAN, PULL, REMOVE
from solvers.sokoban.solving.solver import prove
from tests.solvers.running import call

PROGRAMS = {"sokoban": sokoban, "klotski": klotski, "knights": knights, "games": games}
GRADED = Path(__file__).parents[2] / "contest/library/own/graded.sok"
LAYOUT = "VCCVVCCVVHHVVooVo..o"
LEVELS = """; Two rooms
########
#--@---#
#-$##$-#
#.-##-.#
#--##--#
########
Title: Two rooms
Author: Ann

######
#@-$.#
######
Title: Corridor
Solution: rR
"""
ROOMS = """
##############
#-..#--------#
#...$-$-##---#
#.--#-$------#
####-$##$-#--#
---#--##-$####
---#-@-------#
---###--##---#
-----#-------#
-----#########

--########---
--#--#---####
###--$-$-#--#
#-$-##-#----#
#---##--#---#
#-$---$--#-##
###-##-###-#-
-#.-..#-@--#-
-#..-.-$-###-
-#--##---#---
-#########---

###########
#----#----#
#-$$-#-$$-#
#-.#.-.#.-#
###--#--###
#-.#@--#.-#
#-$--#-$--#
#----#----#
###########
"""
COMMANDS = [
    "sokoban levels -", "sokoban levels --jsonl -", "sokoban levels --lines -", "sokoban check -",
    "sokoban check --contest -", "sokoban check --json -",
    *(f"sokoban convert --to {kind} -" for kind in ("compact", "letslogic", "line", "mf8", "rle", "sok", "xsb")),
    "sokoban replay -n 2 -m rR -", "sokoban replay -n 2 -m rRl --json -", "sokoban replay -n 1 -m llD3u --reader rle -",
    "sokoban paths --walk B2 -", "sokoban paths --box C3 --json -", "sokoban paths --box C3 --to C5 --fewest moves -",
    "sokoban rebuild -m rDDlURR", "sokoban rebuild -m rRl --json",
    "sokoban draw - -o out.svg --ruler --title Rooms", "sokoban draw - -n 2 -m rR -o out.svg --theme dark --cell 20",
    "sokoban tree - -o out.svg", "sokoban tree - --low depth --nodes -o out.svg", "sokoban tree - --box C3 -o out.svg",
    "sokoban tree - --box C3 --pushes -o out.svg", "sokoban series ladder 6", "sokoban series rooms 3 --json",
    f"klotski check {LAYOUT}", f"klotski check --json {LAYOUT}", "klotski names",
    f"klotski solve {LAYOUT} --strict --json", f"klotski draw {LAYOUT} -o out.svg --names zh --theme print",
    f"klotski draw {LAYOUT} -o out.svg --title Start --cell 30", "klotski chart classic -o out.svg",
    "klotski chart mirror --chinese --horizontals 2 -o out.svg",
    "knights 8 8 0,0 7,7 --path", "knights 3 9 0,0 2,8 --json", "knights 30 20 1,2 29,19 --path --json",
    "knights 9 9 0,0 8,7 --leaper 1,4 --path", "knights --picture out.svg", "knights 12 12 0,0 --greedy",
    "games nim 3 5 7", "games nim 3 5 7 --misere --json", "games octal --code 0.77 --period", "games chomp 3 2 1",
    "games subtraction --set 1,3,4 12", "games wythoff 4 7", "games dawsons_chess 9 --json", "games nim 2 1 --tree",
]  # fmt: skip


def run(command: str, monkeypatch, capsys) -> str:
    """Return exit code, output and errors of *command*, and the file out.svg that it has written."""
    program, *arguments = shlex.split(command)
    code, output, errors = call(PROGRAMS[program], arguments, LEVELS, monkeypatch, capsys)
    drawn = Path("out.svg")
    text = f"$ {command}\n{code}\n{output}{errors}{drawn.read_text() if drawn.exists() else ''}"
    drawn.unlink(missing_ok=True)
    return text


@pytest.mark.parametrize("program", PROGRAMS)
def test_commands_print_and_draw_what_was_approved(program, monkeypatch, capsys, tmp_path, file_regression):
    monkeypatch.chdir(tmp_path)
    texts = [run(command, monkeypatch, capsys) for command in COMMANDS if command.split()[0] == program]
    file_regression.check("\n".join(texts), basename=program)


def test_pictures_of_formulas_and_searches_are_as_approved(file_regression):
    formula = Formula.parse("p cnf 3 3\na 1 0\ne 2 3 0\n1 2 0\n-1 -2 3 0\n-3 2 0\n")
    reduced = reduce_formula(formula)
    for name, text in {
        "formula": logic_drawing.svg(formula, reduced, title="A formula") + logic_drawing.in_signs(formula),
        "classes": landscape.classes_svg() + landscape.classes_svg("zh", standalone=True),
        "routes": landscape.routes_svg() + landscape.routes_svg("zh", standalone=True),
        "search": search_svg([(1, 9), (30, 7), (400, 6), (5_000, 6)], 5, "A search"),
    }.items():
        file_regression.check(text.replace("><", ">\n<"), basename=name)


@pytest.mark.usefixtures("in_english")
def test_charts_are_as_approved(file_regression):
    dots = [charts.Dot(x, y, f"{x}, {y}", "/p/" if x % 2 else "") for x, y in [(3, 90), (17, 60), (18, 61), (95, 20)]]
    bands = [charts.Band(0, 50, "low", "r1"), charts.Band(50, 200, "high", "r2")]
    drawn = [
        charts.draw_stair(dots, name="Stair", upwards="moves", across="pushes"),
        charts.draw_stair(dots[:2], name="Front", upwards="moves", behind=dots, is_front=True),
        charts.draw_line(dots, name="Line", upwards="moves", best_is_least=True),
        charts.draw_line(dots, dots[:3], name="Two lines", upwards="points", ground=0, bands=bands),
        charts.draw_bars([charts.Bar(f"{n}", n * n, f"{n}²") for n in range(1, 12)], name="Bars", upwards="players"),
        charts.draw_share(3, 7),
        *(collections.progress(done, count) for done, count in [(0, 9), (1, 1_000), (999, 1_000), (9, 9), (0, 0)]),
        collections.grade(3),
        plain_formula(r"\sqrt{n^2+1} \le \sqrt[3]{\frac{a_1}{2}}"),
    ]
    file_regression.check("\n".join(drawn).replace("><", ">\n<"), basename="charts")


def test_searches_look_at_the_positions_that_were_approved(file_regression):
    """A search that finds a solution after more positions than before is a weaker one."""
    lines = []
    for entry in read_collection(GRADED).entries[39::10]:
        level, board = entry.level, make_board(entry.level)
        for part in PARTS:
            meter = Meter(Budget(nodes=30_000))
            answer = solve_any(level, board, meter, (part,))
            looked = meter.nodes if part.startswith(("greedy", "plan")) else ""  # others look at more by time
            lines.append(f"{entry.title}: {part}: {answer.lurd} {looked}".strip())
        for aim in ("pushes", "moves"):
            answer = prove(level, aim=aim, budget=Budget(nodes=100_000))
            lines.append(f"{entry.title}: fewest {aim}: {answer.lurd} {answer.nodes}")
    file_regression.check("\n".join(lines), basename="searches")


def feature_runs(level):
    """Yield each search by features of a level after 300 moves, or fewer if it ended, with its name."""
    board = make_board(level)
    shared = corral_memory_for(board), dead_ends_for(board)

    def run(mode, guide, **options):
        search = FeatureRun(board, find_rooms(board), guide, *shared, mode, **options)
        search.run(300)
        return search

    pull, remove = run(PULL, make_guide(board)), run(REMOVE, make_guide(board), seed=1)
    resting, steps = remove.plan()
    guide = make_guide(board, resting=resting, steps=steps, hotspots=hotspots_for(board))
    yield from {
        "pull": pull,
        "remove": remove,
        "plan": run(PLAN, guide, doubt=50),
        "plan rooms": run(PLAN, guide, by_room=True, seed=3, doubt=50, meeting=pull.meeting()),
        "picture": run(PICTURE, make_guide(board, picture=pull.picture()), doubt=50),
    }.items()


def test_searches_by_features_look_at_the_states_that_were_approved(file_regression):
    """Each line has the best state's boxes, how the search ended, and its counts: states, edges, states found lost."""
    lines = []
    for number, entry in enumerate([*read_collection(ROOMS).entries, *read_collection(GRADED).entries[40::4]]):
        for name, search in feature_runs(entry.level):
            best = search.search.tree.states.boxes[search.best].tolist()
            lines.append(f"{number}: {name}: {best} {search.status} {search.counters.tolist()}")
    file_regression.check("\n".join(lines), basename="feature_searches")


def test_a_hunt_finds_the_joints_that_were_approved(file_regression):
    """The same seed finds the same boards."""
    found, _examined = hunt(joint, 2, (4, 4), boxes=1, tries=700, seed=1)
    boards = ["\n".join([*gadget.rows, f"{proof.states} states"]) for gadget, proof in found]
    file_regression.check("\n\n".join(boards), basename="joints")
