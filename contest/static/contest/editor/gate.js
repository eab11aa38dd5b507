// What keeps a board out of a published round, and what its author should look at.
// The twin of the board's part of solvers/sokoban/checks/gate.py; both are tested with the same cases.

import { GOAL, WALL } from "../player/rules/letters.js";

const LEAST = 3;
const MOST = 100;
const WARNINGS = new Set(["unreachable_box", "unreachable_goal", "solved_at_start", "corner_box"]);

/** Every problem of the board, in a fixed order: {code, values, cells, isWarning}. */
export function faults(level) {
  return found(level).map((problem) => ({ ...problem, isWarning: WARNINGS.has(problem.code) }));
}

function found(level) {
  const { width, height, boxes, goals, reach, players } = level;
  const problems = [];
  const report = (code, values = {}, cells = []) => problems.push({ code, values, cells });
  if (Math.min(width, height) < LEAST || Math.max(width, height) > MOST) report("size", { width, height });
  problems.push(...level.problems);
  if (players.length !== 1) return problems;
  const within = (cells) => cells.filter((cell) => reach.has(cell)).length;
  const counts = { boxes: within(boxes), goals: within(goals) };
  const isUneven = counts.boxes !== counts.goals && boxes.length === goals.length;
  if (isUneven || (!counts.boxes && boxes.length)) report("reach_boxes_goals", counts);
  const away = boxes.filter((box) => !(level.cells[box] & GOAL));
  const lost = away.filter((box) => !reach.has(box));
  if (lost.length) report("lost_box", {}, lost);
  const stuck = away.filter((box) => isCorner(level, box));
  if (stuck.length) report("corner_box", {}, stuck);
  return problems;
}

/** Whether walls, or the edge of the board, stop a box on *cell* in both directions for ever. */
function isCorner(level, cell) {
  const column = cell % level.width;
  const row = Math.floor(cell / level.width);
  const stops = (x, y) =>
    x < 0 || y < 0 || x >= level.width || y >= level.height || Boolean(level.cells[y * level.width + x] & WALL);
  return (stops(column - 1, row) || stops(column + 1, row)) && (stops(column, row - 1) || stops(column, row + 1));
}
