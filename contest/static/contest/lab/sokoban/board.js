// A board of Sokoban as an SVG element: the classes are those of solvers/sokoban/drawing/draw.py, so the site's colours fit.

import { CRATE } from "../../player/rules/game.js";
import { GOAL, WALL } from "../../player/rules/letters.js";

const SVG = "http://www.w3.org/2000/svg";

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
  const paths = { floor: "", wall: "" };
  level.cells.forEach((content, cell) => {
    const [x, y] = at(cell);
    if (content & WALL) paths.wall += `M${x} ${y}h1v1h-1z`;
    else if (level.reach.has(cell)) paths.floor += `M${x} ${y}h1v1h-1z`;
  });
  for (const [name, d] of Object.entries(paths)) add("path", { class: name, d });
  for (const [cell, name] of shades) {
    const [x, y] = at(cell);
    add("rect", { class: name, x, y, width: 1, height: 1 });
  }
  level.cells.forEach((content, cell) => {
    const [x, y] = at(cell);
    const isBox = squares[arena.square(cell)] === CRATE;
    const isGoal = Boolean(content & GOAL);
    if (isGoal && !isBox) add("path", { class: "goal", d: diamond(x, y) });
    if (isBox) add("path", { class: isGoal ? "home" : "box", d: `M${x + 0.13} ${y + 0.13}h.74v.74h-.74z` });
    if (isBox && isGoal) add("path", { class: "gem", d: diamond(x, y) });
    if (isBox && !isGoal) add("path", { class: "plank", d: `M${x + 0.16} ${y + 0.37}h.68m-.68.26h.68` });
    if (arena.square(cell) === man) add("circle", { class: "player", cx: x + 0.5, cy: y + 0.5, r: 0.34 });
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

function diamond(x, y) {
  return `M${x + 0.5} ${y + 0.26}l.24.24-.24.24-.24-.24z`;
}
