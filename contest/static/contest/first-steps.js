// Three small levels that show how the game goes: to walk, to push, and what a box in a corner means.

import { deadSquares, lostBoxes } from "./player/rules/deadlocks.js";
import { LOST } from "./player/view/marks.js";
import { SmallBoard } from "./shell/small.js";

const lessons = [...document.querySelectorAll("[data-small]")];

function start(lesson) {
  const board = new SmallBoard(lesson, (position, words) => {
    const lost = board.lost(position);
    board.view.mark(LOST, lost);
    if (lost.length) return words.lost;
    const { level } = board;
    // The first level has no box: whoever stands on its goal has learnt to walk.
    const isDone = level.boxes.length ? position.isSolved : level.goals.includes(position.player);
    if (isDone) finish(lesson);
    return isDone ? words.done : words.goOn;
  });
  const dead = deadSquares(board.level);
  board.lost = ({ boxes }) => lostBoxes(board.level, boxes, dead);
}

function finish(lesson) {
  lesson.classList.add("done");
  const isLast = lessons.every(({ classList }) => classList.contains("done"));
  if (isLast) document.querySelector("[data-all-done]").hidden = false;
}

lessons.forEach(start);
