// A board of Sokoban as an SVG element, of the sprites that the page holds as symbols.

import { CRATE } from "../../player/rules/game.js";
import { GOAL, WALL } from "../../player/rules/letters.js";
import { AIM, CRATE_AWAY, CRATE_HOME, FLOOR, WALKER, wallSprites } from "../../player/view/sprites.js";

const SVG = "http://www.w3.org/2000/svg";
const LOOKS_DOWN = 2;

/** Fill *svg* with *position*. *shades*: a Map from a cell to the class of what lies under it; *marks*: cells with dots. */
export function draw(svg, position, { shades = new Map(), marks = [], labels = new Map() } = {}) {
  const { arena, squares, man } = position;
  const { level } = arena;
  svg.setAttribute("viewBox", `0 0 ${level.width} ${level.height}`);
  const at = (cell) => [cell % level.width, Math.floor(cell / level.width)];
  const parts = [];
  const add = (name, attributes, text = "") => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.textContent = text;
    parts.push(element);
  };
  const sprite = (number, cell) => {
    const [x, y] = at(cell);
    // A little too large: cells that end where the next begins are seen apart.
    add("use", { href: `#sprite-${number}`, x: x - 0.01, y: y - 0.01, width: 1.02, height: 1.02 });
  };
  const cellTo = (cell, right, down) => {
    const [x, y] = at(cell);
    const isInside = x + right >= 0 && x + right < level.width && y + down >= 0 && y + down < level.height;
    return isInside ? cell + down * level.width + right : -1;
  };
  level.cells.forEach((content, cell) => {
    if (content & WALL) {
      const isWall = (right, down) => Boolean(level.cells[cellTo(cell, right, down)] & WALL);
      const isFloor = (right, down) => level.reach.has(cellTo(cell, right, down));
      for (const number of wallSprites(isWall, isFloor)) sprite(number, cell);
    } else if (level.reach.has(cell)) sprite(FLOOR, cell);
  });
  for (const [cell, name] of shades) {
    const [x, y] = at(cell);
    add("rect", { class: name, x, y, width: 1, height: 1 });
  }
  level.cells.forEach((content, cell) => {
    const isGoal = Boolean(content & GOAL);
    if (squares[arena.square(cell)] === CRATE) sprite(isGoal ? CRATE_HOME : CRATE_AWAY, cell);
    else if (arena.square(cell) === man) sprite(WALKER + 4 * isGoal + LOOKS_DOWN, cell);
    else if (isGoal) sprite(AIM, cell);
  });
  for (const cell of marks) {
    const [x, y] = at(cell);
    add("circle", { class: "mark", cx: x + 0.5, cy: y + 0.5, r: 0.14 });
  }
  for (const [cell, text] of labels) {
    const [x, y] = at(cell);
    add("text", { class: "number", x: x + 0.95, y: y + 0.32, "text-anchor": "end", "font-size": 0.3 }, text);
  }
  svg.replaceChildren(...parts);
}

/** The cell of a press on *svg*. */
export function cellAt(svg, level, { clientX, clientY }) {
  const point = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
  const [column, row] = [Math.floor(point.x), Math.floor(point.y)];
  const isInside = column >= 0 && row >= 0 && column < level.width && row < level.height;
  return isInside ? row * level.width + column : null;
}
