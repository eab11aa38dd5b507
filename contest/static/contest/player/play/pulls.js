// The game played backwards (逆推): goals and boxes have changed roles, and boxes are pulled.
//
// A step is a number as in game.js; PUSH says that the box behind the player comes with him. Backwards a pull is a push,
// so that the steps of a game played backwards, turned round one by one from the last to the first, are a game.

import { Arena, CRATE, FREE, LETTERS, PUSH, Position } from "../rules/game.js";
import { BOX, GOAL, PLAYER, WALL } from "../rules/letters.js";
import { Level } from "../rules/level.js";

/** Where everything stands in a game played backwards; *home* counts the boxes on squares where boxes begin. */
export class PullPosition extends Position {
  get isBackward() {
    return true;
  }

  /** The start with the player on *cell* of *level*, or null where he cannot stand when the level is solved. */
  static start(level, cell) {
    if (!level.reach.has(cell) || level.cells[cell] & GOAL) return null;
    const roles = (content) => (content & WALL) | (content & GOAL ? BOX : 0) | (content & BOX ? GOAL : 0);
    const cells = level.cells.map(roles);
    cells[cell] |= PLAYER;
    const { start } = Arena.of(new Level(level.width, level.height, cells));
    return new PullPosition(start.arena, start.squares, start.man, start);
  }

  refusal(direction) {
    const content = this.squares[this.man + this.arena.deltas[direction]];
    return content === FREE ? null : content === CRATE ? "box" : "wall";
  }

  /** The walk in *direction*, or null where it is impossible. */
  step(direction) {
    return this.refusal(direction) === null ? direction : null;
  }

  /** The step in *direction* with the box behind, or null where it is impossible. */
  pull(direction) {
    const isHeld = this.squares[this.man - this.arena.deltas[direction]] === CRATE;
    return isHeld && this.refusal(direction) === null ? direction | PUSH : null;
  }

  possible(wanted) {
    const { deltas } = this.arena;
    const squares = this.squares.slice();
    const made = wanted.map((step) => step & 7);
    let { man } = this;
    let count = 0;
    for (; count < made.length; count++) {
      const delta = deltas[made[count] & 3];
      const isPull = (made[count] & PUSH) !== 0;
      if (squares[man + delta] !== FREE || (isPull && squares[man - delta] !== CRATE)) break;
      if (isPull) {
        squares[man - delta] = FREE;
        squares[man] = CRATE;
      }
      man += delta;
    }
    return made.subarray(0, count);
  }

  after(steps) {
    const { goals, deltas } = this.arena;
    const squares = this.squares.slice();
    let { man, pushes, home } = this;
    for (const step of steps) {
      const delta = deltas[step & 3];
      if (step & PUSH) {
        squares[man - delta] = FREE;
        squares[man] = CRATE;
        home += goals[man] - goals[man - delta];
        pushes++;
      }
      man += delta;
    }
    const facing = steps.length ? look(steps[steps.length - 1]) : this.facing;
    return new PullPosition(this.arena, squares, man, { moves: this.moves + steps.length, pushes, home, facing });
  }

  before(steps) {
    const { goals, deltas } = this.arena;
    const squares = this.squares.slice();
    let { man, pushes, home } = this;
    for (let at = steps.length - 1; at >= 0; at--) {
      const delta = deltas[steps[at] & 3];
      man -= delta;
      if (!(steps[at] & PUSH)) continue;
      squares[man] = FREE;
      squares[man - delta] = CRATE;
      home += goals[man - delta] - goals[man];
      pushes--;
    }
    const facing = steps.length ? look(steps[0]) : this.facing;
    return new PullPosition(this.arena, squares, man, { moves: this.moves - steps.length, pushes, home, facing });
  }
}

/** Where the player looks at a *step* backwards: at the box he pulls. */
function look(step) {
  return step & PUSH ? (step & 3) ^ 2 : step & 3;
}

/** The steps of a game played backwards as the letters that lead from where it stands to where it began. */
export function reversal(steps) {
  return Array.from(steps, (step) => LETTERS[(step & 7) ^ 2]).reverse().join("");
}
