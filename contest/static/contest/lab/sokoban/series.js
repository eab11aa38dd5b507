// Levels whose shortest solutions grow exponentially, each with its solution and closed forms. The twin of
// solvers/sokoban/making/series.py, which says why they hold; both are tested with the same cases.

import { PuzzleError } from "../../player/rules/errors.js";
import { replay } from "../../player/rules/game.js";
import { Level } from "../../player/rules/level.js";
import { Moves } from "../../player/rules/moves.js";
import { rebuilt } from "./rebuild.js";

export const RANGES = { ladder: [4, 25], classic: [4, 24], rooms: [1, 14] };

/** The member of a series: {level, solution, moves, pushes}. Throw no_such_member, or no_odd_member. */
export function member(series, number) {
  const [first, last] = RANGES[series];
  if (!Number.isInteger(number) || number < first || number > last) {
    throw new PuzzleError("no_such_member", { asked: number, first, last });
  }
  const [level, solution] = MAKERS[series](number);
  return { level, solution, moves: moves(series, number), pushes: pushes(series, number) };
}

const MAKERS = {
  ladder(number) {
    const solution = ladderSolution(number);
    return [rebuilt(solution), solution];
  },
  classic(number) {
    if (number % 2) throw new PuzzleError("no_odd_member", { asked: number });
    const level = classicLevel(number);
    return [level, replay(level, Moves.parse(classicWalk(number))).lurd];
  },
  rooms: (number) => [roomsLevel(number), roomsSolution(number)],
};

export function moves(series, number) {
  if (series === "rooms") return 118 * 2 ** number - 44 * number - 131;
  const [fibonacci, lucas] = fibonacciAndLucas(number);
  const ladder = 9 * lucas + 5 * fibonacci - number - 14 + (number % 2 ? 1 : -1);
  return series === "classic" ? ladder - 11 : ladder;
}

export function pushes(series, number) {
  if (series === "rooms") return 4 * 2 ** number - 3;
  const [fibonacci, lucas] = fibonacciAndLucas(number);
  return 2 * lucas + 4 * fibonacci - (series === "classic" ? 11 : 8);
}

function fibonacciAndLucas(number) {
  let [fibonacci, after] = [0, 1];
  for (let at = 0; at < number; at++) [fibonacci, after] = [after, fibonacci + after];
  return [fibonacci, 2 * after - fibonacci];
}

// How the three lowest boxes are solved ending on either side, and what a ladder of four does before.
const THREE = "dddlUluRurrrddLLUlldRdrUrruulD";
const THREE_CROSSED = "dddlUluRurrrddLLUdrruulDlddlUluR";
const FOUR = "rdrddLLUlldRdrUrruulDuullDDRU";

function ladderSolution(boxes) {
  const best = [THREE, FOUR + THREE];
  const other = [THREE_CROSSED, FOUR + THREE_CROSSED];
  for (let n = 5; n <= boxes; n++) {
    const climb = "u".repeat(n - 2);
    const begin = n % 2 ? `ldDDRU${other.at(-2)}${climb}rrDDLU` : `rdDDLU${best.at(-2)}${climb}llDDRU`;
    other.push(begin + other.at(-1));
    best.push(begin + best.at(-1));
  }
  return best[boxes - 3];
}

// The classic ladder: the ladder's solution in a mirror, with another end.
const LADDER_END = "LUlldRdrUrruulD";
const CLASSIC_END = "UruL";
const MIRRORED = { l: "r", r: "l" };

function classicWalk(boxes) {
  const walk = ladderSolution(boxes).slice(0, -LADDER_END.length) + CLASSIC_END;
  return walk.toLowerCase().replace(/[lr]/g, (letter) => MIRRORED[letter]);
}

function classicLevel(boxes) {
  const shaft = ["-#-+-#-", "-#$.$#-", ...Array(boxes - 2).fill("-#-*-#-")];
  shaft.splice(-2, 2, "#--*--#", "#--*--#");
  shaft[boxes - 4] = `##${shaft[boxes - 4].slice(2)}`;
  shaft[boxes - 3] = `#-${shaft[boxes - 3].slice(2, 5)}##`;
  return Level.parse(["-#####-", ...shaft, "###--##", "--####-"].join("|"));
}

// A room of five rows over the next one, and the last one. The hall leaves the third row on both sides.
const ROOM = ["#-#---#-#", "-*--#-*--", "-#-###-#-", "#------#-", "#-#####--"];
const LAST_ROOM = [...ROOM.slice(0, 3), "---------"];

function roomsLevel(number) {
  const inside = number - 1;
  const left = 1 + 2 * inside;
  const width = left + 9 + 2 * inside + 1;
  const wall = () => Array(width).fill("#");
  const rows = [wall(), wall(), wall()];
  rows[1][left + 1] = ".";
  rows[2][left + 1] = "$";
  const stack = [...Array(inside).fill(ROOM).flat(), ...LAST_ROOM];
  for (const row of stack) rows.push([..."#".repeat(left), ...row, ..."#".repeat(left)]);
  for (let at = 0; at <= 2 * inside; at++) rows.push(wall());
  rows[3][left + 7] = "@";
  for (let room = 0; room < inside; room++) digHall(rows, 5 + 5 * room, 2 * room + 1, left);
  return Level.parse(rows.map((row) => row.join("")).join("|"));
}

/** Lead the hall of a room from both ends of its third row, *top*, down and round everything below. */
function digHall(rows, top, outside, left) {
  const far = rows[0].length - 1 - outside;
  const bottom = rows.length - 1 - outside;
  rows[top].fill("-", outside, left).fill("-", rows[top].length - left, far + 1);
  rows[bottom].fill("-", outside, far + 1);
  for (let row = top; row < bottom; row++) rows[row][outside] = rows[row][far] = "-";
}

function roomsSolution(number) {
  let go = "drddlllllluururrdRddlllllluuRu";
  let come = "dlddrrrrrruululldLddrrrrrruuLu";
  for (let inside = 1; inside < number; inside++) {
    const [side, down, across] = [2 * inside, 7 * inside + 1, 4 * inside + 8];
    const walk = (...parts) => parts.map(([letter, steps]) => letter.repeat(steps)).join("");
    const hall = walk(["r", side], ["d", down], ["l", across], ["u", down], ["r", side]);
    const llah = walk(["l", side], ["d", down], ["r", across], ["u", down], ["l", side]);
    [go, come] = [
      `drdddld${go}uuruururrdRddllllldd${come}uruu${hall}uRu`,
      `dld${llah}ddld${go}uurrrrruululldLddldd${come}uruuuLu`,
    ];
  }
  return `${go}Ud${come}`.replace(/u$/, "");
}
