// The small level on the page of addresses that lead nowhere.

import { SmallBoard } from "./shell/small.js";

new SmallBoard(document.querySelector("[data-small]"), ({ isSolved, moves, pushes }, words) =>
  (isSolved ? words.solved : words.counts).replace("{moves}", moves).replace("{pushes}", pushes));
