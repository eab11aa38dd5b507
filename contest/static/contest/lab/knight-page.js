// The page of the knight: two presses on the board ask anew, without a request.

import { boardOf, caseOf, distance, path } from "./knight.js";
import { opened } from "./opening.js";

const root = document.querySelector("[data-knight]");
const { words } = opened(root);
const svg = root.querySelector(".chessboard");
const form = root.querySelector("form");
const says = root.querySelector("[data-says]");
let start = null;

if (svg) {
  says.textContent = words("pickStart");
  svg.addEventListener("click", ({ target }) => {
    if (!target.dataset.row) return;
    const square = [Number(target.dataset.row), Number(target.dataset.column)];
    if (start) show(start, square);
    else place("start", square);
    says.textContent = words(start ? "pickStart" : "pickTarget");
    start = start ? null : square;
  });
}

/** Put a mark on a square, and its numbers into the form, which a reload and a link then keep. */
function place(name, [row, column]) {
  const mark = svg.querySelector(`circle.${name}`);
  mark.setAttribute("cx", column + 0.5);
  mark.setAttribute("cy", row + 0.5);
  form.elements[`${name}_row`].value = row + 1;
  form.elements[`${name}_column`].value = column + 1;
}

function show(from, to) {
  place("target", to);
  const { width, height } = svg.viewBox.baseVal;
  const board = boardOf(height, width);
  const moves = distance(board, from, to);
  const squares = moves === null ? [] : [...path(board, from, to)];
  svg.querySelector(".path").setAttribute("points", squares.map(([row, column]) => `${column + 0.5},${row + 0.5}`).join(" "));
  root.querySelector("[data-moves]").textContent = moves === null ? words("none") : words("moves", { moves });
  root.querySelector("[data-why]").textContent = words(`case-${caseOf(board, from, to)}`);
  history.replaceState(null, "", `?${new URLSearchParams(new FormData(form))}`);
}
